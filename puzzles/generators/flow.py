"""Flow boards with a planted layout, and when two flow boards are the same."""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..errors import UsageError
from ..flow import Flow
from ..instance import Source
from ..model import BoolArray
from .distinct import symmetries_of
from .planted import Grid, probability, scramble
from .stream import Stream
from .trees import kruskal

OTHERS = ("tight", "random", "blank")


def make_flow(
    width: int,
    height: int,
    seed: int,
    *,
    sources: int = 1,
    sinks: int = 1,
    wish: str = "all",
    border: str = "closed",
    locked: float = 0.2,
    others: str = "tight",
    density: float = 0.3,
    blank: float = 0.0,
) -> Flow:
    """A board with a layout whose water runs from the sources to all sinks without a leak.

    The water takes the paths between random terminals in a random tree of the grid (Kruskal's).
    ``others`` says what else there is: *tight*: every other border is opened with probability
    ``density``, so that nothing leaks anywhere and all rules can be met; *random*: random
    straights, elbows, tees and crosses off the paths, which reach and sealed can bear, article
    and strict often not; *blank*: nothing. Of what is off the paths the share ``blank`` is left
    out first; of the pieces the share ``locked`` is locked as it lies in that layout, the others
    are turned at random. Raises UsageError for bad sizes and options.
    """
    for name, value in (("locked", locked), ("density", density), ("blank", blank)):
        probability(name, value)
    if others not in OTHERS:
        raise UsageError(f"others {others!r}: expected {', '.join(OTHERS)}")
    grid, stream = Grid(width, height, wrap=False), Stream(seed)
    one_cell = grid.cells == 1 and sources == sinks == 1
    if sources < 1 or sinks < 1 or (sources + sinks > grid.cells and not one_cell):
        raise UsageError(
            f"{sources} sources and {sinks} sinks: expected at least one of each, and "
            f"no more than the {grid.cells} cells of {grid.size}"
        )
    ends = [cell % grid.cells for cell in stream.order(grid.cells).tolist()]
    ends = (ends * 2)[: sources + sinks]
    on = _paths(grid, kruskal(grid, stream), ends)
    wet = grid.masks(on) > 0
    wet[ends] = True
    used = wet | (stream.uniform(grid.cells) >= blank)
    masks = grid.masks(on)
    if others == "tight":
        inside = used[grid.tail] & used[grid.head]
        masks = grid.masks(on | inside & (stream.uniform(grid.edges) < density))
    elif others == "random":
        chance = np.array([5, 3, 7, 15])[stream.integers(4, grid.cells)]
        masks = np.where(wet, masks, np.where(used, scramble(chance, stream), 0))
    lock = (stream.uniform(grid.cells) < locked) & (masks > 0)
    pieces = np.where(lock, masks, scramble(masks, stream))
    return Flow(
        Board(grid.topology, pieces, oriented=True, locked=lock, rules="match"),
        tuple(ends[:sources]),
        tuple(ends[sources:]),
        wish=wish,
        border=border,
        name=f"flow-{grid.size}-{seed}",
        source=Source("generator"),
    )


def _paths(grid: Grid, tree: BoolArray, ends: list[int]) -> BoolArray:
    """The edges of a tree that lie between some of these cells, shape (edges,)."""
    on = tree.copy()
    degree = np.bincount(grid.tail[on], minlength=grid.cells)
    degree += np.bincount(grid.head[on], minlength=grid.cells)
    kept = np.zeros(grid.cells, dtype=np.bool_)
    kept[ends] = True
    leaves = np.flatnonzero((degree == 1) & ~kept).tolist()
    edge_at = grid.edge_at.tolist()
    while leaves:
        leaf = leaves.pop()
        edge = next(e for e in edge_at[leaf] if e >= 0 and on[e])
        on[edge] = False
        there = int(grid.tail[edge] + grid.head[edge] - leaf)
        degree[there] -= 1
        if degree[there] == 1 and not kept[there]:
            leaves.append(there)
    return on


def canonical(flow: Flow) -> object:
    """A key that two flow boards share exactly if one of the 8 symmetries of the square turns one
    into the other: pieces, locked masks, walls, terminals (paired ones in any order, either one
    the source), wish, border and rules.
    """
    keys = []
    for layers, old in symmetries_of(flow.board):
        place = {cell: at for at, cell in enumerate(old)}
        sources = [place[cell] for cell in flow.sources]
        sinks = [place[cell] for cell in flow.sinks]
        if flow.wish == "paired":
            pairs = zip(sources, sinks, strict=True)
            terminals = [sorted({(min(pair), max(pair)) for pair in pairs})]
        else:
            terminals = [sorted(sources), sorted(sinks)]
        keys.append((layers.shape, layers.tobytes(), terminals))
    rule = (flow.rules, flow.wish, flow.border, flow.board.topology.wrap)
    shape, layers, terminals = min(keys)
    return (*rule, shape, layers, repr(terminals))
