"""Histograms and scatter plots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..report.canvas import check_formats, closing, load_matplotlib, save
from .report import Histogram, Scatter


def draw(figure: Histogram | Scatter, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write the figure once per format; raises UsageError without matplotlib."""
    check_formats(formats)
    with closing(painted(figure)) as canvas:
        return save(canvas, figure.file, folder, formats)


def painted(figure: Histogram | Scatter) -> Any:
    """The figure as matplotlib holds it; raises UsageError without matplotlib."""
    canvas, panels = _panels(load_matplotlib().pyplot, len(figure.series))
    if isinstance(figure, Histogram):
        _histogram(figure, panels)
    else:
        _scatter(figure, panels)
    canvas.suptitle(figure.title)
    return canvas


def _panels(plt, number: int):
    columns = 2 if number in (2, 4) else min(3, number)
    rows = math.ceil(number / columns)
    canvas, axes = plt.subplots(
        rows,
        columns,
        figsize=(4.2 * columns, 3.2 * rows + 0.4),
        squeeze=False,
        layout="constrained",
    )
    panels = list(axes.flat)
    for unused in panels[number:]:
        unused.set_axis_off()
    return canvas, panels[:number]


def _plain_numbers(axis) -> None:
    """Label a logarithmic axis 1, 2, 5, 10... (1, 2, 3, 4... if it is short), not with powers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    steps = (1.0, 2.0, 5.0) if high / low > 15 else (1.0, 2.0, 3.0, 4.0, 6.0, 8.0)
    axis.set_major_locator(LogLocator(subs=steps))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}" if value >= 1 else ""))
    axis.set_minor_formatter(NullFormatter())


def _whole_numbers(axis) -> None:
    """Label an axis of counts with integers, and one that holds a single value with its
    neighbours.
    """
    from matplotlib.ticker import MaxNLocator

    low, high = axis.get_data_interval()
    if low == high:
        axis.set_view_interval(low - 1, high + 1, ignore=True)
    axis.set_major_locator(MaxNLocator(integer=True))


def _histogram(figure: Histogram, panels) -> None:
    for panel, (name, values) in zip(panels, figure.series.items(), strict=True):
        data = np.asarray(values, dtype=float)
        if figure.log:
            # Bins of equal width on the axis; the first has 1 in its middle.
            top = math.log10(max(data.max(initial=1.0), 10.0))
            edges = 10 ** ((np.arange(26) - 0.5) * top / 24)
            panel.hist(data, bins=list(edges), rwidth=0.9)
            panel.set_xscale("log")
            _plain_numbers(panel.xaxis)
        else:
            low, high = data.min(initial=0.0), data.max(initial=2.0)
            edges = np.arange(math.floor(low) - 0.5, math.ceil(high) + 1.5)
            panel.hist(data, bins=edges if len(edges) <= 60 else 40, rwidth=0.9)
            _whole_numbers(panel.xaxis)
        _whole_numbers(panel.yaxis)
        panel.set(title=f"{name} (n = {len(data)})", xlabel=figure.labels[name], ylabel="boards")


def _scatter(figure: Scatter, panels) -> None:
    if figure.log_y:  # one scale, or panels side by side would look alike that are not
        for panel in panels[1:]:
            panel.sharey(panels[0])
    for panel, (name, (x, y)) in zip(panels, figure.series.items(), strict=True):
        panel.scatter(x, y, s=14, alpha=0.5)
        if figure.log_y:
            panel.set_yscale("log")
            _plain_numbers(panel.yaxis)
        else:
            _whole_numbers(panel.yaxis)
        _whole_numbers(panel.xaxis)
        note = figure.notes.get(name)
        x_label, y_label = figure.labels[name]
        panel.set(title=f"{name}\n{note}" if note else name, xlabel=x_label, ylabel=y_label)
