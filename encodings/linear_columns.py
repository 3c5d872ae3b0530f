"""The columns of a puzzle's linear model: ports, and what follows from them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..puzzles.model import BoolArray, IntArray, Puzzle, Solution, Table
from .cuts import always_used
from .linear import LinearModel


class Columns:
    """A model whose first columns say which ports are open; further ones are made when asked
    for.

    - ``variables``: the first so many columns of ``model``. Where leaks are forbidden
      (``by_edge``) they are the binaries of the edges (both ports of an edge are open or
      neither), then of the free stubs; else those of the ports;
    - ``column`` (ports,): the column of each port, -1 for a closed stub that must stay closed;
    - ``always`` (vertices,): vertices that are in use in every solution.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.model = LinearModel()
        self.by_edge = puzzle.rules.leaks == "forbidden"
        self.column = np.arange(puzzle.ports)
        if self.by_edge:
            stubs = np.flatnonzero(puzzle.free)
            self.column = puzzle.edge_of.copy()
            self.column[stubs] = puzzle.edges + np.arange(len(stubs))
        self.variables = int(self.column.max(initial=-1)) + 1
        for _ in range(self.variables):
            self.model.column()
        self.always = always_used(puzzle)
        self._joined: dict[int, int] = {}
        self._used: dict[int, int] = {}

    @cached_property
    def possible(self) -> BoolArray:
        """Vertices that are in use in some assignment: needed, or not blank; (vertices,)."""
        return self.always | ((self.puzzle.degree > 0) & ~self.puzzle.blank)

    @cached_property
    def parity(self) -> IntArray:
        """The parity of the joined ports of each vertex; -1 where the domain does not fix it or
        an open port may join nothing. Shape (vertices,).
        """
        puzzle = self.puzzle
        if not self.by_edge:
            return np.full(puzzle.vertices, -1, dtype=np.int64)
        fixed = []
        for domain in puzzle.domains:
            if isinstance(domain, Table):
                odd = {mask.bit_count() % 2 for mask in domain.masks}
            else:
                odd = {0} if domain.allowed is None else {n % 2 for n in domain.allowed}
            fixed.append(odd.pop() if len(odd) == 1 else -1)
        parity = np.array(fixed, dtype=np.int64)[puzzle.domain_of]
        parity[puzzle.owner[puzzle.free]] = -1
        return parity

    def local(self, vertex: int) -> list[int]:
        """The columns of a vertex's ports, -1 for one that must stay closed."""
        first = self.puzzle.first_port
        return self.column[first[vertex] : first[vertex + 1]].tolist()

    def joined(self, edge: int) -> int:
        """The column that is 1 exactly if both ports of the edge are open."""
        if self.by_edge:
            return edge
        if edge not in self._joined:
            joined = self._joined[edge] = self.model.column()
            ports = self.puzzle.edge_ports[edge].tolist()
            self.model.minimum(joined, [(port, True) for port in ports])
        return self._joined[edge]

    def is_used(self, vertex: int) -> int | None:
        """The column that is 1 exactly if a port of the vertex is open; None for a vertex that
        always hangs together with the others.
        """
        if self.always[vertex]:
            return None
        if vertex not in self._used:
            used = self._used[vertex] = self.model.column()
            self.model.maximum(used, sorted(set(self.local(vertex)) - {-1}))
        return self._used[vertex]

    def forbid(self, edges: tuple[int, ...]) -> None:
        """A row that says: not all of these edges join."""
        self.model.row([(self.joined(edge), 1) for edge in edges], most=len(edges) - 1)

    def solution(self, values: IntArray) -> Solution:
        """The ports' truth values from those of the columns, shape (ports,)."""
        padded = np.zeros(self.variables + 1, dtype=np.bool_)
        padded[:-1] = values[: self.variables] > 0
        return padded[self.column]
