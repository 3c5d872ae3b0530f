"""Do the parts of a puzzle fit together? Each of them is well formed by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .domains import Counts
from .errors import InvalidPuzzle

if TYPE_CHECKING:
    from .model import Puzzle


def validate(puzzle: Puzzle) -> None:
    """Raises InvalidPuzzle, naming the vertex or port, if the parts contradict each other."""
    first, domain_of, edges = puzzle.first_port, puzzle.domain_of, puzzle.edge_ports
    if domain_of.ndim != 1:
        raise InvalidPuzzle("domain_of: expected one index for each vertex")
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
    if puzzle.pieces is not None:
        puzzle.pieces.validate(puzzle.vertices)


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
