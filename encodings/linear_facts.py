"""Rows that stand in a linear model from the start: leaks of wet parts, and implied facts."""

from __future__ import annotations

from math import inf

import numpy as np

from .linear_columns import Columns
from .precuts import fixed_edges, not_together, refuted


def add_wet(columns: Columns) -> None:
    """Leaks sealed: a column per vertex that is 1 if it shares a component with a source.

    It may be 1 elsewhere too, which only forbids more; so exactly the right ports have some
    choice of wet columns, and nothing is said about how many.
    """
    puzzle, model = columns.puzzle, columns.model
    rules = puzzle.rules
    if rules.leaks != "sealed" or not rules.sources:
        return
    wet = [model.column() for _ in range(puzzle.vertices)]
    for vertex in {*rules.sources, *rules.sinks}:
        model.fix(wet[vertex], 1)
    for edge, (p, q) in enumerate(puzzle.edge_ports.tolist()):
        joined = columns.joined(edge)
        u, v = wet[int(puzzle.owner[p])], wet[int(puzzle.owner[q])]
        for port, here, there in ((p, u, v), (q, v, u)):
            model.row([(here, 1), (port, 1), (joined, -1)], most=1)
            if here != there:
                model.row([(here, 1), (joined, 1), (there, -1)], most=1)
    for port in np.flatnonzero((puzzle.twin < 0) & ~puzzle.free).tolist():
        model.row([(wet[int(puzzle.owner[port])], 1), (port, 1)], most=1)


def add_facts(columns: Columns) -> None:
    """What the rules imply before any search, so that fewer cuts are needed."""
    puzzle, model = columns.puzzle, columns.model
    model.impossible |= refuted(puzzle)
    for edges in not_together(puzzle):
        if len(edges) == 1:
            model.fix(columns.joined(edges[0]), 0)
        else:
            columns.forbid(edges)
    if puzzle.rules.connect == "used" and fixed_edges(puzzle) is None:
        _add_edge_number(columns)
    if puzzle.rules.connect == "reach":
        _let_sinks_join(columns)


def _add_edge_number(columns: Columns) -> None:
    """At least as many edges join as vertices are used, less one; no more in a tree."""
    puzzle, model = columns.puzzle, columns.model
    possible = np.flatnonzero(columns.possible).tolist()
    if not possible:
        return
    used = [u for u in (columns.is_used(v) for v in possible) if u is not None]
    sure = len(possible) - len(used)
    terms = [(columns.joined(e), 1) for e in range(puzzle.edges)]
    terms += [(u, -1) for u in used]
    if not sure:
        something = model.column()
        model.maximum(something, used)
        terms.append((something, 1))
    number = sure - 1 if sure else 0
    model.row(terms, number, number if puzzle.rules.acyclic else inf)


def _let_sinks_join(columns: Columns) -> None:
    """An edge leaves every sink that is no source."""
    puzzle = columns.puzzle
    u, v = puzzle.edge_vertices.T
    for sink in sorted(set(puzzle.rules.sinks) - set(puzzle.rules.sources)):
        leaving = np.flatnonzero(((u == sink) | (v == sink)) & (u != v))
        columns.model.row([(columns.joined(e), 1) for e in leaving.tolist()], least=1)
