"""Where the runs of a campaign happen: here, one per physical core, or on a dask cluster.

    with open_executor() as executor:
        future = executor.submit(measure, job)

Both are a ``concurrent.futures.Executor``. A run is the same anywhere: a child process under the
limits of its job (``runner.run_one``), bound to cores that no other run has meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...puzzles.errors import UsageError
from .claims import Claims, OwnCores, Stopped, Unbound
from .cores import physical_cores
from .host import versions
from .jobs import Job, Outcome, Result
from .runner import run_one

if TYPE_CHECKING:
    from .dask_runs import DaskExecutor


@dataclass(frozen=True, slots=True)
class Machine:
    """Another machine that runs happen on: its ``host.facts`` and how many runs at once
    it has.
    """

    facts: dict[str, Any]
    slots: int


def open_executor(
    workers: int | None = None, dask: str | None = None
) -> LocalExecutor | DaskExecutor:
    """An executor, to be used as a context manager: ``workers`` runs at once on this machine (one
    per physical core if not given), or as many as the cluster at the address ``dask`` has
    threads. It takes ``submit(measure, job)`` and says in ``slots`` how many run at once.

    Leaving the context waits for what was submitted; leaving it by an exception, or ``cancel``,
    kills the running children at once and cancels what has not begun. Raises UsageError for
    workers < 1 or given beside a cluster, and for a cluster that cannot be used.
    """
    if dask is None:
        return LocalExecutor(workers)
    if workers is not None:
        raise UsageError(
            f"jobs {workers}: expected none with a cluster, whose workers say how many run at once"
        )
    from .dask_runs import DaskExecutor

    return DaskExecutor(dask)


def measure(job: Job, threads: int = 1) -> Result:
    """Run a job where the executor says; ``threads`` is how many the engine was told to use, and
    so how many cores it gets, if there are as many.

    The record's versions are those of Python and plumbench too, as they are where it ran. Raises
    UsageError as ``run_one`` does.
    """
    claims = getattr(_place, "claims", None) or Unbound()
    return run_claimed(job, threads, claims, getattr(_place, "stop", None) or threading.Event())


def run_claimed(job: Job, threads: int, claims: Claims, stop: threading.Event) -> Result:
    """Run a job on cores of its own until it ends or ``stop`` is set."""
    try:
        with claims.claim(threads, stop) as cores:
            result = run_one(job, cores=cores, stop=stop)
    except Stopped:
        return Result(Outcome.INTERRUPTED, message="stopped before it began")
    return replace(result, versions={**result.versions, **versions()})


def version_skew(planned: Mapping[str, str], result: Result) -> list[str]:
    """What was not as planned, in words: ``ortools 9.14, planned 9.15``. A run is one of its key
    only if nothing is. A package that only one of the two names is no difference: a run that was
    killed names few.
    """
    return [
        f"{name} {result.versions[name]}, planned {version}"
        for name, version in planned.items()
        if result.versions.get(name, version) != version
    ]


_place = threading.local()
"""Of a thread of a ``LocalExecutor``: the ``claims`` it takes its cores from, and the event
``stop`` that ends its run.
"""


def _settle_in(claims: Claims, stop: threading.Event) -> None:
    _place.claims, _place.stop = claims, stop


class LocalExecutor(ThreadPoolExecutor):
    """Runs on this machine. The threads only watch: the work is in their children, which die
    with them. More runs at once than there are cores share all of them, unbound.
    """

    def __init__(self, workers: int | None = None) -> None:
        cores = physical_cores()
        self.slots = len(cores) if workers is None else workers
        if self.slots < 1:
            raise UsageError(f"jobs {self.slots}: expected at least 1")
        self._stop = threading.Event()
        claims = OwnCores(cores) if self.slots <= len(cores) else Unbound()
        super().__init__(self.slots, "run", _settle_in, (claims, self._stop))

    def machines(self) -> dict[str, Machine]:
        """The machines other than this one that runs happen on, by name: none."""
        return {}

    def cancel(self) -> None:
        """End all runs now; returns when no child is left. Nothing can be submitted after."""
        self._stop.set()
        self.shutdown(wait=True, cancel_futures=True)

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self.cancel()
            return
        try:
            self.shutdown(wait=True)
        except BaseException:  # Ctrl-C while the last runs end
            self.cancel()
            raise
