"""Connectivity cuts that lazy encodings share: which edges must an assignment add?

Sources: the cut-set form of connectivity, as in subtour elimination for the travelling
salesman (Dantzig, Fulkerson, Johnson 1954).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.csgraph import connected_components

from ..puzzles.model import BoolArray, IntArray, Puzzle, Table, joined_edges


@dataclass(frozen=True, slots=True)
class Cut:
    """A component that is not everything: some edge leaving it must join, if anything it holds
    and anything outside it must be in use.

    ``edges`` leave the component; ``inside`` and ``outside`` are one used vertex on each side
    that break the rule now, with whether each is in use in *every* solution (then the clause
    needs no "unless it is unused" literal).
    """

    edges: IntArray
    inside: int
    outside: int
    vertices: IntArray


def components(puzzle: Puzzle, solution: BoolArray) -> IntArray:
    """The component of each vertex under the joined edges, numbered from 0; shape (vertices,)."""
    ends = puzzle.edge_vertices[joined_edges(puzzle, solution)]
    graph = sparse.coo_array(
        (np.ones(len(ends), dtype=np.int8), (ends[:, 0], ends[:, 1])),
        shape=(puzzle.vertices, puzzle.vertices),
    )
    return connected_components(graph, directed=False)[1].astype(np.int64)


def used_vertices(puzzle: Puzzle, solution: BoolArray) -> BoolArray:
    """Vertices that must hang together: an open port, or needed; shape (vertices,)."""
    used = np.zeros(puzzle.vertices, dtype=np.bool_)
    used[puzzle.owner[solution]] = True
    used[list(puzzle.rules.needed)] = True
    return used


def always_used(puzzle: Puzzle) -> BoolArray:
    """Vertices that are in use in every solution: needed, or no domain without openings."""
    can_rest = []
    for domain in puzzle.domains:
        if isinstance(domain, Table):
            can_rest.append(domain.masks[0] == 0)
        else:
            can_rest.append(0 in domain.numbers(0))
    always = ~np.array(can_rest, dtype=np.bool_)[puzzle.domain_of]
    always[list(puzzle.rules.needed)] = True
    return always


def connectivity_cuts(puzzle: Puzzle, solution: BoolArray) -> list[Cut]:
    """One cut for every component with used vertices if there are several, else none."""
    label = components(puzzle, solution)
    used = used_vertices(puzzle, solution)
    wanted = np.unique(label[used])
    if len(wanted) < 2:
        return []
    ends = label[puzzle.edge_vertices]
    always = always_used(puzzle)
    representative = {int(k): _pick(label, k, used, always) for k in wanted}
    cuts = []
    for k in wanted:
        leaving = np.flatnonzero((ends[:, 0] == k) != (ends[:, 1] == k))
        elsewhere = min(
            (v for other, v in representative.items() if other != k),
            key=lambda v: not always[v],
        )
        cuts.append(Cut(leaving, representative[int(k)], elsewhere, np.flatnonzero(label == k)))
    return cuts


def _pick(label: IntArray, component: int, used: BoolArray, always: BoolArray) -> int:
    """A used vertex of the component, one that is always used if it has any."""
    members = np.flatnonzero((label == component) & used)
    sure = members[always[members]]
    return int(sure[0] if len(sure) else members[0])
