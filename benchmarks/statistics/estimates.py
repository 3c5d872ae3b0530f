"""Point estimates with bootstrap intervals, through scipy.

Source of the method: Efron, "Bootstrap methods: another look at the jackknife", 1979.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 5000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic of ``n`` values with its 95 % percentile-bootstrap interval.

    ``value`` None: the statistic is undefined (a correlation with a constant). ``clusters``: of
    how many independent things the values are, where that was told (runs of one puzzle are not
    independent); one alone has no interval.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    clusters: int | None = None

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

_AT_ONCE = 2_000_000
"""Resampled values held in memory together."""


def _resampled(samples: tuple[NDArray, ...], statistic: Callable, seed: int) -> NDArray:
    """The statistic of each bootstrap resample of the samples, which are paired."""
    from scipy.stats import bootstrap

    return bootstrap(
        samples,
        statistic,
        paired=len(samples) > 1,
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=max(1, _AT_ONCE // len(samples[0])),
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).bootstrap_distribution


def _bootstrap(samples: tuple[NDArray, ...], statistic: Callable, seed: int) -> tuple[float, float]:
    return _ends(_resampled(samples, statistic, seed))


def _ends(distribution: NDArray) -> tuple[float, float]:
    low, high = np.quantile(distribution, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def mean(values: Values, seed: int = 0) -> Estimate:
    """The mean; of no values it is undefined, of equal values its interval is the value."""
    data = np.asarray(values, dtype=float)
    if len(data) == 0:
        return Estimate(None, None, None, 0)
    value = float(data.mean())
    if np.ptp(data) == 0:
        return Estimate(value, value, value, len(data))
    return Estimate(value, *_bootstrap((data,), np.mean, seed), len(data))


def _totals(clusters: Sequence | NDArray, *columns: NDArray) -> tuple[NDArray, ...]:
    """The sums of the columns over each cluster, and before them the clusters' sizes."""
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    return tuple(np.bincount(codes, weights=w) for w in (np.ones(len(codes)), *columns))


def clustered_mean(values: Values, clusters: Sequence | NDArray, seed: int = 0) -> Estimate:
    """The mean over all values; its interval resamples whole clusters, here puzzles with all
    their seeds, because values of one cluster are not independent (Davison and Hinkley,
    "Bootstrap Methods and their Application", 1997, section 3.8). The weight of a cluster is the
    number of its values. Raises ValueError unless there is one cluster label per value.
    """
    data = np.asarray(values, dtype=float)
    if len(data) != len(clusters):
        raise ValueError(f"{len(data)} values and {len(clusters)} labels: expected one for each")
    if len(data) == 0:
        return Estimate(None, None, None, 0, 0)
    sizes, sums = _totals(clusters, data)
    value, number = float(data.mean()), len(sizes)
    if number < 2:
        return Estimate(value, None, None, len(data), number)
    if np.ptp(data) == 0:
        return Estimate(value, value, value, len(data), number)
    low, high = _bootstrap((sums, sizes), _mean_of_totals, seed)
    return Estimate(value, low, high, len(data), number)


def _mean_of_totals(sums: NDArray, sizes: NDArray, axis: int = -1) -> NDArray:
    return sums.sum(axis=axis) / sizes.sum(axis=axis)


def geometric_mean(values: Values, clusters: Sequence | NDArray, seed: int = 0) -> Estimate:
    """The geometric mean of positive values: the exponential of the mean of their logarithms,
    with the interval carried over. Raises ValueError for values that are not positive.
    """
    data = np.asarray(values, dtype=float)
    if (data <= 0).any():
        raise ValueError("a value that is not positive: expected positive values")
    logs = clustered_mean(np.log(data), clusters, seed)
    value, low, high = (
        None if v is None else float(np.exp(v)) for v in (logs.value, logs.low, logs.high)
    )
    return Estimate(value, low, high, logs.n, logs.clusters)


def clustered_slope(
    x: Values, y: Values, clusters: Sequence | NDArray, seed: int = 0
) -> tuple[Estimate, float | None, float | None]:
    """Least squares of y on x: the slope with an interval that resamples clusters, the value at
    x = 0, and R squared (None if y is constant). Undefined if x is constant; resamples in which
    it is are left out of the interval.
    """
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(a) != len(b) or len(a) != len(clusters):
        raise ValueError(f"{len(a)}, {len(b)}, {len(clusters)} values: expected as many of each")
    if len(a) == 0 or np.ptp(a) == 0:
        return Estimate(None, None, None, len(a), len(set(clusters))), None, None
    dx, dy = a - a.mean(), b - b.mean()  # centred, or the sums of squares lose their digits
    totals = _totals(clusters, dx, dy, dx * dx, dx * dy)
    slope = float((dx * dy).sum() / (dx * dx).sum())
    spread = float((dy * dy).sum())
    squared = None if spread == 0 else 1 - float(((dy - slope * dx) ** 2).sum()) / spread
    start, n, number = float(b.mean() - slope * a.mean()), len(a), len(totals[0])
    if number < 3:
        return Estimate(slope, None, None, n, number), start, squared
    with warnings.catch_warnings():  # scipy's, of an interval that we take ourselves
        warnings.simplefilter("ignore")
        slopes = _resampled(totals, _slope_of_totals, seed)
    return Estimate(slope, *_ends(slopes[np.isfinite(slopes)]), n, number), start, squared


def _slope_of_totals(*totals: NDArray, axis: int = -1) -> NDArray:
    n, x, y, xx, xy = (total.sum(axis=axis) for total in totals)
    spread = xx - x * x / n
    # Equal values of x leave nothing but rounding.
    bad = spread <= 1e-9 * np.maximum(xx, 1e-300)
    return np.where(bad, np.nan, (xy - x * y / n) / np.where(bad, 1.0, spread))


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
