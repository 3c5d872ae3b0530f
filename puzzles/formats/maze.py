"""Pipe mazes of Advent of Code 2023, day 10: rows of ``|-LJ7F.`` and one ``S``."""

from __future__ import annotations

import numpy as np

from ..glyphs import lookup, read_codes
from ..loop import START, TILES, PipeLoop
from .format import Format
from .grid import Row, boards, check_rows, closed_up, dedented
from .page import Line, check_size, shown

_CODES = lookup(dict.fromkeys((*TILES, START), 1))
_OWN = set(TILES) | {START}
_LETTERS = set("L./ ")


def is_maze(rows: list[Row]) -> bool:
    """Whether these rows hold nothing but a maze, and its start."""
    text = "".join(row.text for row in rows)
    return START in text and set(text) <= _OWN | {" "}


def read_maze(rows: list[Row]) -> PipeLoop:
    """The maze of the rows; raises InputError."""
    rows = closed_up(dedented(rows))
    starts = []
    for row in rows:
        bad = np.flatnonzero(read_codes(row.text, _CODES) < 0)
        if len(bad):
            at = int(bad[0])
            raise row.line.error(shown(row.text[at]), "one of |-LJ7F. or S", row.at(at))
        starts += [(row, at) for at, tile in enumerate(row.text) if tile == START]
    check_rows(rows)
    first = rows[0].line
    check_size(first, len(rows[0].text), len(rows))
    if not starts:
        raise first.error("a maze without a start", "one S in it")
    if len(starts) > 1:
        row, at = starts[1]
        raise row.line.error("a second S", "one start", row.at(at))
    return PipeLoop(tuple(row.text for row in rows), name=first.name(), source=first.source)


def _begins(line: Line) -> bool:
    """A first row of blanks and L may be letters, too: there the whole grid decides."""
    tiles = set(line.text)
    return tiles <= _OWN | {"/", " "} and not tiles <= _LETTERS


FORMAT = Format("maze", "F7/SJ", _begins, lambda page: boards(page, read_maze))
