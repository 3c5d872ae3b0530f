"""The independent checker: is a solution right, and if not, what exactly is wrong with it?

It is written from the rules of the model alone and shares no code with any encoding or engine.
A right solution is recognised by operations on whole arrays; sentences are made on failure.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np

from .model import BoolArray, Counts, IntArray, Puzzle, Solution, Table, joined_edges, masks_of
from .terms import Terms, listed

MOST_REASONS = 1000
"""Sentences given per kind of fault; what is beyond is summed up in one more."""

SMALL = 200
"""Up to so many vertices and joined edges a plain union-find beats setting up a sparse matrix."""


@dataclass(frozen=True, slots=True)
class Report:
    """Whether a solution is right, and if not, every reason why."""

    ok: bool
    reasons: tuple[str, ...] = ()


def check(puzzle: Puzzle, solution: Solution, terms: Terms | None = None) -> Report:
    """Judge a solution, shape (ports,) of truth values, from the rules alone.

    ``terms`` word the reasons; not given, they are the model's.

    Never raises for a wrong solution: a wrong shape or type is a reason, too. Each kind of
    fault gives at most ``MOST_REASONS`` sentences.
    """
    misfit = _misfit(puzzle, solution)
    if misfit is not None:
        return Report(False, (misfit,))
    facts = _FACTS.get(puzzle)
    if facts is None:
        facts = _FACTS[puzzle] = _Facts.of(puzzle)
    state = _State(puzzle, facts, solution, terms or Terms(puzzle))
    reasons = (
        *_domain_faults(state),
        *_leaks(state),
        *_disconnections(state),
        *_cycles(state),
    )
    return Report(not reasons, reasons)


def cost(puzzle: Puzzle, solution: Solution) -> int:
    """The cost of a solution: that of every vertex's mask and of every joined edge; 0 where the
    puzzle has no costs. The solution must have the right shape.
    """
    costs = puzzle.costs
    if costs is None:
        return 0
    rows = [dict(row) for row in costs.rows]
    masks = masks_of(puzzle, solution)
    chosen = (rows[r].get(m, 0) for r, m in zip(costs.row_of.tolist(), masks, strict=True))
    return sum(chosen) + sum(costs.edge[joined_edges(puzzle, solution)].tolist())


@dataclass(frozen=True, slots=True)
class _Facts:
    """What every check of one puzzle needs, made once.

    - ``weight`` (ports,): the mask bit of each port of a table vertex, 0 for the others;
    - ``allowed`` (domains, masks): may a vertex of that domain have that mask? All true for
      counts, which ``counted`` lists instead: with their vertices, and which numbers are right;
    - ``partner`` (ports,): the other end of the port's edge, any port for a stub;
    - ``stub`` (ports,): no edge here.
    """

    weight: IntArray
    allowed: BoolArray
    counted: tuple[tuple[Counts, IntArray, BoolArray], ...]
    partner: IntArray
    stub: BoolArray

    @classmethod
    def of(cls, puzzle: Puzzle) -> _Facts:
        tables = [d for d in puzzle.domains if isinstance(d, Table)]
        allowed = np.zeros(
            (len(puzzle.domains), 1 << max((d.degree for d in tables), default=0)), dtype=np.bool_
        )
        counted, is_table = [], np.ones(len(puzzle.domains), dtype=np.bool_)
        for index, domain in enumerate(puzzle.domains):
            if isinstance(domain, Table):
                allowed[index, list(domain.masks)] = True
            else:
                allowed[index], is_table[index] = True, False
                numbers = np.zeros(int(puzzle.degree.max(initial=0)) + 1, dtype=np.bool_)
                numbers[list(domain.numbers(len(numbers) - 1))] = True
                counted.append((domain, np.flatnonzero(puzzle.domain_of == index), numbers))
        place = np.arange(puzzle.ports) - puzzle.first_port[puzzle.owner]
        in_table = is_table[puzzle.domain_of[puzzle.owner]]
        weight = np.where(in_table, np.int64(1) << np.where(in_table, place, 0), 0)
        stub = puzzle.twin < 0
        return cls(weight, allowed, tuple(counted), np.where(stub, 0, puzzle.twin), stub)


_FACTS: WeakKeyDictionary[Puzzle, _Facts] = WeakKeyDictionary()


class _State:
    """A solution of the right shape and what follows from it."""

    def __init__(self, puzzle: Puzzle, facts: _Facts, solution: Solution, terms: Terms) -> None:
        self.puzzle, self.facts, self.open, self.terms = puzzle, facts, solution, terms

    def per_vertex(self, values: IntArray) -> IntArray:
        """Sums of ``values`` (ports,) over each vertex's ports, shape (vertices,)."""
        sums = np.zeros(len(values) + 1, dtype=np.int64)
        np.cumsum(values, out=sums[1:])
        first = self.puzzle.first_port
        return sums[first[1:]] - sums[first[:-1]]

    @cached_property
    def joined(self) -> IntArray:
        """The joined edges' numbers, increasing."""
        ends = self.open[self.puzzle.edge_ports]
        return np.flatnonzero(ends[:, 0] & ends[:, 1])

    @cached_property
    def components(self) -> tuple[int, IntArray]:
        """Number of components of the joined edges, and each vertex's, shape (vertices,)."""
        return _components(self.puzzle.vertices, self.puzzle.edge_vertices[self.joined])

    def holding(self, vertices: Sequence[int]) -> BoolArray:
        """Vertices in the components of the given ones, shape (vertices,)."""
        number, label = self.components
        chosen = np.zeros(number, dtype=np.bool_)
        chosen[label[list(vertices)]] = True
        return chosen[label]


def _misfit(puzzle: Puzzle, solution: object) -> str | None:
    if not isinstance(solution, np.ndarray):
        return f"the solution is a {type(solution).__name__}, expected an array of truth values"
    if solution.dtype != np.bool_:
        return f"the solution holds {solution.dtype}, expected truth values (bool)"
    if solution.shape != (puzzle.ports,):
        return f"the solution has shape {solution.shape}, expected ({puzzle.ports},)"
    return None


def _explained(what: str, faults: IntArray, sentence: Callable[[int], str]) -> Iterator[str]:
    """A sentence for each of the first faults, and how many more there are."""
    yield from map(sentence, faults[:MOST_REASONS].tolist())
    if len(faults) > MOST_REASONS:
        yield f"and {len(faults) - MOST_REASONS} more {what}"


def _domain_faults(state: _State) -> Iterator[str]:
    puzzle, facts, terms = state.puzzle, state.facts, state.terms
    masks = state.per_vertex(np.where(state.open, facts.weight, 0))

    outside = np.flatnonzero(~facts.allowed[puzzle.domain_of, masks])
    yield from _explained(
        "masks outside their domains", outside, lambda v: terms.wrong_mask(v, int(masks[v]))
    )
    if not facts.counted:
        return
    numbers = state.per_vertex(state.open.astype(np.int64))
    for domain, holders, right in facts.counted:
        even = domain.allowed is None
        wish = "an even number" if even else listed(sorted(domain.allowed or ()), " or ")
        yield from _explained(
            f"numbers of open ports that are not {wish}",
            holders[~right[numbers[holders]]],
            lambda v, wish=wish: f"{terms.vertex(v)}: {numbers[v]} open ports, expected {wish}",
        )


def _leaks(state: _State) -> Iterator[str]:
    puzzle, facts, leaks = state.puzzle, state.facts, state.puzzle.rules.leaks
    if leaks == "allowed":
        return
    met = np.where(facts.stub, puzzle.free, state.open[facts.partner])
    leaking = state.open & ~met
    wet = ""
    if leaks == "sealed":
        leaking &= state.holding(puzzle.rules.sources)[puzzle.owner]
        wet = ", in the component of a source"

    def leak(port: int) -> str:
        if facts.stub[port]:
            return state.terms.leak_at_stub(port) + wet
        return state.terms.leak_at_edge(port, int(facts.partner[port])) + wet

    yield from _explained("leaks", np.flatnonzero(leaking), leak)


def _disconnections(state: _State) -> Iterator[str]:
    rules = state.puzzle.rules
    if rules.connect == "used":
        yield from _split(state)
    elif rules.connect == "reach" and rules.sinks:
        label = state.components[1]
        sinks = np.array(rules.sinks, dtype=np.int64)

        def dry(sink: int) -> str:
            return state.terms.dry(sink, int(np.count_nonzero(label == label[sink])))

        wet = state.holding(rules.sources)
        yield from _explained("dry sinks", sinks[~wet[sinks]], dry)


def _split(state: _State) -> Iterator[str]:
    puzzle = state.puzzle
    number, label = state.components
    wanted = np.zeros(number, dtype=np.bool_)
    wanted[label[puzzle.owner[state.open]]] = True
    wanted[label[list(puzzle.rules.needed)]] = True
    parts = np.flatnonzero(wanted)
    if len(parts) < 2:
        return
    size, first = np.bincount(label, minlength=number), np.full(number, puzzle.vertices)
    np.minimum.at(first, label, np.arange(puzzle.vertices))
    parts = sorted(parts.tolist(), key=lambda part: (-size[part], first[part]))
    yield state.terms.split([(int(size[part]), int(first[part])) for part in parts])


def _cycles(state: _State) -> Iterator[str]:
    """One cycle for each component that has any."""
    puzzle = state.puzzle
    if not puzzle.rules.acyclic:
        return
    number, label = state.components
    if len(state.joined) == puzzle.vertices - number:
        return
    vertices = np.bincount(label, minlength=number)
    edges = np.bincount(label[puzzle.edge_vertices[state.joined, 0]], minlength=number)
    ends = puzzle.edge_vertices[state.joined]
    loops = np.flatnonzero(ends[:, 0] == ends[:, 1])
    yield from _explained(
        "loops",
        loops,
        lambda i: state.terms.loop(int(ends[i, 0]), int(state.joined[i])),
    )
    found = _one_cycle_each(state.joined.tolist(), ends.tolist())
    for around, crossed in islice(found, MOST_REASONS):
        part = label[around[0]]
        yield state.terms.cycle(around, crossed, int(edges[part] - vertices[part] + 1))


def _one_cycle_each(
    edges: list[int], ends: list[list[int]]
) -> Iterator[tuple[list[int], list[int]]]:
    """The vertices and edges of one cycle of two or more edges in each component with any."""
    beside: dict[int, list[tuple[int, int]]] = {}
    for edge, (u, v) in zip(edges, ends, strict=True):
        if u != v:
            beside.setdefault(u, []).append((edge, v))
            beside.setdefault(v, []).append((edge, u))
    came: dict[int, tuple[int, int]] = {}
    for root in beside:
        if root in came:
            continue
        came[root], waiting, closing = (-1, -1), deque([root]), None
        while waiting:
            here = waiting.popleft()
            for edge, there in beside[here]:
                if there not in came:
                    came[there] = (edge, here)
                    waiting.append(there)
                elif closing is None and edge not in (came[here][0], came[there][0]):
                    closing = (edge, here, there)
        if closing is not None:
            yield _close(came, *closing)


def _close(
    came: dict[int, tuple[int, int]], edge: int, one: int, other: int
) -> tuple[list[int], list[int]]:
    """The cycle that an edge closes in the forest of ``came``: (edge, parent) by vertex."""
    above = [one]
    while came[above[-1]][1] >= 0:
        above.append(came[above[-1]][1])
    place = {vertex: i for i, vertex in enumerate(above)}
    down = [other]
    while down[-1] not in place:
        down.append(came[down[-1]][1])
    up = above[: place[down[-1]] + 1]
    edges = [came[v][0] for v in up[:-1]] + [came[v][0] for v in reversed(down[:-1])] + [edge]
    return up + down[-2::-1], edges


def _components(vertices: int, ends: IntArray) -> tuple[int, IntArray]:
    """Number of components and each vertex's, shape (vertices,); ``ends`` (edges, 2)."""
    if max(vertices, len(ends)) > SMALL:
        # Loaded here: it takes twice as long to import as all the rest of a small check.
        import scipy.sparse as sparse
        from scipy.sparse.csgraph import connected_components

        ones = np.ones(len(ends), dtype=np.int8)
        graph = sparse.coo_array((ones, (ends[:, 0], ends[:, 1])), shape=(vertices, vertices))
        number, label = connected_components(graph, directed=False)
        return int(number), label.astype(np.int64)
    parent = list(range(vertices))

    def root(vertex: int) -> int:
        while parent[vertex] != vertex:
            parent[vertex] = parent[parent[vertex]]
            vertex = parent[vertex]
        return vertex

    for u, v in ends.tolist():
        parent[root(u)] = root(v)
    number_of: dict[int, int] = {}
    label = [number_of.setdefault(root(v), len(number_of)) for v in range(vertices)]
    return len(number_of), np.array(label, dtype=np.int64)
