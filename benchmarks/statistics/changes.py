"""Two campaigns: what changed beyond noise, and what differs in how they were measured."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .agreements import Claims, contradiction
from .endings import COUNTED, End
from .estimates import Estimate, geometric_mean
from .ratios import quotients
from .seeds import Noise, noise
from .units import Limits, MixedLimits, Question, Unit, Units, questions, units
from .work import CounterChange, counter_changes

if TYPE_CHECKING:
    from pandas import DataFrame

USUAL_NOISE = 0.05
"""Relative noise where neither campaign repeats its runs."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A unit that ended otherwise. ``near``: it was solved so close to the limit that noise may
    move it over; ``time`` is that of the side that solved it (s).
    """

    question: Question
    series: str
    unit: Unit
    before: End
    after: End
    time: float | None
    near: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """A solver whose claims about a puzzle in one campaign contradict those in the other."""

    solver: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Pace:
    """Time after / time before: geometric mean over the units solved in both campaigns.

    ``noise`` is the relative noise of a run: the larger of the two campaigns' medians where they
    repeat runs (``measured``), else 0.05. ``beyond``: the whole interval lies on one side of 1 by
    more than the noise.
    """

    question: Question
    series: str
    ratio: Estimate
    noise: float
    measured: bool
    beyond: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed from the first campaign to the second.

    ``gone`` and ``new``: (what, name) of solvers, questions and puzzles that only the first or
    only the second has. ``notes``: what was refused or has to be known.
    """

    answers: tuple[Answered, ...]
    flips: tuple[Flip, ...]
    paces: tuple[Pace, ...]
    counters: tuple[CounterChange, ...]
    gone: tuple[tuple[str, str], ...]
    new: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    @property
    def any(self) -> bool:
        """Whether anything changed beyond noise."""
        return bool(
            self.answers
            or any(not flip.near for flip in self.flips)
            or any(pace.beyond for pace in self.paces)
            or self.counters
        )


def changes(before: DataFrame, after: DataFrame) -> Changes:
    """Compare two tables of runs. Units are compared where both campaigns have them.

    Where the limits of wall time differ, both sides are judged by the shorter one: what took
    longer is a timeout. A question with mixed limits inside a campaign is refused in a note.
    """
    notes: list[str] = []
    flips: list[Flip] = []
    paces: list[Pace] = []
    asked = [question for question in questions(before) if question in questions(after)]
    for question in asked:
        try:
            a, b = units(before, question), units(after, question)
        except MixedLimits as error:
            notes.append(str(error))
            continue
        if a.limits != b.limits:
            notes.append(f"{question}: {a.limits} before, {b.limits} after")
            a, b = _under(a, b.limits), _under(b, a.limits)
        noises = noise(before, question), noise(after, question)
        for series in a.series:
            if series in b.series:
                relative, measured = _noise(series, *noises)
                flips += _flips(a, b, series, relative)
                pace = _pace(a, b, series, relative, measured)
                paces += [] if pace is None else [pace]
    gone, new = _only(before, after), _only(after, before)
    counters = counter_changes(before, after)
    answers = _answers(before, after)
    return Changes(
        tuple(answers), tuple(flips), tuple(paces), tuple(counters), gone, new, tuple(notes)
    )


def _under(units: Units, limits: Limits) -> Units:
    """The units as they would have ended under the shorter limit of wall time as well."""
    if limits.seconds is None:
        return units
    late = units.solved & (np.nan_to_num(units.time) > limits.seconds)
    end = units.end.copy()
    end[late] = End.TIMEOUT
    shortest = min(limits.seconds, units.limits.seconds or math.inf)
    bounds = replace(units.limits, seconds=shortest)
    return replace(units, end=end, time=np.where(late, np.nan, units.time), limits=bounds)


def _noise(
    series: str, before: Mapping[str, Noise], after: Mapping[str, Noise]
) -> tuple[float, bool]:
    found = [n[series].median for n in (before, after) if series in n]
    known = [median for median in found if median is not None]
    return max(known, default=USUAL_NOISE), bool(known)


def _matched(a: Units, b: Units) -> list[tuple[int, int]]:
    """The places of the units that both have."""
    places = {(unit.fingerprint, unit.seed): i for i, unit in enumerate(b.units)}
    keys = [(unit.fingerprint, unit.seed) for unit in a.units]
    return [(i, places[key]) for i, key in enumerate(keys) if key in places]


def _flips(a: Units, b: Units, series: str, relative: float) -> list[Flip]:
    ja, jb = a.column(series), b.column(series)
    found = []
    for i, k in _matched(a, b):
        before, after = End(a.end[i, ja]), End(b.end[k, jb])
        shown = before in COUNTED or after in COUNTED
        if before is after or not shown or End.NOT_RUN in (before, after):
            continue
        time = _known(a.time[i, ja]) if before is End.SOLVED else _known(b.time[k, jb])
        limit = a.limits.seconds
        near = (
            time is not None
            and limit is not None
            and time * (1 + relative) >= limit
            and {before, after} == {End.SOLVED, End.TIMEOUT}
        )
        found.append(Flip(a.question, series, a.units[i], before, after, time, near))
    return found


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _pace(a: Units, b: Units, series: str, relative: float, measured: bool) -> Pace | None:
    ja, jb = a.column(series), b.column(series)
    both = [(i, k) for i, k in _matched(a, b) if a.solved[i, ja] and b.solved[k, jb]]
    if not both:
        return None
    first = np.array([a.time[i, ja] for i, _ in both])
    second = np.array([b.time[k, jb] for _, k in both])
    estimate = geometric_mean(quotients(second, first), a.clusters[[i for i, _ in both]])
    low, high = estimate.low, estimate.high
    beyond = (
        low is not None and high is not None and (low > 1 + relative or high < 1 / (1 + relative))
    )
    return Pace(a.question, series, estimate, relative, measured, beyond)


def _answers(before: DataFrame, after: DataFrame) -> list[Answered]:
    """The solvers that contradict themselves between the campaigns."""
    sides: list[dict[tuple[str, str], Claims]] = []
    names: dict[str, tuple[str, str | None]] = {}
    for table in (before, after):
        claims: dict[tuple[str, str], Claims] = {}
        for record in table.to_dict("records"):
            names[record["fingerprint"]] = record["name"], record["objective"]
            key = record["solver"], record["fingerprint"]
            claims.setdefault(key, Claims()).add(record)
        sides.append(claims)
    found = []
    for key in sides[0].keys() & sides[1].keys():
        solver, fingerprint = key
        name, objective = names[fingerprint]
        first, second = (f"{solver} before", sides[0][key]), (f"{solver} after", sides[1][key])
        why = contradiction(first, second, objective)
        if why:
            found.append(Answered(solver, name, why))
    return sorted(found, key=lambda a: (a.solver, a.name))


def _only(one: DataFrame, other: DataFrame) -> tuple[tuple[str, str], ...]:
    """What only the first table has: solvers, questions, puzzles by name."""
    found = [("solver", series) for series in sorted(set(one["series"]) - set(other["series"]))]
    there = questions(other)
    found += [("question", str(question)) for question in questions(one) if question not in there]
    known = set(other["fingerprint"])
    names = dict(zip(one["fingerprint"], one["name"], strict=True))
    found += sorted(("puzzle", name) for f, name in names.items() if f not in known)
    return tuple(found)


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any], ignore: frozenset[str] = frozenset()
) -> list[tuple[str, Any, Any]]:
    """(what, before, after) where two nested mappings differ, such as settings, the facts of a
    machine, or versions; None for what one of them lacks. ``ignore`` names keys at any depth.
    """
    found: list[tuple[str, Any, Any]] = []
    for key in dict.fromkeys([*before, *after]):
        if key in ignore:
            continue
        a, b = before.get(key), after.get(key)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            found += [(f"{key}: {what}", x, y) for what, x, y in differences(a, b, ignore)]
        elif a != b:
            found.append((str(key), a, b))
    return found
