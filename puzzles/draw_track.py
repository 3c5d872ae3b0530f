"""Tracks as pictures: box characters where the track runs, other characters elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .draw import PLAIN, REVERSE
from .glyphs import LIGHT
from .topology import DOWN, LEFT, RIGHT, UP


class Mouth(NamedTuple):
    """An opening at the rim: a cell and a direction."""

    cell: int
    side: int


def draw_track(
    plain: Sequence[str],
    masks: Sequence[int],
    width: int,
    mouths: Sequence[Mouth] = (),
    marked: frozenset[int] = frozenset(),
    colour: bool = False,
) -> str:
    """A line per row of cells. A cell without openings is its ``plain`` character; marked cells
    stand in brackets, with ``colour`` in reverse video. Mouths are drawn beyond the rim.
    """
    brackets = bool(marked) and not colour
    cells = [
        _cell(LIGHT[mask] if mask else text, mask, number in marked, brackets, colour)
        for number, (text, mask) in enumerate(zip(plain, masks, strict=True))
    ]
    margins = any(mouth.side in (LEFT, RIGHT) for mouth in mouths)
    lines = []
    for first in range(0, len(cells), width):
        row = [_rim(first, LEFT, mouths)] if margins else []
        for cell in range(first, first + width):
            row.append(cells[cell])
            if cell + 1 < first + width:
                row.append("─" if masks[cell] >> RIGHT & masks[cell + 1] >> LEFT & 1 else " ")
        row.append(_rim(first + width - 1, RIGHT, mouths))
        lines.append("".join(row).rstrip())
    above = [mouth.cell for mouth in mouths if mouth.side == UP]
    below = [mouth.cell % width for mouth in mouths if mouth.side == DOWN]
    stride, margin = 4 if brackets else 2, int(margins) + int(brackets)
    lines = [_mouths(above, stride, margin), *lines, _mouths(below, stride, margin)]
    return "\n".join(lines).strip("\n")


def _cell(glyph: str, mask: int, marked: bool, brackets: bool, colour: bool) -> str:
    if not brackets:
        return f"{REVERSE}{glyph}{PLAIN}" if marked and colour else glyph
    if marked:
        return f"[{glyph}]"
    left = "─" if mask >> LEFT & 1 else " "
    return left + glyph + ("─" if mask >> RIGHT & 1 else " ")


def _rim(cell: int, side: int, mouths: Sequence[Mouth]) -> str:
    return "─" if Mouth(cell, side) in mouths else " "


def _mouths(columns: list[int], stride: int, margin: int) -> str:
    """A line of vertical strokes above or below these columns; empty for none."""
    if not columns:
        return ""
    line = [" "] * (margin + stride * max(columns) + 1)
    for column in columns:
        line[margin + stride * column] = "│"
    return "".join(line)
