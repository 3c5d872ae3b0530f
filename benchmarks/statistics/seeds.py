"""How much a result depends on chance: the order of a puzzle's parts, and the machine's noise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .counters import main_counter, number
from .endings import COUNTED, End
from .units import FLOOR, Question, chosen, reduce

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Spread:
    """How a quantity varies over the seeds of a puzzle, in the middle of ``n`` puzzles.

    ``variation``: median coefficient of variation (sample standard deviation / mean);
    ``ratio``: median of largest / smallest; ``worst``: the largest such ratio, and its puzzle.
    None where ``n`` is 0, and for ratios where the smallest value is 0.
    """

    n: int
    variation: float | None
    ratio: float | None
    worst: float | None
    worst_name: str | None


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """A series under several seeds.

    ``puzzles`` that count under at least two seeds; ``time`` over those solved under all of them,
    ``work`` likewise of the engine's main ``counter`` (None: it has none). ``flips``: names of
    puzzles that are solved under one seed and not under another.
    """

    series: str
    puzzles: int
    time: Spread
    counter: str | None
    work: Spread
    flips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noise:
    """How a series' time varies when a unit is run again.

    Of the ``n`` units that were solved in at least two repeats: the median and the largest of the
    relative spread, which is the median of abs(time - median) / median over the repeats of the
    unit (times under the floor count as the floor). ``flips``: units solved in one repeat and not
    in another.
    """

    series: str
    n: int
    median: float | None
    largest: float | None
    flips: int


def sensitivity(frame: DataFrame, question: Question) -> list[Sensitivity]:
    """All series that ran under at least two seeds on some puzzle; sorted."""
    found = []
    for series, records in _by(chosen(frame, question), "series").items():
        puzzles = {
            fingerprint: seeds
            for fingerprint, here in _grouped(records, "fingerprint").items()
            if len(seeds := _counted_seeds(here)) > 1
        }
        if puzzles:
            found.append(_sensitivity(series, puzzles))
    return found


_Records = list[dict[str, Any]]


def _counted_seeds(records: _Records) -> dict[Hashable, _Records]:
    """The runs under each seed under which the unit counts."""
    seeds = _grouped(records, "seed")
    return {seed: runs for seed, runs in seeds.items() if reduce(_ends(runs))[0] in COUNTED}


def _sensitivity(series: str, puzzles: Mapping[str, Mapping[Hashable, _Records]]) -> Sensitivity:
    every = (r for seeds in puzzles.values() for runs in seeds.values() for r in runs)
    counter = main_counter(record["stats"] for record in every)
    times: dict[str, list[float]] = {}
    work: dict[str, list[float]] = {}
    flips = []
    names: dict[str, str] = {}
    for fingerprint, seeds in puzzles.items():
        runs = list(seeds.values())
        name = names[fingerprint] = runs[0][0]["name"]
        ends = [reduce(_ends(here)) for here in runs]
        solved = [end is End.SOLVED for end, _ in ends]
        if all(solved):
            times[fingerprint] = [max(time, FLOOR) for _, time in ends]
            counts = [_middle(here, counter) for here in runs]
            if all(count is not None for count in counts):
                work[fingerprint] = [count for count in counts if count is not None]
        elif any(solved):
            flips.append(name)
    return Sensitivity(
        series,
        len(puzzles),
        _spread(times, names),
        counter,
        _spread(work, names),
        tuple(sorted(flips)),
    )


def _middle(records: _Records, counter: str | None) -> float | None:
    """The median of a counter over the solved repeats; None if a repeat lacks it."""
    values = [number(r["stats"].get(counter)) for r in records if r["solved"]]
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known and len(known) == len(values) else None


def _spread(values: Mapping[str, list[float]], names: Mapping[str, str]) -> Spread:
    """Of the values of each puzzle, by its fingerprint."""
    if not values:
        return Spread(0, None, None, None, None)
    variations: list[float] = []
    ratios: dict[str, float] = {}
    for fingerprint, here in values.items():
        mean = float(np.mean(here))
        variations.append(float(np.std(here, ddof=1)) / mean if mean else 0.0)
        if min(here) > 0:
            ratios[fingerprint] = max(here) / min(here)
        elif max(here) == 0:
            ratios[fingerprint] = 1.0
    middle = float(np.median(list(ratios.values()))) if ratios else None
    worst = max(ratios, key=lambda fingerprint: ratios[fingerprint]) if ratios else None
    return Spread(
        len(values),
        float(np.median(variations)),
        middle,
        None if worst is None else ratios[worst],
        None if worst is None else names[worst],
    )


def noise(frame: DataFrame, question: Question | None = None) -> dict[str, Noise]:
    """The noise of each series in one question, or in all; by series."""
    found = {}
    wanted = frame if question is None else chosen(frame, question)
    for series, records in _by(wanted, "series").items():
        units: defaultdict[tuple, _Records] = defaultdict(list)
        for record in records:
            if record["end"] in COUNTED:
                units[tuple(record[n] for n in ("task", "limit", "fingerprint", "seed"))] += [
                    record
                ]
        spreads, flips = [], 0
        for runs in units.values():
            times = [max(r["time"], FLOOR) for r in runs if r["solved"]]
            flips += 0 < len(times) < len(runs)
            if len(times) > 1:
                middle = float(np.median(times))
                spreads.append(float(np.median([abs(t - middle) for t in times])) / middle)
        found[series] = Noise(
            series,
            len(spreads),
            float(np.median(spreads)) if spreads else None,
            max(spreads, default=None),
            flips,
        )
    return found


def _ends(records: _Records) -> list[tuple[End, float]]:
    return [(End(record["end"]), record["time"]) for record in records]


def _by(frame: DataFrame, column: str) -> dict[str, _Records]:
    return dict(sorted(_grouped(frame.to_dict("records"), column).items()))


def _grouped(records: Iterable[dict[str, Any]], column: str) -> dict[Any, _Records]:
    found: defaultdict[Any, _Records] = defaultdict(list)
    for record in records:
        found[record[column]].append(record)
    return dict(found)
