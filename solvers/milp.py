"""The engine ``milp``: an integer linear model, HiGHS, connectivity by lazy cuts.

Each round solves what is known so far; a solution whose pipes fall apart, leave a sink dry or
close a cycle where none may be, gives rows for the next round. One model lives through all
rounds and all solutions, but HiGHS begins each search from its start. See docs/milp.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from typing import ClassVar

import numpy as np

from ..encodings.cuts import connectivity_cuts, cycle_cuts, reach_cuts
from ..encodings.linear_costs import worst
from ..encodings.milp import AnyCut, MilpEncoding
from ..puzzles.check import cost as cost_of
from ..puzzles.errors import Unsupported, UsageError
from ..puzzles.model import IntArray, Puzzle, Solution
from .contract import Capabilities, Deadline, Engine, Limits, Reason, Search, Variant
from .highs import LiveModel

COUNTERS = {
    "nodes": "branch-and-bound nodes, summed over the rounds (0: presolve was enough)",
    "simplex_iterations": "iterations of HiGHS's simplex method, summed over the rounds",
    "rounds": "searches of HiGHS; each begins from its start",
    "cuts": "rows added because a solution did not hang together or had a cycle",
    "rows": "rows of the model now, cuts included",
    "columns": "columns of the model now",
}
MOST_COST = 2**30
"""Floating point must tell costs apart that differ by one unit."""


class Milp(Engine):
    """HiGHS on every rule of the model. It has no options. A node of its limits is a node of
    branch and bound.
    """

    name: ClassVar[str] = "milp"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden", "sealed", "allowed"}),
        connect=frozenset({"none", "used", "reach"}),
        objective=True,
        interrupt=True,
        counters=COUNTERS,
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        if variant.options or variant.borrowed:
            raise UsageError(f"solver {str(variant)!r}: milp has no options and borrows nothing")

    def versions(self) -> dict[str, str]:
        """The version of highspy, which carries HiGHS."""
        return {"highspy": version("highspy")}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Build the model."""
        return MilpSearch(puzzle, limits)

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """Build the model with its costs. Raises Unsupported if they are so far apart that
        floating point could confuse two of them.
        """
        return MilpBest(puzzle, limits)


@dataclass(frozen=True, slots=True)
class _Box:
    """The solutions whose columns have these values; ``known`` is the only one already found."""

    fixed: dict[int, int]
    known: Solution | None

    def split(self, one: Solution, other: Solution, column: IntArray) -> tuple[_Box, _Box]:
        """A box for each of two solutions of this one, by a column in which they differ."""
        port = int(np.flatnonzero(one != other)[0])
        at = int(column[port])
        return (
            _Box({**self.fixed, at: int(one[port])}, one),
            _Box({**self.fixed, at: int(other[port])}, other),
        )


class MilpSearch(Search):
    """Rounds of solving and cutting.

    To find all solutions, a box with one known is asked for another; the two then divide the
    box, so that every search has a small model and excludes one solution only. ``n`` solutions
    take ``2 n`` searches and no more rows than cuts.
    """

    def __init__(self, puzzle: Puzzle, limits: Limits, *, costs: bool = False) -> None:
        super().__init__()
        self.puzzle, self.limits, self.deadline = puzzle, limits, Deadline(limits)
        self.encoding = MilpEncoding(puzzle, costs=costs)
        self.highs: LiveModel | None = LiveModel()
        self._boxes = [_Box({}, None)]
        self.stats.update(dict.fromkeys(COUNTERS, 0))
        self._measure()

    def next(self) -> Solution | Reason | None:
        """See ``Search``."""
        while self._boxes:
            box = self._boxes[-1]
            found = self._found(box)
            if isinstance(found, Reason):
                return found
            self._boxes.pop()
            if found is not None:
                self._boxes += self._divided(box, found)
                return found
        return None

    def close(self) -> None:
        """Free HiGHS's model and its thread."""
        if self.highs is not None:
            self.highs.close()
            self.highs = None

    def _divided(self, box: _Box, found: Solution) -> Iterable[_Box]:
        if box.known is None:
            return (_Box(box.fixed, found),)
        return box.split(box.known, found, self.encoding.column)

    def _found(self, box: _Box) -> Solution | Reason | None:
        """A further solution of the box, the cheapest there is, or None: rounds until nothing
        is left to cut.
        """
        while True:
            if self.highs is None:
                return Reason.INTERRUPTED  # closed
            values = self._round(self.highs, box)
            if values is None or isinstance(values, Reason):
                return values
            solution = self.encoding.solution(values)
            cuts = self._cuts(solution)
            if not cuts:
                return solution
            before = self.encoding.cuts
            for cut in cuts:
                self.encoding.add_cut(cut)
            if self.encoding.cuts == before:
                raise RuntimeError("HiGHS returned a solution that an earlier cut excludes")

    def _round(self, highs: LiveModel, box: _Box) -> IntArray | Reason | None:
        """A solution of the model as it stands, None if there is none, or why it is open."""
        model, nodes = self.encoding.model, self.limits.nodes
        if self.deadline.passed():
            return Reason.TIME
        left = None if nodes is None else nodes - int(self.stats["nodes"])
        if left is not None and left <= 0:
            return Reason.NODES
        if model.impossible:
            return None
        others = None if box.known is None else self.encoding.others(box.known)
        self.stats["rounds"] = int(self.stats["rounds"]) + 1
        try:
            return highs.solve(model, self.deadline.left(), left, fixed=box.fixed, other=others)
        finally:
            self.stats["nodes"] = highs.nodes
            self.stats["simplex_iterations"] = highs.iterations
            self._measure()

    def _measure(self) -> None:
        model = self.encoding.model
        self.stats.update(rows=model.rows, columns=model.columns, cuts=self.encoding.cuts)

    def _cuts(self, solution: Solution) -> list[AnyCut]:
        """What forbids this solution; nothing if it is right."""
        rules = self.puzzle.rules
        if rules.connect == "used":
            # Their number makes connected edges a tree where the rules ask for one.
            return [*connectivity_cuts(self.puzzle, solution)]
        dry = reach_cuts(self.puzzle, solution) if rules.connect == "reach" else []
        return [*dry, *(cycle_cuts(self.puzzle, solution) if rules.acyclic else [])]


class MilpBest(MilpSearch):
    """Every round minimises, so one that leaves nothing to cut ends with the cheapest solution,
    if HiGHS's bound says so. Where it does not, because a limit struck or floating point leaves
    a doubt, cheaper ones are asked for until there are none.

    ``_best`` is the cost of the last solution, ``_least`` what none can beat, both in the
    model's costs.
    """

    def __init__(self, puzzle: Puzzle, limits: Limits) -> None:
        super().__init__(puzzle, limits, costs=True)
        if worst(self.encoding) > MOST_COST:
            self.close()
            raise Unsupported("milp", f"costs that add up to over {MOST_COST} times their divisor")
        self._best: int | None = None
        self._demanded: int | None = None
        self._least: int | None = None
        self._price = 0

    def next(self) -> Solution | Reason | None:
        """See ``Search``."""
        encoding = self.encoding
        if self._best is not None and self._demanded != self._best:
            if self._least == self._best:
                self._boxes.clear()
            else:
                encoding.demand(self._best - max(1, encoding.model.step))
                self._demanded = self._best
        found = self._found(self._boxes[-1]) if self._boxes else None
        if found is None:
            self._boxes.clear()
        elif not isinstance(found, Reason):
            self._best = encoding.sign * cost_of(self.puzzle, found)
            if self._best != self._price:
                raise RuntimeError(f"the model says {self._price}, the puzzle {self._best}")
        return found

    def _round(self, highs: LiveModel, box: _Box) -> IntArray | Reason | None:
        """As for all solutions; and what it proves of the costs."""
        values = super()._round(highs, box)
        if values is not None and not isinstance(values, Reason):
            self._price = self.encoding.model.price(values)
        least = highs.least
        if least is not None and (self._least is None or least > self._least):
            # Once cheaper ones are demanded, the bound holds for those alone.
            self._least = least if self._best is None else min(least, self._best)
            self.bound = self.encoding.sign * self._least
        return values
