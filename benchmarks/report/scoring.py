"""Scores, per question and engine: how runs ended, and PAR-2."""

from __future__ import annotations

from collections.abc import Sequence

from ..statistics.endings import End
from ..statistics.estimates import Estimate
from ..statistics.scores import Score, scores
from ..statistics.units import Question, Units
from ..tables import Cell, Shown, Tone, duration, time_cell
from .content import Content
from .document import Paragraph, Section, Table
from .terms import limits_text, number

ALWAYS = (End.SOLVED, End.TIMEOUT)

_HINTS = {
    "units": "puzzles, each once per seed",
    "unknown": "stopped by itself at its limit of nodes",
    "unsupported": "the engine cannot do such puzzles",
    "missing": "the engine's library is not installed",
    "unresolved": "one side of a contradiction that no evidence settles",
    "unmeasured": "answered, but the time was lost",
    "PAR-2 mean": "mean of encode + solve; an unsolved unit counts as twice the limit",
    "interval": "95 % bootstrap interval of the mean, puzzles resampled",
    "common PAR-2": "over the units that count for every general engine",
}


def scoring(content: Content) -> Section:
    """A table of scores for each question."""
    tables, paragraphs = [], []
    for question, units in content.units.items():
        if isinstance(units, str):
            paragraphs.append(Paragraph(f"No figures of {units}", "warn"))
        else:
            tables.append(_table(question, units))
    return Section("scores", "Scores", paragraphs, tables, brief=True)


def _table(question: Question, units: Units) -> Table:
    found = scores(units)
    ends = [end for end in End if end in ALWAYS or any(score.ends[end] for score in found.scores)]
    rows = [_line(score, ends) for score in found.scores]
    notes = list(found.notes)
    if len(found.general) > 1:
        notes.append(
            f"common: over {number(found.common, 'unit')}, those that count for all of "
            f"{', '.join(found.general)}"
        )
    return Table(
        f"Scores of {question} (limit: {limits_text(units.limits)})",
        (
            "engine",
            "units",
            *(end.value for end in ends),
            "PAR-2 mean",
            "interval",
            "of",
            "common PAR-2",
        ),
        rows,
        f"scores-{question.task}",
        hints=_HINTS,
        notes=notes,
    )


def _line(score: Score, ends: Sequence[End]) -> list[Cell]:
    tones: dict[End, Tone] = {End.WRONG: "bad", End.CRASHED: "warn", End.ERROR: "warn"}
    cells: list[Cell] = []
    for end in ends:
        number = score.ends[end]
        cells.append(Shown(number, str(number), tones.get(end, "") if number else ""))
    common = score.par2_common
    return [
        score.series,
        score.asked,
        *cells,
        time_cell(score.par2.value),
        interval(score.par2),
        score.par2.n,
        time_cell(None if common is None else common.value),
    ]


def interval(estimate: Estimate) -> Shown:
    """An interval of seconds, sorted by its width."""
    if estimate.low is None or estimate.high is None:
        return Shown(None, "-")
    width = estimate.high - estimate.low
    return Shown(width, f"{duration(estimate.low)} to {duration(estimate.high)}")
