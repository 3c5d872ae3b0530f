r"""plumbench text, complete and pleasant to write by hand::

    name: an example
    rules: tree
    torus: yes
    ┌ ─| ┐!
    ├_ T └

Lines ``key: value``, then a row per line. A cell is a letter (``.EILTX``, orientation unknown),
a box character (orientation given), or on hexagonal boards two hex digits (the mask); spaces
mean nothing. Behind a cell ``!`` locks it, ``|`` is a wall on its right, ``_`` a wall below;
on hexagonal boards ``|``, ``/`` and ``\`` are walls to the right, lower right and lower left.
``turns:`` says how all pieces may turn if rotations are counted; if they differ, JSON can say it.
``sources:`` and ``sinks:`` make it a flow board, see ``text_flow``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

import numpy as np

from ..board import BOARD_RULES, Board
from ..dominoes import Dominoes
from ..errors import UsageError
from ..flow import Flow
from ..flow_form import LEAKS
from ..glyphs import BOX, HEAVY, LETTER_OF, LETTERS, LIGHT, lookup, read_codes
from ..instance import NOUNS, Instance
from ..model import BoolArray
from ..path import PlumberPath
from ..topology import DOWN, RIGHT, TOPOLOGIES, Hexagonal, Topology
from ..turns import CLOCKWISE, LOCKED, NAMES, PERMISSIONS, shared_permission
from . import dominoes, number_map, text_flow
from .format import Format, Found
from .page import Line, Page, check_size, shown

_HEADER = re.compile(r"\s*([A-Za-z][A-Za-z-]*)[ \t]*:[ \t]*(.*)", re.ASCII)
_SIZE = re.compile(r"(\d{1,9})x(\d{1,9})", re.ASCII)
_REST = re.compile(r"\s*(?:\s#.*)?")
_YES_NO = {"yes": True, "no": False}
_TURNS = {name: permission for name, permission in PERMISSIONS.items() if permission != LOCKED}
_KEYS = ("name", "rules", "topology", "torus", "size", "oriented", "turns", *text_flow.KEYS)

_LOCK, _SPACE, _WALL, _LETTER = 64, 80, 96, 32
_SQUARE_WALLS = {"|": RIGHT, "_": DOWN}
_HEX_WALLS = {"|": 0, "\\": 4, "/": 5}


def _square_codes() -> dict[str, int]:
    letters = {c: m if c in ".X" else _LETTER + m for c, m in LETTERS.items()}
    walls = {c: _WALL + d for c, d in _SQUARE_WALLS.items()}
    return {**BOX, "·": 0, **letters, **walls, "!": _LOCK, " ": _SPACE, "\t": _SPACE}


_SQUARE = lookup(_square_codes())
_HEX_DIGITS = {c: int(c, 16) for c in "0123456789abcdefABCDEF"}
_HEX = lookup(
    {
        **_HEX_DIGITS,
        **{c: _WALL + d for c, d in _HEX_WALLS.items()},
        "!": _LOCK,
        " ": _SPACE,
        "\t": _SPACE,
    }
)


@dataclass(slots=True)
class _Rows:
    """The cells read so far, one array per row; ``letter`` marks unknown orientations."""

    masks: list[np.ndarray] = field(default_factory=list)
    letter: list[np.ndarray] = field(default_factory=list)
    locked: list[np.ndarray] = field(default_factory=list)
    walls: list[np.ndarray] = field(default_factory=list)

    def read(self, line: Line, hexagonal: bool) -> None:
        """Add one row; raises InputError."""
        codes = read_codes(line.text, _HEX if hexagonal else _SQUARE).astype(np.int64)
        bad = np.flatnonzero(codes < 0)
        if len(bad):
            cells = "two hex digits" if hexagonal else "a letter of .EILTX or a box character"
            marks = "!|/\\" if hexagonal else "!|_"
            raise line.error(
                shown(line.text[bad[0]]), f"{cells}, or a mark {marks}", int(bad[0]) + 1
            )
        place = np.flatnonzero(codes != _SPACE)
        codes = codes[place]
        if hexagonal:
            codes, place = _pairs(line, codes, place)
        is_cell = codes < _LOCK
        if not is_cell[0]:
            raise line.error("a mark before the first cell", "a cell", int(place[0]) + 1)
        owner = np.cumsum(is_cell) - 1
        cells = codes[is_cell]
        letter = (cells >= _LETTER) & (not hexagonal)
        locked = np.zeros(len(cells), dtype=np.bool_)
        locked[owner[codes == _LOCK]] = True
        loose = np.flatnonzero(locked & letter)
        if len(loose):
            at = int(place[np.flatnonzero(is_cell)[loose[0]]])
            raise line.error(
                f"{shown(line.text[at])} locked", "a box character, which says how it lies", at + 1
            )
        walls = np.zeros((len(cells), 6 if hexagonal else 4), dtype=np.bool_)
        is_wall = codes >= _WALL
        walls[owner[is_wall], codes[is_wall] - _WALL] = True
        if self.masks and len(cells) != len(self.masks[0]):
            raise line.error(f"{len(cells)} cells", f"{len(self.masks[0])} as in the first row", 1)
        self.masks.append(cells if hexagonal else cells % _LETTER)
        for rows, row in ((self.letter, letter), (self.locked, locked), (self.walls, walls)):
            rows.append(row)


def _pairs(line: Line, codes: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Join the hex digits two by two into masks; raises InputError for a lone digit."""
    digit = codes < 16
    number = np.cumsum(digit)
    first, second = digit & (number % 2 == 1), digit & (number % 2 == 0)
    follows = np.zeros(len(codes), dtype=np.bool_)
    follows[1:] = first[:-1] & second[1:] & (np.diff(place) == 1)
    alone = np.flatnonzero(first & ~np.append(follows[1:], False))
    if len(alone):
        raise line.error("one hex digit", "two per cell", int(place[alone[0]]) + 1)
    joined = codes.copy()
    joined[:-1][first[:-1]] = codes[:-1][first[:-1]] * 16 + codes[1:][first[:-1]]
    wide = np.flatnonzero(first & (joined >= 64))
    if len(wide):
        at = int(place[wide[0]])
        raise line.error(shown(line.text[at : at + 2]), "a mask from 00 to 3f", at + 1)
    return joined[~second], place[~second]


class _Headers:
    """The ``key: value`` lines of one board."""

    def __init__(self) -> None:
        self.values: dict[str, tuple[Line, str, int]] = {}

    def read(self, line: Line, match: re.Match[str]) -> None:
        key, value = match[1].lower(), match[2]
        if key not in _KEYS:
            raise line.error(f"the key {shown(match[1])}", f"one of {', '.join(_KEYS)}", 1)
        if key in self.values:
            raise line.error(f"a second {key}", "one", 1)
        self.values[key] = (line, value.strip(), match.start(2) + 1)

    def choice(self, key: str, choices: dict[str, object], default: str) -> object:
        line, value, column = self.values.get(key, (None, default, 0))
        if value in choices:
            return choices[value]
        assert line is not None
        raise line.error(shown(value), f"one of {', '.join(choices)}", column)

    def name(self, first: Line, plain: str) -> str:
        if "name" not in self.values:
            return first.given_name(None, plain)
        line, value, column = self.values["name"]
        if not value.startswith('"'):
            return value
        try:
            name, end = json.JSONDecoder().raw_decode(line.raw, column - 1)
        except (json.JSONDecodeError, RecursionError):
            raise line.error(shown(value), "a name, or one in double quotes", column) from None
        if not isinstance(name, str) or not _REST.fullmatch(line.raw, end):
            raise line.error(shown(value), "one name in double quotes", column)
        return line.given_name(name, plain)

    def check_size(self, width: int, height: int) -> None:
        if "size" not in self.values:
            return
        line, value, column = self.values["size"]
        match = _SIZE.fullmatch(value)
        if match is None:
            raise line.error(shown(value), "a size such as 5x5", column)
        if (int(match[1]), int(match[2])) != (width, height):
            raise line.error(f"size {value}", f"{width}x{height}, as the rows are", column)


def _board(block: list[Line]) -> Board | Flow:
    headers, rows = _Headers(), _Rows()
    hexagonal = False
    for line in block:
        match = _HEADER.fullmatch(line.text)
        if match is None:
            hexagonal = headers.choice("topology", dict(TOPOLOGIES), "square") is Hexagonal
            rows.read(line, hexagonal)
        elif rows.masks:
            raise line.error("a key behind the rows", "a row, or a blank line before", 1)
        else:
            headers.read(line, match)
    if not rows.masks:
        raise block[-1].error("no rows", "rows of cells under the keys")
    width, height = len(rows.masks[0]), len(rows.masks)
    check_size(block[0], width, height)
    headers.check_size(width, height)
    masks, letter = np.concatenate(rows.masks), np.concatenate(rows.letter)
    locked = np.concatenate(rows.locked)
    inferred = "yes" if _says_orientation(masks, letter, locked, hexagonal) else "no"
    oriented = bool(headers.choice("oriented", dict(_YES_NO), inferred))
    if oriented and letter.any():
        raise headers.values["oriented"][0].error("oriented: yes with letters", "box characters")
    topology: type[Topology] = TOPOLOGIES["hexagonal" if hexagonal else "square"]
    is_flow = text_flow.is_flow(headers.values)
    known, usual = (LEAKS, "reach") if is_flow else (BOARD_RULES, "connected")
    rules = str(headers.choice("rules", {name: name for name in known}, usual))
    board = Board(
        topology(width, height, bool(headers.choice("torus", dict(_YES_NO), "no"))),
        masks,
        oriented=oriented,
        locked=locked,
        walls=np.concatenate(rows.walls),
        rules="match" if is_flow else rules,
        name=headers.name(block[0], "flow" if is_flow else "board"),
        source=block[0].source,
        turns=np.full(len(masks), headers.choice("turns", dict(_TURNS), "clockwise")),
    )
    return text_flow.flow(headers.values, board, rules, block[0]) if is_flow else board


def _says_orientation(
    masks: np.ndarray, letter: np.ndarray, locked: BoolArray, hexagonal: bool
) -> bool:
    """Whether the cells as written tell how the pieces lie: some do and none leaves it open."""
    if hexagonal:
        return True
    turnable = (masks > 0) & (masks < 15) & ~locked
    return bool(turnable.any()) and not letter.any()


def _begins(line: Line) -> bool:
    return _HEADER.fullmatch(line.text) is not None


def _read(page: Page) -> Found:
    yield _board(page.block())


def _name_text(name: str) -> str:
    plain = re.fullmatch(r"[^\s\"#](?:[^\n\r#]*[^\s#])?", name) and name.isprintable()
    return name if plain else json.dumps(name)


def _cells(board: Board) -> list[str]:
    if isinstance(board.topology, Hexagonal):
        return [f"{mask:02x}" for mask in board.pieces.tolist()]
    pairs = zip(board.pieces.tolist(), board.locked.tolist(), strict=True)
    return [
        (HEAVY if lock else LIGHT)[mask] if board.oriented or lock else LETTER_OF[mask]
        for mask, lock in pairs
    ]


def _write(instance: Instance) -> str:
    if isinstance(instance, PlumberPath):
        return number_map.named_text(instance)
    if isinstance(instance, Dominoes):
        return dominoes.write(instance)
    if isinstance(instance, Flow):
        return _written(instance.board, instance, text_flow.header(instance))
    if not isinstance(instance, Board):
        raise UsageError(f"text cannot hold {NOUNS[instance.family]}; json can")
    return _written(instance, instance, [])


def _written(board: Board, instance: Instance, header: list[str]) -> str:
    """The instance on this board, with these lines between its name and rules and the rows."""
    hexagonal = isinstance(board.topology, Hexagonal)
    letter = (board.pieces > 0) & (board.pieces < 15) & ~board.locked & (not board.oriented)
    inferred = _says_orientation(board.pieces, letter, board.locked, hexagonal)
    lines = [f"name: {_name_text(instance.name)}", f"rules: {instance.rules}", *header]
    if hexagonal:
        lines.append("topology: hexagonal")
    if board.topology.wrap:
        lines.append("torus: yes")
    if inferred != board.oriented:
        lines.append(f"oriented: {'yes' if board.oriented else 'no'}")
    turns = shared_permission(board.turns, board.locked)
    if turns is None:
        raise UsageError("text would lose: turns that differ from cell to cell (json keeps them)")
    if turns != CLOCKWISE:
        lines.append(f"turns: {NAMES[turns]}")
    marks = _HEX_WALLS if hexagonal else _SQUARE_WALLS
    crossed = board.walls & (board.neighbours >= 0)
    cells = [c + "!" if lock else c for c, lock in zip(_cells(board), board.locked, strict=True)]
    for mark, direction in marks.items():
        for cell in np.flatnonzero(crossed[:, direction]).tolist():
            cells[cell] += mark
    lines += _aligned(cells, board.width, odd=1 if hexagonal else 0)
    return "\n".join(lines)


def _aligned(cells: list[str], width: int, odd: int) -> list[str]:
    """Rows whose cells stand below each other; ``odd`` rows are indented by so much."""
    wide = max(map(len, cells))
    rows = range(0, len(cells), width)
    return [
        " " * (odd * (number % 2))
        + " ".join(c.ljust(wide) for c in cells[at : at + width]).rstrip()
        for number, at in enumerate(rows)
    ]


FORMAT = Format("text", "rules: connected", _begins, _read, _write)
