"""Runs on the workers of a dask cluster: the same runner and limits, the same records.

Each run is a child process of a worker and dies with it; dask then gives the run to another
worker. Runs on one machine take turns on its cores (``MachineCores``), whatever the number of
workers there. A run that is cancelled, or whose campaign has died, is killed by its worker.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from typing import Any

from ...puzzles.errors import UsageError
from .claims import MachineCores
from .executors import Machine, measure, run_claimed, versions
from .host import facts
from .jobs import Outcome, Result, pack, unpack

Client = Any
"""``distributed.Client``, whose own types say that any call may be a coroutine."""

CONNECT_SECONDS = 5.0
"""How long the scheduler has to answer."""

WORKERS_SECONDS = 15.0
"""How long the first worker may take to appear."""

LOST_SECONDS = 60.0
"""How long a campaign waits once there is no worker, or no scheduler, any more."""

LOOK_SECONDS = 0.2
"""How often a worker looks whether its run is still wanted."""

_LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")


class DaskExecutor(Executor):
    """An executor on the cluster whose scheduler is at ``address``. ``submit`` takes
    ``executors.measure``, or any function that the workers can import. Raises UsageError, as do
    its futures once the cluster is lost.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._pending: set[Future[Any]] = set()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._loud = _hush()
        try:
            self._client = _connect(address)
            try:
                self.slots = _workers(self._client, address)
                self._pool = self._client.get_executor(pure=False)
            except BaseException:
                _close(self._client)
                raise
        except BaseException:
            self._restore_logs()
            raise
        threading.Thread(target=self._watch, name="dask watch", daemon=True).start()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand a call to the cluster; a job travels as ``jobs.pack`` makes it."""
        if fn is measure:
            fn, args = _measure_there, (pack(args[0]), *args[1:])
        outer: Future[Any] = Future()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dask has advice about large puzzles
            inner = self._pool.submit(fn, *args, **kwargs)
        with self._lock:
            self._pending.add(outer)

        def cancelled(future: Future[Any]) -> None:
            with self._lock:
                self._pending.discard(future)
            if future.cancelled():
                future.set_running_or_notify_cancel()  # wakes those who wait for it
                inner.cancel()

        outer.add_done_callback(cancelled)
        inner.add_done_callback(lambda ended: self._settle(outer, ended))
        return outer

    def _settle(self, outer: Future[Any], inner: Future[Any]) -> None:
        if inner.cancelled():
            self._fail(outer, UsageError(f"dask cluster {self.address!r}: the connection is lost"))
            return
        error = inner.exception()
        if error is None:
            self._end(outer, result=inner.result())
        elif type(error).__name__ == "KilledWorker":
            self._end(outer, result=Result(Outcome.ERROR, message=_lost_again(error)))
        elif isinstance(error, ImportError):
            why = f"a worker cannot run plumbench: {error}"
            self._fail(outer, UsageError(f"dask cluster {self.address!r}: {why}"))
        elif isinstance(error, UsageError):
            self._fail(outer, UsageError(f"dask cluster {self.address!r}: a worker says: {error}"))
        else:
            self._fail(outer, error)

    def _end(self, outer: Future[Any], result: Any) -> None:
        with suppress(InvalidStateError):  # cancelled, or failed by the watch, in the meantime
            outer.set_result(result)

    def _fail(self, outer: Future[Any], error: BaseException) -> None:
        with suppress(InvalidStateError):
            outer.set_exception(error)

    def _watch(self) -> None:
        """Keep ``slots`` up to date; give up when the cluster stays lost."""
        seen = time.monotonic()
        while not self._closing.wait(1.0):
            with suppress(Exception):
                slots = sum(self._client.nthreads().values())
                if slots:
                    self.slots, seen = slots, time.monotonic()
            if time.monotonic() - seen > LOST_SECONDS:
                why = f"no worker for {LOST_SECONDS:g} s"
                for future in self._unfinished():
                    self._fail(future, UsageError(f"dask cluster {self.address!r}: {why}"))

    def _unfinished(self) -> list[Future[Any]]:
        with self._lock:
            return list(self._pending)

    def machines(self) -> dict[str, Machine]:
        """The machines of the workers, by name. Raises UsageError if the cluster is lost."""
        try:
            found = self._client.run(_describe)
        except Exception as error:
            raise UsageError(f"dask cluster {self.address!r}: lost ({error})") from error
        machines: dict[str, Machine] = {}
        for name, told, threads in found.values():
            known = machines.get(name)
            machines[name] = Machine(told, threads + (known.slots if known else 0))
        return machines

    def cancel(self) -> None:
        """Tell the workers to kill what runs, forget what has not begun, and leave the cluster."""
        self.shutdown(wait=False, cancel_futures=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, after what was submitted has ended, or at once."""
        if self._closing.is_set():
            return
        try:
            while wait and not cancel_futures and self._unfinished():
                time.sleep(0.05)
        finally:
            self._closing.set()
            for future in self._unfinished():
                future.cancel()
            _close(self._client)
            self._restore_logs()

    def __exit__(self, kind: object, *_: object) -> None:
        self.shutdown(wait=kind is None, cancel_futures=kind is not None)

    def _restore_logs(self) -> None:
        for name, level in self._loud.items():
            logging.getLogger(name).setLevel(level)


def _measure_there(packed: bytes, threads: int = 1) -> Result:
    """On a worker: the run, killed when it is not wanted any more."""
    from distributed import Reschedule

    with _wanted() as stop:
        result = run_claimed(unpack(packed), threads, MachineCores(), stop)
        if stop.is_set():  # unless the campaign gave it up, dask runs it once more
            raise Reschedule
        return result


def _describe(dask_worker: Any) -> tuple[str, dict[str, Any], int]:
    """On a worker: the machine's name and facts, the worker's threads."""
    return platform.node(), facts(), dask_worker.state.nthreads


@contextmanager
def _wanted() -> Iterator[threading.Event]:
    """An event that is set when dask takes back the task of this thread, or ends this worker."""
    from distributed import get_worker

    worker, stop, over = get_worker(), threading.Event(), threading.Event()
    key = worker.get_current_task()

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            task = worker.state.tasks.get(key)
            leaving = worker.status.name in ("closing", "closing_gracefully", "closed", "failed")
            if leaving or task is None or task.state == "cancelled":
                stop.set()
                return

    threading.Thread(target=look, name="wanted", daemon=True).start()
    try:
        yield stop
    finally:
        over.set()


def _lost_again(error: BaseException) -> str:
    times = getattr(error, "allowed_failures", 0) + 1
    return f"the dask worker died {times} times under this run, which is given up"


def _hush() -> dict[str, int]:
    """Silence the loggers of dask, which writes tracebacks; gives their levels. What matters is
    said by the exceptions.
    """
    try:
        import distributed  # noqa: F401  (sets the levels that are put back)
    except ImportError as error:
        raise UsageError(
            f"a dask cluster needs the extra 'dask' ({error}): pip install 'plumbench[dask]'"
        ) from error
    levels = {name: logging.getLogger(name).level for name in _LOGGERS}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return levels


def _connect(address: str) -> Client:
    """A client of the scheduler there; raises UsageError if there is none."""
    import distributed

    try:
        kind = asyncio.run(asyncio.wait_for(_kind(address), CONNECT_SECONDS))
        if kind != "Scheduler":
            raise ValueError(f"it is a {kind.lower()}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions: see _workers
            return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:
        why = str(error).strip() or f"no answer in {CONNECT_SECONDS:g} s"
        raise UsageError(
            f"dask cluster {address!r}: no scheduler there ({why.splitlines()[0]}); "
            "expected an address such as tcp://127.0.0.1:8786"
        ) from error


async def _kind(address: str) -> str:
    """What says that it listens there. Asked before there is a client, since that waits without
    end for something that listens but does not answer, and complains when it is given up.
    """
    from distributed.core import rpc
    from distributed.security import Security

    security = Security().get_connection_args("client")
    async with rpc(address, connection_args=security) as there:
        told: Any = await there.identity()
        return told["type"]


def _workers(client: Client, address: str) -> int:
    """How many threads the workers have together; raises UsageError if there is no worker, or
    one that cannot give the same records.
    """
    if not client.nthreads():
        print(f"waiting for the first worker of {address}", file=sys.stderr, flush=True)
        try:
            client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except Exception as error:
            raise UsageError(
                f"dask cluster {address!r}: no worker in {WORKERS_SECONDS:g} s; "
                f"start some with: dask worker {address}"
            ) from error
    here = versions()
    found = client.get_versions(packages=["plumbench"])
    for name, node in [("the scheduler", found["scheduler"]), *found["workers"].items()]:
        there = dict(node["packages"])
        there["python"] = ".".join(there["python"].split(".")[:3])
        for package, version in here.items():
            if there.get(package) != version:
                what = f"{package} {there[package]}" if there.get(package) else f"no {package}"
                raise UsageError(
                    f"dask cluster {address!r}: {name} has {what}, here is {package} {version}; "
                    "install the same everywhere"
                )
    return sum(client.nthreads().values())


def _close(client: Client) -> None:
    with suppress(Exception):
        client.close(timeout=2)
