"""Opening the file of a store, to write or only to read. What is wrong is one UsageError."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ...puzzles.errors import UsageError
from . import schema

BUSY_SECONDS = 60.0
"""How long a writer waits for the other ones."""


@contextmanager
def trouble(path: Path) -> Iterator[None]:
    """A file that is damaged, full, locked or out of reach is the caller's to mend."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise UsageError(f"store {path}: {error}") from error
    except (sqlite3.Error, OverflowError) as error:
        raise UsageError(f"store {path}: {error}; expected a plumbench store") from error
    except OSError as error:
        raise UsageError(f"store {path}: {error.strerror or error}") from error


def open_to_write(path: Path) -> sqlite3.Connection:
    """The store, made if it is not there, brought to the present schema if it is older."""
    with trouble(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        db = _connect(str(path))
        try:
            _recognise(db, path)
            if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            schema.prepare(db)
        except BaseException:
            db.close()
            raise
    return db


def open_to_read(path: Path) -> sqlite3.Connection:
    """The store as it is; the file is not changed, nor made where there is none."""
    with trouble(path):
        if not path.exists():
            raise UsageError(f"store {path}: no such file")
        try:
            db = _connect(_address(path), uri=True)
            try:
                db.execute("PRAGMA query_only = ON")
                _recognise(db, path)
                version = schema.pragma(db, "user_version")
            except BaseException:
                db.close()
                raise
        except sqlite3.OperationalError:  # a folder where SQLite cannot put its helper files
            db = _copy(path)
            _recognise(db, path)
            version = schema.pragma(db, "user_version")
        if version == 0:
            db.close()
            raise UsageError(f"store {path}: empty; expected a plumbench store")
        if version == schema.SCHEMA_VERSION:
            return db
        with closing(db):
            memory = _connect(":memory:")
            db.backup(memory)
        schema.prepare(memory)
        return memory


def _connect(what: str, *, uri: bool = False) -> sqlite3.Connection:
    db = sqlite3.connect(what, timeout=BUSY_SECONDS, isolation_level=None, uri=uri)
    # Bytes that are no UTF-8 make one value of one row unreadable, not the whole answer.
    db.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    return db


def _address(path: Path) -> str:
    """With a journal beside it the file is opened strictly for reading, so that a journal that a
    killed campaign left is read, not worked into the file. Without one that would leave SQLite's
    helper files behind, and ``query_only`` is as good.
    """
    journal = path.with_name(path.name + "-wal")
    return f"{path.absolute().as_uri()}?mode={'ro' if journal.exists() else 'rw'}"


def _recognise(db: sqlite3.Connection, path: Path) -> None:
    objection = schema.recognise(db)
    if objection is not None:
        raise UsageError(f"store {path}: {objection}")


def _copy(path: Path) -> sqlite3.Connection:
    """The store, its journal worked in, in memory."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "store.sqlite")
        shutil.copyfile(path, copy)
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{path}-wal", f"{copy}-wal")
        memory = _connect(":memory:")
        with closing(_connect(str(copy))) as db:
            db.backup(memory)
    return memory
