"""The virtual best solver, and what each engine adds to the others."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .endings import End
from .estimates import Estimate, clustered_mean
from .scores import par2
from .units import FLOOR, Units


@dataclass(frozen=True, slots=True)
class Contribution:
    """What an engine adds. ``only``: units that it alone solves; ``best``: units that it solves
    in strictly less time than all others, those included; ``marginal``: PAR-2 of the virtual best
    solver without it, minus with it (seconds a unit); ``shapley``: its share of what all of them
    save together, in seconds a unit. Both None without a limit of wall time.
    """

    series: str
    solved: int
    only: int
    best: int
    marginal: Estimate
    shapley: float | None


@dataclass(frozen=True, slots=True)
class Portfolio:
    """The virtual best solver (VBS): on each unit the fastest engine that solves it.

    ``n`` units; ``left_out`` those where an engine's result is not known (not run, interrupted,
    unresolved, unmeasured), so that nobody is best because another was not tried; ``tied``:
    units where the best time was reached by several. ``contributions``: largest first.
    """

    n: int
    left_out: int
    solved: int
    par2: Estimate
    tied: int
    contributions: tuple[Contribution, ...]


_UNKNOWN = (End.NOT_RUN, End.INTERRUPTED, End.UNRESOLVED, End.UNMEASURED)


def portfolio(units: Units) -> Portfolio:
    """The portfolio of all engines that count on some unit. An engine that cannot do the job, or
    is not installed, solves nothing there.

    Source of the marginal contribution: Xu, Hutter, Hoos, Leyton-Brown, "Evaluating component
    solver contributions to portfolio-based algorithm selectors", 2012; of the Shapley value:
    Fréchette et al., "Using the Shapley value to analyze algorithm portfolios", 2016.
    """
    takes_part = units.counted.any(axis=0)
    names = [units.series[j] for j in np.flatnonzero(takes_part)]
    known = ~np.isin(units.end[:, takes_part], _UNKNOWN).any(axis=1)
    counted = units.counted.any(axis=1)
    chosen = known & counted
    times = np.maximum(np.where(np.isnan(units.time), math.inf, units.time), FLOOR)
    times = times[chosen][:, takes_part]
    clusters = units.clusters[chosen]
    penalty = units.penalty
    best = times.min(axis=1, initial=math.inf)
    solved = np.isfinite(best)
    value = np.where(solved, best, penalty)
    shares = _shapley(times, penalty)
    found = []
    for j, name in enumerate(names):
        others = np.delete(times, j, axis=1).min(axis=1, initial=math.inf)
        without = np.where(np.isfinite(others), others, penalty)
        found.append(
            Contribution(
                name,
                int(np.isfinite(times[:, j]).sum()),
                int((solved & ~np.isfinite(others)).sum()),
                int((times[:, j] < others).sum()),
                _mean(without - value, clusters, penalty),
                None if shares is None else float(shares[j]),
            )
        )
    found.sort(key=lambda c: (-(c.marginal.value or 0.0), -c.best, c.series))
    tied = int((solved & ((times == best[:, None]).sum(axis=1) > 1)).sum())
    left_out = int((counted & ~known).sum())
    return Portfolio(
        len(value), left_out, int(solved.sum()), par2(value, clusters), tied, tuple(found)
    )


def _mean(values: NDArray, clusters: NDArray, penalty: float) -> Estimate:
    if math.isnan(penalty):
        return Estimate(None, None, None, len(values), len(set(clusters)))
    return clustered_mean(values, clusters)


def _shapley(times: NDArray, penalty: float) -> NDArray | None:
    """The Shapley value of each engine in the game where a set of engines is worth the seconds
    that its virtual best saves against the penalty, averaged over the units.

    On one unit this is the airport game (Littlechild and Owen, 1973): engines sorted by what
    they save alone share each step of savings equally among those that reach it.
    """
    if math.isnan(penalty) or not times.size:
        return None
    saved = np.where(np.isfinite(times), penalty - times, 0.0)
    order = np.argsort(saved, axis=1, kind="stable")
    steps = np.diff(np.take_along_axis(saved, order, axis=1), axis=1, prepend=0.0)
    sharing = np.arange(times.shape[1], 0, -1)
    shares = np.zeros_like(saved)
    np.put_along_axis(shares, order, np.cumsum(steps / sharing, axis=1), axis=1)
    return shares.mean(axis=0)
