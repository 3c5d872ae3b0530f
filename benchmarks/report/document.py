"""What a report is made of, before it is a page, Markdown or text on a console."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..tables import Cell, Folded, Shown, Tone, text


@dataclass(frozen=True, slots=True)
class Table:
    """A table of as many columns as ``header``; with ``file`` it is written as CSV too.

    ``left``: how many first columns are flushed left on a console. ``hints``: what a column
    is, by its heading. ``notes`` are said below it. ``brief`` tables go to the console.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    file: str | None = None
    shown: bool = True
    left: int = 1
    hints: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    brief: bool = True


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure that is drawn with matplotlib when it is written.

    ``file`` is its name without suffix; what it shows is in the subclasses.
    """

    file: str
    title: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence or two; ``code`` is shown as typed, ``tone`` colours it."""

    text: str
    tone: Tone = ""
    code: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """One idea of a report. ``name`` is its anchor. ``folded`` sections start closed on a page;
    ``brief`` ones go to the console too.
    """

    name: str
    title: str
    paragraphs: Sequence[Paragraph] = ()
    tables: Sequence[Table] = ()
    plots: Sequence[Plot] = ()
    tone: Tone = ""
    brief: bool = False
    folded: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.paragraphs or self.tables or self.plots)


@dataclass(frozen=True, slots=True)
class Document:
    """A report: its title, one line that says it all, and the sections."""

    title: str
    verdict: Paragraph
    sections: Sequence[Section]


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A Markdown table whose columns line up in plain text too."""
    body = [[_markdown_cell(cell) for cell in row] for row in rows]
    header = [_markdown_cell(name) for name in header]
    widths = [max(len(row[i]) for row in [list(header), *body]) for i in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        return "| " + " | ".join(padded) + " |"

    return "\n".join([line(header), line(["-" * w for w in widths]), *map(line, body)])


def _markdown_cell(cell: Cell) -> str:
    return escaped(" ".join(text(cell).split())).replace("|", "\\|")


def escaped(words: str) -> str:
    """Words for Markdown, in which no name becomes a tag or a link."""
    return re.sub(r"<(?=[a-zA-Z/!?])|\[(?=[^\]]*\]\()", r"\\\g<0>", words)


def write_csv(folder: Path, table: Table) -> Path:
    """Write one table as CSV, full precision, empty where there is no value."""
    path = folder / f"{table.file}.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(table.header)
        writer.writerows([_csv_cell(cell) for cell in row] for row in table.rows)
    return path


def _csv_cell(cell: Cell) -> str | int | float:
    if isinstance(cell, Shown):
        return cell.text if cell.value is None else cell.value
    if isinstance(cell, Folded):
        return cell.text
    return "" if cell is None else cell
