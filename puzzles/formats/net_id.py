"""Game IDs of the Net game of the Portable Puzzle Collection: ``5x5w:1115h337…``.

``WxH``, ``w`` for a torus, a colon, then per cell one hex digit (right 1, up 2, left 4, down 8)
and any number of ``v`` (a wall on its right) and ``h`` (a wall below), modulo the size. ``W:``
means ``WxW``. The parameters ``a`` and ``b0.1`` say how a board was generated and are passed
over. As in the game itself, hex digits may be upper case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ..board import Board
from ..errors import UsageError
from ..instance import NOUNS, Instance
from ..model import BoolArray, IntArray
from ..topology import DOWN, LEFT, RIGHT, UP, Square
from ..turns import CLOCKWISE, shared_permission
from .format import Format, Found
from .page import Line, Page, check_size, shown

_HEAD = re.compile(r"(\d+)(?:x(\d+))?([^:#]*)([:#]?)", re.ASCII)
_PARAMETERS = re.compile(r"(?:w|a|b\d*\.?\d+(?:e-?\d+)?)*", re.ASCII)
_NET_SIDE = {RIGHT: 1, UP: 2, LEFT: 4, DOWN: 8}
_FROM_NET = np.array(
    [sum(1 << d for d, bit in _NET_SIDE.items() if net & bit) for net in range(16)]
)
_TO_NET = np.argsort(_FROM_NET)
_BAD, _V, _H = 255, 17, 18


def _codes() -> np.ndarray:
    codes = np.full(256, _BAD, dtype=np.uint8)
    for digits in ("0123456789abcdef", "0123456789ABCDEF"):
        codes[np.frombuffer(digits.encode(), dtype=np.uint8)] = np.arange(16)
    codes[ord("v")], codes[ord("h")] = _V, _H
    return codes


_CODES = _codes()


def from_net(masks: IntArray) -> IntArray:
    """Masks in the game's bits as masks of the model."""
    return _FROM_NET[masks]


@dataclass(frozen=True, slots=True)
class Parameters:
    """The part before the colon."""

    width: int
    height: int
    wrap: bool


def parameters(line: Line, text: str, column: int = 1) -> tuple[Parameters, int]:
    """The size and wrap that ``text`` begins with, and where the description starts in it.

    Raises InputError; ``column`` is where ``text`` stands on the line.
    """
    head = _HEAD.match(text)
    if head is None:
        raise line.error(shown(text), "a size such as 5x5", column)
    width, height, rest, mark = head.groups()
    extra = _PARAMETERS.match(rest)
    good = extra.end() if extra else 0
    if good < len(rest):
        raise line.error(
            shown(rest[good:]), "w, a, b and a number, or ':'", column + head.start(3) + good
        )
    if mark == "#":
        raise line.error(
            "a random seed, which only the game itself can make a board of",
            "a ':' and a description",
            column + head.end() - 1,
        )
    height = width if height is None else height
    if max(len(width), len(height)) > 9:
        raise line.error(f"a {shown(width)[1:-1]}x{shown(height)[1:-1]} grid", "a smaller grid", 1)
    found = Parameters(int(width), int(height), "w" in rest)
    check_size(line, found.width, found.height)
    return found, head.end() if mark else -1


def description(line: Line, text: str, column: int, size: Parameters) -> tuple[IntArray, BoolArray]:
    """Pieces (cells,) and walls, (cells, 4) or empty, of a description; raises InputError.

    ``column`` is where ``text`` stands on the line.
    """
    cells = size.width * size.height
    codes = _CODES[np.frombuffer(text.encode("latin-1", "replace"), dtype=np.uint8)]
    bad = np.flatnonzero(codes == _BAD)
    if len(bad):
        at = int(bad[0])
        raise line.error(shown(text[at]), "a hex digit, v or h", column + at)
    if len(codes) and codes[0] > 15:
        raise line.error(f"{shown(text[0])}, a wall before the first cell", "a hex digit", column)
    is_cell = codes < 16
    given = int(is_cell.sum())
    if given < cells:
        raise line.error(
            f"the end after {given} cells",
            f"{cells} cells for {size.width}x{size.height}",
            column + len(text),
        )
    if given > cells:
        at = int(np.flatnonzero(is_cell)[cells])
        raise line.error(
            f"{given} cells", f"{cells} cells for {size.width}x{size.height}", column + at
        )
    owner = np.cumsum(is_cell) - 1
    walls = np.zeros((cells, 4), dtype=np.bool_)
    walls[owner[codes == _V], RIGHT] = True
    walls[owner[codes == _H], DOWN] = True
    if not size.wrap:  # the rim is closed already
        walls[size.width - 1 :: size.width, RIGHT] = False
        walls[cells - size.width :, DOWN] = False
    return from_net(codes[is_cell]), walls if walls.any() else np.zeros(0, dtype=np.bool_)


def _begins(line: Line) -> bool:
    return line.text.lstrip()[:1] in set("0123456789")


def _board(line: Line) -> Board:
    text = line.text.lstrip()
    column = len(line.text) - len(text) + 1
    if ":" not in text and "#" not in text:
        raise line.error("no ':'", "a ':' and one hex digit per cell", column + len(text))
    size, start = parameters(line, text, column)
    pieces, walls = description(line, text[start:], column + start, size)
    return Board(
        Square(size.width, size.height, size.wrap),
        pieces,
        oriented=True,
        walls=walls,
        rules="tree",
        name=line.name(),
        source=line.source,
    )


def _read(page: Page) -> Found:
    yield _board(page.line())


def _write(instance: Instance) -> str:
    if not isinstance(instance, Board):
        raise UsageError(f"net-id cannot hold {NOUNS[instance.family]}")
    lost = []
    if not isinstance(instance.topology, Square):
        lost.append(f"{instance.topology.kind} cells")
    if instance.locked.any():
        lost.append(f"{int(instance.locked.sum())} locked cells")
    if instance.rules != "tree":
        lost.append(f"rules {instance.rules} (a game ID means tree)")
    if shared_permission(instance.turns, instance.locked) != CLOCKWISE:
        lost.append("turns other than clockwise")
    if lost:
        raise UsageError(f"net-id would lose: {', '.join(lost)}")
    crossed = instance.walls & (instance.neighbours >= 0)
    out = np.zeros((instance.cells, 3), dtype=np.uint8)
    digits = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
    out[:, 0] = digits[_TO_NET[instance.pieces]]
    out[crossed[:, RIGHT], 1] = ord("v")
    out[crossed[:, DOWN], 2] = ord("h")
    wrap = "w" if instance.topology.wrap else ""
    description = out[out > 0].tobytes().decode()
    return f"{instance.width}x{instance.height}{wrap}:{description}"


FORMAT = Format("net-id", "5x5:1115337157375775157135131", _begins, _read, _write)
