"""The engine ``sat``: clauses from prime implicates, connectivity by lazy cuts.

Each round solves what is known so far; a model whose pipes fall apart, or close a cycle where
none may be, gives cuts for the next round. One incremental solver lives through all rounds and
all solutions. See docs/sat.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from ..encodings.cnf import encode
from ..encodings.cuts import Cut, always_used, connectivity_cuts, cycle_cuts
from ..encodings.precuts import is_tree, not_together, refuted
from ..puzzles.errors import UsageError
from ..puzzles.model import Puzzle, Solution
from .contract import Capabilities, Deadline, Engine, Limits, Reason, Search, Variant
from .pysat_backend import BACK_ENDS, SatSolver, require

DEFAULT = "glucose4"

COUNTERS = {
    "variables": "variables of the formula at the start, auxiliaries included",
    "clauses": "clauses at the start",
    "rounds": "calls of the back end",
    "cuts": "clauses added because a model was disconnected or had a cycle",
    "conflicts": "conflicts over all rounds, as the back end counts them",
    "decisions": "decisions over all rounds, as the back end counts them",
    "propagations": "propagated literals over all rounds, as the back end counts them",
    "restarts": "restarts over all rounds, as the back end counts them",
}
OWN_COUNTERS = ("variables", "clauses", "rounds", "cuts")


class Sat(Engine):
    """SAT through python-sat. Options: the name of a back end (``BACK_ENDS``; glucose4 if none
    is given) and ``no-precuts``. A node of its limits is a conflict.
    """

    name: ClassVar[str] = "sat"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden"}),
        connect=frozenset({"none", "used"}),
        interrupt=True,
        counters=COUNTERS,
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self.back_end, self.precuts = _options(variant)
        require(str(variant), self.back_end)
        traits = BACK_ENDS[self.back_end]
        # What a variant can do depends on its back end, hence one table per object.
        self.capabilities = replace(
            self.capabilities,
            interrupt=traits.interrupt,
            counters={k: COUNTERS[k] for k in (*OWN_COUNTERS, *traits.counters)},
        )

    def versions(self) -> dict[str, str]:
        """The version of python-sat, which carries the sources of its back ends."""
        from importlib.metadata import version

        return {"python-sat": version("python-sat")}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Encode the puzzle; raises UsageError for a node limit the back end cannot keep."""
        if limits.nodes is not None and not BACK_ENDS[self.back_end].budget:
            raise UsageError(f"solver {str(self.variant)!r} cannot keep a node limit")
        return SatSearch(puzzle, limits, self.back_end, precuts=self.precuts)


def _options(variant: Variant) -> tuple[str, bool]:
    """The back end and whether pre-cuts are wanted; raises UsageError."""
    if variant.borrowed:
        raise UsageError(f"solver {str(variant)!r}: sat borrows from no other engine")
    names = [option for option in variant.options if option != "no-precuts"]
    for name in names:
        if name not in BACK_ENDS:
            accepted = ", ".join(("no-precuts", *BACK_ENDS))
            raise UsageError(f"solver {str(variant)!r}: expected an option of {accepted}")
    if len(names) > 1 or len(set(variant.options)) < len(variant.options):
        raise UsageError(f"solver {str(variant)!r}: expected at most one back end, no repeats")
    return (names[0] if names else DEFAULT), "no-precuts" not in variant.options


class SatSearch(Search):
    """Rounds of solving and cutting; a solution found is excluded before the next one."""

    def __init__(self, puzzle: Puzzle, limits: Limits, back_end: str, *, precuts: bool) -> None:
        super().__init__()
        self._puzzle, self._limits, self._deadline = puzzle, limits, Deadline(limits)
        self._cnf = encode(puzzle)
        clauses = list(self._cnf.clauses)
        if precuts:
            clauses += [self._not_all(edges) for edges in not_together(puzzle)]
        self._look_for_cycles = puzzle.rules.acyclic and not is_tree(puzzle)
        self._exhausted = refuted(puzzle) or any(not clause for clause in clauses)
        self._in_use: dict[int, int] = {}
        self._always = always_used(puzzle)
        self._pending: list[int] | None = None
        self._solver: SatSolver | None = None
        self.stats.update(variables=self._cnf.variables, clauses=len(clauses), rounds=0, cuts=0)
        if not self._exhausted:
            self._solver = SatSolver(back_end, clauses)

    def next(self) -> Solution | Reason | None:
        """See ``Search.next``."""
        while not self._exhausted:
            if self._solver is None:
                return Reason.INTERRUPTED  # closed
            if self._pending is not None:
                self._add(self._pending)
                self._pending = None
                continue
            verdict = self._round(self._solver)
            if isinstance(verdict, Reason):
                return verdict
            if not verdict:
                break
            solution = self._cnf.decode(self._solver.model())
            cuts = self._cuts(solution)
            if not cuts:
                self._pending = self._cnf.blocking(solution)
                return solution
            for clause in cuts:
                self._add(clause)
            self.stats["cuts"] = int(self.stats["cuts"]) + len(cuts)
        self._exhausted = True
        return None

    def _round(self, solver: SatSolver) -> bool | Reason:
        nodes = self._limits.nodes
        left = None if nodes is None else nodes - int(self.stats.get("conflicts", 0))
        verdict = solver.solve(self._deadline, left)
        self.stats["rounds"] = int(self.stats["rounds"]) + 1
        self.stats.update(solver.counters())
        return verdict

    def _add(self, clause: list[int]) -> None:
        if not clause:
            self._exhausted = True
        elif self._solver is not None:
            self._solver.add(clause)

    def _cuts(self, solution: Solution) -> list[list[int]]:
        """The clauses that this model breaks; none if it is a solution."""
        clauses: list[list[int]] = []
        if self._puzzle.rules.connect == "used":
            clauses += [self._connect(cut) for cut in connectivity_cuts(self._puzzle, solution)]
        if self._look_for_cycles:
            clauses += [self._not_all(edges) for edges in cycle_cuts(self._puzzle, solution)]
        return [list(c) for c in dict.fromkeys(tuple(sorted(c)) for c in clauses)]

    def _not_all(self, edges: tuple[int, ...]) -> list[int]:
        return [-self._joined(edge) for edge in edges]

    def _joined(self, edge: int) -> int:
        """The variable that says this edge is joined."""
        return int(self._cnf.of_port[self._puzzle.edge_ports[edge, 0]])

    def _connect(self, cut: Cut) -> list[int]:
        unless = [self._used(v) for v in (cut.inside, cut.outside) if not self._always[v]]
        leaving = self._cnf.of_port[self._puzzle.edge_ports[cut.edges, 0]]
        return [*(-u for u in unless), *leaving.tolist()]

    def _used(self, vertex: int) -> int:
        """A variable that every open port of the vertex makes true; made when first asked for."""
        if vertex not in self._in_use:
            used = self._in_use[vertex] = self._cnf.new_variable()
            first = self._puzzle.first_port
            for x in set(self._cnf.of_port[first[vertex] : first[vertex + 1]].tolist()) - {0}:
                self._add([-x, used])
        return self._in_use[vertex]

    def close(self) -> None:
        """Delete the back end's solver."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None
