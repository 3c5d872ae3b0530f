"""The figures of a campaign: cactus, scatter and scaling plots. What was cut off by a limit is
drawn at the limit's line, never as a time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..statistics.curves import Curve, Point, Scatter
from ..statistics.endings import End
from ..statistics.scaling import Fit
from ..statistics.units import FLOOR
from ..tables import visible
from .canvas import load_matplotlib, quiet
from .document import Plot

COLOURS = (
    "#3b82c4", "#d9822b", "#2f9e68", "#c2548d", "#8a6fd1", "#a8892b", "#d1495b", "#4aa3b5",
)  # fmt: skip
"""Told apart on white and on black, and by readers who see few colours; the line styles and
markers differ too.
"""

STYLES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

GREY, BOTH = "#888888", "both solved"

MOST_LETTERS = 32
"""Of an engine's name in a plot."""

DODGE = 1.012
"""How far engines stand apart at one size, as a factor, so that none hides another."""


@dataclass(frozen=True, slots=True)
class Cactus(Plot):
    """Puzzles solved within a time each: every engine's sorted times against their number."""

    curves: Sequence[Curve]
    order: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Pairs(Plot):
    """Two engines, a dot for each unit."""

    scatter: Scatter
    order: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Growth(Plot):
    """Time over size per engine, with the fitted power laws.

    ``points`` by engine: (vertices, seconds) of what was solved; ``cut`` by engine: vertices of
    what was not, drawn at the ``limit``.
    """

    points: Mapping[str, Sequence[tuple[float, float]]]
    cut: Mapping[str, Sequence[float]]
    fits: Sequence[Fit]
    limit: float | None
    order: Sequence[str] = ()


def paint(plot: Plot) -> Any:
    """The plot as matplotlib holds it; raises UsageError without matplotlib.

    ``order`` of a plot names all engines of the report: an engine looks alike in all of them.
    """
    matplotlib = load_matplotlib()
    with quiet(), matplotlib.rc_context({"text.parse_math": False}):  # engines may be called $x$
        return _painted(plot, matplotlib.pyplot)


def _painted(plot: Plot, plt: Any) -> Any:
    wide = not isinstance(plot, Pairs)
    canvas, axes = plt.subplots(figsize=(7.2, 4.2) if wide else (4.6, 4.6), layout="constrained")
    axes.grid(visible=True, alpha=0.25, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if isinstance(plot, Cactus):
        _cactus(plot, axes)
    elif isinstance(plot, Pairs):
        _pairs(plot, axes)
    else:
        assert isinstance(plot, Growth)
        _growth(plot, axes)
    return canvas


def look(order: Sequence[str], name: str) -> dict[str, Any]:
    """How an engine is drawn: by its place among all, not among those of one plot. From the ninth
    on colours come again, with another line and marker.
    """
    index = list(order).index(name) if name in order else len(order)
    again = index // len(COLOURS)
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": STYLES[(index + again) % len(STYLES)],
        "marker": MARKERS[(index + 3 * again) % len(MARKERS)],
        "markersize": 4,
    }


def short(name: str) -> str:
    """A name that leaves room for the plot."""
    shown = visible(" ".join(name.split()))
    return shown if len(shown) <= MOST_LETTERS else f"{shown[: MOST_LETTERS - 3]}..."


def _cactus(plot: Cactus, axes: Any) -> None:
    pairs = []
    order = plot.order or [curve.series for curve in plot.curves]
    for curve in plot.curves:
        every = max(1, len(curve.times) // 12)
        times = np.maximum(curve.times, FLOOR)
        marked = ((len(times) - 1) % every, every)  # the last one is marked
        [line] = axes.plot(
            curve.solved, times, markevery=marked, linewidth=1.4, **look(order, curve.series)
        )
        pairs.append((line, f"{short(curve.series)} ({len(curve.times)} of {curve.n})"))
    axes.set(xlabel="solved, each within this time", ylabel="time (encode + solve)", yscale="log")
    axes.set_xlim(left=0)
    _limit(axes, next((c.limit for c in plot.curves), None), pairs)
    _time_axis(axes.yaxis)
    _legend(axes, pairs)


def _pairs(plot: Pairs, axes: Any) -> None:
    data = plot.scatter
    order = plot.order or (data.first, data.second)
    groups: dict[str, list[tuple[float, float]]] = {}
    colours: dict[str, str] = {}
    for point in data.points:
        kind = _kind(data, point)
        groups.setdefault(kind, []).append((point.x, point.y))
        colours[kind] = _colour(data, point, order)
    inside = [t for p in data.points for t in (p.x, p.y) if t < data.line]
    odd = any(max(p.x, p.y) > data.line for p in data.points)
    ends = min(inside, default=data.line / 10) / 2, (data.beyond if odd else data.line) * 1.6
    for factor, style in ((1.0, "-"), (10.0, ":"), (0.1, ":")):
        axes.plot(ends, [e * factor for e in ends], style, color=GREY, linewidth=0.8)
    for draw in (axes.axhline, axes.axvline):
        draw(data.line, color=GREY, linewidth=1, linestyle=(0, (4, 3)))
    for index, (kind, spots) in enumerate(sorted(groups.items(), key=lambda g: g[0] != BOTH)):
        x, y = np.asarray(spots, dtype=float).T
        axes.scatter(
            x, y, s=18 if kind == BOTH else 34, alpha=0.7, linewidths=0,
            marker=MARKERS[index % len(MARKERS)], color=colours[kind],
            label=f"{kind} ({len(spots)})",
        )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, aspect="equal")
    axes.set(xlabel=f"time of {short(data.first)}", ylabel=f"time of {short(data.second)}")
    for axis in (axes.xaxis, axes.yaxis):
        _time_axis(axis)
    axes.legend(
        frameon=False, fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2
    )


def _kind(data: Scatter, point: Point) -> str:
    """What the legend calls a dot."""
    if point.x_end == point.y_end == End.SOLVED:
        return BOTH
    sides = ((data.first, point.x_end), (data.second, point.y_end))
    return ", ".join(f"{short(name)} {end}" for name, end in sides if end != End.SOLVED)


def _colour(data: Scatter, point: Point, order: Sequence[str]) -> str:
    """That of the engine that alone failed; grey where both or none did."""
    failed = [
        name
        for name, end in ((data.first, point.x_end), (data.second, point.y_end))
        if end != End.SOLVED
    ]
    return look(order, failed[0])["color"] if len(failed) == 1 else GREY


def _growth(plot: Growth, axes: Any) -> None:
    fits = {fit.series: fit for fit in plot.fits}
    pairs = []
    for index, (name, points) in enumerate(plot.points.items()):
        style, label, fit = look(plot.order or list(plot.points), name), short(name), fits.get(name)
        dots = {"color": style["color"], "marker": style["marker"], "s": 14, "alpha": 0.6}
        x, y = np.asarray(points, dtype=float).reshape(-1, 2).T
        aside = DODGE ** (index - (len(plot.points) - 1) / 2)
        handle = axes.scatter(x * aside, np.maximum(y, FLOOR), **dots)
        if fit is not None and fit.exponent.value is not None and fit.factor is not None:
            label = f"{short(name)}: size^{fit.exponent.value:.2f}"
            ends = np.asarray([fit.least, fit.most], dtype=float)
            line = {"color": style["color"], "linestyle": style["linestyle"], "linewidth": 1.2}
            axes.plot(ends, fit.factor * ends**fit.exponent.value, **line)
        pairs.append((handle, label))
        sizes = plot.cut.get(name, ())
        if sizes and plot.limit:
            heights = [plot.limit] * len(sizes)
            cut = axes.scatter(
                np.asarray(sizes) * aside, heights, s=26, marker="x", color=style["color"]
            )
            pairs.append((cut, f"{short(name)}: not solved ({len(sizes)})"))
    axes.set(xscale="log", yscale="log", xlabel="size (vertices)", ylabel="time (encode + solve)")
    _limit(axes, plot.limit, pairs)
    _time_axis(axes.yaxis)
    _size_axis(axes.xaxis)
    _legend(axes, pairs)


def _legend(axes: Any, pairs: Sequence[tuple[Any, str]]) -> None:
    """Beside the plot, where it covers nothing."""
    if pairs:
        handles, labels = zip(*pairs, strict=True)
        axes.legend(
            handles, labels, frameon=False, fontsize="small", loc="upper left",
            bbox_to_anchor=(1.0, 1.0),
        )  # fmt: skip


def _limit(axes: Any, limit: float | None, pairs: list[tuple[Any, str]]) -> None:
    """The line of the limit, told in the legend."""
    if limit is not None:
        line = axes.axhline(limit, color=GREY, linewidth=1, linestyle=(0, (4, 3)))
        pairs.append((line, f"limit {limit:g} s"))


def _time_axis(axis: Any) -> None:
    """Powers of ten as people say them: 1 ms, 10 s."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: _said(value)))
    axis.set_minor_formatter(NullFormatter())


def _said(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size * 0.999:
            return f"{value / size:.3g} {unit}"
    return ""


def _size_axis(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    near = high / low < 30
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if near else (1.0,), numticks=12))
    axis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:g}" if math.isfinite(value) else "")
    )
    axis.set_minor_formatter(NullFormatter())
