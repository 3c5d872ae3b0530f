"""What an experiment hands back, and how it is written: Markdown, CSV files, figures."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Cell = str | int | float | None


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


@dataclass(frozen=True, slots=True)
class Table:
    """A table; with ``file`` it is written as CSV too."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    file: str | None = None
    shown: bool = True


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


def text(cell: Cell) -> str:
    """A cell as people read it: ``-`` for nothing, four significant digits."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return str(cell)


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A Markdown table whose columns line up in plain text too."""
    body = [[text(cell).replace("|", "\\|") for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(header), *body]) for i in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        return "| " + " | ".join(padded) + " |"

    return "\n".join([line(header), line(["-" * w for w in widths]), *map(line, body)])


def markdown(report: Report, figure_files: Sequence[Path] = ()) -> str:
    """The whole report as Markdown."""
    parts = [f"# {report.title}", *report.notes]
    if report.claims:
        rows = [
            (c.what, c.claimed, c.measured, c.interval, c.sample, c.verdict) for c in report.claims
        ]
        parts += ["## Claim beside measurement", markdown_table(CLAIM_HEADER, rows)]
    for table in report.tables:
        if table.shown:
            parts += [f"## {table.title}", markdown_table(table.header, table.rows)]
    if figure_files:
        drawn = [
            f"![{figure.title}]({path.as_posix()})"
            for figure, path in zip(report.figures, figure_files, strict=True)
        ]
        parts += ["## Figures", "\n".join(drawn)]
    return "\n\n".join(parts) + "\n"


def write_csv(folder: Path, table: Table) -> Path:
    """Write one table as CSV, full precision, empty where there is no value."""
    path = folder / f"{table.file}.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(table.header)
        writer.writerows(["" if c is None else c for c in row] for row in table.rows)
    return path
