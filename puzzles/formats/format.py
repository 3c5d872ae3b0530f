"""What a format is: how it is recognised, read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..errors import InputError
from ..instance import Instance
from .page import Line, Page

Found = Iterator[Instance | InputError]


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write puzzles down.

    - ``begins``: whether a puzzle of this format starts with this line;
    - ``read``: take one stretch of such puzzles (at least one line) off the page; yields or
      raises InputError for a bad one, and leaves the page behind it either way;
    - ``write``: the puzzle as text; raises UsageError that names what would be lost. None for
      formats that are only read.
    """

    name: str
    example: str
    begins: Callable[[Line], bool]
    read: Callable[[Page], Found]
    write: Callable[[Instance], str] | None = None
