"""One child process as its parent sees it: start, hand over a job, follow, kill.

Nothing here blocks but the kill: ``step`` reads and writes what the pipes allow and looks at
clocks and meters.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from enum import Enum
from types import NoneType
from typing import Any

import numpy as np

from ...puzzles.errors import UsageError
from ...puzzles.model import Solution
from ...solvers.contract import Reason
from .frames import Garbled, Inbox, frame
from .jobs import Job, Outcome, Result, Where, pack
from .tree import ProcessTree
from .verdicts import Progress

STARTUP_SECONDS = 60.0
"""How long a child may take to start, read its job and import the engine, unless ``STARTUP``
says otherwise.
"""

STARTUP = "PLUMBENCH_STARTUP_SECONDS"
"""Environment variable with the bound on the start-up, in seconds."""

TERM_SECONDS = 0.1
"""How long the group has between TERM and KILL."""

TAIL_BYTES = 4000
"""How much of what a child printed last is kept for the message of a crash."""

_FIELDS: dict[str, tuple[Any, ...]] = {
    "ready": (float,),
    "started": (float, float, float, dict),
    "found": ((np.ndarray, NoneType), int),
    "refused": (str,),
    "done": (Result, bool),
}
"""Kinds of messages (``worker.py``) and what each tells."""

_SPOILT = {Outcome.ERROR, Outcome.WRONG, Outcome.MEMOUT, Outcome.INTERRUPTED}
"""After these a process is not trusted with another job."""


def grace(seconds: float) -> float:
    """Seconds beyond the limit until the parent kills: time for an engine that keeps the limit by
    itself to write what it knows. An answer in that time is late all the same.
    """
    return min(1.0, max(0.1, 0.02 * seconds))


def startup_seconds() -> float:
    """The bound on the start-up; raises UsageError if the environment has no positive number."""
    text = os.environ.get(STARTUP)
    if text is None:
        return STARTUP_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise UsageError(f"{STARTUP}: found {text!r}, expected a positive number of seconds")
    return seconds


class Refused(UsageError):
    """The child, or its engine, says that the job itself is wrong."""


OnFound = Callable[[int, Solution, int], None]
"""Gets the job's number, a verified solution and the solution's number in that job."""


class _Phase(Enum):
    IDLE = 1
    STARTING = 2
    RUNNING = 3
    ENDING = 4


class Child:
    """A worker process. Idle, or busy with one job, numbered by the caller.

    ``reusable`` is False once the process must not be given another job; ``unused`` is True as
    long as it has refused all it was asked. ``cores``: the logical processors it is bound to.
    """

    def __init__(self, cores: Collection[int] | None = None) -> None:
        self._startup = startup_seconds()
        self._where = Where(platform.node(), None if cores is None else tuple(sorted(cores)))
        self._messages_from, write_end = os.pipe()
        try:
            self._tree = ProcessTree(write_end, cores)
        except BaseException:
            os.close(self._messages_from)
            raise
        finally:
            os.close(write_end)
        process = self._tree.process
        assert process.stdin is not None
        assert process.stdout is not None
        self._jobs_to = process.stdin.fileno()
        self._printed_from = process.stdout.fileno()
        self._readable = {self._messages_from, self._printed_from}
        for descriptor in (self._jobs_to, *self._readable):
            os.set_blocking(descriptor, False)
        self._inbox, self._outbox, self._printed = Inbox(), bytearray(), bytearray()
        self._phase = _Phase.IDLE
        self._deadline: float | None = None
        self._verdict: Result | None = None
        self._start = 0.0
        self._alone = False
        self.reusable = True
        self.unused = True
        self.number = -1

    @property
    def busy(self) -> bool:
        """Whether a job is under way."""
        return self._phase is not _Phase.IDLE

    @property
    def deadline(self) -> float:
        """When ``step`` must be called next, on the monotonic clock."""
        due = self._tree.meter.due
        return due if self._deadline is None else min(due, self._deadline)

    def waits_for(self) -> tuple[set[int], set[int]]:
        """Descriptors to watch for input and for room to write."""
        return self._readable, {self._jobs_to} if self._outbox else set()

    def give(self, number: int, job: Job, on_found: OnFound | None = None) -> None:
        """Hand over a job; the child must be idle and reusable. ``on_found`` takes over the
        solutions as they come.
        """
        self._where = replace(self._where, load=load_average())
        self._tree.limit_memory(job.memory)
        limited = job.memory is not None or job.cpu is not None
        self._tree.meter.begin(often=limited, memory=job.memory)
        self.number, self._run, self._on_found = number, Progress(job), on_found
        self._phase, self._verdict, self._alone = _Phase.STARTING, None, False
        self._deadline = time.monotonic() + self._startup
        self._printed.clear()
        self._outbox += frame(pack(job))
        self._write()

    def step(self) -> Result | None:
        """Do what can be done now; the result once the job is over.

        Raises UsageError if the child says that the job itself is wrong.
        """
        try:
            result = self._listen()
            if result is None and self._tree.ended() is not None:
                result = self._listen() or self._crash()
        except Garbled as error:
            result = self._verdict or self._run.garbled(str(error), self._tail())
            self.reusable = False
        if result is None:
            result = self._look()
        return None if result is None else self._finish(result)

    def interrupt(self) -> Result:
        """End the run at once; its record."""
        self._stop(self._run.partial(Outcome.INTERRUPTED, "stopped", Reason.INTERRUPTED))
        assert self._verdict is not None
        return self._finish(self._verdict)

    def kill(self) -> None:
        """End the process and all that it started; safe to call twice."""
        if self._messages_from < 0:
            return
        self.reusable = False
        self._readable = set()
        self._outbox.clear()
        try:
            self._tree.kill(alone=self._alone)
        finally:
            os.close(self._messages_from)
            self._messages_from = -1

    def _write(self) -> None:
        while self._outbox:
            try:
                written = os.write(self._jobs_to, self._outbox[: 1 << 16])
            except BlockingIOError:
                return
            except OSError:
                self._outbox.clear()
                return
            del self._outbox[:written]

    def _read(self, descriptor: int, into: Callable[[bytes], object]) -> None:
        """What there is to read now, at most a few megabytes a call, so that a flood cannot hold
        us.
        """
        for _ in range(64):
            try:
                piece = os.read(descriptor, 1 << 16)
            except BlockingIOError:
                return
            if not piece:
                self._readable = self._readable - {descriptor}
                return
            into(piece)

    def _print(self, piece: bytes) -> None:
        self._printed += piece
        del self._printed[:-TAIL_BYTES]

    def _tail(self) -> str:
        return self._printed.decode(errors="replace")

    def _listen(self) -> Result | None:
        self._write()
        if self._printed_from in self._readable:
            self._read(self._printed_from, self._print)
        if self._messages_from in self._readable:
            self._read(self._messages_from, self._inbox.feed)
        for message in self._inbox.messages():
            result = self._hear(message)
            if result is not None:
                return result
        return None

    def _hear(self, message: tuple[Any, ...]) -> Result | None:
        kind, *content = message
        expected = _FIELDS.get(kind) if isinstance(kind, str) else None
        again = kind == "started" and self._run.clock is not None
        fits = expected is not None and len(expected) == len(content)
        if again or not fits or not all(map(isinstance, content, expected or ())):
            raise Garbled(f"a message that is none of ours: {message!r:.100}")
        if kind == "ready":
            self._start = content[0] - self._tree.spawned
        elif kind == "started":
            run = self._run
            clock, run.cpu_before, run.imported, run.facts = content
            run.clock = min(clock, time.monotonic())
            self._start_clock()
        elif kind == "found":
            self._hear_found(*content)
        elif kind == "refused":
            self.kill()
            raise Refused(content[0])
        elif kind == "done" and self._phase is not _Phase.ENDING:
            return self._accept(*content)
        return None

    def _hear_found(self, solution: Solution | None, number: int) -> None:
        run = self._run
        run.number = number
        if solution is None:
            return
        if self._on_found is not None:
            self._on_found(self.number, solution, number)
            return
        if run.job.task == "optimise":
            run.solutions.clear()
        run.solutions.append(solution)

    def _start_clock(self) -> None:
        if self._phase is not _Phase.STARTING:
            return
        run = self._run
        assert run.clock is not None
        self._phase, self._deadline = _Phase.RUNNING, None
        self._tree.meter.peak = 0
        if run.job.seconds is not None:
            self._deadline = run.clock + run.job.seconds + grace(run.job.seconds)

    def _accept(self, record: Result, alone: bool) -> Result:
        """The record, unless it is over a limit."""
        if record.outcome is Outcome.INTERRUPTED:  # which is for us to say: nobody has asked it
            message = f"the engine says that it was interrupted, but nobody did {record.message}"
            record = replace(record, outcome=Outcome.ERROR, message=message.strip())
        self._alone = alone
        self.reusable = self.reusable and alone and record.outcome not in _SPOILT
        self.unused = self.unused and record.outcome is Outcome.UNSUPPORTED
        meter = self._tree.meter
        if record.cpu is not None:  # its clock had started
            if not alone:
                meter.look()
            if not alone or meter.several:
                cpu = max(record.cpu, meter.cpu - self._run.cpu_before)
                record = replace(record, cpu=cpu)
            if meter.several:
                record = replace(record, peak_rss=max(record.peak_rss or 0, meter.peak))
        if self._tree.killed_by_kernel():
            self.reusable = False
            late = self._run.out_of_memory(None)
            return replace(late, times=record.times, cpu=record.cpu, peak_rss=record.peak_rss)
        return self._run.judged(record)

    def _crash(self) -> Result:
        """The leader is gone without a record."""
        self.reusable = False
        if self._verdict is not None:
            return self._verdict
        if self._tree.killed_by_kernel():
            return self._killed(self._run.out_of_memory(None))
        return self._killed(self._run.crashed(self._tree.ended(), self._tail()))

    def _look(self) -> Result | None:
        """At the clock and, when it is time, at the meter."""
        now = time.monotonic()
        if self._deadline is not None and now >= self._deadline:
            return self._late(now)
        if now >= self._tree.meter.due:
            self._tree.meter.look()
            self._compare()
        return None

    def _compare(self) -> None:
        """Memory and processor time with their limits."""
        run, meter = self._run, self._tree.meter
        if self._phase is _Phase.ENDING:
            return
        if run.job.memory is not None and meter.peak > run.job.memory:
            self._stop(run.out_of_memory(meter.peak), at_once=True)
        elif self._tree.killed_by_kernel():
            self._stop(run.out_of_memory(None), at_once=True)
        elif run.clock is not None and run.job.cpu is not None:
            used = meter.cpu - run.cpu_before
            if used > run.job.cpu:
                self._stop(run.out_of_cpu(used))

    def _late(self, now: float) -> Result | None:
        """A deadline has passed: of the start, of the limit, or between TERM and KILL."""
        if self._phase is _Phase.ENDING:
            return self._verdict
        if self._run.clock is None:
            message = f"the start-up took over {self._startup:g} s"
            self._stop(Result(Outcome.ERROR, message=message))
        else:
            self._stop(self._run.out_of_time(now - self._run.clock))
        return None

    def _stop(self, verdict: Result, *, at_once: bool = False) -> None:
        """Begin to end the run; ``at_once`` without waiting for what TERM does."""
        self.reusable = False
        self._tree.meter.look()
        self._verdict = self._killed(verdict)
        self._tree.terminate()
        self._phase = _Phase.ENDING
        self._deadline = time.monotonic() + (0.0 if at_once else TERM_SECONDS)

    def _killed(self, verdict: Result) -> Result:
        """With what the run has used until now."""
        run, meter = self._run, self._tree.meter
        if run.clock is None:
            return verdict
        cpu = max(0.0, meter.cpu - run.cpu_before) if meter.seen else None
        return replace(verdict, cpu=cpu, peak_rss=meter.peak or None)

    def _finish(self, result: Result) -> Result:
        """The process killed, if it must be, and the record completed."""
        run = self._run
        self._phase, self._deadline = _Phase.IDLE, None
        if not self.reusable:
            self.kill()
        times = {**result.times, "start": self._start}
        self._start = 0.0
        if "total" not in times and run.clock is not None:
            ran = time.monotonic() - run.clock
            times |= {"import": run.imported, "total": run.imported + ran}
            if result.outcome is Outcome.TIMEOUT and run.job.seconds is not None:
                times |= {"overshoot": ran - run.job.seconds} if ran > run.job.seconds else {}
        return replace(result, times=times, where=self._where)


def load_average() -> float | None:
    """Of the machine over the last minute; None where it is unknown."""
    try:
        return os.getloadavg()[0]
    except (OSError, AttributeError):
        return None
