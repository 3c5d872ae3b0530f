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
Map = list[list[Annotated[int, Meta(ge=0, le=7)]]]
SquareSide = Literal["up", "right", "down", "left"]
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


class Flow(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A flow board: as a board of square cells, with ``sources`` and ``sinks`` as [row, column].
    ``wish``: water from some source reaches all sinks, any of them, or (paired) each sink hangs
    together with the source in the same place of its list. ``border``: whether an opening off
    the board leaks (closed), does not (free), or does not at sources and sinks (terminals).
    """

    pieces: list[list[Annotated[int, Meta(ge=0, le=15)]]]
    sources: list[tuple[Index, Index]]
    sinks: list[tuple[Index, Index]]
    family: Literal["flow"] = "flow"
    name: str | None = None
    rules: Literal["reach", "article", "sealed", "strict"] = "reach"
    wish: Literal["all", "any", "paired"] = "all"
    border: Literal["closed", "free", "terminals"] = "closed"
    torus: bool = False
    oriented: bool = False
    locked: list[tuple[Index, Index]] = []
    walls: list[tuple[Index, Index, SquareSide]] = []
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


class Path(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A plumber map: rows of codes (0 obstacle, 1 to 4 elbow, 5 and 6 straight, 7 either).
    ``inlet`` and ``outlet`` are [row, column, side] at the border, left of the first cell and
    right of the last if not given.
    """

    map: Map
    family: Literal["path"] = "path"
    name: str | None = None
    rules: Literal["path"] = "path"
    inlet: tuple[Index, Index, SquareSide] | None = None
    outlet: tuple[Index, Index, SquareSide] | None = None


class Loop(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A pipe maze: rows of the fixed tiles ``|-LJ7F.`` and one start ``S``."""

    maze: list[str]
    family: Literal["loop"] = "loop"
    name: str | None = None
    rules: Literal["loop"] = "loop"


Pip = Annotated[int, Meta(ge=0, le=2**31)]
Pairs = list[tuple[Pip, Pip]]


class Dominoes(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A set of dominoes: the two pips of each tile. ``start`` is the pip that the chain begins
    with; any if not given.
    """

    family: Literal["dominoes"]
    tiles: Pairs
    name: str | None = None
    rules: Literal["chain", "closed", "subchain", "subclosed"] = "chain"
    start: Pip | None = None


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
        [Board, Flow, Puzzle, Path, Loop, Dominoes, Tiles], ref_template="#/$defs/{name}"
    )
    bare = {**definitions["Path"]["properties"]["map"], "minItems": 1}
    pairs = {**definitions["Dominoes"]["properties"]["tiles"], "minItems": 1}
    one = {"anyOf": [*references, pairs, bare]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "plumbench puzzles",
        "description": "One puzzle or a list; a file of JSON lines holds one such value a line. "
        "Rows of numbers alone are the map of a path; pairs of numbers the tiles of a domino set.",
        "anyOf": [*references, pairs, bare, {"type": "array", "items": one}],
        "$defs": definitions,
    }
