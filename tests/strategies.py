"""Hypothesis strategies and fixed puzzles that tests of all parts share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from plumbench.puzzles.board import BOARD_RULES, Board
from plumbench.puzzles.flow import BORDERS, WISHES, Flow
from plumbench.puzzles.formats import loads
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.model import (
    EVEN,
    Connect,
    Costs,
    Counts,
    Domain,
    Leaks,
    Puzzle,
    Rules,
    Table,
)
from plumbench.puzzles.path import PlumberPath
from plumbench.puzzles.topology import Hexagonal, Square, Topology, opposite, rotate
from plumbench.puzzles.turns import ANTICLOCKWISE, BOTH, CLOCKWISE

PIECES = {".": 0, "E": 1, "I": 5, "L": 3, "T": 7, "X": 15}
"""One mask of each square piece."""


def letters(*rows: str, rules: str = "connected", wrap: bool = False) -> Board:
    """A square board from rows of piece letters."""
    pieces = [PIECES[letter] for row in rows for letter in row]
    return Board(Square(len(rows[0]), len(rows), wrap), np.array(pieces), rules=rules)


def net(text: str, rules: str = "tree") -> Board:
    """The square board of a Net game ID."""
    [board] = loads(text, rules=rules)
    assert isinstance(board, Board)
    return board


def any_piece(topology: Topology, masks: tuple[int, ...], rules: Rules) -> Puzzle:
    """A grid on which every cell may take any of the given masks."""
    cells, directions = topology.width * topology.height, topology.directions
    edges = []
    for cell, row in enumerate(topology.neighbours().tolist()):
        for d in range(directions // 2):
            if row[d] >= 0:
                edges.append((cell, d, row[d], opposite(topology, d)))
    return Puzzle.build([(directions, Table(directions, masks))] * cells, edges, rules=rules)


def golden_puzzles(path: Path) -> Iterator[tuple[Puzzle, dict[str, Any]]]:
    """The puzzles of ``model_puzzles.jsonl``, each with the facts written beside it."""
    for line in path.read_text().splitlines():
        facts = json.loads(line)
        rules: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in facts["rules"].items()
        }
        puzzle = Puzzle.build(
            [(v["ports"], _domain(v["ports"], v["domain"])) for v in facts["vertices"]],
            [tuple(edge) for edge in facts["edges"]],
            free=[tuple(port) for port in facts["free_stubs"]],
            rules=Rules(**rules),
            mask_costs=facts["mask_costs"],
            edge_costs=facts["edge_costs"],
        )
        yield puzzle, facts


def _domain(degree: int, domain: dict[str, list[int]]) -> Domain:
    if "table" in domain:
        return Table(degree, tuple(domain["table"]))
    return Counts(frozenset(domain["counts"]))


def domain_masks(puzzle: Puzzle, vertex: int) -> list[int]:
    """All masks that a vertex's domain allows; for small degrees."""
    domain, degree = puzzle.domain(vertex), int(puzzle.degree[vertex])
    if isinstance(domain, Table):
        return list(domain.masks)
    numbers = domain.numbers(degree)
    return [mask for mask in range(1 << degree) if mask.bit_count() in numbers]


def assignments(puzzle: Puzzle) -> Iterator[np.ndarray]:
    """Every choice of masks from the domains, as solutions; for tiny puzzles."""
    rows = [
        [[bool(mask >> i & 1) for i in range(degree)] for mask in domain_masks(puzzle, vertex)]
        for vertex, degree in enumerate(puzzle.degree.tolist())
    ]
    for chosen in product(*rows):
        yield np.array([flag for row in chosen for flag in row], dtype=np.bool_)


# ---- fixed puzzles ---------------------------------------------------------------------------


# width, height, wrap, pieces; solutions under match, connected, tree
TINY_HEXAGONAL = {
    "flower": (3, 3, False, (0, 1, 1, 1, 63, 1, 0, 1, 1), (1, 1, 1)),
    "two triangles": (2, 2, False, (33, 56, 7, 12), (1, 1, 0)),
    "tee torus": (2, 2, True, (7, 1, 1, 1), (6, 6, 6)),
    "straight torus": (3, 3, True, (9,) * 9, (3, 2, 0)),
}


def tiny_hexagonal(kind: str, rules: str = "connected") -> Board:
    """One of the fixed boards with six-port masks."""
    width, height, wrap, pieces, _ = TINY_HEXAGONAL[kind]
    return Board(Hexagonal(width, height, wrap), np.array(pieces), rules=rules)


def small_multigraph(rules: Rules | None = None) -> Puzzle:
    """Five vertices with a loop, parallel edges, an EVEN vertex, a Counts{0, 2} vertex, a free
    and a closed stub.
    """
    return Puzzle.build(
        [
            (4, EVEN),
            (3, Counts(frozenset({0, 2}))),
            (4, Table(4, (0, 3, 5, 6, 9, 10, 12, 15))),
            (3, Table(3, (0, 1, 2, 3, 7))),
            (2, Table(2, (0, 1, 3))),
        ],
        [
            (0, 0, 0, 1),  # a loop
            (0, 2, 1, 0),
            (0, 3, 2, 0),
            (1, 1, 2, 1),  # two parallel edges
            (1, 2, 2, 2),
            (2, 3, 3, 0),
            (3, 1, 4, 0),
        ],
        free=[(4, 1)],
        rules=rules,
    )


# ---- random boards ---------------------------------------------------------------------------


@st.composite
def boards(
    draw: st.DrawFn,
    *,
    rules: str | None = None,
    max_side: int = 4,
    max_cells: int = 9,
    hexagonal: bool = False,
) -> Board:
    """Small boards, under ``rules`` or any of the three: torus or not (1- and 2-wide, too),
    walls, locked cells; half of them have the pieces of a planted solution of match.
    """
    width = draw(st.integers(1, max_side))
    height = draw(st.integers(1, min(max_side, max(1, max_cells // width))))
    kind = Hexagonal if hexagonal else Square
    topology = kind(width, height, draw(st.booleans()))
    cells, directions = width * height, topology.directions
    walls = np.zeros((cells, directions), dtype=np.bool_)
    if draw(st.integers(0, 2)) == 0:
        for place in draw(st.lists(st.integers(0, cells * directions - 1), max_size=4)):
            walls.flat[place] = True
    rule = rules or draw(st.sampled_from(sorted(BOARD_RULES)))
    blank = Board(topology, np.zeros(cells, dtype=np.int64), walls=walls, rules=rule)
    planted = draw(st.integers(0, 3)) > 0
    masks = draw(_planted(blank)) if planted else draw(_random_pieces(cells, directions))
    locked = np.zeros(cells, dtype=np.bool_)
    if draw(st.integers(0, 2)) == 0:
        locked[draw(st.lists(st.integers(0, cells - 1), max_size=2))] = True
    turns = draw(st.lists(st.integers(0, directions - 1), min_size=cells, max_size=cells))
    pieces = [
        mask if lock else rotate(mask, turn, directions)
        for mask, lock, turn in zip(masks, locked, turns, strict=True)
    ]
    return Board(topology, np.array(pieces), oriented=True, locked=locked, walls=walls, rules=rule)


@st.composite
def turning(draw: st.DrawFn, given: st.SearchStrategy[Board]) -> Board:
    """Such boards, whose pieces may turn in ways of their own, to be solved with the fewest (or
    the most) rotations.
    """
    board = draw(given)
    ways = st.sampled_from([CLOCKWISE, CLOCKWISE, ANTICLOCKWISE, BOTH])
    if draw(st.booleans()):
        ways = st.just(draw(ways))
    turns = draw(st.lists(ways, min_size=board.cells, max_size=board.cells))
    objective = Objective("rotations", maximise=draw(st.integers(0, 5)) == 0)
    return replace(board, turns=np.array(turns), objective=objective)


def _random_pieces(cells: int, directions: int) -> st.SearchStrategy[list[int]]:
    masks = sorted(PIECES.values()) if directions == 4 else list(range(1 << directions))
    return st.lists(st.sampled_from(masks), min_size=cells, max_size=cells)


@st.composite
def _planted(draw: st.DrawFn, blank: Board) -> list[int]:
    """Masks of a leak-free filling: a subset of the edges, often one that hangs together."""
    puzzle = blank.puzzle
    connected = draw(st.booleans())
    order = draw(st.permutations(range(puzzle.edges)))
    wanted = draw(st.lists(st.integers(0, 3), min_size=puzzle.edges, max_size=puzzle.edges))
    masks, group = [0] * puzzle.vertices, list(range(puzzle.vertices))
    for edge in order:
        (p, q), (u, v) = puzzle.edge_ports[edge].tolist(), puzzle.edge_vertices[edge].tolist()
        bridges = group[u] != group[v]
        if wanted[edge] > 0 and not (bridges if connected else wanted[edge] == 1):
            continue
        if bridges:
            old, new = group[u], group[v]
            group = [new if g == old else g for g in group]
        for port in (p, q):
            vertex = int(puzzle.owner[port])
            masks[vertex] |= 1 << port - int(puzzle.first_port[vertex])
    return masks


# ---- random multigraphs ----------------------------------------------------------------------


MAX_DEGREE = 6
LEAKS: tuple[Leaks, ...] = ("forbidden", "allowed", "sealed")


@st.composite
def multigraphs(
    draw: st.DrawFn, *, all_rules: bool = False, max_vertices: int = 5, max_edges: int = 8
) -> Puzzle:
    """Small random puzzles: loops, parallel edges, free and closed stubs, tables with and
    without mask 0, EVEN and counts, needed vertices; ``all_rules`` adds sealed and allowed
    leaks and connect reach. Most tables hold the mask of one planted choice of edges.
    """
    number = draw(st.integers(1, max_vertices))
    vertex = st.integers(0, number - 1)
    pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=max_edges))
    rules = draw(_rules(number, all_rules=all_rules))
    degree, planted = [0] * number, [0] * number
    edges, free = [], []
    on = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))

    def port(owner: int, is_open: bool) -> int:
        planted[owner] |= is_open << degree[owner]
        degree[owner] += 1
        return degree[owner] - 1

    for (u, v), is_open in zip(pairs, on, strict=True):
        if max(degree[u], degree[v]) + (u == v) >= MAX_DEGREE:
            continue
        edges.append((u, port(u, is_open), v, port(v, is_open)))
    for owner, is_free, is_open in draw(
        st.lists(st.tuples(vertex, st.booleans(), st.booleans()), max_size=3)
    ):
        if degree[owner] == MAX_DEGREE:
            continue
        index = port(owner, is_free and is_open)
        if is_free:
            free.append((owner, index))
    with_counts = rules.leaks == "forbidden"
    domains = [
        draw(_random_domain(d, mask, with_counts=with_counts))
        for d, mask in zip(degree, planted, strict=True)
    ]
    return Puzzle.build(list(zip(degree, domains, strict=True)), edges, free=free, rules=rules)


@st.composite
def _rules(draw: st.DrawFn, number: int, *, all_rules: bool) -> Rules:
    some = st.lists(st.integers(0, number - 1), max_size=2, unique=True).map(tuple)
    connects: tuple[Connect, ...] = ("none", "used", "used")
    if all_rules:
        connects = (*connects, "reach", "reach")
    connect = draw(st.sampled_from(connects))
    leaks: Leaks = "forbidden"
    if all_rules and connect == "reach":
        leaks = draw(st.sampled_from(LEAKS))
    elif all_rules:
        leaks = draw(st.sampled_from(LEAKS[:2]))
    acyclic = draw(st.booleans())
    if connect == "used":
        needed = draw(some) if draw(st.integers(0, 2)) == 0 else ()
        return Rules(leaks, "used", acyclic, needed=needed)
    if connect == "reach":
        return Rules(leaks, "reach", acyclic, sources=draw(some), sinks=draw(some))
    return Rules(leaks, "none", acyclic)


@st.composite
def _random_domain(draw: st.DrawFn, degree: int, planted: int, *, with_counts: bool) -> Domain:
    kind = draw(st.integers(0, 9))
    if with_counts and kind == 0:
        return EVEN
    if with_counts and kind <= 2:
        numbers = draw(st.sets(st.integers(0, degree + 1), max_size=2))
        return Counts(frozenset(numbers | {planted.bit_count()}))
    masks = set(draw(st.lists(st.integers(0, (1 << degree) - 1), min_size=1, max_size=4)))
    if kind < 9:
        masks.add(planted)
    if kind in (3, 4):
        masks.add(0)
    return Table(degree, tuple(sorted(masks)))


@st.composite
def with_costs(draw: st.DrawFn, puzzles: st.SearchStrategy[Puzzle]) -> Puzzle:
    """Such puzzles with random costs of masks and of joined edges, of both signs, to be
    minimised or maximised.
    """
    puzzle, price = draw(puzzles), st.integers(-4, 6)
    rows = []
    for vertex in range(puzzle.vertices):
        masks = draw(st.sets(st.sampled_from(domain_masks(puzzle, vertex) or [0]), max_size=4))
        rows.append(tuple((mask, draw(price)) for mask in sorted(masks)))
    edge = draw(st.lists(price, min_size=puzzle.edges, max_size=puzzle.edges))
    costs = Costs(tuple(rows), np.arange(puzzle.vertices), np.array(edge, dtype=np.int64))
    return replace(puzzle, costs=replace(costs, maximise=draw(st.booleans())))


@st.composite
def plumber_maps(draw: st.DrawFn, max_side: int = 4, max_cells: int = 12) -> PlumberPath:
    """Small plumber maps: all pieces, wild ones too; half of them with openings anywhere."""
    width = draw(st.integers(1, max_side))
    height = draw(st.integers(1, min(max_side, max(1, max_cells // width))))
    pieces = st.sampled_from([0, 1, 2, 3, 4, 5, 6, 1, 5, 7])
    codes = draw(st.lists(pieces, min_size=width * height, max_size=width * height))
    rim = np.argwhere(Square(width, height).neighbours() < 0).tolist()
    inlet = outlet = None
    if draw(st.booleans()):
        inlet, outlet = draw(st.permutations([(cell, side) for cell, side in rim]))[:2]
    return PlumberPath(np.array(codes).reshape(height, width), inlet, outlet)


def turned(puzzle: Puzzle, maximise: bool) -> Puzzle:
    """The same puzzle to be maximised or minimised."""
    assert puzzle.costs is not None
    return replace(puzzle, costs=replace(puzzle.costs, maximise=maximise))


# ---- dominoes --------------------------------------------------------------------------------


def tile_lists(
    *, max_pip: int = 3, min_tiles: int = 0, max_tiles: int = 6
) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Tiles with few pips, so that doubles and equal tiles are common."""
    pip = st.integers(0, max_pip)
    return st.lists(st.tuples(pip, pip), min_size=min_tiles, max_size=max_tiles)


# ---- flow boards -----------------------------------------------------------------------------


@st.composite
def flows(
    draw: st.DrawFn, *, wish: str | None = None, rules: str | None = None, max_free: int = 4
) -> Flow:
    """Small flow boards with one to three sources and sinks, under any rule, wish and border (or
    those given): walls, locks, torus, cells with two terminals. At most ``max_free`` pieces turn.
    """
    width, height = draw(st.sampled_from([(1, 1), (2, 1), (2, 2), (3, 2), (2, 3), (4, 1), (3, 3)]))
    cells = width * height
    topology = Square(width, height, draw(st.integers(0, 6)) == 0)
    piece = st.sampled_from([0, 1, 3, 3, 3, 5, 5, 7, 7, 15])
    masks = draw(st.lists(piece, min_size=cells, max_size=cells))
    turns = draw(st.lists(st.integers(0, 3), min_size=cells, max_size=cells))
    pieces = [rotate(mask, turn, 4) for mask, turn in zip(masks, turns, strict=True)]
    locked = np.ones(cells, dtype=np.bool_)
    free = draw(st.lists(st.integers(0, cells - 1), max_size=max_free, min_size=min(cells, 2)))
    locked[free] = False
    walls = np.zeros((cells, 4), dtype=np.bool_)
    if draw(st.integers(0, 3)) == 0:
        walls[draw(st.integers(0, cells - 1)), draw(st.integers(0, 3))] = True
    said = wish or draw(st.sampled_from(WISHES))
    terminals = st.lists(st.integers(0, cells - 1), min_size=1, max_size=3)
    sources, sinks = draw(terminals), draw(terminals)
    if said == "paired":
        number = min(len(sources), len(sinks))
        sources, sinks = sources[:number], sinks[:number]
    return Flow(
        Board(topology, np.array(pieces), oriented=True, locked=locked, walls=walls),
        tuple(sources),
        tuple(sinks),
        wish=said,
        border=draw(st.sampled_from(BORDERS)),
        rules=rules or draw(st.sampled_from(Flow.rules_offered)),
    )
