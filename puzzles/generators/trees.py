"""Boards whose solution is a random spanning tree of the grid: net, dfs, kruskal.

Sources: D. B. Wilson, "Generating random spanning trees more quickly than the cover time",
STOC 1996 (net: every tree is equally likely); depth-first search (dfs: long corridors); J. B.
Kruskal 1956 with a random order of edges (kruskal: many short branches).
"""

from __future__ import annotations

import numpy as np

from ..errors import GenerationFailed
from ..model import BoolArray
from .planted import Grid, Planted, planted, probability
from .stream import Stream

PATIENCE = 5_000_000


def plant_net(
    width: int, height: int, seed: int, *, wrap: bool = False, walls: float = 0.0
) -> Planted:
    """A uniform spanning tree. ``walls`` is the share of the unused borders that become walls.

    Raises UsageError for bad sizes or options; GenerationFailed on boards so long and thin that
    the random walk does not arrive.
    """
    share = probability("walls", walls)
    grid, stream = Grid(width, height, wrap), Stream(seed)
    return _board(grid, wilson(grid, stream), stream, "net", seed, share)


def plant_dfs(
    width: int, height: int, seed: int, *, wrap: bool = False, walls: float = 0.0
) -> Planted:
    """A random depth-first tree; options as for net. Raises UsageError."""
    share = probability("walls", walls)
    grid, stream = Grid(width, height, wrap), Stream(seed)
    return _board(grid, depth_first(grid, stream), stream, "dfs", seed, share)


def plant_kruskal(
    width: int, height: int, seed: int, *, wrap: bool = False, walls: float = 0.0
) -> Planted:
    """The tree of Kruskal's algorithm on random weights; options as for net.

    Raises UsageError.
    """
    share = probability("walls", walls)
    grid, stream = Grid(width, height, wrap), Stream(seed)
    return _board(grid, kruskal(grid, stream), stream, "kruskal", seed, share)


def _board(
    grid: Grid, on: BoolArray, stream: Stream, family: str, seed: int, share: float
) -> Planted:
    walls = None
    if share:
        unused = np.flatnonzero(~on)
        chosen = unused[stream.order(len(unused))[: round(share * len(unused))]]
        walls = np.zeros((grid.cells, grid.directions), dtype=np.bool_)
        walls[grid.tail[chosen], grid.way[chosen]] = True
    masks = grid.masks(on)
    return planted(grid, masks, stream, family=family, seed=seed, rules="tree", walls=walls)


def wilson(grid: Grid, stream: Stream) -> BoolArray:
    """The edges of a uniform spanning tree, shape (edges,). Parallel edges count separately.

    About 8 steps per cell on big squares. A thin board needs about length² steps; from a budget
    on it raises GenerationFailed.
    """
    if grid.edges == grid.cells - 1:
        return np.ones(grid.edges, dtype=np.bool_)
    degree, cells = grid.directions, grid.cells
    beside = grid.neighbours.ravel().tolist()
    in_tree = bytearray(cells)
    in_tree[stream.below(cells)] = 1
    leave = [-1] * cells
    budget = PATIENCE + 100 * cells
    for cell in stream.order(cells).tolist():
        here = cell
        # Overwriting where the walk left a cell last erases its loops, the grid's own included.
        while not in_tree[here]:
            port = here * degree + stream.below(degree)
            there = beside[port]
            if there >= 0:
                leave[here] = port
                here = there
            budget -= 1
            if not budget:
                raise GenerationFailed(
                    f"net {grid.size}: the random walk needs too long on so thin a board; "
                    "dfs and kruskal trees are quick at every size"
                )
        here = cell
        while not in_tree[here]:
            in_tree[here] = 1
            here = beside[leave[here]]
    left = np.array(leave, dtype=np.int64)
    on = np.zeros(grid.edges, dtype=np.bool_)
    on[grid.edge_at.ravel()[left[left >= 0]]] = True
    return on


def depth_first(grid: Grid, stream: Stream) -> BoolArray:
    """The edges of a random depth-first tree, shape (edges,)."""
    on = np.zeros(grid.edges, dtype=np.bool_)
    beside, at = grid.neighbours.tolist(), grid.edge_at.tolist()
    seen = bytearray(grid.cells)
    stack = [stream.below(grid.cells)]
    seen[stack[0]] = 1
    taken = []
    while stack:
        here = stack[-1]
        ways = [d for d, there in enumerate(beside[here]) if there >= 0 and not seen[there]]
        if not ways:
            stack.pop()
            continue
        way = stream.pick(ways)
        taken.append(at[here][way])
        there = beside[here][way]
        seen[there] = 1
        stack.append(there)
    on[taken] = True
    return on


def kruskal(grid: Grid, stream: Stream, among: BoolArray | None = None) -> BoolArray:
    """Edges (only those of ``among``, if given) in random order, each kept if it closes no
    cycle; shape (edges,).
    """
    on = np.zeros(grid.edges, dtype=np.bool_)
    order = stream.order(grid.edges)
    if among is not None:
        order = order[among[order]]
    # Union-find by path halving: parent[x] leads towards the representative of x's component.
    parent = list(range(grid.cells))
    taken = []
    for edge, u, v in zip(
        order.tolist(), grid.tail[order].tolist(), grid.head[order].tolist(), strict=True
    ):
        while parent[u] != u:
            parent[u] = u = parent[parent[u]]
        while parent[v] != v:
            parent[v] = v = parent[parent[v]]
        if u != v:
            parent[u] = v
            taken.append(edge)
    on[taken] = True
    return on
