"""The store: what goes in comes out, rows survive kill -9, strange files are refused."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest
from harness import HERE, parallel
from plumbench.benchmarks.campaign.store import SCHEMA_VERSION, JobKey, Row, Store
from plumbench.benchmarks.processes.jobs import Job, Outcome, Result, Where
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.model import Puzzle
from plumbench.solvers.contract import Reason, Status

VERSIONS = {"python": "3.11.2", "plumbench": "0.1.0", "fake": "1"}


def a_row(puzzle: Puzzle | None = None, *, solver: str = "sat:seed=7", **changes) -> Row:
    """A row with every field set."""
    job = Job(
        puzzle or parallel(3),
        solver,
        "count",
        limit=2,
        seconds=5,
        nodes=9,
        cpu=4.5,
        memory=10**9,
        seed=-3,
    )
    result = Result(
        Outcome.ANSWERED,
        Status.SATISFIABLE,
        Reason.NODES,
        solutions=tuple(np.random.default_rng(1).random((2, 11)) < 0.5),
        count=2,
        exact=False,
        stats={"decisions": 12, "share": 0.5, "core": "glucose4"},
        times={
            "start": 0.1,
            "import": 0.5,
            "encode": 0.01,
            "solve": 0.02,
            "verify": 0.003,
            "total": 0.6,
            "overshoot": 0.2,
        },
        cpu=0.04,
        peak_rss=123456789,
        message="a note",
        versions=VERSIONS,
        where=Where("here", (0, 4), 1.5),
        workers=2,
    )
    key = JobKey.of(job, VERSIONS, repeat=1)
    return Row(key, "board", "board", "tree", "small", replace(result, **changes))


def same(a: Row, b: Row) -> bool:
    """Equal but for when and where they were stored; arrays compared by value."""
    x, y = a.result, b.result
    shown = [[s.tolist() for s in r.solutions] for r in (x, y)]
    bare = [replace(r, solutions=()) for r in (x, y)]
    plain = [replace(row, result=bare[0], ended="", campaign=0, id=0) for row in (a, b)]
    return shown[0] == shown[1] and bare[0] == bare[1] and plain[0] == plain[1]


def test_a_row_comes_back_as_it_was(tmp_path):
    """Every field of a run survives the file."""
    row = a_row()
    with Store(tmp_path / "deep" / "x.sqlite") as store:
        campaign = store.begin_campaign("s", {"seconds": 5}, {"cores": 2})
        store.add(campaign, row)
    with Store(tmp_path / "deep" / "x.sqlite") as store:
        (back,) = store.rows(campaign)
        assert same(row, back)
        assert back.campaign == campaign
        assert back.ended.startswith("20")
        assert list(store.rows(campaign + 1)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"solutions": (), "count": None, "exact": None, "reason": None, "cpu": None},
        {"count": 7959229931520**3, "exact": True},
        {"solutions": (np.zeros(0, dtype=np.bool_),)},
        {"outcome": Outcome.CRASHED, "status": Status.UNKNOWN, "times": {}, "peak_rss": None},
        {"outcome": Outcome.TIMEOUT, "times": {"total": 5.3, "overshoot": 0.3}},
    ],
)
def test_odd_rows_come_back_too(tmp_path, changes):
    """No solution, a count beyond 64 bits, a solution without ports, no times."""
    row = a_row(**changes)
    with Store(tmp_path / "x.sqlite") as store:
        store.add(store.begin_campaign("s", {}, {}), row)
        (back,) = store.rows()
    assert same(row, back)


def test_columns_can_be_read_by_other_tools(tmp_path):
    """Plain SQL finds solver, seed, times and outcome in columns of their own."""
    with Store(tmp_path / "x.sqlite") as store:
        store.add(store.begin_campaign("s", {}, {}), a_row())
    with sqlite3.connect(tmp_path / "x.sqlite") as db:
        query = 'SELECT solver, seed, solve_s, outcome, exact, wall_limit_s, "group" FROM runs'
        found = db.execute(query).fetchall()
        assert found == [("sat:seed=7", -3, 0.02, "answered", 0, 5.0, "small")]
    db.close()


def test_finished_tells_runs_apart_by_everything_that_matters(tmp_path):
    """Another puzzle, engine, question, limit or version is another run; one that was interrupted
    or whose engine was not there is none.
    """
    row = a_row()
    base = Job(
        parallel(3), "sat:seed=7", "count", 2, seconds=5.0, nodes=9, cpu=4.5, memory=10**9, seed=-3
    )
    jobs = [
        replace(base, puzzle=parallel(4)),
        replace(base, solver="sat"),
        replace(base, task="solve"),
        replace(base, limit=3),
        replace(base, seconds=6.0),
        replace(base, nodes=None),
        replace(base, cpu=5.0),
        replace(base, memory=None),
        replace(base, seed=None),
    ]
    others = [JobKey.of(job, VERSIONS, 1) for job in jobs] + [
        JobKey.of(base, VERSIONS),
        JobKey.of(base, {**VERSIONS, "fake": "2"}, 1),
        JobKey.of(base, {"python": "3.11.2", "plumbench": "0.1.0"}, 1),
    ]
    with Store(tmp_path / "x.sqlite") as store:
        campaign = store.begin_campaign("s", {}, {})
        store.add(campaign, a_row(solver="stopped", outcome=Outcome.INTERRUPTED))
        store.add(campaign, a_row(solver="absent", outcome=Outcome.MISSING))
        assert store.finished() == {}
        store.add(campaign, row)
        done = store.finished()
    assert JobKey.of(base, VERSIONS, 1) in done
    assert not [key for key in others if key in done]
    assert len(set(others)) == len(others)


def test_strange_files_are_refused(tmp_path):
    """A newer schema, another program's database, a text file and a folder: one clear error."""
    path = tmp_path / "x.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.close()
    with pytest.raises(UsageError, match="newer plumbench"):
        Store(path)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE mine (x)")
    db.close()
    with pytest.raises(UsageError, match="another program"):
        Store(other)
    text = tmp_path / "x.txt"
    text.write_text("this is no database, but it is long enough to be looked at\n" * 20)
    with pytest.raises(UsageError, match="not a database"):
        Store(text)
    with pytest.raises(UsageError):
        Store(tmp_path)
    assert text.read_text().startswith("this is no database")


def test_rows_survive_kill_9(tmp_path):
    """A process that dies right after add has lost nothing; the row in hand is not there."""
    code = """
        import os, signal, sys
        from test_store import a_row
        from plumbench.benchmarks.campaign.store import Store
        store = Store(sys.argv[1])
        campaign = store.begin_campaign("s", {}, {})
        for number in range(3):
            store.add(campaign, a_row(solver=f"engine{number}"))
        store.database.execute("BEGIN")
        store.add(campaign, a_row(solver="lost"))
        os.kill(os.getpid(), signal.SIGKILL)
    """
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path / "x.sqlite")]
    assert subprocess.run(command, env=environment).returncode == -signal.SIGKILL
    with Store(tmp_path / "x.sqlite") as store:
        assert [row.key.solver for row in store.rows()] == ["engine0", "engine1", "engine2"]


def test_two_programs_may_write_to_one_store(tmp_path):
    """Two open stores take turns; neither loses a row."""
    with Store(tmp_path / "x.sqlite") as one, Store(tmp_path / "x.sqlite") as two:
        first, second = (s.begin_campaign("s", {}, {}) for s in (one, two))
        assert first != second
        for _ in range(5):
            one.add(first, a_row())
            two.add(second, a_row())
        assert len(list(one.rows())) == 10
        assert len(list(one.rows(second))) == 5


@pytest.mark.parametrize(
    "change",
    ["outcome = 'future'", "stats = '{'", "stats = NULL", "solutions = '11:00'", "count = 'x'"],
)
def test_rows_that_make_no_sense_are_refused(tmp_path, change):
    """A damaged row names the store and the run; it is neither skipped nor a crash."""
    file = tmp_path / "x.sqlite"
    with Store(file) as store:
        store.add(store.begin_campaign("s", {}, {}), a_row())
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '')")
        database.commit()
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute(f"UPDATE runs SET {change}")
        database.commit()
    with Store(file) as store, pytest.raises(UsageError, match="run 1 cannot be read"):
        list(store.rows())


def test_damaged_pages_are_refused(tmp_path):
    """A file whose pages are garbled is a UsageError wherever that is noticed."""
    file = tmp_path / "x.sqlite"
    with Store(file) as store:
        campaign = store.begin_campaign("s", {}, {})
        for number in range(50):
            store.add(campaign, a_row(solver=f"engine{number}"))
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(data)
    with Store(file) as store:
        with pytest.raises(UsageError, match="malformed"):
            store.finished()
        with pytest.raises(UsageError, match="malformed"):
            store.add(store.begin_campaign("s", {}, {}), a_row())


def test_a_measurement_that_makes_no_sense_is_kept_as_missing(tmp_path):
    """A negative or infinite time is no number to compute with: the message says what it was."""
    odd = a_row(cpu=-0.25, times={"total": float("nan"), "solve": float("inf"), "import": 1.5})
    with Store(tmp_path / "x.sqlite") as store:
        store.add(store.begin_campaign("s", {}, {}), odd)
        [row] = store.rows()
    assert row.result.cpu is None
    assert row.result.times == {"import": 1.5}
    assert row.result.message.splitlines()[0] == "a note"
    assert "cpu_s: found -0.25" in row.result.message
    assert "total_s: found nan" in row.result.message


def test_text_and_counters_that_files_cannot_hold_are_written_otherwise(tmp_path):
    """Infinite counters come back, NaN as NaN, both as JSON that every reader takes; lone
    surrogates, which UTF-8 does not know, are escaped.
    """
    odd = {"gap": float("inf"), "low": -float("inf"), "none": float("nan"), "n": np.int64(3)}
    with Store(tmp_path / "x.sqlite") as store:
        store.add(store.begin_campaign("s", {}, {}), a_row(stats=odd, message="a\udcffb"))
        [row] = store.rows()
        [[text]] = store.query("SELECT stats FROM runs")
    assert text == '{"gap": 1e999, "low": -1e999, "none": null, "n": 3}'
    none = row.result.stats.pop("none")
    assert none != none
    assert row.result.stats == {"gap": float("inf"), "low": -float("inf"), "n": 3}
    assert row.result.message == "a\\udcffb"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"workers": 0}, "workers: found 0"),
        ({"peak_rss": 2**63}, "peak_rss: found"),
        ({"status": "solved"}, "status: found 'solved'"),
        ({"times": {"teardown": 1.0}}, "times: found teardown"),
    ],
)
def test_what_could_not_be_read_back_is_not_written(tmp_path, changes, named):
    """A record that no reader would take is refused when it is written, by name."""
    with Store(tmp_path / "x.sqlite") as store:
        campaign = store.begin_campaign("s", {}, {})
        with pytest.raises(UsageError, match=named):
            store.add(campaign, a_row(**changes))
        assert list(store.rows()) == []


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_taken_away_is_noticed(tmp_path, replaced):
    """A row is never written to a file that has no name any more, or where another has it."""
    path = tmp_path / "x.sqlite"
    with Store(path) as store:
        campaign = store.begin_campaign("s", {}, {})
        store.add(campaign, a_row())
        path.rename(tmp_path / "elsewhere.sqlite")
        if replaced:
            path.touch()
        with pytest.raises(UsageError, match="removed or replaced"):
            store.add(campaign, a_row(solver="other"))
        with pytest.raises(UsageError, match="removed or replaced"):
            store.add_instances([])
