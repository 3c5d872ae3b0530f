"""The data of plots: cactus, survival and scatter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .endings import End
from .units import FLOOR, Unit, Units


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a cactus plot: the k-th time (from 1) is that within which k units are solved,
    each with a time of its own. ``n`` units count; those not solved are right of ``limit``.
    """

    series: str
    times: tuple[float, ...]
    n: int
    limit: float | None

    @property
    def solved(self) -> tuple[int, ...]:
        """Units solved at each time."""
        return tuple(range(1, len(self.times) + 1))

    @property
    def share(self) -> tuple[float, ...]:
        """Share of the counted units solved at each time: the empirical distribution function
        of the time, censored at the limit. 1 minus it is the survival function.
        """
        return tuple(k / self.n for k in self.solved)


def cactus(units: Units, common: bool = False) -> list[Curve]:
    """The curves of all series that count somewhere, most solved first. With ``common`` over
    the units that count for all of these, so that the heights may be compared; without, a series
    that was asked less ends lower.
    """
    able = units.counted.any(axis=0)
    chosen = units.counted[:, able].all(axis=1) if common else np.ones(len(units.units), dtype=bool)
    found = []
    for j in np.flatnonzero(able):
        counted = units.counted[:, j] & chosen
        times = np.sort(units.time[counted & units.solved[:, j], j])
        found.append(
            Curve(
                units.series[j],
                tuple(map(float, times)),
                int(counted.sum()),
                units.limits.seconds,
            )
        )
    return sorted(found, key=lambda c: (-len(c.times), sum(c.times), c.series))


@dataclass(frozen=True, slots=True)
class Point:
    """A unit in a scatter plot: where it is drawn, and how it ended for either engine."""

    unit: Unit
    x: float
    y: float
    x_end: End
    y_end: End


@dataclass(frozen=True, slots=True)
class Scatter:
    """Two engines, unit by unit (seconds; no time under the floor, so that axes may be
    logarithmic).

    Timeouts lie on ``line``, the limit (without one, the next power of ten above all times);
    everything else that is not solved (memory, crash, wrong, error, unknown) lies on ``beyond``,
    ten times that. Units that do not count for one of the two are left out: ``apart``.
    """

    first: str
    second: str
    points: tuple[Point, ...]
    line: float
    beyond: float
    apart: int


def scatter(units: Units, first: str, second: str) -> Scatter:
    """The scatter data of two series. Raises UsageError if one was not asked the question."""
    columns = [units.column(first), units.column(second)]
    both = units.counted[:, columns].all(axis=1)
    line = units.limits.seconds
    if line is None:
        longest = np.nanmax(units.time[both][:, columns], initial=FLOOR)
        line = float(10 ** np.floor(np.log10(longest) + 1))
    points = []
    for i in np.flatnonzero(both):
        x_end, y_end = (units.end[i, j] for j in columns)
        x, y = (_place(units.end[i, j], float(units.time[i, j]), line) for j in columns)
        points.append(Point(units.units[i], x, y, x_end, y_end))
    return Scatter(first, second, tuple(points), line, 10 * line, int((~both).sum()))


def _place(end: End, time: float, line: float) -> float:
    if end == End.SOLVED:
        return max(time, FLOOR)
    return line if end == End.TIMEOUT else 10 * line
