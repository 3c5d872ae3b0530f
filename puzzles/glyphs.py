"""The characters that stand for square pieces: letters and box drawing.

Masks are up 1, right 2, down 4, left 8; a letter names a piece whatever its orientation.
"""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

from .topology import orientations

LETTERS: dict[str, int] = {".": 0, "E": 1, "I": 5, "L": 3, "T": 7, "X": 15}
"""Blank, end, straight, elbow, tee, cross, each in its first orientation."""

LETTER_OF: str = "".join(
    next(letter for letter, piece in LETTERS.items() if piece in orientations(mask, 4))
    for mask in range(16)
)
"""The letter of the piece with this mask."""

LIGHT = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
HEAVY = "·╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
"""The picture of each mask."""

_SIDES = {"UP": 1, "RIGHT": 2, "DOWN": 4, "LEFT": 8, "VERTICAL": 5, "HORIZONTAL": 10}
_NOT_PIPES = {"DOUBLE", "DASH", "DIAGONAL"}


def _box_characters() -> dict[str, int]:
    """Every solid single line of Unicode's box drawing block (light, heavy, mixed, arcs, half
    lines), read off the character's own name: "LIGHT UP AND HORIZONTAL" is a tee.
    """
    found = {}
    for code in range(0x2500, 0x2580):
        words = set(unicodedata.name(chr(code)).split())
        if not words & _NOT_PIPES:
            found[chr(code)] = sum(_SIDES[w] for w in words & _SIDES.keys())
    return found


BOX: dict[str, int] = _box_characters()

_CODES = 0x2580


def lookup(table: dict[str, int]) -> NDArray[np.int16]:
    """An array from code point to value for ``read_codes``; -1 for all other characters."""
    codes = np.full(_CODES + 1, -1, dtype=np.int16)
    for character, value in table.items():
        codes[ord(character)] = value
    return codes


def read_codes(text: str, codes: NDArray[np.int16]) -> NDArray[np.int16]:
    """The value of each character of ``text``, shape (len(text),); -1 where it has none."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return codes[np.minimum(points, _CODES)]
