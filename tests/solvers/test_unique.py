"""Uniqueness: verdicts, forced cells and hints against all solutions listed by brute force."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import plumbench as pb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.errors import WrongAnswer
from plumbench.puzzles.formats import loads
from plumbench.puzzles.model import Puzzle, Table, masks_of
from plumbench.solvers import run, unique
from plumbench.solvers.contract import Capabilities, Engine, Limits, Reason, Search, Variant
from plumbench.solvers.unique import Uniqueness, Verdict, judge
from strategies import boards, multigraphs

TWO = "3x3:1313f3131"


def all_masks(puzzle: Puzzle) -> np.ndarray:
    """The masks of every solution, shape (solutions, vertices)."""
    return np.array([masks_of(puzzle, s) for s in run.solutions(puzzle, "brute")])


def is_right(puzzle: Puzzle, found: Uniqueness, known: np.ndarray) -> None:
    """Assert everything that the record claims."""
    expected = {0: Verdict.UNSOLVABLE, 1: Verdict.UNIQUE}.get(len(known), Verdict.AMBIGUOUS)
    assert found.verdict is expected
    assert len(found.solutions) == min(2, len(known))
    if not len(known):
        return
    first = np.array(masks_of(puzzle, found.solutions[0]))
    used = np.flatnonzero(~puzzle.blank)
    forced = {int(v) for v in used if np.all(known[:, v] == known[0, v])}
    if found.forced is not None:
        assert set(found.forced) == forced
    if expected is not Verdict.AMBIGUOUS:
        assert found.exact
        return
    second = np.array(masks_of(puzzle, found.solutions[1]))
    assert set(found.differing) == set(np.flatnonzero(first != second).tolist())
    assert set(found.alike) == {int(v) for v in used if first[v] == second[v]}
    assert found.count == len(known) if found.exact else found.count <= len(known)
    if found.hint is not None:
        vertex, mask = found.hint
        left = known[known[:, vertex] == mask]
        assert first[vertex] == mask != second[vertex]
        assert not found.hint_unique or len(left) == 1


@settings(max_examples=150)
@given(boards())
def test_boards_against_brute_force(board) -> None:
    """Verdict, differing and forced cells and the hint are those of the list of all solutions."""
    found = judge(board.puzzle, "brute", explain=60)
    known = all_masks(board.puzzle)
    is_right(board.puzzle, found, known)
    assert found.verdict is not Verdict.AMBIGUOUS or found.forced is not None


@settings(max_examples=100)
@given(multigraphs())
def test_multigraphs_against_brute_force(puzzle: Puzzle) -> None:
    """The same on multigraphs with counts, loops and stubs."""
    is_right(puzzle, judge(puzzle, "brute", explain=60), all_masks(puzzle))


@settings(max_examples=60)
@given(boards(), st.integers(2, 3))
def test_forced_without_the_list(board, listed: int) -> None:
    """Where not all solutions are listed, questions to the engine find the same forced cells."""
    known = all_masks(board.puzzle)
    before = unique.MAX_LISTED
    unique.MAX_LISTED = listed
    try:
        found = judge(board.puzzle, "brute", explain=60)
    finally:
        unique.MAX_LISTED = before
    is_right(board.puzzle, found, known)
    assert found.verdict is not Verdict.AMBIGUOUS or found.forced is not None


def test_the_ambiguous_3x3_board() -> None:
    """Case N09: two tree solutions, one forced cell, and a lock that leaves one of them."""
    board = loads(TWO)[0]
    found = judge(board.puzzle)
    assert found.verdict is Verdict.AMBIGUOUS
    assert (found.count, found.exact, found.forced) == (2, True, (4,))
    assert found.hint is not None
    assert found.hint_unique
    assert isinstance(board, pb.Board)
    locked = board.with_locked(*found.hint)
    assert judge(locked.puzzle).verdict is Verdict.UNIQUE


def test_no_explanation_without_a_budget() -> None:
    """With explain=0 the verdict comes alone and claims no forced cells."""
    found = judge(loads(TWO)[0].puzzle, explain=0)
    assert found.verdict is Verdict.AMBIGUOUS
    assert found.forced is None
    assert found.hint is None
    assert "not proved for all" in str(found)


class Bounded(Engine):
    """Gives what it is told to give: solutions of the given boards, then an end."""

    name: ClassVar[str] = "bounded"
    capabilities = Capabilities(
        frozenset({"forbidden"}), frozenset({"none", "used"}), interrupt=True
    )

    def __init__(self, answers: list, *, interrupt: bool = True) -> None:
        super().__init__(Variant("bounded"))
        self.answers, self.runs = answers, 0
        self.interrupt = interrupt

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The next script."""
        script = iter(self.answers[min(self.runs, len(self.answers) - 1)])
        self.runs += 1
        search = Scripted()
        search.next = lambda: next(script, None)  # type: ignore[method-assign]
        return search


class Scripted(Search):
    """A search whose ``next`` is put in from outside."""

    def next(self) -> None:
        """Replaced."""


def both() -> list:
    """The two solutions of the ambiguous board."""
    return list(run.solutions(loads(TWO)[0].puzzle, "brute"))


@pytest.mark.parametrize("known", [0, 1])
def test_a_limit_proves_nothing(known: int) -> None:
    """A search that a limit stops after no or one solution is unknown, never unique."""
    engine = Bounded([[*both()[:known], Reason.TIME]])
    found = judge(loads(TWO)[0].puzzle, engine)
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason is Reason.TIME
    assert len(found.solutions) == known


def test_an_engine_that_contradicts_itself_is_caught() -> None:
    """Two solutions first, then a proof that there is only one: no verdict, an error."""
    engine = Bounded([both(), both()[:1]])
    with pytest.raises(WrongAnswer, match="more are known"):
        judge(loads(TWO)[0].puzzle, engine)


def test_engines_that_cannot_be_interrupted_do_not_explain() -> None:
    """Their explanation is propagation's, and said to be."""

    class Stubborn(Bounded):
        capabilities = Capabilities(
            frozenset({"forbidden"}), frozenset({"none", "used"}), interrupt=False
        )

    engine = Stubborn([both()])
    found = judge(loads(TWO)[0].puzzle, engine)
    assert engine.runs == 1
    assert found.forced == (4,)
    assert found.stats["explained_by"] == "propagation"


def test_forced_among_more_solutions_than_are_listed() -> None:
    """Seven free choices and one vertex without any: only that one is forced."""
    free = [(2, Table(2, (1, 2)))] * 14
    edges = [(2 * i, port, 2 * i + 1, port) for i in range(7) for port in range(2)]
    bound = [(1, Table(1, (0, 1))), (1, Table(1, (1,)))]
    puzzle = Puzzle.build([*free, *bound], [*edges, (14, 0, 15, 0)])
    known = all_masks(puzzle)
    assert len(known) == 128 > unique.MAX_LISTED
    found = judge(puzzle, "brute", explain=60)
    is_right(puzzle, found, known)
    assert found.forced == (14, 15)
    assert not found.exact
