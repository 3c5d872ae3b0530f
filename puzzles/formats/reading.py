"""Load, loads, read, dumps: text to instances and back, whatever the format."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError, UsageError
from ..instance import Instance
from .format import Found
from .page import Page, decode, file_text, label, shown
from .table import FORMATS, recognise

_SURELY_TEXT = re.compile(r"[:{\[\n]")


def _expected() -> str:
    return "a puzzle, such as " + ", ".join(f.example for f in FORMATS)


def _puzzles(page: Page) -> Found:
    """Every puzzle of a page; a bad one gives its error and the rest goes on."""
    none = True
    while (line := page.peek()) is not None:
        none = False
        form = recognise(line)
        if form is None:
            page.block()
            yield line.error(shown(line.text.strip()), _expected(), 1)
            continue
        try:
            yield from form.read(page)
        except InputError as error:
            yield error
    if none:
        yield InputError("nothing", _expected(), file=page.file)


def _ruled(found: Found, rules: str | None) -> Found:
    for item in found:
        if isinstance(item, InputError) or rules is None or item.rules == rules:
            yield item
        else:
            yield item.with_rules(rules)


def _all(found: Found) -> list[Instance]:
    instances = []
    for item in found:
        if isinstance(item, InputError):
            raise item
        instances.append(item)
    return instances


def loads(text: str, *, file: str = "literal", rules: str | None = None) -> list[Instance]:
    """All puzzles of a text, under ``rules`` if given, else under what the text says.

    Raises InputError for the first bad one, or if there is none; UsageError for rules that
    a puzzle does not offer.
    """
    return _all(_ruled(_puzzles(Page(_clean(text, file), file)), rules))


def load(path: str | Path, *, rules: str | None = None) -> list[Instance]:
    """All puzzles of a file, as ``loads`` does; also raises InputError if it cannot be read."""
    return _all(_ruled(_puzzles(Page(file_text(str(path)), label(str(path)))), rules))


def read(argument: str, *, rules: str | None = None) -> Iterator[Instance | InputError]:
    """The puzzles of a command-line argument: an existing file, ``-`` for standard input, or a
    literal. A bad puzzle yields its InputError and does not stop the rest.

    Raises UsageError for rules that a puzzle does not offer.
    """
    try:
        if argument == "-" or os.path.exists(argument):
            page = Page(file_text(argument), label(argument))
        else:
            page = Page(_clean(argument, "literal"), "literal")
    except InputError as error:
        yield error
        return
    found = _ruled(_puzzles(page), rules)
    if page.file == "literal":
        found = _doubted(argument, found)
    yield from found


def _doubted(argument: str, found: Found) -> Found:
    """Errors of a literal may mean a file that is not there: say so."""
    for item in found:
        if isinstance(item, InputError) and not _SURELY_TEXT.search(argument):
            expected = f"{item.expected} (and there is no file {shown(argument)})"
            yield InputError(
                item.found, expected, file=item.file, line=item.line, column=item.column
            )
        else:
            yield item


def _clean(text: str, file: str) -> str:
    """The checks that files get, for text in memory."""
    return decode(text.encode("utf-8", "surrogatepass"), file)


def dumps(instance: Instance, to: str) -> str:
    """The puzzle as text without a final newline; ``to`` is text, json or net-id.

    Raises UsageError for another name, or naming what that format would lose.
    """
    writers = {form.name: form.write for form in FORMATS if form.write is not None}
    if to not in writers:
        raise UsageError(f"format {to!r}: expected one of {', '.join(sorted(writers))}")
    return writers[to](instance)
