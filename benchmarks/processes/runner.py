"""Runs jobs in child processes: hard limits, any number of children, none left behind.

The limit of a job is wall time from the moment its engine is imported; the child keeps it too,
and is killed with its whole group a little after (``child.grace``). Only a written record
counts as an answer. The calling thread must live as long as the runs: on Linux the children
die with it.
"""

from __future__ import annotations

import contextlib
import select
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence

from ...puzzles.errors import UsageError
from .child import Child, OnFound
from .jobs import Job, Outcome, Result, probe_job

TICK = 0.1
"""Seconds after which the children are looked at even without input: a crash closes no pipe
that a grandchild holds open.
"""

STOP_TICK = 0.02
"""Seconds within which a run sees that it is to be stopped."""

OnResult = Callable[[int, Result], None]


def run_one(
    job: Job, *, cores: Collection[int] | None = None, stop: threading.Event | None = None
) -> Result:
    """Run one job in a child of its own and give back its record, however it ended.

    ``cores`` are the logical processors the child and all it starts are bound to. Setting
    ``stop`` from another thread ends the run at once, with the outcome interrupted. Raises
    UsageError for an unknown engine, option or limit, and for processors that there are not.
    """
    job.validate()
    child = Child(cores)
    try:
        child.give(0, job)
        while (result := child.step()) is None:
            if stop is not None and stop.is_set():
                return child.interrupt()
            _wait([child], TICK if stop is None else STOP_TICK)
        return result
    finally:
        child.kill()


def run_many(
    jobs: Iterable[Job],
    workers: int = 1,
    *,
    fresh: bool = False,
    cores: Sequence[Collection[int]] | None = None,
    on_result: OnResult | None = None,
    on_found: OnFound | None = None,
) -> Generator[tuple[int, Result]]:
    """Run jobs, at most ``workers`` at once; yields (index of the job, result) as they end.

    ``jobs`` is taken from only when a child is free. ``fresh`` gives every run a process that
    has solved nothing before; otherwise children are reused until one is killed, crashes or
    leaves processes behind. ``cores`` has for each worker the processors its children are bound
    to. ``on_result`` is called the moment a result is there, before
    anything is yielded. ``on_found`` takes over each verified solution as it is found, with the
    job's index and the solution's number; the results then hold none. Closing the generator (use
    ``contextlib.closing``), or an exception such as KeyboardInterrupt, kills all children. Raises
    UsageError for workers < 1, fewer ``cores`` than workers or a wrong job.
    """
    if workers < 1:
        raise UsageError(f"jobs {workers}: expected at least 1")
    places: list[Collection[int] | None] = [None] * workers
    if cores is not None:
        places[:] = cores[:workers]
    if len(places) < workers:
        raise UsageError(f"jobs {workers}: expected at most {len(places)}, the sets of cores")
    return _run(iter(jobs), places, fresh, on_result, on_found)


def probe(solvers: Iterable[str], workers: int = 1) -> dict[str, Result]:
    """Ask in children which engines are there: outcome answered or missing, versions and the
    meaning of the counters. Raises UsageError for an unknown engine or option.
    """
    names = list(dict.fromkeys(solvers))
    replies = dict(run_many(map(probe_job, names), workers))
    return {name: replies[index] for index, name in enumerate(names)}


def _run(
    jobs: Iterator[Job],
    places: list[Collection[int] | None],
    fresh: bool,
    on_result: OnResult | None,
    on_found: OnFound | None,
) -> Generator[tuple[int, Result]]:
    children: list[Child | None] = [None] * len(places)
    feed = enumerate(jobs)
    try:
        while True:
            _hand_out(feed, children, places, on_found)
            busy = [child for child in children if child is not None and child.busy]
            if not busy:
                return
            _wait(busy, TICK)
            ended: list[tuple[int, Result]] = []
            for child in busy:
                result = child.step()
                if result is None:
                    continue
                if on_result is not None:
                    on_result(child.number, result)
                ended.append((child.number, result))
                if fresh and not child.unused:
                    child.kill()
            yield from ended
    finally:
        for child in filter(None, children):
            with contextlib.suppress(OSError):
                child.kill()


def _hand_out(
    feed: Iterator[tuple[int, Job]],
    children: list[Child | None],
    places: list[Collection[int] | None],
    on_found: OnFound | None,
) -> None:
    """Give every free place a job while there are any, starting children as needed."""
    for index, place in enumerate(places):
        child = children[index]
        if child is not None and child.busy:
            continue
        entry = next(feed, None)
        if entry is None:
            return
        number, job = entry
        job.validate()
        if child is None or not child.reusable:
            child = children[index] = Child(place)
        child.give(number, job, on_found)


def _wait(busy: list[Child], timeout: float) -> None:
    """Sleep until a child has something to say, can be written to, or has a deadline."""
    poll = select.poll()
    now = time.monotonic()
    for child in busy:
        to_read, to_write = child.waits_for()
        for descriptor in to_read:
            poll.register(descriptor, select.POLLIN)
        for descriptor in to_write:
            poll.register(descriptor, select.POLLOUT)
        timeout = min(timeout, max(0.0, child.deadline - now))
    poll.poll(timeout * 1000)


def missing(why: str) -> Result:
    """The record of a run that was not started because its engine is not there."""
    return Result(Outcome.MISSING, message=why)
