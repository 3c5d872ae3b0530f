"""The report written: a page, Markdown, figures as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...puzzles.errors import UsageError
from .canvas import check_formats, closing, inline, load_matplotlib, save
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
    elements: dict[str, str] = {}
    files: dict[str, Path] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target, aside = folder / "index.html", folder / "figures"
        if drawable and plots(document):
            aside.mkdir(exist_ok=True)
            for plot in plots(document):
                with closing(paint(plot)) as canvas:  # once: laying out takes the time
                    [path] = save(canvas, plot.file, aside, ("svg",))
                    elements[plot.file] = inline(canvas, plot.file)
                files[plot.file] = path.relative_to(folder)
        svg = (lambda plot: elements[plot.file]) if drawable else None
        target.write_text(page(document, svg), encoding="utf-8")
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
        paths: list[Path] = []
        for plot in plots(document):
            with closing(paint(plot)) as canvas:
                paths += save(canvas, plot.file, folder, formats)
        return paths
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
