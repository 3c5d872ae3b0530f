"""Puzzle by puzzle: verdict, every engine's time, every engine's own counter.

Times and endings are those of the statistics: what is refused there is no time here.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ...puzzles.instance import Instance
from ..campaign.store import Row
from ..judging.agreement import Judgement
from ..statistics.counters import preferred
from ..statistics.endings import End
from ..statistics.units import Question
from ..tables import Cell, Folded, Shown, duration
from .content import Content
from .document import Section, Table
from .terms import question_text
from .verdicts import verdict

TASKS = ("solve", "optimise", "count")

MOST_DRAWN = 2500
"""Vertices; larger puzzles are not drawn."""

_NOTE = "Time is encode + solve. - is not asked, not run or not supported."
_OFTEN = " Medians of several runs; (2/3) is solved in two of three."

_SHORT = {End.UNSUPPORTED: "-", End.WRONG: "WRONG"}


@dataclass(frozen=True, slots=True)
class _Run:
    """A row and what the statistics make of it; ``time`` NaN if not solved."""

    row: Row
    series: str
    end: End
    time: float


def puzzles(content: Content) -> Section:
    """A table of times for each question, and one of counters."""
    asked = sorted(
        {(row.key.task, row.key.limit) for row in content.rows},
        key=lambda one: (_order(one[0]), one[0], one[1] or math.inf),
    )
    tables = [
        _times(content, Question(task, limit), drawn=number == 0)
        for number, (task, limit) in enumerate(asked)
    ]
    effort = _efforts(content)
    return Section(
        "puzzles",
        "Puzzle by puzzle",
        tables=[*tables, *effort],
        brief=True,
    )


def _order(task: str) -> int:
    return TASKS.index(task) if task in TASKS else len(TASKS)


def _times(content: Content, question: Question, *, drawn: bool) -> Table:
    runs = _runs(content, question)
    shown = [s for s in content.series if any(s in by_series for by_series in runs.values())]
    often = any(len(found) > 1 for by_series in runs.values() for found in by_series.values())
    rows: list[Sequence[Cell]] = []
    for fingerprint, by_series in runs.items():
        judgement, info = content.judgements[fingerprint], content.infos.get(fingerprint)
        first = content.by_puzzle[fingerprint][0]
        vertices = None if info is None else info.vertices
        line: list[Cell] = [
            _name(content, fingerprint) if drawn else first.name,
            first.group,
            first.rules,
            vertices,
            verdict(judgement, fingerprint in content.puzzles),
        ]
        rows.append(line + [_time(by_series.get(s, [])) for s in shown])
    return Table(
        f"Time to {question_text(question)}",
        ("puzzle", "group", "rules", "size", "verdict", *shown),
        rows,
        f"puzzles-{question.task}",
        left=3,
        hints={
            "size": "vertices of the model",
            "verdict": "what evidence or undisputed proof establishes",
        },
        notes=(_NOTE + (_OFTEN if often else ""),),
        brief=question.task in ("solve", "optimise"),
    )


def _runs(content: Content, question: Question) -> dict[str, dict[str, list[_Run]]]:
    """The runs of a question by puzzle and series."""
    table, found = content.frame, {}
    columns = (table["series"], table["end"], table["time"])
    for row, series, end, time in zip(content.rows, *columns, strict=True):
        if (row.key.task, row.key.limit) == (question.task, question.limit):
            by_series = found.setdefault(row.key.fingerprint, {})
            by_series.setdefault(series, []).append(_Run(row, series, End(end), time))
    return found


def _time(runs: Sequence[_Run]) -> Cell:
    """The median time of those that answered, or how they ended."""
    if any(run.end is End.WRONG for run in runs):
        return Shown(None, "WRONG", "bad")
    keys = {(r.row.key.seconds, r.row.key.cpu, r.row.key.memory, r.row.key.nodes) for r in runs}
    if len(keys) > 1:
        return Shown(None, "mixed limits", "warn")
    times = [run.time for run in runs if run.end is End.SOLVED]
    if not times:
        ends = sorted({run.end for run in runs}, key=list(End).index)
        return Shown(None, ", ".join(_SHORT.get(end, end.value) for end in ends) or "-")
    middle = statistics.median(times)
    share = f" ({len(times)}/{len(runs)})" if len(times) < len(runs) else ""
    return Shown(middle, duration(middle) + share, "warn" if share else "")


def _name(content: Content, fingerprint: str) -> Cell:
    """The puzzle's name, behind it its picture and its solution's."""
    name, instance = content.names[fingerprint], content.puzzles.get(fingerprint)
    if instance is None or instance.puzzle.vertices > MOST_DRAWN:
        return name
    return Folded(name, _picture(instance, content.judgements[fingerprint]))


def _picture(instance: Instance, judgement: Judgement) -> str:
    parts = [instance.draw().rstrip("\n")]
    if judgement.witness is not None:
        parts += ["a solution:", instance.draw(judgement.witness).rstrip("\n")]
    return "\n\n".join(parts)


def _efforts(content: Content) -> list[Table]:
    """Search effort: one column per engine, each headed by its own counter."""
    runs = _runs(content, Question("solve"))
    main = {s: name for s in content.solvers if (name := preferred(content.counters[s]))}
    if not runs or not main:
        return []
    rows: list[Sequence[Cell]] = []
    for fingerprint, by_series in runs.items():
        line: list[Cell] = [content.names[fingerprint]]
        for solver, counter in main.items():
            values = [
                value
                for found in by_series.values()
                for run in found
                if run.row.key.solver == solver and run.end is End.SOLVED
                if isinstance(value := run.row.result.stats.get(counter), int | float)
                if math.isfinite(value)
            ]
            line.append(statistics.median(values) if values else None)
        rows.append(line)
    return [
        Table(
            "Search effort of one solution",
            ("puzzle", *(f"{solver}: {counter}" for solver, counter in main.items())),
            rows,
            "effort",
            hints={f"{s}: {name}": content.counters[s][name] for s, name in main.items()},
            notes=("Each column is of its own kind: compare down, never across.",),
            brief=False,
        )
    ]
