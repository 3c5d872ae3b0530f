"""Optimising behind the contract: depth-first branch and bound, and A*."""

from __future__ import annotations

from abc import abstractmethod

from ...puzzles.model import Puzzle
from ..contract import Deadline, Limits
from .best_first import Frontier, run_best_first
from .costs import NEVER, Ledger
from .parity import Parity
from .search import Tree, run
from .sliced import SlicedSearch
from .state import State
from .statistics import SLICE


def price(puzzle: Puzzle, state: State) -> Ledger:
    """Give the state a ledger of the puzzle's costs, and T-joins where they can help."""
    ledger = state.ledger = Ledger(puzzle, state)
    if state.use_parity and not state.leaky and any(ledger.price):
        state.parity = Parity(ledger)
    return ledger


class Improvement(SlicedSearch):
    """One optimisation. The kinds differ in ``_slice`` and ``_proved``."""

    def __init__(self, puzzle: Puzzle, state: State, limits: Limits, deadline: Deadline) -> None:
        super().__init__(state, limits, deadline)
        self._ledger = price(puzzle, state)
        self._best: int | None = None

    @abstractmethod
    def _proved(self) -> int:
        """A bound for all solutions not yet seen, doubled."""

    def _accept(self) -> None:
        self._best = self._ledger.lower
        self._ledger.ceiling = self._best - 2

    def _report(self) -> None:
        super()._report()
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
