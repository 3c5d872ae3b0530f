"""Records of runs that wrote none, or one that came too late: what the harness says of them."""

from __future__ import annotations

import contextlib
import signal
from dataclasses import dataclass, field, replace
from typing import Any

from ...puzzles.check import cost
from ...puzzles.model import Solution
from ...solvers.contract import Reason, Status
from .jobs import Job, Outcome, Result


@dataclass
class Progress:
    """What is known of a run under way: its verified solutions (unless someone else has taken
    them over) and their number; when its clock started (monotonic; None: not yet), the processor
    seconds used until then, and the seconds its import took; ``facts`` that its record would have
    (versions, workers).
    """

    job: Job
    solutions: list[Solution] = field(default_factory=list)
    number: int = 0
    clock: float | None = None
    cpu_before: float = 0.0
    imported: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)

    def partial(self, outcome: Outcome, message: str, reason: Reason | None = None) -> Result:
        """A record for a run without one: what it found stands, and proves nothing more."""
        counts = self.job.task in ("solutions", "count", "unique")
        return Result(
            outcome,
            Status.SATISFIABLE if self.number else Status.UNKNOWN,
            reason,
            solutions=tuple(self.solutions),
            cost=self._best_cost(),
            count=self.number if counts else None,
            exact=False if counts else None,
            message=message,
            **self.facts,
        )

    def _best_cost(self) -> int | None:
        if self.job.task != "optimise" or not self.solutions:
            return None
        return cost(self.job.puzzle, self.solutions[-1])

    def judged(self, record: Result) -> Result:
        """The record with its solutions, or what stands in its place if it is over a limit: what
        is written after the limit is no answer.
        """
        record = replace(record, solutions=tuple(self.solutions))
        job, times = self.job, dict(record.times)
        ran = times.get("total", 0.0) - times.get("import", 0.0)
        if job.seconds is not None and ran > job.seconds:
            record = replace(record, times={**times, "overshoot": ran - job.seconds})
        if record.outcome is not Outcome.ANSWERED:
            return record
        late: Result | None = None
        if job.memory and record.peak_rss and record.peak_rss > job.memory:
            late = self.out_of_memory(record.peak_rss)
        elif job.seconds is not None and ran > job.seconds:
            message = (
                f"the answer came {ran:.3f} s after the start, the limit was {job.seconds:g} s"
            )
            late = self.partial(Outcome.TIMEOUT, message, Reason.TIME)
        elif job.cpu is not None and record.cpu is not None and record.cpu > job.cpu:
            late = self.out_of_cpu(record.cpu)
        if late is None:
            return record
        return replace(
            late,
            times=record.times,
            cpu=record.cpu,
            peak_rss=record.peak_rss,
            stats=record.stats,
        )

    def out_of_time(self, ran: float) -> Result:
        """Over the limit of wall time."""
        message = f"killed {ran:.2f} s after the start, the limit was {self.job.seconds:g} s"
        return self.partial(Outcome.TIMEOUT, message, Reason.TIME)

    def out_of_cpu(self, used: float) -> Result:
        """Over the limit of processor time, of all processes together."""
        message = f"used {used:.2f} s of processor time, the limit was {self.job.cpu:g} s"
        return self.partial(Outcome.TIMEOUT, message, Reason.TIME)

    def out_of_memory(self, resident: int | None) -> Result:
        """Over the limit of memory, of all processes together; None: the kernel said so."""
        limit = f"the limit was {(self.job.memory or 0) / 1e6:.0f} MB"
        if self.job.memory is None:
            message = "the kernel killed a process for want of memory; the run had no limit"
        elif resident is None:
            message = f"the memory of the control group was full, {limit}"
        else:
            message = f"{resident / 1e6:.0f} MB of memory were resident, {limit}"
        return self.partial(Outcome.MEMOUT, message, Reason.MEMORY)

    def crashed(self, ended: Any, printed: str) -> Result:
        """The process ended (as an ``os.waitid_result`` says) without a record."""
        how = f"ended with exit code {ended.si_status}"
        if ended.si_code == 2 or ended.si_code == 3:  # CLD_KILLED, CLD_DUMPED
            how = f"was killed by {_signal_name(ended.si_status)}"
        return self.partial(Outcome.CRASHED, f"the child {how} without a result{_tail(printed)}")

    def garbled(self, why: str, printed: str) -> Result:
        """Something else than messages came on the pipe for records."""
        message = f"the child wrote on the pipe for its record: {why}{_tail(printed)}"
        return self.partial(Outcome.CRASHED, message)


def _tail(printed: str) -> str:
    printed = printed.strip()
    return f"; it printed:\n{printed}" if printed else ""


def _signal_name(number: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"
