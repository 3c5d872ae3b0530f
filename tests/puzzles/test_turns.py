"""Turns: how few of them, in which direction, and what a board's turning costs."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.board import Board
from plumbench.puzzles.check import cost
from plumbench.puzzles.errors import InputError, InvalidPuzzle, UsageError
from plumbench.puzzles.formats import dumps, loads
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.model import IntArray, Table, ports_from_masks
from plumbench.puzzles.raw import RawPuzzle
from plumbench.puzzles.topology import TOPOLOGIES, orientations
from plumbench.puzzles.turns import (
    ANTICLOCKWISE,
    BOTH,
    CLOCKWISE,
    LOCKED,
    fewest_turns,
    permissions,
    shared_permission,
    turn_costs,
    turns_taken,
)
from strategies import boards, letters, net, small_multigraph, turning

LEAST = Objective("rotations")
turning_boards = turning(st.one_of(boards(), boards(hexagonal=True)))

CLOCKWISE_NEXT = {
    4: {"up": "right", "right": "down", "down": "left", "left": "up"},
    6: {"E": "SE", "SE": "SW", "SW": "W", "W": "NW", "NW": "NE", "NE": "E"},
}
"""The clock, side by side."""

SIDES = {kind.directions: kind.sides for kind in TOPOLOGIES.values()}


def _turned(mask: int, way: int, directions: int) -> int:
    """The mask one turn on, by the names of its sides."""
    sides, onward = SIDES[directions], CLOCKWISE_NEXT[directions]
    back = {after: before for before, after in onward.items()}
    names = [side for i, side in enumerate(sides) if mask >> i & 1]
    there = [(onward if way == CLOCKWISE else back)[name] for name in names]
    return sum(1 << sides.index(name) for name in there)


def _distances(given: int, permission: int, directions: int) -> dict[int, int]:
    """Turns to every mask that can be reached, breadth first."""
    found, waiting = {given: 0}, deque([given])
    while waiting:
        mask = waiting.popleft()
        for way in (CLOCKWISE, ANTICLOCKWISE):
            there = _turned(mask, way, directions)
            if permission & way and there not in found:
                found[there] = found[mask] + 1
                waiting.append(there)
    return found


@pytest.mark.parametrize("directions", [4, 6])
@pytest.mark.parametrize("permission", [LOCKED, CLOCKWISE, ANTICLOCKWISE, BOTH])
def test_fewest_turns_is_the_shortest_way(directions: int, permission: int) -> None:
    """For every two masks the number is the length of the shortest way of single turns by the
    names of the sides, and None where no way leads.
    """
    for before in range(1 << directions):
        ways = _distances(before, permission, directions)
        for wanted in range(1 << directions):
            assert fewest_turns(before, wanted, permission, directions) == ways.get(wanted)


def test_known_turns() -> None:
    """An end from up to left: three clockwise, one anticlockwise; a straight at most one."""
    assert fewest_turns(1, 8, CLOCKWISE, 4) == 3
    assert fewest_turns(1, 8, ANTICLOCKWISE, 4) == fewest_turns(1, 8, BOTH, 4) == 1
    assert fewest_turns(5, 10, CLOCKWISE, 4) == 1
    assert fewest_turns(1, 2, CLOCKWISE, 6) == 5, "from E to NE is anticlockwise"
    assert fewest_turns(15, 15, CLOCKWISE, 4) == 0
    assert fewest_turns(1, 3, BOTH, 4) is None, "another piece"


@pytest.mark.parametrize("directions", [4, 6])
def test_costs_of_a_board_are_those_of_its_cells(directions: int) -> None:
    """Every cell's row gives the fewest turns of every orientation, and equal cells share it."""
    generator = np.random.default_rng(1)
    pieces = generator.integers(1 << directions, size=500)
    permission = generator.integers(4, size=500)
    costs = turn_costs(pieces, permission, directions, 7, maximise=True)
    assert costs.edge.tolist() == [0] * 7
    assert costs.maximise
    for cell, row in enumerate(costs.row_of.tolist()):
        for mask in orientations(int(pieces[cell]), directions):
            turns = fewest_turns(int(pieces[cell]), mask, int(permission[cell]), directions)
            if turns is not None:
                assert dict(costs.rows[row]).get(mask, 0) == turns
    kinds = {(p, w) for p, w in zip(pieces.tolist(), permission.tolist(), strict=True)}
    assert len(costs.rows) == len(kinds)


def test_permissions_are_clockwise_unless_said_otherwise() -> None:
    """None given means clockwise in every cell; given ones are kept."""
    none: list[int] = []
    assert permissions(none, 3).tolist() == [CLOCKWISE] * 3
    assert permissions([0, 3, 2], 3).tolist() == [0, 3, 2]


@pytest.mark.parametrize("wrong", [[1], [1, 1, 4], [1, -1, 1], [[1, 1, 1]]])
def test_wrong_permissions_are_refused(wrong: object) -> None:
    """Another shape, or a number that is no permission, is an InvalidPuzzle."""
    with pytest.raises(InvalidPuzzle, match="turns"):
        permissions(wrong, 3)


def test_no_cells() -> None:
    """A board of no kind of piece costs nothing."""
    empty: IntArray = np.zeros(0, dtype=np.int64)
    assert turn_costs(empty, empty, 4, 0).row_of.shape == (0,)


# ---- boards ----------------------------------------------------------------------------------


@settings(max_examples=50)
@given(turning_boards, st.data())
def test_a_board_costs_the_turns_of_its_cells(board: Board, data: st.DataObject) -> None:
    """For any choice of masks the cost is the sum of each cell's fewest turns, and ``details``
    lists turns that lead there, so many and in permitted ways.
    """
    domains = [board.puzzle.domain(v) for v in range(board.cells)]
    masks = [data.draw(st.sampled_from(d.masks)) for d in domains if isinstance(d, Table)]
    solution = ports_from_masks(board.puzzle, masks)
    listed = [turns for row in board.details(solution)["turns"] for turns in row]
    assert cost(board.puzzle, solution) == sum(map(abs, listed))
    directions = board.topology.directions
    for cell, turns in enumerate(listed):
        mask, way = int(board.pieces[cell]), CLOCKWISE if turns > 0 else ANTICLOCKWISE
        assert not turns or (board.turns[cell] & way and not board.locked[cell])
        for _ in range(abs(turns)):
            mask = _turned(mask, way, directions)
        assert mask == masks[cell]


def test_equally_long_ways_are_clockwise() -> None:
    """A half turn of an end is clockwise where both ways are free; another piece is refused."""
    assert turns_taken(1, 4, BOTH, 4) == 2
    assert turns_taken(1, 4, ANTICLOCKWISE, 4) == -2
    assert turns_taken(1, 8, BOTH, 4) == -1
    with pytest.raises(InvalidPuzzle, match="clockwise"):
        turns_taken(1, 3, CLOCKWISE, 4)


def test_a_piece_that_may_not_turn_is_locked() -> None:
    """Permission none and a lock are the same; without them all orientations are open."""
    board = replace(net("2x1:12"), turns=np.array([LOCKED, BOTH]))
    assert board.locked.tolist() == [True, False]
    assert board.turns.tolist() == [CLOCKWISE, BOTH]
    assert board.puzzle.fingerprint == net("2x1:12").with_locked(0, 2).puzzle.fingerprint
    assert net("2x1:12").turns.tolist() == [CLOCKWISE] * 2
    assert board.with_turns(ANTICLOCKWISE).locked.tolist() == [True, False]


def test_costs_come_with_the_objective_only() -> None:
    """A board has costs if its rotations are to be optimised; the direction is the objective's."""
    board = net("2x1:12")
    assert board.puzzle.costs is None
    assert board.details(ports_from_masks(board.puzzle, [2, 8])) == {}
    most = board.with_objective(Objective("rotations", maximise=True))
    assert most.puzzle.costs is not None
    assert most.puzzle.costs.maximise
    assert most.with_rules("match").puzzle.costs is not None


def test_what_cannot_be_optimised_is_refused() -> None:
    """Another objective, and a board that does not say how its pieces lie; where every piece
    looks the same in all turns nothing needs to be said.
    """
    with pytest.raises(UsageError, match="offers rotations"):
        net("2x1:12").with_objective(Objective("length"))
    with pytest.raises(UsageError, match="offers rotations"):
        replace(net("2x1:12"), objective=Objective("length"))
    with pytest.raises(UsageError, match="does not say how its pieces lie"):
        letters("EE").with_objective(LEAST)
    with pytest.raises(UsageError, match="no pieces to turn"):
        RawPuzzle(small_multigraph()).with_turns(BOTH)
    crosses = letters("X.", "EE").with_locked(2, 2).with_locked(3, 8).with_objective(LEAST)
    assert crosses.puzzle.costs is not None


# ---- files -----------------------------------------------------------------------------------


@settings(max_examples=50)
@given(turning_boards)
def test_json_keeps_turns(board: Board) -> None:
    """Turns of every cell; a board written without them means clockwise."""
    (found,) = loads(dumps(board, "json"))
    assert isinstance(found, Board)
    assert found.turns.tolist() == board.turns.tolist()
    assert found.locked.tolist() == board.locked.tolist()
    plain = replace(board, turns=np.zeros(0, dtype=np.int64))
    assert "turns" not in dumps(plain, "json")


@settings(max_examples=50)
@given(turning_boards)
def test_text_keeps_turns_or_refuses(board: Board) -> None:
    """Text says the turns of all cells at once; boards whose cells differ are refused."""
    if shared_permission(board.turns, board.locked) is None:
        with pytest.raises(UsageError, match="turns that differ"):
            dumps(board, "text")
        return
    (found,) = loads(dumps(board, "text"))
    assert isinstance(found, Board)
    assert found.turns.tolist() == board.turns.tolist()


def test_turns_as_people_write_them() -> None:
    """A header in text, one word or rows of words in JSON; none is locked; a Net ID has none."""
    (text,) = loads("turns: both\n└ ╶")
    (word,) = loads('{"pieces": [[3, 2]], "turns": "both", "oriented": true}')
    (rows,) = loads('{"pieces": [[3, 2]], "turns": [["anticlockwise", "none"]], "oriented": true}')
    assert isinstance(text, Board)
    assert isinstance(word, Board)
    assert isinstance(rows, Board)
    assert text.turns.tolist() == word.turns.tolist() == [BOTH, BOTH]
    assert (rows.turns[0], rows.locked.tolist()) == (ANTICLOCKWISE, [False, True])
    with pytest.raises(UsageError, match="turns other than clockwise"):
        dumps(word.with_rules("tree"), "net-id")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"pieces": [[1, 1]], "turns": "left"}', "$.turns"),
        ('{"pieces": [[1, 1]], "turns": [["both"]]}', "$.turns[0]"),
        ('{"pieces": [[1, 1]], "turns": []}', "$.turns"),
        ('{"pieces": [[1, 1]], "turns": [["both", 1]]}', "$.turns[0][1]"),
        ("turns: none\n└ ╶", "line 1, column 8"),
    ],
)
def test_bad_turns_are_refused(text: str, where: str) -> None:
    """Unknown words and other shapes are one clear error with its place."""
    with pytest.raises(InputError) as caught:
        loads(text)
    assert where in str(caught.value)
