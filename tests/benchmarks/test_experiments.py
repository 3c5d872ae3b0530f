"""The articles' experiments: statistics against hand-worked values, figures against the data."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from plumbench.benchmarks import experiments
from plumbench.benchmarks.experiments import ablation, measure, run, write
from plumbench.benchmarks.experiments.article import boards, calls, measured
from plumbench.benchmarks.experiments.plots import draw
from plumbench.benchmarks.experiments.report import Histogram, Report, Scatter
from plumbench.benchmarks.report.document import markdown_table
from plumbench.benchmarks.statistics.estimates import Estimate, mean, pearson, spearman
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.generators import generate

VALUES = {"one": "value", "log": "value"}


def test_mean_by_hand() -> None:
    """The mean of 1, 2, 6 is 3, and its interval lies between the extremes around it."""
    found = mean([1, 2, 6])
    assert found.value == 3
    assert found.low is not None
    assert found.high is not None
    assert 1 <= found.low < 3 < found.high <= 6


def test_mean_of_a_constant_and_of_nothing() -> None:
    """Equal values give a point, no values give no number and no NaN."""
    assert (mean([4, 4]).low, mean([4, 4]).high) == (4, 4)
    assert mean([]).value is None
    assert mean([]).text() == "undefined"
    assert mean([]).interval() == "-"


def test_pearson_by_hand() -> None:
    """Pearson of (1,2), (2,4), (3,5) is 3 / sqrt(2 * 14/3)."""
    value = pearson([1, 2, 3], [2, 4, 5]).value
    assert value == pytest.approx(3 / (2 * 14 / 3) ** 0.5)


def test_correlation_with_a_constant_is_undefined() -> None:
    """A constant has no correlation: not 0, not NaN."""
    assert pearson([1, 2, 3], [7, 7, 7]).value is None
    assert spearman([5, 5, 5], [1, 2, 3]).value is None


def test_spearman_sees_only_the_order() -> None:
    """A monotone relation has rank correlation 1, its inverse -1."""
    assert spearman([1, 2, 3, 4], [1, 10, 100, 1000]).value == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [9, 5, 1, 0]).value == pytest.approx(-1)


def test_unequal_lengths_are_refused() -> None:
    """Values that are no pairs raise."""
    with pytest.raises(ValueError, match="expected pairs"):
        pearson([1, 2, 3], [1, 2])


def test_no_negative_zero() -> None:
    """What rounds to nothing is 0.00."""
    found = Estimate(-0.001, -0.004, 0.004, 9)
    assert (found.text(), found.interval()) == ("0.00", "0.00 to 0.00")


def test_markdown_table_lines_up() -> None:
    """Every line of a table is equally long, and a bar in a cell is escaped."""
    lines = markdown_table(["a", "b"], [["x|y", 1.23456], [None, "long text"]]).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "x\\|y" in lines[2]
    assert "1.235" in lines[2]


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_figures_are_files_of_their_kind(kind: str, tmp_path: Path) -> None:
    """A histogram and a scatter plot are written in the format asked for."""
    figures = [
        Histogram("h", "title", VALUES, {"one": [1, 2, 2], "log": [1, 100, 2000]}, log=True),
        Scatter("s", "title", {"one": ("x", "y")}, {"one": ([1, 2], [3, 4])}, {"one": "r = 1"}),
    ]
    heads = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    for figure in figures:
        (path,) = draw(figure, tmp_path, [kind])
        assert path.read_bytes().startswith(heads[kind])


def test_the_same_data_gives_the_same_file(tmp_path: Path) -> None:
    """An SVG figure holds no date and no random ids."""
    figure = Histogram("h", "title", VALUES, {"one": [1, 2, 2]})
    (path,) = draw(figure, tmp_path, ["svg"])
    first = path.read_bytes()
    draw(figure, tmp_path, ["svg"])
    assert path.read_bytes() == first


def test_what_was_written_is_said(tmp_path: Path) -> None:
    """The text ends with the folder of the files, and does not mention files there are none of."""
    figure = Histogram("h", "title", VALUES, {"one": [1, 1]})
    report = Report("name", "title", [], [], [], [figure])
    assert "written" not in write(report, None)
    last = write(report, tmp_path, formats=["svg", "png"]).splitlines()[-1]
    assert last == f"written: {tmp_path}/name.md, with its tables as CSV; 2 figures in {tmp_path}"


def test_unknown_names_are_refused(tmp_path: Path) -> None:
    """An unknown experiment and an unknown figure format raise UsageError."""
    with pytest.raises(UsageError, match="expected one of counts"):
        measure("sums")
    with pytest.raises(UsageError, match="expected one of svg"):
        draw(Histogram("h", "t", VALUES, {"one": [1]}), tmp_path, ["gif"])


@pytest.mark.parametrize("seed", range(20))
def test_partial_boards_are_solvable_as_planted(seed: int) -> None:
    """A partial board has a connected solution and as many pieces as asked for."""
    from plumbench.solvers.run import solve

    board = generate("partial", 4, 5, seed, fill=0.6, density=0.2)
    assert (board.pieces > 0).sum() == 12
    assert solve(board.puzzle, "propagation").status == "satisfiable"


@pytest.mark.parametrize(("width", "height", "wrap"), [(1, 1, False), (2, 2, True), (1, 4, True)])
def test_partial_boards_on_degenerate_grids(width: int, height: int, wrap: bool) -> None:
    """Grids with double borders and loops give solvable boards too."""
    from plumbench.solvers.run import solve

    for seed in range(5):
        board = generate("partial", width, height, seed, wrap=wrap, fill=1.0, density=0.5)
        assert solve(board.puzzle, "propagation").status == "satisfiable"


def test_the_articles_first_boards(shared: Callable[..., Path]) -> None:
    """The sample's first 30 boards are the article's, with its node counts."""
    golden = json.loads(shared("golden", "000_gen30_5x5.json").read_text())["boards"]
    found = [calls(board) for board in boards(number=30)]
    assert found == [g["java_nodes"] for g in golden]


def test_the_articles_hundred_boards() -> None:
    """100 boards: one solution each, 12.52 calls on average, median 12, range 7 to 23."""
    rows = measured()
    nodes = sorted(r.calls for r in rows)
    assert {(r.match, r.connected) for r in rows} == {(1, 1)}
    assert (sum(nodes) / 100, nodes[0], nodes[-1]) == (12.52, 7, 23)
    assert (nodes[49] + nodes[50]) / 2 == 12
    pieces = [r.pieces for r in rows]
    assert (sum(pieces) / 100, min(pieces), max(pieces)) == (17.84, 12, 23)
    assert sum(r.edges for r in rows) / 100 == 18.56
    with_pieces = pearson(pieces, [r.calls for r in rows])
    with_crosses = pearson([r.crosses for r in rows], [r.calls for r in rows])
    assert with_pieces.text(3) == "0.604"
    assert with_crosses.text(3) == "-0.093"


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    """Both experiments on numbers of solutions, quick."""
    return {name: measure(name, quick=True) for name in ("counts", "correlation")}


def test_counts_says_what_is_false(reports: dict[str, Report]) -> None:
    """The claim of 7 to 21 solutions stands beside the constant 1, and does not hold."""
    claims = {c.what: c for c in reports["counts"].claims}
    for rule in ("match", "connected"):
        claim = claims[f"solutions, {rule}"]
        assert (claim.claimed, claim.measured) == ("7 to 21, median 14", "constant 1")
        assert claim.verdict == "does not hold"
    assert claims["calls of the search, mean"].verdict == "holds"
    assert claims["variables (pieces) of a 5x5 board, mean"].verdict == "does not hold"


def test_correlation_is_undefined_for_the_article(reports: dict[str, Report]) -> None:
    """Both of the article's correlations are undefined, those of its calls are not."""
    verdicts = {c.what: (c.measured, c.verdict) for c in reports["correlation"].claims}
    assert verdicts["r(pieces, solutions)"][0] == "undefined"
    assert verdicts["r(crosses, solutions)"][0] == "undefined"
    assert verdicts["r(pieces, calls of the search)"][0] == "0.604"


def test_counts_vary_on_the_other_boards(reports: dict[str, Report]) -> None:
    """The experiment the article meant has boards with one and with many solutions."""
    for name, rules in (("counts", "match"), ("correlation", "connected")):
        table = next(t for t in reports[name].tables if t.file == f"{name}_varying")
        column = list(table.header).index(rules)
        values = {row[column] for row in table.rows}
        assert 1 in values
        assert len(values) > 5


def test_everything_is_written(reports: dict[str, Report], tmp_path: Path) -> None:
    """Markdown, a CSV file per table and every figure stand in the folder."""
    text = write(reports["counts"], tmp_path, formats=("svg", "png"))
    assert (tmp_path / "counts.md").read_text().startswith(text.splitlines()[0])
    with (tmp_path / "counts_article.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 100
    assert {row["connected"] for row in rows} == {"1"}
    for figure in ("counts_article", "counts_varying"):
        assert (tmp_path / f"{figure}.svg").exists()
        assert (tmp_path / f"{figure}.png").exists()


def test_the_ablation_has_a_row_for_each_deduction(monkeypatch: pytest.MonkeyPatch) -> None:
    """On each family the plain search, then one row per deduction left out."""
    samples = [ablation.Sample("net", 5, wrap, "tree") for wrap in (False, True)]
    monkeypatch.setattr(ablation, "SAMPLES", samples)
    nodes, meaning = measure("ablation", quick=True).tables
    assert len(nodes.rows) == 2 * (1 + len(meaning.rows))
    assert {row[1] for row in nodes.rows} == {"(plain)", *(row[0] for row in meaning.rows)}


def test_nothing_is_measured_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be made, or a missing matplotlib, is told before the measuring."""

    def never(*_: object, **__: object) -> Report:
        raise AssertionError("measured")

    monkeypatch.setattr(experiments, "measure", never)
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError, match="expected one that can be written"):
            run("counts", out=folder)
        with pytest.raises(UsageError, match="expected one that can be written"):
            run("counts", figures=folder)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=re.escape("plumbench[plots]")):
        run("counts", out=tmp_path / "new")
