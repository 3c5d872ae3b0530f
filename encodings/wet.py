"""Sealed leaks as clauses: what hangs together with a source is wet, and wet pipes do not leak."""

from __future__ import annotations

import numpy as np

from ..puzzles.model import IntArray, Puzzle
from .counters import Clauses, NewVariable


def wet_clauses(puzzle: Puzzle, of_port: IntArray, new: NewVariable) -> Clauses:
    """Clauses on a new variable for each vertex, "it is wet", and on the variables of the ports,
    ``of_port`` (ports,).

    Sources are wet. Where an edge has a wet end with its port open, the other port is open and
    the other end is wet; no closed stub of a wet vertex is open. One direction is enough: the
    wet vertices of a model include the components of all sources, and exactly those make a
    model of every solution. Sinks are wet in each of these, so they may be said to be.
    """
    rules = puzzle.rules
    if not rules.sources:
        return []
    wet = np.array([new() for _ in range(puzzle.vertices)], dtype=np.int64)
    sure = sorted({*rules.sources, *rules.sinks})
    clauses: Clauses = [[x] for x in wet[sure].tolist()]
    ports = np.concatenate([puzzle.edge_ports, puzzle.edge_ports[:, ::-1]])
    here, there = of_port[ports].T
    at, beyond = wet[puzzle.owner[ports]].T
    clauses += np.stack([-at, -here, there], axis=1).tolist()
    clauses += np.stack([-at, -here, beyond], axis=1).tolist()
    closed = np.flatnonzero((puzzle.twin < 0) & ~puzzle.free)
    clauses += np.stack([-wet[puzzle.owner[closed]], -of_port[closed]], axis=1).tolist()
    return clauses
