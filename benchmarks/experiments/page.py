"""All experiments on one page: Markdown, and HTML that needs no other file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..report.canvas import closing, inline
from ..report.html import environment
from .plots import painted
from .report import Histogram, Report, Scatter, markdown

TITLE = "What the four articles claim, and what was measured"


def preface(reports: Sequence[Report], quick: bool) -> list[str]:
    """How many claims there are and what became of them."""
    verdicts = Counter(_kind(c.verdict) for report in reports for c in report.claims)
    number = sum(verdicts.values())
    told = ", ".join(f"{count} {kind}" for kind, count in verdicts.most_common())
    sample = "smaller samples (quick)" if quick else "full samples"
    return [
        f"{number} claims and measurements: {told}. Taken from {sample}; every sample is seeded, "
        "and nothing is judged by time unless it says so.",
        "Intervals are of 95 %: percentile bootstrap for means and correlations, Clopper-Pearson "
        "for shares; 'exact' stands where every case was looked at.",
    ]


def _kind(verdict: str) -> str:
    for start, kind in (("holds", "hold"), ("does not hold", "do not hold")):
        if verdict.startswith(start):
            return kind
    return "neither (undefined, open to the reading, or measured only)"


def page_markdown(reports: Sequence[Report], figures: Sequence[Sequence[Path]], quick: bool) -> str:
    """One Markdown text; ``figures`` are each report's files, relative to the page."""
    parts = [f"# {TITLE}", *preface(reports, quick)]
    for report, drawn in zip(reports, figures, strict=True):
        lines = markdown(report, drawn).rstrip("\n").split("\n")
        parts.append("\n".join(f"#{line}" if line.startswith("#") else line for line in lines))
    return "\n\n".join(parts) + "\n"


def page_html(reports: Sequence[Report], quick: bool) -> str:
    """One HTML text with its figures inside; raises UsageError without matplotlib."""
    template = environment(Path(__file__).resolve().parent).get_template("page.html")
    return template.render(
        title=TITLE,
        preface=preface(reports, quick),
        reports=reports,
        svg=_svg,
    )


def _svg(figure: Histogram | Scatter) -> str:
    with closing(painted(figure)) as canvas:
        return inline(canvas, figure.file)


def relative(paths: Sequence[Path], to: Path) -> list[Path]:
    """The paths as seen from a folder."""
    return [Path(os.path.relpath(path, to)) for path in paths]
