"""Save files of the Net game: lines ``KEY     :LENGTH:VALUE``.

The board is the one on the screen: the moves up to STATEPOS are replayed, and what the player
has locked is locked. Moves are ``A``, ``C``, ``F`` (a quarter turn anticlockwise, clockwise, a
half turn) and ``L`` (lock or unlock) with ``column,row``.
"""

from __future__ import annotations

import re

import numpy as np

from ..board import Board
from ..model import BoolArray, IntArray
from ..topology import Square, rotate
from . import net_id
from .format import Format, Found
from .page import Line, Page, shown

_FIELD = re.compile(r"([A-Z ]{8}):(\d{1,9}):(.*)", re.ASCII | re.DOTALL)
_STEP = re.compile(r"([ACFL])(\d{1,9}),(\d{1,9})", re.ASCII)
_TURNS = {"C": 1, "F": 2, "A": 3}
_STATES = ("MOVE", "SOLVE", "RESTART")
Field = tuple[Line, str, str]


def _field(line: Line) -> Field:
    match = _FIELD.fullmatch(line.raw)
    if match is None:
        raise line.error(shown(line.raw), "KEY     :LENGTH:VALUE", 1)
    key, length, value = match.groups()
    if len(value.encode("utf-8", "replace")) != int(length):
        raise line.error(
            f"{len(value)} characters", f"{length}, as the line says", match.start(3) + 1
        )
    return line, key.rstrip(), value


def _one(fields: list[Field], *keys: str) -> Field:
    for key in keys:
        found = [f for f in fields if f[1] == key]
        if len(found) > 1:
            raise found[1][0].error(f"a second {key}", "one", 1)
        if found:
            return found[0]
    raise fields[-1][0].error(f"no {keys[0]}", f"a line {keys[0]}")


def _column(field: Field) -> int:
    return len(field[0].raw) - len(field[2]) + 1


def _number(fields: list[Field], key: str) -> int:
    field = _one(fields, key)
    if not re.fullmatch(r"\d{1,9}", field[2], re.ASCII):
        raise field[0].error(shown(field[2]), "a number", _column(field))
    return int(field[2])


class _Position:
    """What is on the screen; changed in place by the moves."""

    def __init__(self, size: net_id.Parameters, pieces: IntArray) -> None:
        self.size = size
        self.pieces = pieces.copy()
        self.locked: BoolArray = np.zeros(len(pieces), dtype=np.bool_)

    def play(self, field: Field) -> None:
        line, _, value = field
        column = _column(field)
        if value[:1] in ("J", "S"):  # all of these steps are one move
            value = value[1:]
            column += 1
            if value.startswith(";"):
                value, column = value[1:], column + 1
        for step in value.split(";") if value else ():
            match = _STEP.fullmatch(step)
            if match is None:
                raise line.error(shown(step), "A, C, F or L and column,row", column)
            x, y = int(match[2]), int(match[3])
            if x >= self.size.width or y >= self.size.height:
                raise line.error(
                    f"cell {x},{y}", f"one of the {self.size.width}x{self.size.height}", column
                )
            cell = y * self.size.width + x
            if match[1] == "L":
                self.locked[cell] = not self.locked[cell]
            else:
                self.pieces[cell] = rotate(int(self.pieces[cell]), _TURNS[match[1]], 4)
            column += len(step) + 1


def _begins(line: Line) -> bool:
    return line.text.startswith("SAVEFILE")


def _size(fields: list[Field]) -> net_id.Parameters:
    params = _one(fields, "CPARAMS", "PARAMS")  # PARAMS is for the next game
    size, colon = net_id.parameters(params[0], params[2], _column(params))
    if colon >= 0:
        raise params[0].error(shown(params[2]), "a size without ':'", _column(params))
    return size


def _board(block: list[Line]) -> Board:
    fields = [_field(line) for line in block]
    game = _one(fields, "GAME")
    if game[2] != "Net":
        raise game[0].error(f"a game of {shown(game[2])}", "Net", _column(game))
    size = _size(fields)
    desc = _one(fields, "DESC")
    pieces, walls = net_id.description(desc[0], desc[2], _column(desc), size)
    states = [field for field in fields if field[1] in _STATES]
    total, position = _number(fields, "NSTATES"), _number(fields, "STATEPOS")
    if total != len(states) + 1:
        raise block[-1].error(f"{len(states)} moves", f"{total - 1}, as NSTATES says")
    if not 1 <= position <= total:
        line = _one(fields, "STATEPOS")[0]
        raise line.error(f"state {position}", f"1 to {total}")
    play = _Position(size, pieces)
    for field in states[: position - 1]:
        if field[1] == "RESTART":
            fresh, walls = net_id.description(field[0], field[2], _column(field), size)
            play = _Position(size, fresh)
        else:
            play.play(field)
    return Board(
        Square(size.width, size.height, size.wrap),
        play.pieces,
        oriented=True,
        locked=play.locked,
        walls=walls,
        rules="tree",
        name=block[0].given_name(None, "Net save file"),
        source=block[0].source,
    )


def _read(page: Page) -> Found:
    yield _board(page.block())


FORMAT = Format("net-save", "SAVEFILE:41:…", _begins, _read)
