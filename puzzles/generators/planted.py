"""What a generator plants: a board, and where there is one the solution it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..board import Board
from ..errors import UsageError
from ..instance import Source
from ..model import BoolArray, IntArray
from ..topology import Square, opposite, rotate
from .stream import Stream

SIX_PIECES = {".": 0, "E": 1, "I": 5, "L": 3, "T": 7, "X": 15}
"""Letters of the pieces and one mask of each (up 1, right 2, down 4, left 8)."""

PIECE_OF = np.array([min(rotate(mask, k, 4) for k in range(4)) for mask in range(16)])
"""The smallest orientation of every mask: equal for two masks of the same piece."""


@dataclass(frozen=True, eq=False)
class Planted:
    """A generated board; ``masks`` (cells,) is a solution of it, None where none is known."""

    board: Board
    masks: IntArray | None = None


class Grid:
    """A square grid as a multigraph: what the generators draw on.

    Edge e leaves ``tail[e]`` in direction ``way[e]`` and ends in ``head[e]``. On a torus one
    cell wide an edge is a loop, on one two cells wide two edges join the same cells.
    Raises UsageError for a size below 1x1.
    """

    def __init__(self, width: int, height: int, wrap: bool) -> None:
        if width < 1 or height < 1:
            raise UsageError(f"size {width}x{height}: expected at least 1x1")
        self.width, self.height, self.wrap = width, height, wrap
        self.topology = Square(width, height, wrap)
        self.cells = width * height
        self.directions = self.topology.directions
        self.neighbours = self.topology.neighbours()
        tails, ways = [], []
        for d in range(self.directions // 2):
            cells = np.flatnonzero(self.neighbours[:, d] >= 0)
            tails.append(cells)
            ways.append(np.full(len(cells), d))
        self.tail, self.way = np.concatenate(tails), np.concatenate(ways)
        self.head = self.neighbours[self.tail, self.way]

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.tail)

    @property
    def size(self) -> str:
        """As in names: ``5x4``, ``5x4w`` for a torus."""
        return f"{self.width}x{self.height}{'w' if self.wrap else ''}"

    @cached_property
    def edge_at(self) -> IntArray:
        """The edge at each port, -1 where there is none; shape (cells, directions)."""
        at = np.full((self.cells, self.directions), -1, dtype=np.int64)
        at[self.tail, self.way] = at[self.head, self.back] = np.arange(self.edges)
        return at

    @cached_property
    def back(self) -> IntArray:
        """The direction that leads back along each edge, shape (edges,)."""
        turned = [opposite(self.topology, d) for d in range(self.directions)]
        return np.array(turned)[self.way]

    def masks(self, on: BoolArray) -> IntArray:
        """The mask of every cell if these edges are joined; ``on`` (edges,), result (cells,)."""
        # Every edge has two ports of its own, so adding bits never carries.
        found = np.zeros(self.cells, dtype=np.int64)
        np.add.at(found, self.tail[on], 1 << self.way[on])
        np.add.at(found, self.head[on], 1 << self.back[on])
        return found


def scramble(masks: IntArray, stream: Stream) -> IntArray:
    """Every square piece turned by 0 to 3 random quarter turns; shape (cells,)."""
    turns = stream.integers(4, len(masks))
    return (masks << turns | masks >> (4 - turns)) & 15


def planted(
    grid: Grid,
    masks: IntArray,
    stream: Stream,
    *,
    family: str,
    seed: int,
    rules: str,
    walls: BoolArray | None = None,
) -> Planted:
    """The board whose solution is ``masks`` (cells,), its pieces turned at random."""
    board = Board(
        grid.topology,
        scramble(masks, stream),
        oriented=True,
        walls=np.zeros(0, dtype=np.bool_) if walls is None else walls,
        rules=rules,
        name=f"{family}-{grid.size}-{seed}",
        source=Source("generator"),
    )
    return Planted(board, masks)


def unplanted(grid: Grid, pieces: IntArray, *, name: str) -> Planted:
    """A board of bare pieces, without orientations and without a known solution."""
    board = Board(
        grid.topology, PIECE_OF[pieces], rules="connected", name=name, source=Source("generator")
    )
    return Planted(board)


def probability(name: str, value: float) -> float:
    """The value itself; raises UsageError if it is not a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UsageError(f"{name} {value!r}: expected a number from 0 to 1")
    return float(value)
