"""Physical cores, and runs bound to them."""

from __future__ import annotations

import os
import platform
import sys
import threading

import pytest
from harness import parallel
from plumbench.benchmarks.processes import cores
from plumbench.benchmarks.processes.jobs import Job, Outcome
from plumbench.benchmarks.processes.runner import run_many, run_one
from plumbench.puzzles.errors import UsageError

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs affinities")


def test_usable_cores_are_a_partition():
    """Each processor this process may use is in exactly one core."""
    found = cores.physical_cores()
    assert frozenset().union(*found) == cores.usable_processors()
    assert sum(map(len, found)) == len(cores.usable_processors())


def test_hardware_threads_share_a_core(tmp_path, monkeypatch):
    """Siblings of the topology are one core, also under the kernel's old name; what may not be
    used is in none, and a processor without topology is a core.
    """
    monkeypatch.setattr(cores, "usable_processors", lambda: frozenset({0, 1, 2, 4, 9}))
    for number, name, text in [
        (0, "core_cpus_list", "0,4\n"),
        (4, "core_cpus_list", "0,4\n"),
        (1, "thread_siblings_list", "1-3\n"),
        (2, "thread_siblings_list", "1-3\n"),
    ]:
        folder = tmp_path / f"cpu{number}" / "topology"
        folder.mkdir(parents=True)
        (folder / name).write_text(text)
    assert cores.physical_cores(tmp_path) == [{0, 4}, {1, 2}, {9}]


@linux
def test_a_run_keeps_to_its_cores(fakes):
    """A child and all its threads are bound to the cores given, the harness itself is not, and
    the record says so.
    """
    mine = os.sched_getaffinity(0)
    one = min(mine)
    result = run_one(Job(parallel(2), "where", seconds=60), cores={one})
    assert result.outcome is Outcome.ANSWERED, result.message
    assert result.stats["affinity"] == f"[{one}]"
    assert result.where is not None
    assert (result.where.host, result.where.cores) == (platform.node(), (one,))
    assert os.sched_getaffinity(0) == mine
    ((_, free),) = run_many([Job(parallel(2), "where", seconds=60)])
    assert free.stats["affinity"] == str(sorted(mine))
    assert free.where is not None
    assert free.where.cores is None


@linux
def test_workers_have_their_own_cores(fakes):
    """Each worker of ``run_many`` keeps its set of cores, also in a new process."""
    some = sorted(os.sched_getaffinity(0))
    sets = [{some[0]}, {some[-1]}]
    jobs = [Job(parallel(2), "where", seconds=60)] * 4
    found = [r.where for _, r in run_many(jobs, 2, fresh=True, cores=sets) if r.where]
    assert sorted(w.cores for w in found if w.cores) == sorted([(some[0],), (some[-1],)] * 2)


@linux
def test_cores_that_are_not_there_are_the_callers_error(fakes):
    """A processor that the machine lacks, or a set too few, is a UsageError."""
    with pytest.raises(UsageError, match="cores"):
        run_one(Job(parallel(2), "honest"), cores={4000})
    with pytest.raises(UsageError, match="sets of cores"):
        run_many([], 2, cores=[{0}])


def test_stop_ends_a_run_at_once(fakes):
    """Setting ``stop`` ends a run that would take for ever, as interrupted."""
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    result = run_one(Job(parallel(3), "drip", task="count", seconds=1000), stop=stop)
    assert result.outcome is Outcome.INTERRUPTED
    assert not result.exact
