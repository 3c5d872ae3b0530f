"""plumbench JSON and the hexapipes project's tiles: an object, a list of them, or JSON lines.

``schema.json`` is the JSON Schema. Strict where JSON itself is not: no key twice, no NaN, no
1.0 or true for a number.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

import msgspec

from ..board import Board
from ..dominoes import Dominoes
from ..errors import InputError, UsageError
from ..flow import Flow
from ..instance import NOUNS, Instance
from ..loop import PipeLoop
from ..path import PlumberPath
from ..raw import RawPuzzle
from . import json_board, json_dominoes, json_flow, json_path, json_puzzle, records
from .format import Format, Found
from .page import Line, Page, shown

_REST = re.compile(r"[ \t]*(?:#.*)?(?:\n|$)")
_RESUME = re.compile(r"\n[ \t]*\n|\n(?=[\[{])")
T = TypeVar("T")


class _Refused(Exception):
    """Something that JSON allows and plumbench does not."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Refused(f"the key {shown(twice)} twice")
    return found


def _constant(name: str) -> Any:
    raise _Refused(name)


def _integer(text: str) -> int:
    if len(text) > 20:
        raise _Refused(f"a number of {len(text)} digits")
    return int(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer)


def _value(page: Page, line: Line) -> Any:
    """The JSON value that begins on this line; the page moves behind it, or, if it is broken,
    to where the next one seems to begin. Raises InputError.
    """
    start = line.start + len(line.raw) - len(line.raw.lstrip())
    try:
        value, end = _DECODER.raw_decode(page.text, start)
        rest = _REST.match(page.text, end)
        if rest is None:
            raise json.JSONDecodeError("text behind the value", page.text, end)
    except json.JSONDecodeError as error:
        bad = _syntax_error(page, line, error)
    except _Refused as refused:
        bad = line.error(str(refused), "plain JSON with whole numbers and each key once")
    except RecursionError:
        bad = line.error("very deep nesting", "a puzzle")
    else:
        page.move_to(end)
        return value
    resume = _RESUME.search(page.text, line.start + len(line.raw))
    page.move_to(resume.start() if resume else len(page.text))
    raise bad


def _syntax_error(page: Page, line: Line, error: json.JSONDecodeError) -> InputError:
    down = page.text.count("\n", line.start, error.pos)
    began = f" in the value that begins on line {line.number}" if down else ""
    rest = page.text[error.pos : error.pos + 13].split("\n")[0]
    return InputError(
        shown(rest, 12) if rest else "the end",
        f"JSON{began} ({error.msg.lower()})",
        file=line.file,
        line=line.number + down,
        column=error.colno,
    )


def convert(line: Line, value: Any, kind: type[T], path: str) -> T:
    """``value`` as a record; raises InputError with the JSON path."""
    try:
        return msgspec.convert(value, kind)
    except UnicodeEncodeError as error:
        raise line.error(f"half a character (a lone surrogate) at {path}", "text") from error
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at ")
        place = path + where.strip("`")[1:] if where else path
        wanted, _, got = message.replace("`", "").partition(", got ")
        if wanted.startswith("Expected "):
            found = got or json.dumps(_at(value, where))[:32]
            expected = wanted.removeprefix("Expected ")
        else:
            found, expected = wanted[:1].lower() + wanted[1:], "what schema.json allows"
        raise line.error(f"{found} at {place}", expected) from error


def _at(value: Any, where: str) -> Any:
    """What stands in the value at a path such as ``$.tiles[0][1]``."""
    for field, place in re.findall(r"\.(\w+)|\[(\d+)\]", where):
        value = value[int(place) if place else field]
    return value


def _instance(line: Line, value: Any, path: str) -> Instance:
    if json_dominoes.is_bare(value):
        value = {"family": "dominoes", "tiles": value}
    if json_path.is_bare(value):
        rows = convert(line, value, records.Map, path)
        return json_path.plumber(line, records.Path(rows), path)
    if not isinstance(value, dict):
        raise line.error(f"{shown(str(value))} at {path}", "an object")
    if "pieces" in value and (value.get("family") == "flow" or "sources" in value):
        record = convert(line, value, records.Flow, path)
        return json_flow.flow(line, record, path)
    if "pieces" in value:
        record = convert(line, value, records.Board, path)
        return json_board.board(line, record, path)
    if "vertices" in value:
        record = convert(line, value, records.Puzzle, path)
        return json_puzzle.puzzle(line, record, path)
    if "map" in value:
        record = convert(line, value, records.Path, path)
        return json_path.plumber(line, record, path)
    if "maze" in value:
        record = convert(line, value, records.Loop, path)
        return json_path.maze(line, record, path)
    if value.get("family") == "dominoes":
        return json_dominoes.dominoes(line, convert(line, value, records.Dominoes, path))
    if "tiles" in value:
        record = convert(line, value, records.Tiles, path)
        return json_board.tiles(line, record, path)
    raise line.error(
        f"an object at {path} with {shown(', '.join(value), 60) if value else 'no fields'}",
        "pieces (a board), vertices (a puzzle of the model), map (a path), maze or tiles",
    )


def _begins(line: Line) -> bool:
    return line.text.lstrip()[:1] in ("{", "[")


def _read(page: Page) -> Found:
    line = page.peek()
    assert line is not None
    value = _value(page, line)
    if not isinstance(value, list) or json_path.is_bare(value):
        yield _instance(line, value, "$")
        return
    if not value:
        raise line.error("an empty list", "puzzles in it")
    for index, item in enumerate(value):
        try:
            yield _instance(line, item, f"$[{index}]")
        except InputError as error:
            yield error


def _write(instance: Instance) -> str:
    if isinstance(instance, Board):
        record = json_board.record(instance)
    elif isinstance(instance, Flow):
        record = json_flow.record(instance)
    elif isinstance(instance, RawPuzzle):
        record = json_puzzle.record(instance)
    elif isinstance(instance, PlumberPath):
        record = json_path.plumber_record(instance)
    elif isinstance(instance, PipeLoop):
        record = json_path.maze_record(instance)
    elif isinstance(instance, Dominoes):
        record = json_dominoes.record(instance)
    else:
        raise UsageError(f"json cannot hold {NOUNS[instance.family]}")
    family = {"family": instance.family}
    return json.dumps(family | msgspec.to_builtins(record), separators=(", ", ": "))


FORMAT = Format("json", '{"pieces": [[4], [1]]}', _begins, _read, _write)
