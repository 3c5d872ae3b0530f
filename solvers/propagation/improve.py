"""Optimising behind the contract: depth-first branch and bound, and A*."""

from __future__ import annotations

import numpy as np

from ...puzzles.model import Puzzle, Solution
from ..contract import Deadline, Limits, Reason, Search
from .best_first import Frontier, run_best_first
from .costs import NEVER, Ledger
from .interrupt import HeldInterrupt
from .parity import Parity
from .search import EXHAUSTED, NODES, SOLUTION, Tree, run
from .state import ON, State
from .statistics import NO_LIMIT, SLICE, counted


def price(puzzle: Puzzle, state: State) -> Ledger:
    """Give the state a ledger of the puzzle's costs, and T-joins where they can help."""
    ledger = state.ledger = Ledger(puzzle, state)
    if state.use_parity and not state.leaky and any(ledger.price):
        state.parity = Parity(ledger)
    return ledger


class Improvement(Search):
    """One optimisation. The kinds differ in ``_slice``."""

    def __init__(self, puzzle: Puzzle, state: State, limits: Limits, deadline: Deadline) -> None:
        super().__init__()
        self._state, self._ledger = state, price(puzzle, state)
        self._deadline = deadline
        self._nodes = limits.nodes if limits.nodes is not None else NO_LIMIT
        self._ready: Solution | None = None
        self._best: int | None = None

    def _slice(self) -> int:
        """Go on for a while; an event of ``search.run``."""
        raise NotImplementedError

    def _proved(self) -> int:
        """A bound for all solutions not yet seen, doubled."""
        raise NotImplementedError

    def next(self) -> Solution | Reason | None:
        """A better solution (ports,), None if there is none, or why the search stopped."""
        if self._ready is None:
            with HeldInterrupt() as held:
                outcome = self._go_on(held)
                # Should leaving this block raise, a solution found now is not lost.
                self._ready = outcome if isinstance(outcome, np.ndarray) else None
        else:
            outcome = self._ready
        self._ready = None
        return outcome

    def _go_on(self, held: HeldInterrupt) -> Solution | Reason | None:
        try:
            while not self._deadline.passed():
                held.deliver()
                event = self._slice()
                if event == SOLUTION:
                    self._best = self._ledger.lower
                    self._ledger.ceiling = self._best - 2
                    return np.array(self._state.value, dtype=np.int8) == ON
                if event == EXHAUSTED:
                    return None
                if event == NODES:
                    return Reason.NODES
            return Reason.TIME
        finally:
            self._report()

    def _report(self) -> None:
        self.stats.update(counted(self._state))
        proved = self._proved()
        if self._best is not None:
            proved = min(proved, self._best)
        if proved < NEVER // 2:
            self.bound = self._ledger.sign * -(-proved // 2)


class BranchAndBound(Improvement):
    """Depth first: each solution found lowers the ceiling of the next."""

    def __init__(self, puzzle: Puzzle, state: State, limits: Limits, deadline: Deadline) -> None:
        super().__init__(puzzle, state, limits, deadline)
        self._tree = Tree(state)

    def _slice(self) -> int:
        return run(self._tree, SLICE, self._nodes)

    def _proved(self) -> int:
        return self._ledger.proved()


class BestFirst(Improvement):
    """A*: the first solution is the best one."""

    def __init__(self, puzzle: Puzzle, state: State, limits: Limits, deadline: Deadline) -> None:
        super().__init__(puzzle, state, limits, deadline)
        self._frontier = Frontier(state)

    def _slice(self) -> int:
        return run_best_first(self._frontier, self._nodes)

    def _proved(self) -> int:
        return self._frontier.proved()
