"""The engine ``cpsat``: OR-tools CP-SAT with tables and a flow, or with lazy cuts. Every rule of
the model, and its costs.

Variants: ``cpsat`` is ``cpsat:flow``; ``cpsat:lazy`` has no flow and adds cuts to solutions
that do not hang together. ``:lin0``, ``:lin1``, ``:lin2`` set how much of the model its linear
relaxation holds, ``:workersN`` its search threads (one by default: only then is it
reproducible, as long as no time limit strikes), ``:seedN`` the seed of CP-SAT's own choices.
"""

from __future__ import annotations

import re
from collections import deque
from importlib.metadata import version
from typing import ClassVar

from ..encodings.cpsat import CpsatEncoding
from ..encodings.cpsat_flow import add_flow
from ..encodings.cuts import AnyCut, violated
from ..puzzles.errors import UsageError
from ..puzzles.model import IntArray, Puzzle, Solution
from .contract import Capabilities, Engine, Limits, Reason, Search, Variant
from .cpsat_best import CpSatBest
from .cpsat_run import Calls, Parameters, Values

COUNTERS = {
    "branches": "decisions CP-SAT made, summed over its calls (0: its presolve was enough)",
    "conflicts": "conflicts, summed over its calls",
    "boolean_propagations": "literals set by Boolean propagation, summed over its calls",
    "integer_propagations": "integer bounds moved by propagation, summed over its calls",
    "booleans": "Boolean variables of its SAT core, the most of any call",
    "rounds": "calls of CP-SAT; each starts from nothing",
    "cuts": "clauses added because a solution did not hang together, left a sink dry, had a cycle, "
    "or was wet without a source",
    "workers": "search threads (enumeration after the second solution always uses one)",
}
ONE_BY_ONE = 2
"""Solutions found by block-and-solve: enough for uniqueness by the variant's own method."""
BATCH = 64
"""Solutions kept in the first round of enumeration."""
GROWTH = 4
"""How much larger a round is after a full one."""
VAIN, VAIN_SHARE = 32, 4
"""Models in vain end a round when they are so many, and this share of those passed over."""
MOST_INT32 = 2**31 - 1
"""The largest number that CP-SAT's parameters take."""
UNKNOWN = -1
"""Stands for how far water gets in a solution where nobody looked."""


class CpSat(Engine):
    """CP-SAT under every rule of the model.

    Raises UsageError for an unknown option, for two that exclude each other, and for borrowed
    work.
    """

    name: ClassVar[str] = "cpsat"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden", "sealed", "allowed"}),
        connect=frozenset({"none", "used", "reach"}),
        objective=True,
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
            int(chosen["seed"]) if "seed" in chosen else None,
        )
        self.workers = self.parameters.workers

    def versions(self) -> dict[str, str]:
        """OR-tools' version."""
        return {"ortools": version("ortools")}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Build the model."""
        return CpSatSearch(puzzle, limits, self.parameters, flow=self.flow)

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """Build the model with its objective. Raises Unsupported for costs too large."""
        return CpSatBest(puzzle, limits, self.parameters, flow=self.flow)


def _options(variant: Variant) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for option in variant.options:
        found = re.fullmatch(
            r"(?P<method>flow|lazy)|lin(?P<lin>[012])|workers(?P<workers>\d+)|seed(?P<seed>\d+)",
            option,
        )
        if (
            found is None
            or found["workers"] == "0"
            or max(int(found[kind] or 0) for kind in ("workers", "seed")) > MOST_INT32
        ):
            raise UsageError(
                f"solver {str(variant)!r}: option {option!r}, expected flow, lazy, lin0, lin1, "
                f"lin2, workersN (N at least 1) or seedN; N at most {MOST_INT32}"
            )
        kind, value = next((k, v) for k, v in found.groupdict().items() if v is not None)
        if kind in chosen:
            raise UsageError(f"solver {str(variant)!r}: {option!r} contradicts an earlier option")
        chosen[kind] = value
    return chosen


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
        self.flow = flow and puzzle.rules.connect != "none"
        if self.flow:
            add_flow(self.encoding)
        self.found = 0
        self.ready: deque[Solution] = deque()
        # Solutions found, and how many vertices water reaches: a model with more is a copy.
        self.seen: dict[bytes, int] = {}
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
            cuts = violated(encoding.puzzle, solution)
            if not cuts:
                self._accept(solution, bytes(values))
                encoding.block(solution)
                return None
            self.calls.cut(encoding.add_cuts(cuts))

    def _enumerate(self, encoding: CpsatEncoding) -> Reason | None:
        """One round: until ``batch`` solutions are new, or too many models are in vain: refused,
        or wet where they need not be.

        A round begins from the start and passes over what is known; as rounds grow, that costs
        a third more in all, far less than blocking every solution found. One cut forbids most of
        the models that are met together, so a round ends at the first few in vain, unless it
        has passed over many others by then.
        """
        refused: dict[bytes, list[AnyCut]] = {}
        unfounded: dict[bytes, IntArray] = {}
        before, width = len(self.ready), len(encoding.variables)
        passed = vain = 0

        def take(values: Values) -> bool:
            nonlocal passed, vain
            passed += 1
            key, wet = bytes(values[:width]), values[width:]
            if self.seen.get(key) != sum(wet):
                solution = encoding.solution(values[:width])
                parts = encoding.unfounded(solution, wet)
                unfounded.update((part.tobytes(), part) for part in parts)
                cuts = [] if key in self.seen else violated(encoding.puzzle, solution)
                vain += bool(parts or cuts)
                if cuts:
                    refused[key] = cuts
                else:
                    self._accept(solution, key, sum(wet) - sum(map(len, parts)))
            new = len(self.ready) - before
            return new < self.batch and vain < max(VAIN, passed // VAIN_SHARE)

        end = self.calls.enumerate(encoding.model, [*encoding.variables, *encoding.wet], take)
        if end is True:
            self.exhausted = True
            return None
        for cuts in refused.values():
            self.calls.cut(encoding.add_cuts(cuts))
        for part in unfounded.values():
            encoding.dry(part)
        self.calls.cut(len(unfounded))
        if len(self.ready) - before >= self.batch:
            self.batch *= GROWTH
        return end if isinstance(end, Reason) else None

    def _accept(self, solution: Solution, key: bytes, wet: int = UNKNOWN) -> None:
        if key not in self.seen:
            self.ready.append(solution)
        self.seen[key] = wet
