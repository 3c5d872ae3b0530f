"""What lazy encodings can say before the first round: facts that save them cuts.

Everything here is implied by the rules; solutions are never lost. An edge joins where both of
its ports are open, so that edges which may not join leave open ports alone where leaks are
allowed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..puzzles.model import IntArray, Puzzle, Table
from .cuts import always_used

MOST_NEIGHBOURS = 8
"""Only so many edges of a vertex, or paths between two vertices, are looked at pairwise."""


def not_together(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """Sets of edges of which not all may be joined: edges between two ends that would be cut
    off, and under acyclic (or where connectivity implies it) the cycles of up to four edges.
    """
    found: list[tuple[int, ...]] = [(edge,) for edge in end_to_end(puzzle).tolist()]
    if puzzle.rules.acyclic or is_tree(puzzle):
        found += short_cycles(puzzle)
    return found


def end_to_end(puzzle: Puzzle) -> IntArray:
    """Edges between vertices that open at most one port each, if a third vertex is always in
    use and everything in use must hang together.
    """
    if puzzle.rules.connect != "used":
        return np.zeros(0, dtype=np.int64)
    most = np.array(
        [
            max(m.bit_count() for m in d.masks)
            if isinstance(d, Table)
            else max(d.numbers(int(puzzle.degree.max(initial=0))), default=0)
            for d in puzzle.domains
        ],
        dtype=np.int64,
    )
    end = most[puzzle.domain_of] <= 1
    always = always_used(puzzle)
    u, v = puzzle.edge_vertices.T
    third = always.sum() - always[u] - (always[v] & (u != v)) > 0
    return np.flatnonzero(end[u] & end[v] & third)


def fixed_edges(puzzle: Puzzle) -> float | None:
    """The number of joined edges in every solution (a half-integer if there is none), or None.

    It is half the sum of openings if leaks are forbidden, no stub is free and every domain has
    one number of open ports.
    """
    if puzzle.rules.leaks != "forbidden" or puzzle.free.any():
        return None
    openings = []
    for domain in puzzle.domains:
        if isinstance(domain, Table):
            numbers = {m.bit_count() for m in domain.masks}
        else:
            numbers = set(domain.allowed or ())
        openings.append(numbers.pop() if len(numbers) == 1 else -1)
    each = np.array(openings, dtype=np.int64)[puzzle.domain_of]
    return None if (each < 0).any() else int(each.sum()) / 2


def is_tree(puzzle: Puzzle) -> bool:
    """Whether connect used alone makes the joined edges acyclic: all vertices but the blank
    ones are always in use, and the edges are fixed in number, one fewer than those vertices.
    """
    edges = fixed_edges(puzzle)
    if edges is None or puzzle.rules.connect != "used":
        return False
    return edges == _vertices_to_join(puzzle) - 1


def refuted(puzzle: Puzzle) -> bool:
    """Whether the number of edges alone shows that there is no solution."""
    edges = fixed_edges(puzzle)
    if edges is None:
        return False
    if edges != int(edges):
        return True
    vertices = _vertices_to_join(puzzle)
    if puzzle.rules.connect == "used" and edges < vertices - 1:
        return True
    return puzzle.rules.acyclic and edges > 0 and edges > vertices - 1


def _vertices_to_join(puzzle: Puzzle) -> int:
    """Vertices in use in every solution, where the openings of each are fixed in number."""
    return int(always_used(puzzle).sum())


def short_cycles(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """Loops, parallel pairs, and cycles of three and four edges between different vertices,
    each once, as increasing edge numbers; those through vertices of many edges may be missing.

    Two different paths of one or two edges between the same ends make such a cycle.
    """
    ends = puzzle.edge_vertices
    live = ~puzzle.blank[ends].any(axis=1)
    loops = live & (ends[:, 0] == ends[:, 1])
    edges = np.flatnonzero(live & ~loops)
    paths, middle, key = _short_paths(puzzle, edges)
    rows = [np.zeros((0, 4), dtype=np.int64)]
    for one, two in _pairs_of_equal(key):
        apart = (middle[one] != middle[two]) | (middle[one] < 0)
        rows.append(np.concatenate([paths[one[apart]], paths[two[apart]]], axis=1))
    cycles = np.unique(np.sort(np.concatenate(rows), axis=1), axis=0)
    found = [(edge,) for edge in np.flatnonzero(loops).tolist()]
    return found + [tuple(edge for edge in row if edge >= 0) for row in cycles.tolist()]


def _short_paths(puzzle: Puzzle, edges: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Paths of one and two of the edges (no loops among them) between different vertices.

    Returns their edges, shape (paths, 2), their middle vertices, both -1 where there is one
    edge only, and a number for each that tells the pair of end vertices.
    """
    ends = puzzle.edge_vertices[edges]
    side, other = ends.ravel(), ends[:, ::-1].ravel()
    first, second, alone = [edges], [np.full(len(edges), -1)], np.full(len(edges), -1)
    middle, start, stop = [alone], [ends[:, 0]], [ends[:, 1]]
    for i, j in _pairs_of_equal(side):
        i, j = i[other[i] != other[j]], j[other[i] != other[j]]
        first.append(edges[i // 2])
        second.append(edges[j // 2])
        middle.append(side[i])
        start.append(other[i])
        stop.append(other[j])
    a, b = np.concatenate(start), np.concatenate(stop)
    key = np.minimum(a, b) * puzzle.vertices + np.maximum(a, b)
    paths = np.stack([np.concatenate(first), np.concatenate(second)], axis=1)
    return paths, np.concatenate(middle), key


def _pairs_of_equal(keys: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Indexes of pairs with equal keys; all pairs where at most MOST_NEIGHBOURS share a key."""
    order = np.argsort(keys, kind="stable")
    ranked = keys[order]
    for step in range(1, min(MOST_NEIGHBOURS, len(keys))):
        same = ranked[step:] == ranked[:-step]
        if not same.any():
            return
        yield order[:-step][same], order[step:][same]
