"""Brute force: the oracle of all others is itself held against the checker."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from plumbench.puzzles.board import Board
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import Unsupported, UsageError
from plumbench.puzzles.model import EVEN, Puzzle, Rules, Table
from plumbench.solvers.contract import Limits, Reason
from plumbench.solvers.registry import get
from plumbench.solvers.run import count, solutions, solve
from strategies import assignments, boards, letters, multigraphs

BRUTE = get("brute")


@settings(max_examples=150)
@given(multigraphs(all_rules=True, max_vertices=4, max_edges=5))
def test_finds_exactly_what_the_checker_accepts(puzzle: Puzzle) -> None:
    """On random multigraphs of all rules the sets of solutions are the same."""
    accepted = {s.tobytes() for s in assignments(puzzle) if check(puzzle, s).ok}
    assert {s.tobytes() for s in solutions(puzzle, BRUTE)} == accepted


@settings(max_examples=100)
@given(boards(max_cells=4))
def test_finds_exactly_what_the_checker_accepts_on_boards(board: Board) -> None:
    """The same on small boards."""
    puzzle = board.puzzle
    accepted = {s.tobytes() for s in assignments(puzzle) if check(puzzle, s).ok}
    assert {s.tobytes() for s in solutions(puzzle, BRUTE)} == accepted


def test_goes_on_after_a_limit() -> None:
    """Called again after a reason, the search continues and never claims a proof early."""
    puzzle = letters("TTTT", "TTTT", "TTTT", "TTTT", rules="match", wrap=True).puzzle
    search = BRUTE.start(puzzle, Limits(nodes=5), many=True)
    assert search.next() == Reason.NODES
    assert search.next() == Reason.NODES
    assert search.stats == {"nodes": 5, "leaves": 0}


def test_counts_its_nodes_and_leaves() -> None:
    """Two vertices joined by an edge: each mask tried is a node, each full choice a leaf."""
    any1 = Table(1, (0, 1))
    puzzle = Puzzle.build([(1, any1)] * 2, [(0, 0, 1, 0)])
    answer = count(puzzle, BRUTE)
    assert (answer.value, answer.stats) == (2, {"nodes": 4, "leaves": 2})
    answer = count(puzzle.with_rules(Rules("allowed")), BRUTE)
    assert (answer.value, answer.stats) == (4, {"nodes": 6, "leaves": 4})


def test_a_wide_even_vertex_is_not_listed_in_advance() -> None:
    """60 ports with an EVEN domain, all but two decided by their edges: found at once."""
    ends = 58
    closed = Table(1, (0,))
    puzzle = Puzzle.build(
        [(1, closed)] * ends + [(60, EVEN)],
        [(i, 0, ends, i) for i in range(ends)],
        free=[(ends, 58), (ends, 59)],
    )
    assert count(puzzle, BRUTE).value == 2
    assert isinstance(solve(puzzle, BRUTE).solution, np.ndarray)


def test_refuses_large_puzzles_and_options() -> None:
    """More ports than it says it can do, and any option, are refused."""
    puzzle = letters(*["L" * 6] * 6).puzzle
    with pytest.raises(Unsupported, match="144 ports"):
        solve(puzzle, BRUTE)
    with pytest.raises(UsageError):
        get("brute:fast")
