"""Which plots a campaign gets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from ..statistics.curves import cactus, scatter
from ..statistics.scaling import Fit, kind_and_size, scaling
from ..statistics.scores import scores
from ..statistics.units import Question, Units
from ..tables import Cell, time_cell
from .content import Content
from .document import Paragraph, Plot, Section, Table
from .plots import Cactus, Growth, Pairs
from .terms import question_text

MAIN = 4
"""Engines that are drawn pair by pair: those with the most solved."""


def figures(content: Content) -> Section:
    """A cactus plot of each question; scatter plots of the first question's main engines."""
    plots: list[Plot] = []
    for number, (question, units) in enumerate(_usable(content)):
        curves = cactus(units)
        if any(curve.times for curve in curves):
            title = f"{_capital(question_text(question))}: how many are solved within a time each"
            file = f"cactus-{_slug(str(question))}"
            plots.append(Cactus(file, title, curves, content.series))
        if number == 0:
            plots += _pairs(units, content.series)
    notes = (
        "Right and low is good in a cactus plot. In a scatter plot a dot above the line is a "
        "puzzle on which the engine below is faster, dotted lines are ten times; what a limit cut "
        "off lies on the dashed line of the limit, other failures beyond it.",
    )
    return Section(
        "figures", "Figures", [Paragraph(n) for n in notes] if plots else [], (), _apart(plots)
    )


def _apart(plots: Sequence[Plot]) -> list[Plot]:
    """The plots, no two of which go to one file: names that differ in signs only get numbers."""
    found: dict[str, Plot] = {}
    for plot in plots:
        file, number = plot.file, 1
        while file in found:
            number += 1
            file = f"{plot.file}-no-{number}"
        found[file] = replace(plot, file=file)
    return list(found.values())


def _usable(content: Content) -> Iterator[tuple[Question, Units]]:
    for question, units in content.units.items():
        if not isinstance(units, str):
            yield question, units


def _pairs(units: Units, order: Sequence[str]) -> Iterator[Plot]:
    main = [score.series for score in scores(units).scores if score.solved][:MAIN]
    for first, second in combinations(main, 2):
        data = scatter(units, first, second)
        if data.points:
            file = f"scatter-{_slug(first)}-{_slug(second)}"
            yield Pairs(file, f"{second} against {first}, puzzle by puzzle", data, order)


def growth(content: Content) -> Section:
    """Fits and plots for generated puzzles of several sizes."""
    tables, plots = [], []
    for question, units in _usable(content):
        fits = scaling(units)
        if not fits:
            continue
        tables.append(_fits_table(question, fits))
        for kind in dict.fromkeys(fit.kind for fit in fits):
            of = [fit for fit in fits if fit.kind == kind]
            plots.append(_growth(question, units, kind, of, content.series))
    return Section("scaling", "Growth with the size", (), tables, _apart(plots))


def _fits_table(question: Question, fits: list[Fit]) -> Table:
    rows: list[list[Cell]] = []
    for fit in fits:
        interval = fit.exponent.interval()
        cut = ", ".join(f"{size} ({n} of {of})" for size, (n, of) in fit.censored.items())
        sizes = f"{fit.sizes[0]} to {fit.sizes[-1]}" if fit.sizes else "-"
        at = None
        if fit.exponent.value is not None and fit.factor is not None and fit.most is not None:
            at = fit.factor * fit.most**fit.exponent.value
        rows.append(
            [fit.kind, fit.series, fit.exponent.value, interval, fit.squared, fit.exponent.n,
             sizes, time_cell(at), cut or "none", fit.refused or "-"]
        )  # fmt: skip
    return Table(
        f"Fits: time of {question_text(question)} = factor * size ^ exponent",
        ("puzzles", "engine", "exponent", "interval", "R²", "n", "sizes", "time at the largest",
         "sizes left out (unsolved)", "no fit, because"),
        rows,
        f"scaling-{question.task}",
        left=2,
        hints={"n": "puzzles in the fit", "interval": "95 % bootstrap, puzzles resampled"},
        notes=(
            "A size at which an engine did not solve every puzzle is left out of its fit: the "
            "solved ones alone would make growth look slower.",
        ),
    )  # fmt: skip


def _growth(
    question: Question, units: Units, kind: str, fits: list[Fit], order: Sequence[str]
) -> Growth:
    points: dict[str, list[tuple[float, float]]] = {}
    cut: dict[str, list[float]] = {}
    places = [i for i, u in enumerate(units.units) if u.vertices and _kind(u.group) == kind]
    for fit in fits:
        j = units.column(fit.series)
        counted = [i for i in places if units.counted[i, j]]
        sizes = {i: float(units.units[i].vertices or 0) for i in counted}
        solved = [i for i in counted if units.solved[i, j]]
        points[fit.series] = [(sizes[i], float(units.time[i, j])) for i in solved]
        cut[fit.series] = [sizes[i] for i in counted if not units.solved[i, j]]
    title = f"{_capital(question_text(question))}, puzzles of kind {kind}: time over size"
    file = f"scaling-{_slug(str(question))}-{_slug(kind)}"
    return Growth(file, title, points, cut, fits, units.limits.seconds, order)


def _kind(group: str) -> str | None:
    found = kind_and_size(group)
    return found and found[0]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"
