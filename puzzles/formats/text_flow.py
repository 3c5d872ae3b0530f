"""What plumbench text says of flow boards beside their rows::

    rules: sealed
    sources: 1,1
    sinks: 3,3 1,3
    wish: any

Terminals are ``row,column`` from 1. ``wish`` is all (the default), any, or paired: each source
with the sink in the same place. ``border`` is closed (the default), free or terminals.
"""

from __future__ import annotations

import re

from ..board import Board
from ..errors import PlumbenchError
from ..flow import BORDERS, WISHES, Flow
from .page import Line, shown

KEYS = ("sources", "sinks", "wish", "border")
"""Any of them says that the board is a flow."""

Values = dict[str, tuple[Line, str, int]]
"""By key: the line, the value, and the column where it begins."""

_TERMINAL = re.compile(r"(\d{1,7}),(\d{1,7})", re.ASCII)
_WORD = re.compile(r"\S+")


def is_flow(values: Values) -> bool:
    """Whether keys of a flow were given."""
    return any(key in values for key in KEYS)


def flow(values: Values, board: Board, rules: str, first: Line) -> Flow:
    """The flow on this board; raises InputError."""
    sources, sinks = (_cells(values, key, board, first) for key in ("sources", "sinks"))
    wish = _choice(values, "wish", WISHES, "all")
    if wish == "paired" and len(sources) != len(sinks):
        line, value, column = values["sinks"]
        raise line.error(shown(value), f"{len(sources)} sinks, as many as sources", column)
    border = _choice(values, "border", BORDERS, "closed")
    try:
        return Flow(board, sources, sinks, wish, border, rules, board.name, board.source)
    except PlumbenchError as error:
        raise first.error(str(error), "a flow board") from error


def _choice(values: Values, key: str, choices: tuple[str, ...], default: str) -> str:
    if key not in values:
        return default
    line, value, column = values[key]
    if value not in choices:
        raise line.error(shown(value), f"one of {', '.join(choices)}", column)
    return value


def _cells(values: Values, key: str, board: Board, first: Line) -> tuple[int, ...]:
    if key not in values:
        raise first.error(f"a flow without {key}", f"a line such as {key}: 1,1")
    line, value, column = values[key]
    cells = []
    for word in _WORD.finditer(value):
        at, match = column + word.start(), _TERMINAL.fullmatch(word[0])
        if match is None:
            raise line.error(shown(word[0]), "row,column such as 1,1, counted from 1", at)
        row, place = int(match[1]), int(match[2])
        if not (1 <= row <= board.height and 1 <= place <= board.width):
            size = f"a row from 1 to {board.height} and a column from 1 to {board.width}"
            raise line.error(shown(word[0]), size, at)
        cells.append((row - 1) * board.width + place - 1)
    if not cells:
        raise line.error("no cell", f"row,column such as {key}: 1,1", column)
    return tuple(cells)


def header(flow: Flow) -> list[str]:
    """The lines that ``flow`` reads, but for name and rules."""

    def listed(cells: tuple[int, ...]) -> str:
        places = (divmod(cell, flow.board.width) for cell in cells)
        return " ".join(f"{row + 1},{column + 1}" for row, column in places)

    lines = [f"sources: {listed(flow.sources)}", f"sinks: {listed(flow.sinks)}"]
    if flow.wish != "all":
        lines.append(f"wish: {flow.wish}")
    if flow.border != "closed":
        lines.append(f"border: {flow.border}")
    return lines
