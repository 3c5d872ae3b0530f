"""Point estimates with bootstrap intervals, through scipy.

Source of the method: Efron, "Bootstrap methods: another look at the jackknife", 1979.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 5000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic of ``n`` values with its 95 % percentile-bootstrap interval.

    ``value`` None: the statistic is undefined (a correlation with a constant).
    """

    value: float | None
    low: float | None
    high: float | None
    n: int

    def text(self, digits: int = 2) -> str:
        """The value as text, or ``undefined``."""
        return "undefined" if self.value is None else _fixed(self.value, digits)

    def interval(self, digits: int = 2) -> str:
        """The interval as text, ``-`` where there is none."""
        if self.low is None or self.high is None:
            return "-"
        return f"{_fixed(self.low, digits)} to {_fixed(self.high, digits)}"


def _fixed(value: float, digits: int) -> str:
    """So many decimals, and 0.00 rather than -0.00."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


Values = Sequence[float] | NDArray


def _bootstrap(samples: tuple[NDArray, ...], statistic: Callable, seed: int) -> tuple[float, float]:
    from scipy.stats import bootstrap

    found = bootstrap(
        samples,
        statistic,
        paired=len(samples) > 1,
        vectorized=True,
        n_resamples=RESAMPLES,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return float(found.low), float(found.high)


def mean(values: Values, seed: int = 0) -> Estimate:
    """The mean; of no values it is undefined, of equal values its interval is the value."""
    data = np.asarray(values, dtype=float)
    if len(data) == 0:
        return Estimate(None, None, None, 0)
    value = float(data.mean())
    if np.ptp(data) == 0:
        return Estimate(value, value, value, len(data))
    return Estimate(value, *_bootstrap((data,), np.mean, seed), len(data))


def _pearson(x: NDArray, y: NDArray, axis: int = -1) -> NDArray:
    dx = x - x.mean(axis=axis, keepdims=True)
    dy = y - y.mean(axis=axis, keepdims=True)
    spread = np.sqrt((dx * dx).sum(axis=axis) * (dy * dy).sum(axis=axis))
    # A resample may happen to be constant; r = 0 there, so that the interval stays defined.
    return np.divide((dx * dy).sum(axis=axis), spread, out=np.zeros_like(spread), where=spread > 0)


def pearson(x: Values, y: Values, seed: int = 0) -> Estimate:
    """Pearson's r with a paired bootstrap interval; undefined if either side is constant."""
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} values: expected pairs")
    if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return Estimate(None, None, None, len(a))
    return Estimate(float(_pearson(a, b)), *_bootstrap((a, b), _pearson, seed), len(a))


def spearman(x: Values, y: Values, seed: int = 0) -> Estimate:
    """Spearman's rank correlation; the bootstrap resamples the pairs of ranks."""
    from scipy.stats import rankdata

    return pearson(rankdata(x), rankdata(y), seed)


@dataclass(frozen=True, slots=True)
class Share:
    """``hits`` of ``n`` with the 95 % Clopper-Pearson interval of their share."""

    hits: int
    n: int
    low: float
    high: float

    def interval(self) -> str:
        """The interval in per cent."""
        return f"{100 * self.low:.3g} to {100 * self.high:.3g} %"


def proportion(hits: int, n: int) -> Share:
    """A share with its exact interval (Clopper and Pearson, 1934); raises ValueError if n < 1."""
    from scipy.stats import binomtest

    found = binomtest(hits, n).proportion_ci(LEVEL, method="exact")
    return Share(hits, n, float(found.low), float(found.high))
