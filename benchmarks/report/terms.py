"""Small phrases that several sections say alike."""

from __future__ import annotations

from ..statistics.units import Limits, Question
from ..units import memory_text, span_text

_ASKED = {
    "solve": "one solution",
    "optimise": "the best solution",
    "count": "the number of solutions",
}


def question_text(question: Question) -> str:
    """What was asked, as people say it."""
    what = _ASKED.get(question.task, question.task)
    return what if question.limit is None else f"{what} up to {question.limit}"


def number(count: int, what: str) -> str:
    """``1 run``, ``2 runs``."""
    return f"{count} {what}" + "s" * (count != 1)


def limits_text(limits: Limits) -> str:
    """The limits of a run: ``3s, 2GB``."""
    said = [] if limits.seconds is None else [span_text(limits.seconds)]
    if limits.cpu is not None:
        said.append(f"{span_text(limits.cpu)} of processor time")
    if limits.memory is not None:
        said.append(memory_text(int(limits.memory)))
    if limits.nodes is not None:
        said.append(f"{limits.nodes} nodes")
    return ", ".join(said) or "no limit"


def times(value: float) -> str:
    """A ratio with the digits that it deserves: 1.07, 3.1, 120."""
    if value >= 99.5:
        return f"{value:.0f}"
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}"
