"""Searching an integer linear model: rounds of HiGHS and of cuts, one solution after another.

Each round solves what is known so far; a solution whose pipes fall apart, leave a sink dry or
close a cycle where none may be, gives rows for the next round. One model lives through all
rounds and all solutions, but HiGHS begins each search from its start.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..encodings.cuts import violated
from ..encodings.milp import MilpEncoding
from ..puzzles.model import IntArray, Puzzle, Solution
from .contract import Deadline, Limits, Reason, Search
from .highs import LiveModel

COUNTERS = {
    "nodes": "branch-and-bound nodes, summed over the rounds (0: presolve was enough)",
    "simplex_iterations": "iterations of HiGHS's simplex method, summed over the rounds",
    "rounds": "searches of HiGHS; each begins from its start",
    "cuts": "rows added because a solution did not hang together or had a cycle",
    "rows": "rows of the model now, cuts included",
    "columns": "columns of the model now",
}


@dataclass(frozen=True, slots=True)
class Box:
    """The solutions whose columns have these values; ``known`` is the only one already found."""

    fixed: dict[int, int]
    known: Solution | None

    def split(self, one: Solution, other: Solution, column: IntArray) -> tuple[Box, Box]:
        """A box for each of two solutions of this one, by a column in which they differ."""
        port = int(np.flatnonzero(one != other)[0])
        at = int(column[port])
        return (
            Box({**self.fixed, at: int(one[port])}, one),
            Box({**self.fixed, at: int(other[port])}, other),
        )


class MilpSearch(Search):
    """Rounds of solving and cutting.

    To find all solutions, a box with one known is asked for another; the two then divide the
    box, so that every search has a small model and excludes one solution only. ``n`` solutions
    take ``2 n`` searches and no more rows than cuts.
    """

    priced = True
    """Whether rounds minimise the model's costs, if it has any."""

    def __init__(
        self, puzzle: Puzzle, limits: Limits, *, costs: bool = False, seed: int | None = None
    ) -> None:
        super().__init__()
        self.puzzle, self.limits, self.deadline = puzzle, limits, Deadline(limits)
        self.encoding = MilpEncoding(puzzle, costs=costs)
        self.highs: LiveModel | None = LiveModel(seed)
        self.boxes = [Box({}, None)]
        self.stats.update(dict.fromkeys(COUNTERS, 0))
        self._measure()

    def next(self) -> Solution | Reason | None:
        """See ``Search``."""
        while self.boxes:
            box = self.boxes[-1]
            found = self.found(box)
            if isinstance(found, Reason):
                return found
            self.boxes.pop()
            if found is not None:
                self.boxes += self._divided(box, found)
                return found
        return None

    def close(self) -> None:
        """Free HiGHS's model and its thread."""
        if self.highs is not None:
            self.highs.close()
            self.highs = None

    def _divided(self, box: Box, found: Solution) -> Iterable[Box]:
        if box.known is None:
            return (Box(box.fixed, found),)
        return box.split(box.known, found, self.encoding.column)

    def found(self, box: Box) -> Solution | Reason | None:
        """A further solution of the box, the cheapest there is, or None: rounds until nothing
        is left to cut.
        """
        while True:
            if self.highs is None:
                return Reason.INTERRUPTED  # closed
            values = self.round(self.highs, box)
            if values is None or isinstance(values, Reason):
                return values
            solution = self.encoding.solution(values)
            cuts = violated(self.puzzle, solution)
            if not cuts:
                return solution
            before = self.encoding.cuts
            for cut in cuts:
                self.encoding.add_cut(cut)
            if self.encoding.cuts == before:
                raise RuntimeError("HiGHS returned a solution that an earlier cut excludes")

    def round(self, highs: LiveModel, box: Box) -> IntArray | Reason | None:
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
            return highs.solve(
                model, self.deadline.left(), left, fixed=box.fixed, other=others, priced=self.priced
            )
        finally:
            self.stats["nodes"] = highs.nodes
            self.stats["simplex_iterations"] = highs.iterations
            self._measure()

    def _measure(self) -> None:
        model = self.encoding.model
        self.stats.update(rows=model.rows, columns=model.columns, cuts=self.encoding.cuts)
