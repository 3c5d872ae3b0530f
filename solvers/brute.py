"""Brute force: try the vertices' masks one after the other and judge each complete choice.

The oracle that every other engine is compared with, so it is as plain as can be: it prunes
only what an edge to an earlier vertex already forbids, and shares no code with the checker
or any encoding. For tiny puzzles.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

import numpy as np

from ..puzzles.errors import UsageError
from ..puzzles.model import Puzzle, Solution, Table
from .contract import Capabilities, Deadline, Engine, Limits, Reason, Search, Variant

MAX_PORTS = 128
CLOCK_EVERY = 256


class Brute(Engine):
    """Every rule of the model; takes no options."""

    name: ClassVar[str] = "brute"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden", "sealed", "allowed"}),
        connect=frozenset({"none", "used", "reach"}),
        objective=True,
        interrupt=True,
        seeds=False,
        max_ports=MAX_PORTS,
        counters={
            "nodes": "masks tried on a vertex",
            "leaves": "complete choices of masks judged by the rules",
        },
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        if variant.options or variant.borrowed:
            raise UsageError(f"solver {str(variant)!r}: brute takes no options")

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The search before its first node."""
        return BruteSearch(puzzle, limits)

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """All solutions, of which those are handed out that beat the ones before."""
        return BruteBest(puzzle, limits)


class BruteSearch(Search):
    """Depth first over the vertices in their order.

    ``masks`` holds the masks chosen for the first vertices; ``waiting`` the masks still to be
    tried on each of them and on the next one. So different leaves differ in some mask, and no
    solution can come twice.
    """

    def __init__(self, puzzle: Puzzle, limits: Limits) -> None:
        super().__init__()
        self.stats = {"nodes": 0, "leaves": 0}
        self._vertices = [_Vertex(puzzle, v) for v in range(puzzle.vertices)]
        self._judge = _Judge(puzzle)
        self._limits, self._deadline = limits, Deadline(limits)
        self._nodes = self._leaves = 0
        self._masks: list[int] = []
        self._waiting: list[Iterator[int]] = []
        self._fresh = True

    def next(self) -> Solution | Reason | None:
        """The next complete choice that the rules allow."""
        try:
            return self._next()
        finally:
            self.stats.update(nodes=self._nodes, leaves=self._leaves)

    def _next(self) -> Solution | Reason | None:
        if self._deadline.passed():
            return Reason.TIME
        if self._fresh:
            self._fresh = False
            found = self._descend()
            if found is not None:
                return found
        while self._waiting:
            stop = self._stop()
            if stop is not None:
                return stop
            mask = next(self._waiting[-1], None)
            if mask is None:
                self._waiting.pop()
                if self._masks:
                    self._masks.pop()
                continue
            self._nodes += 1
            self._masks.append(mask)
            found = self._descend()
            if found is not None:
                return found
        return None

    def _descend(self) -> Solution | None:
        """Open the next vertex, or judge the leaf and step back from it."""
        depth = len(self._masks)
        if depth < len(self._vertices):
            self._waiting.append(self._vertices[depth].masks(self._masks))
            return None
        self._leaves += 1
        ports = [
            bool(mask >> i & 1)
            for vertex, mask in zip(self._vertices, self._masks, strict=True)
            for i in range(vertex.degree)
        ]
        if self._masks:
            self._masks.pop()
        return np.array(ports, dtype=np.bool_) if self._judge.allows(ports) else None

    def _stop(self) -> Reason | None:
        if self._limits.nodes is not None and self._nodes >= self._limits.nodes:
            return Reason.NODES
        if self._nodes % CLOCK_EVERY == 0 and self._deadline.passed():
            return Reason.TIME
        return None


class BruteBest(BruteSearch):
    """Looks at every solution; only the end of the search proves a bound."""

    def __init__(self, puzzle: Puzzle, limits: Limits) -> None:
        super().__init__(puzzle, limits)
        assert puzzle.costs is not None
        self._costs = puzzle.costs
        self._edge_ports: list[list[int]] = puzzle.edge_ports.tolist()
        self._best: int | None = None

    def next(self) -> Solution | Reason | None:
        """The next solution that is better than all so far."""
        while True:
            found = super().next()
            if found is None or isinstance(found, Reason):
                return found
            price = self._price(found)
            if self._best is None or price < self._best:
                self._best = price
                return found

    def _price(self, solution: Solution) -> int:
        """What the solution costs; the other way round where costs are to be maximised."""
        ports, price, at = solution.tolist(), 0, 0
        for vertex, row in zip(self._vertices, self._costs.row_of.tolist(), strict=True):
            mask = sum(on << i for i, on in enumerate(ports[at : at + vertex.degree]))
            price += dict(self._costs.rows[row]).get(mask, 0)
            at += vertex.degree
        for (p, q), cost in zip(self._edge_ports, self._costs.edge.tolist(), strict=True):
            price += cost if ports[p] and ports[q] else 0
        return -price if self._costs.maximise else price


class _Vertex:
    """A vertex and what is obvious of its masks.

    ``back`` lists its ports that meet an earlier vertex: (own bit, vertex, its bit). Under
    leaks forbidden those are decided by then. ``_groups`` sorts a table's masks by them, so
    that the fitting ones are found at once.
    """

    def __init__(self, puzzle: Puzzle, vertex: int) -> None:
        self.degree = int(puzzle.degree[vertex])
        self.back: list[tuple[int, int, int]] = []
        self._shut: list[int] = []
        self._pairs: list[tuple[int, int]] = []
        if puzzle.rules.leaks == "forbidden":
            self._read(puzzle, vertex)
        self._free = [
            i
            for i in range(self.degree)
            if i not in self._shut and all(i != own for own, _, _ in self.back)
        ]
        domain = puzzle.domain(vertex)
        self._numbers = () if isinstance(domain, Table) else domain.numbers(self.degree)
        self._groups: dict[int, list[int]] | None = None
        if isinstance(domain, Table):
            decided = sum(1 << own for own, _, _ in self.back)
            self._groups = {}
            for mask in filter(self._consistent, domain.masks):
                self._groups.setdefault(mask & decided, []).append(mask)

    def _read(self, puzzle: Puzzle, vertex: int) -> None:
        begin = int(puzzle.first_port[vertex])
        for i in range(self.degree):
            twin = int(puzzle.twin[begin + i])
            other = int(puzzle.owner[twin]) if twin >= 0 else -1
            if twin < 0:
                if not puzzle.free[begin + i]:
                    self._shut.append(i)
            elif other == vertex:
                self._pairs.append((i, twin - begin))
            elif other < vertex:
                self.back.append((i, other, twin - int(puzzle.first_port[other])))

    def _consistent(self, mask: int) -> bool:
        """Closed stubs stay closed, and a loop has both ends open or neither."""
        return not any(mask >> i & 1 for i in self._shut) and all(
            mask >> i & 1 == mask >> j & 1 for i, j in self._pairs
        )

    def masks(self, earlier: list[int]) -> Iterator[int]:
        """The masks that fit those of the earlier vertices."""
        given = sum((earlier[v] >> bit & 1) << own for own, v, bit in self.back)
        if self._groups is not None:
            return iter(self._groups.get(given, ()))
        return self._by_number(given)

    def _by_number(self, given: int) -> Iterator[int]:
        for number in self._numbers:
            more = number - given.bit_count()
            if more < 0:
                continue
            for chosen in combinations(self._free, more):
                mask = given | sum(1 << i for i in chosen)
                if self._consistent(mask):
                    yield mask


class _Judge:
    """The rules, read off a complete choice of open ports in the plainest way."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.rules = puzzle.rules
        self.owner = puzzle.owner.tolist()
        self.vertices = puzzle.vertices
        self.edges = [tuple(pair) for pair in puzzle.edge_ports.tolist()]
        on_edge = {port for pair in self.edges for port in pair}
        free = puzzle.free.tolist()
        self.shut = [p for p in range(puzzle.ports) if p not in on_edge and not free[p]]

    def allows(self, ports: list[bool]) -> bool:
        """Whether leaks, connection and cycles are as the rules want; domains are not asked."""
        rules = self.rules
        leaking = {p for p in self.shut if ports[p]}
        beside: list[list[int]] = [[] for _ in range(self.vertices)]
        joined = 0
        for p, q in self.edges:
            if ports[p] and ports[q]:
                joined += 1
                beside[self.owner[p]].append(self.owner[q])
                beside[self.owner[q]].append(self.owner[p])
            elif ports[p] or ports[q]:
                leaking.add(p if ports[p] else q)
        if rules.leaks == "forbidden" and leaking:
            return False
        if rules.leaks == "sealed":
            wet = self._reached(beside, rules.sources)
            if any(self.owner[p] in wet for p in leaking):
                return False
        if rules.acyclic and joined != self.vertices - self._parts(beside):
            return False
        if rules.connect == "used":
            wanted = {v for p, v in enumerate(self.owner) if ports[p]} | set(rules.needed)
            return not wanted or wanted <= self._reached(beside, [min(wanted)])
        if rules.connect == "reach":
            return set(rules.sinks) <= self._reached(beside, rules.sources)
        return True

    @staticmethod
    def _reached(beside: list[list[int]], starts: tuple[int, ...] | list[int]) -> set[int]:
        reached, stack = set(starts), list(starts)
        while stack:
            for there in beside[stack.pop()]:
                if there not in reached:
                    reached.add(there)
                    stack.append(there)
        return reached

    def _parts(self, beside: list[list[int]]) -> int:
        seen: set[int] = set()
        parts = 0
        for vertex in range(self.vertices):
            if vertex not in seen:
                parts += 1
                seen |= self._reached(beside, [vertex])
        return parts
