"""Child processes: limits, crashes, liars, and that nothing survives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from itertools import count

import psutil
import pytest
from harness import alive, parallel
from plumbench.benchmarks.processes.jobs import Job, Outcome, pack, unpack
from plumbench.benchmarks.processes.runner import probe, run_many, run_one
from plumbench.puzzles.errors import UsageError
from plumbench.solvers.contract import Reason, Status


def children() -> set[int]:
    """The live descendants of the test process."""
    found = psutil.Process().children(recursive=True)
    return {c.pid for c in found if c.status() != psutil.STATUS_ZOMBIE}


@pytest.fixture(autouse=True)
def nothing_survives(fakes):
    """Every test of this file must leave no process behind."""
    before = children()
    yield
    assert not alive(list(children() - before))


def test_a_packed_job_is_the_same_job():
    """A puzzle arrives whole and immutable, without what was computed from it."""
    puzzle = parallel(3)
    size = len(pack(Job(puzzle, "brute")))
    assert puzzle.twin.size == 6
    job = Job(puzzle, "brute", task="count", limit=2, seconds=1.5, nodes=7)
    assert len(pack(job)) < size + 100
    copy = unpack(pack(job))
    assert copy.puzzle.fingerprint == puzzle.fingerprint
    assert (copy.task, copy.limit, copy.seconds, copy.nodes) == ("count", 2, 1.5, 7)
    assert not copy.puzzle.edge_ports.flags.writeable


def test_solve_gives_a_verified_answer_with_its_costs():
    """An honest run returns solution, status, counters, times, CPU, memory and versions."""
    result = run_one(Job(parallel(3), "honest", seconds=60))
    assert (result.outcome, result.status) == (Outcome.ANSWERED, Status.SATISFIABLE)
    assert len(result.solutions) == 1
    assert result.count is None
    assert result.decided
    assert result.stats["tried"] == 1
    assert result.versions == {"fake": "1"}
    assert set(result.times) == {"start", "import", "encode", "solve", "verify", "total"}
    assert result.times["total"] >= result.times["solve"] >= 0
    assert result.cpu is not None
    assert result.cpu >= 0
    assert result.peak_rss is not None
    assert 5e6 < result.peak_rss < 2e9


def test_count_stops_at_its_limit():
    """A count is exact unless its limit stopped it; its solutions come along."""
    cases = {None: (3, True), 2: (2, False), 3: (3, False), 4: (3, True)}
    jobs = [Job(parallel(3), "honest", task="count", limit=limit) for limit in cases]
    for index, result in run_many(jobs):
        value, exact = list(cases.values())[index]
        assert (result.count, result.exact, len(result.solutions)) == (value, exact, value)
        assert result.status is Status.SATISFIABLE


def test_solutions_and_the_unsolvable():
    """All solutions come back, and the proof that there is none."""
    (_, some), (_, none) = run_many(
        [
            Job(parallel(4), "honest", task="solutions"),
            Job(parallel(4, solvable=False), "honest", task="solutions"),
        ]
    )
    assert len({s.tobytes() for s in some.solutions}) == some.count == 4
    assert (none.status, none.count, none.exact) == (Status.UNSATISFIABLE, 0, True)
    assert none.decided


def test_unique_brings_the_explanation():
    """The task unique gives two solutions and the verdict of solvers.unique."""
    result = run_one(Job(parallel(2), "honest", task="unique"))
    assert (result.outcome, len(result.solutions)) == (Outcome.ANSWERED, 2), result.message
    assert result.count == 2
    one = run_one(Job(parallel(1), "honest", task="unique"))
    assert (one.count, one.exact, one.forced) == (1, True, (0, 1))


@pytest.mark.parametrize("engine", ["hang", "deaf", "stray"])
def test_a_limit_below_a_second_is_kept(engine, fakes):
    """0.3 s are enforced from outside even if TERM is ignored; the whole group dies."""
    begin = time.monotonic()
    result = run_one(Job(parallel(2), engine, seconds=0.3))
    assert time.monotonic() - begin < 30
    assert (result.outcome, result.reason) == (Outcome.TIMEOUT, Reason.TIME)
    assert (result.status, result.solutions) == (Status.UNKNOWN, ())
    assert not result.decided
    assert result.times["total"] >= 0.3
    assert result.times["overshoot"] > 0
    assert fakes()
    assert not alive(fakes())


def test_a_cooperative_limit_comes_before_the_kill():
    """An engine that keeps its limit writes its own record."""
    result = run_one(Job(parallel(2), "polite", seconds=0.3))
    assert (result.outcome, result.reason) == (Outcome.TIMEOUT, Reason.TIME)
    assert result.message == ""
    assert "encode" in result.times
    assert 0 <= result.times["overshoot"] < 30


def test_start_up_is_not_counted():
    """The clock starts when the engine is imported: one second of import fits in 0.3 s."""
    result = run_one(Job(parallel(2), "slow", seconds=0.3))
    assert result.outcome is Outcome.ANSWERED
    assert result.times["import"] >= 1.0
    assert result.times["total"] >= result.times["import"]


def test_a_start_up_that_never_ends_is_an_error(monkeypatch):
    """The start-up has a bound of its own and is not a time-out of the engine."""
    monkeypatch.setattr("plumbench.benchmarks.processes.child.STARTUP_SECONDS", 0.05)
    result = run_one(Job(parallel(2), "slow", seconds=60))
    assert result.outcome is Outcome.ERROR
    assert "start-up" in result.message


def test_what_was_found_before_the_kill_is_kept():
    """Verified solutions of a killed run are kept, as "at least"."""
    result = run_one(Job(parallel(3), "drip", task="count", seconds=0.3))
    assert (result.outcome, result.status) == (Outcome.TIMEOUT, Status.SATISFIABLE)
    assert (result.count, result.exact, len(result.solutions)) == (1, False, 1)
    assert not result.decided


def test_a_grandchild_that_holds_the_pipes(fakes):
    """A forked sleeper neither delays the answer nor outlives it."""
    results = [r for _, r in run_many([Job(parallel(2), "forker")] * 2)]
    assert [r.outcome for r in results] == [Outcome.ANSWERED] * 2
    assert len(fakes()) == 2


def test_a_crash_is_named():
    """A segmentation fault is CRASHED with its signal, never unsatisfiable."""
    result = run_one(Job(parallel(2), "segv", seconds=60))
    assert (result.outcome, result.status) == (Outcome.CRASHED, Status.UNKNOWN)
    assert "SIGSEGV" in result.message


def test_exit_code_zero_is_no_answer():
    """Only a written record counts: os._exit(0) is a crash, with what was printed last."""
    result = run_one(Job(parallel(2), "silent", seconds=60))
    assert (result.outcome, result.status) == (Outcome.CRASHED, Status.UNKNOWN)
    assert "exit code 0" in result.message
    assert "all is well" in result.message


def test_a_flood_of_output_does_not_block():
    """40 MB on standard output and error neither block the child nor garble its record."""
    result = run_one(Job(parallel(2), "flood", seconds=120))
    assert (result.outcome, result.status) == (Outcome.ANSWERED, Status.SATISFIABLE)


@pytest.mark.parametrize(
    ("engine", "outcome", "words"),
    [
        ("raiser", Outcome.ERROR, "a bug of the engine"),
        ("quitter", Outcome.ERROR, "SystemExit"),
        ("glutton", Outcome.MEMOUT, "too much"),
        ("absent", Outcome.MISSING, "no module named nothing"),
        ("picky", Outcome.UNSUPPORTED, "leaks forbidden"),
        ("liar_board", Outcome.WRONG, "liar_board"),
    ],
)
def test_what_goes_wrong_has_a_name(engine, outcome, words):
    """Every kind of failure is an outcome of its own, never a time-out or a verdict."""
    result = run_one(Job(parallel(2), engine, seconds=60))
    assert (result.outcome, result.status) == (outcome, Status.UNKNOWN), result.message
    assert words in result.message


@pytest.mark.parametrize(
    "job",
    [
        Job(parallel(2), "nonsense"),
        Job(parallel(2), "picky:nonsense"),
        Job(parallel(2), "honest", seconds=0),
        Job(parallel(2), "honest", limit=0),
        Job(parallel(2), "honest", task="dance"),  # pyright: ignore[reportArgumentType]
    ],
)
def test_a_wrong_job_is_the_callers_error(job):
    """An unknown engine, option, task or limit is raised, not recorded."""
    with pytest.raises(UsageError):
        run_one(job)


def test_children_are_reused_and_replaced():
    """Two workers serve many jobs; a crash or a time-out costs one child, not the others."""
    names = ["honest", "segv", "honest", "hang", "honest", "raiser", "honest"]
    jobs = [Job(parallel(2), name, seconds=0.5 if name == "hang" else 60) for name in names]
    told = []
    results = dict(run_many(jobs, 2, on_result=lambda index, result: told.append(index)))
    assert sorted(results) == sorted(told) == list(range(7))
    expected = {1: Outcome.CRASHED, 3: Outcome.TIMEOUT, 5: Outcome.ERROR}
    for index, result in results.items():
        assert result.outcome is expected.get(index, Outcome.ANSWERED)


def test_solutions_are_handed_over_as_they_are_found():
    """``on_found`` gets each solution with its job and number, and the results hold none."""
    heard = []
    jobs = [Job(parallel(2), "honest", task="solutions"), Job(parallel(3), "honest")]
    results = dict(run_many(jobs, on_found=lambda *found: heard.append(found)))
    assert [(job, number) for job, _, number in heard] == [(0, 1), (0, 2), (1, 1)]
    assert not any(result.solutions for result in results.values())
    assert results[0].count == 2


def test_fresh_means_a_process_per_run(fakes):
    """With fresh every run has its own process, without it they share one."""
    assert len(list(run_many([Job(parallel(2), "pidfile")] * 3, fresh=True))) == 3
    assert len(fakes()) == 3
    assert len(list(run_many([Job(parallel(2), "pidfile")] * 3))) == 3
    assert len(fakes()) == 4


def test_jobs_are_taken_lazily():
    """An endless iterator of jobs works, and closing kills what is under way."""
    taken = count()
    results = run_many((Job(parallel(2), "honest") for _ in taken), 2)
    for _ in range(5):
        next(results)
    results.close()
    assert next(taken) < 20


def test_a_slow_reader_does_not_turn_answers_into_time_outs():
    """A record written in time counts although it is read late."""
    jobs = [Job(parallel(2), "honest", seconds=0.5)] * 4
    outcomes = []
    for _, result in run_many(jobs, 2):
        time.sleep(1.0)
        outcomes.append(result.outcome)
    assert outcomes == [Outcome.ANSWERED] * 4


def test_an_exception_of_the_reader_kills_all(fakes):
    """KeyboardInterrupt in the loop leaves no child."""

    def interrupted() -> None:
        for _ in run_many([Job(parallel(2), name) for name in ["hang", "deaf", "honest"]], 3):
            end = time.monotonic() + 60
            while len(fakes()) < 2 and time.monotonic() < end:
                time.sleep(0.05)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_children_do_not_outlive_the_parent(number, fakes):
    """Ctrl-C or kill -9 on the harness ends the children, even one that sleeps deaf."""
    if number == signal.SIGKILL and sys.platform != "linux":
        pytest.skip("needs the parent death signal")
    code = """
        from harness import parallel
        from plumbench.benchmarks.processes.jobs import Job
        from plumbench.benchmarks.processes.runner import run_many
        list(run_many([Job(parallel(2), "deaf")] * 2, 2))
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 60
    while len(fakes()) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    assert len(fakes()) == 2
    os.kill(parent.pid, number)
    assert parent.wait(timeout=30) != 0
    assert not alive(fakes())


def test_probe_says_what_is_there():
    """A probe gives versions and counters, or why the engine is missing."""
    found = probe(["honest", "absent", "honest"])
    assert set(found) == {"honest", "absent"}
    assert found["honest"].counters == {"tried": "assignments looked at"}
    assert found["honest"].versions == {"fake": "1"}
    assert found["absent"].outcome is Outcome.MISSING
