"""Rows of characters: what letter grids and pictures share.

A grid is a run of lines, or one line whose rows are separated by ``/``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..errors import InputError
from ..instance import Instance
from .format import Found
from .page import Line, Page


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a grid and where it stands: ``column`` (from 1) of its first character."""

    line: Line
    column: int
    text: str
    stride: int = 1

    def at(self, index: int) -> int:
        """The column on the line of one of the characters."""
        return self.column + index * self.stride


def grids(page: Page) -> Iterator[list[Row]]:
    """Take one block off the page as grids: each line with ``/`` is one, other lines together
    are one.
    """
    rows: list[Row] = []
    for line in page.block():
        if "/" not in line.text:
            rows.append(Row(line, 1, line.text))
            continue
        if rows:
            yield rows
            rows = []
        single, column = [], 1
        for part in line.text.split("/"):
            single.append(Row(line, column, part))
            column += len(part) + 1
        yield single
    if rows:
        yield rows


def boards(page: Page, read: Callable[[list[Row]], Instance]) -> Found:
    """The puzzle of every grid of the page, or what is wrong with it."""
    for rows in grids(page):
        try:
            yield read(rows)
        except InputError as error:
            yield error


def dedented(rows: list[Row]) -> list[Row]:
    """The rows without the indentation that all share."""
    indent = min(len(row.text) - len(row.text.lstrip(" ")) for row in rows)
    return [Row(r.line, r.column + indent, r.text[indent:]) for r in rows]


def is_spaced(rows: list[Row]) -> bool:
    """Whether every second column is empty."""
    return all(len(row.text) % 2 == 1 and not row.text[1::2].strip(" ") for row in rows)


def closed_up(rows: list[Row]) -> list[Row]:
    """The rows without every second column, if those are empty."""
    if not is_spaced(rows):
        return rows
    return [Row(r.line, r.column, r.text[::2], stride=2) for r in rows]


def check_rows(rows: list[Row]) -> None:
    """Raises InputError if the rows are empty or not equally long."""
    width = len(rows[0].text)
    for row in rows:
        if not row.text:
            raise row.line.error("an empty row", "characters", row.column)
        if len(row.text) != width:
            at = row.at(min(len(row.text), width))
            raise row.line.error(
                f"a row of {len(row.text)} characters", f"{width} as in the first row", at
            )
