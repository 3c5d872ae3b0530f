"""Text on its way to a puzzle: bytes to characters, lines with their numbers, places of errors."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import PurePath

from ..errors import InputError
from ..instance import Source

MAX_CELLS = 4_000_000
"""The largest board that is read; larger ones are refused before anything is allocated."""

MAX_BYTES = 256 * 2**20
"""The longest file that is read."""

_COMMENT = re.compile(r"(?:^|(?<=\s))#")


def shown(text: str, most: int = 32) -> str:
    """``text`` quoted for a message, cut if long; what cannot be printed is escaped."""
    return repr(text) if len(text) <= most else repr(text[:most]) + "…"


def label(path: str) -> str:
    """A path as text that can be printed, whatever its bytes are."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: ``text`` has neither its comment nor the space before it; ``start`` is where
    the line begins in the page's text.
    """

    number: int
    raw: str
    text: str
    comment: str
    file: str
    start: int

    @property
    def source(self) -> Source:
        """Where this line stands."""
        return Source(self.file, self.number)

    def name(self) -> str:
        """What to call a puzzle that begins here and does not say its name."""
        if self.comment:
            return self.comment
        if self.file == "literal":
            return self.text if len(self.text) <= 40 else self.text[:39] + "…"
        return f"{PurePath(self.file).stem}:{self.number}"

    def given_name(self, given: str | None, plain: str) -> str:
        """The name ``given``, else what to call it; ``plain`` for a literal without a comment.

        Raises InputError for a name that holds half a character (a lone surrogate).
        """
        if given is None:
            return plain if self.file == "literal" and not self.comment else self.name()
        if any("\ud800" <= character <= "\udfff" for character in given):
            raise self.error(f"the name {given!a}", "whole characters")
        return given

    def error(self, found: str, expected: str, column: int | None = None) -> InputError:
        """An error on this line; ``column`` counts from 1."""
        return InputError(found, expected, file=self.file, line=self.number, column=column)


class Page:
    """The text of one file, read from top to bottom. ``offset`` is how far that has come;
    between puzzles it stands at the beginning of a line.
    """

    def __init__(self, text: str, file: str) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.file = file
        self.offset = 0
        self._number = 1
        self._seen: Line | None = None

    def _next(self) -> Line | None:
        if self.offset >= len(self.text):
            return None
        if self._seen is not None and self._seen.start == self.offset:
            return self._seen
        end = self.text.find("\n", self.offset)
        raw = self.text[self.offset : end if end >= 0 else len(self.text)]
        text, comment = raw, ""
        if "#" in raw and (mark := _COMMENT.search(raw)):
            text, comment = raw[: mark.start()], raw[mark.end() :].strip()
        self._seen = Line(self._number, raw, text.rstrip(), comment, self.file, self.offset)
        return self._seen

    def _pass(self, line: Line) -> None:
        self.offset = line.start + len(line.raw) + 1
        self._number = line.number + 1

    def peek(self) -> Line | None:
        """The next line that is neither blank nor a comment; None at the end."""
        while (line := self._next()) is not None and not line.text:
            self._pass(line)
        return line

    def line(self) -> Line:
        """Take that line."""
        line = self.peek()
        if line is None:
            raise EOFError
        self._pass(line)
        return line

    def block(self) -> list[Line]:
        """Take the lines up to the next blank one; comment lines are left out."""
        lines = [self.line()]
        while (line := self._next()) is not None and line.raw.strip():
            if line.text:
                lines.append(line)
            self._pass(line)
        return lines

    def move_to(self, offset: int) -> None:
        """Go on behind the line that holds this offset."""
        end = self.text.find("\n", offset)
        end = len(self.text) if end < 0 else end + 1
        self._number += self.text.count("\n", self.offset, end)
        self.offset = end


def decode(data: bytes, file: str) -> str:
    """UTF-8, with or without a byte order mark; raises InputError with line and column."""
    if len(data) > MAX_BYTES:
        raise InputError(f"more than {MAX_BYTES} bytes", "a smaller file", file=file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        raise InputError(
            f"byte 0x{data[error.start]:02x}",
            "text in UTF-8",
            file=file,
            line=before.count("\n") + 1,
            column=len(before) - before.rfind("\n"),
        ) from error
    nul = text.find("\0")
    if nul >= 0:
        raise InputError(
            "a NUL character",
            "text",
            file=file,
            line=text.count("\n", 0, nul) + 1,
            column=nul - text.rfind("\n", 0, nul),
        )
    return text


def file_text(path: str) -> str:
    """The text of a file, ``-`` for standard input; raises InputError if it cannot be read."""
    name = label(path)
    if path == "-":
        return decode(sys.stdin.buffer.read(MAX_BYTES + 1), name)
    if os.path.isdir(path):
        raise InputError("a directory", "a file", file=name)
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(why.lower(), "a file that can be read", file=name) from error
    return decode(data, name)


def check_size(line: Line, width: int, height: int) -> None:
    """Raises InputError for a grid that is empty or larger than ``MAX_CELLS``."""
    if width < 1 or height < 1:
        raise line.error(f"a {width}x{height} grid", "at least 1x1", 1)
    if width * height > MAX_CELLS:
        raise line.error(f"a {width}x{height} grid", f"at most {MAX_CELLS} cells", 1)
