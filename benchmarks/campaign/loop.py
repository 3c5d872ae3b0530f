"""Runs handed to an executor, a few at a time, and their results as they end."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import suppress

from ...puzzles.errors import PlumbenchError
from ..processes.child import Refused
from ..processes.jobs import Job, Outcome, Result

LOOK = 0.25
"""Seconds after which the loop looks at the clock even if no run has ended."""

Numbered = tuple[int, Job, int]
"""The number of a run, its job, and the threads that the engine was told to use."""


class Loop:
    """Runs in flight. Only ``ahead`` more than there are ``slots`` are handed out, so that the
    end of a budget or Ctrl-C leaves no queue behind.

    What the harness itself costs is seen from two sums, in seconds: ``slot_seconds``, the time
    that slots had work, and ``run_seconds``, what the runs say they took (start-up included).
    ``start_seconds`` is the part of the latter before the engines' import. A run of an engine
    that uses several threads counts for as many slots.
    """

    def __init__(
        self,
        executor: Executor,
        measure: Callable[[Job, int], Result],
        slots: int,
        *,
        ahead: int = 1,
        deadline: float | None = None,
    ) -> None:
        self._executor, self._measure = executor, measure
        self._slots, self._ahead, self._deadline = slots, ahead, deadline
        self._pending: dict[Future[Result], tuple[int, int]] = {}
        self._since = time.monotonic()
        self.slot_seconds = self.run_seconds = self.start_seconds = 0.0

    def perform(self, jobs: Iterator[Numbered]) -> Generator[tuple[int, Result] | None]:
        """(number, result) as runs end, None from time to time in between. ``jobs`` is drawn
        from only when a run can be handed out. Raises PlumbenchError for a wrong job.
        """
        self._since = time.monotonic()
        more = True
        while more or self._pending:
            while more and len(self._pending) < self._slots + self._ahead:
                entry = None if self._late() else next(jobs, None)
                if entry is None:
                    more = False
                    break
                number, job, threads = entry
                self._count()
                future = self._executor.submit(self._measure, job, threads)
                self._pending[future] = (number, threads)
            if self._late():
                more = False
                self._withdraw()
            done, _ = wait(self._pending, timeout=LOOK, return_when=FIRST_COMPLETED)
            self._count()
            for future in done:
                number, threads = self._pending.pop(future)
                with suppress(CancelledError):
                    yield number, self._noted(_result(future), threads)
            if not done:
                yield None

    def rest(self) -> Iterator[tuple[int, Result]]:
        """After an interruption: the results of runs that had ended but were not given yet."""
        for future, (number, threads) in self._pending.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                yield number, self._noted(future.result(), threads)

    def reset(self) -> None:
        """Forget what was counted so far: it was the warm-up's."""
        self.slot_seconds = self.run_seconds = self.start_seconds = 0.0

    def cost(self, wall: float) -> dict[str, float]:
        """What the campaign spent, for its record."""
        return {
            "wall": wall,
            "slot_seconds": self.slot_seconds,
            "run_seconds": self.run_seconds,
            "start_seconds": self.start_seconds,
        }

    def _late(self) -> bool:
        return self._deadline is not None and time.monotonic() > self._deadline

    def _withdraw(self) -> None:
        """Take back what has not started: those handed out last. (A cluster would also cancel
        what it runs already.)
        """
        for future in list(self._pending)[self._slots :]:
            if future.cancel():
                del self._pending[future]

    def _count(self) -> None:
        now = time.monotonic()
        wanted = sum(threads for _, threads in self._pending.values())
        self.slot_seconds += min(wanted, self._slots) * (now - self._since)
        self._since = now

    def _noted(self, result: Result, threads: int) -> Result:
        start, slots = result.times.get("start", 0.0), min(threads, self._slots)
        self.start_seconds += slots * start
        self.run_seconds += slots * (start + result.times.get("total", 0.0))
        return result


def _result(future: Future[Result]) -> Result:
    """The record; a run that the executor could not make is an error of the harness."""
    try:
        return future.result()
    except Refused as error:  # not before the campaign began: it is the engine that errs
        return Result(Outcome.ERROR, message=f"refused its job: {error}")
    except (PlumbenchError, CancelledError):
        raise
    except Exception as error:
        return Result(Outcome.ERROR, message=f"not measured: {type(error).__name__}: {error}")
