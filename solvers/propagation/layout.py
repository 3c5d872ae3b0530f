"""A Puzzle as flat lists: everything that stays the same during the search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...puzzles.model import Counts, IntArray, Puzzle, Table
from .tables import COUNT_SHIFT, Tables, effective_masks, next_and_previous

UNBOUNDED = -1
NO_DEMAND = 1 << 60
SOURCE = -(1 << 40)  # outweighs any number of sinks: a sum below 0 says that a source is there


@dataclass(slots=True)
class Layout:
    """Per port: ``owner``, ``twin`` (-1 for a stub), ``step_on`` and ``step_off`` (what the
    code of the owner gains), ``outward`` (leads to another vertex). Per vertex: ``first`` (its
    first port; one more at the end), ``table`` (-1 for Counts), ``base`` (where its entries
    begin, in the tables or in the count lists), ``used`` (in use in every solution), ``most``
    (most outward openings).

    ``demand`` is what a vertex brings into its component (connect used: 1 if in use; reach: 1
    for a sink, SOURCE more for a source). ``suffices`` is how many components may have a
    demand in a solution. ``leaky`` says that the two ports of an edge may differ, ``sealed``
    that they must not where a source is. ``needed`` are the vertices that connect used needs.

    ``budget`` is the number of independent cycles allowed, or UNBOUNDED. ``impossible`` says in
    words that sums of openings alone refute the puzzle.
    """

    vertices: int
    ports: int
    owner: list[int]
    twin: list[int]
    first: list[int]
    step_on: list[int]
    step_off: list[int]
    outward: list[bool]
    free: list[bool]
    table: list[int]
    base: list[int]
    used: list[bool]
    blank: list[bool]
    tables: Tables
    following: list[int]
    previous: list[int]
    demand: list[int]
    needed: list[int]
    suffices: int
    connected: bool
    reach: bool
    leaky: bool
    sealed: bool
    acyclic: bool
    budget: int
    impossible: str


def build(puzzle: Puzzle) -> Layout:
    """Flatten a puzzle, under any rules."""
    owner, twin, first = puzzle.owner, puzzle.twin, puzzle.first_port
    outward = np.zeros(puzzle.ports, dtype=np.bool_)
    joined = twin >= 0
    outward[joined] = owner[twin[joined]] != owner[joined]
    counted = np.array([isinstance(d, Counts) for d in puzzle.domains], dtype=np.bool_)
    is_counts = counted[puzzle.domain_of] if puzzle.vertices else np.zeros(0, np.bool_)
    digit = np.arange(puzzle.ports) - first[owner]
    weight = np.where(is_counts[owner], 1, 3 ** np.minimum(digit, 8))
    kinds = _Kinds(puzzle, outward, is_counts)
    used = kinds.never_idle[kinds.of]
    rules = puzzle.rules
    used[list(rules.needed)] = True
    budget, impossible = _budget(puzzle, kinds)
    return Layout(
        vertices=puzzle.vertices,
        ports=puzzle.ports,
        owner=owner.tolist(),
        twin=twin.tolist(),
        first=first.tolist(),
        step_on=weight.tolist(),
        step_off=np.where(is_counts[owner], 1 << COUNT_SHIFT, 2 * weight).tolist(),
        outward=outward.tolist(),
        free=puzzle.free.tolist(),
        table=kinds.table[kinds.of].tolist(),
        base=kinds.base[kinds.of].tolist(),
        used=used.tolist(),
        blank=(kinds.idle[kinds.of]).tolist(),
        tables=kinds.tables,
        following=kinds.following,
        previous=kinds.previous,
        demand=_demand(puzzle, used),
        needed=sorted(set(puzzle.rules.needed)),
        suffices={"none": NO_DEMAND, "used": 1, "reach": 0}[rules.connect],
        connected=rules.connect == "used",
        reach=rules.connect == "reach",
        leaky=rules.leaks != "forbidden",
        sealed=rules.leaks == "sealed",
        acyclic=rules.acyclic,
        budget=budget,
        impossible=impossible,
    )


def _demand(puzzle: Puzzle, used: np.ndarray) -> list[int]:
    if puzzle.rules.connect != "reach":
        return used.astype(np.int64).tolist()
    demand = np.zeros(puzzle.vertices, dtype=np.int64)
    demand[list(puzzle.rules.sinks)] = 1
    demand[list(puzzle.rules.sources)] += SOURCE
    return demand.tolist()


class _Kinds:
    """Vertices that behave alike: same domain, closed stubs, outward ports, loops and degree.

    ``of`` (vertices,) is the kind of each; per kind: ``table``, ``base``, ``never_idle`` (no
    way to open nothing), ``idle`` (no way to open anything), ``fixed`` (its one number of open
    ports, -1 if there are several or none).
    """

    def __init__(self, puzzle: Puzzle, outward: np.ndarray, is_counts: np.ndarray) -> None:
        self.tables = Tables()
        self.following: list[int] = []
        self.previous: list[int] = []
        closed = _bits(puzzle, (puzzle.twin < 0) & ~puzzle.free)
        loops, loop_pairs = _loops(puzzle, is_counts)
        columns = [puzzle.domain_of, closed, _bits(puzzle, outward), loops, puzzle.degree]
        keys, of = _distinct(columns)
        self.of = of
        rows = [self._kind(puzzle, loop_pairs, *key) for key in keys.tolist()]
        table, base, never_idle, idle, fixed = zip(*rows, strict=True) if rows else [()] * 5
        self.table = np.array(table, dtype=np.int64)
        self.base = np.array(base, dtype=np.int64)
        self.never_idle = np.array(never_idle, dtype=np.bool_)
        self.idle = np.array(idle, dtype=np.bool_)
        self.fixed = np.array(fixed, dtype=np.int64)

    def _kind(
        self,
        puzzle: Puzzle,
        loop_pairs: list[tuple[tuple[int, int], ...]],
        domain_index: int,
        closed: int,
        outward: int,
        loops: int,
        degree: int,
    ) -> tuple[int, int, bool, bool, int]:
        domain = puzzle.domains[domain_index]
        if isinstance(domain, Table):
            masks = domain.masks
            if puzzle.rules.leaks == "forbidden":
                masks = effective_masks(masks, closed, loop_pairs[loops])
            table = self.tables.add(masks, degree, outward)
            base = self.tables.base[table]
            numbers = {mask.bit_count() for mask in masks}
        else:
            following, previous = next_and_previous(domain.numbers(degree), degree)
            table, base = -1, len(self.following)
            self.following.extend(following)
            self.previous.extend(previous)
            numbers = set(domain.numbers(degree))
        fixed = next(iter(numbers)) if len(numbers) == 1 else -1
        return table, base, 0 not in numbers, numbers <= {0}, fixed


def _bits(puzzle: Puzzle, ports: np.ndarray) -> IntArray:
    """The chosen ports of each vertex as bits; meaningless beyond 8 ports, where it is 0."""
    digit = np.arange(puzzle.ports) - puzzle.first_port[puzzle.owner]
    small = puzzle.degree[puzzle.owner] <= 8
    weights = np.where(ports & small, 1 << np.minimum(digit, 8), 0)
    return np.bincount(puzzle.owner, weights, minlength=puzzle.vertices).astype(np.int64)


def _loops(
    puzzle: Puzzle, is_counts: np.ndarray
) -> tuple[IntArray, list[tuple[tuple[int, int], ...]]]:
    """Per vertex with a table an index into the list of its loops, as pairs of port indexes."""
    known: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    found: dict[int, list[tuple[int, int]]] = {}
    ends = puzzle.edge_vertices
    for edge in np.flatnonzero(ends[:, 0] == ends[:, 1]).tolist():
        vertex = int(ends[edge, 0])
        if not is_counts[vertex]:
            start = int(puzzle.first_port[vertex])
            i, j = (int(p) - start for p in puzzle.edge_ports[edge])
            found.setdefault(vertex, []).append((i, j))
    index = np.zeros(puzzle.vertices, dtype=np.int64)
    for vertex, pairs in found.items():
        index[vertex] = known.setdefault(tuple(sorted(pairs)), len(known))
    return index, list(known)


def _distinct(columns: list[IntArray]) -> tuple[IntArray, IntArray]:
    """Distinct rows of the given columns, and for each row the index of its like."""
    label = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        # Relabelling after each column keeps the combined numbers small.
        values, code = np.unique(column, return_inverse=True)
        label = np.unique(label * max(1, len(values)) + code, return_inverse=True)[1]
    _, where, of = np.unique(label, return_index=True, return_inverse=True)
    return np.stack([column[where] for column in columns], axis=1), of


def _budget(puzzle: Puzzle, kinds: _Kinds) -> tuple[int, str]:
    """How many independent cycles a solution may have, and why there is none, if so.

    With leaks forbidden and no free stub, a fixed number of openings at each vertex fixes the
    number E of joined edges; if V vertices are in use and connected, there are E - V + 1
    independent cycles.
    """
    rules = puzzle.rules
    limit = 0 if rules.acyclic else UNBOUNDED
    if rules.leaks != "forbidden":
        return limit, ""
    fixed, idle = kinds.fixed[kinds.of], kinds.idle[kinds.of]
    if np.any(fixed < 0) or puzzle.free.any() or idle[list(rules.needed)].any():
        return limit, ""
    openings, vertices = int(fixed.sum()), int((~idle).sum())
    if openings % 2:
        return limit, "the openings add up to an odd number"
    if rules.connect != "used" or vertices == 0:
        return limit, ""
    cycles = openings // 2 - vertices + 1
    if cycles < 0:
        return limit, "too few openings to connect all"
    if rules.acyclic and cycles > 0:
        return limit, "too many openings for a tree"
    return cycles, ""
