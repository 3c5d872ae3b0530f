"""The report of a campaign: one document, shown as a page, as Markdown and on the console.

::

    with Store(path, create=False) as store:
        content = load(store)
    print(console(content))
    write(content, Path("report"))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import texts, writing
from .assembly import assemble
from .changing import agreed, comparison
from .content import Content, load
from .document import Document

__all__ = ["Content", "Difference", "assemble", "compare", "console", "figures", "load", "write"]


def console(content: Content) -> str:
    """The report in short, for a terminal."""
    return texts.console(assemble(content))


def write(content: Content, folder: Path) -> Path:
    """Write index.html and report.md to a folder; gives the page's path. Raises UsageError."""
    return writing.write_document(assemble(content), folder)


def figures(content: Content, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write every plot to a file in each of the formats (svg, png, pdf). Raises UsageError."""
    return writing.write_figures(assemble(content), folder, formats)


@dataclass(frozen=True)
class Difference:
    """What changed from one campaign to another."""

    document: Document
    agreed: bool

    def console(self) -> str:
        """In short, for a terminal."""
        return f"{self.document.verdict.text}\n\n{texts.console(self.document)}"

    def write(self, folder: Path) -> Path:
        """Write index.html and report.md to a folder; gives the page's path. Raises UsageError."""
        return writing.write_document(self.document, folder)


def compare(before: Content, after: Content) -> Difference:
    """What changed from one campaign to another, beyond noise."""
    made = comparison(before, after)
    return Difference(made, agreed(before, after, made))
