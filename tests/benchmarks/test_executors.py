"""Runs on this machine's cores: one each, none left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

import psutil
import pytest
from harness import alive, parallel
from plumbench.benchmarks.processes import claims, executors
from plumbench.benchmarks.processes.claims import MachineCores, OwnCores, Stopped
from plumbench.benchmarks.processes.executors import measure, open_executor, version_skew
from plumbench.benchmarks.processes.jobs import Job, Outcome, Result
from plumbench.puzzles.errors import UsageError

Noted = Callable[[], list[int]]


def wait_until(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for something that must happen."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def cores(*numbers: int) -> list[frozenset[int]]:
    """Cores of one processor each."""
    return [frozenset({number}) for number in numbers]


def test_runs_have_cores_of_their_own(fakes: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    """One run per physical core, bound to it, two at once never to the same; results come as
    they were asked for, with the versions of Python and plumbench.
    """
    monkeypatch.setattr(executors, "run_one", bound := Bound())
    monkeypatch.setattr(executors, "physical_cores", lambda: cores(3, 4, 5))
    with open_executor() as executor:
        assert executor.slots == 3
        puzzles = [parallel(n) for n in range(2, 9)]
        runs = [executor.submit(measure, Job(p, "honest", "count")) for p in puzzles]
        results = [run.result() for run in runs]
    assert [result.count for result in results] == [*range(2, 9)]
    assert {"python", "plumbench", "fake"} <= set(results[0].versions)
    assert bound.used == {frozenset({n}) for n in (3, 4, 5)}
    assert not bound.clashes


class Bound:
    """``run_one`` without the binding to processors that may not be there; watches for clashes."""

    def __init__(self) -> None:
        self.run_one = executors.run_one
        self.lock = threading.Lock()
        self.busy: list[int] = []
        self.used: set[frozenset[int] | None] = set()
        self.clashes = 0

    def __call__(self, job: Job, *, cores, stop) -> Result:
        """Run unbound, noting who had which processors meanwhile."""
        with self.lock:
            self.used.add(cores)
            self.clashes += bool(set(cores or ()) & set(self.busy))
            self.busy += cores or ()
        try:
            return self.run_one(job, stop=stop)
        finally:
            with self.lock:
                for number in cores or ():
                    self.busy.remove(number)


def test_an_engine_of_many_threads_gets_many_cores(
    fakes: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three threads: three whole cores, which no other run has meanwhile; more threads than
    cores: all of them.
    """
    monkeypatch.setattr(executors, "run_one", bound := Bound())
    monkeypatch.setattr(
        executors, "physical_cores", lambda: [frozenset({n, n + 4}) for n in (0, 1, 2, 3)]
    )
    with open_executor() as executor:
        job = Job(parallel(2), "honest", "count")
        runs = [executor.submit(measure, job, threads) for threads in (1, 3, 1, 9, 1, 3)]
        assert [run.result().count for run in runs] == [2] * 6
    assert {len(used or ()) for used in bound.used} == {2, 6, 8}
    assert not bound.clashes


def test_more_runs_than_cores_are_not_bound(fakes: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for more runs at once than there are cores gets them, bound to none."""
    monkeypatch.setattr(executors, "run_one", bound := Bound())
    with open_executor(len(executors.physical_cores()) + 1) as executor:
        assert executor.submit(measure, Job(parallel(2), "honest", "count")).result().count == 2
    assert bound.used == {None}


@pytest.mark.parametrize("workers", [0, -1])
def test_no_executor_without_slots(workers: int) -> None:
    """A number of jobs below 1 is refused, and so is one beside a cluster."""
    with pytest.raises(UsageError, match="expected at least 1"):
        open_executor(workers)
    with pytest.raises(UsageError, match="expected none with a cluster"):
        open_executor(workers, dask="tcp://127.0.0.1:1")


def test_a_wrong_job_is_told_by_its_future(fakes: Noted) -> None:
    """An engine that does not exist is a UsageError of that future and harms no other."""
    with open_executor(1) as executor:
        wrong = executor.submit(measure, Job(parallel(2), "nonsense"))
        right = executor.submit(measure, Job(parallel(2), "honest", "count"))
    assert isinstance(wrong.exception(), UsageError)
    assert right.result().count == 2


def test_an_exception_ends_the_runs(fakes: Noted) -> None:
    """Leaving by an exception kills what runs, deaf or not, and starts nothing more."""
    jobs = [Job(parallel(2), engine) for engine in ("hang", "deaf", "hang", "deaf")]
    runs: list[Future[Result]] = []
    with suppress(KeyboardInterrupt), open_executor(2) as executor:
        runs += [executor.submit(measure, job) for job in jobs]
        wait_until(lambda: len(fakes()) == 2)
        raise KeyboardInterrupt
    assert not alive(fakes(), 0.0)
    assert [run.cancelled() for run in runs] == [False, False, True, True]
    assert all(run.result().outcome is Outcome.INTERRUPTED for run in runs[:2])
    assert len(fakes()) == 2


def test_cancel_ends_the_runs_and_those_who_wait_for_cores(
    fakes: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``cancel`` returns with no child left, also of a run that was still waiting for cores."""
    monkeypatch.setattr(executors, "run_one", Bound())
    monkeypatch.setattr(executors, "physical_cores", lambda: cores(0, 1))
    with open_executor() as executor:
        running = executor.submit(measure, Job(parallel(2), "hang"))
        wait_until(fakes)
        waiting = executor.submit(measure, Job(parallel(2), "hang"), 2)
        wait_until(waiting.running)
        executor.cancel()
        assert not alive(fakes(), 0.0)
        assert running.result().outcome is Outcome.INTERRUPTED
        assert waiting.result().outcome is Outcome.INTERRUPTED
        with pytest.raises(RuntimeError):
            executor.submit(measure, Job(parallel(2), "honest"))
    assert len(fakes()) == 1


INTERRUPTED = """
import sys
from concurrent.futures import wait
from harness import parallel
from plumbench.benchmarks.processes.executors import measure, open_executor
from plumbench.benchmarks.processes.jobs import Job
try:
    with open_executor(2) as executor:
        wait([executor.submit(measure, Job(parallel(2), "deaf")) for _ in range(20)])
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_a_killed_program_leaves_no_run(fakes: Noted, number: signal.Signals) -> None:
    """Ctrl-C, TERM and KILL of the program: no process survives; Ctrl-C ends it in order."""
    program = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stderr=subprocess.PIPE)
    wait_until(lambda: len(fakes()) == 2)
    children = [child.pid for child in psutil.Process(program.pid).children(recursive=True)]
    program.send_signal(number)
    _, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (130 if number == signal.SIGINT else -number, b"")
    assert not alive([*fakes(), *children])


def test_wide_claims_are_not_overtaken() -> None:
    """Who came first gets its cores first, though later claims could be served at once."""
    pool, stop, order = OwnCores(cores(0, 1)), threading.Event(), []

    def claim(name: str, number: int) -> None:
        with pool.claim(number, stop) as got:
            order.append((name, len(got or ())))

    with pool.claim(1, stop):
        wide = threading.Thread(target=claim, args=("wide", 2))
        wide.start()
        wait_until(lambda: len(pool._queue) == 1)
        narrow = threading.Thread(target=claim, args=("narrow", 1))
        narrow.start()
        wait_until(lambda: len(pool._queue) == 2)
        assert order == []
    wide.join(60)
    narrow.join(60)
    assert order == [("wide", 2), ("narrow", 1)]


@pytest.mark.parametrize("kind", ["own", "machine"])
def test_waiting_for_cores_can_be_stopped(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that waits for cores gives up when it is told to, and leaves nothing claimed."""
    known = machine(monkeypatch, 2)
    pool, stop, seen = OwnCores(known) if kind == "own" else MachineCores(), threading.Event(), []

    def claim() -> None:
        try:
            with pool.claim(2, stop):
                seen.append("served")
        except Stopped:
            seen.append("stopped")

    with pool.claim(1, threading.Event()):
        waiting = threading.Thread(target=claim)
        waiting.start()
        time.sleep(0.1)
        stop.set()
        waiting.join(60)
    assert seen == ["stopped"]
    with pool.claim(2, threading.Event()) as got:
        assert got == known[0] | known[1]


def machine(monkeypatch: pytest.MonkeyPatch, number: int) -> list[frozenset[int]]:
    """A machine whose cores no other test knows."""
    known = cores(*range(1000 * os.getpid(), 1000 * os.getpid() + number))
    monkeypatch.setattr(claims, "physical_cores", lambda: known)
    return known


HOLDER = """
import sys, threading
from plumbench.benchmarks.processes import claims
claims.physical_cores = lambda: [frozenset({int(number)}) for number in sys.argv[1:]]
with claims.MachineCores().claim(1, threading.Event()) as got:
    print(*got, flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="abstract sockets are Linux's")
def test_processes_do_not_share_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """A core claimed by another process is not handed out until that process ends, even by
    SIGKILL.
    """
    known = machine(monkeypatch, 2)
    names = [str(n) for core in known for n in core]
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDER, *names],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert other.stdout is not None
    theirs = int(other.stdout.readline())
    stop, order = threading.Event(), []
    with MachineCores().claim(1, stop) as got:
        assert got == frozenset({*known[0], *known[1]} - {theirs})

        def claim() -> None:
            with MachineCores().claim(1, stop) as got:
                order.append(got)

        waiting = threading.Thread(target=claim)
        waiting.start()
        time.sleep(0.1)
        assert order == []
        other.kill()
        waiting.join(60)
    other.communicate(timeout=60)
    assert order == [frozenset({theirs})]


def test_a_killed_run_tells_versions_and_threads(fakes: Noted) -> None:
    """What a run was made with is known though it was killed: else rows of engines of one and of
    many threads would be taken for the same, and other versions pass unseen.
    """
    with open_executor() as executor:
        killed = executor.submit(measure, Job(parallel(2), "hang", seconds=0.2)).result()
    assert killed.outcome is Outcome.TIMEOUT
    assert (killed.workers, killed.versions["fake"]) == (3, "1")
    assert version_skew({"fake": "2"}, killed) == ["fake 1, planned 2"]


def test_versions_are_compared() -> None:
    """A run counts as planned if no package differs; one that names none differs in none."""
    planned = {"python": "3.11.7", "ortools": "9.15"}
    for versions in ({**planned, "other": "1"}, {"python": "3.11.7"}):
        assert version_skew(planned, Result(Outcome.ANSWERED, versions=versions)) == []
    other = Result(Outcome.ANSWERED, versions={"python": "3.11.7", "ortools": "9.14"})
    assert version_skew(planned, other) == ["ortools 9.14, planned 9.15"]
