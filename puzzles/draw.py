"""Boards as pictures in characters.

A square board is drawn *joined*: a column of cells, a column of the lines between them, and so
on. A side that is open on one side of a border only ends halfway (``╴``), so that leaks show.
Locked cells are heavy, walls are double lines (``║``, ``═``), what leaves a torus through its
rim is dashed (``┄``, ``┆``), marked cells stand in brackets. Pieces whose orientation is not
known are letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .draw_hexagonal import draw_hexagonal
from .glyphs import HEAVY, LETTER_OF, LIGHT
from .topology import DOWN, LEFT, RIGHT, UP

if TYPE_CHECKING:
    from .board import Board

REVERSE, PLAIN = "\x1b[7m", "\x1b[0m"

_BETWEEN = {(False, False): " ", (True, False): "╴", (False, True): "╶", (True, True): "─"}
_BELOW = {(False, False): " ", (True, False): "╵", (False, True): "╷", (True, True): "│"}


def draw_board(
    board: Board,
    masks: Sequence[int],
    *,
    oriented: bool,
    marked: frozenset[int] = frozenset(),
    colour: bool = False,
) -> str:
    """The board with these masks, one line per row of cells.

    ``oriented`` says that the masks are how the pieces lie; a board that came with orientations
    is drawn so anyway. With ``colour`` marked cells are in reverse video instead of brackets.
    """
    oriented = oriented or board.oriented
    if board.topology.kind == "hexagonal":
        return draw_hexagonal(board, masks, oriented=oriented, marked=marked, colour=colour)
    return _Drawing(board, masks, oriented, marked, colour).text()


class _Drawing:
    """One square board on its way to text; asks, never changes."""

    def __init__(
        self,
        board: Board,
        masks: Sequence[int],
        oriented: bool,
        marked: frozenset[int],
        colour: bool,
    ) -> None:
        self.width, self.height = board.width, board.height
        self.wrap = board.topology.wrap
        self.marked, self.colour = marked, colour
        self.masks = list(masks)
        self.walls = board.walls.tolist()
        self.brackets = bool(marked) and not colour
        self.locked = board.locked.tolist()
        self.lies = [oriented or lock for lock in self.locked]
        self.glyphs = [
            (HEAVY if lock else LIGHT)[mask] if oriented or lock else LETTER_OF[mask]
            for mask, lock in zip(self.masks, self.locked, strict=True)
        ]

    def open(self, cell: int, side: int) -> bool:
        return self.lies[cell] and bool(self.masks[cell] >> side & 1)

    def text(self) -> str:
        lines: list[str | None] = [self.rim(0, UP)] if self.wrap else []
        for row in range(self.height):
            lines.append(self.row(row))
            if row + 1 < self.height:
                lines.append(self.walls_below(row))
        if self.wrap:
            lines.append(self.rim(self.height - 1, DOWN))
        kept = [line.rstrip() for line in lines if line is not None]
        if self.wrap and not kept[0]:
            del kept[0]
        return "\n".join(kept).rstrip("\n")

    def cell(self, cell: int) -> str:
        """The cell's own character with room for its mark."""
        glyph = self.glyphs[cell]
        if self.colour:
            return f"{REVERSE}{glyph}{PLAIN}" if cell in self.marked else glyph
        if not self.brackets:
            return glyph
        if cell in self.marked:
            return f"[{glyph}]"
        before = "─" if self.open(cell, LEFT) else " "
        return before + glyph + ("─" if self.open(cell, RIGHT) else " ")

    def between(self, cell: int) -> str:
        """What stands between a cell and the one on its right."""
        if self.walls[cell][RIGHT]:
            return "║"
        joined = _BETWEEN[self.open(cell, RIGHT), self.open(cell + 1, LEFT)]
        heavy = joined == "─" and self.locked[cell] and self.locked[cell + 1]
        return "━" if heavy else joined

    def side(self, cell: int, side: int) -> str:
        """What stands at the left or right rim of a torus."""
        if self.walls[cell][side]:
            return "║"
        return "┄" if self.open(cell, side) else " "

    def row(self, row: int) -> str:
        first = row * self.width
        cells = range(first, first + self.width)
        parts = [self.side(first, LEFT)] if self.wrap else []
        for cell in cells:
            parts.append(self.cell(cell))
            if cell + 1 < cells.stop:
                parts.append(self.between(cell))
        if self.wrap:
            parts.append(self.side(cells.stop - 1, RIGHT))
        return "".join(parts)

    def line(self, characters: list[str]) -> str:
        """A line between rows: one character per cell, in the cells' columns."""
        margin = " " if self.wrap else ""
        if self.brackets:
            return margin + " " + "   ".join(characters)
        return margin + " ".join(characters)

    def walls_below(self, row: int) -> str | None:
        """The line under a row, None where it has no wall: rows then stand close together."""
        cells = range(row * self.width, (row + 1) * self.width)
        if not any(self.walls[cell][DOWN] for cell in cells):
            return None
        return self.line(
            [
                "═"
                if self.walls[cell][DOWN]
                else _BELOW[self.open(cell, DOWN), self.open(cell + self.width, UP)]
                for cell in cells
            ]
        )

    def rim(self, row: int, side: int) -> str:
        """The line above or below a torus."""
        cells = range(row * self.width, (row + 1) * self.width)
        return self.line(
            [
                "═" if self.walls[cell][side] else "┆" if self.open(cell, side) else " "
                for cell in cells
            ]
        )
