"""All experiments on one page: Markdown, and HTML that needs no other file."""

from __future__ import annotations

import base64
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from .plots import draw
from .report import CLAIM_HEADER, Report, markdown, text

TITLE = "What the four articles claim, and what was measured"


@dataclass(frozen=True, slots=True)
class _Figure:
    title: str
    data: str


@dataclass(frozen=True, slots=True)
class _Part:
    report: Report
    figures: Sequence[_Figure]


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
    """One HTML text with its figures inside; without matplotlib it has none."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = environment.from_string(
        Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    )
    return template.render(
        title=TITLE,
        preface=preface(reports, quick),
        parts=[_Part(report, _embedded(report)) for report in reports],
        claim_header=CLAIM_HEADER,
        text=text,
    )


def _embedded(report: Report) -> list[_Figure]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for figure in report.figures:
            [path] = draw(figure, Path(folder), ("svg",))
            data = base64.b64encode(path.read_bytes()).decode("ascii")
            found.append(_Figure(figure.title, f"data:image/svg+xml;base64,{data}"))
    return found


def relative(paths: Sequence[Path], to: Path) -> list[Path]:
    """The paths as seen from a folder."""
    return [Path(os.path.relpath(path, to)) for path in paths]
