"""The store of a campaign: one SQLite file, one row per run, written the moment the run ends.

A row is one transaction, so a killed campaign keeps every run that had ended. The schema's
version stands in the file (``user_version``); a newer file is refused, not guessed at.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from ...puzzles.errors import UsageError
from ...puzzles.model import Solution
from ...solvers.contract import Reason, Status
from ..processes.jobs import Job, Outcome, Result, Task

SCHEMA_VERSION = 2
APPLICATION_ID = 0x706C6D62  # "plmb"
BUSY_SECONDS = 30.0

_SCHEMA = """
CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY,
    suite TEXT NOT NULL,
    started TEXT NOT NULL,   -- UTC, ISO 8601
    settings TEXT NOT NULL,  -- JSON
    host TEXT NOT NULL       -- JSON: see host.py
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    campaign INTEGER NOT NULL REFERENCES campaigns (id),
    ended TEXT NOT NULL,
    fingerprint TEXT NOT NULL, name TEXT NOT NULL, family TEXT NOT NULL, rules TEXT NOT NULL,
    solver TEXT NOT NULL, task TEXT NOT NULL,
    solution_limit INTEGER, seconds REAL, nodes INTEGER, seed INTEGER,
    outcome TEXT NOT NULL, status TEXT NOT NULL, reason TEXT,
    count TEXT, exact INTEGER,  -- text: counts outgrow 64 bits
    import_s REAL, encode_s REAL, solve_s REAL, verify_s REAL, total_s REAL, overshoot_s REAL,
    cpu_s REAL, peak_rss INTEGER, load REAL,
    stats TEXT NOT NULL, versions TEXT NOT NULL, message TEXT NOT NULL,  -- JSON, JSON, text
    solutions BLOB NOT NULL,  -- packed bits, each solution begins a byte
    shown INTEGER NOT NULL, ports INTEGER NOT NULL,
    cost TEXT, bound TEXT
);
CREATE INDEX runs_by_job ON runs (fingerprint, solver, task);
"""

_MIGRATIONS = {
    1: ("ALTER TABLE runs ADD COLUMN cost TEXT", "ALTER TABLE runs ADD COLUMN bound TEXT")
}
"""What brings a store of each older version to the next one."""

TIMES = ("import", "encode", "solve", "verify", "total", "overshoot")


@dataclass(frozen=True, slots=True)
class JobKey:
    """What makes two runs the same run: resuming skips those that are there.

    ``versions`` are those of Python, plumbench and the engine's packages, sorted.
    """

    fingerprint: str
    solver: str
    task: Task
    limit: int | None
    seconds: float | None
    nodes: int | None
    versions: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, job: Job, versions: dict[str, str]) -> JobKey:
        """The key of a job under these versions."""
        return cls(
            job.puzzle.fingerprint,
            job.solver,
            job.task,
            job.limit,
            None if job.seconds is None else float(job.seconds),
            job.nodes,
            tuple(sorted(versions.items())),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A run as it is stored. ``load`` is the machine's load average when the run ended."""

    key: JobKey
    name: str
    family: str
    rules: str
    result: Result
    load: float | None = None
    ended: str = ""
    campaign: int = 0


class Store:
    """A store file, created if it is not there. Raises UsageError for a file that is not a
    store or was made by a newer plumbench.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        with self._trouble():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self._open()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; rows are safe already."""
        self._db.close()

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        """A file that is damaged, full or locked is the caller's to mend, so a UsageError."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"store {self.path}: {error}; expected a plumbench store") from error

    def _open(self) -> None:
        version, application = self._pragma("user_version"), self._pragma("application_id")
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if (tables or version) and application != APPLICATION_ID:
            self._db.close()
            raise UsageError(f"store {self.path}: a database of another program")
        if version > SCHEMA_VERSION:
            self._db.close()
            raise UsageError(
                f"store {self.path}: schema version {version}, made by a newer plumbench; "
                f"this one reads up to {SCHEMA_VERSION}"
            )
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if version == 0:
            self._create()
        else:
            self._migrate()

    def _pragma(self, name: str) -> int:
        return self._db.execute(f"PRAGMA {name}").fetchone()[0]

    def _create(self) -> None:
        with self._transaction():
            if self._pragma("user_version") == 0:
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _migrate(self) -> None:
        if self._pragma("user_version") == SCHEMA_VERSION:
            return
        with self._transaction():
            for version in range(self._pragma("user_version"), SCHEMA_VERSION):
                for statement in _MIGRATIONS[version]:
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {version + 1}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing: two processes that open a file at once do not collide."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # what went wrong may have rolled back already
                self._db.execute("ROLLBACK")
            raise

    def begin_campaign(self, suite: str, settings: dict[str, Any], host: dict[str, Any]) -> int:
        """Note a campaign; gives its number."""
        with self._trouble():
            cursor = self._db.execute(
                "INSERT INTO campaigns (suite, started, settings, host) VALUES (?, ?, ?, ?)",
                (suite, _now(), json.dumps(settings), json.dumps(host)),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def add(self, campaign: int, row: Row) -> None:
        """Write one run, in one transaction."""
        key, result = row.key, row.result
        ports = result.solutions[0].size if result.solutions else 0
        shown = [s for s in result.solutions if s.size == ports]
        values: dict[str, Any] = {
            "campaign": campaign,
            "ended": row.ended or _now(),
            "fingerprint": key.fingerprint,
            "name": row.name,
            "family": row.family,
            "rules": row.rules,
            "solver": key.solver,
            "task": key.task,
            "solution_limit": key.limit,
            "seconds": key.seconds,
            "nodes": key.nodes,
            "seed": _seed(key.solver),
            "outcome": result.outcome.value,
            "status": result.status.value,
            "reason": None if result.reason is None else result.reason.value,
            "count": _text(result.count),
            "exact": result.exact,
            **{f"{name}_s": result.times.get(name) for name in TIMES},
            "cpu_s": result.cpu,
            "peak_rss": result.peak_rss,
            "load": row.load,
            "stats": json.dumps(result.stats),
            "versions": json.dumps(dict(key.versions)),
            "message": result.message,
            "solutions": b"".join(np.packbits(s).tobytes() for s in shown),
            "shown": len(shown),
            "ports": ports,
            "cost": _text(result.cost),
            "bound": _text(result.bound),
        }
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        with self._trouble():
            self._db.execute(f"INSERT INTO runs ({names}) VALUES ({marks})", (*values.values(),))

    def rows(self, campaign: int | None = None) -> Iterator[Row]:
        """The runs, oldest first: of one campaign, or all. Raises UsageError for a row that
        cannot be read.
        """
        where = "" if campaign is None else " WHERE campaign = ?"
        parameters = () if campaign is None else (campaign,)
        cursor = self._db.cursor()
        cursor.row_factory = sqlite3.Row
        with closing(cursor), self._trouble():
            for record in cursor.execute(f"SELECT * FROM runs{where} ORDER BY id", parameters):
                try:
                    row = _row(record)
                except (ValueError, TypeError, AttributeError) as error:
                    raise UsageError(
                        f"store {self.path}: run {record['id']} cannot be read: {error}"
                    ) from error
                yield row

    def finished(self) -> dict[JobKey, Row]:
        """The latest row of every run that need not be run again."""
        return {r.key: r for r in self.rows() if r.result.outcome is not Outcome.INTERRUPTED}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _text(number: int | None) -> str | None:
    """Numbers that may outgrow SQLite's 64 bits are kept as text."""
    return None if number is None else str(number)


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _seed(solver: str) -> int | None:
    """The seed that a variant names, as in ``engine:seed=3``."""
    for option in solver.split("+")[0].split(":")[1:]:
        name, _, value = option.partition("=")
        if name == "seed" and value.isdecimal():
            return int(value)
    return None


def _row(record: sqlite3.Row) -> Row:
    versions = json.loads(record["versions"])
    key = JobKey(
        record["fingerprint"],
        record["solver"],
        record["task"],
        record["solution_limit"],
        record["seconds"],
        record["nodes"],
        tuple(sorted(versions.items())),
    )
    times = {name: record[f"{name}_s"] for name in TIMES if record[f"{name}_s"] is not None}
    result = Result(
        Outcome(record["outcome"]),
        Status(record["status"]),
        None if record["reason"] is None else Reason(record["reason"]),
        solutions=_solutions(record["solutions"], record["shown"], record["ports"]),
        cost=_number(record["cost"]),
        bound=_number(record["bound"]),
        count=_number(record["count"]),
        exact=None if record["exact"] is None else bool(record["exact"]),
        stats=json.loads(record["stats"]),
        times=times,
        cpu=record["cpu_s"],
        peak_rss=record["peak_rss"],
        message=record["message"],
        versions=versions,
    )
    plain = {
        f.name: record[f.name] for f in fields(Row) if f.name in ("name", "family", "rules", "load")
    }
    return Row(key, result=result, ended=record["ended"], campaign=record["campaign"], **plain)


def _solutions(data: bytes, shown: int, ports: int) -> tuple[Solution, ...]:
    bits = np.frombuffer(data, dtype=np.uint8).reshape(shown, (ports + 7) // 8)
    return tuple(np.unpackbits(bits, axis=1, count=ports).astype(np.bool_))
