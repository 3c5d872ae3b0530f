"""Per question and engine: how its units ended, and PAR-2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .endings import End
from .estimates import Estimate, clustered_mean
from .units import Units

MOST = 0.8
"""A solver is *general* if it counts on this share of the units of the one with the most."""


@dataclass(frozen=True, slots=True)
class Score:
    """One solver's score.

    - ``asked``: units of the question; ``ends``: how many ended how, every ``End`` named;
    - ``runs``: the runs behind them;
    - ``par2``: mean over the counted units, in seconds; ``par2_common``: over the units that
      count for all general solvers, None if this one is not general;
    - ``once``: it takes no seeds, its one run stands for every seed.
    """

    series: str
    asked: int
    ends: Mapping[str, int]
    runs: int
    par2: Estimate
    par2_common: Estimate | None
    once: bool

    @property
    def solved(self) -> int:
        """Units solved."""
        return self.ends[End.SOLVED]

    @property
    def counted(self) -> int:
        """Units that PAR-2 is over, if there is a limit."""
        return self.par2.n


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a question, best first: most solved, then least PAR-2.

    ``general``: the solvers that ``common`` units count for. ``notes``: what a reader must know
    of them, in sentences.
    """

    scores: tuple[Score, ...]
    general: tuple[str, ...]
    common: int
    notes: tuple[str, ...]


def general(units: Units) -> NDArray:
    """Whether each series is general."""
    counted = units.counted.sum(axis=0)
    return (counted > 0) & (counted >= MOST * counted.max(initial=0))


def par2(penalised: NDArray, clusters: NDArray) -> Estimate:
    """The mean of penalised times with an interval that resamples puzzles.

    Undefined where a unit has no penalised time: it is unsolved, and there is no limit to
    penalise it by.
    """
    if np.isnan(penalised).any():
        return Estimate(None, None, None, len(penalised), len(set(clusters)))
    return clustered_mean(penalised, clusters)


def scores(units: Units) -> Scores:
    """The scores of all series."""
    able = general(units)
    common = units.counted[:, able].all(axis=1) if able.any() else np.zeros(len(units.units), bool)
    found = []
    for j, name in enumerate(units.series):
        counted = units.counted[:, j]
        tally = Counter(units.end[:, j])
        found.append(
            Score(
                name,
                len(units.units),
                {end.value: tally[end] for end in End},
                int(units.runs[:, j].sum()),
                par2(units.penalised[counted, j], units.clusters[counted]),
                par2(units.penalised[common, j], units.clusters[common]) if able[j] else None,
                name in units.once,
            )
        )
    found.sort(key=lambda s: (-s.solved, s.par2.value is None, s.par2.value or 0.0, s.series))
    names = tuple(name for name, is_able in zip(units.series, able, strict=True) if is_able)
    return Scores(tuple(found), names, int(common.sum()), tuple(_notes(units, found)))


def _notes(units: Units, found: list[Score]) -> list[str]:
    notes = []
    if units.limits.seconds is None and any(s.counted > s.solved for s in found):
        notes.append(
            "no limit of wall time: an unsolved unit has no penalty, so PAR-2 is given only of "
            "engines that solved all"
        )
    elif units.limits.seconds is not None:
        notes.append(
            "PAR-2 is the mean of encode + solve in seconds, where an unsolved unit counts as "
            f"{units.penalty:g} s"
        )
    missing = {s.series: s.ends[End.NOT_RUN] for s in found if s.ends[End.NOT_RUN]}
    if missing:
        told = ", ".join(f"{name} {number}" for name, number in missing.items())
        notes.append(f"units that were not run, and are in no mean: {told}")
    lost = {s.series: s.ends[End.UNMEASURED] for s in found if s.ends[End.UNMEASURED]}
    if lost:
        told = ", ".join(f"{name} {number}" for name, number in lost.items())
        notes.append(f"answered, but the time was lost, so in no mean: {told}")
    disputed = int((units.end == End.UNRESOLVED).any(axis=1).sum())
    if disputed:
        notes.append(
            f"units with an unresolved contradiction, whose sides are in no mean: {disputed}"
        )
    if units.once:
        notes.append(f"take no seeds, one run stands for all: {', '.join(sorted(units.once))}")
    return notes
