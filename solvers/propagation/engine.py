"""The engine ``propagation`` behind the contract: options, limits, statistics, decoding."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...puzzles.errors import Unsupported
from ...puzzles.model import Puzzle, Solution
from ..contract import Capabilities, Deadline, Engine, Limits, Reason, Search, Variant
from . import layout
from .improve import BestFirst, BranchAndBound, Improvement
from .interrupt import HeldInterrupt
from .search import EXHAUSTED, NODES, SOLUTION, Tree, run
from .state import ON, State
from .statistics import COUNTERS, NO_LIMIT, SLICE, counted
from .variants import ASTAR, switched_off


class Propagation(Engine):
    """Depth-first search with propagation at every node; see docs/propagation.md.

    Options ``no-<deduction>`` are listed in ``variants.SWITCHES``; ``astar`` optimises best first.
    """

    name: ClassVar[str] = "propagation"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden", "sealed", "allowed"}),
        connect=frozenset({"none", "used", "reach"}),
        objective=True,
        interrupt=True,
        counters=COUNTERS,
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self._off = switched_off(variant)
        self._astar = ASTAR in variant.options

    def require(self, puzzle: Puzzle, *, many: bool, objective: bool = False) -> None:
        """As for any engine; A* has an order only where there is an objective."""
        super().require(puzzle, many=many, objective=objective)
        if self._astar and not objective:
            raise Unsupported(str(self.variant), "a job without an objective")

    def improve(self, puzzle: Puzzle, limits: Limits) -> Improvement:
        """Branch and bound, or A*, over the same decisions."""
        deadline = Deadline(limits)
        state = State(layout.build(puzzle), self._off)
        kind = BestFirst if self._astar else BranchAndBound
        return kind(puzzle, state, limits, deadline)

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> PropagationSearch:
        """Flatten the puzzle; the search begins with the first ``next``."""
        deadline = Deadline(limits)
        return PropagationSearch(State(layout.build(puzzle), self._off), limits, deadline)


class PropagationSearch(Search):
    """One run. Ctrl-C is held back until the state is whole; then it is raised as usual, and
    ``next`` may be called again.
    """

    def __init__(self, state: State, limits: Limits, deadline: Deadline) -> None:
        super().__init__()
        self._tree = Tree(state)
        self._deadline = deadline
        self._ready: Solution | None = None
        self._nodes = limits.nodes if limits.nodes is not None else NO_LIMIT

    def next(self) -> Solution | Reason | None:
        """The next solution (ports,), None when there is none left, or why it stopped."""
        if self._ready is None:
            with HeldInterrupt() as held:
                outcome = self._go_on(held)
                # Should leaving this block raise, a solution found now is not lost.
                self._ready = outcome if isinstance(outcome, np.ndarray) else None
            return self._hand_out(outcome)
        return self._hand_out(self._ready)

    def _hand_out(self, outcome: Solution | Reason | None) -> Solution | Reason | None:
        self._ready = None
        return outcome

    def _go_on(self, held: HeldInterrupt) -> Solution | Reason | None:
        try:
            while not self._deadline.passed():
                held.deliver()
                event = run(self._tree, SLICE, self._nodes)
                if event == SOLUTION:
                    return np.array(self._tree.state.value, dtype=np.int8) == ON
                if event == EXHAUSTED:
                    return None
                if event == NODES:
                    return Reason.NODES
            return Reason.TIME
        finally:
            self.stats.update(counted(self._tree.state))
