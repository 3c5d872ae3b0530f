"""The table that all statistics read: one row per run, with what its judgement made of it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...puzzles.errors import UsageError
from ..campaign.records import BadRow, Row
from ..campaign.store import InstanceInfo
from ..judging.agreement import Judgement, claim_of
from ..judging.optimum import proves
from ..processes.jobs import Outcome, Result
from .endings import End, ending

if TYPE_CHECKING:
    from pandas import DataFrame

SECONDS = ("start", "import", "encode", "solve", "verify", "total", "overshoot")
MEASURED = (*SECONDS, "time", "cpu", "peak_rss", "load")
_LIMITS = ("seconds", "cpu_limit", "memory_limit")

MOST = 1e15
"""No second, byte or load is more: such a measurement is damaged, and would flood every mean."""

COLUMNS: dict[str, str] = {
    "run": "number of the run in its store",
    "fingerprint": "digest of the puzzle",
    "name": "what the puzzle is called",
    "family": "family of the puzzle",
    "rules": "rules of the puzzle",
    "group": "label that the suite gives a set of puzzles",
    "vertices": "vertices of the puzzle; None where the store does not hold it",
    "objective": "what is optimised, such as 'least rotations'; None without",
    "solver": "engine and variant",
    "series": "the solver; with its number of threads where the solver ran with several numbers",
    "seed": "seed of the reshuffling; None: the puzzle as given",
    "once": "the solver takes no seeds: its one run stands for all of them",
    "repeat": "number of the repetition, from 0",
    "task": "what was asked",
    "limit": "number of solutions at which counting stops, or None",
    "seconds": "limit of wall time (s)",
    "cpu_limit": "limit of processor time (s)",
    "memory_limit": "limit of resident memory (bytes)",
    "nodes": "limit of search nodes, or None",
    "outcome": "how the run ended, as the harness saw it",
    "status": "what the engine claims",
    "end": "how the run ended, for the statistics: one of endings.End",
    "solved": "decided, within the limit, not disqualified, not unresolved",
    "wrong": "the engine is disqualified on this puzzle, and the run claims something",
    "unresolved": "the run's claim is one side of a contradiction that no evidence settles",
    "low": "claim: at least so many solutions",
    "high": "claim: at most so many solutions; None: no claim",
    "time": "encode + solve (s); NaN if not solved",
    "start": "from spawning the process to its readiness (s)",
    "import": "import of the engine (s)",
    "encode": "encoding (s)",
    "solve": "solving (s)",
    "verify": "decoding and checking (s)",
    "total": "import and run (s)",
    "overshoot": "past the limit until no process was left (s)",
    "cpu": "processor time of all the run's processes after the import (s)",
    "peak_rss": "most bytes resident at once, of all the run's processes",
    "cost": "cost of the best solution, or None",
    "bound": "what it proved no solution to beat, or None",
    "count": "solutions counted, or None",
    "exact": "whether that is all, or None",
    "workers": "threads the engine was told to use",
    "host": "name of the machine, or None",
    "cores": "processors the run was bound to, or None",
    "load": "load average of the machine",
    "stats": "the engine's counters",
    "versions": "of Python, plumbench and the engine's packages",
}
"""The columns and what they hold. Limits and measurements are floats, NaN where there is none;
flags are booleans; everything else is an object, None where there is none.
"""

_FLAGS = ("once", "solved", "wrong", "unresolved")


def frame(
    rows: Iterable[Row],
    judgements: Mapping[str, Judgement],
    instances: Mapping[str, InstanceInfo],
    *,
    bad: list[BadRow] | None = None,
    seedless: Collection[str] | None = None,
) -> DataFrame:
    """The runs as a table with COLUMNS, in the order of ``rows``.

    ``judgements`` and ``instances`` are by fingerprint; a puzzle without judgement is one about
    which nothing is disputed. ``seedless`` names the solvers that take no seeds (None: those that
    were never asked under one, where others were).

    A measurement that is NaN, negative, over MOST, or missing though the run was decided, is
    refused: UsageError names the run. With ``bad`` the run is noted there instead, the
    measurement is NaN, and a decided run without a usable time is *unmeasured*, never averaged.
    """
    import numpy as np
    import pandas as pd

    kept = list(rows)
    series = _series(kept)
    once = _seedless(kept) if seedless is None else set(seedless)
    notes: list[BadRow] = []
    disputed = _disputed(kept, judgements)
    records: list[dict[str, Any]] = []
    for number, row in enumerate(kept):
        judgement = judgements.get(row.key.fingerprint)
        disqualified = judgement is not None and row.key.solver in judgement.disqualified
        record = _told(row, instances.get(row.key.fingerprint))
        record |= _measured(row, disqualified, number in disputed, notes)
        record |= {"series": series[number], "once": row.key.solver in once}
        records.append(record)
    if notes and bad is None:
        raise UsageError(f"run {notes[0].id}: {notes[0].why}")
    if bad is not None:
        bad += notes
    columns: dict[str, Any] = {}
    for name in COLUMNS:
        values = [record[name] for record in records]
        if name in _FLAGS:
            columns[name] = np.array(values, dtype=bool)
        elif name in MEASURED or name in _LIMITS:
            columns[name] = np.array([math.nan if v is None else v for v in values], dtype=float)
        else:
            columns[name] = pd.Series(values, dtype=object)
    return pd.DataFrame(columns)


def _told(row: Row, instance: InstanceInfo | None) -> dict[str, Any]:
    """What was asked, and what was said."""
    key, result, where = row.key, row.result, row.result.where
    claim = claim_of(key.solver, result)
    return {
        "run": row.id,
        "fingerprint": key.fingerprint,
        "name": row.name,
        "family": row.family,
        "rules": row.rules,
        "group": row.group,
        "vertices": None if instance is None else instance.vertices,
        "objective": None if instance is None else instance.objective,
        "solver": key.solver,
        "seed": key.seed,
        "repeat": key.repeat,
        "task": key.task,
        "limit": key.limit,
        "seconds": key.seconds,
        "cpu_limit": key.cpu,
        "memory_limit": key.memory,
        "nodes": key.nodes,
        "outcome": result.outcome.value,
        "status": result.status.value,
        "low": claim.low,
        "high": claim.high,
        "cost": result.cost,
        "bound": result.bound,
        "count": result.count,
        "exact": result.exact,
        "workers": result.workers,
        "host": where and where.host,
        "cores": where and where.cores,
        "stats": dict(result.stats),
        "versions": dict(key.versions),
    }


def _measured(
    row: Row, disqualified: bool, disputed: bool, notes: list[BadRow]
) -> dict[str, float | bool | str | None]:
    """What was measured, as far as it makes sense, and how the run counts."""
    result = row.result
    values: dict[str, Any] = {name: result.times.get(name) for name in SECONDS}
    values |= {"cpu": result.cpu, "peak_rss": result.peak_rss}
    values["load"] = None if result.where is None else result.where.load
    whose = f"{row.key.solver} on {row.name}, {row.key.task}"
    for name, value in values.items():
        if value is not None and not _sensible(value):
            notes.append(BadRow(row.id, f"{whose}: {name} is {value!r}, expected 0 to {MOST:g}"))
            values[name] = None
    time = _answer_time(result, values)
    end = ending(result, time, row.key.seconds, disqualified=disqualified, disputed=disputed)
    if end is End.UNMEASURED and "solve" not in result.times:
        notes.append(BadRow(row.id, f"{whose}: answered, but the time of solving is missing"))
    return {
        **values,
        "end": end.value,
        "solved": end is End.SOLVED,
        "wrong": end is End.WRONG,
        "unresolved": end is End.UNRESOLVED,
        "time": time if end is End.SOLVED else None,
    }


def _sensible(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST


def _answer_time(result: Result, values: Mapping[str, float | None]) -> float | None:
    """Encode + solve. An engine that does not encode has no time for it, but one whose time of
    encoding makes no sense has no time at all.
    """
    solve, encode = values["solve"], values["encode"]
    if solve is None or (encode is None and "encode" in result.times):
        return None
    return solve + (encode or 0.0)


def _series(rows: list[Row]) -> list[str]:
    """The series of each run: runs with different numbers of threads share none. A run that
    ended before its engine told the number counts as one with the least number it was run with.
    """
    threads: defaultdict[str, set[int]] = defaultdict(set)
    for row in rows:
        if row.result.outcome in _RAN:
            threads[row.key.solver].add(row.result.workers)
    names = []
    for row in rows:
        solver, workers, known = row.key.solver, row.result.workers, threads[row.key.solver]
        if len(known) > 1:
            workers = workers if workers in known else min(known)
            solver += f" ({workers} thread{'s' * (workers > 1)})"
        names.append(solver)
    return names


_RAN = {Outcome.ANSWERED, Outcome.TIMEOUT, Outcome.MEMOUT, Outcome.WRONG}


def _seedless(rows: list[Row]) -> set[str]:
    if all(row.key.seed is None for row in rows):
        return set()
    seeded = {row.key.solver for row in rows if row.key.seed is not None}
    return {row.key.solver for row in rows} - seeded


def _disputed(rows: list[Row], judgements: Mapping[str, Judgement]) -> set[int]:
    """The places of the runs that claim one side of an unresolved contradiction."""
    puzzles: defaultdict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        judgement = judgements.get(row.key.fingerprint)
        if judgement and judgement.unresolved and row.key.solver not in judgement.disqualified:
            puzzles[row.key.fingerprint].append(number)
    found: set[int] = set()
    for places in puzzles.values():
        claims = {n: claim_of(rows[n].key.solver, rows[n].result) for n in places}
        lowest = max(claim.low for claim in claims.values())
        highest = min((c.high for c in claims.values() if c.high is not None), default=lowest)
        found |= {
            n
            for n, claim in claims.items()
            if claim.low > highest or (claim.high is not None and claim.high < lowest)
        }
        optima = {n: rows[n].result.cost for n in places if proves(rows[n].result)}
        if len(set(optima.values())) > 1:
            found |= set(optima)
    return found
