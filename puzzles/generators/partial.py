"""Partial boards: a random connected set of cells, so that the number of pieces varies.

Ends, tees and crosses all occur, and so do boards with many solutions; article 000's question
(what makes a board have many?) is put to these.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import minimum_spanning_tree

from ..board import Board
from ..errors import UsageError
from ..instance import Source
from ..model import BoolArray, IntArray
from ..topology import Square


def _grow(neighbours: IntArray, cells: int, rng: np.random.Generator) -> BoolArray:
    """A connected set of so many cells, each next one drawn from those that touch it."""
    taken = np.zeros(len(neighbours), dtype=np.bool_)
    border = [int(rng.integers(len(neighbours)))]
    while cells and border:
        pick = int(rng.integers(len(border)))
        border[pick], border[-1] = border[-1], border[pick]
        cell = border.pop()
        if taken[cell]:
            continue
        taken[cell] = True
        cells -= 1
        border.extend(int(n) for n in neighbours[cell] if n >= 0 and not taken[n])
    return taken


def partial(
    width: int,
    height: int,
    seed: int,
    *,
    wrap: bool = False,
    fill: float = 0.8,
    density: float = 0.1,
) -> Board:
    """A connected-rules board on ``fill`` of the cells (at least one).

    A random spanning tree of the chosen cells (Kruskal with random weights), and every other
    border between two of them opened with probability ``density``. A single cell is blank.
    The pieces are turned at random. Raises UsageError for shares outside 0 to 1.
    """
    for name, share in (("fill", fill), ("density", density)):
        if not 0 <= share <= 1:
            raise UsageError(f"{name} {share}: expected a share from 0 to 1")
    rng = np.random.default_rng(seed)
    grid = Square(width, height, wrap)
    neighbours = grid.neighbours()
    cells = max(1, round(fill * width * height))
    taken = _grow(neighbours, cells, rng)
    pieces = np.zeros(width * height, dtype=np.int64)
    here, direction = np.nonzero((neighbours[:, 1:3] >= 0) & taken[:, None])
    there = neighbours[here, direction + 1]
    inside = taken[there] & (here != there)
    here, there, direction = here[inside], there[inside], direction[inside] + 1
    weights = rng.random(len(here)) + 1
    opened = rng.random(len(here)) < density
    tree = minimum_spanning_tree(_lightest(here, there, weights, width * height)).tocoo()
    opened |= np.isin(weights, tree.data)
    np.bitwise_or.at(pieces, here[opened], 1 << direction[opened])
    np.bitwise_or.at(pieces, there[opened], 1 << (direction[opened] + 2) % 4)
    turns = rng.integers(4, size=len(pieces))
    pieces = (pieces << turns | pieces >> (4 - turns)) & 15
    return Board(
        grid, pieces, oriented=True, rules="connected", name="partial", source=Source("generator")
    )


def _lightest(here: IntArray, there: IntArray, weights: np.ndarray, cells: int) -> coo_array:
    """The graph with only the lightest of parallel borders: coo_array would add them up."""
    order = np.argsort(weights)
    pairs = np.sort(np.stack([here[order], there[order]], axis=1), axis=1)
    _, first = np.unique(pairs, axis=0, return_index=True)
    kept = order[first]
    return coo_array((weights[kept], (here[kept], there[kept])), shape=(cells, cells))
