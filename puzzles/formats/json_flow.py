"""Flow boards from and to their JSON records."""

from __future__ import annotations

from ..errors import PlumbenchError
from ..flow import Flow
from . import json_board, records
from .page import Line


def flow(line: Line, record: records.Flow, path: str) -> Flow:
    """The flow board of a record; raises InputError."""
    plain = records.Board(
        record.pieces,
        rules="match",
        torus=record.torus,
        oriented=record.oriented,
        locked=record.locked,
        walls=record.walls,  # pyright: ignore[reportArgumentType]
        turns=record.turns,
    )
    board = json_board.board(line, plain, path)

    def cells(field: str) -> tuple[int, ...]:
        return tuple(
            json_board.cell(line, board.topology, place, f"{path}.{field}[{number}]")
            for number, place in enumerate(getattr(record, field))
        )

    try:
        return Flow(
            board,
            cells("sources"),
            cells("sinks"),
            record.wish,
            record.border,
            record.rules,
            line.given_name(record.name, "flow"),
            line.source,
        )
    except PlumbenchError as error:
        raise line.error(f"at {path}: {error}", "a flow board") from error


def record(flow: Flow) -> records.Flow:
    """The record of a flow board."""
    plain, width = json_board.record(flow.board), flow.board.width
    return records.Flow(
        plain.pieces,
        [divmod(cell, width) for cell in flow.sources],
        [divmod(cell, width) for cell in flow.sinks],
        name=flow.name,
        rules=flow.rules,  # pyright: ignore[reportArgumentType]
        wish=flow.wish,  # pyright: ignore[reportArgumentType]
        border=flow.border,  # pyright: ignore[reportArgumentType]
        torus=plain.torus,
        oriented=plain.oriented,
        locked=plain.locked,
        walls=plain.walls,  # pyright: ignore[reportArgumentType]
        turns=plain.turns,
    )
