"""Boards that are hard for one kind of solver and easy for another."""

from __future__ import annotations

import numpy as np

from ..errors import UsageError
from ..model import IntArray
from .planted import SIX_PIECES, Grid, Planted, unplanted
from .stream import Stream

ELBOW, TEE, CROSS = (SIX_PIECES[letter] for letter in "LTX")


def plant_mut(width: int, height: int, seed: int = 0, *, wrap: bool = False) -> Planted:
    """``mut(k)``: two mutilated chessboards side by side, (2k + 3) wide and k + 2 high, k even.

    All tees, but elbows at the corners; crosses at column k + 1, rows 1 to k, and at (1, 1),
    (k, k), (1, k + 2), (k, 2k + 1) (row, column from 0). The rim can only turn inward, so each
    k x k half is entered from all sides; its tees lack one opening each and must pair off along
    those, but its two crosses stood on one colour. Hence unsatisfiable by counting colours,
    while search and clause learning take exponential time. The seed changes nothing.

    Raises UsageError for any other size, an odd k, or a wrap.
    """
    k = height - 2
    if k < 2 or k % 2 or width != 2 * k + 3:
        raise UsageError(
            f"mut {width}x{height}: expected (2k + 3)x(k + 2) with even k: 7x4, 11x6, 15x8, ..."
        )
    if wrap:
        raise UsageError("mut: expected no wrap")
    pieces = np.full((height, width), TEE)
    pieces[[0, 0, -1, -1], [0, -1, 0, -1]] = ELBOW
    pieces[1:-1, k + 1] = CROSS
    pieces[[1, k, 1, k], [1, k, k + 2, 2 * k + 1]] = CROSS
    return unplanted(Grid(width, height, False), pieces.ravel(), name=f"mut-{k}")


def mut(k: int) -> Planted:
    """``mut(k)`` by its number; raises UsageError unless k is even and at least 2."""
    return plant_mut(2 * k + 3, k + 2)


def plant_ec(width: int, height: int, seed: int, *, wrap: bool = True, c: int = 1) -> Planted:
    """``ec(n, c)``: an n x n torus of elbows; ``c`` times two rows and two columns at odd
    distances, so far untouched, get crosses where they meet. Connectivity decides.

    Always a torus. Raises UsageError unless width = height = n is even and n >= 2c.
    """
    _elbow_size("ec", width, height)
    if isinstance(c, bool) or not isinstance(c, int) or not 0 <= c <= width // 2:
        raise UsageError(f"c {c!r}: expected 0 to {width // 2} on a {width}x{height} torus")
    stream = Stream(seed)
    pieces = np.full((height, width), ELBOW)
    rows, columns = _odd_pairs(height, c, stream), _odd_pairs(width, c, stream)
    for two_rows, two_columns in zip(rows, columns, strict=True):
        pieces[np.ix_(two_rows, two_columns)] = CROSS
    return unplanted(
        Grid(width, height, True), pieces.ravel(), name=f"ec-{width}x{height}w-{c}-{seed}"
    )


def _odd_pairs(length: int, count: int, stream: Stream) -> IntArray:
    """Disjoint pairs of lines at odd distance: an even and an odd one each; shape (count, 2)."""
    half = length // 2
    even, odd = 2 * stream.order(half)[:count], 2 * stream.order(half)[:count] + 1
    return np.stack([even, odd], axis=1)


def plant_elbow_torus(width: int, height: int, seed: int = 0, *, wrap: bool = True) -> Planted:
    """A torus of elbows only. Matching is trivial; that all hang together is the puzzle.

    Always a torus. The seed changes nothing. Raises UsageError unless both sides are even
    (with an odd side nothing matches: the openings along a line pair off).
    """
    if width < 2 or height < 2 or width % 2 or height % 2:
        raise UsageError(f"elbow-torus {width}x{height}: expected even sides from 2")
    grid = Grid(width, height, True)
    return unplanted(grid, np.full(grid.cells, ELBOW), name=f"elbow-torus-{width}x{height}w")


def _elbow_size(name: str, width: int, height: int) -> None:
    if width != height or width < 2 or width % 2:
        raise UsageError(f"{name} {width}x{height}: expected a square with an even side from 2")
