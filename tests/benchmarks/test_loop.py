"""The loop that hands runs to an executor, with an executor whose runs end when the test says."""

from __future__ import annotations

import math
import time
from concurrent.futures import Executor, Future
from typing import Any

import pytest
from plumbench.benchmarks.campaign.loop import Loop
from plumbench.benchmarks.processes.jobs import Job, Outcome, Result, probe_job
from plumbench.puzzles.errors import UsageError

ANSWER = Result(Outcome.ANSWERED, times={"start": 0.25, "total": 0.5})
JOB = probe_job("brute")


class ByHand(Executor):
    """Keeps what it is given; ``end`` lets a run end. Every future can be cancelled, as on a
    cluster, and so also one whose run has begun.
    """

    def __init__(self) -> None:
        self.given: list[Future[Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Keep."""
        self.given.append(Future())
        return self.given[-1]

    def end(self, number: int, error: Exception | None = None) -> None:
        """Let the run with this number end."""
        if error is None:
            self.given[number].set_result(ANSWER)
        else:
            self.given[number].set_exception(error)


def measure(job: Job, threads: int) -> Result:
    """Never called."""
    raise AssertionError


def jobs(number: int, threads: int = 1):
    """So many jobs."""
    return iter([(index, JOB, threads) for index in range(number)])


def test_no_queue_builds_up():
    """Only one run more than there are slots is handed out, and a further one when one ends."""
    executor = ByHand()
    runs = Loop(executor, measure, 2).perform(jobs(9))
    assert next(runs) is None
    assert len(executor.given) == 3
    executor.end(1)
    assert next(runs) == (1, ANSWER)
    assert next(runs) is None
    assert len(executor.given) == 4


def test_the_end_of_the_budget_spares_what_runs():
    """What waits is taken back, what runs is measured to its end, nothing else is started."""
    executor = ByHand()
    loop = Loop(executor, measure, 2, ahead=2, deadline=time.monotonic() + 0.1)
    runs = loop.perform(jobs(9))
    assert next(runs) is None
    assert next(runs) is None
    assert [future.cancelled() for future in executor.given] == [False, False, True, True]
    executor.end(0)
    executor.end(1)
    assert sorted(number for number, _ in filter(None, runs)) == [0, 1]
    assert len(executor.given) == 4


def test_a_run_that_cannot_be_made_is_an_error_of_the_harness():
    """It is a result with the reason; a wrong job is the caller's error."""
    executor = ByHand()
    runs = Loop(executor, measure, 3).perform(jobs(3))
    assert next(runs) is None
    executor.end(0, OSError("no more processes"))
    found = next(runs)
    assert found is not None
    assert found[1].outcome is Outcome.ERROR
    assert "OSError: no more processes" in found[1].message
    executor.end(1, UsageError("wrong"))
    with pytest.raises(UsageError, match="wrong"):
        next(runs)


def test_results_that_nobody_took_are_not_lost():
    """After an interruption the runs that had ended can still be had."""
    executor = ByHand()
    loop = Loop(executor, measure, 3)
    assert next(loop.perform(jobs(3))) is None
    executor.end(2)
    executor.end(1, OSError("gone"))
    assert list(loop.rest()) == [(2, ANSWER)]


def test_a_run_of_several_threads_fills_as_many_slots():
    """Both sums count it so, at most for all slots."""
    executor = ByHand()
    loop = Loop(executor, measure, 2)
    runs = loop.perform(jobs(1, threads=8))
    assert next(runs) is None
    executor.end(0)
    before = time.monotonic()
    assert next(runs) == (0, ANSWER)
    cost = loop.cost(1.0)
    assert math.isclose(cost["run_seconds"], 2 * 0.75)
    assert math.isclose(cost["start_seconds"], 2 * 0.25)
    assert 2 * 0.2 < cost["slot_seconds"] <= 2 * (time.monotonic() - before + 60)
