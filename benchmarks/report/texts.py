"""A document as Markdown and as plain text for a console."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..tables import table, visible
from .document import Document, Paragraph, Plot, Section, Table, escaped, markdown_table

CONSOLE_ROWS = 100
"""Longer tables are cut on a console, and say so."""

WIDTH = 98


def markdown(document: Document, files: Mapping[str, Path]) -> str:
    """The whole document; ``files`` are the drawn plots by name, relative to the text."""
    parts = [f"# {escaped(document.title)}", f"**{escaped(document.verdict.text)}**"]
    for section in document.sections:
        parts.append(f"## {section.title}")
        parts += [_paragraph(item) for item in section.paragraphs]
        parts += [_image(plot, files) for plot in section.plots if plot.file in files]
        for item in section.tables:
            if item.shown:
                parts += [f"### {escaped(item.title)}", markdown_table(item.header, item.rows)]
                parts += map(escaped, item.notes)
    return visible("\n\n".join(parts)) + "\n"


def _image(plot: Plot, files: Mapping[str, Path]) -> str:
    return f"![{escaped(plot.title)}]({files[plot.file].as_posix()})"


def _paragraph(item: Paragraph) -> str:
    if item.code:
        return f"```\n{item.text}\n```"
    words = escaped(" ".join(item.text.split()))
    return f"**{words}**" if item.tone == "bad" else words


def console(document: Document) -> str:
    """The brief sections, for a terminal."""
    said = (_plain(section) for section in document.sections if section.brief)
    return visible("\n\n".join(filter(None, said)))


def _plain(section: Section) -> str:
    words = [i.text if i.code else _wrapped(i.text) for i in section.paragraphs]
    blocks = ["\n".join(words)] if words else []
    blocks += [_plain_table(item) for item in section.tables if item.shown and item.brief]
    return "\n\n".join(blocks)


def _plain_table(item: Table) -> str:
    cut = item if len(item.rows) <= CONSOLE_ROWS else replace(item, rows=item.rows[:CONSOLE_ROWS])
    lines = [item.title, table(cut.header, cut.rows, left=cut.left)]
    if cut is not item:
        lines.append(f"... and {len(item.rows) - CONSOLE_ROWS} more: see the report")
    return "\n".join([*lines, *map(_wrapped, item.notes)])


def _wrapped(line: str) -> str:
    return textwrap.fill(
        line, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
