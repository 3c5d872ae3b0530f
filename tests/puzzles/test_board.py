"""Boards: from pieces, walls and locks to the model, and solutions back to rows."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from plumbench.puzzles.board import BOARD_RULES, Board
from plumbench.puzzles.errors import InputError, InvalidPuzzle, UsageError
from plumbench.puzzles.model import Rules, Table, masks_of, ports_from_masks
from plumbench.puzzles.topology import Hexagonal, Square
from plumbench.solvers.run import count, solutions
from strategies import boards, letters, net


def board(**change: Any) -> Board:
    """A 2x2 board of elbows with some argument changed."""
    given = {"topology": Square(2, 2), "pieces": np.array([3, 3, 3, 3]), **change}
    return Board(**given)


def test_a_board_becomes_a_puzzle() -> None:
    """A vertex per cell, a port per side, an edge per border, closed stubs at the rim."""
    puzzle = letters("L.", "IE").puzzle
    assert (puzzle.vertices, puzzle.ports, puzzle.edges) == (4, 16, 4)
    assert puzzle.domain(0) == Table(4, (3, 6, 9, 12))
    assert puzzle.domain(1) == Table(4, (0,))
    assert puzzle.domain(2) == Table(4, (5, 10))
    assert puzzle.domain(3) == Table(4, (1, 2, 4, 8))
    assert puzzle.blank.tolist() == [False, True, False, False]
    borders = {tuple(sorted(pair)) for pair in puzzle.edge_ports.tolist()}
    assert borders == {(1, 7), (2, 8), (6, 12), (9, 15)}
    assert not puzzle.free.any()


def test_narrow_tori_have_loops_and_parallel_edges() -> None:
    """A cell of a 1-wide torus meets itself, two of a 2-wide torus meet twice."""
    one = letters("I", "I", "I", wrap=True).puzzle
    assert one.edges == 6
    assert sum(u == v for u, v in one.edge_vertices.tolist()) == 3
    two = letters("LL", wrap=True).puzzle
    between = [tuple(sorted(pair)) for pair in two.edge_vertices.tolist()]
    assert between.count((0, 1)) == 2
    assert between.count((0, 0)) == between.count((1, 1)) == 1


def test_walls_remove_the_border_from_both_sides() -> None:
    """A wall given on one side stands on both, also across the seam of a torus."""
    walls = np.zeros((4, 4), dtype=bool)
    walls[0, 1] = True
    walled = board(walls=walls)
    assert walled.walls[1, 3]
    assert walled.puzzle.edges == 3
    seam = board(topology=Square(2, 2, True), walls=walls)
    assert seam.walls.sum() == 2
    assert seam.puzzle.edges == 7


def test_a_wall_at_the_rim_changes_nothing() -> None:
    """There is no border to remove."""
    walls = np.zeros((4, 4), dtype=bool)
    walls[0, 0] = True
    assert board(walls=walls).puzzle.fingerprint == board().puzzle.fingerprint


def test_locked_cells_have_one_mask() -> None:
    """Locking fixes the piece as it lies and leaves other cells of the same kind free."""
    assert board(locked=np.array([True, False, False, False])).puzzle.domain(0) == Table(4, (3,))
    fixed = board().with_locked(0, 6)
    assert fixed.puzzle.domain(0) == Table(4, (6,))
    assert fixed.puzzle.domain(1) == Table(4, (3, 6, 9, 12))
    assert not board().locked.any()
    assert count(fixed.puzzle, "brute").value == 1
    assert count(board().with_locked(0, 3).puzzle, "brute").value == 0


def test_rules_become_the_models_rules() -> None:
    """Match, connected and tree; another name is a usage error."""
    assert board().rules == "connected"
    assert board().puzzle.rules == Rules(connect="used")
    assert board().with_rules("match").puzzle.rules == Rules()
    assert board(rules="tree").puzzle.rules == Rules(connect="used", acyclic=True)
    for wrong in ("strict", "Tree", ""):
        with pytest.raises(UsageError, match="match, connected, tree"):
            board().with_rules(wrong)
        with pytest.raises(UsageError):
            board(rules=wrong)


@pytest.mark.parametrize(
    "change",
    [
        {"pieces": np.array([3, 3, 3])},
        {"pieces": np.array([[3, 3], [3, 3]])},
        {"pieces": np.array([3, 3, 3, 16])},
        {"pieces": np.array([3, 3, 3, -1])},
        {"locked": np.array([True])},
        {"walls": np.zeros((4, 6), dtype=bool)},
        {"topology": Hexagonal(2, 2), "pieces": np.array([3, 3, 3, 64])},
    ],
)
def test_parts_of_the_wrong_shape_are_refused(change: dict[str, Any]) -> None:
    """Pieces, locks and walls must fit the grid and its directions."""
    with pytest.raises(InvalidPuzzle):
        board(**change)


def test_a_board_keeps_its_own_copy() -> None:
    """Changing the array given later does not change the board."""
    pieces = np.array([3, 3, 3, 3])
    kept = board(pieces=pieces)
    pieces[0] = 15
    assert kept.pieces[0] == 3
    with pytest.raises(ValueError, match="read-only"):
        kept.pieces[0] = 15


def test_rows_of_masks_there_and_back() -> None:
    """A solution decodes to rows of masks, and those encode to the same solution."""
    ring = board()
    rows = [[6, 12], [3, 9]]
    solution = ring.encode(rows)
    assert masks_of(ring.puzzle, solution) == [6, 12, 3, 9]
    assert ring.decode(solution) == rows


@settings(max_examples=60)
@given(boards())
def test_solutions_there_and_back(random_board: Board) -> None:
    """Any solution survives decoding and encoding, and is drawn on as many lines as rows."""
    for solution in solutions(random_board.puzzle, "brute", limit=3):
        rows = random_board.decode(solution)
        assert [len(row) for row in rows] == [random_board.width] * random_board.height
        assert np.array_equal(random_board.encode(rows), solution)


@pytest.mark.parametrize(
    "answer",
    [None, 3, "6,12", [6, 12, 3, 9], [[6, 12]], [[6, 12], [3]], [[6, 12], [3, 16]],
     [[6, 12], [3, -1]], [[6, 12], [3, True]], [[6, 12], [3, 9.0]], [[6, 12], [3, "9"]]],
)  # fmt: skip
def test_answers_that_are_none_are_refused(answer: Any) -> None:
    """Anything but the right number of rows of masks is an input error."""
    with pytest.raises(InputError):
        board().encode(answer)


def test_hexagonal_boards_have_six_ports() -> None:
    """Six directions, masks to 63, three borders per cell on a torus."""
    puzzle = Board(Hexagonal(3, 3, True), np.full(9, 63)).puzzle
    assert (puzzle.ports, puzzle.edges) == (54, 27)
    assert count(puzzle, "brute").value == 1


@settings(max_examples=60)
@given(boards(rules="match"))
def test_rules_only_ever_take_solutions_away(random_board: Board) -> None:
    """Tree solutions are connected ones, connected ones are match ones."""
    found = {
        rules: {s.tobytes() for s in solutions(random_board.with_rules(rules).puzzle, "brute")}
        for rules in BOARD_RULES
    }
    assert found["tree"] <= found["connected"] <= found["match"]


def test_net_digits_are_read_with_their_own_bits() -> None:
    """Net's right, up, left, down are the model's 2, 1, 8, 4."""
    assert net("4x1:1248").pieces.tolist() == [2, 1, 8, 4]
    ring = net("2x2:93c6", "match")
    assert count(ring.puzzle, "brute").value == 1
    assert ports_from_masks(ring.puzzle, ring.pieces.tolist()).sum() == 8


@pytest.mark.parametrize(
    "change",
    [
        {"pieces": ["a"] * 4},
        {"pieces": [3, 3, 3, 3.5]},
        {"pieces": None},
        {"locked": ["x"] * 4},
        {"walls": [[2] * 4] * 4},
        {"topology": (2, 2)},
    ],
)
def test_values_that_make_no_board_are_refused(change: dict[str, Any]) -> None:
    """Texts, fractions and other wrong kinds of values raise InvalidPuzzle."""
    given: dict[str, Any] = {"topology": Square(2, 2), "pieces": [3] * 4}
    assert Board(**given).cells == 4
    with pytest.raises(InvalidPuzzle):
        Board(**given | change)
    with pytest.raises(InvalidPuzzle):
        Square(2.5, 2)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("again", [lambda b: pickle.loads(pickle.dumps(b)), copy.deepcopy])
def test_copies_of_boards_are_read_only_too(again: Callable[[Board], Board]) -> None:
    """A board that went through pickle or deepcopy is the same and as immutable."""
    one = board()
    assert one.puzzle.edges
    other = again(one)
    assert other.puzzle.fingerprint == one.puzzle.fingerprint
    found = [a for a in vars(other).values() if isinstance(a, np.ndarray)]
    assert len(found) >= 3
    assert not any(a.flags.writeable for a in [*found, other.puzzle.twin])
