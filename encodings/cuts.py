"""Cuts that lazy encodings share: what a wrong assignment must be forbidden to repeat.

They speak of joined edges and vertices in use, whatever the leak rule: an edge joins where both
of its ports are open, a vertex is in use if any port of it is open. The cut-set form of
connectivity is that of subtour elimination for the travelling salesman (Dantzig, Fulkerson,
Johnson 1954).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from ..puzzles.graph import label_components
from ..puzzles.model import BoolArray, IntArray, Puzzle, Table, joined_edges


@dataclass(frozen=True, slots=True)
class Cut:
    """A component cut off, under connect used: if ``inside`` and ``outside`` are both in use,
    one of ``edges`` joins.

    - ``edges``: all that leave the component, but for those at blank vertices;
    - ``inside``, ``outside``: a vertex in use on each side, one that is in use in every
      solution if there is any;
    - ``vertices``: the component.
    """

    edges: IntArray
    inside: int
    outside: int
    vertices: IntArray


@dataclass(frozen=True, slots=True)
class ReachCut:
    """A sink cut off from all sources, under connect reach: one of ``edges`` joins.

    - ``edges``: all that leave ``vertices``, but for those at blank vertices; there may be none,
      and then there is no solution;
    - ``sink``: one of the sinks among ``vertices``, of which none is a source.
    """

    edges: IntArray
    sink: int
    vertices: IntArray


AnyCut = Cut | ReachCut | tuple[int, ...]
"""The edges of a tuple are a cycle: not all of them join."""


def components(puzzle: Puzzle, solution: BoolArray) -> IntArray:
    """The component of each vertex under the joined edges, numbered from 0; shape (vertices,)."""
    ends = puzzle.edge_vertices[joined_edges(puzzle, solution)]
    return label_components(puzzle.vertices, ends)


def used_vertices(puzzle: Puzzle, solution: BoolArray) -> BoolArray:
    """Vertices that must hang together: an open port, or needed; shape (vertices,)."""
    used = np.zeros(puzzle.vertices, dtype=np.bool_)
    used[puzzle.owner[solution]] = True
    used[list(puzzle.rules.needed)] = True
    return used


def always_used(puzzle: Puzzle) -> BoolArray:
    """Vertices in use in every solution: needed, or without a way to close all ports."""
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
    """One cut for every component with vertices in use if there are several, else none.

    Takes time linear in the puzzle, but for sorting.
    """
    label = components(puzzle, solution)
    always = always_used(puzzle)
    used = np.flatnonzero(used_vertices(puzzle, solution))
    used = used[np.lexsort((~always[used], label[used]))]
    wanted, first = np.unique(label[used], return_index=True)
    if len(wanted) < 2:
        return []
    inside = used[first]
    one, two = inside[np.argsort(~always[inside], kind="stable")[:2]].tolist()
    edges, vertices = _leaving(puzzle, label, wanted)
    return [
        Cut(edges[k], v, two if v == one else one, vertices[k])
        for k, v in enumerate(inside.tolist())
    ]


def reach_cuts(puzzle: Puzzle, solution: BoolArray) -> list[ReachCut]:
    """One cut for every component with a sink and no source, and one for all components
    without a source together if that is another; none if every sink is reached.
    """
    label = components(puzzle, solution)
    wet = np.isin(label, label[list(puzzle.rules.sources)])
    sinks = np.array(puzzle.rules.sinks, dtype=np.int64)
    dry = sinks[~wet[sinks]]
    wanted, first = np.unique(label[dry], return_index=True)
    if not len(wanted):
        return []
    parts = zip(*_leaving(puzzle, label, wanted), dry[first].tolist(), strict=True)
    cuts = [ReachCut(edges, sink, vertices) for edges, vertices, sink in parts]
    [edges], [vertices] = _leaving(puzzle, wet.astype(np.int64), np.zeros(1, dtype=np.int64))
    if not any(np.array_equal(edges, cut.edges) for cut in cuts):
        cuts.append(ReachCut(edges, cuts[0].sink, vertices))
    return cuts


def _leaving(
    puzzle: Puzzle, label: IntArray, wanted: IntArray
) -> tuple[list[IntArray], list[IntArray]]:
    """For each wanted label the edges that leave its vertices and may join, and those vertices."""
    ends = label[puzzle.edge_vertices]
    leaving = np.flatnonzero(
        (ends[:, 0] != ends[:, 1]) & ~puzzle.blank[puzzle.edge_vertices].any(axis=1)
    )
    edges = _split(np.repeat(leaving, 2), ends[leaving].ravel(), wanted)
    return edges, _split(np.arange(puzzle.vertices), label, wanted)


def _split(values: IntArray, labels: IntArray, wanted: IntArray) -> list[IntArray]:
    """The values under each wanted label (increasing), in their order."""
    order = np.argsort(labels, kind="stable")
    begin = np.searchsorted(labels[order], wanted, side="left")
    end = np.searchsorted(labels[order], wanted, side="right")
    return [values[order[a:b]] for a, b in zip(begin.tolist(), end.tolist(), strict=True)]


def violated(puzzle: Puzzle, solution: BoolArray) -> list[AnyCut]:
    """Cuts that forbid a solution of the rules on leaks and of the number of edges (where the
    rules ask for a connected tree, that number makes it one); none if it is right.
    """
    rules = puzzle.rules
    if rules.connect == "used":
        return [*connectivity_cuts(puzzle, solution)]
    dry = reach_cuts(puzzle, solution) if rules.connect == "reach" else []
    return [*dry, *(cycle_cuts(puzzle, solution) if rules.acyclic else [])]


def cycle_cuts(puzzle: Puzzle, solution: BoolArray) -> list[tuple[int, ...]]:
    """Cycles of joined edges, as increasing edge numbers, shortest first; none if acyclic.

    They are the fundamental cycles of a breadth-first forest, as many as have together no more
    edges than are joined, and always at least one.
    """
    joined = np.flatnonzero(joined_edges(puzzle, solution))
    if not len(joined) or len(joined) + components(puzzle, solution).max() + 1 == puzzle.vertices:
        return []
    ends = puzzle.edge_vertices[joined].tolist()
    around: dict[int, list[tuple[int, int]]] = {}
    for edge, (u, v) in zip(joined.tolist(), ends, strict=True):
        around.setdefault(u, []).append((edge, v))
        around.setdefault(v, []).append((edge, u))
    above, depth = _forest(around)
    in_forest = {edge for edge, _ in above.values()}
    cycles = [
        _fundamental(edge, u, v, above, depth)
        for edge, (u, v) in zip(joined.tolist(), ends, strict=True)
        if edge not in in_forest
    ]
    cycles.sort(key=len)
    total = np.cumsum([len(cycle) for cycle in cycles])
    return cycles[: max(1, int(np.searchsorted(total, len(joined), side="right")))]


def _forest(
    around: dict[int, list[tuple[int, int]]],
) -> tuple[dict[int, tuple[int, int]], dict[int, int]]:
    """Breadth-first: each vertex's (edge, vertex) upwards, but for the roots; depths."""
    above: dict[int, tuple[int, int]] = {}
    depth: dict[int, int] = {}
    for root in around:
        if root in depth:
            continue
        depth[root] = 0
        queue = deque([root])
        while queue:
            u = queue.popleft()
            for edge, v in around[u]:
                if v not in depth:
                    depth[v] = depth[u] + 1
                    above[v] = (edge, u)
                    queue.append(v)
    return above, depth


def _fundamental(
    edge: int, u: int, v: int, above: dict[int, tuple[int, int]], depth: dict[int, int]
) -> tuple[int, ...]:
    """The cycle that an edge outside the forest closes."""
    cycle = [edge]
    while u != v:
        if depth[u] < depth[v]:
            u, v = v, u
        step, u = above[u]
        cycle.append(step)
    return tuple(sorted(cycle))
