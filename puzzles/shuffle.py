"""The same puzzle in another order, by a seed: what a solver finds by luck of the order changes,
what there is to be found does not.

Solvers break ties by position, so one order is one draw of their run time; reshuffled copies
show how far that carries (for SAT: Biere and Heule, "The effect of scrambling CNFs", 2018).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from .domains import Domain, Table
from .errors import UsageError
from .model import Costs, IntArray, Puzzle, Rules, Solution
from .pieces import Pieces
from .values import frozen


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A ``puzzle`` isomorphic to the ``given`` one, and the way back.

    ``vertex_from`` (vertices,), ``port_from`` (ports,) and ``edge_from`` (edges,) are the given
    one's numbers of this ``puzzle``'s vertices, ports and edges.
    """

    given: Puzzle
    puzzle: Puzzle
    vertex_from: IntArray
    port_from: IntArray
    edge_from: IntArray

    def restore(self, solution: Solution) -> Solution:
        """A solution of this puzzle as one of the given, shape (ports,). What has another shape
        comes back as it is: it is no solution of either.
        """
        if np.shape(solution) != self.port_from.shape:
            return solution
        restored = np.empty_like(solution)
        restored[self.port_from] = solution
        return restored

    def image(self, solution: Solution) -> Solution:
        """The inverse of ``restore``."""
        return solution[self.port_from]


def shuffled(puzzle: Puzzle, seed: int) -> Shuffled:
    """The puzzle with its vertices, its edges, the two ends of each edge and the ports within
    vertices renumbered at random; the same for the same seed everywhere.

    All vertices of one degree have their ports permuted alike, so that there are no more tables
    than before: else preparing them would cost an engine more than its search. Raises
    UsageError for a seed that is no whole number from 0.
    """
    draws = _Draws(seed)
    vertex_from = draws.permutation(puzzle.vertices)
    edge_from = draws.permutation(puzzle.edges)
    swapped = draws.coins(puzzle.edges)
    degree = puzzle.degree[vertex_from]
    within = {int(d): draws.permutation(int(d)) for d in np.unique(degree)}
    first = np.concatenate([[0], np.cumsum(degree)])
    port_from = _ports(puzzle, vertex_from, degree, within)
    port_to, vertex_to = _inverse(port_from), _inverse(vertex_from)
    ends = port_to[puzzle.edge_ports[edge_from]].reshape(-1, 2)
    ends[swapped] = ends[swapped, ::-1]
    new = Puzzle(
        first,
        tuple(_domain(domain, within) for domain in puzzle.domains),
        puzzle.domain_of[vertex_from],
        ends,
        puzzle.free[port_from],
        _rules(puzzle.rules, vertex_to),
        _costs(puzzle.costs, vertex_from, edge_from, degree, within),
        _pieces(puzzle.pieces, vertex_from, degree, within),
    )
    return Shuffled(puzzle, new, frozen(vertex_from), frozen(port_from), frozen(edge_from))


def require_seed(seed: int) -> int:
    """The seed itself; raises UsageError unless it is a whole number from 0."""
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool) and seed >= 0:
        return int(seed)
    raise UsageError(f"seed {seed!r}: expected a whole number from 0")


class _Draws:
    """Random numbers by a seed. Only the raw stream of PCG64 is used, which numpy promises not
    to change; the methods of its Generator may change with its version.
    """

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(require_seed(seed))

    def permutation(self, size: int) -> IntArray:
        """The numbers below ``size`` in random order."""
        return np.argsort(self._bits.random_raw(size), kind="stable").astype(np.int64)

    def coins(self, size: int) -> np.ndarray:
        """So many random truth values."""
        return (self._bits.random_raw(size) >> np.uint64(63)).astype(np.bool_)


def _inverse(permutation: IntArray) -> IntArray:
    inverse = np.empty_like(permutation)
    inverse[permutation] = np.arange(len(permutation))
    return inverse


Row = TypeVar("Row")
Within = dict[int, IntArray]
"""By degree of a vertex: the old places of its ports, in the new order."""


def _ports(puzzle: Puzzle, vertex_from: IntArray, degree: IntArray, within: Within) -> IntArray:
    """The old number of each port in the new order, shape (ports,)."""
    port_from = np.repeat(puzzle.first_port[vertex_from], degree)
    of_degree = np.repeat(degree, degree)
    for d, places in within.items():
        if d:
            here = np.flatnonzero(of_degree == d)
            port_from[here] += np.tile(places, len(here) // d)
    return port_from


def _mask(mask: int, places: IntArray) -> int:
    """The mask with its ports in the new order; one with bits beyond the ports fits no vertex
    before or after, and stays.
    """
    if mask < 0 or mask >> len(places):
        return mask
    return sum((mask >> old & 1) << new for new, old in enumerate(places.tolist()))


def _domain(domain: Domain, within: Within) -> Domain:
    if not isinstance(domain, Table) or domain.degree not in within:
        return domain
    places = within[domain.degree]
    return Table(domain.degree, tuple(sorted(_mask(mask, places) for mask in domain.masks)))


def _rules(rules: Rules, vertex_to: IntArray) -> Rules:
    def moved(vertices: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(vertex_to[list(vertices)].tolist())

    return replace(
        rules,
        needed=moved(rules.needed),
        sources=moved(rules.sources),
        sinks=moved(rules.sinks),
    )


def _costs(
    costs: Costs | None,
    vertex_from: IntArray,
    edge_from: IntArray,
    degree: IntArray,
    within: Within,
) -> Costs | None:
    if costs is None:
        return None

    def moved(row: tuple[tuple[int, int], ...], places: IntArray) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((_mask(mask, places), price) for mask, price in row))

    rows, row_of = _rows(costs.rows, costs.row_of[vertex_from], degree, within, moved)
    return Costs(rows, row_of, costs.edge[edge_from], costs.maximise)


def _pieces(
    pieces: Pieces | None, vertex_from: IntArray, degree: IntArray, within: Within
) -> Pieces | None:
    if pieces is None:
        return None

    def moved(row: tuple[int, ...], places: IntArray) -> tuple[int, ...]:
        return tuple(_mask(mask, places) for mask in row)

    rows, row_of = _rows(pieces.rows, pieces.row_of[vertex_from], degree, within, moved)
    return Pieces(rows, row_of, pieces.fixed[vertex_from])


def _rows(
    rows: tuple[Row, ...],
    row_of: IntArray,
    degree: IntArray,
    within: Within,
    moved: Callable[[Row, IntArray], Row],
) -> tuple[tuple[Row, ...], IntArray]:
    """Rows of masks in the new order, one for each pair of a row and a degree that has it, and
    which of them each vertex has, shape (vertices,).
    """
    pairs, which = np.unique(np.stack([row_of, degree], axis=1), axis=0, return_inverse=True)
    made = tuple(moved(rows[row], within[d]) for row, d in pairs.tolist())
    return made, which.reshape(-1)
