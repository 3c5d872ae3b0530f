"""Runs typed by hand, short, for the tests of statistics."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from plumbench.benchmarks.campaign.records import JobKey, Row
from plumbench.benchmarks.campaign.store import InstanceInfo
from plumbench.benchmarks.judging.agreement import Judgement
from plumbench.benchmarks.processes.jobs import Outcome, Result
from plumbench.benchmarks.statistics.frame import frame
from plumbench.benchmarks.statistics.units import Question, Units, units
from plumbench.solvers.contract import Reason, Status

if TYPE_CHECKING:
    from pandas import DataFrame

LIMIT = 10.0
SOLVE = Question("solve")
_NUMBERS = itertools.count(1)


def row(
    solver: str,
    puzzle: str,
    how: float | str,
    *,
    seed: int | None = None,
    repeat: int = 0,
    group: str = "",
    task: Any = "solve",
    limit: int | None = None,
    seconds: float | None = LIMIT,
    workers: int = 1,
    versions: Mapping[str, str] | None = None,
    stats: Mapping[str, Any] | None = None,
    **result: Any,
) -> Row:
    """A run: ``how`` is its time if it was solved (``encode`` 0), else its outcome."""
    told = dict(versions or {"plumbench": "1"})
    if isinstance(how, str):
        reason = {"timeout": Reason.TIME, "unknown": Reason.NODES}.get(how)
        outcome = Outcome.ANSWERED if how == "unknown" else Outcome(how)
        fields: dict[str, Any] = {"outcome": outcome, "reason": reason}
    else:
        times = {"encode": 0.0, "solve": how}
        fields = {"outcome": Outcome.ANSWERED, "status": Status.SATISFIABLE, "times": times}
    made = Result(**{**fields, "stats": dict(stats or {}), "workers": workers, **result})
    key = JobKey(
        puzzle, solver, task, limit, seconds, None, None, None, seed, repeat, tuple(told.items())
    )
    return Row(key, f"the {puzzle}", "board", "tree", group, made, id=next(_NUMBERS))


def info(puzzle: str, vertices: int = 9, objective: str | None = None) -> InstanceInfo:
    """What a store holds of a puzzle, but for the puzzle."""
    return InstanceInfo(puzzle, f"the {puzzle}", "board", "tree", objective, vertices, 12, 24, "")


def judged(*wrong: str, unresolved: str = "") -> Judgement:
    """A judgement that disqualifies some solvers."""
    why = tuple((solver, "a lie") for solver in wrong)
    return Judgement(Status.SATISFIABLE, 1, False, why, unresolved)


def table(
    *rows: Row,
    judgements: Mapping[str, Judgement] | None = None,
    sizes: Mapping[str, int] | None = None,
    **more: Any,
) -> DataFrame:
    """The runs as the table of statistics."""
    infos = {puzzle: info(puzzle, size) for puzzle, size in (sizes or {}).items()}
    return frame(rows, judgements or {}, infos, **more)


def grid(times: Mapping[str, str], question: Question = SOLVE, **more: Any) -> Units:
    """Units from one line per solver: a time or an outcome for each of the puzzles p0, p1, ...;
    ``-`` is no run.
    """
    rows = [
        row(solver, f"p{i}", float(word) if word[0].isdigit() else word, **more)
        for solver, line in times.items()
        for i, word in enumerate(line.split())
        if word != "-"
    ]
    return units(table(*rows), question)
