"""Puzzles of the model from and to their JSON records."""

from __future__ import annotations

import numpy as np

from ..errors import InvalidPuzzle, UsageError
from ..model import Counts, Domain, Puzzle, Rules, Table
from ..raw import RawPuzzle
from . import records
from .page import MAX_CELLS, Line

_MAX_PORTS = 4 * MAX_CELLS


def _domain(line: Line, vertex: records.Vertex, path: str) -> Domain:
    table, counts = vertex.domain.table, vertex.domain.counts
    if (table is None) == (counts is None):
        raise line.error(
            f"{'no domain' if table is None else 'two domains'} at {path}", "either table or counts"
        )
    if table is not None:
        return Table(vertex.ports, tuple(table))
    return Counts(None if counts == "even" else frozenset(counts or ()))


def _check_closed(line: Line, puzzle: Puzzle, given: list[tuple[int, int]], path: str) -> None:
    """Closed stubs are what is left over; a list of them must say the same."""
    closed = np.flatnonzero((puzzle.twin < 0) & ~puzzle.free)
    owner = puzzle.owner[closed]
    there = set(zip(owner.tolist(), (closed - puzzle.first_port[owner]).tolist(), strict=True))
    wrong = sorted(there ^ set(given))
    if wrong:
        listed = "is listed" if wrong[0] in set(given) else "is not listed"
        raise line.error(
            f"{list(wrong[0])}, which {listed} in {path}.closed_stubs",
            "the ports that are on no edge and not free",
        )


def puzzle(line: Line, record: records.Puzzle, path: str) -> RawPuzzle:
    """The puzzle of a record; raises InputError."""
    ports = sum(vertex.ports for vertex in record.vertices)
    if ports > _MAX_PORTS:
        raise line.error(f"{ports} ports at {path}.vertices", f"at most {_MAX_PORTS}")
    for field, costs, items in (
        ("mask_costs", record.mask_costs, record.vertices),
        ("edge_costs", record.edge_costs, record.edges),
    ):
        if costs is not None and len(costs) != len(items):
            raise line.error(f"{len(costs)} entries at {path}.{field}", str(len(items)))
    try:
        model = _model(line, record, path)
    except InvalidPuzzle as error:
        raise line.error(f"at {path}: {error}", "a puzzle of the model") from error
    if record.closed_stubs is not None:
        _check_closed(line, model, record.closed_stubs, path)
    return RawPuzzle(model, line.given_name(record.name, "puzzle"), line.source)


def _model(line: Line, record: records.Puzzle, path: str) -> Puzzle:
    rules = record.rules
    return Puzzle.build(
        [
            (vertex.ports, _domain(line, vertex, f"{path}.vertices[{number}].domain"))
            for number, vertex in enumerate(record.vertices)
        ],
        record.edges,
        free=record.free_stubs,
        rules=Rules(
            rules.leaks,
            rules.connect,
            rules.acyclic,
            tuple(rules.needed),
            tuple(rules.sources),
            tuple(rules.sinks),
        ),
        mask_costs=record.mask_costs,
        edge_costs=record.edge_costs,
        maximise=record.maximise,
    )


def _domain_record(domain: Domain) -> records.Domain:
    if isinstance(domain, Table):
        return records.Domain(table=list(domain.masks))
    return records.Domain(counts="even" if domain.allowed is None else sorted(domain.allowed))


def record(raw: RawPuzzle) -> records.Puzzle:
    """The record of a puzzle; raises UsageError for masks too large for JSON numbers."""
    model, rules, costs = raw.model, raw.model.rules, raw.model.costs
    domains = [_domain_record(domain) for domain in model.domains]
    owner, first = model.owner, model.first_port

    def place(port: int) -> tuple[int, int]:
        vertex = int(owner[port])
        return vertex, port - int(first[vertex])

    if costs is not None and any(m >= 2**53 for row in costs.rows for m, _ in row):
        raise UsageError("json would lose: costs of masks over 53 ports")
    return records.Puzzle(
        vertices=[
            records.Vertex(degree, domains[index])
            for degree, index in zip(model.degree.tolist(), model.domain_of.tolist(), strict=True)
        ],
        edges=[(*place(a), *place(b)) for a, b in model.edge_ports.tolist()],
        name=raw.name,
        free_stubs=[place(port) for port in np.flatnonzero(model.free).tolist()],
        rules=records.Rules(
            rules.leaks,
            rules.connect,
            rules.acyclic,
            list(rules.needed),
            list(rules.sources),
            list(rules.sinks),
        ),
        mask_costs=None if costs is None else [list(costs.rows[i]) for i in costs.row_of.tolist()],
        edge_costs=None if costs is None else costs.edge.tolist(),
        maximise=costs is not None and costs.maximise,
    )
