"""How time grows with size: power laws fitted to generated puzzles of several sizes."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .estimates import Estimate, clustered_slope
from .units import FLOOR, Units

LEAST_SIZES = 3


@dataclass(frozen=True, slots=True)
class Fit:
    """time = ``factor`` * vertices ** ``exponent`` (seconds), by least squares on logarithms.

    ``squared``: R squared, None if all times are equal. ``sizes``: those in the fit ("8x8"), from
    ``least`` to ``most`` vertices, ``exponent.n`` units of ``exponent.clusters`` puzzles.
    ``censored``: sizes left out as not every unit there was solved, with (unsolved, counted); the
    solved ones alone would make growth look slower. ``floored``: units in the fit with a time
    under the floor. ``refused``: why there is no fit, empty if there is one.
    """

    series: str
    kind: str
    exponent: Estimate
    factor: float | None
    squared: float | None
    sizes: tuple[str, ...]
    least: int | None
    most: int | None
    censored: Mapping[str, tuple[int, int]]
    floored: int
    refused: str = ""


_SIZED = re.compile(r"^(?P<kind>.+?) (?P<size>\d+x\d+)(?P<wrap>w?)$")


def kind_and_size(group: str) -> tuple[str, str] | None:
    """A generated group's family and size ("net 8x8w": "net w" for wrapped ones, and "8x8"); None
    for groups that are not of one size.
    """
    found = _SIZED.match(group)
    return found and (f"{found['kind']} {found['wrap']}".strip(), found["size"])


def scaling(units: Units) -> list[Fit]:
    """A fit for each series and kind of generated puzzles with at least three sizes; sorted."""
    kinds: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)
    for i, unit in enumerate(units.units):
        found = kind_and_size(unit.group)
        if found is not None and unit.vertices:
            kinds[found[0]].setdefault(found[1], []).append(i)
    return [
        _fit(units, j, kind, sizes)
        for kind, sizes in sorted(kinds.items())
        if len(sizes) >= LEAST_SIZES
        for j in range(len(units.series))
        if any(units.counted[i, j] for places in sizes.values() for i in places)
    ]


def _fit(units: Units, j: int, kind: str, sizes: Mapping[str, list[int]]) -> Fit:
    vertices = np.array([float(unit.vertices or 0) for unit in units.units])
    counted = {
        size: here
        for size, places in sizes.items()
        if (here := [i for i in places if units.counted[i, j]])
    }
    ordered = sorted(counted, key=lambda size: vertices[counted[size]].mean())
    unsolved = {
        s: (sum(not units.solved[i, j] for i in counted[s]), len(counted[s])) for s in ordered
    }
    censored = {size: of for size, of in unsolved.items() if of[0]}
    kept = tuple(size for size in ordered if size not in censored)
    used = [i for size in kept for i in counted[size]]
    if len({vertices[counted[size]].mean() for size in kept}) < LEAST_SIZES:
        none = Estimate(None, None, None, 0, 0)
        why = f"{len(kept)} of {len(ordered)} sizes solved throughout, {LEAST_SIZES} needed"
        return Fit(units.series[j], kind, none, None, None, kept, None, None, censored, 0, why)
    times = units.time[used, j]
    exponent, start, squared = clustered_slope(
        np.log(vertices[used]), np.log(np.maximum(times, FLOOR)), units.clusters[used]
    )
    return Fit(
        units.series[j],
        kind,
        exponent,
        None if start is None else math.exp(start),
        squared,
        kept,
        int(vertices[used].min()),
        int(vertices[used].max()),
        censored,
        int((times < FLOOR).sum()),
    )
