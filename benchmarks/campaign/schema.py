"""The tables of a store, their version, and how older stores become new ones."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from .columns import COLUMNS

SCHEMA_VERSION = 3
APPLICATION_ID = 0x706C6D62  # "plmb"

_NEWLINE = ",\n    "
TABLES = (
    """CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,  -- the same in every copy of the store
    suite TEXT NOT NULL,
    started TEXT NOT NULL,   -- UTC, ISO 8601
    settings TEXT NOT NULL,  -- JSON
    host TEXT NOT NULL,      -- JSON
    ended TEXT,              -- missing: it runs, or was killed
    closing TEXT             -- JSON: what was known at its end
)""",
    f"""CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    campaign INTEGER NOT NULL REFERENCES campaigns (id),
    run INTEGER NOT NULL,    -- number within the campaign
    {_NEWLINE.join(column.sql for column in COLUMNS)},
    UNIQUE (campaign, run)
)""",
    """CREATE TABLE members (     -- runs of earlier campaigns that a campaign kept
    campaign INTEGER NOT NULL REFERENCES campaigns (id),
    run INTEGER NOT NULL REFERENCES runs (id),
    PRIMARY KEY (campaign, run)
) WITHOUT ROWID""",
    """CREATE TABLE instances (
    fingerprint TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    family TEXT NOT NULL,
    rules TEXT NOT NULL,
    objective TEXT,          -- "least rotations", "most length"
    vertices INTEGER NOT NULL,
    edges INTEGER NOT NULL,
    ports INTEGER NOT NULL,
    puzzle TEXT NOT NULL     -- plumbench's own JSON
)""",
)

_RENAMED = {"wall_limit_s": "seconds", "node_limit": "nodes"}
_ADDED = {"run": "id", "repeat": "0", "workers": "1", "group": "''", "seed": "NULL"}
"""What stands in columns that schema 2 did not have, where it is not NULL. Its seed was one that
the variant's name says anyway; the seed of schema 3 is that of the reshuffling.
"""


def prepare(db: sqlite3.Connection) -> None:
    """Make an empty database a store, or an old store a new one; in one transaction, so that
    two processes which open a file at once do not collide. Call after ``recognise``.
    """
    if pragma(db, "user_version") == SCHEMA_VERSION:
        return
    with transaction(db):
        version = pragma(db, "user_version")
        if version == 0:
            for statement in TABLES:
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        if version == 1:
            db.execute("ALTER TABLE runs ADD COLUMN cost TEXT")
            db.execute("ALTER TABLE runs ADD COLUMN bound TEXT")
        if version in (1, 2):
            _from_2_to_3(db)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def recognise(db: sqlite3.Connection) -> str | None:
    """What keeps this database from being a store, or one that can be read; None if nothing."""
    version = pragma(db, "user_version")
    tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if (tables or version) and pragma(db, "application_id") != APPLICATION_ID:
        return "a database of another program"
    if version > SCHEMA_VERSION:
        return (
            f"schema version {version}, made by a newer plumbench; "
            f"this one reads up to {SCHEMA_VERSION}"
        )
    return None


def pragma(db: sqlite3.Connection, name: str) -> int:
    """The number that a pragma gives."""
    return db.execute(f"PRAGMA {name}").fetchone()[0]


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # what went wrong may have rolled back already
            db.execute("ROLLBACK")
        raise


def _from_2_to_3(db: sqlite3.Connection) -> None:
    """Copy into new tables, so that a migrated store is the same as a new one."""
    db.create_function("identity", -1, _identity, deterministic=True)
    db.create_function("solution_texts", 3, _solution_texts, deterministic=True)
    db.execute("DROP INDEX runs_by_job")
    for table in ("campaigns", "runs"):
        db.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    for statement in TABLES:
        db.execute(statement)
    db.execute(
        "INSERT INTO campaigns (id, uuid, suite, started, settings, host) SELECT id, "
        "identity(id, suite, started, settings, host), suite, started, settings, host "
        "FROM old_campaigns"
    )
    old = {row[1] for row in db.execute("PRAGMA table_info(old_runs)")}
    sources = {"id": "id", "campaign": "campaign", "run": "id"}
    for column in COLUMNS:
        name = column.name
        given = _RENAMED.get(name, name)
        sources[name] = _ADDED.get(name) or (f'"{given}"' if given in old else "NULL")
    sources["solutions"] = "solution_texts(solutions, shown, ports)"
    names = ", ".join(f'"{name}"' for name in sources)
    db.execute(f"INSERT INTO runs ({names}) SELECT {', '.join(sources.values())} FROM old_runs")
    db.execute("DROP TABLE old_runs")
    db.execute("DROP TABLE old_campaigns")


def _identity(*what: Any) -> str:
    """The UUID of a campaign from before there were any: the same for every copy of its store."""
    return str(uuid.uuid5(uuid.UUID(int=APPLICATION_ID), json.dumps(what)))


def _solution_texts(data: Any, shown: Any, ports: Any) -> str:
    """Solutions in the old form, one packed after the other, in the new. Bytes that are no
    solutions stay visible as something that is none.
    """
    try:
        size = (ports + 7) // 8
        if len(data) != shown * size:
            raise ValueError
        parts = [data[i * size : (i + 1) * size].hex() for i in range(shown)]
    except (ValueError, TypeError, AttributeError):
        return f"damaged {data!r}"
    return " ".join(f"{ports}:{part}" for part in parts)
