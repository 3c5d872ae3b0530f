"""What an experiment hands back, and its Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..report.document import Table, markdown_table
from ..tables import Shown, Tone

CLAIM_HEADER = ("quantity", "the article", "measured", "95 % interval", "sample", "verdict")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of an article beside its measurement."""

    what: str
    claimed: str
    measured: str
    interval: str
    sample: str
    verdict: str

    @property
    def tone(self) -> Tone:
        """How a page colours the verdict."""
        if self.verdict.startswith("holds"):
            return "good"
        return "bad" if self.verdict.startswith("does not") else ""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Values per series, one panel each; ``log`` puts the values on a logarithmic axis.

    ``labels``: what the values of a series are.
    """

    file: str
    title: str
    labels: Mapping[str, str]
    series: Mapping[str, Sequence[float]]
    log: bool = False


@dataclass(frozen=True, slots=True)
class Scatter:
    """Pairs per series, one panel each, with the correlation in the panel's title.

    ``labels``: what x and y of a series are.
    """

    file: str
    title: str
    labels: Mapping[str, tuple[str, str]]
    series: Mapping[str, tuple[Sequence[float], Sequence[float]]]
    notes: Mapping[str, str] = field(default_factory=dict)
    log_y: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """An experiment's result, ready to be written."""

    name: str
    title: str
    notes: Sequence[str]
    claims: Sequence[Claim]
    tables: Sequence[Table]
    figures: Sequence[Histogram | Scatter]

    @property
    def comparison(self) -> Table:
        """The claims as a table."""
        rows = [
            (c.what, c.claimed, c.measured, c.interval, c.sample, Shown(None, c.verdict, c.tone))
            for c in self.claims
        ]
        return Table("Claim beside measurement", CLAIM_HEADER, rows)


def markdown(report: Report, figure_files: Sequence[Path] = ()) -> str:
    """The whole report as Markdown."""
    parts = [f"# {report.title}", *report.notes]
    for table in ([report.comparison] if report.claims else []) + list(report.tables):
        if table.shown:
            parts += [f"## {table.title}", markdown_table(table.header, table.rows)]
    if figure_files:
        drawn = [
            f"![{figure.title}]({path.as_posix()})"
            for figure, path in zip(report.figures, figure_files, strict=True)
        ]
        parts += ["## Figures", "\n".join(drawn)]
    return "\n\n".join(parts) + "\n"
