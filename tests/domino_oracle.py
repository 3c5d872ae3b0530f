"""Chains of dominoes judged in other ways than the package's: by enumeration, by networkx, by
deleting tiles, and by the BEST theorem.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import factorial, prod

import networkx as nx

Tiles = Sequence[tuple[int, int]]


def all_chains(tiles: Tiles) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """Every chain of one or more tiles, as (tile, its first pip, its second) in order."""
    waiting: list[tuple[tuple[int, int, int], ...]] = [()]
    while waiting:
        chain = waiting.pop()
        if chain:
            yield chain
        used = {tile for tile, _, _ in chain}
        for tile, (a, b) in enumerate(tiles):
            if tile not in used:
                for left, right in {(a, b), (b, a)}:
                    if not chain or chain[-1][2] == left:
                        waiting.append((*chain, (tile, left, right)))


def chains(
    tiles: Tiles, *, every: bool, closed: bool, start: int | None
) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """Those of them that a rule takes, the empty one included."""
    if not every or not tiles:
        yield ()
    for chain in all_chains(tiles):
        if (
            (not every or len(chain) == len(tiles))
            and (not closed or chain[0][1] == chain[-1][2])
            and start in (None, chain[0][1])
        ):
            yield chain


def tile_sets(tiles: Tiles, *, every: bool, closed: bool, start: int | None) -> set[frozenset[int]]:
    """The sets of tiles that make such a chain."""
    found = chains(tiles, every=every, closed=closed, start=start)
    return {frozenset(tile for tile, _, _ in chain) for chain in found}


def graph_of(tiles: Tiles) -> nx.MultiGraph:
    """Pips and tiles."""
    graph = nx.MultiGraph()
    graph.add_edges_from(tiles)
    return graph


def is_chain(tiles: Tiles) -> bool:
    """Whether all tiles make one chain, by networkx."""
    return not tiles or nx.is_eulerian(graph := graph_of(tiles)) or nx.has_eulerian_path(graph)


def is_closed_chain(tiles: Tiles) -> bool:
    """Whether all tiles make one closed chain, by networkx."""
    return not tiles or nx.is_eulerian(graph_of(tiles))


def longest(tiles: Tiles) -> int:
    """All tiles but the fewest whose deletion leaves one part with at most two odd pips."""
    for deleted in range(len(tiles) + 1):
        for kept in combinations(tiles, len(tiles) - deleted):
            degree = Counter(pip for tile in kept for pip in tile)
            if sum(d % 2 for d in degree.values()) <= 2 and _one_part(kept):
                return len(kept)
    raise AssertionError


def _one_part(tiles: Tiles) -> bool:
    return not tiles or nx.is_connected(graph_of(tiles))


def circuits(vertices: int, edges: Sequence[tuple[int, int]]) -> int:
    """Directed Euler circuits, without a first edge, of a graph without loops: the BEST theorem
    summed over Eulerian orientations.
    """
    degree = Counter(v for edge in edges for v in edge)
    if any(degree[v] % 2 or not degree[v] for v in range(vertices)):
        return 0
    around = prod(factorial(degree[v] // 2 - 1) for v in range(vertices))
    return around * sum(arborescences(vertices, arcs) for arcs in orientations(vertices, edges))


def orientations(
    vertices: int, edges: Sequence[tuple[int, int]]
) -> Iterator[list[tuple[int, int]]]:
    """The ways to direct the edges so that as many lead out of each vertex as into it."""
    most = Counter(v for edge in edges for v in edge)
    waiting: list[list[tuple[int, int]]] = [[]]
    while waiting:
        arcs = waiting.pop()
        if len(arcs) == len(edges):
            yield arcs
            continue
        out, into = Counter(u for u, _ in arcs), Counter(v for _, v in arcs)
        u, v = edges[len(arcs)]
        for a, b in ((u, v), (v, u)):
            if 2 * (out[a] + 1) <= most[a] and 2 * (into[b] + 1) <= most[b]:
                waiting.append([*arcs, (a, b)])


def arborescences(vertices: int, arcs: Sequence[tuple[int, int]]) -> int:
    """Spanning trees directed towards vertex 0 (matrix-tree theorem)."""
    number = Counter(arcs)
    rows = [
        [
            sum(number[u, w] for w in range(vertices)) if u == v else -number[u, v]
            for v in range(1, vertices)
        ]
        for u in range(1, vertices)
    ]
    return _determinant(rows)


def _determinant(rows: list[list[int]]) -> int:
    """Bareiss's elimination, in whole numbers."""
    sign, before = 1, 1
    for k in range(len(rows) - 1):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot], sign = rows[pivot], rows[k], -sign
        for i in range(k + 1, len(rows)):
            for j in range(k + 1, len(rows)):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
        before = rows[k][k]
    return sign * rows[-1][-1] if rows else 1
