"""Telling generated boards apart: two that differ by a rotation or a mirror are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..board import Board
from ..errors import GenerationFailed, UsageError
from .planted import PIECE_OF

Key = tuple[str, bool, int, int, bytes]
Layers = NDArray[np.integer[Any]]


def canonical(board: Board, *, translations: bool = False) -> Key:
    """A key that two boards share exactly if one of the 8 symmetries of the square turns one
    into the other: same pieces (whatever their given orientation), walls, locked masks, rules.

    ``translations`` adds the shifts of a torus; that costs cells² steps. Raises UsageError for
    a board that is not square-celled.
    """
    if board.topology.kind != "square":
        raise UsageError(f"canonical: found a {board.topology.kind} board, expected square cells")
    wrap = board.topology.wrap
    keys = []
    for layers in _symmetries(_layers(board)):
        height, width = layers.shape[:2]
        shifted = _translations(layers) if translations and wrap else [layers]
        keys += [(board.rules, wrap, height, width, each.tobytes()) for each in shifted]
    return min(keys)


def _layers(board: Board) -> Layers:
    """What makes a cell: piece, locked mask + 1 (0 for free), four walls; (height, width, 6)."""
    locked = np.where(board.locked, board.pieces + 1, 0)
    cells = np.column_stack([PIECE_OF[board.pieces], locked, board.walls])
    return cells.reshape(board.height, board.width, 6).astype(np.uint8)


def symmetries_of(board: Board) -> Iterator[tuple[Layers, list[int]]]:
    """The 8 positions of a square-celled board: what makes its cells, see ``canonical``, and for
    each place the number of the cell that comes to lie there.
    """
    index = np.arange(board.cells).reshape(board.height, board.width, 1)
    for layers in _symmetries(np.concatenate([_layers(board).astype(np.int64), index], axis=2)):
        yield layers[..., :-1].astype(np.uint8), layers[..., -1].ravel().tolist()


def _symmetries(layers: Layers) -> Iterator[Layers]:
    """The board in its 8 positions: four turns, each also mirrored."""
    for _ in range(4):
        yield layers
        yield _mirrored(layers)
        layers = _turned(layers)


def _turned(layers: Layers) -> Layers:
    """A quarter turn clockwise: what looked up looks right."""
    out = np.rot90(layers, -1).copy()
    out[..., 2:6] = np.roll(out[..., 2:6], 1, axis=-1)
    mask = out[..., 1].astype(np.int64) - 1
    out[..., 1] = np.where(mask >= 0, (mask << 1 | mask >> 3) % 16 + 1, 0)
    return out


def _mirrored(layers: Layers) -> Layers:
    """Left and right exchanged."""
    out = layers[:, ::-1].copy()
    out[..., [3, 5]] = out[..., [5, 3]]
    mask = out[..., 1].astype(np.int64) - 1
    swapped = mask & 5 | mask << 2 & 8 | mask >> 2 & 2
    out[..., 1] = np.where(mask >= 0, swapped + 1, 0)
    return out


def _translations(layers: Layers) -> Iterator[Layers]:
    for row in range(layers.shape[0]):
        for column in range(layers.shape[1]):
            yield np.roll(layers, (-row, -column), axis=(0, 1))


def distinct(
    make: Callable[[int], Board],
    n: int,
    *,
    seed: int = 0,
    patience: int = 1000,
    translations: bool = False,
) -> Iterator[Board]:
    """``n`` boards of which no two are the same up to symmetry: ``make(seed)``,
    ``make(seed + 1)``, and so on without the repeats.

    Raises GenerationFailed, saying how many there were, once ``patience`` seeds in a row gave
    nothing new (a seed for which ``make`` raises GenerationFailed counts as one).
    """
    if n < 0 or patience < 1:
        raise UsageError(f"n {n}, patience {patience}: expected at least 0 and 1")
    return islice(_distinct(make, seed, patience, translations, n), n)


def _distinct(
    make: Callable[[int], Board], seed: int, patience: int, translations: bool, n: int
) -> Iterator[Board]:
    seen: set[Key] = set()
    misses, last = 0, "each repeated an earlier board up to symmetry"
    for current in count(seed):
        try:
            board = make(current)
        except GenerationFailed as error:
            board, last = None, f"last: {error}"
        key = None if board is None else canonical(board, translations=translations)
        if board is not None and key is not None and key not in seen:
            seen.add(key)
            misses = 0
            yield board
            continue
        misses += 1
        if misses == patience:
            raise GenerationFailed(
                f"{len(seen)} distinct boards found, {n} asked for; "
                f"{patience} seeds in a row gave no new one ({last})"
            )
