"""Public bug reports about runs, limits and records, replayed; the slow ones behind ``fuzz``."""

from __future__ import annotations

import time

import pytest
from harness import alive, parallel
from plumbench.benchmarks.judging.agreement import compare
from plumbench.benchmarks.processes.jobs import Job, Outcome
from plumbench.benchmarks.processes.runner import run_many, run_one
from plumbench.puzzles.errors import MissingBackend
from plumbench.puzzles.generators import make
from plumbench.puzzles.generators.hard import mut
from plumbench.solvers.contract import Reason, Status
from plumbench.solvers.pysat_backend import BACK_ENDS, require

UNINTERRUPTIBLE = [name for name, traits in BACK_ENDS.items() if not traits.interrupt]
HARD = mut(20).board.puzzle


def installed(name: str) -> str:
    """The engine of a PySAT back end; skips the test where there is none."""
    pytest.importorskip("pysat")
    try:
        require("sat", name)
    except MissingBackend as error:
        pytest.skip(str(error))
    return f"sat:{name}"


def test_a_sleeper_that_holds_the_pipe_does_not_hold_the_harness(fakes):
    """Case H01: the engine hangs, its grandchild holds all pipes; the limit ends both."""
    begin = time.monotonic()
    result = run_one(Job(parallel(2), "stray", seconds=1))
    assert result.outcome is Outcome.TIMEOUT
    assert time.monotonic() - begin < 30  # the sleeper has a thousand seconds
    assert len(fakes()) == 2
    assert not alive(fakes())


def test_a_library_that_is_not_there_is_no_time_out(monkeypatch, tmp_path):
    """Cases P14 and H18: without python-sat the run is missing and names the extra; the others
    run.
    """
    (tmp_path / "pysat.py").write_text("raise ImportError('no wheel for this Python')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    jobs = [Job(parallel(2), "sat", seconds=0.5), Job(parallel(2), "propagation")]
    missing, answered = (result for _, result in run_many(jobs))
    assert (missing.outcome, missing.status) == (Outcome.MISSING, Status.UNKNOWN)
    assert "no wheel for this Python" in missing.message
    assert "plumbench[sat]" in missing.message
    assert answered.outcome is Outcome.ANSWERED


@pytest.mark.fuzz
@pytest.mark.parametrize("name", BACK_ENDS)
def test_every_back_end_ends_at_its_limit(name):
    """Case P06: a limit of 1 s is a time-out of every back end, never a crash."""
    result = run_one(Job(HARD, installed(name), seconds=1))
    assert (result.outcome, result.reason) == (Outcome.TIMEOUT, Reason.TIME), result.message
    assert result.status is Status.UNKNOWN
    assert 1 <= result.times["total"] - result.times["import"] < 2


@pytest.mark.fuzz
def test_uninterruptible_back_ends_overrun_little():
    """50 runs with a limit of 1 s, of back ends that only a kill stops: each is gone within
    0.3 s of it.
    """
    engines = [installed(name) for name in UNINTERRUPTIBLE if name != "cryptosat"]
    results = [run_one(Job(HARD, engines[i % len(engines)], seconds=1)) for i in range(50)]
    assert {result.outcome for result in results} == {Outcome.TIMEOUT}
    assert max(result.times["overshoot"] for result in results) < 0.3


@pytest.mark.fuzz
def test_threads_that_reserve_much_memory_live_under_a_small_limit():
    """Cases H08 and C09: CP-SAT with 8 threads answers a 5x5 board under 1 GB, and the record
    has the number of threads.
    """
    pytest.importorskip("ortools")
    board = make("net", 5, 5, 1).puzzle
    result = run_one(Job(board, "cpsat:workers8", seconds=60, memory=1_000_000_000))
    assert (result.outcome, result.status) == (Outcome.ANSWERED, Status.SATISFIABLE), result.message
    assert result.workers == 8
    assert run_one(Job(board, "cpsat", seconds=60)).workers == 1


@pytest.mark.fuzz
@pytest.mark.parametrize("engine", ["sat", "propagation"])
def test_a_process_that_serves_many_jobs_does_not_grow(engine):
    """Case P09: 2000 small boards in one child; its memory grows by less than 50 MB."""
    boards = [make("net", 5, 5, seed).puzzle for seed in range(20)]
    jobs = (Job(boards[i % 20], engine, task="count") for i in range(2000))
    results = dict(run_many(jobs))
    assert {r.outcome for r in results.values()} == {Outcome.ANSWERED}
    early, last = results[100].peak_rss, results[1999].peak_rss
    assert early is not None
    assert last is not None
    assert last - early < 50_000_000


def test_which_solution_is_found_does_not_matter(fakes):
    """Case C07: engines that find different models of one puzzle agree."""
    compared = compare(parallel(3), ["honest", "backwards"], seconds=60)
    first, second = (result.solutions[0].tobytes() for _, result in compared.runs)
    assert first != second
    assert compared.judgement.agreed
    assert compared.exit_code == 0
