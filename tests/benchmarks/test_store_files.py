"""The file of a store: older schemas, several and killed writers, full and read-only places."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from harness import HERE, parallel
from plumbench.benchmarks.campaign import opening
from plumbench.benchmarks.campaign.columns import COLUMNS, ORIGIN
from plumbench.benchmarks.campaign.schema import APPLICATION_ID, SCHEMA_VERSION
from plumbench.benchmarks.campaign.store import BadRow, Store
from plumbench.benchmarks.campaign.transfer import export
from plumbench.puzzles.errors import InputError, UsageError
from plumbench.puzzles.formats import loads
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.raw import RawPuzzle
from test_store import a_row

OLD = """
CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY, suite TEXT NOT NULL, started TEXT NOT NULL,
    settings TEXT NOT NULL, host TEXT NOT NULL
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    campaign INTEGER NOT NULL REFERENCES campaigns (id),
    ended TEXT NOT NULL,
    fingerprint TEXT NOT NULL, name TEXT NOT NULL, family TEXT NOT NULL, rules TEXT NOT NULL,
    solver TEXT NOT NULL, task TEXT NOT NULL,
    solution_limit INTEGER, seconds REAL, nodes INTEGER, seed INTEGER,
    outcome TEXT NOT NULL, status TEXT NOT NULL, reason TEXT,
    count TEXT, exact INTEGER,
    import_s REAL, encode_s REAL, solve_s REAL, verify_s REAL, total_s REAL, overshoot_s REAL,
    cpu_s REAL, peak_rss INTEGER, load REAL,
    stats TEXT NOT NULL, versions TEXT NOT NULL, message TEXT NOT NULL,
    solutions BLOB NOT NULL,
    shown INTEGER NOT NULL, ports INTEGER NOT NULL
);
CREATE INDEX runs_by_job ON runs (fingerprint, solver, task);
INSERT INTO campaigns VALUES (
    4, 's', '2026-01-02T03:04:05.678+00:00', '{"jobs": 2}', '{"cores": 2}'
);
INSERT INTO runs VALUES (
    9, 4, '2026-01-02T03:04:06.000+00:00', 'abc', 'board', 'board', 'tree', 'sat:seed=7', 'count',
    2, 3.0, NULL, 7, 'answered', 'satisfiable', NULL, '2', 0, 0.5, 0.01, 0.02, 0.003, 0.6, NULL,
    0.04, 1000, 1.5, '{"decisions": 12}', '{"python": "3.11.2"}', '', x'a5c0ffe0', 2, 11
);
INSERT INTO runs SELECT 10, campaign, ended, fingerprint, name, family, rules, solver, task,
    solution_limit, seconds, nodes, seed, outcome, status, reason, count, exact, import_s, encode_s,
    solve_s, verify_s, total_s, overshoot_s, cpu_s, peak_rss, load, stats, versions, message,
    x'00', shown, ports FROM runs;
"""
"""A store as schema 1 had it: one run, and one whose solutions are damaged."""


def old_store(path: Path, version: int) -> None:
    """Make a store of an older schema."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(OLD)
        if version == 2:
            db.executescript(
                "ALTER TABLE runs ADD COLUMN cost TEXT; ALTER TABLE runs ADD COLUMN bound TEXT;"
                "UPDATE runs SET cost = '-5', bound = '99999999999999999999'"
            )
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {version}")
        db.commit()


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("create", [True, False])
def test_older_stores_are_taken_over(tmp_path, version, create):
    """Every value of an old run is found again; to a reader the file stays as it is."""
    path = tmp_path / "x.sqlite"
    old_store(path, version)
    before = path.read_bytes()
    bad: list[BadRow] = []
    with Store(path, create=create) as store:
        [row] = store.rows(bad=bad)
        [campaign] = store.campaigns()
        schema = {r["name"]: r["sql"] for r in store.query("SELECT name, sql FROM sqlite_master")}
    assert [b.id for b in bad] == [10]
    assert "solutions" in bad[0].why
    key, result = row.key, row.result
    assert (key.solver, key.task, key.limit, key.seconds) == ("sat:seed=7", "count", 2, 3.0)
    assert (key.nodes, key.cpu, key.memory, key.seed, key.repeat) == (None, None, None, None, 0)
    assert result.times == {
        "import": 0.5, "encode": 0.01, "solve": 0.02, "verify": 0.003, "total": 0.6
    }  # fmt: skip
    assert (result.cost, result.bound) == (
        (-5, 99999999999999999999) if version == 2 else (None,) * 2
    )
    assert [s.astype(int).tolist() for s in result.solutions] == [
        [1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0], [1] * 11
    ]  # fmt: skip
    assert (result.cpu, result.peak_rss, result.workers) == (0.04, 1000, 1)
    assert result.where is not None
    assert (result.where.cores, result.where.load) == (None, 1.5)
    assert (row.id, row.campaign, row.group, row.ended[:10]) == (9, 4, "", "2026-01-02")
    assert (campaign.settings, campaign.host) == ({"jobs": 2}, {"cores": 2})
    with Store(tmp_path / "new.sqlite") as new:
        fresh = {r["name"]: r["sql"] for r in new.query("SELECT name, sql FROM sqlite_master")}
    assert schema == fresh
    if not create:
        assert path.read_bytes() == before
        assert os.listdir(tmp_path) in (["x.sqlite", "new.sqlite"], ["new.sqlite", "x.sqlite"])


def test_copies_of_an_old_store_stay_copies(tmp_path):
    """Two copies taken over one by one export the same bytes: same identity, nothing doubled."""
    lines = []
    for name in ("a.sqlite", "b.sqlite"):
        old_store(tmp_path / name, 2)
        with Store(tmp_path / name) as store:
            lines.append(list(export(store)))
    assert lines[0] == lines[1]
    assert len(lines[0]) == 2


def writer(path: Path, name: str, number: int) -> subprocess.Popen[str]:
    """A process that writes runs and says after each one that it is written."""
    code = """
        import sys
        from test_store import a_row
        from plumbench.benchmarks.campaign.store import Store
        path, name, number = sys.argv[1:]
        print("ready", flush=True)
        sys.stdin.readline()
        with Store(path) as store:
            campaign = store.begin_campaign(name, {}, {})
            for run in range(int(number)):
                store.add(campaign, a_row(solver=f"{name}{run}"))
                print(run + 1, flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(path), name, str(number)],
        env={**os.environ, "PYTHONPATH": str(HERE)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    """Let a writer begin."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_campaigns_that_begin_and_write_at_once_lose_nothing(tmp_path):
    """Four processes make the same new store and write to it together, a reader looking on."""
    path = tmp_path / "x.sqlite"
    processes = [writer(path, name, 25) for name in "abcd"]
    for process in processes:
        go(process)
    while not path.exists():
        time.sleep(0.001)
    with Store(path) as store:
        while any(process.poll() is None for process in processes):
            list(store.rows())
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0] * 4
    with Store(path, create=False) as store:
        names = {info.id: info.suite for info in store.campaigns()}
        found = [(names[row.campaign], row.key.solver) for row in store.rows()]
        numbers = [r["run"] for r in store.query("SELECT run FROM runs ORDER BY campaign, run")]
    assert sorted(found) == sorted((name, f"{name}{run}") for name in "abcd" for run in range(25))
    assert numbers == list(range(1, 26)) * 4


@pytest.mark.parametrize("kills", [4, pytest.param(40, marks=pytest.mark.fuzz)])
def test_kill_9_at_any_moment_loses_at_most_the_run_in_flight(tmp_path, kills):
    """What a writer had said was written is there, whole, after each kill; the file is sound."""
    path, chance, sure = tmp_path / "x.sqlite", random.Random(kills), 0
    for kill in range(kills):
        process = writer(path, f"w{kill}-", 10**6)
        go(process)
        assert process.stdout is not None
        said = len(process.stdout.readline()) > 0 if chance.random() < 0.8 else 0
        time.sleep(chance.random() * 0.1)
        process.send_signal(signal.SIGKILL)
        said += len(process.communicate()[0].splitlines())
        with Store(path) as store:
            rows = list(store.rows())
            here = [row for row in rows if row.key.solver.startswith(f"w{kill}-")]
            assert len(here) - said in (0, 1)
            assert len(rows) == sure + len(here)
            sure = len(rows)
            [sound] = store.query("PRAGMA integrity_check")
            assert sound[0] == "ok"
    assert sure > 0


def test_reading_neither_makes_nor_changes_a_file(tmp_path):
    """A reader of no store, an empty file or a store left by a killed campaign changes nothing."""
    path = tmp_path / "x.sqlite"
    with pytest.raises(UsageError, match="no such file"):
        Store(path, create=False)
    path.touch()
    with pytest.raises(UsageError, match="empty"):
        Store(path, create=False)
    assert os.listdir(tmp_path) == ["x.sqlite"]
    with Store(path) as store:
        store.add(store.begin_campaign("s", {}, {}), a_row())
    before = path.read_bytes()
    with Store(path, create=False) as store:
        assert len(list(store.rows())) == 1
        with pytest.raises(UsageError, match="readonly"):
            store.begin_campaign("s", {}, {})
    assert (path.read_bytes(), os.listdir(tmp_path)) == (before, ["x.sqlite"])
    process = writer(path, "w", 10**6)
    go(process)
    assert process.stdout is not None
    process.stdout.readline()
    process.kill()
    process.communicate()
    journal = tmp_path / "x.sqlite-wal"
    assert journal.stat().st_size
    left = path.read_bytes(), journal.read_bytes()
    with Store(path, create=False) as store:
        assert len(list(store.rows())) >= 2
    assert (path.read_bytes(), journal.read_bytes()) == left


def test_a_store_where_nothing_can_be_written_is_read_all_the_same(tmp_path, monkeypatch):
    """With SQLite's helper files impossible the store is copied, what its journal holds too."""
    path = tmp_path / "x.sqlite"
    with Store(path) as store:
        store.add(store.begin_campaign("s", {}, {}), a_row(solver="first"))
    open_store = Store(path)
    open_store.add(1, a_row(solver="second"))
    assert Path(f"{path}-wal").stat().st_size

    def fail(path: Path) -> str:
        return f"file:{path.parent}/none/x.sqlite?mode=ro"

    monkeypatch.setattr(opening, "_address", fail)
    with Store(path, create=False) as store:
        assert [row.key.solver for row in store.rows()] == ["first", "second"]
    open_store.close()


def test_places_that_cannot_be_written_are_one_clear_error(tmp_path):
    """A file in the way of the folder, a folder in the way of the file, a name too long."""
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "x.sqlite", tmp_path, tmp_path / ("x" * 300)):
        for create in (True, False):
            with pytest.raises(UsageError) as caught:
                Store(path, create=create)
            assert str(caught.value).startswith(f"store {path}: ")
            assert "\n" not in str(caught.value)


def test_a_full_disk_is_one_clear_error_and_keeps_what_was_there(tmp_path):
    """The run that did not fit is refused, the store stays readable."""
    path = tmp_path / "x.sqlite"
    with Store(path) as store:
        campaign = store.begin_campaign("s", {}, {})
        for number in range(3):
            store.add(campaign, a_row(solver=f"engine{number}"))
        [pages] = store.query("PRAGMA page_count")
        list(store.query(f"PRAGMA max_page_count = {pages[0]}"))
        with pytest.raises(UsageError, match="full") as caught:
            store.add(campaign, a_row(message="x" * 100_000))
        assert "expected" not in str(caught.value)
        assert len(list(store.rows())) == 3
    with Store(path, create=False) as store:
        assert len(list(store.rows())) == 3


def test_kept_runs_belong_to_both_campaigns(tmp_path):
    """rows(campaign) are its own and those it kept; keeping twice is keeping once."""
    with Store(tmp_path / "x.sqlite") as store:
        first = store.begin_campaign("s", {}, {})
        identities = [store.add(first, a_row(solver=name)) for name in ("one", "two")]
        second = store.begin_campaign("s", {}, {})
        done = store.finished()
        assert [row.id for row in done.values()] == identities
        kept = [row for row in done.values() if row.key.solver == "two"]
        store.keep(second, kept)
        store.keep(second, kept)
        store.add(second, a_row(solver="three"))
        assert [row.key.solver for row in store.rows(second)] == ["two", "three"]
        assert [row.key.solver for row in store.rows(first)] == ["one", "two"]
        assert [row.campaign for row in store.rows()] == [first, first, second]


def test_what_cannot_be_read_is_set_aside(tmp_path):
    """H11: one damaged cell, also bytes that are no UTF-8, costs its run alone, and is named."""
    with Store(tmp_path / "x.sqlite") as store:
        campaign = store.begin_campaign("s", {}, {})
        for number in range(4):
            store.add(campaign, a_row(solver=f"engine{number}"))
        store.execute("UPDATE runs SET solve_s = 'True' WHERE id = 2")
        store.execute("UPDATE runs SET solver = CAST(x'ff' AS TEXT) WHERE id = 3")
        bad: list[BadRow] = []
        assert [row.id for row in store.rows(campaign, bad)] == [1, 4]
        assert [row.id for row in bad] == [2, 3]
        assert bad[0].why == "solve_s: found 'True', expected a number, 0 or more"
        assert len(store.finished()) == 2  # the others are run again


def test_puzzles_come_back(tmp_path):
    """A store gives its puzzles with their objective, and says if one is not what it was."""
    [board] = loads("3x3:1313f3131", rules="match")
    path = RawPuzzle(parallel(3), "edges")
    [maps] = loads("3 2/1 1/1 1/1 1")
    best = maps.with_objective(Objective("length", maximise=True))
    with Store(tmp_path / "x.sqlite") as store:
        store.add_instances([board, path, best, maps])
        store.add_instances([board])
        found = store.instances()
        for instance in (board, path, best, maps):
            info = found[instance.puzzle.fingerprint]
            back = info.instance()
            assert back.puzzle.fingerprint == instance.puzzle.fingerprint
            assert (info.name, info.family, info.rules) == (
                instance.name, instance.family, instance.rules
            )  # fmt: skip
            assert (back.objective, back.rules) == (instance.objective, instance.rules)
            assert (info.vertices, info.edges, info.ports) == (
                instance.puzzle.vertices, instance.puzzle.edges, instance.puzzle.ports
            )  # fmt: skip
        assert len(found) == 4
        store.execute("UPDATE instances SET puzzle = '3x3:1313f3131' WHERE family = 'puzzle'")
        with pytest.raises(InputError, match="another puzzle"):
            store.instances()[path.puzzle.fingerprint].instance()


def test_campaigns_tell_how_they_began_and_ended(tmp_path):
    """Settings, machine and closing facts come back; one that was killed has no end."""
    with Store(tmp_path / "x.sqlite") as store:
        first = store.begin_campaign("s", {"seconds": 5}, {"cores": 2})
        second = store.begin_campaign("t", {}, {})
        store.end_campaign(second, {"wall": 1.5})
        one, two = store.campaigns()
        assert (one.id, one.suite, one.settings, one.host) == (
            first, "s", {"seconds": 5}, {"cores": 2}
        )  # fmt: skip
        assert (one.ended, one.closing) == (None, None)
        assert two.ended is not None
        assert two.closing == {"wall": 1.5}
        assert one.uuid != two.uuid
        assert store.campaign(second) == two
        with pytest.raises(UsageError, match="expected one of 1, 2"):
            store.campaign(3)
        store.execute("UPDATE campaigns SET settings = '{'")
        with pytest.raises(UsageError, match="campaign 1 cannot be read"):
            store.campaigns()


def test_the_schema_version_is_that_of_the_tables(tmp_path):
    """Opening a store again changes nothing of its version."""
    path = tmp_path / "x.sqlite"
    for _ in range(2):
        with Store(path) as store:
            assert next(store.query("PRAGMA user_version"))[0] == SCHEMA_VERSION


def test_the_document_has_every_column_with_its_meaning():
    """docs/store.md is the dictionary: each column, in order, as the code says it."""
    text = (HERE.parents[1] / "docs" / "store.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    wanted = [
        f"| `{column.name}` | {column.means} | {'yes' if column.optional else ''} |"
        for column in (*ORIGIN, *COLUMNS)
    ]
    assert [line for line in lines if line in wanted] == wanted
