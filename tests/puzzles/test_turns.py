"""Turns: how few of them, in which direction, and what a board's turning costs."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from plumbench.puzzles.errors import InvalidPuzzle
from plumbench.puzzles.model import IntArray
from plumbench.puzzles.topology import TOPOLOGIES, orientations
from plumbench.puzzles.turns import (
    ANTICLOCKWISE,
    BOTH,
    CLOCKWISE,
    LOCKED,
    fewest_turns,
    permissions,
    turn_costs,
)

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
    for given in range(1 << directions):
        ways = _distances(given, permission, directions)
        for wanted in range(1 << directions):
            assert fewest_turns(given, wanted, permission, directions) == ways.get(wanted)


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
