"""Whatever rows a store holds, there is a report: figures or a line that says why not."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plumbench.benchmarks import report
from plumbench.benchmarks.campaign.records import Row
from plumbench.benchmarks.campaign.store import Store
from plumbench.benchmarks.report.canvas import closing
from plumbench.benchmarks.report.html import page
from plumbench.benchmarks.report.plots import Cactus, look, paint
from plumbench.benchmarks.report.texts import markdown
from plumbench.benchmarks.report.writing import plots
from plumbench.benchmarks.statistics.curves import Curve
from plumbench.puzzles.generators import generate
from report_tools import Measured, make_store
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


HOSTILE = ["<b>x</b>", "a:b", "a-b", "ü", "ö", "$\\foo$", "\x1b[31mred", "\u202eltr", "two\nlines"]


def test_no_name_breaks_a_report(tmp_path: Path):
    """Engines and puzzles called tags, formulas or escape sequences: nothing is interpreted, each
    row of a table is one line, and no figure takes another's place.
    """
    board = replace(generate("net", 3, 3, seed=1), name='<img src="x">\x1b[2J\n[y](javascript:z)')
    runs = [Measured(board, name, 0.01 * (k + 1)) for k, name in enumerate(HOSTILE)]
    path = make_store(tmp_path / "s.sqlite", runs, settings={"solvers": HOSTILE})
    with Store(path, create=False) as store:
        content = report.load(store)
    document = report.assemble(content)
    html = report.write(content, tmp_path / "out").read_text(encoding="utf-8")
    words = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    said = report.console(content)
    for text in (html, words, said):
        assert not {"\x1b", "\u202e"} & set(text)
    assert "<img" not in html
    assert "<b>" not in html
    assert "\\<img" in words
    assert "\\[y](" in words
    assert "two lines" in said
    files = [plot.file for plot in plots(document)]
    assert len(set(files)) == len(files) > 5


def test_an_engine_looks_alike_in_all_plots():
    """Colour, line and marker follow the engine's place among all, and twenty are told apart."""
    names = [f"engine {k}" for k in range(20)]
    looks = [tuple(look(names, name).values()) for name in names]
    assert len(set(looks)) == len(names)
    curves = [Curve(name, (0.1, 0.2), 2, 3.0) for name in (names[4], names[1])]
    with closing(paint(Cactus("c", "title", curves, names))) as canvas:
        colours = [line.get_color() for line in canvas.axes[0].get_lines()[:2]]
    assert colours == [look(names, names[4])["color"], look(names, names[1])["color"]]
