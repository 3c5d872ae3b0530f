"""A suite's TOML file read: every mistake is one line that names its place."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from ...puzzles.errors import InputError
from ..units import memory, span
from .suites import Bytes, Puzzles, Seconds, Suite

LIBRARY = "library:"


def read_suite(path: Path) -> Suite:
    """The suite of a TOML file; its name is the file's if it gives none, and its paths are made
    relative to where we are. Raises InputError.
    """
    file = os.fspath(path)
    try:
        text = path.read_bytes().decode("utf-8")
        plain = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"{error.strerror}", "a file that can be read", file=file) from error
    except UnicodeDecodeError as error:
        raise InputError("a byte that is not UTF-8", "TOML", file=file) from error
    except tomllib.TOMLDecodeError as error:
        raise _no_toml(error, file) from error
    except RecursionError as error:
        raise InputError("too many brackets within brackets", "TOML", file=file) from error
    try:
        suite = msgspec.convert({"name": path.stem, **plain}, Suite, dec_hook=_unit)
    except msgspec.ValidationError as error:
        raise _no_suite(error, text, file) from error
    there = tuple(_placed(puzzles, path.parent) for puzzles in suite.instances)
    return msgspec.structs.replace(suite, instances=there)


def _unit(wanted: type, given: Any) -> Any:
    read = {Seconds: span, Bytes: memory}[wanted]
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        given = repr(given)
    return wanted(read(str(given)))


def _placed(puzzles: Puzzles, folder: Path) -> Puzzles:
    for name in ("file", "glob"):
        place = getattr(puzzles, name)
        if place is not None and not place.startswith(LIBRARY):
            here = os.path.normpath(folder / place)
            return msgspec.structs.replace(puzzles, **{name: here})
    return puzzles


def _no_toml(error: tomllib.TOMLDecodeError, file: str) -> InputError:
    """The place stands in the message: "... (at line 3, column 5)"."""
    message = str(error)
    match = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if match is None:
        return InputError(message.removesuffix(" (at end of document)"), "TOML", file=file)
    found = message[: match.start()]
    return InputError(found, "TOML", file=file, line=int(match[1]), column=int(match[2]))


def _no_suite(error: msgspec.ValidationError, text: str, file: str) -> InputError:
    """Msgspec says "Expected X, got Y - at `$.path`", our own checks "found X, expected Y"."""
    message, _, place = str(error).partition(" - at `$")
    keys = re.findall(r"\.(\w+)|\[(\d+)\]", place)
    path: list[str | int] = [name or int(number) for name, number in keys]
    line = line_of(text, path)
    if match := re.search(r"unknown field `(.*)`$", message):
        found, expected = f"key {match[1]!r}", f"one of {', '.join(_known(path))}"
        line = line_of(text, [*path, match[1]])
    elif match := re.search(r"missing required field `(.*)`$", message):
        found, expected = f"no {match[1]}", f"the key {match[1]}"
    elif match := re.fullmatch(r"Expected (.*), got (.*)", message):
        found, expected = match[2].replace("`", ""), match[1].replace("`", "")
    elif match := re.fullmatch(r"found (.*), expected (.*)|(.*): expected (.*)", message):
        found, expected = match[1] or match[3], match[2] or match[4]
    else:
        found, expected = message.replace("`", ""), "a suite, see docs/benchmarks.md"
    if line is None and (match := re.search(r"'[^']+'", found)):
        line = _line_with(text, match[0][1:-1])
    where = "".join(f"[{k + 1}]" if isinstance(k, int) else f".{k}" for k in path).lstrip(".")
    shown = f"{where}: {found}" if where else found
    return InputError(shown, expected, file=file, line=line)


def _line_with(text: str, value: str) -> int | None:
    """The line where a value stands in quotes; None unless there is just one."""
    quoted = (f'"{value}"', f"'{value}'")
    found = [n for n, line in enumerate(text.splitlines(), 1) if any(q in line for q in quoted)]
    return found[0] if len(found) == 1 else None


def _known(path: list[str | int]) -> list[str]:
    """The keys of the structure at a path."""
    struct: Any = Suite
    for key in path:
        if isinstance(key, str):
            kind = next(f.type for f in msgspec.structs.fields(struct) if f.encode_name == key)
            struct = getattr(kind, "__args__", (kind,))[0]
    return [field.encode_name for field in msgspec.structs.fields(struct)]


def line_of(text: str, path: list[str | int]) -> int | None:
    """The line where a path such as ("instances", 1, "seed") begins, or else the table that it
    would stand in; None if it cannot be told.
    """
    if not path:
        return None
    top = str(path[0])
    index = path[1] if len(path) > 1 and isinstance(path[1], int) else None
    inner = next((key for key in path[1:] if isinstance(key, str)), None)
    table, best, seen = "", None, -1
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[+\s*([\w-]+)[^\]]*\]", line)
        if header and "=" not in line.split("]")[0]:
            table = header[1]
            seen += table == top and line.lstrip().startswith("[[")
            if table == top and (index is None or seen == index):
                best = number
        elif match := re.match(r"\s*([\w-]+)\s*[.=]", line):
            here = table == top and (index is None or seen == index)
            if (not table and match[1] == top) or (here and match[1] == inner):
                return number
    return best
