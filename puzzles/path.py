"""Plumber maps (article 004): turn pieces so that water runs from the inlet to the outlet.

A map has elbows, straights and obstacles. Only the pieces on the water's path matter: the
others may lie as they like, so they count as unused. Each path is one solution.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from .draw_track import Mouth, draw_track
from .errors import InvalidPuzzle, UsageError
from .instance import Objective, Source
from .model import IntArray, Puzzle, Rules, Solution
from .topology import LEFT, RIGHT, Square
from .track import ELBOW, SIDES, STRAIGHT, WILD, Track, grid_puzzle
from .values import Frozen, integers, whole_numbers

OBSTACLE, WILDCARD = 0, 7
MASKS_OF_CODE: tuple[tuple[int, ...], ...] = (
    (0,),
    *[ELBOW] * 4,
    *[STRAIGHT] * 2,
    WILD,
)
"""By code: 0 obstacle, 1 to 4 elbow, 5 and 6 straight, 7 straight or elbow as needed."""

Opening = tuple[int, int]
"""A cell at the rim and the direction in which it opens there."""


@dataclass(frozen=True, eq=False)
class PlumberPath(Frozen, Track):
    """A plumber map.

    - ``codes`` (rows, columns): 0 obstacle, 1 to 4 elbow, 5 and 6 straight, 7 either; which of its
      codes a piece has does not matter;
    - ``inlet`` and ``outlet``: (cell, direction) at the rim; left of the first cell and right
      of the last if not given.

    Raises InvalidPuzzle for wrong shapes or codes, and for openings that are not at the rim or
    are the same.
    """

    family: ClassVar[str] = "path"
    rules_offered: ClassVar[tuple[str, ...]] = ("path",)

    codes: IntArray
    inlet: Opening | None = None
    outlet: Opening | None = None
    rules: str = "path"
    name: str = "path"
    source: Source = field(default_factory=Source)
    objective: Objective | None = None

    def __post_init__(self) -> None:
        codes = integers(self.codes, "codes")
        if codes.ndim != 2 or not codes.size:
            raise InvalidPuzzle(f"codes: found shape {codes.shape}, expected rows and columns")
        if not 0 <= codes.min() <= codes.max() <= WILDCARD:
            raise InvalidPuzzle(f"codes: expected numbers from 0 to {WILDCARD}")
        if self.rules != "path":
            raise UsageError(f"rules {self.rules!r}: a plumber map knows only 'path'")
        object.__setattr__(self, "codes", codes)
        grid = Square(self.width, self.height)
        inlet = (0, LEFT) if self.inlet is None else self._opening(grid, self.inlet, "inlet")
        last = (self.cells - 1, RIGHT)
        outlet = last if self.outlet is None else self._opening(grid, self.outlet, "outlet")
        if inlet == outlet:
            raise InvalidPuzzle("outlet: it is the inlet")
        object.__setattr__(self, "inlet", inlet)
        object.__setattr__(self, "outlet", outlet)

    @property
    def width(self) -> int:
        """Columns."""
        return self.codes.shape[1]

    @property
    def height(self) -> int:
        """Rows."""
        return self.codes.shape[0]

    def _opening(self, grid: Square, given: Opening, what: str) -> Opening:
        numbers = whole_numbers(given, what)
        if len(numbers) != 2:
            raise InvalidPuzzle(f"{what}: {given!r}, expected a cell and a direction")
        cell, side = numbers
        if not 0 <= cell < self.cells or not 0 <= side < 4:
            raise InvalidPuzzle(f"{what}: {given!r}, expected a cell and a direction")
        if grid.neighbours()[cell, side] >= 0:
            row, column = divmod(cell, self.width)
            raise InvalidPuzzle(
                f"{what}: {SIDES[side]} of row {row + 1}, column {column + 1} is no border"
            )
        return cell, side

    @property
    def openings(self) -> tuple[Opening, Opening]:
        """Inlet and outlet."""
        assert self.inlet is not None
        assert self.outlet is not None
        return self.inlet, self.outlet

    @property
    def has_default_openings(self) -> bool:
        """Whether water comes in and goes out as in the article."""
        return self.openings == ((0, LEFT), (self.cells - 1, RIGHT))

    @property
    def extra(self) -> tuple[str, ...]:
        """The vertices behind the cells."""
        return ("the inlet", "the outlet")

    def begin(self) -> Opening:
        """The inlet."""
        return self.openings[0]

    def build(self) -> Puzzle:
        """Cells that may rest, joined to an inlet and an outlet vertex which must be reached."""
        return grid_puzzle(
            Square(self.width, self.height),
            [MASKS_OF_CODE[code] for code in self.codes.ravel().tolist()],
            Rules(connect="used", needed=(self.cells, self.cells + 1)),
            ends=self.openings,
            objective=self.objective,
        )

    def with_rules(self, name: str) -> Self:
        """Itself; raises UsageError for anything but ``path``."""
        return replace(self, rules=name)

    def canonical(self) -> object:
        """Equal for maps that a turn, a mirror or running the water backwards makes the same."""
        from .generators.path import canonical

        return canonical(self)

    def article_line(self, solution: Solution) -> str:
        """The path as article 004 prints it: ``(1, 1) (1, 2) ...``, row and column from 1."""
        places = (divmod(cell, self.width) for cell, _ in self.line(solution))
        return " ".join(f"({row + 1}, {column + 1})" for row, column in places)

    def article_output(self, solutions: Iterable[Solution]) -> str:
        """What article 004's program prints if it finds these paths in this order."""
        lines = [f"{self.article_line(solution)} " for solution in solutions]
        return "".join(lines) + "\nyes, we did it.\n" if lines else "impossible!\n"

    def draw(
        self,
        solution: Solution | None = None,
        *,
        marked: frozenset[int] = frozenset(),
        colour: bool = False,
    ) -> str:
        """Box characters for the path, dots for unused pieces, ``#`` for obstacles, and the
        article's line; a map without a path as letters (``*`` is either piece).
        """
        mouths = [Mouth(*opening) for opening in self.openings]
        if solution is None:
            letters = ["#LLLLII*"[code] for code in self.codes.ravel().tolist()]
            return draw_track(letters, [0] * self.cells, self.width, mouths, marked, colour)
        masks = [0] * self.cells
        for cell, mask in self.line(solution):
            masks[cell] = mask
        plain = ["#" if code == OBSTACLE else "·" for code in self.codes.ravel().tolist()]
        picture = draw_track(plain, masks, self.width, mouths, marked, colour)
        return f"{picture}\n{self.article_line(solution)}"
