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

from .domains import EVEN as EVEN
from .domains import MAX_TABLE_DEGREE, Domain, Table
from .domains import Counts as Counts
from .errors import InvalidPuzzle
from .pieces import Pieces
from .validate import validate
from .values import Frozen, flags, frozen, integers, rows, sequence, whole, whole_numbers

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Solution = BoolArray
"""One truth value per port, shape (ports,): is it open?"""

Leaks = Literal["forbidden", "sealed", "allowed"]
Connect = Literal["none", "used", "reach"]


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
        if not isinstance(self.acyclic, (bool, np.bool_)):
            raise InvalidPuzzle(f"acyclic {self.acyclic!r}: expected true or false")
        object.__setattr__(self, "acyclic", bool(self.acyclic))
        for name in ("needed", "sources", "sinks"):
            object.__setattr__(self, name, whole_numbers(getattr(self, name), name))
        if self.leaks == "sealed" and self.connect != "reach":
            raise InvalidPuzzle("leaks sealed needs connect reach: the sources say what is wet")
        if self.needed and self.connect != "used":
            raise InvalidPuzzle("needed vertices belong to connect used")
        if (self.sources or self.sinks) and self.connect != "reach":
            raise InvalidPuzzle("sources and sinks belong to connect reach")


@dataclass(frozen=True, eq=False)
class Costs(Frozen):
    """Costs of a solution: per (vertex, mask) and per joined edge, all integers.

    ``rows`` are interned lists of (mask, cost), ``row_of`` (vertices,) picks one per vertex; a
    mask not listed costs 0. ``edge`` has shape (edges,). Raises InvalidPuzzle for anything but
    whole numbers, and for a mask listed twice in a row.
    """

    rows: tuple[tuple[tuple[int, int], ...], ...]
    row_of: IntArray
    edge: IntArray
    maximise: bool = False

    def __post_init__(self) -> None:
        listed = []
        for row in sequence(self.rows, "mask costs"):
            pairs = [whole_numbers(pair, "mask costs") for pair in rows(row, 2, "mask costs")]
            if len({mask for mask, _ in pairs}) < len(pairs):
                raise InvalidPuzzle(f"mask costs {row}: a mask is listed twice")
            listed.append(tuple((mask, cost) for mask, cost in pairs))
        object.__setattr__(self, "rows", tuple(listed))
        object.__setattr__(self, "row_of", integers(self.row_of, "rows of costs"))
        object.__setattr__(self, "edge", integers(self.edge, "edge costs"))


@dataclass(frozen=True, eq=False)
class Puzzle(Frozen):
    """An immutable, validated puzzle. Ports of vertex v are ``first_port[v]`` to
    ``first_port[v + 1] - 1``, in the order of the mask's bits.

    - ``first_port`` (vertices + 1,): where each vertex's ports begin;
    - ``domains``: interned; ``domain_of`` (vertices,) is the index of each vertex's;
    - ``edge_ports`` (edges, 2): the two ports of each edge;
    - ``free`` (ports,): stubs that may be open without leaking. A port that is neither on an
      edge nor free is a closed stub;
    - ``pieces``: what stood there before the rules; it decides nothing.

    Raises InvalidPuzzle, naming the vertex or port, if anything does not fit together.
    """

    first_port: IntArray
    domains: tuple[Domain, ...]
    domain_of: IntArray
    edge_ports: IntArray
    free: BoolArray
    rules: Rules
    costs: Costs | None = None
    pieces: Pieces | None = None

    def __post_init__(self) -> None:
        for name in ("first_port", "domain_of", "edge_ports"):
            object.__setattr__(self, name, integers(getattr(self, name), name))
        object.__setattr__(self, "free", flags(self.free, "free"))
        if self.edge_ports.size == 0:
            object.__setattr__(self, "edge_ports", frozen(np.empty((0, 2), dtype=np.int64)))
        _validate_parts(self)
        object.__setattr__(self, "domains", tuple(self.domains))
        validate(self)

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
        return frozen(np.diff(self.first_port))

    @cached_property
    def owner(self) -> IntArray:
        """The vertex of each port, shape (ports,)."""
        return frozen(np.repeat(np.arange(self.vertices), self.degree))

    @cached_property
    def twin(self) -> IntArray:
        """The port at the other end of each port's edge, -1 for a stub, shape (ports,)."""
        twin = np.full(self.ports, -1, dtype=np.int64)
        twin[self.edge_ports[:, 0]] = self.edge_ports[:, 1]
        twin[self.edge_ports[:, 1]] = self.edge_ports[:, 0]
        return frozen(twin)

    @cached_property
    def edge_of(self) -> IntArray:
        """The edge of each port, -1 for a stub, shape (ports,)."""
        edge_of = np.full(self.ports, -1, dtype=np.int64)
        edge_of[self.edge_ports.ravel()] = np.repeat(np.arange(self.edges), 2)
        return frozen(edge_of)

    @cached_property
    def edge_vertices(self) -> IntArray:
        """The two vertices of each edge (equal for a loop), shape (edges, 2)."""
        return frozen(self.owner[self.edge_ports].reshape(-1, 2))

    @cached_property
    def blank(self) -> BoolArray:
        """Vertices that can have no open port at all, shape (vertices,)."""
        blanks = [isinstance(d, Table) and d.masks == (0,) for d in self.domains]
        return frozen(np.array(blanks, dtype=np.bool_)[self.domain_of])

    def domain(self, vertex: int) -> Domain:
        """The domain of one vertex."""
        return self.domains[self.domain_of[vertex]]

    def with_rules(self, rules: Rules) -> Puzzle:
        """The same graph and domains under other rules."""
        return replace(self, rules=rules)

    @cached_property
    def fingerprint(self) -> str:
        """A hexadecimal digest of everything the puzzle says: equal puzzles, equal digests.

        The order in which domains and rows of costs happen to be interned does not matter, nor
        that of the vertices the rules list.
        """
        texts = [
            repr(d.masks if isinstance(d, Table) else ("counts", d.allowed and sorted(d.allowed)))
            for d in self.domains
        ]
        used, rank = _ranked(texts, self.domain_of)
        rules = self.rules
        listed = [sorted(set(some)) for some in (rules.needed, rules.sources, rules.sinks)]
        said = (rules.leaks, rules.connect, rules.acyclic, listed)
        sizes = (self.vertices, self.ports, self.edges)
        digest = hashlib.sha256(repr((used, said, sizes)).encode())
        for array in (self.first_port, rank, self.edge_ports, self.free):
            digest.update(array.tobytes())
        if self.costs is not None:
            listings = [repr(sorted(row)) for row in self.costs.rows]
            used, rank = _ranked(listings, self.costs.row_of)
            digest.update(repr((used, self.costs.maximise)).encode())
            digest.update(rank.tobytes() + self.costs.edge.tobytes())
        if self.pieces is not None:
            used, rank = _ranked([repr(row) for row in self.pieces.rows], self.pieces.row_of)
            digest.update(repr(("pieces", used)).encode())
            digest.update(rank.tobytes() + self.pieces.fixed.tobytes())
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
        given = rows(vertices, 2, "vertices")
        degrees = [whole(degree, f"degree of vertex {v}") for v, (degree, _) in enumerate(given)]
        for vertex, (degree, (_, domain)) in enumerate(zip(degrees, given, strict=True)):
            if degree < 0:
                raise InvalidPuzzle(f"vertex {vertex}: degree {degree}, expected at least 0")
            if not isinstance(domain, Domain):
                raise InvalidPuzzle(f"vertex {vertex}: domain {domain!r}, expected a domain")
        first = [0, *itertools.accumulate(degrees)]
        interned: dict[Domain, int] = {}
        domain_of = [interned.setdefault(domain, len(interned)) for _, domain in given]

        def port(vertex: object, index: object) -> int:
            v, i = whole(vertex, "vertex"), whole(index, "port")
            if not 0 <= v < len(degrees) or not 0 <= i < degrees[v]:
                raise InvalidPuzzle(f"vertex {v} port {i} does not exist")
            return first[v] + i

        free_ports = np.zeros(first[-1], dtype=np.bool_)
        free_ports[[port(v, i) for v, i in rows(free, 2, "free")]] = True
        costs = None
        if mask_costs is not None or edge_costs is not None:
            costs = _costs(len(given), len(edges), mask_costs, edge_costs, maximise)
        return cls(
            np.array(first, dtype=np.int64),
            tuple(interned),
            np.array(domain_of, dtype=np.int64),
            np.array(
                [(port(u, i), port(v, j)) for u, i, v, j in rows(edges, 4, "edges")],
                dtype=np.int64,
            ),
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
    interned: dict[tuple[tuple[int, int], ...], int] = {}
    listed = mask_costs if mask_costs is not None else [()] * vertices
    row_of = [
        interned.setdefault(tuple(rows(row, 2, "mask costs")), len(interned))
        for row in sequence(listed, "mask costs")
    ]
    edge = [0] * edges if edge_costs is None else edge_costs
    return Costs(
        tuple(interned), np.array(row_of, dtype=np.int64), integers(edge, "edge costs"), maximise
    )


def _ranked(texts: list[str], which: IntArray) -> tuple[list[str], IntArray]:
    """The texts in use, sorted, and ``which`` with indexes into those."""
    used = sorted({texts[i] for i in np.unique(which).tolist()})
    place = {text: rank for rank, text in enumerate(used)}
    return used, np.array([place.get(t, -1) for t in texts], dtype=np.int64)[which]


def _validate_parts(puzzle: Puzzle) -> None:
    """What is no array is of the right class."""
    domains: object = puzzle.domains
    if not isinstance(domains, (tuple, list)) or not all(isinstance(d, Domain) for d in domains):
        raise InvalidPuzzle(f"domains: {domains!r}, expected tables and counts")
    if not isinstance(puzzle.rules, Rules):
        raise InvalidPuzzle(f"rules: {puzzle.rules!r}, expected Rules")
    if not isinstance(puzzle.costs, (Costs, type(None))):
        raise InvalidPuzzle(f"costs: {puzzle.costs!r}, expected Costs")
    if not isinstance(puzzle.pieces, (Pieces, type(None))):
        raise InvalidPuzzle(f"pieces: {puzzle.pieces!r}, expected Pieces")


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
    masks = whole_numbers(masks, "masks")
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
