"""Campaigns that are killed, interrupted, or share a store: nothing lost, nothing left behind."""

from __future__ import annotations

import io
import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from plumbench.benchmarks.campaign.bench import run_bench
from plumbench.benchmarks.campaign.store import Row, Store
from plumbench.benchmarks.campaign.suites import find_suite

SUITE = """
engines = ["nap"]
limits = { wall = "300s" }
repeats = REPEATS
warmup = false

[[instances]]
file = "boards.txt"

[[questions]]

[[questions]]
task = "count"
"""
SLOTS = 2


@pytest.fixture
def suite(tmp_path: Path) -> str:
    """A campaign of 4 runs that last a few seconds: a board with one solution, one with none."""
    return written(tmp_path, 1)


def written(folder: Path, repeats: int) -> str:
    """The suite's file; it has 4 runs in each repeat."""
    (folder / "boards.txt").write_text("LL\nLL\n\nLL\nLX\n")
    path = folder / "kills.toml"
    path.write_text(SUITE.replace("REPEATS", str(repeats)))
    return str(path)


def start(suite: str, store: Path, *, resume: bool = True, **more: Any) -> subprocess.Popen[str]:
    """A campaign in a process of its own."""
    code = f"""
        import sys
        from plumbench.benchmarks.campaign.bench import run_bench
        how = dict(resume={resume}, jobs={SLOTS}, report=False)
        sys.exit(run_bench({suite!r}, {str(store)!r}, **how))
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


def findings(store: Path) -> dict[Any, Any]:
    """Of each run's key: how it ended, its verdict and count."""
    with Store(store, create=False) as opened:
        return {row.key: finding(row) for row in opened.finished().values()}


def finding(row: Row) -> tuple[Any, ...]:
    """What must not depend on a campaign's history."""
    result = row.result
    return result.outcome, result.status, result.count, result.exact, len(result.solutions)


def survivors(folder: Path) -> list[int]:
    """Workers of this test that still run: their environment names its folder."""
    end = time.monotonic() + 20
    while True:
        found = []
        for process in psutil.process_iter():
            try:
                if (
                    process.environ().get("FAKE_PIDS") == str(folder)
                    and process.pid != os.getpid()
                    and process.status() != psutil.STATUS_ZOMBIE
                ):
                    found.append(process.pid)
            except psutil.Error:
                continue
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.1)


def wait_for(happened, seconds: float = 120.0) -> None:
    """Wait until something is so; fails after a long while."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)


def kill_and_resume(suite: str, tmp_path: Path, kills: int, seed: int) -> int:
    """Kill a campaign at random moments, resume it each time, and compare the final store with
    that of a campaign that nobody disturbed; gives the number of runs.
    """
    chance, folder = random.Random(seed), Path(os.environ["FAKE_PIDS"])
    calm, store = tmp_path / "calm.sqlite", tmp_path / "killed.sqlite"
    assert run_bench(suite, calm, jobs=SLOTS, report=False, out=io.StringIO()) == 0
    naps = Counter(row.key.solver for row in rows_of(calm))["nap"]
    for pid in folder.iterdir():
        pid.unlink()
    seen: set[Any] = set()
    killed = 0
    for turn in range(kills):
        started = len(list(folder.iterdir()))
        campaign = start(suite, store)
        if turn % 2:  # somewhere in its runs; else anywhere, the preparations included
            wait_for(
                lambda n=started, c=campaign: (
                    len(list(folder.iterdir())) > n or c.poll() is not None
                )
            )
            time.sleep(chance.uniform(0, 0.7))
        else:
            time.sleep(chance.uniform(0, 2.5))
        campaign.kill()
        campaign.communicate()
        killed += campaign.returncode == -signal.SIGKILL
        assert not survivors(folder)
        if store.exists() and store.stat().st_size:
            now = set(findings(store))
            assert seen <= now, "a stored run was lost"
            seen = now
    last = start(suite, store)
    said, complaints = last.communicate()
    assert last.returncode == 0, said + complaints
    assert findings(store) == findings(calm)
    assert not survivors(folder)
    twice = Counter(row.key for row in rows_of(store))
    assert max(twice.values()) == 1, "a stored run was run again"
    assert len(list(folder.iterdir())) <= naps + SLOTS * killed, "more than what was in flight"
    with closing(sqlite3.connect(store)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return len(twice)


def rows_of(store: Path) -> list[Row]:
    """All rows."""
    with Store(store, create=False) as opened:
        return list(opened.rows())


def test_killed_campaigns_lose_nothing(suite, tmp_path, fakes):
    """Kill -9 at some random moments and resuming: keys, verdicts and counts of a campaign that
    was not disturbed, no run of the store made twice, no process left.
    """
    assert kill_and_resume(suite, tmp_path, 4, seed=1) == 4


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", [2, 3])
def test_campaigns_killed_often_lose_nothing(seed, tmp_path, fakes):
    """The same at 20 moments of a campaign of 40 runs."""
    assert kill_and_resume(written(tmp_path, 10), tmp_path, 20, seed) == 40


def test_two_campaigns_may_write_to_one_store(suite, tmp_path, fakes):
    """Each keeps all its rows, also if a third is killed meanwhile; the store stays whole."""
    store = tmp_path / "shared.sqlite"
    started = [start(suite, store, resume=False) for _ in range(3)]
    try:
        wait_for(lambda: len(stored(store)) > 1)
        started[0].kill()
        for campaign in started[1:]:
            said = campaign.communicate(timeout=300)
            assert campaign.returncode == 0, said
    finally:
        for campaign in started:
            campaign.kill()
            campaign.communicate()
    with Store(store, create=False) as opened:
        campaigns = {c.id: c.ended for c in opened.campaigns()}
        keys = {number: [row.key for row in opened.rows(number)] for number in campaigns}
    whole = [keys[number] for number, ended in campaigns.items() if ended]
    assert [len(found) for found in whole] == [4, 4]
    assert set(whole[0]) == set(whole[1])
    assert len(set(whole[0])) == 4
    assert not survivors(Path(os.environ["FAKE_PIDS"]))
    with closing(sqlite3.connect(store)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def stored(store: Path) -> list[Any]:
    """The solvers of the rows that another process has committed."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=30)) as db:
            return db.execute("SELECT solver FROM runs").fetchall()
    except sqlite3.OperationalError:
        return []


@pytest.mark.parametrize("unique", ["false", "true"])
def test_preparations_can_be_interrupted(unique, tmp_path, fakes):
    """Ctrl-C while a thousand boards are made acts at once, whether they are judged in child
    processes or not: exit 130, a word, no rows, no process left.
    """
    path = tmp_path / "many.toml"
    path.write_text(
        "engines = ['nap']\n[[instances]]\ngenerate = 'net'\nsize = 40\nnumber = 1000\n"
        f"unique = {unique}\n"
    )
    assert find_suite(str(path)).instances[0].number == 1000
    campaign = start(str(path), tmp_path / "x.sqlite")
    wait_for((tmp_path / "x.sqlite").exists)
    time.sleep(0.5)
    campaign.send_signal(signal.SIGINT)
    before = time.monotonic()
    said, complaints = campaign.communicate(timeout=60)
    assert campaign.returncode == 130, said + complaints
    assert "interrupted while preparing" in said
    assert "Traceback" not in complaints
    assert time.monotonic() - before < 20
    assert not survivors(Path(os.environ["FAKE_PIDS"]))
    assert not rows_of(tmp_path / "x.sqlite")
