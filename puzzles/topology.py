"""The grids that boards lie on: which cells are neighbours, in which direction.

A topology knows nothing of pieces. Cells are numbered row by row, ``row * width + column``;
directions are the bits of a piece's mask.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .errors import InvalidPuzzle
from .model import IntArray
from .values import whole

UP, RIGHT, DOWN, LEFT = range(4)


@dataclass(frozen=True, slots=True)
class Topology(ABC):
    """What a board needs of its grid; raises InvalidPuzzle for a size below 1x1."""

    width: int
    height: int
    wrap: bool = False
    kind: ClassVar[str]
    directions: ClassVar[int]
    sides: ClassVar[tuple[str, ...]]
    """The names of the directions."""
    clockwise: ClassVar[int]
    """How many directions a clockwise turn leads on: 1, or -1 where they go anticlockwise."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", whole(self.width, "width"))
        object.__setattr__(self, "height", whole(self.height, "height"))
        if self.width < 1 or self.height < 1:
            raise InvalidPuzzle(f"grid {self.width}x{self.height}: expected at least 1x1")

    @abstractmethod
    def neighbours(self) -> IntArray:
        """The cell in each direction, -1 beyond the rim; shape (cells, directions).

        An involution: one step in direction d and one in ``opposite(d)`` lead back.
        """

    def _cells(self) -> tuple[IntArray, IntArray]:
        rows, columns = np.divmod(np.arange(self.width * self.height), self.width)
        return rows, columns

    def _index(self, rows: IntArray, columns: IntArray) -> IntArray:
        if self.wrap:
            return rows % self.height * self.width + columns % self.width
        inside = (rows >= 0) & (rows < self.height) & (columns >= 0) & (columns < self.width)
        return np.where(inside, rows * self.width + columns, -1)


def opposite(topology: Topology, direction: int) -> int:
    """The direction that leads back."""
    half = topology.directions // 2
    return direction + half if direction < half else direction - half


def rotate(mask: int, turns: int, directions: int) -> int:
    """The mask turned by so many steps in the order of its bits (clockwise on a square)."""
    turns %= directions
    full = (1 << directions) - 1
    return (mask << turns | mask >> (directions - turns)) & full


def orientations(mask: int, directions: int) -> tuple[int, ...]:
    """All distinct masks that turning gives, increasing."""
    return tuple(sorted({rotate(mask, k, directions) for k in range(directions)}))


@dataclass(frozen=True, slots=True)
class Square(Topology):
    """Four directions: up, right, down, left; with ``wrap`` a torus."""

    kind: ClassVar[str] = "square"
    directions: ClassVar[int] = 4
    sides: ClassVar[tuple[str, ...]] = ("up", "right", "down", "left")
    clockwise: ClassVar[int] = 1

    def neighbours(self) -> IntArray:
        """Shape (cells, 4)."""
        rows, columns = self._cells()
        steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
        return np.stack([self._index(rows + dr, columns + dc) for dr, dc in steps], axis=1)


@dataclass(frozen=True, slots=True)
class Hexagonal(Topology):
    """Six directions: E, NE, NW, W, SW, SE; odd rows are shifted right by half a cell.

    With ``wrap`` the torus is skewed: leaving the top adds 1 to the column, leaving the bottom
    subtracts 1 if the height is even (the rows' shift does the rest). An odd height needs no
    correction at the bottom, but then the top and bottom differ by construction.
    """

    kind: ClassVar[str] = "hexagonal"
    directions: ClassVar[int] = 6
    sides: ClassVar[tuple[str, ...]] = ("E", "NE", "NW", "W", "SW", "SE")
    clockwise: ClassVar[int] = -1

    def neighbours(self) -> IntArray:
        """Shape (cells, 6)."""
        rows, columns = self._cells()
        odd = rows % 2
        steps = (
            (0, columns + 1),
            (-1, columns + odd),
            (-1, columns - 1 + odd),
            (0, columns - 1),
            (1, columns - 1 + odd),
            (1, columns + odd),
        )
        found = []
        for dr, there in steps:
            target = rows + dr
            if self.wrap:
                there = there + (target < 0)
                if self.height % 2 == 0:
                    there = there - (target >= self.height)
            found.append(self._index(target, there))
        return np.stack(found, axis=1)


TOPOLOGIES: dict[str, type[Topology]] = {"square": Square, "hexagonal": Hexagonal}
