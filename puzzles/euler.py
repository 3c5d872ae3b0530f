"""Euler trails: a walk over every edge of a multigraph exactly once, or why there is none.

Undirected and directed, with loops (a loop counts two at its vertex) and parallel edges. Edges are
numbered by their place in the list given, and a trail names them, so that of two edges between the
same vertices it is known which is walked when. Vertices without edges do not matter; no edges at
all are a circuit of length 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from .errors import InvalidPuzzle
from .model import IntArray, Puzzle, Solution, joined_edges
from .terms import listed
from .values import integers, whole

MOST_FAULTS = 20
"""Faults of a trail that are spelled out."""


class Kind(Enum):
    """What a graph has: a trail that ends where it began, one that does not, or none."""

    CIRCUIT = "circuit"
    PATH = "path"
    NEITHER = "neither"


@dataclass(frozen=True, eq=False)
class Euler:
    """The verdict on a graph, and its trail.

    - ``kind``: what the graph has from some start;
    - ``odd``: vertices of odd degree; of a directed graph those with another number of edges out
      than in, and ``excess`` is out minus in of each (undirected: 1 of each);
    - ``parts``: the number of components that have edges;
    - ``start``: where the trail starts, or was asked to start;
    - ``vertices`` and ``edges``: the trail, one vertex more than edges; both empty without one;
    - ``ends`` (edges, 2): the graph, by the edges' numbers.
    """

    kind: Kind
    odd: tuple[int, ...]
    excess: tuple[int, ...]
    parts: int
    start: int | None
    found: bool
    vertices: tuple[int, ...]
    edges: tuple[int, ...]
    ends: IntArray
    directed: bool

    def reasons(self, name: Callable[[int], str] = str) -> tuple[str, ...]:
        """Why there is no trail, with the vertices' names; empty if there is one."""
        if self.found:
            return ()
        if self.kind is Kind.CIRCUIT:
            return (f"no trail starts at {name(self.start or 0)}: no edge is there",)
        if self.kind is Kind.PATH:
            starts = [name(v) for v, more in zip(self.odd, self.excess, strict=True) if more > 0]
            return (f"every trail starts at {listed(starts, ' or ')}",)
        why = []
        if self.parts > 1:
            why.append(f"the edges form {self.parts} separate parts")
        if not self.directed and len(self.odd) > 2:
            why.append(f"{len(self.odd)} vertices are odd, at most 2 may be")
        if self.directed and not _balanced(self.excess):
            why.append(
                f"{len(self.odd)} vertices have not as many edges out as in, where only two may: "
                "one with one more out, one with one more in"
            )
        return tuple(why)


def euler(
    ends: Any, vertices: int | None = None, *, directed: bool = False, start: int | None = None
) -> Euler:
    """The verdict and, if there is one, a trail by Hierholzer's algorithm.

    ``ends`` holds two vertices for each edge, from the first to the second if ``directed``; they
    are numbers below ``vertices`` (one more than the largest, if not given). Without ``start`` the
    trail begins at the first vertex that allows one. At each vertex edges are taken in the order
    of their numbers. Linear in vertices and edges. Raises InvalidPuzzle for anything else.
    """
    pairs = _pairs(ends)
    number = int(pairs.max(initial=-1)) + 1 if vertices is None else whole(vertices, "vertices")
    if pairs.max(initial=-1) >= number:
        raise InvalidPuzzle(f"edges: vertex {pairs.max()}, expected numbers below {number}")
    if start is not None and not 0 <= (start := whole(start, "start")) < number:
        raise InvalidPuzzle(f"start {start}: expected a vertex below {number}")
    out = np.bincount(pairs[:, 0], minlength=number)
    into = np.bincount(pairs[:, 1], minlength=number)
    surplus = out - into if directed else (out + into) % 2
    odd = np.flatnonzero(surplus)
    excess = tuple(surplus[odd].tolist())
    fits = _balanced(excess) if directed else len(odd) <= 2
    usable = np.flatnonzero(surplus > 0) if len(odd) else np.flatnonzero(out + into)
    if not len(pairs):
        usable = np.arange(number)
    first = start if start is not None or not len(usable) else int(usable[0])
    walked, crossed, whole_graph = (), (), not len(pairs)
    if fits and len(pairs):
        # From an allowed start the walk covers that start's component, and so shows if it is all.
        begin = first if first is not None and first in usable else int(usable[0])
        walked, crossed = _walk(pairs, number, begin, directed)
        whole_graph = len(crossed) == len(pairs)
    parts = min(len(pairs), 1) if whole_graph else _parts(pairs, number)
    kind = Kind.NEITHER
    if fits and whole_graph:
        kind = Kind.PATH if len(odd) else Kind.CIRCUIT
    found = kind is not Kind.NEITHER and (first is None or first in usable)
    if found and not len(pairs) and first is not None:
        walked = (first,)
    return Euler(
        kind,
        tuple(odd.tolist()),
        excess,
        parts,
        first,
        found,
        tuple(walked) if found else (),
        tuple(crossed) if found else (),
        pairs,
        directed,
    )


def joined(puzzle: Puzzle, solution: Solution) -> IntArray:
    """The puzzle's numbers of the edges that a solution joins, ordered by their lower and then
    their higher vertex: on a bordered board cell by cell, right before down, as article 000 does.
    """
    chosen = np.flatnonzero(joined_edges(puzzle, solution))
    ends = np.sort(puzzle.edge_vertices[chosen], axis=1)
    return chosen[np.lexsort((ends[:, 1], ends[:, 0]))]


def trail(puzzle: Puzzle, solution: Solution, start: int | None = None) -> Euler:
    """The verdict and a trail of what a solution joins; edges are numbered as in ``joined``."""
    ends = np.sort(puzzle.edge_vertices[joined(puzzle, solution)], axis=1)
    return euler(ends, puzzle.vertices, start=start)


def verify_trail(
    ends: Any, vertices: Sequence[int], edges: Sequence[int], *, directed: bool = False
) -> tuple[str, ...]:
    """What is wrong with a trail, edge by edge; empty if it uses every edge exactly once and each
    step is the edge of that number. Written apart from ``euler``.
    """
    pairs, walked, crossed = _pairs(ends), integers(vertices, "trail"), integers(edges, "trail")
    if not len(pairs) and not len(walked) and not len(crossed):
        return ()
    if len(walked) != len(crossed) + 1:
        return (f"{len(walked)} vertices and {len(crossed)} edges: expected one vertex more",)
    outside = crossed[(crossed < 0) | (crossed >= len(pairs))]
    if len(outside):
        return (f"edge {outside[0]} does not exist",)
    times = np.bincount(crossed, minlength=len(pairs))
    faults = [
        f"edge {e} is used {times[e]} times" if times[e] else f"edge {e} is not used"
        for e in np.flatnonzero(times != 1)[:MOST_FAULTS].tolist()
    ]
    here, there, taken = walked[:-1], walked[1:], pairs[crossed]
    right = (taken[:, 0] == here) & (taken[:, 1] == there)
    if not directed:
        right |= (taken[:, 1] == here) & (taken[:, 0] == there)
    word = "leads from {} to {}" if directed else "joins {} and {}"
    faults += [
        f"step {i + 1}: edge {crossed[i]} {word.format(*taken[i])}, not {here[i]} and {there[i]}"
        for i in np.flatnonzero(~right)[:MOST_FAULTS].tolist()
    ]
    return tuple(faults)


def _pairs(ends: Any) -> IntArray:
    pairs = integers(ends, "edges")
    if not pairs.size:
        return pairs.reshape(0, 2)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InvalidPuzzle(f"edges: found shape {pairs.shape}, expected two vertices each")
    if pairs.min() < 0:
        raise InvalidPuzzle(f"edges: vertex {pairs.min()}, expected numbers from 0")
    return pairs


def _balanced(excess: Sequence[int]) -> bool:
    """Whether out and in differ as in a circuit or a path."""
    return sorted(excess) in ([], [-1, 1])


def _walk(
    pairs: IntArray, vertices: int, start: int, directed: bool
) -> tuple[list[int], list[int]]:
    """Hierholzer's algorithm with a stack: the trail of the start's component, forwards."""
    source = pairs[:, 0] if directed else pairs.ravel()
    order = np.argsort(source, kind="stable")
    bounds = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=vertices))])
    far = _compact((pairs[:, 1] if directed else pairs[:, ::-1].ravel())[order])
    edge = _compact(order if directed else order >> 1)
    place, stop = _compact(bounds[:-1]), _compact(bounds[1:])
    used = bytearray(len(pairs))
    here, waiting, by = start, [], []
    walked, crossed = [], []
    while True:
        for at in range(place[here], stop[here]):
            taken = edge[at]
            if not used[taken]:
                used[taken] = 1
                place[here] = at + 1
                waiting.append(here)
                by.append(taken)
                here = far[at]
                break
        else:
            place[here] = stop[here]
            walked.append(here)
            if not by:
                break
            crossed.append(by.pop())
            here = waiting.pop()
    walked.reverse()
    crossed.reverse()
    return walked, crossed


def _compact(numbers: IntArray) -> array[int]:
    """As a flat array of the standard library: its items are read faster than numpy's, and it is
    smaller than a list.
    """
    return array("q", np.ascontiguousarray(numbers, dtype=np.int64).tobytes())


def _parts(pairs: IntArray, vertices: int) -> int:
    """The number of components that have edges."""
    above = list(range(vertices))
    joins = 0
    for u, v in pairs.tolist():
        while above[u] != u:
            above[u] = u = above[above[u]]
        while above[v] != v:
            above[v] = v = above[above[v]]
        if u != v:
            above[u] = v
            joins += 1
    return len(np.unique(pairs)) - joins
