"""Number maps of article 004: ``rows columns``, then the rows, codes with spaces between.

Codes: 0 obstacle, 1 to 4 elbow, 5 and 6 straight, and 7 for either. The rows stand on lines of
their own or behind the size, with ``/`` before each: ``1 2/5 5``.
"""

from __future__ import annotations

import re

import numpy as np

from ..errors import InputError, UsageError
from ..instance import NOUNS, Instance
from ..path import WILDCARD, PlumberPath
from .format import Format, Found
from .grid import Row
from .page import Line, Page, check_size, shown

_SIZE = re.compile(r"\s*(\d{1,7})\s+(\d{1,7})\s*", re.ASCII)
_BEGINS = re.compile(r"\s*\d+\s+\d+\s*(/.*)?", re.ASCII)


def _rows(block: list[Line]) -> list[Row]:
    """The parts between line ends and slashes."""
    rows = []
    for line in block:
        column = 1
        for part in line.text.split("/"):
            rows.append(Row(line, column, part))
            column += len(part) + 1
    return rows


def _codes(row: Row, width: int) -> list[int]:
    found = []
    for word in re.finditer(r"\S+", row.text):
        if not re.fullmatch(r"\d", word[0], re.ASCII) or int(word[0]) > WILDCARD:
            raise row.line.error(
                shown(word[0]), f"a code from 0 to {WILDCARD}", row.at(word.start())
            )
        found.append(int(word[0]))
    if len(found) != width:
        raise row.line.error(f"{len(found)} codes", f"{width}, as the size says", row.column)
    return found


def _map(rows: list[Row]) -> PlumberPath:
    """Take one map off the rows."""
    head = rows.pop(0)
    size = _SIZE.fullmatch(head.text)
    if size is None:
        raise head.line.error(shown(head.text.strip()), "the size: rows columns", head.column)
    height, width = int(size[1]), int(size[2])
    check_size(head.line, width, height)
    if len(rows) < height:
        raise head.line.error(f"rows under the size: {len(rows)}", f"{height}")
    codes = [_codes(rows.pop(0), width) for _ in range(height)]
    return PlumberPath(np.array(codes), name=head.line.name(), source=head.line.source)


def _begins(line: Line) -> bool:
    return _BEGINS.fullmatch(line.text) is not None


def _read(page: Page) -> Found:
    """Maps follow each other with or without a blank line; behind an error the rest of the
    block is passed over.
    """
    rows = _rows(page.block())
    while rows:
        try:
            yield _map(rows)
        except InputError as error:
            yield error
            return


def _write(instance: Instance) -> str:
    if not isinstance(instance, PlumberPath):
        raise UsageError(f"number-map cannot hold {NOUNS[instance.family]}")
    if not instance.has_default_openings:
        raise UsageError("number-map would lose: inlet and outlet (json can hold them)")
    rows = [" ".join(map(str, row)) for row in instance.codes.tolist()]
    return "\n".join([f"{instance.height} {instance.width}", *rows])


def named_text(instance: PlumberPath) -> str:
    """The map with its name as a comment; raises UsageError as the bare map does."""
    name = instance.name
    if not name.isprintable() or name != name.strip() or not name:
        raise UsageError(f"text would lose: the name {shown(name)} (json can hold it)")
    size, rows = _write(instance).split("\n", 1)
    return f"{size}  # {name}\n{rows}"


FORMAT = Format("number-map", "1 2/5 5", _begins, _read, _write)
