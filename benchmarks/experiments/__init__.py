"""The articles' experiments: each claim beside its measurement.

An experiment is a module with ``run(quick, progress) -> Report``; add it to ``EXPERIMENTS``.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from ...puzzles.errors import UsageError
from ..report.canvas import check_formats, load_matplotlib
from ..report.document import write_csv
from .plots import draw
from .report import Report, markdown

EXPERIMENTS = {
    "counts": "how many solutions do the boards of article 000, and boards with tees, have?",
    "correlation": "does the number of solutions go with the number of pieces or of crosses?",
    "assembly": "how likely is a board of random pieces to be solvable?",
    "rings": "rings, trails, marks and half-leaks: what is true of article 000's statements?",
    "scaling": "how does the article's search grow with the board?",
    "flow": "article 001's examples, prunings and speed: what is true of them?",
    "dominoes": "article 003's Euler verdicts, budgets and ideas: what is true of them?",
    "paths": "article 004's map and its program",
    "ablation": "what is each deduction of the hand-written search worth?",
}

ALL = "all"
"""In the place of a name: every experiment, and one page of them all."""

Progress = Callable[[str], None]


def measure(name: str, *, quick: bool = False, progress: Progress = lambda _: None) -> Report:
    """Run one experiment; raises UsageError for an unknown name."""
    if name not in EXPERIMENTS:
        raise UsageError(f"experiment {name!r}: expected one of {', '.join(EXPERIMENTS)}")
    return import_module(f".{name}", __name__).run(quick=quick, progress=progress)


def run(
    name: str,
    *,
    quick: bool = False,
    out: Path | None = None,
    figures: Path | None = None,
    formats: Sequence[str] = ("svg", "png"),
    progress: Progress = lambda _: None,
) -> str:
    """Run one experiment, write it as ``write`` does and give its Markdown.

    Raises UsageError for an unknown name or format, for folders that cannot be written and for
    figures that cannot be drawn, before anything is measured.
    """
    if name not in (*EXPERIMENTS, ALL):
        raise UsageError(f"experiment {name!r}: expected one of {', '.join(EXPERIMENTS)}, {ALL}")
    check_formats(formats)
    folders = [folder for folder in (out, figures) if folder is not None]
    for folder in folders:
        make_folder(folder)
    if folders:
        load_matplotlib()
    if name == ALL:
        return _run_all(quick, out, figures, formats, progress)
    return write(measure(name, quick=quick, progress=progress), out, figures, formats)


def _run_all(
    quick: bool,
    out: Path | None,
    figures: Path | None,
    formats: Sequence[str],
    progress: Progress,
) -> str:
    """Every experiment, each written as soon as it is measured; then the page of them all."""
    from .page import page_html, page_markdown, relative

    reports, drawn = [], []
    for name in EXPERIMENTS:

        def say(what: str, name: str = name) -> None:
            progress(f"{name}: {what}")

        report = measure(name, quick=quick, progress=say)
        write(report, out, figures, formats)
        folder = figures or out
        files = [folder / f"{f.file}.{formats[0]}" for f in report.figures] if folder else []
        reports.append(report)
        drawn.append(relative(files, out) if out is not None else [])
    text = page_markdown(reports, drawn, quick)
    if out is None:
        return text
    (out / "index.md").write_text(text, encoding="utf-8")
    (out / "index.html").write_text(page_html(reports, quick), encoding="utf-8")
    return text + f"\nwritten: {out / 'index.html'} and {out / 'index.md'}\n"


def make_folder(folder: Path) -> None:
    """Make a folder to write to; raises UsageError if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Only writing tells whether a folder can be written.
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(
            f"folder {folder}: {error.strerror}; expected one that can be written"
        ) from error


def write(
    report: Report,
    out: Path | None,
    figures: Path | None = None,
    formats: Sequence[str] = ("svg", "png"),
) -> str:
    """The report's Markdown, and where it went if anywhere.

    With ``out`` the Markdown, one CSV per table and (into ``figures``, by default the same
    folder) every figure in every format are written there too.
    """
    drawn: list[Path] = []
    target = figures or out
    if target is not None:
        target.mkdir(parents=True, exist_ok=True)
        drawn = [path for figure in report.figures for path in draw(figure, target, formats)]
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for table in report.tables:
            if table.file:
                write_csv(out, table)
        first = [p for p in drawn if p.suffix == f".{formats[0]}"]
        text = markdown(report, [Path(os.path.relpath(p, out)) for p in first])
        (out / f"{report.name}.md").write_text(text, encoding="utf-8")
    written = [f"{out / report.name}.md, with its tables as CSV"] if out is not None else []
    if drawn:
        written.append(f"{len(drawn)} figures in {target}")
    return markdown(report) + (f"\nwritten: {'; '.join(written)}\n" if written else "")
