"""The columns of a run: names, kinds, units, meanings. The tables, the CSV files and the
dictionary in the documents are made from this list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...solvers.contract import Reason, Status
from ..processes.jobs import TASKS, Outcome
from .kinds import (
    Big,
    Choice,
    Flag,
    Identities,
    Identity,
    Instant,
    Kind,
    Object,
    Processors,
    Real,
    Solutions,
    Whole,
    Word,
)


class CellError(ValueError):
    """A value that a column cannot hold: which column, what was found, what is expected."""

    def __init__(self, column: str, found: str, expected: str) -> None:
        self.column, self.found, self.expected = column, found, expected
        super().__init__(f"{column}: found {found}, expected {expected}")


@dataclass(frozen=True, slots=True)
class Column:
    """A column; where it is ``optional`` a value may be missing: None, NULL, an empty cell.

    All conversions raise CellError.
    """

    name: str
    kind: Kind
    means: str
    optional: bool = False

    @property
    def sql(self) -> str:
        """Its line of CREATE TABLE."""
        return f'"{self.name}" {self.kind.sql}' + ("" if self.optional else " NOT NULL")

    def dump(self, value: Any) -> Any:
        """Python to SQLite; what could not be read back is refused here."""
        if value is None:
            return self._missing()
        try:
            kept = self.kind.dump(value)
            self.kind.load(kept)
        except _BAD as error:
            raise self._error(repr(value)) from error
        return kept

    def load(self, value: Any) -> Any:
        """SQLite to Python."""
        if value is None:
            return self._missing()
        try:
            return self.kind.load(value)
        except _BAD as error:
            raise self._error(repr(value)) from error

    def cell(self, value: Any) -> str:
        """SQLite to a CSV cell."""
        return "" if value is None else self.kind.cell(value)

    def value(self, text: str) -> Any:
        """A CSV cell to SQLite."""
        if text == "" and self.optional:
            return None
        try:
            value = self.kind.value(text)
            self.kind.load(value)
        except _BAD as error:
            raise self._error(repr(text) if text else "nothing") from error
        return value

    def _missing(self) -> None:
        if not self.optional:
            raise self._error("nothing")

    def _error(self, found: str) -> CellError:
        shown = found if len(found) <= 60 else found[:56] + "..." + found[0]
        return CellError(self.name, shown, self.kind.expected)


_BAD = (ValueError, TypeError, AttributeError, OverflowError, RecursionError)

_SECONDS = "seconds of wall time"

COLUMNS = (
    Column("fingerprint", Word(), "digest of the puzzle: equal puzzles, equal digests"),
    Column("name", Kind(), "what the puzzle is called"),
    Column("family", Kind(), "board, flow, path, loop, dominoes, puzzle"),
    Column("rules", Kind(), "rules of the puzzle"),
    Column("group", Kind(), "label that the suite gives a set of puzzles; empty without one"),
    Column("solver", Word(), "engine and variant"),
    Column("task", Choice(TASKS), "what was asked"),
    Column("solution_limit", Whole(1), "number of solutions at which counting stops", True),
    Column("wall_limit_s", Real(), f"limit: {_SECONDS}, from the engine's import on", True),
    Column("cpu_limit_s", Real(), "limit: processor seconds of all processes of the run", True),
    Column("memory_limit", Whole(), "limit: resident bytes of all processes of the run", True),
    Column("node_limit", Whole(1), "limit: search nodes of the engine's own kind", True),
    Column("seed", Whole(-(2**63)), "seed of the reshuffling; missing: the puzzle as given", True),
    Column("repeat", Whole(), "number of the repetition, from 0"),
    Column("workers", Whole(1), "threads the engine was told to use"),
    Column("outcome", Choice(Outcome), "how the run ended"),
    Column("status", Choice(Status), "what the engine claims"),
    Column("reason", Choice(Reason), "what stopped it before it had proved an answer", True),
    Column("count", Big(), "solutions it counted", True),
    Column("exact", Flag(), 'whether that is all; 0: "at least"', True),
    Column("cost", Big(), "cost of its best solution", True),
    Column("bound", Big(), "what it proved no solution to beat", True),
    Column("start_s", Real(), f"{_SECONDS}: process, interpreter, plumbench's own imports", True),
    Column("import_s", Real(), f"{_SECONDS}: import of the engine", True),
    Column("encode_s", Real(), f"{_SECONDS}: encoding", True),
    Column("solve_s", Real(), f"{_SECONDS}: solving", True),
    Column("verify_s", Real(), f"{_SECONDS}: decoding and checking solutions", True),
    Column("total_s", Real(), f"{_SECONDS}: import and run", True),
    Column("overshoot_s", Real(), f"{_SECONDS} past the limit until no process was left", True),
    Column("cpu_s", Real(), "processor seconds of all processes, after the import", True),
    Column("peak_rss", Whole(), "most bytes resident at once, of all processes", True),
    Column("host", Word(), "name of the machine", True),
    Column("cores", Processors(), "processors the run was bound to; missing: not bound", True),
    Column("load", Real(), "load average of the machine (1 minute) during the run", True),
    Column("ended", Instant(), "when it ended, UTC"),
    Column("message", Kind(), "what was said of crashes, errors and refusals"),
    Column("solutions", Solutions(), "solutions kept, each PORTS:HEX, packed bits, spaces between"),
    Column("stats", Object(numbers=True), "the engine's counters under its own names"),
    Column("versions", Object(numbers=False), "Python, plumbench and the engine's packages"),
)

TIMES = ("start", "import", "encode", "solve", "verify", "total", "overshoot")
"""The keys of ``Result.times``; each has a column with ``_s`` behind."""

ORIGIN = (
    Column("campaign", Identity(), "identity of the campaign that made the run, a UUID"),
    Column("suite", Kind(), "name of that campaign's suite"),
    Column("started", Instant(), "when that campaign began, UTC"),
    Column("kept_by", Identities(), "identities of later campaigns that kept the run (--resume)"),
    Column("run", Whole(1), "number of the run within its campaign"),
)
"""What a CSV file says of a run before the columns proper."""
