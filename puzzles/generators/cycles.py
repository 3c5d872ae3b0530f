"""Boards made of cycles: unions of random cycles, and sums of unit faces.

In both every piece has two or four openings. Without wrap such a board has at most one match
solution: swept row by row, each opening is forced by those above and to the left.
"""

from __future__ import annotations

import numpy as np

from ..errors import GenerationFailed
from ..graph import label_components
from ..model import BoolArray, IntArray
from ..topology import opposite
from .planted import Grid, Planted, planted, probability
from .stream import Stream

REDRAWS = 1000
UNIONS = 5


def plant_cycles(
    width: int, height: int, seed: int, *, wrap: bool = False, coverage: float = 0.6
) -> Planted:
    """A union of edge-disjoint random cycles that hang together.

    Cycles are laid anywhere until the largest component holds the share ``coverage`` of the
    cells, or 20 tries per cell are over, so it ends at every size; only that component is kept.
    The largest of up to 5 unions, if none gets as far as that.
    Raises UsageError; GenerationFailed where the grid has no cycle.
    """
    share = probability("coverage", coverage)
    grid, stream = Grid(width, height, wrap), Stream(seed)
    if grid.edges < grid.cells:
        raise GenerationFailed(f"cycles {grid.size}: this grid has no cycle")
    best = None
    for _ in range(UNIONS):
        union = _Union(grid, stream)
        union.grow(share * grid.cells)
        if best is None or union.most > best.most:
            best = union
        if best.most >= share * grid.cells:
            break
    assert best is not None
    masks = best.largest()
    return planted(grid, masks, stream, family="cycles", seed=seed, rules="connected")


class _Union:
    """The cycles so far: ``masks`` are the ports in use; ``parent`` and ``size`` are the
    union-find of the components they form, ``most`` is the size of the largest.
    """

    TRIES_PER_CELL = 20

    def __init__(self, grid: Grid, stream: Stream) -> None:
        self.stream = stream
        self.beside: list[list[int]] = grid.neighbours.tolist()
        self.back = [opposite(grid.topology, d) for d in range(grid.directions)]
        self.masks = [0] * grid.cells
        self.parent = list(range(grid.cells))
        self.size = [1] * grid.cells
        self.most = 0

    def grow(self, wanted: float) -> None:
        """Lay cycles until the largest component holds ``wanted`` cells, at least one cycle."""
        cells = len(self.masks)
        tries = 0
        while not self.most or (self.most < wanted and tries < self.TRIES_PER_CELL * cells):
            self._lay(self._cycle(self.stream.below(cells)))
            tries += 1

    def largest(self) -> IntArray:
        """The masks of the largest component (ties: the first in reading order), 0 elsewhere."""
        roots = [self._root(cell) for cell in range(len(self.masks))]
        best = max(
            (r for r, m in zip(roots, self.masks, strict=True) if m), key=self.size.__getitem__
        )
        kept = [m if r == best else 0 for r, m in zip(roots, self.masks, strict=True)]
        return np.array(kept, dtype=np.int64)

    def _root(self, cell: int) -> int:
        parent = self.parent
        while parent[cell] != cell:
            parent[cell] = cell = parent[parent[cell]]
        return cell

    def _lay(self, cycle: list[tuple[int, int]]) -> None:
        for cell, way in cycle:
            there = self.beside[cell][way]
            self.masks[cell] |= 1 << way
            self.masks[there] |= 1 << self.back[way]
            one, other = self._root(cell), self._root(there)
            if one != other:
                self.parent[one] = other
                self.size[other] += self.size[one]
            self.most = max(self.most, self.size[other])

    def _cycle(self, start: int) -> list[tuple[int, int]]:
        """The first cycle that a walk over unused edges closes, as (cell, way out) pairs; empty
        if it gets stuck. It never turns back, and may close anywhere on its path.
        """
        path: list[tuple[int, int]] = []
        position: dict[int, int] = {}
        cell, came = start, -1
        while cell not in position:
            position[cell] = len(path)
            mask = self.masks[cell]
            ways = [
                d
                for d, there in enumerate(self.beside[cell])
                if there >= 0 and d != came and not mask >> d & 1
            ]
            if not ways:
                return []
            way = self.stream.pick(ways)
            path.append((cell, way))
            cell, came = self.beside[cell][way], self.back[way]
        return path[position[cell] :]


def plant_faces(
    width: int, height: int, seed: int, *, wrap: bool = False, p: float = 0.5
) -> Planted:
    """The sum modulo 2 of unit faces, each taken with probability ``p``; of what results only
    the largest component is kept. At p = 0.5 the hardest family for the solver of article 000.

    Raises UsageError; GenerationFailed where the grid has no face, or p is so small that all of
    1000 draws were empty.
    """
    chance = probability("p", p)
    grid, stream = Grid(width, height, wrap), Stream(seed)
    down, right = grid.neighbours[:, 2], grid.neighbours[:, 1]
    corners = np.flatnonzero((down >= 0) & (right >= 0))
    if not corners.size:
        raise GenerationFailed(f"faces {grid.size}: this grid has no face")
    for _ in range(REDRAWS):
        taken = corners[stream.uniform(len(corners)) < chance]
        on = np.zeros(grid.edges, dtype=np.int64)
        # The face below and to the right of a cell: its top and left edges begin there.
        at = grid.edge_at
        for edges in (at[taken, 1], at[taken, 2], at[down[taken], 1], at[right[taken], 2]):
            np.add.at(on, edges, 1)
        if np.any(on % 2):
            masks = grid.masks(largest_component(grid, on % 2 == 1))
            return planted(grid, masks, stream, family="faces", seed=seed, rules="connected")
    raise GenerationFailed(f"faces {grid.size}: {REDRAWS} draws with p = {p} were all empty")


def largest_component(grid: Grid, on: BoolArray) -> BoolArray:
    """Of these edges the ones in the component with most cells (ties: the first in reading
    order); shape (edges,).
    """
    label = label_components(grid.cells, np.stack([grid.tail[on], grid.head[on]], axis=1))
    sizes = np.bincount(label[grid.masks(on) > 0], minlength=1)
    return on & (label[grid.tail] == _first_largest(label, sizes))


def _first_largest(label: IntArray, sizes: IntArray) -> int:
    """The label of that size whose first cell comes first."""
    ties = np.flatnonzero(sizes == sizes.max())
    return int(label[np.flatnonzero(np.isin(label, ties))[0]])
