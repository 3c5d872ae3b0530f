"""Pieces put down without a plan, and plans with two pieces swapped: mostly unsolvable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..errors import GenerationFailed, UsageError
from ..instance import Source
from .cycles import plant_cycles, plant_faces
from .dense import plant_dense
from .planted import PIECE_OF, SIX_PIECES, Grid, Planted, probability, scramble, unplanted
from .stream import Stream
from .trees import plant_dfs, plant_kruskal, plant_net

BASES: dict[str, Callable[..., Planted]] = {
    "net": plant_net,
    "dfs": plant_dfs,
    "kruskal": plant_kruskal,
    "cycles": plant_cycles,
    "faces": plant_faces,
    "dense": plant_dense,
}


def plant_random(
    width: int,
    height: int,
    seed: int,
    *,
    wrap: bool = False,
    blank: float = 0.08,
    pieces: str = "ILX",
) -> Planted:
    """Each cell blank with probability ``blank``, else a letter of ``pieces`` (a letter that
    stands there twice is twice as likely). The defaults are the assembly of article 000, drawn
    from another stream of random numbers. Raises UsageError.
    """
    chance = probability("blank", blank)
    if not pieces or set(pieces) - set(SIX_PIECES):
        raise UsageError(f"pieces {pieces!r}: expected letters among {' '.join(SIX_PIECES)}")
    grid, stream = Grid(width, height, wrap), Stream(seed)
    masks = np.array([SIX_PIECES[letter] for letter in pieces])
    drawn = masks[stream.integers(len(masks), grid.cells)]
    drawn[stream.uniform(grid.cells) < chance] = 0
    return unplanted(grid, drawn, name=f"random-{grid.size}-{seed}")


def plant_near_miss(
    width: int, height: int, seed: int, *, wrap: bool = False, base: str = "faces"
) -> Planted:
    """A board of the generator ``base`` in which two cells of one checkerboard colour have
    swapped their pieces, which differ; colour sums are as before, yet mostly nothing fits.

    Raises UsageError; GenerationFailed where no colour holds two different pieces.
    """
    if base not in BASES:
        raise UsageError(f"base {base!r}: expected one of {', '.join(BASES)}")
    board = BASES[base](width, height, seed, wrap=wrap).board
    stream = Stream(seed)
    pieces = np.array(PIECE_OF[board.pieces])
    rows, columns = np.divmod(np.arange(board.cells), width)
    colour = (rows + columns) % 2
    for first in stream.order(board.cells).tolist():
        others = np.flatnonzero((colour == colour[first]) & (pieces != pieces[first]))
        if others.size:
            second = others[stream.below(len(others))]
            pieces[[first, second]] = pieces[[second, first]]
            break
    else:
        size = Grid(width, height, wrap).size
        raise GenerationFailed(f"near-miss {size}: no colour holds two different pieces")
    swapped = replace(
        board,
        pieces=scramble(pieces, stream),
        name=f"near-miss-{board.name}",
        source=Source("generator"),
    )
    return Planted(swapped)
