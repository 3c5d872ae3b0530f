"""The matrix of families, engines and jobs."""

from __future__ import annotations

import pytest
from cli_tools import Plumbench, plumbench
from plumbench.benchmarks import matrix as module
from plumbench.benchmarks.matrix import ENGINES, LINES, NONE, Cell, Line, Matrix, matrix
from plumbench.puzzles.errors import GenerationFailed
from plumbench.puzzles.instance import Objective
from plumbench.solvers import run
from plumbench.solvers.contract import Answer, Count, Status

__all__ = ["plumbench"]

NET = Line("nets", 3, 3, (("net", {}),), "tree", Objective("rotations"))


def test_a_line_of_the_matrix() -> None:
    """Every engine that can do a job gets as many right as there are instances."""
    found = matrix(instances=3, lines=[NET], engines=("propagation", "brute", "reference"))
    assert [(family, job) for family, job, _ in found.rows] == [
        ("nets", "solve"), ("nets", "count"), ("nets", "optimise"),
    ]  # fmt: skip
    solved, counted, best = (cells for _, _, cells in found.rows)
    assert [str(c) for c in solved] == [str(c) for c in counted] == ["3", "3", "3"]
    assert str(best[1]) == "3"
    assert str(best[2]) == NONE
    assert best[2].cannot
    assert found.wrong == []


@pytest.mark.parametrize("job", ["solve", "count", "optimise"])
def test_a_wrong_answer_shows(job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine whose answers differ from brute force is shown as wrong, with the instance."""
    honest = {name: getattr(run, name) for name in ("solve", "count", "optimise")}

    def lie(puzzle, engine):
        if engine != "propagation":
            return honest[job](puzzle, engine)
        return Count(77, True) if job == "count" else Answer(Status.UNSATISFIABLE)

    monkeypatch.setattr(module.run, job, lie)
    found = matrix(instances=2, lines=[NET], engines=("propagation", "brute"))
    assert len(found.wrong) == 2
    assert found.wrong[0].startswith(f"nets, {job}, propagation: instance 0")
    assert "0, 2 WRONG" in str(found)


def test_an_engine_that_breaks_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception is no empty cell: it is a wrong one."""
    honest = run.solve

    def broken(puzzle, engine):
        if engine == "propagation":
            raise ZeroDivisionError("oops")
        return honest(puzzle, engine)

    monkeypatch.setattr(module.run, "solve", broken)
    assert "oops" in matrix(instances=1, lines=[NET], engines=("propagation",)).wrong[0]


def test_too_few_small_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    """A family whose instances are all too large ends with a message, not for ever."""
    monkeypatch.setattr(module, "MOST_SOLUTIONS", -1)
    with pytest.raises(GenerationFailed, match="0 small instances of 1"):
        matrix(instances=1, lines=[NET], engines=("brute",))


def test_the_lines_have_distinct_names() -> None:
    """Each line of the matrix is told apart by its name."""
    assert len({line.name for line in LINES}) == len(LINES)


@pytest.mark.fuzz
@pytest.mark.parametrize("line", LINES, ids=lambda line: line.name)
def test_many_instances_of_every_family(line: Line) -> None:
    """300 random instances of each family: all engines equal brute force in status, number and
    optimum, and only the reference may refuse a job.
    """
    found = matrix(instances=300, lines=[line])
    assert found.wrong == []
    for _, _, cells in found.rows:
        for engine, cell in zip(ENGINES, cells, strict=True):
            assert cell.right == 300 or (engine == "reference" and cell.cannot)


def test_the_command_fails_on_a_wrong_cell(
    plumbench: Plumbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command prints the table, and exits 4 with a line for each wrong answer."""
    monkeypatch.setattr(module, "LINES", (NET,))
    monkeypatch.setattr(module, "matrix", lambda **_: matrix(instances=1, lines=[NET]))
    result = plumbench("matrix", "--instances", "1")
    assert (result.code, result.err) == (0, "")
    wrong = Matrix(("sat",), (("nets", "solve", (Cell(0, ("a lie",)),)),))
    monkeypatch.setattr(module, "matrix", lambda **_: wrong)
    result = plumbench("matrix")
    assert result.code == 4
    assert result.err == "plumbench: nets, solve, sat: a lie\n"
