"""A puzzle as a CP-SAT model: Booleans for what is open, tables on the vertices, cuts on demand.

The model built here holds what is local: domains, stubs, leaks, and facts that follow from the
rules. Connectivity is added by ``cpsat_flow.py`` or by ``add_cuts`` from solutions that lack it,
costs by ``cpsat_costs.py``. All further variables but ``wet`` are functions of the ports, so they
never multiply solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from ortools.sat.python import cp_model

from ..puzzles.model import BoolArray, IntArray, Puzzle, Solution, Table
from .cpsat_domains import Local, add_domain, add_selected
from .cpsat_wet import add_dry, add_wet, without_source
from .cuts import AnyCut, Cut, always_used
from .precuts import fixed_edges, not_together, refuted


class CpsatEncoding:
    """The model of a puzzle, without its connectivity.

    - ``variables``: the first variables of ``model``. If leaks are forbidden, a Boolean per edge
      (both ports of an edge are open or neither), then one per free stub; else one per port;
    - ``column`` (ports,): the variable of each port, -1 for a stub that is never open;
    - ``joined``: a Boolean per edge, whether both of its ports are open;
    - ``wet``: under sealed leaks a Boolean per vertex, true where water of a source gets and
      possibly elsewhere; else empty;
    - ``selected``: with ``priced``, for every table vertex with costs its masks and a Boolean
      each, or 1 if there is but one;
    - ``always`` (vertices,): vertices that are in use in every solution.
    """

    def __init__(self, puzzle: Puzzle, *, priced: bool = False) -> None:
        self.puzzle = puzzle
        self.model = cp_model.CpModel()
        self.column = _columns(puzzle)
        self.variables = [
            self.model.new_bool_var("") for _ in range(int(self.column.max(initial=-1)) + 1)
        ]
        self.joined = self._joined()
        self.always = always_used(puzzle)
        self.selected: dict[int, list[tuple[int, cp_model.IntVar | int]]] = {}
        self._used: dict[int, cp_model.IntVar] = {}
        self._added: set[object] = set()
        self._add_domains(_priced(puzzle) if priced else set())
        self._add_facts()
        self.wet: list[cp_model.IntVar] = []
        if puzzle.rules.leaks == "sealed":
            self.wet = add_wet(self.model, puzzle, self.variables, self.joined)

    @cached_property
    def most(self) -> IntArray:
        """The largest number of open ports each vertex's domain allows, shape (vertices,)."""
        puzzle = self.puzzle
        most = np.zeros(puzzle.vertices, dtype=np.int64)
        for index, domain in enumerate(puzzle.domains):
            holders = puzzle.domain_of == index
            if isinstance(domain, Table):
                most[holders] = max(m.bit_count() for m in domain.masks)
            elif domain.allowed is None:
                most[holders] = puzzle.degree[holders] // 2 * 2
            else:
                most[holders] = np.minimum(puzzle.degree[holders], max(domain.allowed))
        return most

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
            ports = self.local(vertex).variables
            self.model.add_bool_or([*ports, ~used])
            for port in ports:
                self.model.add_implication(port, used)
        return self._used[vertex]

    def local(self, vertex: int) -> Local:
        """The vertex's domain over its variables."""
        first = self.puzzle.first_port
        local = self.column[first[vertex] : first[vertex + 1]].tolist()
        place = {c: i for i, c in enumerate(dict.fromkeys(c for c in local if c >= 0))}
        return Local(
            self.puzzle.domain(vertex),
            [self.variables[c] for c in place],
            tuple(place.get(c, -1) for c in local),
        )

    def solution(self, values: Sequence[int]) -> Solution:
        """The ports' truth values from those of ``variables``, shape (ports,)."""
        padded = np.zeros(len(self.variables) + 1, dtype=np.bool_)
        padded[:-1] = values
        return padded[self.column]

    def values(self, solution: Solution) -> list[bool]:
        """The values of ``variables`` from those of the ports."""
        on = np.zeros(len(self.variables) + 1, dtype=np.bool_)
        on[self.column] = solution
        return on[:-1].tolist()

    def block(self, solution: Solution) -> None:
        """Exclude this solution and no other."""
        values = self.values(solution)
        self.model.add_bool_or(
            [~x if on else x for x, on in zip(self.variables, values, strict=True)]
        )

    def hint(self, solution: Solution) -> None:
        """Let the next search begin near this solution."""
        self.model.clear_hints()
        for variable, on in zip(self.variables, self.values(solution), strict=True):
            self.model.add_hint(variable, on)

    def add_cuts(self, cuts: Iterable[AnyCut]) -> int:
        """Forbid what the cuts forbid, but for those that stand; returns how many are new.

        Some edge leaves the component, if a vertex inside and one outside are in use, or if it
        holds a sink; or, given edges that form a cycle, one of them is off.
        """
        before = len(self._added)
        for cut in cuts:
            if isinstance(cut, tuple):
                clause: list[cp_model.LiteralT] = [~self.joined[e] for e in cut]
                key: object = cut
            else:
                clause = [self.joined[e] for e in cut.edges.tolist()]
                ends = (cut.inside, cut.outside) if isinstance(cut, Cut) else ()
                key = (cut.edges.tobytes(), *(v for v in ends if not self.always[v]))
                used = [self.is_used(v) for v in ends]
                clause += [~u for u in used if not isinstance(u, int)]
            if key not in self._added:
                self._added.add(key)
                self.model.add_bool_or(clause)
        return len(self._added) - before

    def unfounded(self, solution: Solution, wet: Sequence[int]) -> list[IntArray]:
        """Components, (vertices,), that are wet in a model though they hold no source."""
        if not self.wet:
            return []
        return without_source(self.puzzle, solution, np.array(wet, dtype=np.bool_))

    def dry(self, part: IntArray) -> None:
        """Vertices without a source among them are wet only if an edge leads out of them."""
        add_dry(self.model, self.puzzle, part, self.wet, self.joined)

    def _joined(self) -> list[cp_model.IntVar]:
        if self.puzzle.rules.leaks == "forbidden":
            return self.variables[: self.puzzle.edges]
        joined = []
        for p, q in self.puzzle.edge_ports.tolist():
            both = self.model.new_bool_var("")
            ends = [self.variables[p], self.variables[q]]
            self.model.add_bool_or([both, *(~x for x in ends)])
            for end in ends:
                self.model.add_implication(both, end)
            joined.append(both)
        return joined

    def _add_domains(self, priced: set[int]) -> None:
        for vertex in range(self.puzzle.vertices):
            local = self.local(vertex)
            if vertex in priced and isinstance(local.domain, Table):
                self.selected[vertex] = list(add_selected(self.model, local))
            else:
                add_domain(self.model, local)

    def _add_facts(self) -> None:
        """What the rules imply before any search, so that fewer cuts are needed."""
        puzzle = self.puzzle
        if refuted(puzzle):
            self.model.add_bool_or([])
        for edges in not_together(puzzle):
            self.model.add_bool_or([~self.joined[e] for e in edges])
        if puzzle.rules.connect == "used" and fixed_edges(puzzle) is None:
            self._add_edge_number()

    def _add_edge_number(self) -> None:
        """At least as many edges join as vertices are used, less one; no more in a tree."""
        used = [self.is_used(v) for v in np.flatnonzero(self.possible).tolist()]
        joined = cp_model.LinearExpr.sum(self.joined)
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
    if puzzle.rules.leaks != "forbidden":
        return np.arange(puzzle.ports)
    column = puzzle.edge_of.copy()
    stubs = np.flatnonzero(puzzle.free)
    column[stubs] = puzzle.edges + np.arange(len(stubs))
    return column


def _priced(puzzle: Puzzle) -> set[int]:
    """The vertices whose masks do not all cost nothing."""
    costs = puzzle.costs
    if costs is None:
        return set()
    differ = np.array([any(cost for _, cost in row) for row in costs.rows], dtype=np.bool_)
    return set(np.flatnonzero(differ[costs.row_of]).tolist())
