"""Edge lists as text: one edge per line, two words, the names of its vertices."""

from __future__ import annotations

import os
from dataclasses import dataclass

from .errors import InputError
from .formats.page import Page, file_text, shown
from .model import IntArray
from .values import integers


@dataclass(frozen=True, eq=False)
class EdgeList:
    """A multigraph: ``names`` of its vertices in the order of their first mention, and ``ends``
    (edges, 2), the vertices of each edge.
    """

    names: tuple[str, ...]
    ends: IntArray


def read_edges(argument: str) -> EdgeList:
    """The edge list in a file, on standard input (``-``), or in the argument itself, where ``/``
    ends an edge as a new line does. Blank lines and comments (``# ...``) are skipped.

    Raises InputError, with line and column, for a line that is not two words.
    """
    if argument == "-" or os.path.exists(argument):
        return parse_edges(file_text(argument), file=argument)
    try:
        return parse_edges(argument.replace("/", "\n"))
    except InputError as error:
        error.expected += f" (and there is no file {shown(argument)})"
        raise


def parse_edges(text: str, *, file: str = "literal") -> EdgeList:
    """The edge list in a text; raises InputError."""
    page, numbers, ends = Page(text, file), {}, []
    while page.peek() is not None:
        line = page.line()
        words = line.text.split()
        if len(words) != 2:
            raise line.error(shown(line.text.strip()), "two names, the ends of an edge", 1)
        ends.append([numbers.setdefault(word, len(numbers)) for word in words])
    return EdgeList(tuple(numbers), integers(ends, "edges").reshape(-1, 2))
