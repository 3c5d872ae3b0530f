"""The report written: a page, Markdown, figures as files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ...puzzles.errors import UsageError
from .canvas import check_formats, inline, load_matplotlib, save
from .document import Document, Plot
from .html import page
from .plots import paint
from .texts import markdown


def write_document(document: Document, folder: Path) -> Path:
    """Write index.html and report.md with its figures; gives the page's path.

    Without matplotlib there are no figures, and the page says so. Raises UsageError for a folder
    that cannot be written.
    """
    drawable = can_draw()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / "index.html"
        svg = (lambda plot: inline(paint(plot), plot.file)) if drawable else None
        target.write_text(page(document, svg), encoding="utf-8")
        files: dict[str, Path] = {}
        if drawable:
            for path in write_figures(document, folder / "figures", ("svg",)):
                files[path.stem] = Path(os.path.relpath(path, folder))
        (folder / "report.md").write_text(markdown(document, files), encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"folder {folder}: {error.strerror or error}; expected one that can be written"
        ) from error
    return target


def write_figures(document: Document, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write every plot in every format; gives the paths. Raises UsageError for an unknown
    format, a folder that cannot be written, or without matplotlib.
    """
    check_formats(formats)
    load_matplotlib()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [
            path
            for plot in plots(document)
            for path in save(paint(plot), plot.file, folder, formats)
        ]
    except OSError as error:
        raise UsageError(
            f"folder {folder}: {error.strerror or error}; expected one that can be written"
        ) from error


def plots(document: Document) -> list[Plot]:
    """All plots of a document."""
    return [plot for section in document.sections for plot in section.plots]


def can_draw() -> bool:
    """Whether matplotlib is there."""
    try:
        load_matplotlib()
    except UsageError:
        return False
    return True
