"""Turning pieces: which way each may turn, and in how few turns it lies as wanted.

A turn is a quarter on a square cell and a sixth on a hexagonal one. A piece that looks the same
after fewer turns than a full circle is never turned further than it must be: a straight lies
either way after at most one turn.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from .errors import InvalidPuzzle
from .model import BoolArray, Costs, IntArray
from .topology import TOPOLOGIES, orientations, rotate
from .values import frozen, integers

LOCKED, CLOCKWISE, ANTICLOCKWISE, BOTH = range(4)
"""Permissions: a bit for each way that a piece may turn."""

PERMISSIONS = {"none": LOCKED, "clockwise": CLOCKWISE, "anticlockwise": ANTICLOCKWISE, "both": BOTH}
NAMES = tuple(PERMISSIONS)
"""Their names in files and options, by name and by number."""

_CLOCKWISE_STEP = {kind.directions: kind.clockwise for kind in TOPOLOGIES.values()}


def permissions(turns: object, cells: int) -> IntArray:
    """Permissions as an array (cells,), clockwise everywhere if none are given.

    Raises InvalidPuzzle for another shape or a value that is no permission.
    """
    found = integers(turns, "turns")
    if not found.size:
        return frozen(np.full(cells, CLOCKWISE, dtype=np.int64))
    if found.shape != (cells,):
        raise InvalidPuzzle(f"turns: found shape {found.shape}, expected ({cells},)")
    if not 0 <= found.min() <= found.max() <= BOTH:
        raise InvalidPuzzle("turns: expected 0 none, 1 clockwise, 2 anticlockwise or 3 both")
    return found


def shared_permission(turns: IntArray, locked: BoolArray) -> int | None:
    """The permission of all cells that are not locked (clockwise if all are), None if they
    differ; both arguments have shape (cells,).
    """
    found = np.unique(turns[~locked]).tolist()
    return (found or [CLOCKWISE])[0] if len(found) < 2 else None


@cache
def fewest_turns(given: int, wanted: int, permission: int, directions: int) -> int | None:
    """The least number of permitted turns that bring mask ``given`` to ``wanted``, None if
    none do. ``directions`` is that of a topology: 4 or 6.
    """
    step = _CLOCKWISE_STEP[directions]
    for turns in range(directions):
        if permission & CLOCKWISE and rotate(given, step * turns, directions) == wanted:
            return turns
        if permission & ANTICLOCKWISE and rotate(given, -step * turns, directions) == wanted:
            return turns
    return 0 if given == wanted else None


def turns_taken(given: int, wanted: int, permission: int, directions: int) -> int:
    """The fewest turns with their way: above 0 clockwise, below 0 anticlockwise; clockwise where
    both ways are equally long. Raises InvalidPuzzle if there is no way.
    """
    number = fewest_turns(given, wanted, permission, directions)
    if number is None:
        raise InvalidPuzzle(f"mask {given} is not turned to {wanted} by {NAMES[permission]} turns")
    clockwise = fewest_turns(given, wanted, permission & CLOCKWISE, directions)
    return number if clockwise == number else -number


@cache
def _row(given: int, permission: int, directions: int) -> tuple[tuple[int, int], ...]:
    """(mask, turns) for every mask that takes at least one turn, increasing."""
    turns = [
        (mask, fewest_turns(given, mask, permission, directions))
        for mask in orientations(given, directions)
    ]
    return tuple((mask, number) for mask, number in turns if number)


def turn_costs(
    pieces: IntArray,
    permission: IntArray,
    directions: int,
    edges: int,
    *,
    maximise: bool = False,
) -> Costs:
    """What turning costs on a board whose vertices are its cells, in turns.

    - ``pieces`` (cells,): the masks as given;
    - ``permission`` (cells,): how each may turn; a piece that may not has one mask, for 0;
    - ``edges``: their number; joining costs nothing.

    The result's ``row_of`` is (cells,); cells with the same piece and permission share a row.
    """
    keys, row_of = np.unique(pieces * (BOTH + 1) + permission, return_inverse=True)
    rows = tuple(_row(*divmod(key, BOTH + 1), directions) for key in keys.tolist())
    return Costs(rows, row_of, np.zeros(edges, dtype=np.int64), maximise)
