"""The runs of a store as one CSV file, and back.

One line per run under one line of names; RFC 4180 in UTF-8; numbers with all their digits; a
missing value is an empty cell. The lines are in an order of their own (by the campaign's begin
and identity, then the number of the run), so that the same runs give the same bytes whichever
store holds them. Puzzles and settings of campaigns are not in it.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...puzzles.errors import InputError
from .columns import COLUMNS, ORIGIN, CellError
from .records import row_of
from .store import BadRow, Store

HEADER = tuple(column.name for column in (*ORIGIN, *COLUMNS))
Record = dict[str, Any]
Complain = Callable[[InputError], None]

_ALL_RUNS = """
SELECT runs.*, campaigns.uuid AS origin, campaigns.suite AS suite, campaigns.started AS started
FROM runs JOIN campaigns ON campaigns.id = runs.campaign
"""
_ONE = """
WHERE runs.campaign = ?1 OR runs.id IN (SELECT run FROM members WHERE campaign = ?1)
"""
_KEEPERS = """
SELECT members.run, uuid FROM members JOIN campaigns ON campaigns.id = members.campaign
ORDER BY members.run, uuid
"""
_ORDER = "ORDER BY campaigns.started, campaigns.uuid, runs.run"
_BEGIN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12},")
"""How each record begins: with the identity of its campaign."""


def export(
    store: Store, campaign: int | None = None, bad: list[BadRow] | None = None
) -> Iterator[bytes]:
    """The lines of the CSV file of all runs, or of one campaign's own and kept ones. Runs that
    cannot be read are left out and put into ``bad``.
    """
    keepers: dict[int, list[str]] = {}
    for run, keeper in store.query(_KEEPERS):
        keepers.setdefault(run, []).append(keeper)
    yield _line(HEADER)
    sql = _ALL_RUNS + ("" if campaign is None else _ONE) + _ORDER
    for found in store.query(sql, () if campaign is None else (campaign,)):
        record: Record = {
            **found,
            "campaign": found["origin"],
            "kept_by": " ".join(keepers.get(found["id"], [])),
        }
        try:
            for column in ORIGIN:
                column.load(record[column.name])
            row_of(record)
        except CellError as error:
            if bad is not None:
                bad.append(BadRow(found["id"], str(error)))
            continue
        yield _line([column.cell(record[column.name]) for column in (*ORIGIN, *COLUMNS)])


def _line(cells: list[str] | tuple[str, ...]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(cells)
    return text.getvalue().encode("utf-8")


@dataclass
class Parsed:
    """What a file holds: each good record with the line where it begins; the number of others."""

    file: str
    records: list[tuple[int, Record]] = field(default_factory=list)
    bad: int = 0


@dataclass
class Imported:
    """Of the runs of a file: how many are new to the store, were there already, were refused."""

    new: int = 0
    known: int = 0
    bad: int = 0


def parse(data: bytes, file: str, complain: Complain) -> Parsed:
    """Read a file. A record that cannot be read is named to ``complain``, and the rest is read;
    raises InputError if the names of the columns are not those of an export. Columns in errors
    are numbers of cells.
    """
    parsed = Parsed(file)
    lines = io.StringIO(data.decode("utf-8-sig", "surrogateescape"), newline="\n").readlines()
    with _long_cells():
        _check_header(lines[0] if lines else "", file)
        for found in _records(lines, file):
            try:
                if isinstance(found, InputError):
                    raise found
                parsed.records.append((found[0], _record(*found, file)))
            except InputError as error:
                parsed.bad += 1
                complain(error)
    return parsed


class _Lines:
    """Lines that can be gone back to: a cell with a line break takes several, and one whose end
    was cut off takes all up to the next quote.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.next = lines, 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if self.next == len(self.lines):
            raise StopIteration
        self.next += 1
        return self.lines[self.next - 1]


def _records(lines: list[str], file: str) -> Iterator[tuple[int, list[str]] | InputError]:
    """The cells of each record and the line where it begins, from 1; after a bad one, reading
    goes on where the next one seems to begin.
    """
    feed = _Lines(lines)
    feed.next = 1  # behind the names
    while feed.next < len(lines):
        start = feed.next
        cells: list[str] = []
        try:
            cells = next(csv.reader(feed, strict=True))
            trouble = f"{len(cells)} cells" if len(cells) not in (0, len(HEADER)) else None
        except csv.Error as error:
            trouble = f"quotes that do not match ({error})"
        if trouble is not None:
            feed.next = start + 1
            while feed.next < len(lines) and not _BEGIN.match(lines[feed.next]):
                feed.next += 1
            yield InputError(trouble, f"{len(HEADER)} cells", file=file, line=start + 1)
        elif cells:  # nothing is an empty line
            yield start + 1, cells


@contextmanager
def _long_cells() -> Iterator[None]:
    """Solutions and messages may be longer than csv's own bound on a cell."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _check_header(line: str, file: str) -> None:
    """An unknown column would be lost without a word, so it is refused, as is another order."""
    names = line.rstrip("\r\n").replace('"', "").split(",") if line else []
    for number, (found, expected) in enumerate(zip(names, HEADER, strict=False), 1):
        if found != expected:
            raise InputError(
                f"{found!r} as a column's name", repr(expected), file=file, line=1, column=number
            )
    if not names:
        raise InputError("nothing", f"a line of names: {HEADER[0]}, ...", file=file, line=1)
    if len(names) != len(HEADER):
        found, expected = f"{len(names)} columns", f"{len(HEADER)}, as in an export"
        if len(names) > len(HEADER):
            found += f", such as {names[len(HEADER)]!r}"
        raise InputError(found, expected, file=file, line=1)


def _record(line: int, cells: list[str], file: str) -> Record:
    record: Record = {}
    for number, (column, text) in enumerate(zip((*ORIGIN, *COLUMNS), cells, strict=True), 1):
        try:
            record[column.name] = column.value(text)
        except CellError as error:
            raise InputError(
                f"{error.found} as {column.name}",
                error.expected,
                file=file,
                line=line,
                column=number,
            ) from error
    return record


def insert(store: Store, parsed: Parsed, complain: Complain) -> Imported:
    """Add the records of a file that the store does not have, in one transaction. A run is known
    by its campaign's identity and its number; one that differs from the store's is refused.
    """
    done = Imported(bad=parsed.bad)
    with store.transaction():
        campaigns = _campaigns(store, parsed)
        for line, record in parsed.records:
            try:
                new = _insert(store, campaigns, record)
            except _Clash as clash:
                done.bad += 1
                complain(InputError(*clash.args, file=parsed.file, line=line))
            else:
                done.new += new
                done.known += not new
    return done


class _Clash(Exception):
    """A record that contradicts what is known: what was found, what was expected."""


def _campaigns(store: Store, parsed: Parsed) -> dict[str, tuple[int, str, str]]:
    """Number, suite and begin of every campaign, by identity. Those that are new are noted
    without settings; of one that only kept runs of others nothing else is known.
    """
    there = {r["uuid"]: (r["id"], r["suite"], r["started"]) for r in _noted(store)}
    found: dict[str, tuple[str, str]] = {}
    for _, record in parsed.records:
        found.setdefault(record["campaign"], (record["suite"], record["started"]))
    for origin, (suite, started) in sorted(found.items(), key=lambda item: (item[1][1], item[0])):
        if origin not in there:
            _note(store, origin, suite, started, parsed.file)
        elif not there[origin][2]:
            values = (suite, started, there[origin][0])
            store.execute("UPDATE campaigns SET suite = ?, started = ? WHERE id = ?", values)
    keepers = {k for _, record in parsed.records for k in record["kept_by"].split()}
    for origin in sorted(keepers - set(there) - set(found)):
        _note(store, origin, "", "", parsed.file)
    return {r["uuid"]: (r["id"], r["suite"], r["started"]) for r in _noted(store)}


def _noted(store: Store) -> Iterator[sqlite3.Row]:
    return store.query("SELECT id, uuid, suite, started FROM campaigns")


def _note(store: Store, origin: str, suite: str, started: str, file: str) -> None:
    store.execute(
        "INSERT INTO campaigns (uuid, suite, started, settings, host) VALUES (?, ?, ?, ?, '{}')",
        (origin, suite, started, json.dumps({"imported": Path(file).name})),
    )


def _insert(store: Store, campaigns: dict[str, tuple[int, str, str]], record: Record) -> bool:
    """Whether the run was new. Raises _Clash."""
    campaign, *origin = campaigns[record["campaign"]]
    if origin != [record["suite"], record["started"]]:
        raise _Clash(
            f"suite {record['suite']!r} begun {record['started']}",
            f"suite {origin[0]!r} begun {origin[1]}, as elsewhere of campaign {record['campaign']}",
        )
    place = "SELECT * FROM runs WHERE campaign = ? AND run = ?"
    there = next(store.query(place, (campaign, record["run"])), None)
    if there is None:
        values = {column.name: record[column.name] for column in COLUMNS}
        run = store.insert_run(campaign, values, record["run"])
    else:
        run = there["id"]
        other = next((c.name for c in COLUMNS if there[c.name] != record[c.name]), None)
        if other is not None:
            raise _Clash(
                f"{record[other]!r} as {other}",
                f"{there[other]!r}, as run {record['run']} of this campaign has in the store",
            )
    for keeper in record["kept_by"].split():
        values = (campaigns[keeper][0], run)
        store.execute("INSERT OR IGNORE INTO members (campaign, run) VALUES (?, ?)", values)
    return there is None
