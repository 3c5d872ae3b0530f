"""Tracks on a square grid: pieces with two openings, of which those in use form one line.

What plumber maps (a line from an inlet to an outlet) and pipe mazes (a ring through a start)
share: the orientations of article 004, the puzzle of a grid whose pieces may be left unused,
and the walk along what a solution uses.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from .errors import InputError
from .instance import Instance, Objective
from .model import Puzzle, Rules, Solution, Table, masks_of, ports_from_masks
from .topology import DOWN, LEFT, RIGHT, UP, Square

ORIENTATION_OF: dict[int, int] = {3: 1, 6: 2, 12: 3, 9: 4, 10: 5, 5: 6}
"""Mask to the article's orientation: elbows 1 up-right, 2 right-down, 3 down-left, 4 left-up,
straights 5 horizontal, 6 vertical.
"""
MASK_OF: dict[int, int] = {code: mask for mask, code in ORIENTATION_OF.items()}
ELBOW = (0, 3, 6, 9, 12)
STRAIGHT = (0, 5, 10)
WILD = (0, 3, 5, 6, 9, 10, 12)
"""The masks of a piece that may be left unused; a wild one is a straight or an elbow."""
SIDES = ("up", "right", "down", "left")


class Track(Instance):
    """An instance whose first vertices are the cells of a grid, row by row, port d facing
    direction d; a cell in use has two openings.
    """

    rules_offered: ClassVar[tuple[str, ...]]
    objectives: ClassVar[tuple[str, ...]] = ("length",)

    @property
    @abstractmethod
    def width(self) -> int:
        """Columns."""

    @property
    @abstractmethod
    def height(self) -> int:
        """Rows."""

    @property
    def columns(self) -> int:
        """Cells in a row."""
        return self.width

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.width * self.height

    @property
    def sides(self) -> tuple[str, ...]:
        """The directions, in the order of a cell's ports."""
        return SIDES

    @abstractmethod
    def begin(self) -> tuple[int, int]:
        """The cell where the walk begins, and the side it comes in by (-1 for none)."""

    def line(self, solution: Solution) -> list[tuple[int, int]]:
        """The cells in use with their masks, in the order of the walk; any that it does not
        meet (a wrong solution has such) behind, row by row.
        """
        masks = masks_of(self.puzzle, solution)[: self.cells]
        cell, side = self.begin()
        walked = walk(masks, self.width, cell, side)
        met = set(walked)
        rest = [c for c, mask in enumerate(masks) if mask and c not in met]
        return [(c, masks[c]) for c in (*walked, *rest)]

    def decode(self, solution: Solution) -> list[list[int]]:
        """The cells in use along the walk: [row, column, orientation], counted from 0."""
        return [
            [*divmod(cell, self.width), ORIENTATION_OF.get(mask, 0)]
            for cell, mask in self.line(solution)
        ]

    def encode(self, answer: Any) -> Solution:
        """From such a list, in any order; raises InputError."""
        masks = [0] * self.cells
        if not isinstance(answer, list):
            raise InputError(type(answer).__name__, "a list of [row, column, orientation]")
        for item in answer:
            if not isinstance(item, list | tuple) or len(item) != 3:
                raise InputError(repr(item), "[row, column, orientation]")
            if not all(type(number) is int for number in item):
                raise InputError(repr(item), "three whole numbers")
            row, column, code = item
            if not (0 <= row < self.height and 0 <= column < self.width):
                raise InputError(
                    f"cell [{row}, {column}]",
                    f"a row below {self.height} and a column below {self.width}",
                )
            if code not in MASK_OF:
                raise InputError(f"orientation {code}", "1 to 4 (elbow), 5 or 6 (straight)")
            if masks[row * self.width + column]:
                raise InputError(f"cell [{row}, {column}] twice", "each cell once")
            masks[row * self.width + column] = MASK_OF[code]
        more = [1] * (self.puzzle.vertices - self.cells)
        return ports_from_masks(self.puzzle, [*masks, *more])


def walk(masks: Sequence[int], width: int, cell: int, side: int) -> list[int]:
    """The cells met from ``cell`` on, which is entered by ``side`` (-1: left by its first
    opening); ends at the rim, at a piece that does not open towards the walk, or where it began.
    """
    step = {UP: -width, RIGHT: 1, DOWN: width, LEFT: -1}
    height = len(masks) // width
    met: list[int] = []
    seen: set[int] = set()
    here = cell
    while here not in seen and masks[here] and (side < 0 or masks[here] >> side & 1):
        met.append(here)
        seen.add(here)
        way = next((d for d in range(4) if masks[here] >> d & 1 and d != side), -1)
        row, column = divmod(here, width)
        beyond = {UP: row == 0, RIGHT: column == width - 1, DOWN: row == height - 1}
        if way < 0 or beyond.get(way, column == 0):
            break
        here, side = here + step[way], (way + 2) % 4
    return met


def grid_puzzle(
    grid: Square,
    tables: Sequence[tuple[int, ...]],
    rules: Rules,
    *,
    ends: Iterable[tuple[int, int]] = (),
    objective: Objective | None = None,
) -> Puzzle:
    """The cells' masks in ``tables``, and behind the cells a vertex for each of ``ends``: always
    open, joined to (cell, side) of the rim. An objective counts the cells in use.
    """
    cells = grid.width * grid.height
    there = grid.neighbours()
    edges = []
    for way in (RIGHT, DOWN):
        for cell in (there[:, way] >= 0).nonzero()[0].tolist():
            edges.append((cell, way, int(there[cell, way]), (way + 2) % 4))
    vertices: list[tuple[int, Table]] = [(4, Table(4, masks)) for masks in tables]
    for number, (cell, side) in enumerate(ends):
        vertices.append((1, Table(1, (1,))))
        edges.append((cell, side, cells + number, 0))
    priced = None
    if objective is not None:
        one = [(mask, 1) for mask in WILD if mask]
        priced = [one if vertex < cells else [] for vertex in range(len(vertices))]
    return Puzzle.build(
        vertices,
        edges,
        rules=rules,
        mask_costs=priced,
        maximise=objective is not None and objective.maximise,
    )
