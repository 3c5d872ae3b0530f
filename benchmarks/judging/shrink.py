"""A smaller puzzle that still shows what a large one shows.

Delta debugging (A. Zeller and R. Hildebrandt, "Simplifying and isolating failure-inducing input",
2002): parts are left out in chunks of half, a quarter, ... of what is left, at last one by one,
and whatever is not needed to show it stays out.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...puzzles.model import Puzzle
from . import reductions as reduce

Shows = Callable[[Puzzle], bool]
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest puzzle found. ``minimal``: leaving out any single part more does not show it
    (the budget was enough); ``tried`` puzzles were looked at; ``vertices`` (its own, in order)
    are the large puzzle's numbers of those left.
    """

    puzzle: Puzzle
    minimal: bool
    tried: int
    vertices: tuple[int, ...]


def shrink(
    puzzle: Puzzle,
    shows: Shows,
    seconds: float,
    progress: Progress | None = None,
    *,
    priced: bool = False,
) -> Shrunk:
    """Shrink a puzzle that ``shows`` is true of, for so many seconds at most (and the time of one
    more look).

    Left out are vertices (the ports of their neighbours become free stubs or closed ones), edges,
    stubs, masks, rules, costs. With ``priced`` the puzzle keeps costs, be they zero.
    """
    work = _Work(puzzle, shows, time.monotonic() + seconds, progress, priced)
    try:
        minimal = work.to_the_end()
    except _Spent:
        minimal = False
    return Shrunk(reduce.tidied(work.best), minimal, work.tried, work.vertices)


class _Spent(Exception):
    """The time is over."""


@dataclass
class _Work:
    """``best`` is the smallest puzzle so far, ``vertices`` the first puzzle's numbers of its own;
    ``known`` holds the fingerprints of those that do not show it.
    """

    best: Puzzle
    shows: Shows
    end: float
    progress: Progress | None
    priced: bool
    tried: int = 0
    vertices: tuple[int, ...] = field(init=False)
    known: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.vertices = tuple(range(self.best.vertices))

    def to_the_end(self) -> bool:
        """Pass after pass until a whole round leaves nothing out; True."""
        passes = (
            self._vertices, self._rules, self._edges, self._free_stubs, self._ports,
            self._choices, self._extras, self._prices,
        )  # fmt: skip
        last = ""
        while last != (last := self.best.fingerprint):
            for one in passes:
                one()
        return True

    def attempt(self, candidate: Puzzle | None, vertices: tuple[int, ...] | None = None) -> bool:
        """Whether the candidate shows it, too; then it is the best. Raises _Spent."""
        if candidate is None or candidate.fingerprint in self.known:
            return False
        if candidate.fingerprint != self.best.fingerprint:
            if time.monotonic() >= self.end:
                raise _Spent
            self.tried += 1
            if self.progress is not None:
                self.progress(f"shrinking: {self.best.vertices} vertices after {self.tried} tries")
            if not self.shows(candidate):
                self.known.add(candidate.fingerprint)
                return False
        self.best = candidate
        self.vertices = self.vertices if vertices is None else vertices
        return True

    def _vertices(self) -> None:
        # Free stubs first: with them, whatever was solvable stays so.
        for free in (True, False):
            base, numbers = self.best, self.vertices

            def without(kept: Sequence[int], base=base, numbers=numbers, free=free) -> bool:
                left = sorted(kept)
                part = reduce.with_vertices(base, left, free=free)
                return self.attempt(part, tuple(numbers[v] for v in left))

            fewest(_near_first(base), without)

    def _edges(self) -> None:
        for free in (True, False):
            base = self.best
            fewest(
                range(base.edges),
                lambda kept, base=base, free=free: self.attempt(
                    reduce.with_edges(base, kept, free=free)
                ),
            )

    def _free_stubs(self) -> None:
        base = self.best
        free = np.flatnonzero(base.free).tolist()
        fewest(free, lambda kept: self.attempt(reduce.with_free(base, kept)))

    def _ports(self) -> None:
        for port in reversed(reduce.stubs(self.best)):
            self.attempt(reduce.without_port(self.best, port))

    def _choices(self) -> None:
        for vertex in range(self.best.vertices):
            base = self.best
            listed = reduce.choices(base.domain(vertex), int(base.degree[vertex]))
            if any(self.attempt(reduce.with_choices(base, vertex, {only})) for only in listed):
                continue
            fewest(
                listed,
                lambda kept, base=base, vertex=vertex: self.attempt(
                    reduce.with_choices(base, vertex, kept)
                ),
            )

    def _rules(self) -> None:
        again = True
        while again:
            simpler: Iterator = reduce.simpler_rules(self.best.rules)
            again = any(self.attempt(self.best.with_rules(rules)) for rules in simpler)

    def _extras(self) -> None:
        """What decides nothing, or nothing in this question."""
        if self.best.pieces is not None:
            self.attempt(replace(self.best, pieces=None))
        if self.best.costs is not None and not self.priced:
            self.attempt(replace(self.best, costs=None))

    def _prices(self) -> None:
        costs = self.best.costs
        if costs is None:
            return
        base = self.best
        dear = [v for v, row in enumerate(costs.row_of.tolist()) if costs.rows[row]]
        fewest(dear, lambda kept: self.attempt(reduce.with_mask_costs(base, kept)))
        base = self.best
        dear = np.flatnonzero(costs.edge).tolist()
        fewest(dear, lambda kept: self.attempt(reduce.with_edge_costs(base, kept)))


def fewest(items: Sequence[int], shows: Callable[[Sequence[int]], bool]) -> list[int]:
    """Items that are enough for ``shows``, none of which can be spared alone; all of them are
    taken to be enough.
    """
    left, size = list(items), len(items)
    while size:
        place, spared = 0, False
        while place < len(left):
            fewer = left[:place] + left[place + size :]
            if shows(fewer):
                left, spared = fewer, True
            else:
                place += size
        if size == 1 and spared:
            continue  # one that was needed before may not be any more
        size = min(size, len(left) + 1) // 2
    return left


def _near_first(puzzle: Puzzle) -> list[int]:
    """The vertices breadth first, so that a chunk of them lies together."""
    beside: list[list[int]] = [[] for _ in range(puzzle.vertices)]
    for u, v in puzzle.edge_vertices.tolist():
        beside[u].append(v)
        beside[v].append(u)
    order: dict[int, None] = {}
    for root in range(puzzle.vertices):
        if root in order:
            continue
        order[root] = None
        waiting = deque([root])
        while waiting:
            for near in beside[waiting.popleft()]:
                if near not in order:
                    order[near] = None
                    waiting.append(near)
    return list(order)
