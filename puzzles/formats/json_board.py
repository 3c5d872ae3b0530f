"""Boards from and to their JSON records."""

from __future__ import annotations

import numpy as np

from ..board import Board
from ..model import IntArray
from ..topology import TOPOLOGIES, Square, Topology
from ..turns import LOCKED, NAMES, PERMISSIONS, shared_permission
from . import records
from .net_id import from_net
from .page import MAX_CELLS, Line, check_size


def _check_masks(line: Line, topology: Topology, pieces: np.ndarray, path: str) -> None:
    wide = np.flatnonzero(pieces >= 1 << topology.directions)
    if len(wide):
        row, column = divmod(int(wide[0]), topology.width)
        raise line.error(
            f"mask {pieces[wide[0]]} at {path} row {row} column {column}",
            f"at most {(1 << topology.directions) - 1} on a {topology.kind} board",
        )


def cell(line: Line, topology: Topology, place: tuple[int, int], path: str) -> int:
    """The number of the cell at (row, column); raises InputError if there is none."""
    row, column = place
    if row >= topology.height or column >= topology.width:
        raise line.error(
            f"cell [{row}, {column}] at {path}",
            f"a row below {topology.height} and a column below {topology.width}",
        )
    return row * topology.width + column


def turns(
    line: Line, given: records.Turns | records.CellTurns, topology: Topology, path: str
) -> IntArray:
    """The permissions of a record, shape (cells,); raises InputError."""
    width, height = topology.width, topology.height
    if isinstance(given, str):
        return np.full(width * height, PERMISSIONS[given], dtype=np.int64)
    if len(given) != height:
        raise line.error(f"{len(given)} rows at {path}.turns", f"{height} as pieces has")
    for number, row in enumerate(given):
        if len(row) != width:
            raise line.error(f"{len(row)} words at {path}.turns[{number}]", f"{width}")
    return np.array([PERMISSIONS[word] for row in given for word in row], dtype=np.int64)


def turns_record(board: Board) -> records.Turns | records.CellTurns:
    """The inverse of ``turns``: one word if one says it of all cells that turn."""
    shared = shared_permission(board.turns, board.locked)
    if shared is not None:
        return NAMES[shared]  # pyright: ignore[reportReturnType]
    words = [NAMES[way] for way in np.where(board.locked, LOCKED, board.turns).tolist()]
    rows = range(0, len(words), board.width)
    return [words[at : at + board.width] for at in rows]  # pyright: ignore[reportReturnType]


def board(line: Line, record: records.Board, path: str) -> Board:
    """The board of a record; raises InputError."""
    rows = record.pieces
    width = len(rows[0]) if rows else 0
    ragged = next((n for n, row in enumerate(rows) if len(row) != width), None)
    if ragged is not None:
        raise line.error(
            f"{len(rows[ragged])} masks at {path}.pieces[{ragged}]", f"{width} as in the first row"
        )
    check_size(line, width, len(rows))
    topology = TOPOLOGIES[record.topology](width, len(rows), record.torus)
    pieces = np.array(rows, dtype=np.int64).ravel()
    _check_masks(line, topology, pieces, f"{path}.pieces")
    locked = np.zeros(len(pieces), dtype=np.bool_)
    for number, place in enumerate(record.locked):
        locked[cell(line, topology, place, f"{path}.locked[{number}]")] = True
    walls = np.zeros((len(pieces), topology.directions), dtype=np.bool_)
    sides = topology.sides
    for number, (row, column, side) in enumerate(record.walls):
        here = cell(line, topology, (row, column), f"{path}.walls[{number}]")
        if side not in sides:
            raise line.error(f"side {side!r} at {path}.walls[{number}]", ", ".join(sides))
        walls[here, sides.index(side)] = True
    return Board(
        topology,
        pieces,
        oriented=record.oriented,
        locked=locked,
        walls=walls,
        rules=record.rules,
        name=line.given_name(record.name, "board"),
        source=line.source,
        turns=turns(line, record.turns, topology, path),
    )


def tiles(line: Line, record: records.Tiles, path: str) -> Board:
    """A hexapipes board; raises InputError."""
    if record.width * record.height > MAX_CELLS:
        check_size(line, record.width, record.height)
    cells = record.width * record.height
    if len(record.tiles) != cells:
        raise line.error(f"{len(record.tiles)} masks at {path}.tiles", f"{cells}")
    topology = TOPOLOGIES[record.grid](record.width, record.height, record.wrap)
    pieces = np.array(record.tiles, dtype=np.int64)
    _check_masks(line, topology, pieces, f"{path}.tiles")
    return Board(
        topology,
        from_net(pieces) if isinstance(topology, Square) else pieces,
        oriented=True,
        rules="tree",
        name=line.given_name(record.src, "board"),
        source=line.source,
    )


def record(board: Board) -> records.Board:
    """The record of a board; walls are told once, rim walls of bordered boards not at all."""
    width, half = board.width, board.topology.directions // 2
    sides = board.topology.sides
    crossed = board.walls & (board.neighbours >= 0)
    walls = [
        (*divmod(place, width), sides[side])
        for side in range(half)
        for place in np.flatnonzero(crossed[:, side]).tolist()
    ]
    return records.Board(
        pieces=board.pieces.reshape(board.height, width).tolist(),
        name=board.name,
        rules=board.rules,  # pyright: ignore[reportArgumentType]
        topology=board.topology.kind,  # pyright: ignore[reportArgumentType]
        torus=board.topology.wrap,
        oriented=board.oriented,
        locked=[divmod(place, width) for place in np.flatnonzero(board.locked).tolist()],
        walls=walls,  # pyright: ignore[reportArgumentType]
        turns=turns_record(board),
    )
