"""The campaign in words: who solved how many, who was faster by how much, what to mind."""

from __future__ import annotations

from collections.abc import Iterator

from ..statistics.endings import COUNTED
from ..statistics.ratios import Ratio, ratio
from ..statistics.scores import Score, scores
from ..statistics.units import Question, Units
from .cautions import cautions
from .content import Content
from .document import Paragraph, Section
from .terms import limits_text, question_text, times

MAIN = 4
"""Engines that sentences compare with the best."""


def words(content: Content) -> Section:
    """The first thing that is read."""
    said = [
        Paragraph(line)
        for question, units in content.units.items()
        if not isinstance(units, str)
        for line in _sentences(question, units)
    ]
    return Section("words", "In words", [*said, *cautions(content)], brief=True)


def _sentences(question: Question, units: Units) -> Iterator[str]:
    found = [score for score in scores(units).scores if score.counted]
    if found:
        what = question_text(question)
        solved = ", ".join(map(_solved, found))
        yield f"{what[0].upper()}{what[1:]} within {limits_text(units.limits)}: {solved}."
        yield from _ratio_sentences(units, found)


def _ratio_sentences(units: Units, found: list[Score]) -> Iterator[str]:
    """The engines with the most solved, each beside the best."""
    best, *others = [score.series for score in found][:MAIN]
    for other in others:
        one = ratio(units, other, best)
        if (one.ratio.value or 1.0) < 1:
            one = ratio(units, best, other)
        if one.ratio.value is not None:
            yield _ratio_sentence(one)


def _ratio_sentence(one: Ratio) -> str:
    value, low, high = one.ratio.value or 0.0, one.ratio.low, one.ratio.high
    shown = "" if low is None or high is None else f" ({times(low)} to {times(high)})"
    many = f"{'one' if one.ratio.n == 1 else one.ratio.n} that both solved"
    line = f"{one.first} took {times(value)} times as long as {one.second}{shown} on the {many}"
    if not one.decided:
        line += ", which may be chance"
    more = [
        f"{number} more only by {name}"
        for number, name in ((one.only_first, one.first), (one.only_second, one.second))
        if number
    ]
    return "; ".join([line, *more]) + "."


def _solved(score: Score) -> str:
    every = "all " if score.solved == score.counted > 1 else ""
    of = "" if every else f" of {score.counted}"
    apart = [f"{n} {end}" for end, n in score.ends.items() if n and end not in COUNTED]
    beside = f" (besides {', '.join(apart)})" if apart else ""
    return f"{score.series} solved {every}{score.solved}{of}{beside}"
