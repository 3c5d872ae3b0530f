"""The figures of a campaign: cactus, scatter and scaling plots. What was cut off by a limit is
drawn at the limit's line, never as a time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .canvas import load_matplotlib
from .document import Plot

COLOURS = (
    "#3b82c4", "#d9822b", "#2f9e68", "#c2548d", "#8a6fd1", "#a8892b", "#d1495b", "#4aa3b5",
)  # fmt: skip
"""Told apart on white and on black, and by readers who see few colours; the line styles and
markers differ too.
"""

STYLES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

FLOOR = 1e-5
"""Seconds; shorter times are drawn as this."""


@dataclass(frozen=True, slots=True)
class Cactus(Plot):
    """Puzzles solved within a time each: sorted times per engine, against their number."""

    series: Mapping[str, Sequence[float]]
    limit: float | None
    asked: int


@dataclass(frozen=True, slots=True)
class Pairs(Plot):
    """Times of two engines on the same puzzles, in seconds; None: cut off or failed, why in
    ``outcomes`` of (x, y). One dot a puzzle.
    """

    x_name: str
    y_name: str
    points: Sequence[tuple[float | None, float | None, str]]
    limit: float | None


@dataclass(frozen=True, slots=True)
class Growth(Plot):
    """Times over sizes per engine, with the fitted power law where there is one.

    ``series``: (vertices, seconds); ``cut``: sizes of runs cut off by the limit; ``fits``:
    (exponent, factor) of seconds = factor * vertices ** exponent.
    """

    series: Mapping[str, Sequence[tuple[float, float]]]
    cut: Mapping[str, Sequence[float]]
    fits: Mapping[str, tuple[float, float]]
    limit: float | None


def paint(plot: Plot) -> Any:
    """The plot as matplotlib holds it; raises UsageError without matplotlib."""
    plt = load_matplotlib().pyplot
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


def _look(index: int) -> dict[str, Any]:
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": STYLES[index % len(STYLES)],
        "marker": MARKERS[index % len(MARKERS)],
        "markersize": 4,
    }


def _cactus(plot: Cactus, axes: Any) -> None:
    handles = {}
    for index, (name, times) in enumerate(plot.series.items()):
        y = np.maximum(np.sort(np.asarray(times, dtype=float)), FLOOR)
        x, every = np.arange(1, len(y) + 1), max(1, len(y) // 12)
        [handles[name]] = axes.plot(x, y, markevery=every, linewidth=1.4, **_look(index))
    axes.set(xlabel=f"puzzles solved, of {plot.asked}", ylabel="time of each", yscale="log")
    axes.set_xlim(left=0)
    best_first = sorted(plot.series, key=lambda name: -len(plot.series[name]))
    pairs = [(handles[name], f"{name} ({len(plot.series[name])})") for name in best_first]
    _limit(axes, plot.limit, pairs)
    _time_axis(axes.yaxis)
    _legend(axes, pairs)


def _pairs(plot: Pairs, axes: Any) -> None:
    both = [(x, y) for x, y, _ in plot.points if x is not None and y is not None]
    seen = [t for x, y, _ in plot.points for t in (x, y) if t is not None]
    low = max(min(seen, default=1e-3), FLOOR) / 2
    high = plot.limit or 2 * max(seen, default=1.0)
    line = high * 1.15
    kinds: dict[str, list[tuple[float, float]]] = {}
    for x, y, why in plot.points:
        if x is None or y is None:
            kinds.setdefault(why, []).append((_at(x, line), _at(y, line)))
    axes.plot([low, high], [low, high], color="#888", linewidth=0.8)
    for factor in (10.0, 0.1):
        axes.plot([low, high], [low * factor, high * factor], ":", color="#888", linewidth=0.8)
    if both:
        x, y = np.maximum(np.asarray(both, dtype=float), FLOOR).T
        axes.scatter(x, y, s=16, alpha=0.65, color=COLOURS[0], label=f"both ({len(both)})")
    for index, (why, spots) in enumerate(sorted(kinds.items())):
        x, y = np.asarray(spots, dtype=float).T
        axes.scatter(
            x, y, s=26, marker=("x", "+", "1", "2", "3", "4")[index % 6],
            color=COLOURS[1 + index % (len(COLOURS) - 1)], label=f"{why} ({len(spots)})",
        )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel=plot.x_name, ylabel=plot.y_name)
    axes.set(xlim=(low, line * 1.3), ylim=(low, line * 1.3), aspect="equal")
    if plot.limit is not None:
        for draw in (axes.axhline, axes.axvline):
            draw(plot.limit, color="#888", linewidth=1, linestyle=(0, (4, 3)))
    for axis in (axes.xaxis, axes.yaxis):
        _time_axis(axis)
    axes.legend(
        frameon=False, fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2
    )


def _at(time: float | None, line: float) -> float:
    return line if time is None else max(time, FLOOR)


def _growth(plot: Growth, axes: Any) -> None:
    pairs = []
    for index, (name, points) in enumerate(plot.series.items()):
        look, label = _look(index), name
        dots = {"color": look["color"], "marker": look["marker"], "s": 14, "alpha": 0.6}
        x, y = np.asarray(points, dtype=float).reshape(-1, 2).T
        handle = axes.scatter(x, np.maximum(y, FLOOR), **dots)
        if name in plot.fits:
            exponent, factor = plot.fits[name]
            label = f"{name}: size^{exponent:.2f}"
            ends = np.asarray([x.min(), x.max()])
            line = {"color": look["color"], "linestyle": look["linestyle"], "linewidth": 1.2}
            axes.plot(ends, factor * ends**exponent, **line)
        pairs.append((handle, label))
        sizes = plot.cut.get(name, ())
        if sizes and plot.limit:
            cut = axes.scatter(
                sizes, [plot.limit] * len(sizes), s=26, marker="x", color=look["color"]
            )
            pairs.append((cut, f"{name}: cut off ({len(sizes)})"))
    axes.set(xscale="log", yscale="log", xlabel="size (vertices)", ylabel="time")
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
        line = axes.axhline(limit, color="#888", linewidth=1, linestyle=(0, (4, 3)))
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
