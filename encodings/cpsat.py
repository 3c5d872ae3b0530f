"""A puzzle as a CP-SAT model: one Boolean per edge, tables on the vertices, cuts on demand.

The model built here holds what is local: domains, stubs, and facts that follow from the rules.
Connectivity is added by ``cpsat_flow.py`` or by ``add_cut`` from solutions that lack it. All
further variables are functions of the ports, so they never multiply solutions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import comb

import numpy as np
from ortools.sat.python import cp_model

from ..puzzles.model import BoolArray, Counts, IntArray, Puzzle, Solution, Table
from .cuts import Cut, always_used
from .precuts import fixed_edges, not_together, refuted

Row = tuple[int, ...]


class CpsatEncoding:
    """The model of a puzzle that forbids leaks, with connect none or used.

    - ``variables``: a Boolean per edge (both ports of an edge are open or neither), then one
      per free stub; they are the first variables of ``model``;
    - ``column`` (ports,): the variable of each port, -1 for a closed stub;
    - ``always`` (vertices,): vertices that are in use in every solution.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.model = cp_model.CpModel()
        self.column = _columns(puzzle)
        self.variables = [
            self.model.new_bool_var("") for _ in range(int(self.column.max(initial=-1)) + 1)
        ]
        self.always = always_used(puzzle)
        self._used: dict[int, cp_model.IntVar] = {}
        self._added: set[object] = set()
        self._add_domains()
        self._add_facts()

    @cached_property
    def most(self) -> IntArray:
        """The largest number of open ports each vertex's domain allows, shape (vertices,)."""
        puzzle = self.puzzle
        counts = [isinstance(d, Counts) for d in puzzle.domains]
        tables = [
            max(m.bit_count() for m in d.masks) if isinstance(d, Table) else 0
            for d in puzzle.domains
        ]
        by_table = np.array(tables, dtype=np.int64)[puzzle.domain_of]
        return np.where(np.array(counts, dtype=np.bool_)[puzzle.domain_of], puzzle.degree, by_table)

    @cached_property
    def possible(self) -> BoolArray:
        """Vertices that are in use in some assignment: needed, or not blank; (vertices,)."""
        return self.always | (self.most > 0)

    def is_used(self, vertex: int) -> cp_model.IntVar | int:
        """A literal that says whether the vertex must hang together with the others: the
        constant 1 or 0, or a variable that is true exactly if a port of it is open.
        """
        if self.always[vertex]:
            return 1
        if not self.possible[vertex]:
            return 0
        if vertex not in self._used:
            used = self._used[vertex] = self.model.new_bool_var("")
            ports = [self.variables[c] for c in sorted(set(self._local(vertex)) - {-1})]
            self.model.add_bool_or([*ports, ~used])
            for port in ports:
                self.model.add_implication(port, used)
        return self._used[vertex]

    def solution(self, values: Sequence[int]) -> Solution:
        """The ports' truth values from those of ``variables``, shape (ports,)."""
        padded = np.zeros(len(self.variables) + 1, dtype=np.bool_)
        padded[:-1] = values
        return padded[self.column]

    def block(self, solution: Solution) -> None:
        """Exclude this solution and no other."""
        on = np.zeros(len(self.variables) + 1, dtype=np.bool_)
        on[self.column] = solution
        self.model.add_bool_or(
            [~x if is_on else x for x, is_on in zip(self.variables, on.tolist(), strict=False)]
        )

    def add_cut(self, cut: Cut | tuple[int, ...]) -> None:
        """Some edge leaves the component, if a vertex inside and one outside are in use; or,
        given edges that form a cycle, one of them is off. A cut that stands is not repeated.
        """
        if isinstance(cut, tuple):
            clause: list[cp_model.LiteralT] = [~self.variables[e] for e in cut]
            key: object = cut
        else:
            clause = [self.variables[e] for e in cut.edges.tolist()]
            used = [self.is_used(v) for v in (cut.inside, cut.outside)]
            clause += [~u for u in used if not isinstance(u, int)]
            key = (
                cut.edges.tobytes(),
                *(v for v in (cut.inside, cut.outside) if not self.always[v]),
            )
        if key not in self._added:
            self._added.add(key)
            self.model.add_bool_or(clause)

    @property
    def cuts(self) -> int:
        """Number of cuts added."""
        return len(self._added)

    def _local(self, vertex: int) -> list[int]:
        first = self.puzzle.first_port
        return self.column[first[vertex] : first[vertex + 1]].tolist()

    def _add_domains(self) -> None:
        puzzle, columns = self.puzzle, self.column.tolist()
        first, domain_of = puzzle.first_port.tolist(), puzzle.domain_of.tolist()
        for vertex, index in enumerate(domain_of):
            local = columns[first[vertex] : first[vertex + 1]]
            distinct = list(dict.fromkeys(c for c in local if c >= 0))
            pattern = tuple(distinct.index(c) if c >= 0 else -1 for c in local)
            variables = [self.variables[c] for c in distinct]
            domain = puzzle.domains[index]
            if isinstance(domain, Counts):
                weights = [pattern.count(i) for i in range(len(distinct))]
                total = cp_model.LinearExpr.weighted_sum(variables, weights)
                self._add_sum(total, domain.numbers(len(local)))
            else:
                self._add_table(variables, *_table(domain, pattern))

    def _add_table(
        self, variables: list[cp_model.IntVar], rows: tuple[Row, ...], sums: tuple[int, ...] | None
    ) -> None:
        if not rows:
            self.model.add_bool_or([])
        elif len(rows) == 1:
            for variable, value in zip(variables, rows[0], strict=True):
                self.model.add(variable == value)
        elif sums is None:
            self.model.add_allowed_assignments(variables, rows)
        elif sums == (1,):
            self.model.add_exactly_one(variables)
        elif len(sums) <= len(variables):
            self._add_sum(cp_model.LinearExpr.sum(variables), sums)

    def _add_sum(self, total: cp_model.LinearExpr, numbers: tuple[int, ...]) -> None:
        """The total is one of the numbers, which increase.

        A sum in a domain with gaps is never used: presolve of ortools 9.15 called feasible
        models of such sums infeasible (google/or-tools#5274). One Boolean per number instead,
        which the total determines.
        """
        if not numbers:
            self.model.add_bool_or([])
        elif numbers[-1] - numbers[0] < len(numbers):
            self.model.add_linear_constraint(total, numbers[0], numbers[-1])
        else:
            chosen = [self.model.new_bool_var("") for _ in numbers]
            self.model.add_exactly_one(chosen)
            self.model.add(total == cp_model.LinearExpr.weighted_sum(chosen, list(numbers)))

    def _add_facts(self) -> None:
        """What the rules imply before any search, so that fewer cuts are needed."""
        puzzle = self.puzzle
        if refuted(puzzle):
            self.model.add_bool_or([])
        for edges in not_together(puzzle):
            self.model.add_bool_or([~self.variables[e] for e in edges])
        if puzzle.rules.connect == "used" and fixed_edges(puzzle) is None:
            self._add_edge_number()

    def _add_edge_number(self) -> None:
        """At least as many edges join as vertices are used, less one; no more in a tree."""
        used = [self.is_used(v) for v in np.flatnonzero(self.possible).tolist()]
        joined = cp_model.LinearExpr.sum(self.variables[: self.puzzle.edges])
        number = cp_model.LinearExpr.sum(used)
        something: cp_model.IntVar | int = 1
        if not used:
            return
        if not self.always.any():
            something = self.model.new_bool_var("")
            self.model.add_max_equality(something, used)
        if self.puzzle.rules.acyclic:
            self.model.add(joined == number - something)
        else:
            self.model.add(joined >= number - something)


def _columns(puzzle: Puzzle) -> IntArray:
    column = puzzle.edge_of.copy()
    stubs = np.flatnonzero(puzzle.free)
    column[stubs] = puzzle.edges + np.arange(len(stubs))
    return column


@lru_cache(maxsize=4096)
def _table(
    domain: Table, pattern: tuple[int, ...]
) -> tuple[tuple[Row, ...], tuple[int, ...] | None]:
    """The table over a vertex's distinct variables, and the numbers of open variables if those
    numbers alone decide (None if they do not).

    ``pattern`` names each port's variable, -1 for a closed stub. The two ports of a loop share
    one: only masks that agree on both remain.
    """
    width = max(pattern, default=-1) + 1
    rows = set()
    for mask in domain.masks:
        row = [-1] * width
        fits = True
        for bit, index in enumerate(pattern):
            on = mask >> bit & 1
            if index < 0:
                fits = fits and not on
            else:
                fits = fits and row[index] in (-1, on)
                row[index] = on
        if fits:
            rows.add(tuple(row))
    sums = [sum(row) for row in rows]
    exact = all(sums.count(n) == comb(width, n) for n in set(sums))
    return tuple(sorted(rows)), tuple(sorted(set(sums))) if exact else None
