"""Puzzle by puzzle: verdict, every engine's time, every engine's own counter."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from ...puzzles.instance import Instance
from ..campaign.store import Row
from ..judging.agreement import Judgement, answer_time
from ..processes.jobs import Outcome
from ..statistics.counters import SEARCH
from ..tables import Cell, Folded, Shown, duration
from .content import Content
from .document import Section, Table
from .verdicts import verdict

TASKS = {"solve": "one solution", "optimise": "the best solution", "count": "the count"}

MOST_DRAWN = 2500
"""Vertices; larger puzzles are not drawn."""

_NOTE = "Time is encode + solve. - is not asked or not supported."
_OFTEN = " Medians of several runs; (2/3) is solved in two of three."

_SHORT = {Outcome.UNSUPPORTED: "-", Outcome.ANSWERED: "unknown", Outcome.WRONG: "WRONG"}


def puzzles(content: Content) -> Section:
    """A table of times for each question, and one of counters."""
    tasks = dict.fromkeys(row.key.task for row in content.rows)
    tables = [_times(content, task) for task in sorted(tasks, key=_order)]
    effort = _efforts(content)
    return Section(
        "puzzles",
        "Puzzle by puzzle",
        tables=[*tables, *effort],
        brief=True,
    )


def _order(task: str) -> int:
    known = list(TASKS)
    return known.index(task) if task in known else len(known)


def _times(content: Content, task: str) -> Table:
    runs = _runs(content, task)
    shown = [s for s in content.solvers if any(s in by_solver for by_solver in runs.values())]
    drawn = task == next(iter(sorted({row.key.task for row in content.rows}, key=_order)))
    often = any(len(rows) > 1 for by_solver in runs.values() for rows in by_solver.values())
    rows: list[Sequence[Cell]] = []
    for fingerprint, by_solver in runs.items():
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
        rows.append(line + [_time(by_solver.get(s, []), judgement, s) for s in shown])
    return Table(
        f"Time to {TASKS.get(task, task)}",
        ("puzzle", "group", "rules", "size", "verdict", *shown),
        rows,
        f"puzzles-{task}",
        left=3,
        hints={
            "size": "vertices of the model",
            "verdict": "what evidence or undisputed proof establishes",
        },
        notes=(_NOTE + (_OFTEN if often else ""),),
        brief=task in ("solve", "optimise"),
    )


def _runs(content: Content, task: str) -> dict[str, dict[str, list[Row]]]:
    found: dict[str, dict[str, list[Row]]] = {}
    for row in content.rows:
        if row.key.task == task:
            by_solver = found.setdefault(row.key.fingerprint, {})
            by_solver.setdefault(row.key.solver, []).append(row)
    return found


def _time(rows: Sequence[Row], judgement: Judgement, solver: str) -> Cell:
    """The median time of those that answered, or how they ended."""
    if solver in judgement.disqualified and rows:
        return Shown(None, "WRONG", "bad")
    times = [t for row in rows if row.result.decided and (t := answer_time(row.result)) is not None]
    if not times:
        return _word(rows)
    middle = statistics.median(times)
    share = f" ({len(times)}/{len(rows)})" if len(times) < len(rows) else ""
    return Shown(middle, duration(middle) + share, "warn" if share else "")


def _word(rows: Sequence[Row]) -> Cell:
    if not rows:
        return None
    outcome = rows[0].result.outcome
    return Shown(None, _SHORT.get(outcome, outcome.value))


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
    runs = _runs(content, "solve")
    main = {s: name for s in content.solvers if (name := main_counter(content.counters[s]))}
    if not runs or not main:
        return []
    rows: list[Sequence[Cell]] = []
    for fingerprint, by_solver in runs.items():
        wrong = content.judgements[fingerprint].disqualified
        line: list[Cell] = [content.names[fingerprint]]
        for solver, counter in main.items():
            values = [
                value
                for row in by_solver.get(solver, [])
                if row.result.decided and solver not in wrong
                if isinstance(value := row.result.stats.get(counter), int | float)
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


def main_counter(meaning: Mapping[str, str]) -> str | None:
    """The counter that says best how much an engine searched."""
    return next((name for name in SEARCH if name in meaning), next(iter(meaning), None))
