"""Cells and plain-text tables; what is not known is a dash, never a NaN."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..puzzles.values import every_digit

Tone = Literal["", "good", "bad", "warn"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell shown in one form and sorted by another: "3.1 ms" by its seconds.

    ``value`` None sorts behind all numbers, as words do. ``tone`` colours it on a page.
    """

    value: float | None
    text: str
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Folded:
    """A word with more behind it, such as a picture: a page unfolds ``body`` (plain text)."""

    text: str
    body: str


Cell = str | int | float | Shown | Folded | None


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]], *, left: int = 1) -> str:
    """Lines of aligned columns; the first ``left`` are flushed left, the others right."""
    cells = [[text(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    lines = [line(row) for row in cells]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def visible(words: str) -> str:
    """Text in which nothing steers a terminal or a page: control characters as their pictures,
    what turns the direction of reading as U+FFFD. Ends of lines stay.
    """
    return words.translate(_PICTURES)


_PICTURES = {
    **{code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"},
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    0x7F: 0x2421,
    **dict.fromkeys(
        (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), 0xFFFD
    ),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),
}


def text(cell: Cell) -> str:
    """A cell's text, in one line: four significant digits for floats, a dash for None and NaN."""
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return "-"
    if isinstance(cell, Shown | Folded | str):
        words = cell if isinstance(cell, str) else cell.text
        return visible(words.replace("\r\n", " ").replace("\n", " "))
    if isinstance(cell, float):
        return f"{cell:.0f}" if abs(cell) >= 1000 else f"{cell:.4g}"
    with every_digit():  # counts of solutions grow long
        return str(cell)


def number(cell: Cell) -> float | int | None:
    """What a cell is sorted by; None for words and for what is not known."""
    value = cell.value if isinstance(cell, Shown) else cell
    if isinstance(value, int):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else None


def duration(seconds: float | None) -> str:
    """A time in the unit that suits it."""
    if seconds is None or not math.isfinite(seconds):
        return "-"
    if seconds == 0:
        return "0 s"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.9995 * size:  # or three digits would say 1e+03 of the smaller unit
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def size(count: int | None) -> str:
    """Bytes as megabytes."""
    return "-" if count is None else f"{count / 1e6:.0f} MB"


def time_cell(seconds: float | None) -> Shown:
    """A time as a cell."""
    known = seconds is not None and math.isfinite(seconds)
    return Shown(seconds if known else None, duration(seconds))


def size_cell(count: float | None) -> Shown:
    """Bytes as a cell."""
    if count is None or not math.isfinite(count):
        return Shown(None, "-")
    return Shown(count, size(int(count)))
