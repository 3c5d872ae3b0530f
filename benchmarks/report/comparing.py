"""Engines beside each other: ratios of times, the virtual best, agreement pair by pair."""

from __future__ import annotations

from ..statistics.agreements import Pair, agreements
from ..statistics.portfolio import Portfolio, portfolio
from ..statistics.ratios import Ratio, ratios
from ..statistics.units import Question
from ..tables import Cell, Shown, time_cell
from .content import Content
from .document import Section, Table
from .scoring import interval
from .terms import question_text, times


def comparing(content: Content) -> Section:
    """A table of ratios for each question."""
    tables = []
    for question, units in content.units.items():
        if isinstance(units, str):
            continue
        found = [one for one in ratios(units) if one.ratio.value is not None]
        if found:
            tables.append(_ratios(question, found))
    return Section("ratios", "Ratios of times", tables=tables, brief=True)


def _ratios(question: Question, found: list[Ratio]) -> Table:
    rows = [_ratio(one) for one in sorted(found, key=lambda one: one.ratio.value or 0.0)]
    floored = sum(one.floored for one in found)
    notes = ["Geometric means over what both solved; what only one solved is in no mean."]
    if floored:
        notes.append(f"Times under 1 µs count as that; ratios with such a time: {floored}.")
    return Table(
        f"Ratios of encode + solve, {question_text(question)}",
        ("time of", "ratio", "95 % interval", "both solved", "puzzles", "only the first",
         "only the second", "neither"),
        rows,
        f"ratios-{question.task}",
        hints={
            "95 % interval": "paired bootstrap, puzzles resampled",
            "both solved": "units (puzzles, each once per seed) in the mean",
            "only the first": "units that the second did not solve: censored, in no mean",
            "only the second": "units that the first did not solve: censored, in no mean",
        },
        notes=notes,
    )  # fmt: skip


def _ratio(one: Ratio) -> list[Cell]:
    low, high = one.ratio.low, one.ratio.high
    shown = "-" if low is None or high is None else f"{times(low)} to {times(high)}"
    if not one.decided:
        shown += " (may be 1)"
    return [
        f"{one.first} / {one.second}",
        Shown(one.ratio.value, times(one.ratio.value or 0.0)),
        shown,
        one.ratio.n,
        one.ratio.clusters,
        one.only_first,
        one.only_second,
        one.neither,
    ]


def together(content: Content) -> Section:
    """The virtual best solver and what each engine adds to it."""
    tables = [
        _portfolio(question, portfolio(units))
        for question, units in content.units.items()
        if not isinstance(units, str)
    ]
    return Section("portfolio", "Virtual best solver", tables=[t for t in tables if t.rows])


def _portfolio(question: Question, found: Portfolio) -> Table:
    rows: list[list[Cell]] = [
        [
            one.series,
            one.solved,
            one.only,
            one.best,
            time_cell(one.marginal.value),
            interval(one.marginal),
            time_cell(one.shapley),
        ]
        for one in found.contributions
    ]
    notes = [
        f"On each puzzle the fastest engine: solves {found.solved} of {found.n}, PAR-2 mean "
        f"{time_cell(found.par2.value).text} ({interval(found.par2).text})."
    ]
    if found.tied:
        notes.append(f"Best time reached by several engines: {found.tied}.")
    if found.left_out:
        notes.append(f"Left out, as an engine's result is not known there: {found.left_out}.")
    return Table(
        f"What each engine adds, {question_text(question)}",
        ("engine", "solved", "it alone", "fastest", "marginal PAR-2", "interval", "Shapley"),
        rows if found.n else [],
        f"portfolio-{question.task}",
        hints={
            "it alone": "solved by no other engine",
            "fastest": "solved in strictly less time than by all others",
            "marginal PAR-2": "PAR-2 of the virtual best without it, minus with it",
            "interval": "95 % bootstrap, puzzles resampled",
            "Shapley": "its share of what all save together against the penalty, per unit",
        },
        notes=notes,
    )


def matrix(content: Content) -> Table | None:
    """Every two engines: puzzles on which both claim something, and contradictions."""
    found = agreements(content.frame, content.solvers)
    claiming = [s for s in found.solvers if found.pair(s, s).common]
    if len(claiming) < 2:
        return None
    rows = [[first, *(_pair(found.pair(first, other)) for other in claiming)] for first in claiming]
    return Table(
        "Puzzles on which both claim something",
        ("engine", *claiming),
        rows,
        "agreement",
        notes=(
            "Status, number of solutions and optimum are compared, never the solution found. "
            "On the diagonal an engine's own runs.",
        ),
        brief=False,
    )


def _pair(pair: Pair) -> Cell:
    if not pair.contradicting:
        return pair.common
    bad = len(pair.contradicting)
    return Shown(pair.common, f"{pair.common}, {bad} contradicting", "bad")
