"""One child process as its parent sees it: start, hand over a job, follow, kill.

A child lives in a session of its own, so that it and whatever it starts can be killed as a
group. Nothing here blocks: ``step`` reads and writes what the pipes allow and looks at clocks.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from enum import Enum
from typing import Any

import psutil

from ...puzzles.check import cost
from ...puzzles.errors import UsageError
from ...puzzles.model import Solution
from ...solvers.contract import Reason, Status
from .cores import bound
from .jobs import Job, Outcome, Result, Where, pack
from .worker import HEADER

STARTUP_SECONDS = 60.0
"""How long a child may take to start, read its job and import the engine."""

TERM_SECONDS = 0.2
"""How long the group has between TERM and KILL."""

TAIL_BYTES = 4000
"""How much of what a child printed last is kept for the message of a crash."""

_SPOILT = {Outcome.ERROR, Outcome.WRONG, Outcome.MEMOUT, Outcome.INTERRUPTED}
"""After these a process is not trusted with another job."""


def _command(write_end: int) -> list[str]:
    """-P: a module in the user's folder must not stand in for one of ours."""
    module = f"{__package__}.worker"
    return [sys.executable, "-P", "-m", module, str(os.getpid()), str(write_end)]


def grace(seconds: float) -> float:
    """Seconds beyond the limit until the parent kills: time for the limit inside to work."""
    return min(2.0, max(0.2, 0.05 * seconds))


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
    long as it has refused all it was asked.
    """

    def __init__(self, cores: Collection[int] | None = None) -> None:
        self._where = Where(platform.node(), None if cores is None else tuple(sorted(cores)))
        self._messages_from, write_end = os.pipe()
        try:
            with bound(cores):
                self._process = subprocess.Popen(
                    _command(write_end),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    pass_fds=(write_end,),
                    start_new_session=True,
                    bufsize=0,
                    env={**os.environ, "PYTHONFAULTHANDLER": "1"},
                )
        except BaseException:
            os.close(self._messages_from)
            raise
        finally:
            os.close(write_end)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._jobs_to = self._process.stdin.fileno()
        self._printed_from = self._process.stdout.fileno()
        self._readable = {self._messages_from, self._printed_from}
        for descriptor in (self._jobs_to, *self._readable):
            os.set_blocking(descriptor, False)
        self._inbox, self._outbox, self._printed = bytearray(), bytearray(), bytearray()
        self._phase = _Phase.IDLE
        self._deadline: float | None = None
        self._strays: list[psutil.Process] = []
        self.reusable = True
        self.unused = True
        self.number = -1

    @property
    def busy(self) -> bool:
        """Whether a job is under way."""
        return self._phase is not _Phase.IDLE

    @property
    def deadline(self) -> float | None:
        """When ``step`` must be called next, on the monotonic clock; None: on input only."""
        return self._deadline

    def waits_for(self) -> tuple[set[int], set[int]]:
        """Descriptors to watch for input and for room to write."""
        return self._readable, {self._jobs_to} if self._outbox else set()

    def give(self, number: int, job: Job, on_found: OnFound | None = None) -> None:
        """Hand over a job; the child must be idle and reusable. ``on_found`` takes over the
        solutions as they come.
        """
        body = pack(job)
        self._outbox += HEADER.pack(len(body)) + body
        self.number, self._job, self._on_found = number, job, on_found
        self._where = replace(self._where, load=load_average())
        self._phase = _Phase.STARTING
        self._deadline = time.monotonic() + STARTUP_SECONDS
        self._found: list[Solution] = []
        self._number_found = 0
        self._clock_started = self._cpu_started = self._imported = 0.0
        self._verdict: Result | None = None
        self._printed.clear()
        self._write()

    def step(self) -> Result | None:
        """Do what can be done now; the result once the job is over.

        Raises UsageError if the child says that the job itself is wrong.
        """
        result = self._listen()
        if result is None and self._has_exited():
            result = self._listen() or self._crash()
        if result is None and self._deadline is not None and time.monotonic() >= self._deadline:
            result = self._late()
        if result is not None:
            self._phase, self._deadline = _Phase.IDLE, None
            if not self.reusable:
                self.kill()
            result = replace(result, where=self._where)
        return result

    def interrupt(self) -> Result:
        """End the run at once; its record."""
        result = self._partial(Outcome.INTERRUPTED, "stopped", Reason.INTERRUPTED)
        self.kill()
        return replace(result, where=self._where)

    def kill(self) -> None:
        """End the process and all that it started; safe to call twice."""
        if self._process.returncode is not None:
            return
        self._strays += _descendants(self._process.pid)
        self._signal(signal.SIGKILL)
        for stray in self._strays:
            with contextlib.suppress(psutil.Error):
                stray.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        os.close(self._messages_from)
        self._readable = set()
        self._outbox.clear()
        self.reusable = False

    def _signal(self, number: int) -> None:
        """Signal the group. Its leader is not yet waited for, so its number is still ours."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _has_exited(self) -> bool:
        """Whether the leader is dead, leaving it to be waited for by ``kill``."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

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

    def _read(self, descriptor: int, into: bytearray, keep: int | None) -> None:
        """All there is to read now; of what is not kept whole at most a few megabytes a call,
        so that a flood cannot hold us.
        """
        for _ in itertools.count() if keep is None else range(64):
            try:
                piece = os.read(descriptor, 1 << 16)
            except BlockingIOError:
                return
            if not piece:
                self._readable = self._readable - {descriptor}
                return
            into += piece
            if keep is not None:
                del into[:-keep]

    def _listen(self) -> Result | None:
        self._write()
        if self._printed_from in self._readable:
            self._read(self._printed_from, self._printed, TAIL_BYTES)
        if self._messages_from in self._readable:
            self._read(self._messages_from, self._inbox, None)
        while len(self._inbox) >= HEADER.size:
            end = HEADER.size + HEADER.unpack(self._inbox[: HEADER.size])[0]
            if len(self._inbox) < end:
                break
            body = bytes(self._inbox[HEADER.size : end])
            del self._inbox[:end]
            result = self._hear(pickle.loads(body))
            if result is not None:
                return result
        return None

    def _hear(self, message: tuple[Any, ...]) -> Result | None:
        kind, *content = message
        if kind == "started":
            self._clock_started, self._cpu_started, self._imported = content
            self._start_clock()
        elif kind == "found":
            solution, self._number_found = content
            if solution is None:
                return None
            if self._on_found is None:
                if self._job.task == "optimise":
                    self._found.clear()
                self._found.append(solution)
            else:
                self._on_found(self.number, solution, self._number_found)
        elif kind == "refused":
            self.kill()
            raise UsageError(content[0])
        elif self._phase is not _Phase.ENDING:
            result, clean = content
            self.reusable = self.reusable and clean and result.outcome not in _SPOILT
            self.unused = self.unused and result.outcome is Outcome.UNSUPPORTED
            return self._accept(replace(result, solutions=tuple(self._found)))
        return None

    def _start_clock(self) -> None:
        self._phase, self._deadline = _Phase.RUNNING, None
        if self._job.seconds is not None:
            hard = self._job.seconds + grace(self._job.seconds)
            self._deadline = self._clock_started + hard

    def _accept(self, result: Result) -> Result:
        """The record, unless it was written after the parent would have killed."""
        seconds = self._job.seconds
        if seconds is None or result.outcome is not Outcome.ANSWERED:
            return result
        ran = result.times.get("total", 0.0) - result.times.get("import", 0.0)
        if ran <= seconds + grace(seconds):
            return result
        times = {**result.times, "overshoot": ran - seconds}
        late = self._partial(Outcome.TIMEOUT, "the answer came after the limit", Reason.TIME)
        return replace(late, times=times, cpu=result.cpu, peak_rss=result.peak_rss)

    def _late(self) -> Result | None:
        """A deadline has passed: of the start, of the limit, or between TERM and KILL."""
        self.reusable = False
        if self._phase is _Phase.ENDING:
            return self._verdict
        if self._phase is _Phase.STARTING:
            self._verdict = Result(
                Outcome.ERROR, message=f"the start-up took over {STARTUP_SECONDS:g} s"
            )
        else:
            self._verdict = self._killed()
        self._strays = _descendants(self._process.pid)
        self._signal(signal.SIGTERM)
        self._phase, self._deadline = _Phase.ENDING, time.monotonic() + TERM_SECONDS
        return None

    def _killed(self) -> Result:
        assert self._job.seconds is not None
        ran = time.monotonic() - self._clock_started
        limit = f"killed {ran:.2f} s after the start, the limit was {self._job.seconds:g} s"
        cpu, peak = _consumption(self._process.pid)
        return replace(
            self._partial(Outcome.TIMEOUT, limit, Reason.TIME),
            times={
                "import": self._imported,
                "total": ran + self._imported,
                "overshoot": ran - self._job.seconds,
            },
            cpu=None if cpu is None else cpu - self._cpu_started,
            peak_rss=peak,
        )

    def _crash(self) -> Result:
        self.reusable = False
        if self._phase is _Phase.ENDING and self._verdict is not None:
            return self._verdict
        ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        assert ended is not None
        how = f"ended with exit code {ended.si_status}"
        if ended.si_code != os.CLD_EXITED:
            how = f"was killed by {_signal_name(ended.si_status)}"
        tail = self._printed.decode(errors="replace").strip()
        message = f"the child {how} without a result" + (f"; it printed:\n{tail}" if tail else "")
        return self._partial(Outcome.CRASHED, message)

    def _partial(self, outcome: Outcome, message: str, reason: Reason | None = None) -> Result:
        """A record for a run that wrote none, with the verified solutions it had sent."""
        found, counts = self._number_found, self._job.task in ("solutions", "count", "unique")
        return Result(
            outcome,
            Status.SATISFIABLE if found else Status.UNKNOWN,
            reason,
            solutions=tuple(self._found),
            cost=self._best_cost(),
            count=found if counts else None,
            exact=False if counts else None,
            message=message,
        )

    def _best_cost(self) -> int | None:
        """Of an optimisation that was cut off: what its best solution costs."""
        if self._job.task != "optimise" or not self._found:
            return None
        return cost(self._job.puzzle, self._found[-1])


def load_average() -> float | None:
    """Of the machine over the last minute; None where it is unknown."""
    try:
        return os.getloadavg()[0]
    except (OSError, AttributeError):
        return None


def _signal_name(number: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


def _descendants(pid: int) -> list[psutil.Process]:
    """Also those that left the group: the worker adopts what its engines orphan, as long as it
    lives itself. (psutil never kills a process that has got the number of another since.)
    """
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def _consumption(pid: int) -> tuple[float | None, int | None]:
    """Processor seconds and peak resident bytes of a process that is about to be killed."""
    try:
        process = psutil.Process(pid)
        cpu = process.cpu_times()
        used = cpu.user + cpu.system + cpu.children_user + cpu.children_system
        peak = process.memory_info().rss
        with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
            peak = next(int(x.split()[1]) * 1024 for x in file if x.startswith("VmHWM:"))
        return used, peak
    except (psutil.Error, StopIteration):
        return None, None
