"""Puzzles written out, one after the other, to a file or standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from ..encodings import dimacs
from ..puzzles.errors import InputError, Unsupported, UsageError
from ..puzzles.formats import dumps
from ..puzzles.formats.table import FORMATS
from ..puzzles.instance import Instance


class Writer:
    """Writes puzzles in one format, one after the other; raises UsageError for losses."""

    def __init__(self, to: str, target: TextIO) -> None:
        known = [*(form.name for form in FORMATS if form.write is not None), "dimacs"]
        if to not in known:
            raise UsageError(f"format {to!r}: expected {', '.join(known)}")
        self.to, self.target, self.written = to, target, 0

    def write(self, instance: Instance) -> None:
        """Write one; own text needs a blank line between two."""
        text = _dimacs(instance) if self.to == "dimacs" else dumps(instance, self.to)
        between = "\n" if self.written and self.to == "text" else ""
        self.target.write(between + text.rstrip("\n") + "\n")
        self.target.flush()
        self.written += 1


def _dimacs(instance: Instance) -> str:
    try:
        return dimacs.export(instance.puzzle)
    except Unsupported as error:
        raise UsageError(
            f"dimacs would lose: {error.job} (rules {instance.rules}); clauses hold match alone"
        ) from error


@contextmanager
def open_output(path: str | None) -> Iterator[TextIO]:
    """A file to write, or standard output; raises InputError."""
    if path is None or path == "-":
        yield sys.stdout
        return
    try:
        target = open(path, "w", encoding="utf-8")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise InputError(str(error.strerror), "a file that can be written", file=path) from error
    with target:
        yield target
