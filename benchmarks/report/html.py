"""Pages that need no other file: the base that all share, and a document on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...puzzles.values import every_digit
from ..tables import Folded, Shown, number, text, visible
from .document import Document, Table

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).resolve().parent


@cache
def environment(*folders: Path) -> Environment:
    """Templates of these folders and the base they extend, with what tables need."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader([*folders, HERE]),
        autoescape=True,
        extensions=["jinja2.ext.do"],
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        text=text,
        number=number,
        numeric_columns=numeric_columns,
        tone=lambda cell: cell.tone if isinstance(cell, Shown) else "",
        folded=lambda cell: isinstance(cell, Folded),
        asset=lambda name: (HERE / name).read_text(encoding="utf-8"),
    )
    return made


def numeric_columns(table: Table) -> list[bool]:
    """Which columns hold numbers, and perhaps some words: they are flushed right."""
    return [
        any(number(row[at]) is not None for row in table.rows) for at in range(len(table.header))
    ]


def page(document: Document, svg: Callable[[Any], str] | None) -> str:
    """The document as HTML; ``svg`` draws a plot as an element, None leaves plots out."""
    with every_digit():
        made = environment().get_template("document.html").render(document=document, svg=svg)
    return visible(made)
