"""The words and the table of puzzles of a report say what the statistics say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from plumbench.benchmarks import report
from plumbench.benchmarks.campaign.records import Row
from plumbench.benchmarks.campaign.store import Store
from plumbench.benchmarks.processes.jobs import Outcome
from plumbench.benchmarks.report.content import Content
from plumbench.benchmarks.report.document import Document, Section
from report_tools import HOST, SETTINGS, Measured, boards, row

Change = Callable[[Row], Row]


def load(path: Path, rows: Iterable[tuple[Measured, Change]]) -> Content:
    """The report of invented rows, each changed before it is stored."""
    listed = list(rows)
    with Store(path) as store:
        campaign = store.begin_campaign("invented", SETTINGS, HOST)
        store.add_instances(run.instance for run, _ in listed)
        for run, change in listed:
            store.add(campaign, change(row(run)))
    with Store(path, create=False) as store:
        return report.load(store)


def same(found: Row) -> Row:
    """No change."""
    return found


def timed(**times: float) -> Change:
    """Other measurements."""
    return lambda found: replace(
        found, result=replace(found.result, times={**found.result.times, **times})
    )


def section(document: Document, name: str) -> Section:
    """A section of a report."""
    [found] = [section for section in document.sections if section.name == name]
    return found


def cells(content: Content, number: int = 0) -> list[list[str]]:
    """The engines' columns of a table of puzzles, as shown."""
    table = section(report.assemble(content), "puzzles").tables[number]
    return [[getattr(cell, "text", "-") for cell in line[5:]] for line in table.rows]


def test_times_that_the_statistics_refuse_are_no_times_of_a_puzzle(tmp_path: Path):
    """Late, damaged and lost times are named, as in the scores; costs hold none of them either."""
    times = [timed(solve=9.0), timed(solve=1e300, total=1e300), timed(solve=float("nan"))]
    made = [
        (Measured(board, "quick", 0.01), change)
        for board, change in zip(boards(3), times, strict=True)
    ]
    content = load(tmp_path / "s.sqlite", made)
    assert cells(content) == [["timeout"], ["unmeasured"], ["unmeasured"]]
    costs = section(report.assemble(content), "costs").tables[0]
    assert not any("e+" in getattr(cell, "text", "") for cell in costs.rows[0])


def test_questions_and_limits_are_not_averaged(tmp_path: Path):
    """Counts up to 2 and to 100 have a table each; runs under several limits have no median."""
    [board] = boards(1)

    def asked(limit: int, seconds: float = 3.0) -> Change:
        return lambda found: replace(found, key=replace(found.key, limit=limit, seconds=seconds))

    run = Measured(board, "quick", 0.01, task="count")
    slow = replace(run, seconds=0.5)
    content = load(tmp_path / "s.sqlite", [(run, asked(2)), (slow, asked(100))])
    assert cells(content, 0) == [["10 ms"]]
    assert "\n\n\n" not in report.console(content)  # a section whose tables are on the page only
    assert cells(content, 1) == [["500 ms"]]
    content = load(tmp_path / "m.sqlite", [(run, asked(2)), (slow, asked(2, 9.0))])
    assert cells(content) == [["mixed limits"]]


def test_words_about_one(tmp_path: Path):
    """One puzzle, one unit: no plural."""
    [board] = boards(1)
    runs = [(Measured(board, "quick", 0.01), same), (Measured(board, "slow", 0.03), same)]
    said = " ".join(report.console(load(tmp_path / "s.sqlite", runs)).split())
    assert "quick solved 1 of 1" in said
    assert "on the one that both solved" in said
    assert "Agreement: 1 of 1 puzzle; 1 satisfiable" in said
    assert "common: over 1 unit, those" in said


def test_no_answers_are_no_agreement(tmp_path: Path):
    """Where no engine answered the banner is not green."""
    runs = [
        (Measured(board, name, None, Outcome.TIMEOUT), same)
        for board in boards(2)
        for name in ("quick", "slow")
    ]
    verdict = report.assemble(load(tmp_path / "s.sqlite", runs)).verdict
    assert verdict.tone == "warn"
    assert verdict.text == "Nothing to compare: no engine answered any of 2 puzzles."
