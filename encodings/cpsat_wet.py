"""Sealed leaks for CP-SAT: a Boolean per vertex says whether water of a source gets there.

The rules for it run one way: what water reaches is wet. So the wet vertices of a model may be
more than those that hang together with a source; all of them are sealed, and that is enough to
find solutions. Where models are enumerated ``add_dry`` takes away what is wet without a source,
as the loop formulas of answer set programming do (Lin and Zhao 2004).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ortools.sat.python import cp_model

from ..puzzles.model import BoolArray, IntArray, Puzzle, Solution
from .cuts import components


def add_wet(
    model: cp_model.CpModel,
    puzzle: Puzzle,
    ports: Sequence[cp_model.IntVar],
    joined: Sequence[cp_model.IntVar],
) -> list[cp_model.IntVar]:
    """The Booleans, one per vertex. ``ports`` and ``joined`` say which ports are open, and of
    which edges both are.
    """
    wet = [model.new_bool_var("") for _ in range(puzzle.vertices)]
    support: list[list[cp_model.IntVar]] = [[] for _ in range(puzzle.vertices)]
    for edge, (u, v) in enumerate(puzzle.edge_vertices.tolist()):
        if u != v:
            model.add_bool_or([~wet[u], ~joined[edge], wet[v]])
            model.add_bool_or([~wet[v], ~joined[edge], wet[u]])
            support[u].append(joined[edge])
            support[v].append(joined[edge])
    sources = set(puzzle.rules.sources)
    for vertex in range(puzzle.vertices):
        if vertex not in sources:
            model.add_bool_or([~wet[vertex], *support[vertex]])
    for vertex in sources.union(puzzle.rules.sinks):
        model.add_bool_or([wet[vertex]])  # a sink that is reached is wet
    _seal(model, puzzle, ports, wet)
    return wet


def _seal(
    model: cp_model.CpModel,
    puzzle: Puzzle,
    ports: Sequence[cp_model.IntVar],
    wet: Sequence[cp_model.IntVar],
) -> None:
    """Where it is wet, an open port meets an open one, or is a free stub."""
    owner, free = puzzle.owner.tolist(), puzzle.free.tolist()
    for port, twin in enumerate(puzzle.twin.tolist()):
        clause = [~wet[owner[port]], ~ports[port]]
        if twin >= 0:
            model.add_bool_or([*clause, ports[twin]])
        elif not free[port]:
            model.add_bool_or(clause)


def without_source(puzzle: Puzzle, solution: Solution, wet: BoolArray) -> list[IntArray]:
    """The components of the solution whose vertices are wet, (vertices,), though none of them
    is a source.
    """
    label = components(puzzle, solution)
    founded = np.isin(label, label[list(puzzle.rules.sources)])
    return [np.flatnonzero(label == part) for part in np.unique(label[wet & ~founded])]


def add_dry(
    model: cp_model.CpModel,
    puzzle: Puzzle,
    part: IntArray,
    wet: Sequence[cp_model.IntVar],
    joined: Sequence[cp_model.IntVar],
) -> None:
    """Vertices without a source among them are wet only if an edge leads out of them."""
    inside = np.isin(puzzle.edge_vertices, part)
    leaving = [joined[e] for e in np.flatnonzero(inside[:, 0] != inside[:, 1]).tolist()]
    for vertex in part.tolist():
        model.add_bool_or([~wet[vertex], *leaving])
