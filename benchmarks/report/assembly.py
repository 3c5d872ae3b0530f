"""The sections of a campaign's report, in the order in which they are read."""

from __future__ import annotations

from . import chance, comparing, costs, plotting, puzzles, reference, scoring, verdicts, words
from .content import Content
from .document import Document


def assemble(content: Content) -> Document:
    """Everything that is said of a campaign."""
    sections = [
        words.words(content),
        verdicts.agreement(content),
        verdicts.failures(content),
        scoring.scoring(content),
        comparing.comparing(content),
        comparing.together(content),
        plotting.figures(content),
        plotting.growth(content),
        puzzles.puzzles(content),
        chance.chance(content),
        reference.counters(content),
        costs.costs(content),
        reference.environment(content),
        reference.settings(content),
        reference.columns(content),
        reference.reproduce(content),
    ]
    shown = [section for section in sections if not section.empty]
    title = f"plumbench: suite {content.info.suite}, campaign {content.info.id}"
    return Document(title, verdicts.banner(content), shown)
