"""How much of a figure is chance: reshuffled puzzles, repeated runs."""

from __future__ import annotations

from collections.abc import Sequence

from ..statistics.seeds import Noise, Sensitivity, Spread, noise, sensitivity
from ..statistics.units import Question
from ..tables import Cell, Shown
from .content import Content
from .document import Section, Table
from .terms import question_text, times

MOST_NAMED = 5


def chance(content: Content) -> Section:
    """Tables of seeds and of repeats, for each question that had several."""
    tables = []
    for question in content.units:
        seeds = sensitivity(content.frame, question)
        if seeds:
            tables.append(_seeds(question, seeds))
    for question in content.units:
        spreads = [n for n in noise(content.frame, question).values() if n.n or n.flips]
        if spreads:
            tables.append(_noise(question, spreads))
    return Section("chance", "Seeds and noise", tables=tables)


def _seeds(question: Question, found: Sequence[Sensitivity]) -> Table:
    rows: list[list[Cell]] = []
    for one in found:
        flips = ", ".join(one.flips[:MOST_NAMED])
        if len(one.flips) > MOST_NAMED:
            flips += f" and {len(one.flips) - MOST_NAMED} more"
        rows.append(
            [one.series, one.puzzles, *_spread(one.time), one.counter or "-", *_spread(one.work),
             len(one.flips), flips or "-"]
        )  # fmt: skip
    return Table(
        f"The same puzzle reshuffled, {question_text(question)}",
        ("engine", "puzzles", "time: variation", "time: max / min", "time: worst", "counter",
         "its variation", "its max / min", "its worst", "flips", "solved under some seeds only"),
        rows,
        f"seeds-{question.task}",
        hints={
            "time: variation": "median coefficient of variation over the seeds of a puzzle",
            "time: max / min": "median of largest / smallest over the seeds of a puzzle",
            "flips": "puzzles that are solved under one seed and not under another",
        },
    )  # fmt: skip


def _spread(spread: Spread) -> list[Cell]:
    ratio, worst = (
        Shown(value, "-" if value is None else times(value))
        for value in (spread.ratio, spread.worst)
    )
    return [_share(spread.variation), ratio, worst]


def _noise(question: Question, found: Sequence[Noise]) -> Table:
    rows: list[list[Cell]] = [
        [one.series, one.n, _share(one.median), _share(one.largest), one.flips] for one in found
    ]
    return Table(
        f"The same run repeated, {question_text(question)}",
        ("engine", "units", "noise", "worst", "flips"),
        rows,
        f"noise-{question.task}",
        hints={
            "units": "solved in at least two repeats",
            "noise": "median over units of the median distance from the unit's median time",
            "flips": "units solved in one repeat and not in another",
        },
    )


def _share(value: float | None) -> Shown:
    return Shown(value, "-" if value is None else f"{100 * value:.3g} %")
