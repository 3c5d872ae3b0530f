"""The best solution by CP-SAT: optimise, cut what is wrong with the optimum, optimise again.

A round leaves out connectivity or cycles, as far as the model does not hold them. So its bound
holds for the puzzle, and its optimum is the puzzle's if it obeys all rules. Solutions that CP-SAT
meets on its way to the optimum are judged, too: right ones are kept, wrong ones give cuts.
"""

from __future__ import annotations

from math import ceil, floor, isfinite

from ..encodings.cpsat import CpsatEncoding
from ..encodings.cpsat_costs import LARGEST, add_objective, largest_cost
from ..encodings.cpsat_flow import add_flow
from ..encodings.cuts import AnyCut, violated
from ..puzzles.errors import Unsupported
from ..puzzles.model import Puzzle, Solution
from .contract import Limits, Reason, Search
from .cpsat_run import Calls, Parameters, Values


class CpSatBest(Search):
    """See ``Engine.improve``. Raises Unsupported if costs may sum up to 2^53 or more."""

    def __init__(
        self, puzzle: Puzzle, limits: Limits, parameters: Parameters, *, flow: bool
    ) -> None:
        super().__init__()
        assert puzzle.costs is not None
        if largest_cost(puzzle) >= LARGEST:
            raise Unsupported("cpsat", f"costs that sum up to {LARGEST} or more")
        self.sign = -1 if puzzle.costs.maximise else 1
        self.calls = Calls(parameters, limits, self.stats)
        self.encoding: CpsatEncoding | None = CpsatEncoding(puzzle, priced=True)
        self.cost = add_objective(self.encoding)
        if flow:
            add_flow(self.encoding)
        self.best: int | None = None
        self.proved = False

    def next(self) -> Solution | Reason | None:
        """See ``Search``."""
        while not self.proved:
            if self.encoding is None:
                return Reason.INTERRUPTED  # closed
            found = self._round(self.encoding)
            if found is not None:
                return found
        return None

    def close(self) -> None:
        """Forget the model."""
        self.encoding = None

    def _round(self, encoding: CpsatEncoding) -> Solution | Reason | None:
        """One call: a better solution, or why it ended early, or None after cuts or a proof."""
        cuts: list[AnyCut] = []
        better: list[Solution] = []
        right, last = False, 0

        def take(values: Values, cost: int) -> None:
            nonlocal right, last
            solution = encoding.solution(values)
            wrong = violated(encoding.puzzle, solution)
            cuts.extend(wrong)
            right, last = not wrong, cost
            if right and (self.best is None or self.sign * (cost - self.best) < 0):
                self.best = cost
                better.append(solution)

        end = self.calls.optimise(encoding.model, encoding.variables, self.cost, take)
        if isinstance(end, Reason):
            return end
        if end is None:
            self.bound = self.best
            self.proved = True
            return None
        self._improve_bound(_whole(end.bound, self.sign) if end.reason else last)
        self.proved = (end.reason is None and right) or self.best == self.bound is not None
        new = encoding.add_cuts(cuts)
        self.calls.cut(new)
        if better:
            encoding.hint(better[-1])
            return better[-1]
        if end.reason is None and not new and not self.proved:
            raise RuntimeError("CP-SAT returned a solution that an earlier cut excludes")
        return None if self.proved else end.reason

    def _improve_bound(self, bound: int | None) -> None:
        if bound is not None and (self.bound is None or self.sign * (bound - self.bound) > 0):
            self.bound = bound


def _whole(told: float, sign: int) -> int | None:
    """A bound as a whole number. CP-SAT's is a double that may be a little off."""
    if not isfinite(told) or abs(told) > LARGEST:
        return None
    slack = 1e-6 + abs(told) * 2**-50
    return ceil(told - slack) if sign > 0 else floor(told + slack)
