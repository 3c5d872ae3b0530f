"""Boards drawn with box characters, light, heavy or rounded: ``┌ ─ ┐`` or ``┌─┐``.

The picture gives each piece's orientation. Two ways of drawing are read: *spaced*, every second
column empty, and *tight*, each character a cell. The drawings that plumbench prints are
*joined*: every second column holds the lines between the cells. Such a picture could as well be
a tight one, so it is read only where the size is known (``read_masks``).
"""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..draw import draw_board
from ..errors import InputError
from ..glyphs import BOX, lookup, read_codes
from ..topology import Square
from .format import Format
from .grid import Row, boards, check_rows, dedented, is_spaced
from .page import Line, Page, check_size, shown

_CODES = lookup({**BOX, " ": 0, ".": 0, "·": 0})
_WALL = "║═"
_RIM = "┄┆"


def _tight(rows: list[Row]) -> np.ndarray:
    """Masks of all characters, shape (rows, characters); raises InputError."""
    masks = []
    for row in rows:
        codes = read_codes(row.text, _CODES)
        bad = np.flatnonzero(codes < 0)
        if len(bad):
            at = int(bad[0])
            what = shown(row.text[at])
            if row.text[at] in _WALL + _RIM:
                what += ", a wall or the rim of a torus"
            raise row.line.error(what, "a box character, or · for a blank cell", row.column + at)
        masks.append(codes)
    check_rows(rows)
    return np.array(masks, dtype=np.int64)


def _is_joined(rows: list[Row], masks: np.ndarray) -> bool:
    """Whether this is just what plumbench draws for every second column."""
    if masks.shape[1] % 2 == 0 or masks.shape[1] < 3:
        return False
    cells = masks[:, ::2]
    board = Board(Square(cells.shape[1], cells.shape[0]), cells.ravel(), oriented=True)
    drawn = draw_board(board, cells.ravel().tolist(), oriented=True).split("\n")
    there = _tight([Row(rows[0].line, 1, text.ljust(masks.shape[1])) for text in drawn])
    return np.array_equal(there, masks)


def _masks(rows: list[Row]) -> np.ndarray:
    masks = _tight(rows)
    if is_spaced(rows):
        return masks[:, ::2]
    if _is_joined(rows, masks):
        wide = masks.shape[1]
        raise rows[0].line.error(
            f"a picture of {wide} columns, or of {(wide + 1) // 2} with lines between",
            "a space between the cells (┌ ─ ┐), or a line 'rules: connected' above them",
            rows[0].column,
        )
    return masks


def read_masks(text: str, width: int, height: int, file: str = "picture") -> list[list[int]]:
    """Rows of masks of a picture whose size is known, drawn tight, spaced or joined.

    Raises InputError.
    """
    lines = Page(text, file).block() if text.strip() else []
    if len(lines) != height:
        raise InputError(f"{len(lines)} rows", f"{height} rows", file=file)
    rows = dedented([Row(line, 1, line.text) for line in lines])
    for wide in (width, 2 * width - 1):
        if max(len(row.text) for row in rows) == wide:
            padded = [Row(r.line, r.column, r.text.ljust(wide)) for r in rows]
            return _tight(padded)[:, :: 1 if wide == width else 2].tolist()
    raise rows[0].line.error(
        f"{max(len(row.text) for row in rows)} columns", f"{width}, or {2 * width - 1} with gaps"
    )


def _board(rows: list[Row]) -> Board:
    first = rows[0].line
    check_size(first, max(1, len(rows[0].text)), len(rows))
    masks = _masks(dedented(rows))
    return Board(
        Square(masks.shape[1], masks.shape[0]),
        masks.ravel(),
        oriented=True,
        rules="connected",
        name=first.given_name(None, "picture"),
        source=first.source,
    )


def _begins(line: Line) -> bool:
    return any("\u2500" <= character < "\u2580" for character in line.text)


FORMAT = Format("picture", "┌ ─ ┐", _begins, lambda page: boards(page, _board))
