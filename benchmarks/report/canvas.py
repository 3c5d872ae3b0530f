"""Figures as files and inside pages; matplotlib is loaded here and nowhere else."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...puzzles.errors import UsageError

FORMATS = ("svg", "png", "pdf")

INK = "#010203"
"""Text and axes; a page puts its own text colour in its place, so that figures follow it into
the dark. No series has this colour.
"""

_METADATA = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}}


def check_formats(formats: Sequence[str]) -> None:
    """Raises UsageError for a format that is not in FORMATS."""
    for name in formats:
        if name not in FORMATS:
            raise UsageError(f"figure format {name!r}: expected one of {', '.join(FORMATS)}")


def load_matplotlib() -> Any:
    """matplotlib, writing to files only; raises UsageError where it is not installed."""
    try:
        import matplotlib

        matplotlib.use("agg")
        import matplotlib.pyplot
    except ImportError as error:
        raise UsageError(f"figures cannot be drawn: {error}; install plumbench[plots]") from error
    ink = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    matplotlib.rcParams.update(dict.fromkeys(ink, INK))
    return matplotlib


@contextmanager
def closing(canvas: Any) -> Iterator[Any]:
    """The figure, closed at the end: matplotlib keeps all others in memory."""
    try:
        yield canvas
    finally:
        load_matplotlib().pyplot.close(canvas)


@contextmanager
def quiet() -> Iterator[None]:
    """Without what matplotlib says of letters that its fonts lack, or of axes with one value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def save(canvas: Any, file: str, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write a drawn figure once per format; gives the paths. Close it afterwards.

    Ids are fixed and there is no date, so that the same data gives the same file.
    """
    matplotlib = load_matplotlib()
    paths = []
    with quiet(), matplotlib.rc_context({"svg.hashsalt": file}):
        for name in formats:
            path = folder / f"{file}.{name}"
            canvas.savefig(path, format=name, dpi=150, metadata=_METADATA.get(name))
            paths.append(path)
    return paths


def inline(canvas: Any, file: str) -> str:
    """A drawn figure as an SVG element for a page, transparent, its ink the page's.

    Close it afterwards.
    """
    matplotlib = load_matplotlib()
    buffer = io.StringIO()
    with quiet(), matplotlib.rc_context({"svg.hashsalt": file, "svg.fonttype": "none"}):
        canvas.savefig(buffer, format="svg", transparent=True, metadata=_METADATA["svg"])
    svg = buffer.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    # Ids stand in one page together: those of each figure get its name in front.
    svg = re.sub(r'(\sid="|href="#|url\(#)', rf"\g<1>{file}-", svg)
    svg = re.sub(r'<svg ([^>]*?)height="[^"]*"', r"<svg \1", svg, count=1)
    svg = re.sub(r'<svg ([^>]*?)width="([\d.]+)pt"', _as_wide_as_it_may, svg, count=1)
    return svg.replace(INK, "currentColor").strip()


def _as_wide_as_it_may(found: re.Match[str]) -> str:
    pixels = float(found[2]) * 4 / 3
    least = f"min({pixels:.0f}px, 32rem)"  # on a phone it scrolls rather than shrinks to a blur
    return f'<svg role="img" {found[1]}style="width: {pixels:.0f}px; min-width: {least}"'
