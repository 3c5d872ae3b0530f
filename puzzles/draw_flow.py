"""Flow boards as pictures in characters.

A column stands before each cell: ``*`` a source, ``#`` a sink, ``@`` both, else the line from the
cell on its left, halfway where only one of the two opens. Wet cells are heavy in a layout, locked
cells in a board that is still to be solved; pieces that lie unknown are letters, marked cells
stand in brackets, walls are double lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .draw import PLAIN, REVERSE
from .glyphs import HEAVY, LETTER_OF, LIGHT
from .topology import DOWN, LEFT, RIGHT

if TYPE_CHECKING:
    from .flow import Flow

_JOINT = {(False, False): " ", (True, False): "╴", (False, True): "╶", (True, True): "─"}
_LEGEND = {"*": "source", "#": "sink", "@": "source and sink"}


def draw_flow(
    flow: Flow, masks: Sequence[int] | None, *, marked: frozenset[int] = frozenset(), colour: bool
) -> str:
    """The layout with these masks (None: the board as given), a line per row, and a legend."""
    return _Drawing(flow, masks, marked, colour).text()


class _Drawing:
    """One board on its way to text."""

    def __init__(
        self, flow: Flow, masks: Sequence[int] | None, marked: frozenset[int], colour: bool
    ) -> None:
        board = flow.board
        self.flow, self.board, self.marked, self.colour = flow, board, marked, colour
        self.masks = board.pieces.tolist() if masks is None else list(masks)
        locked = board.locked.tolist()
        known = masks is not None or board.oriented
        self.lies = [known or lock for lock in locked]
        wet = set[int]() if masks is None else flow.wet(masks)
        self.heavy = locked if masks is None else [cell in wet for cell in range(board.cells)]
        self.shown = "locked" if masks is None else "wet"
        self.walls = board.walls.tolist()

    def terminal(self, cell: int) -> str | None:
        source, sink = cell in self.flow.sources, cell in self.flow.sinks
        return "@" if source and sink else "*" if source else "#" if sink else None

    def open(self, cell: int, side: int) -> bool:
        return self.lies[cell] and bool(self.masks[cell] >> side & 1)

    def glyph(self, cell: int) -> str:
        if not self.lies[cell]:
            glyph = LETTER_OF[self.masks[cell]]
        else:
            glyph = (HEAVY if self.heavy[cell] else LIGHT)[self.masks[cell]]
        if self.colour:
            return f"{REVERSE}{glyph}{PLAIN}" if cell in self.marked else glyph
        if not self.marked:
            return glyph
        return f"[{glyph}]" if cell in self.marked else f" {glyph} "

    def before(self, cell: int) -> str:
        """The column in front of a cell."""
        mark = self.terminal(cell)
        if mark is not None:
            return mark
        if self.walls[cell][LEFT]:
            return "║"
        first = cell % self.board.width == 0
        left = False if first else self.open(cell - 1, RIGHT)
        joint = _JOINT[left, self.open(cell, LEFT)]
        heavy = joint == "─" and self.heavy[cell] and self.heavy[cell - 1]
        return "━" if heavy else joint

    def below(self, row: int) -> str | None:
        """The line of walls under a row, None if it has none."""
        cells = range(row * self.board.width, (row + 1) * self.board.width)
        if not any(self.walls[cell][DOWN] for cell in cells):
            return None
        wide = 3 if self.marked and not self.colour else 1
        return "".join(
            " " + ("═" if self.walls[cell][DOWN] else " ").center(wide) for cell in cells
        )

    def text(self) -> str:
        width, lines = self.board.width, list[str]()
        for row in range(self.board.height):
            cells = range(row * width, (row + 1) * width)
            line = "".join(self.before(cell) + self.glyph(cell) for cell in cells)
            if self.open(cells[-1], RIGHT):
                line += "╴"
            lines.append(line.rstrip())
            below = self.below(row)
            if below is not None:
                lines.append(below.rstrip())
        return "\n".join([*lines, self.legend()])

    def legend(self) -> str:
        """What the signs mean, those that occur."""
        there = {self.terminal(cell) for cell in range(self.board.cells)}
        said = [f"{sign} {meaning}" for sign, meaning in _LEGEND.items() if sign in there]
        if any(self.heavy):
            said.append(f"heavy: {self.shown}")
        pairs = zip(self.flow.sources, self.flow.sinks, strict=False)
        if self.flow.wish == "paired":
            said += [f"{self.place(one)} with {self.place(other)}" for one, other in pairs]
        elif self.flow.wish == "any" and len(self.flow.sinks) > 1:
            said.append("any sink will do")
        return ", ".join(said)

    def place(self, cell: int) -> str:
        row, column = divmod(cell, self.board.width)
        return f"{row + 1},{column + 1}"
