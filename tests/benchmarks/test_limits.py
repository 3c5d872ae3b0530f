"""Limits from outside: memory and processor time of the whole tree, garbled records, orphans."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from harness import alive, parallel
from plumbench.benchmarks.processes import cgroup, tree
from plumbench.benchmarks.processes.jobs import Job, Outcome
from plumbench.benchmarks.processes.runner import run_many, run_one
from plumbench.puzzles.errors import UsageError
from plumbench.solvers.contract import Reason, Status

pytestmark = pytest.mark.usefixtures("fakes")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
MB = 1_000_000


@pytest.fixture(params=["cgroup", "polling"])
def enforced(request, monkeypatch) -> str:
    """Both ways to keep a limit of memory; the first only where this process can."""
    if request.param == "polling":
        monkeypatch.setattr(tree, "new_group", lambda: None)
    elif cgroup.find() is None:
        pytest.skip("no memory cgroup can be made here")
    return request.param


@linux
def test_memory_of_a_process_that_grows_is_kept(enforced, fakes):
    """A process that grows beyond its limit is stopped and recorded as out of memory, near it."""
    result = run_one(Job(parallel(2), "slow_eater", seconds=60, memory=150 * MB))
    assert (result.outcome, result.reason) == (Outcome.MEMOUT, Reason.MEMORY), result.message
    assert result.status is Status.UNKNOWN
    assert "150 MB" in result.message
    assert result.peak_rss is not None
    assert result.peak_rss > 75 * MB
    assert "overshoot" not in result.times
    assert not alive(fakes())


@pytest.mark.fuzz
@linux
@pytest.mark.parametrize("engine", ["eater", "eater_child"])
def test_growth_of_half_a_gigabyte_a_second_is_stopped_near_the_limit(engine, enforced, fakes):
    """The peak is within 20 % of a limit of 1 GB, also if a child that left the session grows."""
    result = run_one(Job(parallel(2), engine, seconds=60, memory=1000 * MB))
    assert result.outcome is Outcome.MEMOUT, result.message
    assert result.peak_rss is not None
    assert 800 * MB < result.peak_rss < 1200 * MB
    assert not alive(fakes())


@linux
def test_a_limit_below_the_start_up_is_kept(enforced):
    """No run fits in less than the interpreter needs, in a new process or in one used before."""
    small = Job(parallel(2), "honest", memory=10 * MB)
    assert run_one(small).outcome is Outcome.MEMOUT
    results = [result.outcome for _, result in run_many([Job(parallel(2), "honest"), small])]
    assert results == [Outcome.ANSWERED, Outcome.MEMOUT]


@linux
def test_memory_that_forks_share_is_counted_once(enforced):
    """Nine processes that share 200 MB keep a limit of 500 MB, and the peak says so."""
    result = run_one(Job(parallel(2), "sharer", seconds=60, memory=500 * MB))
    assert result.outcome is Outcome.ANSWERED, result.message
    assert result.peak_rss is not None
    assert 200 * MB < result.peak_rss < 500 * MB


@linux
def test_memory_that_forks_no_longer_share_is_counted_for_each(enforced):
    """Four processes that shared 200 MB and then wrote to it exceed a limit of 500 MB, although
    no process grows.
    """
    result = run_one(Job(parallel(2), "unsharer", seconds=60, memory=500 * MB))
    assert result.outcome is Outcome.MEMOUT, result.message


@linux
def test_a_child_is_reused_with_another_limit(enforced):
    """Limits belong to the job: one child keeps a small limit after a large one, and none."""
    limits = [None, 2000 * MB, 150 * MB, None]
    names = ["honest", "honest", "slow_eater", "honest"]
    jobs = [Job(parallel(2), name, memory=m) for name, m in zip(names, limits, strict=True)]
    outcomes = [result.outcome for _, result in run_many(jobs)]
    answered = Outcome.ANSWERED
    assert outcomes == [answered, answered, Outcome.MEMOUT, answered]


@pytest.mark.parametrize("engine", ["burner", "burner_child"])
def test_processor_time_of_the_tree_is_kept(engine, fakes):
    """A limit of 0.3 s of processor time ends a run whose child burns it, as a time-out that
    names the limit.
    """
    result = run_one(Job(parallel(2), engine, seconds=100, cpu=0.3))
    assert (result.outcome, result.reason) == (Outcome.TIMEOUT, Reason.TIME)
    assert "processor time" in result.message
    assert "0.3 s" in result.message
    assert result.cpu is not None
    assert 0.3 <= result.cpu < 10
    assert "overshoot" not in result.times
    assert not alive(fakes())


def test_sleep_is_no_processor_time():
    """A run that sleeps longer than its limit of processor time has not used it."""
    result = run_one(Job(parallel(2), "nap", seconds=60, cpu=0.4))
    assert result.outcome is Outcome.ANSWERED, result.message
    assert result.cpu is not None
    assert result.cpu < 0.4


def test_an_answer_after_the_limit_is_a_time_out():
    """What is written late is no answer, even if it was not killed; its overshoot is recorded,
    what was found stands.
    """
    result = run_one(Job(parallel(2), "late", seconds=0.3))
    assert (result.outcome, result.reason) == (Outcome.TIMEOUT, Reason.TIME), result.message
    assert result.status is Status.SATISFIABLE
    assert not result.decided
    assert result.times["overshoot"] > 0.01


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("garbage", "no header"),
        ("garbage_silent", "no header"),
        ("absurd", "no header"),
        ("damaged", "damaged"),
        ("unreadable", "cannot be read"),
    ],
)
def test_garbage_on_the_pipe_for_records_is_survived(engine, words):
    """Bytes that are no message are a crash with a message, never an answer."""
    result = run_one(Job(parallel(2), engine, seconds=60))
    assert (result.outcome, result.status) == (Outcome.CRASHED, Status.UNKNOWN)
    assert words in result.message


@linux
def test_an_orphan_of_a_crash_is_found(enforced, fakes):
    """A sleeper that left the session of an engine that then crashed does not survive."""
    result = run_one(Job(parallel(2), "fugitive", seconds=60))
    assert result.outcome is Outcome.CRASHED
    assert "SIGABRT" in result.message
    assert len(fakes()) == 1
    assert not alive(fakes(), 2.0)


@linux
@pytest.mark.parametrize("engine", ["stray", "forker", "eater_child"])
def test_nothing_survives_a_harness_that_is_killed(engine, enforced, fakes):
    """Kill -9 of the harness ends also what engines have forked, and leaves no control group."""
    code = f"""
        from harness import parallel
        from plumbench.benchmarks.processes import tree
        from plumbench.benchmarks.processes.jobs import Job
        from plumbench.benchmarks.processes.runner import run_one
        if {enforced == "polling"}:
            tree.new_group = lambda: None
        print(run_one(Job(parallel(2), "{engine}")))
    """
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)])
    end = time.monotonic() + 60
    expected = 1 if engine == "forker" else 2
    while len(fakes()) < expected and time.monotonic() < end:
        time.sleep(0.02)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait(timeout=30)
    assert not alive(fakes())
    place = cgroup.find()
    if place is not None:
        end = time.monotonic() + 30
        left = f"{cgroup.PREFIX}{parent.pid}-*"
        while list(place[1].glob(left)) and time.monotonic() < end:
            time.sleep(0.02)
        assert not list(place[1].glob(left))


def test_a_hanging_import_is_an_error(monkeypatch, fakes):
    """The bound on the start-up can be set, and what exceeds it is no time-out of the engine."""
    monkeypatch.setenv("PLUMBENCH_STARTUP_SECONDS", "1.5")
    result = run_one(Job(parallel(2), "sleepy_import", seconds=60))
    assert (result.outcome, result.status) == (Outcome.ERROR, Status.UNKNOWN)
    assert "start-up took over 1.5 s" in result.message
    monkeypatch.setenv("PLUMBENCH_STARTUP_SECONDS", "soon")
    with pytest.raises(UsageError, match="soon"):
        run_one(Job(parallel(2), "honest"))


def test_the_clock_on_the_wall_does_not_matter(monkeypatch, tmp_path):
    """Case H19: durations are the same if the clock is set back an hour, in child and parent."""
    signal_file = tmp_path / "now"
    monkeypatch.setenv("FAKE_CLOCK", str(signal_file))
    wall = time.time
    monkeypatch.setattr(time, "time", lambda: wall() - 3600 * signal_file.exists())
    result = run_one(Job(parallel(2), "clockwork", seconds=60))
    assert result.outcome is Outcome.ANSWERED, result.message
    assert signal_file.exists()
    assert 0.3 <= result.times["solve"] <= result.times["total"] < 60
    assert all(seconds >= 0 for seconds in result.times.values())


def test_the_start_of_a_process_is_measured_apart():
    """A new process has a start-up time, a reused one none."""
    first, second = (r.times for _, r in run_many([Job(parallel(2), "honest")] * 2))
    assert first["start"] > 0.01
    assert second["start"] == 0.0
