"""Partial boards: a random connected set of cells, so that the number of pieces varies.

Ends, tees and crosses all occur, and so do boards with many solutions; article 000's question
(what makes a board have many?) is put to these.
"""

from __future__ import annotations

import numpy as np

from ..model import BoolArray
from .planted import Grid, Planted, planted, probability
from .stream import Stream
from .trees import kruskal


def plant_partial(
    width: int,
    height: int,
    seed: int,
    *,
    wrap: bool = False,
    fill: float = 0.8,
    density: float = 0.1,
) -> Planted:
    """A board with pieces on a connected ``fill`` of the cells.

    A random tree spans the chosen cells, and every other border between two of them is opened
    with probability ``density``. One cell alone stays blank. Raises UsageError.
    """
    share, chance = probability("fill", fill), probability("density", density)
    grid, stream = Grid(width, height, wrap), Stream(seed)
    taken = _grow(grid, round(share * grid.cells), stream)
    inside = taken[grid.tail] & taken[grid.head]
    tree = kruskal(grid, stream, inside)
    on = tree | inside & (stream.uniform(grid.edges) < chance)
    return planted(grid, grid.masks(on), stream, family="partial", seed=seed, rules="connected")


def _grow(grid: Grid, cells: int, stream: Stream) -> BoolArray:
    """A connected set of so many cells; the next is drawn from the borders of those taken."""
    beside = grid.neighbours.tolist()
    taken = np.zeros(grid.cells, dtype=np.bool_)
    border = [stream.below(grid.cells)]
    while cells:
        pick = stream.below(len(border))
        border[pick], border[-1] = border[-1], border[pick]
        cell = border.pop()
        if not taken[cell]:
            taken[cell] = True
            cells -= 1
            border.extend(n for n in beside[cell] if n >= 0 and not taken[n])
    return taken
