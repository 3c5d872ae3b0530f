"""From runs to units, what statistics are taken over: one solver, one puzzle, one seed."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...puzzles.errors import UsageError
from ..processes.jobs import TASKS
from .endings import COUNTED, End

if TYPE_CHECKING:
    from pandas import DataFrame

FLOOR = 1e-6
"""Seconds; shorter times count as this where logarithms are taken, and are counted beside."""

PENALTY = 2
"""PAR-2: an unsolved unit counts as twice the limit."""


class MixedLimits(UsageError):
    """Runs of one question under different limits: no figure may be made of them together."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the number of solutions at which counting stops."""

    task: str
    limit: int | None = None

    def __str__(self) -> str:
        return self.task if self.limit is None else f"{self.task} up to {self.limit}"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of all runs of a question: wall and processor seconds, bytes, nodes."""

    seconds: float | None
    cpu: float | None
    memory: float | None
    nodes: int | None

    def __str__(self) -> str:
        known = {
            "wall {:g} s": self.seconds,
            "cpu {:g} s": self.cpu,
            "memory {:g} bytes": self.memory,
            "{:g} nodes": self.nodes,
        }
        texts = [text.format(value) for text, value in known.items() if value is not None]
        return ", ".join(texts) or "no limit"


@dataclass(frozen=True, slots=True)
class Unit:
    """A puzzle under a seed, as engines were asked about it."""

    fingerprint: str
    seed: int | None
    name: str
    family: str
    group: str
    vertices: int | None


@dataclass(frozen=True)
class Units:
    """All units of a question (rows) and series (columns).

    - ``end``: how it ended, an ``End`` (object array);
    - ``time``: seconds, NaN where not solved;
    - ``runs``: how many runs it was made of;
    - ``once``: the series of solvers that take no seeds: their one run stands for every seed.
    """

    question: Question
    limits: Limits
    series: tuple[str, ...]
    units: tuple[Unit, ...]
    end: NDArray
    time: NDArray
    runs: NDArray
    once: frozenset[str]

    @cached_property
    def solved(self) -> NDArray:
        """Whether it is solved."""
        return self.end == End.SOLVED

    @cached_property
    def counted(self) -> NDArray:
        """Whether it counts: the engine was given the job, and can do it."""
        return np.isin(self.end, COUNTED)

    @property
    def penalty(self) -> float:
        """What an unsolved unit counts as, in seconds; NaN without a limit of wall time."""
        return math.nan if self.limits.seconds is None else PENALTY * self.limits.seconds

    @cached_property
    def penalised(self) -> NDArray:
        """The time, or the penalty where it counts as unsolved; NaN where it does not count."""
        return np.where(self.counted & ~self.solved, self.penalty, self.time)

    @cached_property
    def clusters(self) -> NDArray:
        """The puzzle of each unit: its fingerprint."""
        return np.array([unit.fingerprint for unit in self.units], dtype=object)

    def column(self, series: str) -> int:
        """The column of a series. Raises UsageError if it was not asked this question."""
        if series not in self.series:
            known = ", ".join(self.series) or "none"
            raise UsageError(f"{series!r} was not asked {self.question}: expected one of {known}")
        return self.series.index(series)


def questions(frame: DataFrame) -> list[Question]:
    """What was asked, in the order of the tasks."""
    found = {
        Question(task, limit) for task, limit in zip(frame["task"], frame["limit"], strict=True)
    }
    return sorted(found, key=lambda q: (TASKS.index(q.task), q.limit or math.inf))


def limits(frame: DataFrame, question: Question) -> Limits:
    """The limits of a question. Raises MixedLimits if its runs had different ones, saying which."""
    asked = chosen(frame, question)
    columns = [asked[name] for name in ("seconds", "cpu_limit", "memory_limit", "nodes")]
    found = {
        Limits(*(None if _nan(value) else value for value in values))
        for values in zip(*columns, strict=True)
    }
    if len(found) > 1:
        told = "; ".join(sorted(map(str, found)))
        raise MixedLimits(f"{question}: runs under different limits ({told}): not put together")
    return found.pop() if found else Limits(None, None, None, None)


def _nan(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def chosen(frame: DataFrame, question: Question) -> DataFrame:
    """The runs of a question."""
    same = [
        (task, limit) == (question.task, question.limit)
        for task, limit in zip(frame["task"], frame["limit"], strict=True)
    ]
    return frame.loc[np.array(same, dtype=bool)]


def units(frame: DataFrame, question: Question) -> Units:
    """The units of a question; series and units are sorted.

    The repeats of a unit are reduced to the median run: a unit is solved if more than half of
    its counted runs are, and its time is then the median of their times, where an unsolved run
    is longer than any solved one (of two middle ones the mean if both are solved, else it is
    not solved). One wrong answer makes the unit wrong.

    Every solver that was asked the question is expected at every unit; where it has no run the
    unit is ``not run``. Raises MixedLimits.
    """
    bounds = limits(frame, question)
    asked = chosen(frame, question)
    records = asked.to_dict("records")
    once = frozenset(record["series"] for record in records if record["once"])
    seeds: defaultdict[str, set[int | None]] = defaultdict(set)
    about: dict[str, dict[Any, Any]] = {}
    runs: defaultdict[tuple[str, str, int | None], list[tuple[End, float]]] = defaultdict(list)
    for record in records:
        fingerprint, seed = record["fingerprint"], record["seed"]
        about.setdefault(fingerprint, record)
        if not record["once"]:
            seeds[fingerprint].add(seed)
        how = End(record["end"]), record["time"]
        runs[record["series"], fingerprint, None if record["once"] else seed].append(how)
    series = tuple(sorted({record["series"] for record in records}))
    found = tuple(
        Unit(f, seed, **{n: about[f][n] for n in ("name", "family", "group", "vertices")})
        for f in sorted(about, key=lambda f: (about[f]["name"], f))
        for seed in sorted(seeds[f] or {None}, key=_in_order)
    )
    shape = len(found), len(series)
    end = np.empty(shape, dtype=object)
    end.fill(End.NOT_RUN)
    time, number = np.full(shape, math.nan), np.zeros(shape, dtype=int)
    for i, unit in enumerate(found):
        for j, name in enumerate(series):
            here = runs.get((name, unit.fingerprint, None if name in once else unit.seed), [])
            if here:
                end[i, j], time[i, j] = reduce(here)
                number[i, j] = len(here)
    return Units(question, bounds, series, found, end, time, number, once)


def _in_order(seed: int | None) -> tuple[bool, int]:
    return seed is not None, seed or 0


def reduce(runs: Sequence[tuple[End, float]]) -> tuple[End, float]:
    """The ending and time (NaN if not solved) of several runs of one unit; see ``units``."""
    ends = [end for end, _ in runs]
    for decisive in (End.WRONG, End.UNRESOLVED):
        if decisive in ends:
            return decisive, math.nan
    counted = [(end, time) for end, time in runs if end in COUNTED]
    if not counted:
        return min(ends, key=list(End).index), math.nan
    order = list(End).index
    counted.sort(key=lambda run: (order(run[0]), run[1]))
    middle = counted[len(counted) // 2]
    if middle[0] is not End.SOLVED:
        return middle[0], math.nan
    return End.SOLVED, (counted[(len(counted) - 1) // 2][1] + middle[1]) / 2
