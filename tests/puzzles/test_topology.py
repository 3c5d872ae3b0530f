"""Grids: which cells are neighbours, and which way leads back."""

from __future__ import annotations

import pytest
from plumbench.puzzles.errors import InvalidPuzzle
from plumbench.puzzles.topology import (
    DOWN,
    LEFT,
    RIGHT,
    TOPOLOGIES,
    UP,
    Hexagonal,
    Square,
    Topology,
    opposite,
    orientations,
    rotate,
)

SIZES = [(w, h) for w in range(1, 7) for h in range(1, 7)]


@pytest.mark.parametrize("kind", TOPOLOGIES)
@pytest.mark.parametrize("wrap", [False, True])
def test_a_step_and_its_opposite_lead_back(kind: str, wrap: bool) -> None:
    """Case N10: on all sizes to 6x6 the neighbour relation is an involution; a torus has no rim."""
    for width, height in SIZES:
        grid = TOPOLOGIES[kind](width, height, wrap)
        there = grid.neighbours()
        assert there.shape == (width * height, grid.directions)
        assert there.max(initial=0) < width * height
        if wrap:
            assert there.min() >= 0
        for cell, row in enumerate(there.tolist()):
            for d, other in enumerate(row):
                if other >= 0:
                    assert there[other, opposite(grid, d)] == cell


def edges(grid: Topology) -> int:
    """The number of borders between two cells (or a cell and itself)."""
    return int((grid.neighbours() >= 0).sum()) // 2


def test_numbers_of_borders() -> None:
    """A grid has the borders of its formula, a torus one for every cell and half direction."""
    for width, height in SIZES:
        assert edges(Square(width, height)) == 2 * width * height - width - height
        assert edges(Square(width, height, True)) == 2 * width * height
        assert edges(Hexagonal(width, height, True)) == 3 * width * height
        slanted = (height - 1) * (2 * width - 1)
        assert edges(Hexagonal(width, height)) == height * (width - 1) + slanted


def test_square_neighbours() -> None:
    """Up, right, down, left of the middle and of a corner of 3x3."""
    there = Square(3, 3).neighbours()
    assert there[4].tolist() == [1, 5, 7, 3]
    assert there[0].tolist() == [-1, 1, 3, -1]
    assert Square(3, 3, True).neighbours()[0].tolist() == [6, 1, 3, 2]


def test_narrow_tori_meet_themselves() -> None:
    """2 wide: the same neighbour on both sides; 1 wide: the cell itself."""
    two = Square(2, 3, True).neighbours()
    assert (two[:, LEFT] == two[:, RIGHT]).all()
    one = Square(1, 3, True).neighbours()
    assert one[:, LEFT].tolist() == one[:, RIGHT].tolist() == [0, 1, 2]
    assert Square(3, 1, True).neighbours()[:, UP].tolist() == [0, 1, 2]
    assert Square(3, 1, True).neighbours()[:, DOWN].tolist() == [0, 1, 2]


def test_hexagonal_neighbours() -> None:
    """E, NE, NW, W, SW, SE of a cell in a shifted and in an unshifted row."""
    there = Hexagonal(3, 4).neighbours()
    assert there[4].tolist() == [5, 2, 1, 3, 7, 8]
    assert there[7].tolist() == [8, 4, 3, 6, 9, 10]


def test_the_hexagonal_torus_is_skewed() -> None:
    """Leaving the top adds a column; leaving the bottom of an even height takes one off."""
    there = Hexagonal(4, 4, True).neighbours()
    assert there[1, 1] == 12 + 2
    assert there[1, 2] == 12 + 1
    assert there[13, 5] == 1
    assert there[13, 4] == 0


def test_sizes_below_one_are_refused() -> None:
    """No width or height of 0."""
    for kind in TOPOLOGIES.values():
        for width, height in ((0, 1), (1, 0), (-1, 3)):
            with pytest.raises(InvalidPuzzle, match="at least 1x1"):
                kind(width, height)


def test_turning_a_mask() -> None:
    """Clockwise on a square: up, right, down, left; a full turn changes nothing."""
    assert [rotate(1, k, 4) for k in range(5)] == [1, 2, 4, 8, 1]
    assert rotate(3, -1, 4) == 9
    assert rotate(0b100001, 1, 6) == 0b000011
    assert opposite(Square(1, 1), UP) == DOWN
    assert opposite(Square(1, 1), LEFT) == RIGHT


def test_distinct_orientations() -> None:
    """Symmetric pieces have fewer; the masks are increasing and closed under turning."""
    assert orientations(0, 4) == (0,)
    assert orientations(5, 4) == (5, 10)
    assert orientations(15, 4) == (15,)
    assert orientations(7, 4) == (7, 11, 13, 14)
    for mask in range(64):
        found = orientations(mask, 6)
        assert list(found) == sorted(set(found))
        assert {rotate(m, 1, 6) for m in found} == set(found)
        assert mask in found
