"""The engine ``cpsat``: OR-tools CP-SAT with tables and a flow, or with lazy cuts.

Variants: ``cpsat`` is ``cpsat:flow``; ``cpsat:lazy`` has no flow and adds cuts to solutions
that do not hang together. ``:lin0``, ``:lin1``, ``:lin2`` set how much of the model its linear
relaxation holds, ``:workersN`` its search threads (one by default: only then is it
reproducible, as long as no time limit strikes).
"""

from __future__ import annotations

import re
from collections import deque
from importlib.metadata import version
from typing import ClassVar

from ..encodings.cpsat import CpsatEncoding
from ..encodings.cpsat_flow import add_flow
from ..encodings.cuts import Cut, connectivity_cuts, cycle_cuts
from ..puzzles.errors import UsageError
from ..puzzles.model import Puzzle, Solution
from .contract import Capabilities, Engine, Limits, Reason, Search, Variant
from .cpsat_run import Calls, Parameters, Values

COUNTERS = {
    "branches": "decisions CP-SAT made, summed over its calls (0: its presolve was enough)",
    "conflicts": "conflicts, summed over its calls",
    "boolean_propagations": "literals set by Boolean propagation, summed over its calls",
    "integer_propagations": "integer bounds moved by propagation, summed over its calls",
    "booleans": "Boolean variables of its SAT core, the most of any call",
    "rounds": "calls of CP-SAT; each starts from nothing",
    "cuts": "clauses added because a solution did not hang together or had a cycle",
    "workers": "search threads (enumeration after the second solution always uses one)",
}
ONE_BY_ONE = 2
"""Solutions found by block-and-solve: enough for uniqueness by the variant's own method."""
BATCH = 64
"""Solutions kept, or refused, in the first round of enumeration."""
GROWTH = 4
"""How much larger each further round is."""


class CpSat(Engine):
    """CP-SAT with leaks forbidden and connect none or used.

    Raises UsageError for an unknown option, for two that exclude each other, and for borrowed
    work.
    """

    name: ClassVar[str] = "cpsat"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden"}),
        connect=frozenset({"none", "used"}),
        interrupt=True,
        counters=COUNTERS,
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        if variant.borrowed:
            raise UsageError(f"solver {str(variant)!r}: cpsat borrows nothing yet")
        chosen = _options(variant)
        self.flow = chosen.get("method", "flow") == "flow"
        self.parameters = Parameters(
            int(chosen.get("workers", "1")),
            int(chosen["lin"]) if "lin" in chosen else None,
        )

    def versions(self) -> dict[str, str]:
        """OR-tools' version."""
        return {"ortools": version("ortools")}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Build the model."""
        return CpSatSearch(puzzle, limits, self.parameters, flow=self.flow)


def _options(variant: Variant) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for option in variant.options:
        found = re.fullmatch(
            r"(?P<method>flow|lazy)|lin(?P<lin>[012])|workers(?P<workers>\d+)", option
        )
        if found is None or found["workers"] == "0":
            raise UsageError(
                f"solver {str(variant)!r}: option {option!r}, "
                "expected flow, lazy, lin0, lin1, lin2 or workersN (N at least 1)"
            )
        kind, value = next((k, v) for k, v in found.groupdict().items() if v is not None)
        if kind in chosen:
            raise UsageError(f"solver {str(variant)!r}: {option!r} contradicts an earlier option")
        chosen[kind] = value
    return chosen


Cuts = list[Cut] | list[tuple[int, ...]]


class CpSatSearch(Search):
    """Solutions one by one, then by enumeration.

    The first ``ONE_BY_ONE`` come from solving, then solving again with those found blocked.
    Flow variables would multiply solutions, so the rest are enumerated without a flow:
    solutions that do not hang together are refused, and become cuts of the next round.
    """

    def __init__(
        self, puzzle: Puzzle, limits: Limits, parameters: Parameters, *, flow: bool
    ) -> None:
        super().__init__()
        self.puzzle = puzzle
        self.calls = Calls(parameters, limits, self.stats)
        self.encoding: CpsatEncoding | None = CpsatEncoding(puzzle)
        self.flow = flow and puzzle.rules.connect == "used"
        if self.flow:
            add_flow(self.encoding)
        self.found = 0
        self.ready: deque[Solution] = deque()
        self.seen: set[bytes] = set()
        self.exhausted = False
        self.batch = BATCH

    def next(self) -> Solution | Reason | None:
        """See ``Search``."""
        while not self.ready:
            if self.exhausted:
                return None
            if self.encoding is None:
                return Reason.INTERRUPTED  # closed
            if self.found < ONE_BY_ONE:
                stop = self._solve(self.encoding)
            else:
                if self.flow:
                    self.encoding, self.flow = CpsatEncoding(self.puzzle), False
                stop = self._enumerate(self.encoding)
            if stop is not None and not self.ready:
                return stop
        self.found += 1
        return self.ready.popleft()

    def close(self) -> None:
        """Forget the model and the solutions found."""
        self.encoding = None
        self.ready.clear()
        self.seen.clear()

    def _solve(self, encoding: CpsatEncoding) -> Reason | None:
        """Find one solution that hangs together, adding cuts until there is one or none."""
        while True:
            values = self.calls.solve(encoding.model, encoding.variables)
            if isinstance(values, Reason):
                return values
            if values is None:
                self.exhausted = True
                return None
            solution = encoding.solution(values)
            cuts = self._cuts(solution)
            if not cuts:
                self._accept(solution, bytes(values))
                encoding.block(solution)
                return None
            self._add(encoding, cuts)

    def _enumerate(self, encoding: CpsatEncoding) -> Reason | None:
        """One round: until ``batch`` solutions are new or as many are refused.

        A round begins from the start and passes over what is known; as rounds grow, that costs
        a third more in all, far less than blocking every solution found.
        """
        refused: dict[bytes, Cuts] = {}
        before = len(self.ready)

        def take(values: Values) -> bool:
            key = bytes(values)
            if key not in self.seen and key not in refused:
                solution = encoding.solution(values)
                cuts = self._cuts(solution)
                if cuts:
                    refused[key] = cuts
                else:
                    self._accept(solution, key)
            return max(len(refused), len(self.ready) - before) < self.batch

        end = self.calls.enumerate(encoding.model, encoding.variables, take)
        if end is True:
            self.exhausted = True
            return None
        for cuts in refused.values():
            self._add(encoding, cuts)
        self.batch *= GROWTH
        return end if isinstance(end, Reason) else None

    def _accept(self, solution: Solution, key: bytes) -> None:
        self.seen.add(key)
        self.ready.append(solution)

    def _cuts(self, solution: Solution) -> Cuts:
        """What forbids this solution; nothing if it is right."""
        rules = self.puzzle.rules
        if rules.connect == "used":
            # Their number makes connected edges a tree where the rules ask for one.
            return connectivity_cuts(self.puzzle, solution)
        return cycle_cuts(self.puzzle, solution) if rules.acyclic else []

    def _add(self, encoding: CpsatEncoding, cuts: Cuts) -> None:
        before = encoding.cuts
        for cut in cuts:
            encoding.add_cut(cut)
        self.stats["cuts"] = int(self.stats["cuts"]) + encoding.cuts - before
