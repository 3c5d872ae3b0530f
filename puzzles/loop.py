"""Pipe mazes: fixed tiles, a start on a loop, tiles beside the loop that mean nothing.

Advent of Code 2023, day 10. No tile may be turned; the start's own tile is not told. The loop
is found as a solution of the model in which every tile may be left unused.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from .draw_track import draw_track
from .errors import InvalidPuzzle, UsageError
from .instance import Objective, Source
from .model import Puzzle, Rules, Solution
from .topology import UP, Square
from .track import WILD, Track, grid_puzzle
from .values import Frozen

TILES: dict[str, int] = {".": 0, "|": 5, "-": 10, "L": 3, "J": 9, "7": 12, "F": 6}
"""A character of the maze and its mask; ``S`` is the start."""
START = "S"


@dataclass(frozen=True, eq=False)
class PipeLoop(Frozen, Track):
    """A pipe maze; ``tiles`` are its rows, of the characters ``|-LJ7F.`` and one ``S``.

    Raises InvalidPuzzle for other characters, uneven rows, no start or several.
    """

    family: ClassVar[str] = "loop"
    rules_offered: ClassVar[tuple[str, ...]] = ("loop",)

    tiles: tuple[str, ...]
    rules: str = "loop"
    name: str = "loop"
    source: Source = field(default_factory=Source)
    objective: Objective | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", tuple(self.tiles))
        if not self.tiles or not self.tiles[0]:
            raise InvalidPuzzle("tiles: expected at least one row of one tile")
        if any(len(row) != len(self.tiles[0]) for row in self.tiles):
            raise InvalidPuzzle("tiles: expected rows of the same length")
        text = "".join(self.tiles)
        wrong = next((tile for tile in text if tile not in TILES and tile != START), None)
        if wrong is not None:
            raise InvalidPuzzle(f"tile {wrong!r}: expected one of {''.join(TILES)}{START}")
        if text.count(START) != 1:
            raise InvalidPuzzle(f"tiles: found {text.count(START)} starts, expected one S")
        if self.rules != "loop":
            raise UsageError(f"rules {self.rules!r}: a pipe maze knows only 'loop'")

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.tiles[0])

    @property
    def height(self) -> int:
        """Rows."""
        return len(self.tiles)

    @property
    def start(self) -> int:
        """The cell of the start."""
        return "".join(self.tiles).index(START)

    def is_locked(self, vertex: int) -> bool:
        """Every tile but the start lies as it lies."""
        return vertex != self.start

    def begin(self) -> tuple[int, int]:
        """The start, left by its first opening."""
        return self.start, -1

    def build(self) -> Puzzle:
        """Tiles that may rest, and a start that may not: one ring through it."""
        tables: dict[str, tuple[int, ...]] = {
            tile: (0, mask) if mask else (0,) for tile, mask in TILES.items()
        }
        tables[START] = WILD[1:]
        return grid_puzzle(
            Square(self.width, self.height),
            [tables[tile] for row in self.tiles for tile in row],
            Rules(connect="used", needed=(self.start,)),
            objective=self.objective,
        )

    def with_rules(self, name: str) -> Self:
        """Itself; raises UsageError for anything but ``loop``."""
        return replace(self, rules=name)

    def farthest(self, solution: Solution) -> int:
        """Steps along the loop from the start to the tile farthest from it."""
        return len(self.line(solution)) // 2

    def enclosed(self, solution: Solution) -> list[int]:
        """The cells inside the loop, increasing: those with an odd number of strokes that lead
        up on their left (even-odd rule).
        """
        masks = dict(self.line(solution))
        found, inside = [], False
        for cell in range(self.cells):
            inside = inside and cell % self.width != 0
            if cell not in masks:
                found += [cell] if inside else []
            elif masks[cell] >> UP & 1:
                inside = not inside
        return found

    def draw(
        self,
        solution: Solution | None = None,
        *,
        marked: frozenset[int] = frozenset(),
        colour: bool = False,
    ) -> str:
        """The maze as given; solved, the loop in box characters, ``I`` for the cells inside,
        and the puzzle's two answers.
        """
        plain = list("".join(self.tiles))
        if solution is None:
            return draw_track(plain, [0] * self.cells, self.width, (), marked, colour)
        masks, inside = dict(self.line(solution)), self.enclosed(solution)
        plain = ["·"] * self.cells
        for cell in inside:
            plain[cell] = "I"
        lying = [masks.get(cell, 0) for cell in range(self.cells)]
        picture = draw_track(plain, lying, self.width, (), marked, colour)
        return f"{picture}\nfarthest {self.farthest(solution)}, enclosed {len(inside)}"
