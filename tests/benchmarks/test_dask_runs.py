"""Runs on a dask cluster: the same records, whatever happens to its workers."""

from __future__ import annotations

import gc
import logging
import os
import platform
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fake_engines
import psutil
import pytest
from harness import HERE, alive, parallel
from plumbench.benchmarks.campaign.bench import Bench
from plumbench.benchmarks.campaign.store import JobKey, Store
from plumbench.benchmarks.campaign.suites import find_suite
from plumbench.benchmarks.processes import dask_runs
from plumbench.benchmarks.processes.dask_runs import DaskExecutor
from plumbench.benchmarks.processes.executors import measure, open_executor
from plumbench.benchmarks.processes.jobs import Job, Outcome, Result
from plumbench.puzzles.errors import UsageError
from plumbench.solvers.registry import EXTRA

pytest.importorskip("distributed")


@dataclass
class Cluster:
    """A cluster of this machine, and where its runs note their process numbers."""

    dask: Any
    pids: Path

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return self.dask.scheduler_address

    def noted(self) -> list[int]:
        """The processes of all runs so far."""
        return [int(path.name) for path in self.pids.iterdir()]


def start(workers: int, *, processes: bool = True) -> Any:
    """Workers of one thread each, on this machine alone."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=processes, host="127.0.0.1",
        protocol="tcp://",
        dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL,
    )  # fmt: skip


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three workers that know the fake engines; at the end none of their runs is alive."""
    from dask.config import set as setting

    pids = tmp_path_factory.mktemp("pids")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(EXTRA, fake_engines.EXTRA)
        patch.setenv("FAKE_PIDS", str(pids))
        patch.setenv("PYTHONPATH", f"{HERE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
        with setting({"distributed.scheduler.allowed-failures": 1}), start(3) as running:
            yield Cluster(running, pids)
    assert not alive([int(path.name) for path in pids.iterdir()])


def wait_until(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for something that must happen."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


SUITE = """
engines = ["nap", "propagation", "brute"]
limits = { wall = "300s" }
warmup = false

[[instances]]
file = "boards.txt"

[[questions]]

[[questions]]
task = "count"
"""


def campaign(folder: Path, dask: str | None = None) -> dict[JobKey, tuple[object, ...]]:
    """Twelve runs about a board with one solution and a board with none: of each key how it
    ended, its verdict and count.
    """
    folder.mkdir()
    (folder / "boards.txt").write_text("LL\nLL\n\nLL\nLX\n")
    (folder / "lost.toml").write_text(SUITE)
    with Store(folder / "store.sqlite") as store, open_executor(dask=dask) as executor:
        bench = Bench(find_suite(str(folder / "lost.toml")), store, dask=dask)
        bench.prepare()
        bench.run(executor)
        stored = {row.key: row.result for row in store.rows()}
    return {k: (r.outcome, r.status, r.count, r.exact, r.versions) for k, r in stored.items()}


def test_a_lost_worker_changes_nothing(
    cluster: Cluster, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The same campaign here and on three workers, one killed in the middle of its run: the same
    keys, verdicts and counts; nothing is printed, and the run dies with its worker and is made
    again.
    """
    here = campaign(tmp_path / "here")
    assert len(here) == 12
    before, killed = set(cluster.noted()), []

    def kill() -> None:
        wait_until(lambda: set(cluster.noted()) - before)
        (run, *_) = set(cluster.noted()) - before
        worker = psutil.Process(run).parent()
        assert worker is not None
        worker.kill()
        killed.append(run)

    killer = threading.Thread(target=kill)
    killer.start()
    assert campaign(tmp_path / "there", cluster.address) == here
    killer.join()
    assert killed
    assert not alive(killed)
    assert len(set(cluster.noted()) - before) == 5  # four naps, one of them twice
    assert capfd.readouterr().err == ""


def test_a_run_that_kills_its_worker_is_given_up(cluster: Cluster) -> None:
    """A run whose worker dies each time ends as an error that says so; others are answered."""
    with open_executor(dask=cluster.address) as executor:
        fatal = executor.submit(measure, Job(parallel(2), "patricide"))
        harmless = executor.submit(measure, Job(parallel(2), "nap", "count"))
        assert fatal.result().outcome is Outcome.ERROR
        assert fatal.result().message == (
            "the dask worker died 2 times under this run, which is given up"
        )
        assert harmless.result().count == 2


def test_an_exception_ends_runs_on_the_workers(cluster: Cluster) -> None:
    """Leaving by an exception kills what runs on the workers and forgets the rest."""
    before = set(cluster.noted())
    runs: list[Future[Result]] = []
    with suppress(KeyboardInterrupt), open_executor(dask=cluster.address) as executor:
        runs += [executor.submit(measure, Job(parallel(2), "deaf")) for _ in range(6)]
        wait_until(lambda: set(cluster.noted()) - before)
        raise KeyboardInterrupt
    assert all(run.cancelled() for run in runs)
    assert not wait(runs, return_when=FIRST_COMPLETED).not_done
    assert not alive([*set(cluster.noted()) - before])


INTERRUPTED = """
import sys
from concurrent.futures import wait
from harness import parallel
from plumbench.benchmarks.processes.executors import measure, open_executor
from plumbench.benchmarks.processes.jobs import Job
with open_executor(dask=sys.argv[1]) as executor:
    wait([executor.submit(measure, Job(parallel(2), "deaf")) for _ in range(6)])
"""


def test_runs_of_a_killed_campaign_end(cluster: Cluster) -> None:
    """KILL of the program that submitted: the workers kill its runs and go on."""
    import subprocess

    before = set(cluster.noted())
    program = subprocess.Popen([sys.executable, "-c", INTERRUPTED, cluster.address])
    wait_until(lambda: set(cluster.noted()) - before)
    program.send_signal(signal.SIGKILL)
    program.wait(timeout=60)
    with open_executor(dask=cluster.address) as executor:
        assert executor.submit(measure, Job(parallel(2), "nap", "count")).result().count == 2
    assert not alive([*set(cluster.noted()) - before])


def test_other_versions_are_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster with another plumbench, or none, is refused by name."""
    monkeypatch.setattr(dask_runs, "versions", lambda: {"plumbench": "99"})
    with pytest.raises(UsageError, match=r"the scheduler has plumbench .*, here is plumbench 99"):
        open_executor(dask=cluster.address)
    monkeypatch.setattr(dask_runs, "versions", lambda: {"no-such-package": "1"})
    with pytest.raises(UsageError, match="the scheduler has no no-such-package"):
        open_executor(dask=cluster.address)


def test_the_workers_machines_are_described(cluster: Cluster) -> None:
    """Facts of the machines where runs happen, and how many happen there at once."""
    with open_executor(dask=cluster.address) as executor:
        (machine,) = executor.machines().values()
    assert machine.slots == 3
    assert machine.facts["python"] == platform.python_version()


def test_a_wrong_job_is_told_by_its_future(cluster: Cluster) -> None:
    """An engine that does not exist is a UsageError, as it is without a cluster; that a worker
    says so is told, for the engine may be there where the campaign was started.
    """
    with open_executor(dask=cluster.address) as executor:
        wrong = executor.submit(measure, Job(parallel(2), "nonsense"))
        with pytest.raises(UsageError, match="a worker says: solver 'nonsense'"):
            wrong.result(timeout=60)


def test_a_lost_cluster_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without workers for a while, a run ends in a UsageError instead of waiting for ever; so it
    does when the scheduler is gone.
    """
    monkeypatch.setattr(dask_runs, "LOST_SECONDS", 0.5)
    with (
        start(1, processes=False) as running,
        open_executor(dask=running.scheduler_address) as executor,
    ):
        running.scale(0)
        wait_until(lambda: not running.scheduler.workers)
        lost = executor.submit(measure, Job(parallel(2), "brute"))
        with pytest.raises(UsageError, match=r"dask cluster .*: no worker for 0.5 s"):
            lost.result(timeout=60)
        gone = executor.submit(measure, Job(parallel(2), "brute"))
        running.close()
        with pytest.raises(UsageError, match="dask cluster"):
            gone.result(timeout=60)


def test_a_cluster_without_workers_is_told(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A scheduler alone: one line while waiting, then a UsageError that says how to start one."""
    monkeypatch.setattr(dask_runs, "WORKERS_SECONDS", 0.3)
    with start(0) as running:
        with pytest.raises(UsageError, match=r"no worker in 0.3 s; start some with: dask worker"):
            open_executor(dask=running.scheduler_address)
        line = f"waiting for the first worker of {running.scheduler_address}\n"
    assert capfd.readouterr().err == line


@pytest.mark.parametrize("place", ["closed", "deaf", "nonsense", "", "foo://127.0.0.1:1"])
def test_no_cluster_is_told(place: str, monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    """Nobody there, something that never answers, no address at all: a UsageError of one line."""
    monkeypatch.setattr(dask_runs, "CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = place
        if place in ("closed", "deaf"):
            address = f"127.0.0.1:{listener.getsockname()[1]}"
        if place == "closed":
            listener.close()
        with pytest.raises(UsageError, match="no scheduler there") as caught:
            open_executor(dask=address)
    assert "\n" not in str(caught.value)
    gc.collect()
    assert capfd.readouterr().err == ""


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask is not installed: the message names the extra."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'plumbench\[dask\]'"):
        DaskExecutor("127.0.0.1:8786")
