"""The program of a child process: jobs in, one written record per job out.

Run as ``python -m plumbench.benchmarks.processes.worker PARENT FD``: PARENT is the process it
must not outlive, FD the descriptor for its messages. Jobs come on standard input as frames
(``frames.py``) of ``jobs.pack``; messages leave as frames of pickled tuples, apart from standard
output, so that an engine that prints cannot garble a record:

- ``("ready", clock)``: the process is there, once;
- ``("started", clock, cpu, import, facts)``: the engine is imported, the limit runs from now;
  ``facts`` are the versions and workers of its record;
- ``("found", solution or None, number)``: verified solutions so far, for runs that get killed;
- ``("done", result, clean)``: the record; ``clean`` False if the engine left processes behind;
- ``("refused", message)``: the job itself was wrong (an unknown option).
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import Any

from ...puzzles.check import SMALL
from ...puzzles.errors import MissingBackend, Unsupported, UsageError, WrongAnswer
from ...puzzles.model import Solution
from ...puzzles.shuffle import shuffled
from ...solvers.contract import Engine, Limits, Reason, Status
from ...solvers.registry import get
from ...solvers.reshuffled import Reshuffled
from ...solvers.run import Run
from . import told
from .frames import HEADER, check, length_of, send
from .jobs import Job, Outcome, Result, unpack

KEPT_SOLUTIONS = 256
KEPT_BYTES = 8_000_000
COUNT_EVERY = 0.1
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

STOPPED = {
    Reason.TIME: Outcome.TIMEOUT,
    Reason.MEMORY: Outcome.MEMOUT,
    Reason.INTERRUPTED: Outcome.INTERRUPTED,
    Reason.NODES: Outcome.ANSWERED,
    None: Outcome.ANSWERED,
}


def main(arguments: list[str]) -> None:
    """Serve jobs until standard input ends."""
    parent, descriptor = (int(argument) for argument in arguments)
    _die_with(parent)
    os.set_inheritable(descriptor, False)
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    send(descriptor, ("ready", time.monotonic()))
    while True:
        _serve(jobs.get(), descriptor)


def _die_with(parent: int) -> None:
    """Ask the kernel to kill this process when its parent ends (Linux; elsewhere ``_listen``
    sees the end of input), and to hand it the orphans of engines that fork.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if os.getppid() != parent:
        _end()


def _end() -> None:
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _listen(jobs: SimpleQueue[bytes]) -> None:
    """Read jobs in a thread, so that the end of input is seen even in the middle of a run."""
    while True:
        header = _read(HEADER.size)
        body = _read(length_of(header))
        check(header, body)
        jobs.put(body)


def _read(size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = os.read(0, min(size - len(data), 1 << 20))
        if not piece:
            _end()
        data += piece
    return bytes(data)


def _serve(data: bytes, descriptor: int) -> None:
    try:
        job = unpack(data)
        result = _Errand(job, descriptor).perform()
    except UsageError as error:
        send(descriptor, ("refused", str(error)))
        return
    sys.stdout.flush()
    send(descriptor, ("done", result, not _has_children()))


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


@dataclass
class _Errand:
    """One job: perform it, and turn whatever happens into a record."""

    job: Job
    descriptor: int
    times: dict[str, float] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    last_told: float = 0.0
    told_bytes: int = 0
    cpu_before: float | None = None
    workers: int = 1

    def perform(self) -> Result:
        """The record; raises UsageError alone, since then the caller is to blame."""
        begin = time.perf_counter()
        try:
            seed = self.job.seed
            copy = None if seed is None else shuffled(self.job.puzzle, seed)
            begin = time.perf_counter()  # shuffling is no part of the run
            engine = get(self.job.solver)
            self.versions, self.workers = (
                told.texts(engine.versions()),
                told.workers(engine.workers),
            )
            engine = engine if copy is None else Reshuffled(engine, copy)
            result = self._with(engine, begin)
        except UsageError:
            raise
        except Unsupported as error:
            result = Result(Outcome.UNSUPPORTED, message=str(error))
        except MissingBackend as error:
            result = Result(Outcome.MISSING, message=str(error))
        except WrongAnswer as error:
            result = Result(Outcome.WRONG, message=str(error))
        except MemoryError as error:
            result = Result(Outcome.MEMOUT, reason=Reason.MEMORY, message=str(error))
        except KeyboardInterrupt:
            result = Result(Outcome.INTERRUPTED, reason=Reason.INTERRUPTED)
        except BaseException:
            result = Result(Outcome.ERROR, message=traceback.format_exc())
        times = {**self.times, **result.times, "total": time.perf_counter() - begin}
        cpu = None if self.cpu_before is None else _cpu() - self.cpu_before
        peak = None if self.cpu_before is None else _peak_rss()
        return replace(result, times=times, cpu=cpu, peak_rss=peak, **self._facts())

    def _facts(self) -> dict[str, Any]:
        return {"versions": self.versions, "workers": self.workers}

    def _with(self, engine: Engine, begin: float) -> Result:
        work = _work(self.job)
        if self.job.puzzle.vertices > SMALL:
            import scipy.sparse.csgraph  # noqa: F401  (the checker will want it)
        _reset_peak_rss()
        self.times["import"] = time.perf_counter() - begin
        self.cpu_before = _cpu()
        spent = (self.cpu_before, self.times["import"])
        send(self.descriptor, ("started", time.monotonic(), *spent, self._facts()))
        return work(self, engine, Limits(self.job.seconds, self.job.nodes))

    def enumerate(self, engine: Engine, limits: Limits) -> Result:
        """Solve, solutions and count: they differ in where they stop and what they keep."""
        task, limit = self.job.task, 1 if self.job.task == "solve" else self.job.limit
        value, exhausted = 0, True
        with Run(self.job.puzzle, engine, limits, many=limit != 1) as run:
            for solution in run:
                value += 1
                self._tell(solution, value)
                if value == limit:
                    exhausted = False
                    break
            reason, stats, times = run.reason, told.stats(run.search.stats), run.watch.times()
        if value:
            status = Status.SATISFIABLE
        else:
            status = Status.UNSATISFIABLE if reason is None else Status.UNKNOWN
        counts = task != "solve"
        return Result(
            Outcome.ANSWERED if value == limit else STOPPED[reason],
            status,
            reason,
            count=value if counts else None,
            exact=exhausted and reason is None if counts else None,
            stats=stats,
            times=times,
        )

    def _tell(self, solution: Solution, number: int) -> None:
        """Send what is found at once: a run that is killed later has still found it."""
        keep = self.job.task == "solutions" or (
            number <= KEPT_SOLUTIONS and self.told_bytes <= KEPT_BYTES
        )
        now = time.monotonic()
        if keep:
            self.told_bytes += solution.nbytes
            send(self.descriptor, ("found", solution, number))
        elif now - self.last_told >= COUNT_EVERY:
            self.last_told = now
            send(self.descriptor, ("found", None, number))

    def optimise(self, engine: Engine, limits: Limits) -> Result:
        """Better and better solutions; the parent keeps the last."""
        with Run(self.job.puzzle, engine, limits, optimise=True) as run:
            for number, solution in enumerate(run, 1):
                send(self.descriptor, ("found", solution, number))
        return Result(
            STOPPED[run.reason],
            run.status,
            run.reason,
            cost=run.cost,
            bound=told.bound(run.bound),
            stats=told.stats(run.search.stats),
            times=run.watch.times(),
        )

    def unique(self, engine: Engine, limits: Limits) -> Result:
        """The verdict of ``solvers.unique`` with its explanation."""
        from ...solvers.unique import judge

        found = judge(self.job.puzzle, engine, limits)
        for number, solution in enumerate(found.solutions, 1):
            self._tell(solution, number)
        return Result(
            STOPPED[found.reason],
            found.status,
            found.reason,
            count=found.count,
            exact=found.exact,
            forced=found.forced,
            hint=found.hint,
            hint_unique=found.hint_unique,
            stats=told.stats(found.stats),
            times=dict(found.times),
        )

    def probe(self, engine: Engine, _limits: Limits) -> Result:
        """That the engine could be made is the answer."""
        return Result(Outcome.ANSWERED, counters=told.texts(engine.capabilities.counters))


def _work(job: Job) -> Callable[[_Errand, Engine, Limits], Result]:
    if job.task == "probe":
        return _Errand.probe
    if job.task == "unique":
        from ...solvers import unique  # noqa: F401  (loaded before the clock starts)

        return _Errand.unique
    return _Errand.optimise if job.task == "optimise" else _Errand.enumerate


def _cpu() -> float:
    """Processor seconds of this process and the children it has waited for."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def _reset_peak_rss() -> None:
    """Let the high-water mark begin at what is resident now (Linux)."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass


def _peak_rss() -> int:
    """Bytes of this process, and at least what the largest child it has waited for had. (The
    kernel's ru_maxrss of this process would include what the parent had when it forked.)
    """
    unit = 1 if sys.platform == "darwin" else 1024
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
    try:
        with open("/proc/self/status") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return max(children, int(line.split()[1]) * 1024)
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main(sys.argv[1:])
