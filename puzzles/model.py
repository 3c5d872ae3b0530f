"""The one puzzle model: a multigraph with ports, and rules on which ports may be open.

A vertex has ordered ports; a solution opens some of them. Each vertex's open ports must lie
in its domain, an edge joins two vertices where both of its ports are open, and the rules say
what may leak, what must hang together and whether cycles are allowed.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidPuzzle

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Solution = BoolArray
"""One truth value per port, shape (ports,): is it open?"""

MAX_TABLE_DEGREE = 8

Leaks = Literal["forbidden", "sealed", "allowed"]
Connect = Literal["none", "used", "reach"]


@dataclass(frozen=True, slots=True)
class Table:
    """A domain given as the allowed port masks; bit i is the vertex's port i.

    ``masks`` is strictly increasing. Raises InvalidPuzzle for an empty table, a mask outside
    0..2**degree - 1, or a degree over 8.
    """

    degree: int
    masks: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.degree <= MAX_TABLE_DEGREE:
            raise InvalidPuzzle(f"table degree {self.degree}: expected 0 to {MAX_TABLE_DEGREE}")
        if not self.masks:
            raise InvalidPuzzle("empty table: expected at least one mask")
        if list(self.masks) != sorted(set(self.masks)):
            raise InvalidPuzzle(f"table masks {self.masks}: expected strictly increasing numbers")
        if self.masks[0] < 0 or self.masks[-1] >> self.degree:
            raise InvalidPuzzle(f"table masks {self.masks}: expected {self.degree}-bit numbers")


@dataclass(frozen=True, slots=True)
class Counts:
    """A domain that allows any mask whose number of open ports is in ``allowed``.

    ``allowed`` None means every even number (``EVEN``).
    """

    allowed: frozenset[int] | None

    def __post_init__(self) -> None:
        if self.allowed is not None and (not self.allowed or min(self.allowed) < 0):
            raise InvalidPuzzle("counts: expected at least one number, none negative")

    def numbers(self, degree: int) -> tuple[int, ...]:
        """The allowed numbers of open ports on a vertex of this degree, increasing."""
        if self.allowed is None:
            return tuple(range(0, degree + 1, 2))
        return tuple(sorted(n for n in self.allowed if n <= degree))


EVEN = Counts(None)
Domain = Table | Counts


@dataclass(frozen=True, slots=True)
class Rules:
    """What a solution must obey besides the domains.

    - ``leaks`` forbidden: both ports of an edge are open or neither, closed stubs stay closed;
      sealed: that holds for every port of the components that hold a source (needs reach);
      allowed: ports open freely, an edge joins where both ends are open.
    - ``connect`` used: every vertex with an open port and every vertex of ``needed`` lies in
      one component of the joined edges; reach: every sink shares one with some source.
    - ``acyclic``: the joined edges contain no cycle (a joined loop is a cycle).
    """

    leaks: Leaks = "forbidden"
    connect: Connect = "none"
    acyclic: bool = False
    needed: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()
    sinks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.leaks not in ("forbidden", "sealed", "allowed"):
            raise InvalidPuzzle(f"leaks {self.leaks!r}: expected forbidden, sealed or allowed")
        if self.connect not in ("none", "used", "reach"):
            raise InvalidPuzzle(f"connect {self.connect!r}: expected none, used or reach")
        if self.leaks == "sealed" and self.connect != "reach":
            raise InvalidPuzzle("leaks sealed needs connect reach: the sources say what is wet")
        if self.needed and self.connect != "used":
            raise InvalidPuzzle("needed vertices belong to connect used")
        if (self.sources or self.sinks) and self.connect != "reach":
            raise InvalidPuzzle("sources and sinks belong to connect reach")


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs of a solution: per (vertex, mask) and per joined edge, all integers.

    ``rows`` are interned lists of (mask, cost), ``row_of`` (vertices,) picks one per vertex; a
    mask not listed costs 0. ``edge`` has shape (edges,).
    """

    rows: tuple[tuple[tuple[int, int], ...], ...]
    row_of: IntArray
    edge: IntArray
    maximise: bool = False


def _frozen(values: object, dtype: type) -> NDArray:
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False)
class Puzzle:
    """An immutable, validated puzzle. Ports of vertex v are ``first_port[v]`` to
    ``first_port[v + 1] - 1``, in the order of the mask's bits.

    - ``first_port`` (vertices + 1,): where each vertex's ports begin;
    - ``domains``: interned; ``domain_of`` (vertices,) is the index of each vertex's;
    - ``edge_ports`` (edges, 2): the two ports of each edge;
    - ``free`` (ports,): stubs that may be open without leaking. A port that is neither on an
      edge nor free is a closed stub.

    Raises InvalidPuzzle, naming the vertex or port, if anything does not fit together.
    """

    first_port: IntArray
    domains: tuple[Domain, ...]
    domain_of: IntArray
    edge_ports: IntArray
    free: BoolArray
    rules: Rules
    costs: Costs | None = None

    def __post_init__(self) -> None:
        for name, dtype in (
            ("first_port", np.int64),
            ("domain_of", np.int64),
            ("edge_ports", np.int64),
            ("free", np.bool_),
        ):
            object.__setattr__(self, name, _frozen(getattr(self, name), dtype))
        if self.edge_ports.size == 0:
            object.__setattr__(self, "edge_ports", _frozen(np.empty((0, 2)), np.int64))
        _validate(self)

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.domain_of)

    @property
    def ports(self) -> int:
        """Number of ports."""
        return int(self.first_port[-1])

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.edge_ports)

    @cached_property
    def degree(self) -> IntArray:
        """Number of ports of each vertex, shape (vertices,)."""
        return _frozen(np.diff(self.first_port), np.int64)

    @cached_property
    def owner(self) -> IntArray:
        """The vertex of each port, shape (ports,)."""
        return _frozen(np.repeat(np.arange(self.vertices), self.degree), np.int64)

    @cached_property
    def twin(self) -> IntArray:
        """The port at the other end of each port's edge, -1 for a stub, shape (ports,)."""
        twin = np.full(self.ports, -1, dtype=np.int64)
        twin[self.edge_ports[:, 0]] = self.edge_ports[:, 1]
        twin[self.edge_ports[:, 1]] = self.edge_ports[:, 0]
        return _frozen(twin, np.int64)

    @cached_property
    def edge_of(self) -> IntArray:
        """The edge of each port, -1 for a stub, shape (ports,)."""
        edge_of = np.full(self.ports, -1, dtype=np.int64)
        edge_of[self.edge_ports.ravel()] = np.repeat(np.arange(self.edges), 2)
        return _frozen(edge_of, np.int64)

    @cached_property
    def edge_vertices(self) -> IntArray:
        """The two vertices of each edge (equal for a loop), shape (edges, 2)."""
        return _frozen(self.owner[self.edge_ports].reshape(-1, 2), np.int64)

    @cached_property
    def blank(self) -> BoolArray:
        """Vertices that can have no open port at all, shape (vertices,)."""
        blanks = [isinstance(d, Table) and d.masks == (0,) for d in self.domains]
        return _frozen(np.array(blanks, dtype=np.bool_)[self.domain_of], np.bool_)

    def domain(self, vertex: int) -> Domain:
        """The domain of one vertex."""
        return self.domains[self.domain_of[vertex]]

    def with_rules(self, rules: Rules) -> Puzzle:
        """The same graph and domains under other rules."""
        return replace(self, rules=rules)

    @cached_property
    def fingerprint(self) -> str:
        """A hexadecimal digest of everything the puzzle says: equal puzzles, equal digests.

        The order in which domains happen to be interned does not matter.
        """
        texts = [
            repr(d.masks if isinstance(d, Table) else ("counts", d.allowed and sorted(d.allowed)))
            for d in self.domains
        ]
        used = sorted({texts[i] for i in np.unique(self.domain_of)})
        rank = np.array([used.index(t) if t in used else -1 for t in texts], dtype=np.int64)
        digest = hashlib.sha256(repr((used, self.rules)).encode())
        for array in (self.first_port, rank[self.domain_of], self.edge_ports, self.free):
            digest.update(array.tobytes())
        if self.costs is not None:
            digest.update(repr((self.costs.rows, self.costs.maximise)).encode())
            digest.update(self.costs.row_of.tobytes() + self.costs.edge.tobytes())
        return digest.hexdigest()[:32]

    @classmethod
    def build(
        cls,
        vertices: Sequence[tuple[int, Domain]],
        edges: Sequence[tuple[int, int, int, int]] = (),
        *,
        free: Sequence[tuple[int, int]] = (),
        rules: Rules | None = None,
        mask_costs: Sequence[Sequence[tuple[int, int]]] | None = None,
        edge_costs: Sequence[int] | None = None,
        maximise: bool = False,
    ) -> Puzzle:
        """A puzzle from plain lists: ``vertices`` are (degree, domain), ``edges`` are
        (vertex, port, vertex, port), ``free`` are (vertex, port); ``mask_costs`` has one list
        of (mask, cost) per vertex.
        """
        first = np.concatenate([[0], np.cumsum([degree for degree, _ in vertices])]).astype(int)
        interned: dict[Domain, int] = {}
        domain_of = [interned.setdefault(domain, len(interned)) for _, domain in vertices]

        def port(vertex: int, index: int) -> int:
            if not 0 <= vertex < len(vertices) or not 0 <= index < vertices[vertex][0]:
                raise InvalidPuzzle(f"vertex {vertex} port {index} does not exist")
            return int(first[vertex]) + index

        free_ports = np.zeros(int(first[-1]), dtype=np.bool_)
        free_ports[[port(v, i) for v, i in free]] = True
        costs = None
        if mask_costs is not None or edge_costs is not None:
            costs = _costs(len(vertices), len(edges), mask_costs, edge_costs, maximise)
        return cls(
            first,
            tuple(interned),
            np.array(domain_of, dtype=np.int64),
            np.array([(port(u, i), port(v, j)) for u, i, v, j in edges], dtype=np.int64),
            free_ports,
            rules or Rules(),
            costs,
        )


def _costs(
    vertices: int,
    edges: int,
    mask_costs: Sequence[Sequence[tuple[int, int]]] | None,
    edge_costs: Sequence[int] | None,
    maximise: bool,
) -> Costs:
    rows: dict[tuple[tuple[int, int], ...], int] = {}
    listed = mask_costs if mask_costs is not None else [()] * vertices
    row_of = [rows.setdefault(tuple((m, c) for m, c in row), len(rows)) for row in listed]
    return Costs(
        tuple(rows),
        _frozen(row_of, np.int64),
        _frozen([0] * edges if edge_costs is None else edge_costs, np.int64),
        maximise,
    )


def _validate(puzzle: Puzzle) -> None:
    first, domain_of, edges = puzzle.first_port, puzzle.domain_of, puzzle.edge_ports
    if first.ndim != 1 or len(first) != len(domain_of) + 1 or first[0] != 0:
        raise InvalidPuzzle("first_port: expected vertices + 1 numbers from 0")
    if np.any(np.diff(first) < 0):
        raise InvalidPuzzle("first_port: expected numbers that never decrease")
    if len(domain_of) and not 0 <= domain_of.min() <= domain_of.max() < len(puzzle.domains):
        raise InvalidPuzzle(f"domain_of: expected indexes below {len(puzzle.domains)}")
    if puzzle.free.shape != (puzzle.ports,):
        raise InvalidPuzzle(f"free: expected one value for each of {puzzle.ports} ports")
    if edges.ndim != 2 or edges.shape[1] != 2:
        raise InvalidPuzzle("edge_ports: expected two ports per edge")
    if edges.size and not 0 <= edges.min() <= edges.max() < puzzle.ports:
        raise InvalidPuzzle(f"edge_ports: expected ports below {puzzle.ports}")
    used, times = np.unique(edges, return_counts=True)
    if np.any(times > 1):
        raise InvalidPuzzle(f"port {used[times > 1][0]} stands on more than one edge")
    if np.any(puzzle.free[used]):
        raise InvalidPuzzle(f"port {used[puzzle.free[used]][0]} is on an edge and free")
    _validate_domains(puzzle)
    _validate_rules(puzzle)


def _validate_domains(puzzle: Puzzle) -> None:
    for index, domain in enumerate(puzzle.domains):
        holders = np.flatnonzero(puzzle.domain_of == index)
        if isinstance(domain, Counts):
            if len(holders) and puzzle.rules.leaks != "forbidden":
                raise InvalidPuzzle(f"vertex {holders[0]}: counts need leaks forbidden")
            continue
        wrong = holders[puzzle.degree[holders] != domain.degree]
        if len(wrong):
            raise InvalidPuzzle(
                f"vertex {wrong[0]} has {puzzle.degree[wrong[0]]} ports, "
                f"its table is for {domain.degree}"
            )


def _validate_rules(puzzle: Puzzle) -> None:
    rules, costs = puzzle.rules, puzzle.costs
    for name in ("needed", "sources", "sinks"):
        for vertex in getattr(rules, name):
            if not 0 <= vertex < puzzle.vertices:
                raise InvalidPuzzle(f"{name}: there is no vertex {vertex}")
    if costs is None:
        return
    if costs.row_of.shape != (puzzle.vertices,) or costs.edge.shape != (puzzle.edges,):
        raise InvalidPuzzle("costs: expected one row per vertex and one number per edge")
    if len(costs.row_of) and not 0 <= costs.row_of.min() <= costs.row_of.max() < len(costs.rows):
        raise InvalidPuzzle(f"costs: expected rows below {len(costs.rows)}")


def _bits(puzzle: Puzzle) -> IntArray:
    """The bit of each port within its vertex's mask, shape (ports,)."""
    return np.arange(puzzle.ports) - np.repeat(puzzle.first_port[:-1], puzzle.degree)


def masks_of(puzzle: Puzzle, solution: Solution) -> list[int]:
    """The open-port mask of every vertex; Python integers, since a degree has no bound."""
    first = puzzle.first_port
    if puzzle.degree.max(initial=0) <= MAX_TABLE_DEGREE:
        weights = np.where(solution, 1 << _bits(puzzle), 0)
        sums = np.concatenate([[0], np.cumsum(weights)])
        return (sums[first[1:]] - sums[first[:-1]]).tolist()
    flags, starts = solution.tolist(), first.tolist()
    return [
        sum(1 << i for i, on in enumerate(flags[a:b]) if on) for a, b in itertools.pairwise(starts)
    ]


def ports_from_masks(puzzle: Puzzle, masks: Sequence[int]) -> Solution:
    """The solution whose vertices have these masks, shape (ports,).

    Raises InvalidPuzzle if their number is not that of the vertices or a mask has bits beyond
    the vertex's ports.
    """
    if len(masks) != puzzle.vertices:
        raise InvalidPuzzle(f"{len(masks)} masks: expected {puzzle.vertices}")
    for vertex, (mask, degree) in enumerate(zip(masks, puzzle.degree.tolist(), strict=True)):
        if mask < 0 or mask >> degree:
            raise InvalidPuzzle(f"vertex {vertex}: mask {mask} does not fit {degree} ports")
    if puzzle.degree.max(initial=0) <= MAX_TABLE_DEGREE:
        spread = np.repeat(np.array(masks, dtype=np.int64), puzzle.degree)
        return (spread >> _bits(puzzle) & 1).astype(np.bool_)
    flags = [
        bool(mask >> i & 1)
        for mask, degree in zip(masks, puzzle.degree.tolist(), strict=True)
        for i in range(degree)
    ]
    return np.array(flags, dtype=np.bool_)


def joined_edges(puzzle: Puzzle, solution: Solution) -> BoolArray:
    """The edges with both ports open, shape (edges,)."""
    return solution[puzzle.edge_ports[:, 0]] & solution[puzzle.edge_ports[:, 1]]
