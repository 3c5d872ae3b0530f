"""Smaller puzzles made from one: vertices, edges, ports, masks, rules and costs left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import numpy as np

from ...puzzles.model import BoolArray, Costs, Counts, Domain, IntArray, Puzzle, Rules, Table
from ...puzzles.pieces import Pieces


def with_vertices(puzzle: Puzzle, kept: Collection[int], *, free: bool) -> Puzzle:
    """These vertices alone, in their order, without the edges to others. What those edges stood
    on becomes stubs: closed ones, or ``free`` ones, so that any solution goes on being one.
    """
    stays = np.zeros(puzzle.vertices, dtype=np.bool_)
    stays[list(kept)] = True
    edges = stays[puzzle.edge_vertices[:, 0]] & stays[puzzle.edge_vertices[:, 1]]
    return _part(puzzle, stays, stays[puzzle.owner], edges, free=free)


def with_edges(puzzle: Puzzle, kept: Collection[int], *, free: bool) -> Puzzle:
    """All vertices and these edges alone; the others' ports become stubs, see ``with_vertices``."""
    edges = np.zeros(puzzle.edges, dtype=np.bool_)
    edges[list(kept)] = True
    everything = np.ones(max(puzzle.vertices, puzzle.ports), dtype=np.bool_)
    return _part(
        puzzle, everything[: puzzle.vertices], everything[: puzzle.ports], edges, free=free
    )


def _part(
    puzzle: Puzzle, vertices: BoolArray, ports: BoolArray, edges: BoolArray, *, free: bool
) -> Puzzle:
    port_to, vertex_to = np.cumsum(ports) - 1, np.cumsum(vertices) - 1
    stub = puzzle.free.copy()
    stub[puzzle.edge_ports[~edges].ravel()] |= free
    degree, costs, pieces = puzzle.degree[vertices], puzzle.costs, puzzle.pieces
    return Puzzle(
        np.concatenate([[0], np.cumsum(degree)]),
        puzzle.domains,
        puzzle.domain_of[vertices],
        port_to[puzzle.edge_ports[edges]],
        stub[ports],
        _rules_of(puzzle.rules, vertices, vertex_to),
        costs and replace(costs, row_of=costs.row_of[vertices], edge=costs.edge[edges]),
        pieces and replace(pieces, row_of=pieces.row_of[vertices], fixed=pieces.fixed[vertices]),
    )


def _rules_of(rules: Rules, vertices: BoolArray, vertex_to: IntArray) -> Rules:
    def left(listed: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(vertex_to[v]) for v in listed if vertices[v])

    return replace(
        rules, needed=left(rules.needed), sources=left(rules.sources), sinks=left(rules.sinks)
    )


def with_free(puzzle: Puzzle, kept: Collection[int]) -> Puzzle:
    """These free stubs alone; the others are closed."""
    free = np.zeros(puzzle.ports, dtype=np.bool_)
    free[list(kept)] = True
    return replace(puzzle, free=free)


def stubs(puzzle: Puzzle) -> list[int]:
    """The ports without an edge."""
    return np.flatnonzero(puzzle.twin < 0).tolist()


def without_port(puzzle: Puzzle, port: int) -> Puzzle | None:
    """The puzzle without one stub, which is closed in all that its vertex may still do; None if
    its vertex cannot do without.
    """
    vertex = int(puzzle.owner[port])
    bit = port - int(puzzle.first_port[vertex])

    def left(mask: int) -> int | None:
        return None if mask >> bit & 1 else mask & (1 << bit) - 1 | mask >> bit + 1 << bit

    domain = puzzle.domain(vertex)
    if isinstance(domain, Table):
        masks = tuple(m for m in map(left, domain.masks) if m is not None)
        if not masks:
            return None
        domain = Table(domain.degree - 1, tuple(sorted(masks)))
    stays = np.ones(puzzle.ports, dtype=np.bool_)
    stays[port] = False
    first = puzzle.first_port.copy()
    first[vertex + 1 :] -= 1
    ends = puzzle.edge_ports - (puzzle.edge_ports > port)
    domains, domain_of = _replaced(puzzle, vertex, domain)
    costs, pieces = puzzle.costs, puzzle.pieces
    if costs is not None:
        row = costs.rows[costs.row_of[vertex]]
        pairs = [(left(mask), price) for mask, price in row]
        costs = _with_row(costs, vertex, tuple((m, p) for m, p in pairs if m is not None))
    if pieces is not None:
        shown = [left(mask) for mask in pieces.rows[pieces.row_of[vertex]]]
        pieces = _with_masks(pieces, vertex, tuple(m for m in shown if m is not None))
    free = puzzle.free[stays]
    return Puzzle(first, domains, domain_of, ends, free, puzzle.rules, costs, pieces)


def choices(domain: Domain, degree: int) -> tuple[int, ...]:
    """What a domain lists: masks of a table, numbers of open ports of counts."""
    return domain.masks if isinstance(domain, Table) else domain.numbers(degree)


def with_choices(puzzle: Puzzle, vertex: int, kept: Collection[int]) -> Puzzle | None:
    """The puzzle whose vertex may do no more than that; None if that is nothing."""
    if not kept:
        return None
    before = puzzle.domain(vertex)
    if isinstance(before, Table):
        domain = Table(before.degree, tuple(sorted(kept)))
    else:
        domain = Counts(frozenset(kept))
    domains, domain_of = _replaced(puzzle, vertex, domain)
    return replace(puzzle, domains=domains, domain_of=domain_of)


def _replaced(puzzle: Puzzle, vertex: int, domain: Domain) -> tuple[tuple[Domain, ...], IntArray]:
    domain_of = puzzle.domain_of.copy()
    domain_of[vertex] = len(puzzle.domains)
    return (*puzzle.domains, domain), domain_of


def _with_row(costs: Costs, vertex: int, row: tuple[tuple[int, int], ...]) -> Costs:
    row_of = costs.row_of.copy()
    row_of[vertex] = len(costs.rows)
    return replace(costs, rows=(*costs.rows, row), row_of=row_of)


def _with_masks(pieces: Pieces, vertex: int, row: tuple[int, ...]) -> Pieces:
    row_of = pieces.row_of.copy()
    row_of[vertex] = len(pieces.rows)
    return replace(pieces, rows=(*pieces.rows, row), row_of=row_of)


def simpler_rules(rules: Rules) -> Iterator[Rules]:
    """Rules that ask for a little less, one by one; leaks stay what they are."""
    if rules.acyclic:
        yield replace(rules, acyclic=False)
    if rules.connect != "none" and rules.leaks != "sealed":
        yield Rules(rules.leaks, "none", rules.acyclic)
    for name in ("needed", "sources", "sinks"):
        listed = getattr(rules, name)
        for place in range(len(listed)):
            yield replace(rules, **{name: listed[:place] + listed[place + 1 :]})


def with_mask_costs(puzzle: Puzzle, kept: Iterable[int]) -> Puzzle:
    """The masks of these vertices alone cost anything."""
    assert puzzle.costs is not None
    row_of = np.full(puzzle.vertices, len(puzzle.costs.rows), dtype=np.int64)
    kept = list(kept)
    row_of[kept] = puzzle.costs.row_of[kept]
    return replace(
        puzzle, costs=replace(puzzle.costs, rows=(*puzzle.costs.rows, ()), row_of=row_of)
    )


def with_edge_costs(puzzle: Puzzle, kept: Iterable[int]) -> Puzzle:
    """These edges alone cost anything."""
    assert puzzle.costs is not None
    edge = np.zeros(puzzle.edges, dtype=np.int64)
    kept = list(kept)
    edge[kept] = puzzle.costs.edge[kept]
    return replace(puzzle, costs=replace(puzzle.costs, edge=edge))


def tidied(puzzle: Puzzle) -> Puzzle:
    """The same puzzle without domains and rows that no vertex has, each of the others once."""
    domains, domain_of = _used(puzzle.domains, puzzle.domain_of)
    costs, pieces = puzzle.costs, puzzle.pieces
    if costs is not None:
        rows, row_of = _used(costs.rows, costs.row_of)
        costs = replace(costs, rows=rows, row_of=row_of)
    if pieces is not None:
        rows, row_of = _used(pieces.rows, pieces.row_of)
        pieces = replace(pieces, rows=rows, row_of=row_of)
    return replace(puzzle, domains=domains, domain_of=domain_of, costs=costs, pieces=pieces)


def _used(values: tuple, which: IntArray) -> tuple[tuple, IntArray]:
    place: dict[object, int] = {}
    of = [place.setdefault(values[index], len(place)) for index in which.tolist()]
    return tuple(place), np.array(of, dtype=np.int64)
