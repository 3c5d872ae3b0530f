"""Runs in threads of this process, until ``processes/executors.py`` is there."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import psutil

from ...puzzles.errors import UsageError
from ..processes.jobs import Job, Result
from ..processes.runner import run_one
from . import host

MOST_JOBS = 4


class LocalExecutor(ThreadPoolExecutor):
    """Leaving it by an exception kills the children of all runs."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.slots = workers

    def __exit__(self, kind: object, *_: object) -> None:
        self.shutdown(wait=kind is None, cancel_futures=kind is not None)
        if kind is not None:
            for child in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    child.kill()
            self.shutdown()


def open_executor(workers: int | None = None, dask: str | None = None) -> LocalExecutor:
    """So many runs at once; a cluster is refused."""
    if dask is not None:
        raise UsageError("dask: not available yet")
    return LocalExecutor(workers or min(host.usable_cores(), MOST_JOBS))


def measure(job: Job, threads: int = 1) -> Result:
    """The record of a job."""
    return run_one(job)


def version_skew(planned: Mapping[str, str], result: Result) -> list[str]:
    """None: all runs are here."""
    return []
