"""The shape of plumbench JSON as types; ``schema.json`` beside this file is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

_LARGEST = 2**53

Index = Annotated[int, Meta(ge=0, le=_LARGEST)]
Mask = Annotated[int, Meta(ge=0, le=_LARGEST)]
Cost = Annotated[int, Meta(ge=-_LARGEST, le=_LARGEST)]
Degree = Annotated[int, Meta(ge=0, le=1_000_000)]
Side = Literal["up", "right", "down", "left", "E", "NE", "NW", "W", "SW", "SE"]
Turns = Literal["clockwise", "anticlockwise", "both"]
CellTurns = list[list[Literal["none", "clockwise", "anticlockwise", "both"]]]


class Board(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A pipe board: rows of masks (square: up 1, right 2, down 4, left 8; hexagonal: E 1,
    NE 2, NW 4, W 8, SW 16, SE 32). ``locked`` are [row, column], ``walls`` are
    [row, column, side]. ``oriented``: the masks say how the pieces lie. ``turns``: how pieces
    may turn if rotations are counted, all of them alike or cell by cell ("none" is locked).
    """

    pieces: list[list[Annotated[int, Meta(ge=0, le=63)]]]
    family: Literal["board"] = "board"
    name: str | None = None
    rules: Literal["match", "connected", "tree"] = "connected"
    topology: Literal["square", "hexagonal"] = "square"
    torus: bool = False
    oriented: bool = False
    locked: list[tuple[Index, Index]] = []
    walls: list[tuple[Index, Index, Side]] = []
    turns: Turns | CellTurns = "clockwise"


class Domain(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One of the two: ``table``, the allowed port masks, or ``counts``, the allowed numbers of
    open ports ("even" is all even ones).
    """

    table: list[Mask] | None = None
    counts: list[Index] | Literal["even"] | None = None


class Vertex(msgspec.Struct, forbid_unknown_fields=True):
    """A vertex with so many ports."""

    ports: Degree
    domain: Domain


class Rules(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The rules of the model."""

    leaks: Literal["forbidden", "sealed", "allowed"] = "forbidden"
    connect: Literal["none", "used", "reach"] = "none"
    acyclic: bool = False
    needed: list[Index] = []
    sources: list[Index] = []
    sinks: list[Index] = []


class Puzzle(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A puzzle of the model. ``edges`` are [vertex, port, vertex, port], stubs [vertex, port];
    ``closed_stubs`` may be left out, given they must be all of them. ``mask_costs`` has a list
    of [mask, cost] per vertex. The last four fields are answers that come with test data; they
    are not read.
    """

    vertices: list[Vertex]
    edges: list[tuple[Index, Index, Index, Index]] = []
    family: Literal["puzzle"] = "puzzle"
    name: str | None = None
    closed_stubs: list[tuple[Index, Index]] | None = None
    free_stubs: list[tuple[Index, Index]] = []
    rules: Rules = msgspec.field(default_factory=Rules)
    mask_costs: list[list[tuple[Mask, Cost]]] | None = None
    edge_costs: list[Cost] | None = None
    maximise: bool = False
    count: int | None = None
    least_cost: int | None = None
    greatest_cost: int | None = None
    first_solution: list[int] | None = None


class Tiles(msgspec.Struct):
    """A board of the hexapipes project: masks row by row (hexagonal as above; square: E 1, N 2,
    W 4, S 8), solved as a tree. Other fields are passed over.
    """

    tiles: list[Annotated[int, Meta(ge=0, le=63)]]
    width: Annotated[int, Meta(ge=1, le=_LARGEST)]
    height: Annotated[int, Meta(ge=1, le=_LARGEST)]
    grid: Literal["square", "hexagonal"]
    wrap: bool = False
    src: str | None = None


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one JSON value that plumbench reads."""
    references, definitions = msgspec.json.schema_components(
        [Board, Puzzle, Tiles], ref_template="#/$defs/{name}"
    )
    one = {"anyOf": list(references)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "plumbench puzzles",
        "description": "One puzzle or a list; a file of JSON lines holds one such value a line.",
        "anyOf": [*references, {"type": "array", "items": one}],
        "$defs": definitions,
    }
