"""The report of a campaign: one document, shown as a page, as Markdown and on the console.

with Store(path, create=False) as store:
content = load(store)
print(console(content))
write(content, Path("report"))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from . import texts, writing
from .assembly import document
from .content import Content, load

__all__ = ["Content", "console", "document", "figures", "load", "write"]


def console(content: Content) -> str:
    """The report in short, for a terminal."""
    return texts.console(document(content))


def write(content: Content, folder: Path) -> Path:
    """Write index.html and report.md to a folder; gives the page's path. Raises UsageError."""
    return writing.write_document(document(content), folder)


def figures(content: Content, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write every plot to a file in each of the formats (svg, png, pdf). Raises UsageError."""
    return writing.write_figures(document(content), folder, formats)
