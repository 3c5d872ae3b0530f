"""Letter grids: ``.`` blank, ``E`` end, ``I`` straight, ``L`` elbow, ``T`` tee, ``X`` cross.

Rows on lines of their own, close together or with a space after each letter, or
``LIL/TIT/LIL``. Letters do not say how a piece lies.
"""

from __future__ import annotations

import re

import numpy as np

from ..board import Board
from ..glyphs import LETTERS, lookup, read_codes
from ..instance import Instance
from ..topology import Square
from . import maze
from .format import Format
from .grid import Row, boards, check_rows, closed_up, dedented
from .page import Line, check_size, shown

_LOOKS_LIKE = re.compile(r"\s*[A-Z.][A-Z./ ]*", re.ASCII)
_CODES = lookup(LETTERS)


def _board(rows: list[Row]) -> Board:
    rows = closed_up(dedented(rows))
    pieces = []
    for row in rows:
        codes = read_codes(row.text, _CODES)
        bad = np.flatnonzero(codes < 0)
        if len(bad):
            at = int(bad[0])
            raise row.line.error(shown(row.text[at]), "one of the letters .EILTX", row.at(at))
        pieces.append(codes)
    check_rows(rows)
    first = rows[0].line
    check_size(first, len(rows[0].text), len(rows))
    return Board(
        Square(len(rows[0].text), len(rows)),
        np.concatenate(pieces).astype(np.int64),
        rules="connected",
        name=first.name(),
        source=first.source,
    )


def _begins(line: Line) -> bool:
    return _LOOKS_LIKE.fullmatch(line.text) is not None


def _puzzle(rows: list[Row]) -> Instance:
    """A pipe maze may begin with a row that could be letters."""
    return maze.read_maze(rows) if maze.is_maze(rows) else _board(rows)


FORMAT = Format("letters", "LIL/TIT/LIL", _begins, lambda page: boards(page, _puzzle))
