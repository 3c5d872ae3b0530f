"""Lists of dominoes, one set a line: ``0|1 1|2 2|2``, or ``0-1``, ``0/1``, ``[0|1]``.

Between tiles stand spaces, commas or ``->``. In front may stand the rule and the pip that the
chain begins with: ``subchain from 0: 0/2 2/2``; behind ``#`` the name. Several lines up to a blank
one that all hold a single tile are one set together (as in Advent of Code 2017, day 24).
"""

from __future__ import annotations

import re

from ..dominoes import DOMINO_RULES, MAX_PIP, Dominoes
from ..errors import InputError, UsageError
from ..instance import NOUNS, Instance
from .format import Format, Found
from .page import Line, Page, shown

_TILE = re.compile(r"\[?(\d+) ?[|/-] ?(\d+)\]?", re.ASCII)
_BETWEEN = re.compile(r"\s*(?:,|->|→)?\s*")
_HEAD = re.compile(
    rf"\s*(?:({'|'.join(DOMINO_RULES)})(?:\s+from\s+(\d+))?|from\s+(\d+))\s*:", re.ASCII
)
_BEGINS = re.compile(
    rf"(?:{_HEAD.pattern})\s*$|(?:{_HEAD.pattern})?\s*(?:{_TILE.pattern}|\d+\|)", re.ASCII
)
_EXAMPLE = "a tile such as 0|1"


def _begins(line: Line) -> bool:
    return _BEGINS.match(line.text) is not None


def _pip(line: Line, digits: str, column: int) -> int:
    if len(digits) > 10 or int(digits) > MAX_PIP:
        raise line.error(f"the pip {shown(digits)}", f"at most {MAX_PIP}", column)
    return int(digits)


def _tiles(line: Line, at: int) -> list[tuple[int, int]]:
    """The tiles from this place to the end of the line; raises InputError."""
    text, tiles = line.text, []
    at = len(text) - len(text[at:].lstrip())
    while at < len(text):
        match = _TILE.match(text, at)
        if match is None or (match.end() < len(text) and text[match.end()] not in " \t,-→"):
            word = re.match(r"[^\s,]*", text[at:])
            raise line.error(shown(word[0] if word else text[at:]), _EXAMPLE, at + 1)
        tiles.append(tuple(_pip(line, match[i], match.start(i) + 1) for i in (1, 2)))
        between = _BETWEEN.match(text, match.end())
        assert between is not None
        at = between.end()
        if at == len(text) and between[0].strip():
            raise line.error("the end", _EXAMPLE, at + 1)
    return tiles


def _set(line: Line) -> Dominoes:
    head = _HEAD.match(line.text)
    tiles, rules, start = _tiles(line, head.end() if head else 0), None, None
    if head is not None:
        rules, group = head[1], 2 if head[2] else 3
        start = _pip(line, head[group], head.start(group) + 1) if head[group] else None
    name = line.given_name(None, "dominoes")
    return Dominoes(tuple(tiles), start, rules or "chain", name, line.source)


def _is_single(line: Line) -> bool:
    return _TILE.fullmatch(line.text.strip()) is not None


def _run(page: Page) -> list[Line]:
    """Take the lines of dominoes up to a blank one or one of another format."""
    lines = [page.line()]
    while (line := page.peek()) is not None and _begins(line):
        last = lines[-1]
        between = page.text[last.start + len(last.raw) + 1 : line.start].splitlines()
        if not all(text.strip() for text in between):
            break
        lines.append(page.line())
    return lines


def _read(page: Page) -> Found:
    lines = _run(page)
    if len(lines) > 1 and all(map(_is_single, lines)):
        tiles = [tile for line in lines for tile in _tiles(line, 0)]
        name, source = lines[0].given_name(None, "dominoes"), lines[0].source
        yield Dominoes(tuple(tiles), name=name, source=source)
        return
    for line in lines:
        try:
            yield _set(line)
        except InputError as error:
            yield error


def write(instance: Instance) -> str:
    """One line; raises UsageError for a name that no comment can hold."""
    if not isinstance(instance, Dominoes):
        raise UsageError(f"dominoes cannot hold {NOUNS[instance.family]}")
    name = instance.name
    if not name or not name.isprintable() or name != name.strip():
        raise UsageError(f"dominoes would lose: the name {shown(name)}")
    head = "" if instance.rules == "chain" else instance.rules
    if instance.start is not None:
        head = f"{head} from {instance.start}".strip()
    tiles = " ".join(f"{a}|{b}" for a, b in instance.tiles)
    # A colon behind one tile alone keeps it a set of its own.
    if len(instance.tiles) < 2 and not head:
        head = "chain"
    text = f"{head}: {tiles}".rstrip() if head else tiles
    return f"{text}  # {name}"


FORMAT = Format("dominoes", "0|1 1|2", _begins, _read, write)
