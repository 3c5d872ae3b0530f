"""The store of campaigns: one SQLite file, one row per run, written the moment the run ends.

A row is one transaction, so a killed campaign keeps every run that had ended. The file is in WAL
mode: several campaigns may write to it at once, and reports read while they do.
"""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...puzzles.errors import InputError, UsageError
from ...puzzles.formats import dumps, loads
from ...puzzles.instance import Instance, Objective
from ..processes.jobs import Outcome
from . import schema
from .columns import CellError
from .opening import open_to_read, open_to_write, trouble
from .records import BadRow, JobKey, Row, record_of, row_of
from .schema import SCHEMA_VERSION

AGAIN = (Outcome.INTERRUPTED, Outcome.MISSING)
"""Ends of runs that are no record of the engine."""

__all__ = [
    "SCHEMA_VERSION", "BadRow", "CampaignInfo", "InstanceInfo", "JobKey", "Row", "Store",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class CampaignInfo:
    """A campaign: its number here, the identity it has in every copy of the store, when it began
    and ended (UTC; None: it runs, or was killed), its settings, its machine, and what was known
    of it at its end.
    """

    id: int
    uuid: str
    suite: str
    started: str
    settings: dict[str, Any]
    host: dict[str, Any]
    ended: str | None = None
    closing: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class InstanceInfo:
    """A puzzle as it was measured. ``text`` is plumbench's JSON without the objective."""

    fingerprint: str
    name: str
    family: str
    rules: str
    objective: str | None
    vertices: int
    edges: int
    ports: int
    text: str

    def instance(self) -> Instance:
        """The puzzle itself. Raises InputError if the text is damaged: if it cannot be read or
        gives another puzzle.
        """
        [instance] = loads(self.text, file=f"puzzle {self.name!r} of the store")
        if self.objective is not None:
            extreme, _, what = self.objective.partition(" ")
            instance = instance.with_objective(Objective(what, extreme == "most"))
        if instance.puzzle.fingerprint != self.fingerprint:
            raise InputError("another puzzle", self.fingerprint, file=instance.source.file)
        return instance


class Store:
    """A store file. With ``create`` it is written to, made if it is not there, and brought to
    the present schema; without, it is only read, and never changed.

    Raises UsageError for a file that is not a store, was made by a newer plumbench, or cannot be
    read or written, or is gone meanwhile; so do all methods.
    """

    def __init__(self, path: str | os.PathLike[str], create: bool = True) -> None:
        self.path = Path(path)
        self.database = (open_to_write if create else open_to_read)(self.path)
        with trouble(self.path):
            self._file = os.stat(self.path) if create else None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; rows are safe already."""
        self.database.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        self._require_file()
        with trouble(self.path), schema.transaction(self.database):
            yield

    def _require_file(self) -> None:
        """SQLite would go on writing to a file that has no name any more."""
        try:
            if self._file is None or os.path.samestat(self._file, os.stat(self.path)):
                return
        except OSError:
            pass
        raise UsageError(f"store {self.path}: removed or replaced by another program meanwhile")

    def query(self, sql: str, parameters: Iterable[Any] = ()) -> Iterator[sqlite3.Row]:
        """The records of a query, by name."""
        with trouble(self.path), closing(self.database.cursor()) as cursor:
            cursor.row_factory = sqlite3.Row
            yield from cursor.execute(sql, tuple(parameters))

    def execute(self, sql: str, parameters: Iterable[Any] = ()) -> int:
        """Carry out a statement that writes; gives the id of the row it inserted, if it did."""
        self._require_file()
        with trouble(self.path):
            return self.database.execute(sql, tuple(parameters)).lastrowid or 0

    def begin_campaign(self, suite: str, settings: dict[str, Any], host: dict[str, Any]) -> int:
        """Note a campaign; gives its number."""
        return self.execute(
            "INSERT INTO campaigns (uuid, suite, started, settings, host) VALUES (?, ?, ?, ?, ?)",
            (str(uuid.uuid4()), suite, _now(), json.dumps(settings), json.dumps(host)),
        )

    def end_campaign(self, campaign: int, facts: dict[str, Any]) -> None:
        """Note that a campaign came to its end, and what is known only then."""
        self.execute(
            "UPDATE campaigns SET ended = ?, closing = ? WHERE id = ?",
            (_now(), json.dumps(facts), campaign),
        )

    def add_instances(self, instances: Iterable[Instance]) -> None:
        """Write the puzzles of a campaign, in one transaction; those that are there are kept."""
        there = {
            record["fingerprint"] for record in self.query("SELECT fingerprint FROM instances")
        }
        records = []
        for instance in instances:
            puzzle = instance.puzzle
            if puzzle.fingerprint in there:
                continue
            there.add(puzzle.fingerprint)
            records.append(
                (
                    puzzle.fingerprint,
                    instance.name,
                    instance.family,
                    instance.rules,
                    None if instance.objective is None else str(instance.objective),
                    puzzle.vertices,
                    puzzle.edges,
                    puzzle.ports,
                    dumps(instance, "json"),
                )
            )
        with self.transaction():
            marks = ", ".join("?" * 9)
            self.database.executemany(f"INSERT OR IGNORE INTO instances VALUES ({marks})", records)

    def add(self, campaign: int, row: Row) -> int:
        """Write one run, in one transaction; gives its number. Raises UsageError for a value
        that could not be read back; see ``record_of`` for measurements that make no sense.
        """
        try:
            record = record_of(replace(row, ended=row.ended or _now()))
        except CellError as error:
            raise UsageError(f"store {self.path}: run of {row.key.solver}: {error}") from error
        return self.insert_run(campaign, record)

    def insert_run(self, campaign: int, record: dict[str, Any], run: int | None = None) -> int:
        """Write a run's columns; ``run`` is its number in the campaign, by default the next."""
        following = "(SELECT coalesce(max(run), 0) + 1 FROM runs WHERE campaign = ?)"
        names = ", ".join(f'"{name}"' for name in record)
        marks = ", ".join("?" * len(record))
        number = following if run is None else "?"
        return self.execute(
            f"INSERT INTO runs (campaign, run, {names}) VALUES (?, {number}, {marks})",
            (campaign, campaign if run is None else run, *record.values()),
        )

    def keep(self, campaign: int, rows: Iterable[Row]) -> None:
        """Note that a campaign keeps these runs of earlier ones; in one transaction."""
        with self.transaction():
            self.database.executemany(
                "INSERT OR IGNORE INTO members (campaign, run) VALUES (?, ?)",
                [(campaign, row.id) for row in rows],
            )

    def rows(self, campaign: int | None = None, bad: list[BadRow] | None = None) -> Iterator[Row]:
        """The runs, oldest first: all, or a campaign's own and those it kept. A run that cannot
        be read is put into ``bad``; without it, it is a UsageError.
        """
        where, parameters = "", ()
        if campaign is not None:
            where = "WHERE campaign = ? OR id IN (SELECT run FROM members WHERE campaign = ?)"
            parameters = (campaign, campaign)
        for record in self.query(f"SELECT * FROM runs {where} ORDER BY id", parameters):
            try:
                row = row_of(record, record["campaign"], record["id"])
            except CellError as error:
                if bad is None:
                    raise UsageError(
                        f"store {self.path}: run {record['id']} cannot be read: {error}"
                    ) from error
                bad.append(BadRow(record["id"], str(error)))
                continue
            yield row

    def finished(self) -> dict[JobKey, Row]:
        """The latest row of every run that need not be run again. One that was interrupted,
        whose engine was not there, or that cannot be read is run again.
        """
        rows = self.rows(bad=[])
        return {row.key: row for row in rows if row.result.outcome not in AGAIN}

    def campaigns(self) -> list[CampaignInfo]:
        """All campaigns, oldest first."""
        found = []
        for record in self.query("SELECT * FROM campaigns ORDER BY id"):
            try:
                settings, host = json.loads(record["settings"]), json.loads(record["host"])
                ending = None if record["closing"] is None else json.loads(record["closing"])
            except (ValueError, TypeError) as error:
                raise UsageError(
                    f"store {self.path}: campaign {record['id']} cannot be read: {error}"
                ) from error
            plain = {name: record[name] for name in ("id", "uuid", "suite", "started", "ended")}
            found.append(CampaignInfo(**plain, settings=settings, host=host, closing=ending))
        return found

    def campaign(self, number: int) -> CampaignInfo:
        """One of the campaigns. Raises UsageError if there is no such number."""
        found = {info.id: info for info in self.campaigns()}
        if number not in found:
            numbers = ", ".join(map(str, found)) or "none: the store is empty"
            raise UsageError(f"store {self.path}: campaign {number}: expected one of {numbers}")
        return found[number]

    def instances(self) -> dict[str, InstanceInfo]:
        """The puzzles, by fingerprint."""
        records = self.query("SELECT * FROM instances ORDER BY rowid")
        return {record["fingerprint"]: InstanceInfo(*record) for record in records}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
