"""Plumber maps and pipe mazes from and to their JSON records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import InvalidPuzzle
from ..loop import PipeLoop
from ..path import Opening, PlumberPath
from ..track import SIDES
from . import records
from .page import Line, check_size


def is_bare(value: Any) -> bool:
    """Whether a JSON value is a list of rows of numbers, a map without anything else."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(row, list) and not any(_nests(x) for x in row) for row in value)
    )


def _nests(value: Any) -> bool:
    return isinstance(value, list | dict)


def _check_rows(line: Line, rows: Sequence[Sequence[Any]], path: str) -> None:
    width = len(rows[0]) if rows else 0
    ragged = next((n for n, row in enumerate(rows) if len(row) != width), None)
    if ragged is not None:
        raise line.error(
            f"{len(rows[ragged])} cells at {path}[{ragged}]", f"{width} as in the first row"
        )
    check_size(line, width, len(rows))


def plumber(line: Line, record: records.Path, path: str) -> PlumberPath:
    """The map of a record; raises InputError."""
    _check_rows(line, record.map, f"{path}.map")
    width = len(record.map[0])

    def opening(given: tuple[int, int, records.SquareSide] | None, what: str) -> Opening | None:
        if given is None:
            return None
        row, column, side = given
        if row >= len(record.map) or column >= width:
            raise line.error(
                f"cell [{row}, {column}] at {path}.{what}",
                f"a row below {len(record.map)} and a column below {width}",
            )
        return row * width + column, SIDES.index(side)

    try:
        return PlumberPath(
            np.array(record.map),
            opening(record.inlet, "inlet"),
            opening(record.outlet, "outlet"),
            name=line.given_name(record.name, "path"),
            source=line.source,
        )
    except InvalidPuzzle as error:
        raise line.error(f"at {path}: {error}", "a plumber map") from error


def plumber_record(given: PlumberPath) -> records.Path:
    """The record of a map; the article's inlet and outlet are not told."""
    plain = given.has_default_openings
    ends: list[Any] = [
        None if plain else (*divmod(cell, given.width), SIDES[side])
        for cell, side in given.openings
    ]
    return records.Path(given.codes.tolist(), name=given.name, inlet=ends[0], outlet=ends[1])


def maze(line: Line, record: records.Loop, path: str) -> PipeLoop:
    """The maze of a record; raises InputError."""
    _check_rows(line, record.maze, f"{path}.maze")
    name = line.given_name(record.name, "loop")
    try:
        return PipeLoop(tuple(record.maze), name=name, source=line.source)
    except InvalidPuzzle as error:
        raise line.error(f"at {path}: {error}", "a pipe maze") from error


def maze_record(given: PipeLoop) -> records.Loop:
    """The record of a maze."""
    return records.Loop(list(given.tiles), name=given.name)
