"""What the command line prints: one JSON object per puzzle, or lines and pictures for people."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import click

from .benchmarks.judging.agreement import Comparison
from .benchmarks.processes.jobs import Outcome, Result
from .puzzles.check import Report
from .puzzles.errors import InputError, PlumbenchError
from .puzzles.instance import Instance
from .puzzles.model import Solution
from .solvers import show
from .solvers.contract import Reason, Status
from .solvers.unique import Uniqueness, Verdict, verdict

ANSWERED, UNSOLVABLE, BAD_INPUT, UNKNOWN, DISAGREE, AMBIGUOUS = range(6)
INTERNAL, INTERRUPTED, PIPE_CLOSED = 70, 130, 141
WORST_FIRST = (
    INTERRUPTED, INTERNAL, DISAGREE, BAD_INPUT, UNKNOWN, AMBIGUOUS, UNSOLVABLE, ANSWERED,
)  # fmt: skip
"""Which exit code wins where several puzzles gave different ones."""

TIMES = ("import", "encode", "solve", "verify", "total")
FIELDS = (
    "puzzle", "name", "family", "solver", "rules", "status", "reason", "solution", "cost", "bound",
    "count", "count_exact", "verified", "stats", "times", "error",
)  # fmt: skip

_TROUBLE = {
    Outcome.WRONG: DISAGREE,
    Outcome.UNSUPPORTED: BAD_INPUT,
    Outcome.MISSING: BAD_INPUT,
    Outcome.CRASHED: INTERNAL,
    Outcome.ERROR: INTERNAL,
    Outcome.INTERRUPTED: INTERRUPTED,
}
_LIMITS = {Outcome.TIMEOUT: Reason.TIME, Outcome.MEMOUT: Reason.MEMORY}
_COLOURS = {
    "satisfiable": "green", "optimal": "green", "unique": "green", "right": "green",
    "consistent": "green",
    "unsatisfiable": "red", "unsolvable": "red", "wrong": "red",
    "ambiguous": "yellow", "unknown": "yellow",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """A puzzle to work on, or the reason why it could not be read."""

    label: str
    instance: Instance | None = None
    error: PlumbenchError | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """What one puzzle prints, and the exit code it asks for."""

    code: int
    text: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Style:
    """How to print: JSON or text; ``many`` puts the puzzle's label first; ``pictures``."""

    json: bool = False
    many: bool = False
    pictures: bool = True
    solver: str = ""


def worst(codes: Iterable[int]) -> int:
    """The exit code of several puzzles together."""
    seen = set(codes)
    return next((code for code in WORST_FIRST if code in seen), ANSWERED)


def one_line(text: object) -> str:
    """A message without line breaks or control characters."""
    words = " ".join(str(text).split())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in words)


def coloured() -> bool:
    """Whether to use colour: only on a terminal, and never if NO_COLOR is set."""
    return (
        sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "") != "dumb"
    )


def width() -> int:
    """Columns to use."""
    return shutil.get_terminal_size((100, 24)).columns


def paint(text: str) -> str:
    """The text with its first word, a verdict, in colour where colour is used."""
    word, space, rest = text.partition(" ")
    shade = _COLOURS.get(word) if coloured() else None
    return click.style(word, fg=shade, bold=True) + space + rest if shade else text


def heading(item: Item, style: Style, line: str) -> str:
    """A verdict with the puzzle's label before it if there are several."""
    return f"{item.label}: {paint(line)}" if style.many else paint(line)


def record(item: Item, style: Style, result: Result | None = None, **more: Any) -> str:
    """The JSON object of one puzzle, one line; fields that do not apply are null."""
    data: dict[str, Any] = dict.fromkeys(FIELDS)
    instance = item.instance
    data.update(puzzle=item.label, solver=style.solver or None)
    if instance is not None:
        data.update(name=instance.name, family=instance.family, rules=instance.rules)
    if item.error is not None:
        data["error"] = one_line(item.error)
    if result is not None:
        data.update(status=result.status.value, reason=_reason(result))
        data.update(count=result.count, count_exact=result.exact)
        data.update(cost=result.cost, bound=result.bound)
        data.update(stats=result.stats, times=_times(result))
        if result.solutions and instance is not None:
            data.update(solution=instance.decode(result.solutions[0]), verified=True)
            data.update(instance.details(result.solutions[0]))
        if result.outcome in _TROUBLE:
            data.update(status=Status.UNKNOWN.value, error=complaint(result))
    data.update(more)
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def _times(result: Result) -> dict[str, float | None]:
    """Seconds to the microsecond."""
    found = {name: result.times.get(name) for name in TIMES}
    return {name: None if value is None else round(value, 6) for name, value in found.items()}


def _reason(result: Result) -> str | None:
    reason = result.reason or _LIMITS.get(result.outcome)
    return reason.value if reason else None


def complaint(result: Result) -> str:
    """Why a run gave no verdict, in one line."""
    lines = [line for line in result.message.strip().splitlines() if line.strip()]
    last = one_line(lines[-1]) if lines else ""
    return last or f"the engine's process ended without an answer ({result.outcome.value})"


def failed(item: Item, style: Style) -> Output:
    """What a puzzle prints that cannot be read or asked; its error says where it stands."""
    assert item.error is not None
    text = record(item, style) if style.json else ""
    placed = isinstance(item.error, InputError)
    return Output(item.error.exit_code, text, f"{'' if placed else item.label + ': '}{item.error}")


def troubled(item: Item, style: Style, result: Result) -> Output | None:
    """What a puzzle prints whose run gave no verdict; None if it gave one."""
    if result.outcome not in _TROUBLE:
        return None
    if os.environ.get("PLUMBENCH_DEBUG"):
        sys.stderr.write(result.message.rstrip("\n") + "\n")
    text = record(item, style, result) if style.json else ""
    code = _TROUBLE[result.outcome]
    return Output(code, text, f"{item.label}: {one_line(complaint(result))}")


def statistics(result: Result, solver: str) -> str:
    """Counters (but the first only those above 0) and times in one line."""
    counters = ", ".join(show.counters(result.stats))
    times = ", ".join(f"{k} {v:.3f} s" for k in TIMES if (v := result.times.get(k)) is not None)
    return f"{solver}: " + "; ".join(part for part in (counters, times) if part)


def stopped(result: Result) -> str:
    """``stopped by the limit of time``."""
    return f"stopped by the limit of {_reason(result) or 'the engine'}"


def solved(item: Item, style: Style, result: Result) -> Output:
    """The output of ``solve``: 3, too, for a best solution that is not proved best."""
    code = {Status.UNSATISFIABLE: UNSOLVABLE, Status.UNKNOWN: UNKNOWN}.get(result.status, ANSWERED)
    if result.cost is not None and result.status is not Status.OPTIMAL:
        code = UNKNOWN
    if style.json:
        return Output(code, record(item, style, result))
    priced = show.priced(result.cost, result.bound, _reason(result))
    line = result.status.value + priced + show.under(item.instance, style.solver)
    if result.solutions:
        line += ", verified"
    elif code == UNKNOWN:
        line += f": {stopped(result)}"
    lines = [heading(item, style, line)]
    lines += [picture(item, solution) for solution in result.solutions[:1] if style.pictures]
    lines.append(statistics(result, style.solver))
    return Output(code, "\n".join(lines))


def picture(item: Item, solution: Solution) -> str:
    """The solution drawn."""
    return show.drawing(item.instance, solution)


def number_line(item: Item, style: Style, result: Result, value: int, exact: bool) -> str:
    """``exactly 2 solutions under the rule tree, by sat``."""
    words = f"{'exactly' if exact else 'at least'} {value} solution{'' if value == 1 else 's'}"
    if exact and not value:
        words = "no solution"
    line = words + show.under(item.instance, style.solver)
    return line + (f" ({stopped(result)})" if _reason(result) else "")


def number_code(result: Result, value: int, exact: bool) -> int:
    """0 for a number (a limit that the caller set on it is an answer), 1 for none, 3 else."""
    if exact:
        return ANSWERED if value else UNSOLVABLE
    return UNKNOWN if _reason(result) else ANSWERED


def counted(item: Item, style: Style, result: Result) -> Output:
    """The output of ``count``."""
    value, exact = result.count or 0, bool(result.exact)
    code = number_code(result, value, exact)
    if style.json:
        return Output(code, record(item, style, result, count=value, count_exact=exact))
    lines = [heading(item, style, number_line(item, style, result, value, exact))]
    return Output(code, "\n".join([*lines, statistics(result, style.solver)]))


def nth(item: Item, style: Style, solution: Solution, number: int) -> str:
    """One of several solutions, with its number."""
    return f"{heading(item, style, f'solution {number}')}\n{picture(item, solution)}"


def listed(item: Item, style: Style, result: Result) -> Output:
    """The output of ``solutions``."""
    value = len(result.solutions) if result.count is None else result.count
    exact = bool(result.exact)
    code = number_code(result, value, exact)
    if style.json:
        instance = item.instance
        every = [instance.decode(s) for s in result.solutions] if instance is not None else []
        more = {"count": value, "count_exact": exact, "solutions": every}
        return Output(code, record(item, style, result, **more))
    lines = [nth(item, style, solution, n) for n, solution in enumerate(result.solutions, 1)]
    lines.append(heading(item, style, number_line(item, style, result, value, exact)))
    return Output(code, "\n".join([*lines, statistics(result, style.solver)]))


_VERDICT_CODES = {
    Verdict.UNIQUE: ANSWERED,
    Verdict.UNSOLVABLE: UNSOLVABLE,
    Verdict.UNKNOWN: UNKNOWN,
    Verdict.AMBIGUOUS: AMBIGUOUS,
}


def judged(item: Item, style: Style, result: Result) -> Output:
    """The output of ``unique``."""
    assert item.instance is not None
    limit = _reason(result)
    found = verdict(item.instance.puzzle, result.solutions[:2], Reason(limit) if limit else None)
    if found.verdict is Verdict.AMBIGUOUS:
        found = replace(
            found,
            forced=result.forced,
            hint=result.hint,
            hint_unique=result.hint_unique,
            count=max(2, result.count or 0),
            exact=bool(result.exact),
        )
    code = _VERDICT_CODES[found.verdict]
    if style.json:
        return Output(code, record(item, style, result, **_uniqueness(item.instance, found)))
    if style.many and not style.pictures:
        return Output(
            code, heading(item, style, show.verdict_line(found, item.instance, style.solver))
        )
    text = show.uniqueness_text(
        found, item.instance, style.solver, width=width(), colour=coloured()
    )
    return Output(code, f"{heading(item, style, text)}\n{statistics(result, style.solver)}")


def _uniqueness(instance: Instance, found: Uniqueness) -> dict[str, Any]:
    hint = None
    if found.hint is not None:
        vertex, mask = found.hint
        hint = {
            "cell": show.cell(instance, vertex),
            "mask": mask,
            "makes_unique": found.hint_unique,
        }
    forced = found.forced
    return {
        "status": found.status.value,
        "count": found.count,
        "count_exact": found.exact,
        "verdict": found.verdict.value,
        "solutions": [instance.decode(solution) for solution in found.solutions],
        "differing": [show.cell(instance, vertex) for vertex in found.differing],
        "forced": None if forced is None else [show.cell(instance, v) for v in forced],
        "hint": hint,
    }


def compared(item: Item, style: Style, found: Comparison, kept: str) -> Output:
    """The output of ``compare``."""
    judgement, code = found.judgement, found.exit_code
    complaints = "; ".join(judgement.complaints())
    trouble = f"{item.label}: {complaints} ({kept})" if code == DISAGREE else ""
    if not style.json:
        title = f"{item.label}:\n" if style.many else ""
        return Output(code, f"{title}{found}\n", trouble)
    counting = found.task == "count"
    text = record(
        item,
        style,
        status=judgement.status.value,
        verified=True if judgement.witness is not None else None,
        count=judgement.count if counting else None,
        count_exact=judgement.exact if counting else None,
        cost=judgement.cost,
        bound=judgement.cost if judgement.optimal else None,
        agreed=judgement.agreed,
        complaints=judgement.complaints(),
        runs=[_run_record(solver, result) for solver, result in found.runs],
    )
    return Output(code, text, trouble)


def _run_record(solver: str, result: Result) -> dict[str, Any]:
    return {
        "solver": solver,
        "outcome": result.outcome.value,
        "status": result.status.value,
        "reason": _reason(result),
        "cost": result.cost,
        "bound": result.bound,
        "count": result.count,
        "count_exact": result.exact,
        "stats": result.stats,
        "times": _times(result),
        "message": complaint(result) if result.outcome in _TROUBLE else None,
    }


def summary(codes: set[int]) -> str:
    """What a comparison of many puzzles came to."""
    if DISAGREE in codes:
        return "DISAGREEMENT, see above"
    return "no disagreement" + (", not all answered" if worst(codes) > UNSOLVABLE else "")


def checked(item: Item, style: Style, solution: Solution, report: Report) -> Output:
    """The output of ``check``."""
    assert item.instance is not None
    code = ANSWERED if report.ok else UNSOLVABLE
    if style.json:
        decoded = item.instance.decode(solution)
        more = {"solution": decoded, "verified": report.ok, "reasons": list(report.reasons)}
        return Output(code, record(item, style, **more))
    line = ("right" if report.ok else "wrong") + show.under(item.instance)
    lines = [heading(item, style, line), *(f"  {reason}" for reason in report.reasons)]
    return Output(code, "\n".join(lines))
