"""The public functions: what they give back, for instances and bare puzzles."""

from __future__ import annotations

from pathlib import Path

import plumbench as pb
import pytest
from plumbench.puzzles.errors import UsageError
from plumbench.solvers.api import Solutions
from plumbench.solvers.contract import Count, Reason, Status
from plumbench.solvers.unique import Verdict

NET = "5x5:1115337157375775157135131"
TWO = "3x3:1313f3131"


@pytest.fixture
def board():
    """A board with one solution."""
    return pb.loads(NET)[0]


def test_solve_draws_its_answer(board) -> None:
    """The text names status, rule and solver, says verified, and shows the turned board."""
    answer = pb.solve(board)
    first, *rows = str(answer).split("\n")
    assert first == "satisfiable under the rule tree, by propagation, verified"
    assert "\n".join(rows) == board.draw(answer.solution)
    assert answer.solution is not None
    assert pb.check(board.puzzle, answer.solution).ok


def test_a_bare_puzzle_will_do(board) -> None:
    """All functions take the model's form, too; there is nothing to draw then."""
    answer = pb.solve(board.puzzle, solver="brute")
    assert str(answer).startswith("satisfiable, by brute, verified\nopen ports: ")
    assert pb.count(board.puzzle).value == 1
    assert pb.unique(board.puzzle).verdict is Verdict.UNIQUE


def test_count_stops_at_its_limit() -> None:
    """Exact below the limit, at least at it."""
    two = pb.loads(TWO)[0]
    assert _plain(pb.count(two)) == (2, True)
    assert _plain(pb.count(two, limit=2)) == (2, False)
    assert _plain(pb.count(two, limit=3)) == (2, True)


def _plain(count: Count) -> tuple[int, bool]:
    return count.value, count.exact


def test_solutions_say_whether_they_are_all() -> None:
    """``complete`` only after the proof that there are no more."""
    two = pb.loads(TWO)[0]
    every = pb.solutions(two)
    assert not every.complete
    assert len(list(every)) == 2
    assert every.complete
    one = pb.solutions(two, limit=1)
    assert len(list(one)) == 1
    assert not one.complete
    assert one.reason is None
    assert next(every, None) is None
    assert every.complete


def test_closed_solutions_are_not_complete() -> None:
    """Closing early ends the iteration without a claim; closing twice is safe."""
    some = pb.solutions(pb.loads(TWO)[0])
    next(some)
    some.close()
    some.close()
    assert next(some, None) is None
    assert not some.complete


def test_a_node_limit_is_told() -> None:
    """A search that a limit stops gives unknown with the reason, and no completeness."""
    hard = pb.loads(NET)[0]
    answer = pb.solve(hard, "brute", nodes=1)
    assert answer.status is Status.UNKNOWN
    assert answer.reason is Reason.NODES
    assert str(answer).endswith("(stopped: nodes)")
    some = pb.solutions(hard, "brute", nodes=1)
    assert isinstance(some, Solutions)
    assert list(some) == []
    assert some.reason is Reason.NODES
    assert not some.complete


def test_unique_shows_both_answers() -> None:
    """The text of an ambiguous board holds both drawings with marks."""
    two = pb.loads(TWO)[0]
    found = pb.unique(two)
    assert found.verdict is Verdict.AMBIGUOUS
    text = str(found)
    marks = frozenset(found.differing)
    for solution in found.solutions:
        for row in two.draw(solution, marked=marks).split("\n"):
            assert row.strip() in text
    assert "exactly 2 solutions" in text


@pytest.mark.parametrize("call", [pb.count, pb.solutions])
def test_bad_limits_are_refused(call, board) -> None:
    """A limit below 1 is a UsageError at once."""
    with pytest.raises(UsageError):
        call(board, limit=0)
    with pytest.raises(UsageError):
        call(board, seconds=0)


def test_the_design_example(tmp_path: Path) -> None:
    """The example of the design: load a file, solve, count."""
    file = tmp_path / "boards.txt"
    file.write_text(f"{NET}\n{TWO}\n")
    board = pb.load(file)[0]
    assert pb.solve(board, solver="propagation").status is Status.SATISFIABLE
    found = pb.count(board, limit=2)
    assert _plain(found) == (1, True)
