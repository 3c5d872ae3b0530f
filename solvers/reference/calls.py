"""A recursion as a loop, which may stop before any of its calls and go on there."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from ...puzzles.model import Solution
from ..contract import Deadline, Limits, Reason, Search


class CallSearch(Search):
    """What the articles' searches share. Subclasses keep their frames themselves.

    - ``calling``: a call is due, else a frame goes on;
    - ``calls``: those made so far; a node of the limits is a call, and after a Reason a further
      ``next`` has as many again.
    """

    calls_per_clock: ClassVar[int] = 32
    """The time is looked at once in so many calls."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self.limits, self.deadline = limits, Deadline(limits)
        self.calling, self.calls, self._allowance = True, 0, 0
        self.stats["calls"] = 0

    @abstractmethod
    def _call(self) -> bool:
        """Make the call that is due, with ``calling`` false; whether it ends in a solution."""

    @abstractmethod
    def _go_on(self) -> bool:
        """Let the top frame go on, which may make a call due; False if nothing is left."""

    @abstractmethod
    def _solution(self) -> Solution:
        """The solution in which the last call ended."""

    def next(self) -> Solution | Reason | None:
        """As the contract says."""
        while True:
            if not self.calling:
                if not self._go_on():
                    return None
                continue
            reason = self._limit()
            if reason is not None:
                self._allowance = 0
                return reason
            self.calling = False
            self.calls += 1
            self._allowance += 1
            self.stats["calls"] = self.calls
            if self._call():
                return self._solution()

    def _limit(self) -> Reason | None:
        if self.limits.nodes is not None and self._allowance >= self.limits.nodes:
            return Reason.NODES
        if self.calls % self.calls_per_clock == 0 and self.deadline.passed():
            return Reason.TIME
        return None
