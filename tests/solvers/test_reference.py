"""The reference engine: Java's node counts, and right answers on every puzzle it takes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from plumbench.puzzles.board import Board
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import Unsupported, UsageError
from plumbench.puzzles.model import Counts, Puzzle, Rules, Table, masks_of
from plumbench.puzzles.path import PlumberPath
from plumbench.puzzles.topology import Square
from plumbench.solvers.contract import Limits, Reason
from plumbench.solvers.reference.board import article_order
from plumbench.solvers.registry import get
from plumbench.solvers.run import count
from strategies import (
    any_piece,
    assignments,
    boards,
    golden_puzzles,
    letters,
    small_multigraph,
    tiny_hexagonal,
)

Shared = Callable[..., Path]


def enumerate_all(puzzle: Puzzle) -> list[list[int]]:
    """All solutions as masks, in the order in which the engine finds them."""
    search = get("reference").start(puzzle, Limits(), many=True)
    found = []
    while (solution := search.next()) is not None:
        assert not isinstance(solution, Reason)
        found.append(masks_of(puzzle, solution))
    return found


def first_of(puzzle: Puzzle) -> tuple[list[int] | None, int]:
    """The first solution's masks and the number of calls until then."""
    search = get("reference").start(puzzle, Limits(), many=False)
    solution = search.next()
    assert not isinstance(solution, Reason)
    calls = search.stats["calls"]
    assert isinstance(calls, int)
    return None if solution is None else masks_of(puzzle, solution), calls


def seed_boards(shared: Shared) -> list[dict]:
    """All boards of article 000 for which the Java solver's results are known."""
    boards = json.loads(shared("golden", "000_gen30_5x5.json").read_text())["boards"]
    for group in json.loads(shared("golden", "000_boards.json").read_text()).values():
        boards += group if isinstance(group, list) else []
    return [*boards, json.loads(shared("golden", "000_two_tee.json").read_text())["board"]]


def test_java_results(shared: Shared) -> None:
    """Verdict, first solution and node count equal Java's on all 234 boards, rectangles and
    tees among them.
    """
    boards = seed_boards(shared)
    assert len(boards) == 234
    for facts in boards:
        board = letters(*facts["rows"])
        masks, calls = first_of(board.puzzle)
        if masks is not None:  # Java writes -1 for a blank
            masks = [m if piece else -1 for m, piece in zip(masks, board.pieces, strict=True)]
        assert masks == facts["seed_first_solution"], facts["rows"]
        assert (masks is not None) == facts["seed_solver_solved"]
        assert calls == facts["seed_solver_nodes"], facts["rows"]


def test_counts_of_seed_boards(shared: Shared) -> None:
    """Going on after a solution gives the exact counts, with and without connectivity."""
    for facts in seed_boards(shared):
        board = letters(*facts["rows"])
        assert len(enumerate_all(board.puzzle)) == facts["solutions_connected"]
        leakfree = enumerate_all(board.with_rules("match").puzzle)
        assert len(leakfree) == facts["solutions_leakfree"]


@pytest.mark.parametrize(
    ("rows", "calls", "solved"),
    [
        (["LIL", "TIT", "LIL"], 7, True),
        (["LLLL", "LLLL"], 9, False),
        (["...", "...", "..."], 1, True),
        (["L"], 1, False),
        ([".X.", "...", "..."], 1, False),
    ],
)
def test_article_rules(rows: list[str], calls: int, solved: bool) -> None:
    """Two rings do not connect, all blank is solved at once, a lone piece is unsolvable."""
    masks, counted = first_of(letters(*rows).puzzle)
    assert (counted, masks is not None) == (calls, solved)


def test_golden_puzzles(shared: Shared) -> None:
    """The counts of all model puzzles within its reach are exact, no solution twice."""
    done = 0
    for puzzle, facts in golden_puzzles(shared("golden", "model_puzzles.jsonl")):
        try:
            get("reference").require(puzzle, many=True)
        except Unsupported:
            continue
        found = enumerate_all(puzzle)
        assert len(found) == len({tuple(m) for m in found}) == facts["count"]
        done += 1
    assert done > 500


@settings(max_examples=100)
@given(boards(max_cells=6))
def test_small_boards(board: Board) -> None:
    """On boards with torus, walls and locks it finds what the checker accepts, nothing else."""
    puzzle = board.puzzle
    right = [masks_of(puzzle, s) for s in assignments(puzzle) if check(puzzle, s).ok]
    assert sorted(enumerate_all(puzzle)) == sorted(right)


def test_hexagonal() -> None:
    """Six-port pieces are within reach; the solutions are those that the checker accepts."""
    for rules in ("match", "connected", "tree"):
        puzzle = tiny_hexagonal("two triangles", rules).puzzle
        right = [masks_of(puzzle, s) for s in assignments(puzzle) if check(puzzle, s).ok]
        assert sorted(enumerate_all(puzzle)) == sorted(right)


def test_unsupported() -> None:
    """Counts are refused by name, and so are unknown options and those of another search."""
    engine = get("reference")
    with pytest.raises(Unsupported, match="counts"):
        engine.require(small_multigraph(), many=False)
    with pytest.raises(Unsupported, match="counts"):
        engine.require(Puzzle.build([(1, Counts(frozenset({0})))]), many=False)
    with pytest.raises(UsageError, match="'fast', expected"):
        get("reference:fast")
    with pytest.raises(Unsupported, match="option 'astar' in the search for boards without"):
        get("reference:astar").require(letters("LL", "LL").puzzle, many=False)


def test_article_order() -> None:
    """Pieces turn from their smallest mask on, as in Java; other tables go up."""
    assert article_order(Table(4, (5, 10))) == (5, 10)
    assert article_order(Table(4, (3, 6, 9, 12))) == (3, 6, 12, 9)
    assert article_order(Table(4, (7, 11, 13, 14))) == (7, 14, 13, 11)
    assert article_order(Table(4, (0, 3, 6, 9, 12))) == (0, 3, 6, 9, 12)
    assert article_order(Table(4, (9,))) == (9,)
    assert article_order(Table(0, (0,))) == (0,)


def test_limits() -> None:
    """A node limit stops the search with its reason; called again it goes on to the answer."""
    puzzle = letters("LIL", "TIT", "LIL").puzzle
    search = get("reference").start(puzzle, Limits(nodes=3), many=False)
    assert search.next() is Reason.NODES
    assert search.stats["calls"] == 3
    assert search.next() is Reason.NODES
    assert isinstance(search.next(), np.ndarray)
    assert search.stats["calls"] == 7
    stopped = get("reference").start(puzzle, Limits(seconds=1e-9), many=False)
    assert stopped.next() is Reason.TIME


MANY = {
    "board": any_piece(Square(3, 3), (0, 3, 5, 6, 9, 10, 12), Rules()),
    "flow": any_piece(Square(3, 3), (3, 5, 6), Rules("allowed", "reach", sources=(0,))),
    "path": PlumberPath(np.full((4, 4), 7)).puzzle,
}
"""Puzzles of many solutions, one for each search that lists them."""


@pytest.mark.parametrize("kind", MANY)
def test_a_node_limit_is_for_all_solutions_together(kind: str) -> None:
    """No solution found renews the allowance: a count stops at so many calls."""
    found = count(MANY[kind], "reference", Limits(nodes=100))
    assert (found.exact, found.reason, found.stats["calls"]) == (False, Reason.NODES, 100)
    assert found.value > 0


def test_no_recursion() -> None:
    """A board far larger than Python's recursion limit is no trouble."""
    rows = ["L" + "I" * 1998 + "L"] * 2
    masks, _ = first_of(letters(*rows).puzzle)
    assert masks is not None
    assert masks[0] == 6
