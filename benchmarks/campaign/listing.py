"""The suites that come along, as a table."""

from __future__ import annotations

from collections.abc import Iterable

from ..tables import Cell, table
from ..units import span_text
from .instances import load_instances
from .plan import plan
from .suites import Suite, find_suite


def listing(names: Iterable[str]) -> str:
    """One line per suite: puzzles, engines, questions, runs; then what each is about."""
    suites = [find_suite(name) for name in names]
    head = ["suite", "puzzles", "engines", "questions", "repeats", "seeds", "runs", "time limit",
            "budget"]  # fmt: skip
    lines = [table(head, [_line(suite) for suite in suites], left=1)]
    width = max(len(suite.name) for suite in suites)
    lines += [f"{suite.name:{width}}  {suite.about}" for suite in suites]
    return "\n".join(lines)


def _line(suite: Suite) -> list[Cell]:
    instances = load_instances(suite)
    wall = suite.limits.wall
    return [
        suite.name,
        len(instances),
        len(suite.all_engines),
        len(suite.questions),
        suite.repeats,
        len(suite.seeds),
        len(plan(suite, instances)),
        None if wall is None else span_text(wall),
        None if suite.budget is None else span_text(suite.budget),
    ]
