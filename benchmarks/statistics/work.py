"""Do engines that leave nothing to chance still count the same work?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .counters import whole
from .units import Question

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class CounterChange:
    """A counter of a solver (one thread) that changed on ``changed`` of ``n`` units solved in
    both campaigns; ``before`` and ``after`` are its sums over all ``n``, ``example`` a puzzle
    where it changed. ``same_versions``: with the same software, so that the engine, or what it is
    given, is not as reproducible as it should be.
    """

    question: Question
    solver: str
    counter: str
    n: int
    changed: int
    before: int
    after: int
    example: str
    same_versions: bool


_Unit = tuple[Question, str, str, int | None]


def counter_changes(before: DataFrame, after: DataFrame) -> list[CounterChange]:
    """The changes of all whole-numbered counters. Only of runs that were solved with one thread;
    a counter that differs between repeats of one unit in a campaign is a matter of chance for
    that solver, and says nothing.
    """
    first, second = _counts(before), _counts(after)
    found: dict[tuple[Question, str, str], list[tuple[str, int, int, bool]]] = {}
    erratic = {
        (unit[0], unit[1], counter)
        for side in (first, second)
        for unit, runs in side.items()
        for counter in runs[0]["stats"]
        if any(run["stats"].get(counter) != runs[0]["stats"][counter] for run in runs)
    }
    for unit in first.keys() & second.keys():
        a, b = first[unit][0], second[unit][0]
        same = a["versions"] == b["versions"]
        for counter in a["stats"].keys() & b["stats"].keys():
            values = a["stats"][counter], b["stats"][counter]
            key = unit[0], unit[1], counter
            if all(map(whole, values)) and key not in erratic:
                found.setdefault(key, []).append((a["name"], *values, same))
    changes = []
    for (question, solver, counter), values in sorted(found.items(), key=str):
        changed = sorted(name for name, a, b, _ in values if a != b)
        if changed:
            sums = sum(a for _, a, _, _ in values), sum(b for _, _, b, _ in values)
            same = all(same for *_, same in values)
            changes.append(
                CounterChange(
                    question, solver, counter, len(values), len(changed), *sums, changed[0], same
                )
            )
    return changes


def _counts(frame: DataFrame) -> dict[_Unit, list[dict[str, Any]]]:
    """The solved single-threaded runs of each unit."""
    found: dict[_Unit, list[dict[str, Any]]] = {}
    for record in frame.to_dict("records"):
        if record["solved"] and record["workers"] == 1:
            question = Question(record["task"], record["limit"])
            unit = question, record["solver"], record["fingerprint"], record["seed"]
            found.setdefault(unit, []).append(record)
    return found
