"""Puzzles that are sets of dominoes, read back from the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...puzzles.dominoes import END, ENDS, START
from ...puzzles.model import Counts, Puzzle, Solution


@dataclass(frozen=True, slots=True)
class ChainForm:
    """What ``puzzles.dominoes.Dominoes.build`` makes, as lists.

    - ``tiles``: the two pips of each tile, by number, as vertices; ``edges``: its edge;
    - ``ends``: per pip the edge to the chain's end, -1 for none;
    - ``start``: the pip that the chain begins with, None for any; ``start_edge`` (-1: none);
    - ``every``: all tiles must be used; ``closed``: the ends must meet.
    """

    puzzle: Puzzle
    tiles: list[tuple[int, int]]
    edges: list[int]
    ends: dict[int, int]
    start: int | None
    start_edge: int
    every: bool
    closed: bool

    def prices(self) -> list[int] | None:
        """The worth of each tile where tiles, and nothing else, are worth something to be
        maximised, none less than 0; None where the costs are others.
        """
        costs = self.puzzle.costs
        if costs is None or not costs.maximise or any(costs.rows[i] for i in set(costs.row_of)):
            return None
        worth = costs.edge[self.edges].tolist()
        if min(worth, default=0) < 0 or int(np.abs(costs.edge).sum()) != sum(worth):
            return None
        return worth

    def solution(self, used: list[int], first: int, last: int) -> Solution:
        """The solution of a chain of these tiles from one pip to another."""
        on = [self.edges[tile] for tile in used]
        if self.start is not None and not self.closed:
            on += [self.start_edge, self.ends[last]]
        elif not self.closed and first != last:
            on += [self.ends[first], self.ends[last]]
        solution = np.zeros(self.puzzle.ports, dtype=np.bool_)
        solution[self.puzzle.edge_ports[on].ravel()] = True
        return solution


def read(puzzle: Puzzle) -> ChainForm | None:
    """The tiles of a puzzle; None if it is no set of dominoes."""
    rules = puzzle.rules
    if rules.leaks != "forbidden" or rules.connect != "used" or rules.acyclic:
        return None
    if len(puzzle.edge_ports) * 2 != puzzle.ports or len(rules.needed) > 1:
        return None
    domains = [puzzle.domain(v) for v in range(puzzle.vertices)]
    begins = [v for v, domain in enumerate(domains) if domain == START]
    finishes = [v for v, domain in enumerate(domains) if domain in (END, ENDS)]
    # One end without a start is free, one behind a start is the other end, none is closed.
    wanted = [] if not finishes else [ENDS] if not begins else [END]
    if len(begins) > len(finishes) or [domains[v] for v in finishes] != wanted or len(begins) > 1:
        return None
    if rules.needed and finishes:
        return None
    dummies = {*begins, *finishes}
    pips = [v for v in range(puzzle.vertices) if v not in dummies]
    every = _every(puzzle, pips)
    if every is None or (every and finishes and (puzzle.degree[pips] % 2).any()):
        return None
    return _graph(puzzle, begins, finishes, pips, every)


def _every(puzzle: Puzzle, pips: list[int]) -> bool | None:
    """Whether the pips' domains use every tile (an even number, which is all their ports or
    more than these) or any even number; None if neither.
    """
    degree, kinds = puzzle.degree.tolist(), set()
    for pip in pips:
        domain = puzzle.domain(pip)
        if not isinstance(domain, Counts):
            return None
        if domain.allowed is None:
            kinds.add(False)
        elif domain.allowed == {degree[pip] + degree[pip] % 2}:
            kinds.add(True)
        else:
            return None
    return None if len(kinds) > 1 else kinds == {True}


def _graph(
    puzzle: Puzzle, begins: list[int], finishes: list[int], pips: list[int], every: bool
) -> ChainForm | None:
    """The form once its vertices are known; None if an edge stands where none should."""
    tiles, edges, ends = [], [], {}
    start, start_edge = None, -1
    for edge, (u, v) in enumerate(puzzle.edge_vertices.tolist()):
        if v in begins or u in begins:
            start, start_edge = (u if v in begins else v), edge
        elif v in finishes or u in finishes:
            pip = u if v in finishes else v
            if pip in ends:
                return None
            ends[pip] = edge
        else:
            tiles.append((u, v))
            edges.append(edge)
    known = set(pips)
    if not set(ends) <= known or (begins and start not in known):
        return None
    if finishes and not every and set(ends) != known:
        return None
    if puzzle.rules.needed:
        start = puzzle.rules.needed[0]
    return ChainForm(puzzle, tiles, edges, ends, start, start_edge, every, closed=not finishes)
