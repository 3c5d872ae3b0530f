"""Whatever rows a store holds, there is a report: figures or a line that says why not."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plumbench.benchmarks import report
from plumbench.benchmarks.campaign.records import Row
from plumbench.benchmarks.campaign.store import Store
from plumbench.benchmarks.report.html import page
from plumbench.benchmarks.report.texts import markdown
from run_strategies import stored_rows


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(stored_rows(), max_size=6))
def test_any_rows_can_be_reported(found: list[Row]):
    """No exception, and no NaN or infinity where a figure should be."""
    with tempfile.TemporaryDirectory() as folder:
        with Store(Path(folder) / "s.sqlite") as store:
            campaign = store.begin_campaign("any", {}, {})
            for row in found:
                store.add(campaign, row)
        with Store(Path(folder) / "s.sqlite", create=False) as store:
            content = report.load(store)
    document = report.assemble(content)
    texts = [report.console(content), page(document, None), markdown(document, {})]
    assert all(texts)
    assert 'data-sort="nan' not in texts[1].lower()
    assert 'data-sort="inf' not in texts[1].lower()
    assert report.compare(content, content).console()
