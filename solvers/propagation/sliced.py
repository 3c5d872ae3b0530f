"""A search in slices: between them it looks at the clock and hears Ctrl-C."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from ...puzzles.model import Solution
from ..contract import Deadline, Limits, Reason, Search
from .interrupt import HeldInterrupt
from .search import EXHAUSTED, NODES, SOLUTION
from .state import ON, State
from .statistics import NO_LIMIT, counted


class SlicedSearch(Search):
    """What looking for solutions and for the best one share. Ctrl-C is held back until the state
    is whole; then it is raised as usual, and ``next`` may be called again.
    """

    def __init__(self, state: State, limits: Limits, deadline: Deadline) -> None:
        super().__init__()
        self._state, self._deadline = state, deadline
        self._ready: Solution | None = None
        self._nodes = limits.nodes if limits.nodes is not None else NO_LIMIT

    @abstractmethod
    def _slice(self) -> int:
        """Go on for a while; an event of ``search.run``."""

    def _accept(self) -> None:
        """Take note of the solution that stands in the state."""

    def _report(self) -> None:
        """Bring the statistics up to date."""
        self.stats.update(counted(self._state))

    def next(self) -> Solution | Reason | None:
        """The next solution (ports,), None when there is none left, or why it stopped."""
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
                    self._accept()
                    return np.array(self._state.value, dtype=np.int8) == ON
                if event == EXHAUSTED:
                    return None
                if event == NODES:
                    return Reason.NODES
            return Reason.TIME
        finally:
            self._report()
