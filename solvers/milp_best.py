"""The cheapest solution by an integer linear model."""

from __future__ import annotations

import numpy as np

from ..encodings.cuts import violated
from ..encodings.linear_costs import worst
from ..puzzles.check import cost as cost_of
from ..puzzles.errors import Unsupported
from ..puzzles.model import IntArray, Puzzle, Solution
from .contract import Limits, Reason
from .highs import LiveModel
from .milp_search import Box, MilpSearch

MOST_COST = 2**30
"""Floating point must tell costs apart that differ by one unit."""
LARGE = 200
"""From so many columns on, any solution is looked for before the cheapest."""
LOOKS = 8
"""Points met on the way that are looked at after each round."""


class MilpBest(MilpSearch):
    """Every round minimises, so one that leaves nothing to cut ends with the cheapest solution,
    if HiGHS's bound says so. Where it does not, because a limit struck or floating point leaves
    a doubt, cheaper ones are asked for until there are none.

    ``_best`` is the cost of the last solution, ``_least`` what none can beat, both in the
    model's costs. ``_spare`` is a cheaper solution, with its cost, that HiGHS met on its way to
    one that has cuts: handed out if a limit strikes.
    """

    def __init__(self, puzzle: Puzzle, limits: Limits, *, seed: int | None = None) -> None:
        super().__init__(puzzle, limits, costs=True, seed=seed)
        if worst(self.encoding) > MOST_COST:
            self.close()
            raise Unsupported("milp", f"costs that add up to over {MOST_COST} times their divisor")
        rules = puzzle.rules
        lazy = rules.connect != "none" or rules.acyclic
        self.priced = not lazy or self.encoding.model.columns < LARGE
        self._best: int | None = None
        self._least: int | None = None
        self._price = 0
        self._spare: tuple[int, Solution] | None = None

    def next(self) -> Solution | Reason | None:
        """See ``Search``."""
        while self.boxes and not self._proved():
            found = self.found(self.boxes[-1])
            if found is None:
                break
            if isinstance(found, Reason):
                return self._instead(found)
            cost, before = self._cost(found), self._best
            if cost != self._price:
                raise RuntimeError(f"the model says {self._price}, the puzzle {cost}")
            self._best = cost if before is None else min(cost, before)
            if not self.priced:
                self.priced = True
            elif not self._proved():
                self.encoding.demand(self._best - max(1, self.encoding.model.step))
            if before is None or cost < before:
                return found
        self.boxes.clear()
        return None

    def round(self, highs: LiveModel, box: Box) -> IntArray | Reason | None:
        """As for all solutions; and what it proves of the costs."""
        values = super().round(highs, box)
        if isinstance(values, np.ndarray):
            self._price = self.encoding.model.price(values)
        least = highs.least
        if least is not None and (self._least is None or least > self._least):
            # Where only cheaper ones than the best are left, the bound holds for those alone.
            self._least = least if self._best is None else min(least, self._best)
            self.bound = self.encoding.sign * self._least
        if self.priced:
            self._look(highs)
        return values

    def _proved(self) -> bool:
        return self._best is not None and self._least == self._best

    def _cost(self, solution: Solution) -> int:
        return self.encoding.sign * cost_of(self.puzzle, solution)

    def _look(self, highs: LiveModel) -> None:
        """Keep the cheapest right solution among the last points that HiGHS met."""
        known = [self._best, self._spare and self._spare[0]]
        limit = min((cost for cost in known if cost is not None), default=None)
        for point in reversed(highs.seen[-LOOKS:]):
            values = np.rint(point).astype(np.int64)
            cost = self.encoding.model.price(values)
            if (limit is not None and cost >= limit) or not self.encoding.model.holds(values):
                continue
            solution = self.encoding.solution(values)
            if not violated(self.puzzle, solution):
                self._spare = (cost, solution)
                break
        highs.seen.clear()

    def _instead(self, reason: Reason) -> Solution | Reason:
        """Where a limit struck: a spare solution if that is better than all so far."""
        spare, self._spare = self._spare, None
        if spare is None or (self._best is not None and spare[0] >= self._best):
            return reason
        self._best = spare[0]
        return spare[1]
