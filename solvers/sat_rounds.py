"""Rounds of solving and cutting, which the search for solutions and that for the best share.

Each round solves what is known so far; a model whose pipes fall apart, leave a sink dry, or
close a cycle where none may be, gives cuts for the next round. One incremental solver lives
through all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..encodings.cnf import Cnf
from ..encodings.cuts import Cut, always_used, connectivity_cuts, cycle_cuts, reach_cuts
from ..encodings.precuts import is_tree, not_together, refuted
from ..puzzles.model import IntArray, Puzzle, Solution
from .contract import Deadline, Limits, Reason, Stat
from .pysat_backend import SatSolver


class Rounds:
    """A formula of the puzzle's domains, and cuts as they are needed.

    - ``stats``: the search's own, kept up to date;
    - ``exhausted``: the formula has no model, whatever is assumed.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        cnf: Cnf,
        limits: Limits,
        back_end: str,
        stats: dict[str, Stat],
        *,
        precuts: bool,
    ) -> None:
        self._puzzle, self._cnf, self._limits = puzzle, cnf, limits
        self._deadline, self.stats = Deadline(limits), stats
        self._always = always_used(puzzle)
        self._look_for_cycles = puzzle.rules.acyclic and not is_tree(puzzle)
        self._in_use: dict[int, int] = {}
        self._solver: SatSolver | None = None
        clauses = [*cnf.clauses, *(self._precuts() if precuts else ())]
        self.exhausted = refuted(puzzle) or any(not clause for clause in clauses)
        stats.update(variables=cnf.variables, clauses=len(clauses), rounds=0, cuts=0, cores=0)
        if not self.exhausted:
            self._solver = SatSolver(back_end, clauses)

    def find(self, assumptions: Sequence[int] = ()) -> Solution | Reason | None:
        """A solution in which the assumptions hold, None if it is proved that there is none, or
        why that is not known; after a Reason it may be called again.
        """
        while not self.exhausted:
            verdict = self.solve(assumptions)
            if isinstance(verdict, Reason):
                return verdict
            if not verdict:
                return None
            solution = self._cnf.decode(self.model())
            cuts = self._cuts(solution)
            if not cuts:
                return solution
            for clause in cuts:
                self.add(clause)
            self.stats["cuts"] = int(self.stats["cuts"]) + len(cuts)
        return None

    def solve(self, assumptions: Sequence[int] = (), conflicts: int | None = None) -> bool | Reason:
        """One call of the back end, within the limits and within so many conflicts: whether the
        clauses known so far have a model.
        """
        if self._solver is None:
            return Reason.INTERRUPTED  # closed
        if self._limits.nodes is not None:
            left = self._limits.nodes - int(self.stats.get("conflicts", 0))
            conflicts = left if conflicts is None else min(left, conflicts)
        verdict = self._solver.solve(self._deadline, conflicts, assumptions)
        self.stats["rounds"] = int(self.stats["rounds"]) + 1
        self.stats.update(self._solver.counters())
        if verdict is False and not (assumptions and self._solver.core()):
            self.exhausted = True
        return verdict

    def refutes(self, assumptions: Sequence[int], conflicts: int) -> bool:
        """Whether so many conflicts prove that the assumptions do not hold together; never
        where the back end cannot be limited.
        """
        limited = self._solver is not None and self._solver.traits.budget
        return limited and self.solve(assumptions, conflicts) is False

    def prefer(self, literals: Sequence[int]) -> None:
        """Values to be tried first."""
        if self._solver is not None:
            self._solver.prefer(literals)

    def model(self) -> list[int]:
        """True literals of the model found by the last call, auxiliaries included."""
        return [] if self._solver is None else self._solver.model()

    def core(self) -> list[int]:
        """Assumptions of the last call of which not all can hold; none if nothing can."""
        return [] if self._solver is None else self._solver.core()

    def add(self, clause: list[int]) -> None:
        """Add a clause; the empty one exhausts the formula."""
        if not clause:
            self.exhausted = True
        elif self._solver is not None:
            self._solver.add(clause)

    def close(self) -> None:
        """Delete the back end's solver."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None

    def _precuts(self) -> Iterator[list[int]]:
        for edges in not_together(self._puzzle):
            yield self._not_all(edges)
        if self._puzzle.rules.connect == "reach":
            nothing = np.zeros(self._puzzle.ports, dtype=np.bool_)
            for cut in reach_cuts(self._puzzle, nothing):
                yield self._some(cut.edges)

    def _cuts(self, solution: Solution) -> list[list[int]]:
        """The clauses that this model breaks; none if it is a solution."""
        puzzle, clauses = self._puzzle, []
        if puzzle.rules.connect == "used":
            clauses += [self._connect(cut) for cut in connectivity_cuts(puzzle, solution)]
        elif puzzle.rules.connect == "reach":
            clauses += [self._some(cut.edges) for cut in reach_cuts(puzzle, solution)]
        if self._look_for_cycles:
            clauses += [self._not_all(edges) for edges in cycle_cuts(puzzle, solution)]
        return [list(c) for c in dict.fromkeys(tuple(sorted(c)) for c in clauses)]

    def _some(self, edges: IntArray) -> list[int]:
        return self._cnf.joined[edges].tolist()

    def _not_all(self, edges: tuple[int, ...]) -> list[int]:
        return [-x for x in self._cnf.joined[list(edges)].tolist()]

    def _connect(self, cut: Cut) -> list[int]:
        unless = [self._used(v) for v in (cut.inside, cut.outside) if not self._always[v]]
        return [*(-u for u in unless), *self._some(cut.edges)]

    def _used(self, vertex: int) -> int:
        """A variable that every open port of the vertex makes true; made when first asked for."""
        if vertex not in self._in_use:
            used = self._in_use[vertex] = self._cnf.new_variable()
            first = self._puzzle.first_port
            for x in set(self._cnf.of_port[first[vertex] : first[vertex + 1]].tolist()) - {0}:
                self.add([-x, used])
        return self._in_use[vertex]
