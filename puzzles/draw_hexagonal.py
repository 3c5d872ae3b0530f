"""Hexagonal boards as pictures in characters.

Cells are nodes, open sides are lines between them; a side that is open on one side of a border
only is half a line or a tick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .board import Board

E, NE, NW, W, SW, SE = range(6)
REVERSE, PLAIN = "\x1b[7m", "\x1b[0m"
RISING, FALLING = "\u2571\u2572"  # the diagonals of box drawing
_BETWEEN = {
    (False, False): "   ",
    (True, False): "╴  ",
    (False, True): "  ╶",
    (True, True): "───",
}


def draw_hexagonal(
    board: Board, masks: Sequence[int], *, oriented: bool, marked: frozenset[int], colour: bool
) -> str:
    """The board with these masks. Cells stand four columns apart, odd rows half a cell to the
    right. Without orientations each cell is its piece's least mask in two hex digits.
    """
    drawing = _Drawing(board, masks, marked, colour)
    return drawing.lines() if oriented else drawing.numbers()


class _Drawing:
    """One hexagonal board on its way to text; asks, never changes."""

    def __init__(
        self, board: Board, masks: Sequence[int], marked: frozenset[int], colour: bool
    ) -> None:
        self.width, self.height = board.width, board.height
        self.masks, self.marked, self.colour = list(masks), marked, colour
        self.locked = board.locked.tolist()
        self.walls = board.walls.tolist()
        self.there = board.neighbours.tolist()

    def open(self, cell: int, side: int) -> bool:
        return bool(self.masks[cell] >> side & 1)

    def _mark(self, cell: int, text: str) -> tuple[str, str, str]:
        """The text with what stands before and behind it."""
        if cell not in self.marked:
            return "", text, ""
        return (REVERSE, text, PLAIN) if self.colour else ("[", text, "]")

    def numbers(self) -> str:
        """Offset rows of masks; ``!`` behind locked cells."""
        lines = []
        for row in range(self.height):
            parts = ["  " * (row % 2)]
            for cell in range(row * self.width, (row + 1) * self.width):
                mask = self.masks[cell]
                number = f"{mask if self.locked[cell] else _least(mask):02x}"
                before, text, behind = self._mark(cell, number if mask else "··")
                lock = "!" if self.locked[cell] else " "
                if behind == "]":
                    parts.append(f"[{text}]")
                else:
                    parts.append(f" {before}{text}{behind}{lock}")
            lines.append("".join(parts).rstrip())
        return "\n".join(lines)

    def lines(self) -> str:
        """The picture with a line of slanted joins between the rows."""
        lines = [self._slanted(None, 0)]
        for row in range(self.height):
            lines += [
                self._row(row),
                self._slanted(row, row + 1 if row + 1 < self.height else None),
            ]
        kept = lines if any(c != " " for c in lines[0]) else lines[1:]
        return "\n".join(line.rstrip() for line in kept).rstrip("\n")

    def _row(self, row: int) -> str:
        cells = range(row * self.width, (row + 1) * self.width)
        first, last = cells[0], cells[-1]
        parts = ["  " * (row % 2), " ┄"[self.open(first, W)]]
        for cell in cells:
            before, node, behind = self._mark(cell, self._node(cell))
            if before == "[":  # the brackets take the place of the joins beside the cell
                parts[-1] = parts[-1][:-1] + "["
                before = ""
            parts.append(before + node + (behind if self.colour else ""))
            gap = self._between(cell) if cell != last else " ┄"[self.open(cell, E)]
            parts.append("]" + gap[1:] if behind == "]" else gap)
        return "".join(parts)

    def _node(self, cell: int) -> str:
        if not self.masks[cell]:
            return "·"
        return "●" if self.locked[cell] else "o"

    def _between(self, cell: int) -> str:
        if self.walls[cell][E]:
            return " ║ "
        return _BETWEEN[self.open(cell, E), self.open(cell + 1, W)]

    def _slanted(self, upper: int | None, lower: int | None) -> str:
        """The line between two rows, None beyond the rim."""
        line = [" "] * (4 * self.width + 4)
        for row, sides in ((upper, (SW, SE)), (lower, (NW, NE))):
            for column in range(self.width if row is not None else 0):
                assert row is not None
                cell = row * self.width + column
                for side in sides:
                    at = 4 * column + 1 + 2 * (row % 2) + (1 if side in (SE, NE) else -1)
                    if at >= 0:
                        line[at] = self._stroke(cell, side, line[at])
        return "".join(line)

    def _stroke(self, cell: int, side: int, before: str) -> str:
        """A slanted join as seen from one of its ends; ``before`` is what the other end saw."""
        if self.walls[cell][side]:
            return "═"
        if not self.open(cell, side):
            return before
        half = "'" if side in (SW, SE) else ","
        if before == " ":
            return half
        return RISING if side in (SW, NE) else FALLING


def _least(mask: int) -> int:
    turned = [(mask << k | mask >> (6 - k)) & 63 for k in range(6)]
    return min(turned)
