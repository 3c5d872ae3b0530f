"""How many times as long one engine takes as another, on what both solved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .estimates import Estimate, geometric_mean
from .units import FLOOR, Units


@dataclass(frozen=True, slots=True)
class Ratio:
    """Time of ``first`` / time of ``second``, the geometric mean over units both solved.

    ``ratio.n`` units of ``ratio.clusters`` puzzles. Censored, and in no mean: ``only_first``,
    ``only_second`` units that one solved and on which the other counts as unsolved, ``neither``.
    ``apart``: units that do not count for one of them. ``floored``: units in the mean with a time
    under the floor of 1 microsecond, which counts as the floor.
    """

    first: str
    second: str
    ratio: Estimate
    only_first: int
    only_second: int
    neither: int
    apart: int
    floored: int

    @property
    def decided(self) -> bool:
        """Whether the interval excludes 1."""
        low, high = self.ratio.low, self.ratio.high
        return low is not None and high is not None and (low > 1 or high < 1)


def ratio(units: Units, first: str, second: str) -> Ratio:
    """The ratio of two series. Raises UsageError if one was not asked the question."""
    a, b = units.column(first), units.column(second)
    both = units.counted[:, a] & units.counted[:, b]
    solved_a, solved_b = units.solved[:, a] & both, units.solved[:, b] & both
    common = solved_a & solved_b
    one, other = units.time[common, a], units.time[common, b]
    return Ratio(
        first,
        second,
        geometric_mean(quotients(one, other), units.clusters[common]),
        int((solved_a & ~solved_b).sum()),
        int((solved_b & ~solved_a).sum()),
        int((both & ~solved_a & ~solved_b).sum()),
        int((~both).sum()),
        int(((one < FLOOR) | (other < FLOOR)).sum()),
    )


def quotients(first: NDArray, second: NDArray) -> NDArray:
    """The ratios of times, none under the floor, so that 0 s is no division by zero."""
    return np.maximum(first, FLOOR) / np.maximum(second, FLOOR)


def ratios(units: Units) -> list[Ratio]:
    """All pairs that count on a common unit; the first of a pair is the one that took longer."""
    found = []
    for a, b in combinations(units.series, 2):
        pair = ratio(units, a, b)
        if (pair.ratio.value or 1.0) < 1:
            pair = ratio(units, b, a)
        if pair.apart < len(units.units):
            found.append(pair)
    return found
