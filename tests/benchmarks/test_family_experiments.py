"""The experiments of articles 001, 003 and 004 beside exact answers."""

from __future__ import annotations

import json

import pytest
from plumbench.benchmarks.experiments import dominoes, flow, paths


def test_the_flow_examples() -> None:
    """Layouts by rule and the calls of the article's search are the golden ones."""
    counts = {
        name: [flow.layouts(flow.example(name), rule, 200) for rule in flow.RULES]
        for name in flow.EXAMPLES
    }
    assert counts["example 1"] == ["127", "1", "1", "0"]
    assert counts["example 2"] == ["at least 200", "0", "0", "0"]
    assert counts["example 3"] == ["1", "1", "1", "0"]
    assert [flow.calls(flow.example(name)) for name in flow.EXAMPLES] == [
        (9, True), (231, False), (1, True),
    ]  # fmt: skip


def test_the_verdicts_on_flow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report says what is false of the examples, the prunings and the rotations."""
    monkeypatch.setattr(flow, "QUICK", 2)
    monkeypatch.setattr(flow, "QUICK_LAYOUTS", 50)
    report = flow.run(quick=True, progress=lambda _: None)
    assert [c.verdict for c in report.claims][:5] == [
        "does not hold",
        "holds only under the program's own rule",
        "holds",
        "does not hold of the program",
        "does not hold as worded",
    ]
    assert "straight 50 %, cross 75 %" in report.claims[4].measured
    ended = {tuple(row[:2]): row[3] for row in report.tables[1].rows}
    assert ended["example 2", "reference"] == "no"
    assert ended["example 2", "reference:no-border"] == "cut off"


def test_the_programs_euler_verdict(shared) -> None:
    """The mirrored verdict is the program's, and the true one the golden one, on every set."""
    sets = json.loads(shared("golden", "003_dominoes.json").read_text())["sets"]
    for facts in sets:
        tiles = [(a, b) for a, b in facts["tiles"]]
        assert dominoes.article_verdict(tiles) == (facts["seed_eulerPathStart"] != -1)
        assert dominoes.true_verdict(tiles) == facts["all_in_one_chain"]


def test_the_verdicts_on_dominoes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constants hold, the Euler verdict and splicing do not; what is found is never too long."""
    monkeypatch.setattr(dominoes, "QUICK", (2, 50, (200,)))
    report = dominoes.run(quick=True, progress=lambda _: None)
    assert [c.verdict for c in report.claims][:3] == ["does not hold", "holds", "holds"]
    assert all(c.claimed.startswith("not given") for c in report.claims[1:3])
    assert "'no chain' is said wrongly of " in report.claims[3].measured
    assert report.claims[5].verdict == "does not hold"
    for row in report.tables[0].rows:
        assert 0 <= int(str(row[3])) <= int(str(row[5])) <= 2


def test_the_verdicts_on_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """The article's map has its one path, and its program never stops early."""
    monkeypatch.setattr(paths, "QUICK", 1)
    report = paths.run(quick=True, progress=lambda _: None)
    assert report.claims[0].measured == (
        "1 path: (1,1) (1,2) (2,2) (3,2) (3,3) (3,4) (4,4) (5,4); orientations 5,3,6,1,5,3,6,1"
    )
    assert report.claims[1].verdict == "does not hold"
