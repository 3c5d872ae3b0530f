"""A run as a value, and the record of columns that it is in a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..processes.jobs import Job, Result, Task, Where
from .columns import COLUMNS, TIMES, CellError
from .kinds import Real


@dataclass(frozen=True, slots=True)
class JobKey:
    """What makes two runs the same run: resuming skips those that are there.

    ``cpu`` in seconds, ``memory`` in bytes; ``versions`` are those of Python, plumbench and the
    engine's packages, sorted.
    """

    fingerprint: str
    solver: str
    task: Task
    limit: int | None
    seconds: float | None
    nodes: int | None
    cpu: float | None
    memory: int | None
    seed: int | None
    repeat: int
    versions: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, job: Job, versions: Mapping[str, str], repeat: int = 0) -> JobKey:
        """The key of a job under these versions."""
        return cls(
            job.puzzle.fingerprint,
            job.solver,
            job.task,
            job.limit,
            None if job.seconds is None else float(job.seconds),
            job.nodes,
            None if job.cpu is None else float(job.cpu),
            job.memory,
            job.seed,
            repeat,
            tuple(sorted(versions.items())),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A run as it is stored. ``group`` is the suite's label of a set of puzzles, ``ended`` a time
    in UTC (empty: when it is stored), ``campaign`` the number of the campaign that made it and
    ``id`` its own, both given by the store.
    """

    key: JobKey
    name: str
    family: str
    rules: str
    group: str
    result: Result
    ended: str = ""
    campaign: int = 0
    id: int = 0


@dataclass(frozen=True, slots=True)
class BadRow:
    """A run of a store that cannot be read, and why."""

    id: int
    why: str


def record_of(row: Row) -> dict[str, Any]:
    """A run's columns as SQLite keeps them. A measurement that makes no sense (NaN, a negative
    duration) is kept as missing, and the message says so; any other value that could not be
    read back raises CellError. What a store does not keep of a result: ``forced``, ``hint`` and
    the meanings of counters, which the campaign's settings hold once for all runs.
    """
    key, result, where = row.key, row.result, row.result.where
    strange = [name for name in result.times if name not in TIMES]
    if strange:
        raise CellError("times", strange[0], f"one of {', '.join(TIMES)}")
    values: dict[str, Any] = {
        "fingerprint": key.fingerprint,
        "name": row.name,
        "family": row.family,
        "rules": row.rules,
        "group": row.group,
        "solver": key.solver,
        "task": key.task,
        "solution_limit": key.limit,
        "wall_limit_s": key.seconds,
        "cpu_limit_s": key.cpu,
        "memory_limit": key.memory,
        "node_limit": key.nodes,
        "seed": key.seed,
        "repeat": key.repeat,
        "workers": result.workers,
        "outcome": result.outcome,
        "status": result.status,
        "reason": result.reason,
        "count": result.count,
        "exact": result.exact,
        "cost": result.cost,
        "bound": result.bound,
        **{f"{name}_s": result.times.get(name) for name in TIMES},
        "cpu_s": result.cpu,
        "peak_rss": result.peak_rss,
        "host": None if where is None else where.host or None,
        "cores": None if where is None else where.cores,
        "load": None if where is None else where.load,
        "ended": row.ended,
        "message": result.message,
        "solutions": result.solutions,
        "stats": result.stats,
        "versions": dict(key.versions),
    }
    return _dumped(values)


def _dumped(values: dict[str, Any]) -> dict[str, Any]:
    record, notes = {}, []
    for column in COLUMNS:
        try:
            record[column.name] = column.dump(values[column.name])
        except CellError as error:
            if not (column.optional and isinstance(column.kind, Real)):
                raise
            record[column.name] = None
            notes.append(f"not kept: {error}")
    record["message"] = "\n".join([record["message"]] * bool(record["message"]) + notes)
    return record


def row_of(record: Mapping[str, Any] | sqlite3.Row, campaign: int = 0, number: int = 0) -> Row:
    """The inverse of ``record_of``. Raises CellError for a value that makes no sense."""
    of = {column.name: column.load(record[column.name]) for column in COLUMNS}
    versions = of["versions"]
    place = of["host"], of["cores"], of["load"]
    key = JobKey(
        of["fingerprint"],
        of["solver"],
        of["task"],
        of["solution_limit"],
        of["wall_limit_s"],
        of["node_limit"],
        of["cpu_limit_s"],
        of["memory_limit"],
        of["seed"],
        of["repeat"],
        tuple(sorted(versions.items())),
    )
    result = Result(
        of["outcome"],
        of["status"],
        of["reason"],
        solutions=of["solutions"],
        cost=of["cost"],
        bound=of["bound"],
        count=of["count"],
        exact=of["exact"],
        stats=of["stats"],
        times={name: of[f"{name}_s"] for name in TIMES if of[f"{name}_s"] is not None},
        cpu=of["cpu_s"],
        peak_rss=of["peak_rss"],
        message=of["message"],
        versions=versions,
        where=None if place == (None, None, None) else Where(place[0] or "", *place[1:]),
        workers=of["workers"],
    )
    names = {name: of[name] for name in ("name", "family", "rules", "group", "ended")}
    return Row(key, result=result, campaign=campaign, id=number, **names)
