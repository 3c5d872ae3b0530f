"""Experiment ``rings``: article 000's statements about rings, trails, marks and leaks.

Small enough to be decided by looking at every case: all even subgraphs of a grid, all choices
of masks on a 2x3 board, and the trails of the article's own boards.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...puzzles.board import Board
from ...puzzles.euler import Kind, trail
from ...puzzles.formats import loads
from ...puzzles.model import Puzzle, Solution, Table, joined_edges
from ...puzzles.topology import Square, rotate
from ...solvers.run import solutions, solve
from ..report.document import Table as ReportTable
from . import Progress
from .article import boards
from .report import Claim, Report
from .subgraphs import components, even_subgraphs

LARGEST = 4
SAMPLE_FULL, SAMPLE_QUICK = 100, 20

NOTES = (
    "A board of straights, elbows, crosses and blanks is a connected or unconnected even "
    "subgraph: the first table counts those that are two rings without a common cell.",
    "A depth-first walk that writes down a vertex when it is left: marking vertices it leaves "
    "each once (V); marking the two directions of an edge apart it walks each edge twice (2E + 1 "
    "vertices); marking edges it is Hierholzer's trail (E + 1 vertices).",
)


def two_rings(rows: int, columns: int) -> int:
    """How many boards of that size consist of two or more separate parts, all degrees even."""
    return int((components(even_subgraphs(rows, columns), columns) >= 2).sum())


def _ends(puzzle: Puzzle, solution: Solution) -> list[tuple[int, int]]:
    joined = np.flatnonzero(joined_edges(puzzle, solution))
    return [(u, v) for u, v in puzzle.edge_vertices[joined].tolist()]


def walk(ends: list[tuple[int, int]], start: int, marks: str) -> list[int]:
    """The vertices in the order in which the depth-first walk leaves them, last first.

    ``marks``: what is not used again: ``vertices``, ``arcs`` (an edge's directions apart) or
    ``edges``.
    """
    beside: dict[int, list[tuple[int, int]]] = {}
    for edge, (u, v) in enumerate(ends):
        beside.setdefault(u, []).append((edge, v))
        beside.setdefault(v, []).append((edge, u))
    used: set[object] = {start} if marks == "vertices" else set()
    stack, left = [(start, iter(beside[start]))], []
    while stack:
        here, more = stack[-1]
        for edge, there in more:
            mark: object = {"vertices": there, "arcs": (edge, here), "edges": edge}[marks]
            if mark not in used:
                used.add(mark)
                stack.append((there, iter(beside[there])))
                break
        else:
            left.append(here)
            stack.pop()
    return left[::-1]


def _marks_hold(board: Board) -> tuple[bool, bool, bool]:
    """Whether the three walks of a solved board have V, 2E + 1 and E + 1 vertices."""
    puzzle = board.puzzle
    answer = solve(puzzle, "propagation")
    assert answer.solution is not None
    ends = _ends(puzzle, answer.solution)
    start, vertices = ends[0][0], len({v for pair in ends for v in pair})
    lengths = [len(walk(ends, start, marks)) for marks in ("vertices", "arcs", "edges")]
    wanted = [vertices, 2 * len(ends) + 1, len(ends) + 1]
    return tuple(a == b for a, b in zip(lengths, wanted, strict=True))  # pyright: ignore


def half_leaking(rows: int, columns: int) -> tuple[int, int, int]:
    """Choices of masks without single openings that pass three tests of each cell's openings:
    the full rule; each pair of neighbours tested once, only from the upper or left cell; every
    pair tested from both cells.
    """
    masks = np.array([m for m in range(16) if m.bit_count() != 1], dtype=np.int8)
    cells = rows * columns
    chosen = masks[np.indices((len(masks),) * cells, dtype=np.int8).reshape(cells, -1)]
    forward, back = np.ones((2, chosen.shape[1]), dtype=bool)
    for cell, bit, there, opposite in _openings(rows, columns):
        opens = (chosen[cell] & bit) > 0
        met = (chosen[there] & opposite) > 0 if there >= 0 else np.zeros_like(opens)
        both = forward if bit in (2, 4) else back
        both &= ~opens | met
    full = _leak_free(rows, columns)
    return full, int(forward.sum()), int((forward & back).sum())


def _openings(rows: int, columns: int) -> Iterator[tuple[int, int, int, int]]:
    """(cell, bit, neighbour or -1, its bit back) for every side of every cell."""
    neighbours: NDArray[np.int64] = Square(columns, rows).neighbours()
    for cell, row in enumerate(neighbours.tolist()):
        for side, there in enumerate(row):
            yield cell, 1 << side, there, rotate(1 << side, 2, 4)


def _leak_free(rows: int, columns: int) -> int:
    """The same by an engine: solutions of match where a cell takes any such mask."""
    masks = tuple(m for m in range(16) if m.bit_count() != 1)
    plain = Board(Square(columns, rows), np.zeros(rows * columns, dtype=np.int64)).puzzle
    free = Puzzle(
        plain.first_port,
        (Table(4, masks),),
        np.zeros(plain.vertices, dtype=np.int64),
        plain.edge_ports,
        plain.free,
        Board(Square(1, 1), np.zeros(1, dtype=np.int64), rules="match").puzzle.rules,
    )
    return sum(1 for _ in solutions(free, "propagation"))


def run(*, quick: bool, progress: Progress) -> Report:
    """Count, walk and test."""
    progress("even subgraphs")
    sizes = [(r, c) for r in range(2, LARGEST + 1) for c in range(r, LARGEST + 1)]
    rings = [[f"{r}x{c}", len(even_subgraphs(r, c)), two_rings(r, c)] for r, c in sizes]
    first = next(name for name, _, found in rings if found)
    first_square = next(n for (r, c), (n, _, found) in zip(sizes, rings, strict=True)
                        if found and r == c)  # fmt: skip
    at_3x3 = {name: found for name, _, found in rings}["3x3"]
    progress("walks")
    sample = list(boards(number=SAMPLE_QUICK if quick else SAMPLE_FULL))
    held = [_marks_hold(board) for board in sample]
    marks = [sum(row[i] for row in held) for i in range(3)]
    progress("circuits and paths")
    circuits = sum(_is_circuit(board) for board in sample)
    two_tees = _two_tees()
    progress("leaks tested from one side")
    full, once, twice = half_leaking(2, 3)
    claims = [
        Claim(
            "a 3x3 board of two separate rings, all degrees even",
            "exists",
            f"{at_3x3} of {2**4} even subgraphs; first at {first}, square at {first_square}",
            "exact",
            "all even subgraphs up to 4x4",
            "does not hold" if at_3x3 == 0 else "holds",
        ),
        Claim(
            "Hierholzer by itself makes sure of one loop",
            "yes",
            "no: on LLLL/LLLL, two rings, its trail has 5 of 9 vertices"
            if _covers_one_ring()
            else "yes",
            "exact",
            "the 2x4 board LLLL/LLLL",
            "does not hold" if _covers_one_ring() else "holds",
        ),
        Claim(
            "marking vertices as visited gives 2E + 1 vertices",
            "2E + 1",
            f"V on {marks[0]}, marking arcs 2E + 1 on {marks[1]}, marking edges E + 1 on "
            f"{marks[2]} of {len(sample)}",
            "exact",
            f"{len(sample)} boards of the article",
            "does not hold as worded" if marks[0] == len(sample) else "holds",
        ),
        Claim(
            "testing only 'I point at you, so you must point back' leaves half-leaks",
            "yes",
            f"{once} choices pass if each pair is tested once, {twice} if from both cells; "
            f"{full} are leak-free",
            "exact",
            "all 12^6 choices of masks on 2x3, ends left out",
            "depends on the reading",
        ),
    ]
    claims += [
        Claim(
            "pieces with even numbers of openings give circuits, never open paths",
            "always",
            f"circuits on {circuits} of {len(sample)} connected boards; unconnected ones have none",
            "exact",
            f"{len(sample)} boards of the article",
            "holds once connectivity is required" if circuits == len(sample) else "does not hold",
        ),
        Claim(
            "the 3x3 board with two tees: edges, odd vertices, vertices on the trail",
            "10, 2, 11",
            f"{two_tees}; one solution, found with "
            f"{solve(_board_of_two_tees().puzzle, 'reference').stats['calls']} calls",
            "exact",
            "LIL/TIT/LIL",
            "holds" if two_tees == "10, 2, 11" else "does not hold",
        ),
    ]
    table = ReportTable(
        "Boards of two or more separate parts, all degrees even",
        ("cells", "even subgraphs", "of several parts"),
        rings,
        "rings",
    )
    return Report("rings", "Rings, marks and leaks (article 000)", NOTES, claims, [table], [])


def _covers_one_ring() -> bool:
    """Whether Hierholzer's trail on two rings of four cells misses one of them."""
    pieces = np.full(8, 3, dtype=np.int64)
    puzzle = Board(Square(4, 2), pieces, rules="match").puzzle
    answer = solve(puzzle, "propagation")
    assert answer.solution is not None
    ends = _ends(puzzle, answer.solution)
    return len(walk(ends, ends[0][0], "edges")) == 5 and len(ends) == 8


def _is_circuit(board: Board) -> bool:
    answer = solve(board.puzzle, "propagation")
    assert answer.solution is not None
    return trail(board.puzzle, answer.solution).kind is Kind.CIRCUIT


def _board_of_two_tees() -> Board:
    [board] = loads("LIL/TIT/LIL")
    assert isinstance(board, Board)
    return board


def _two_tees() -> str:
    board = _board_of_two_tees()
    [only] = solutions(board.puzzle, "propagation")
    found = trail(board.puzzle, only)
    edges = int(joined_edges(board.puzzle, only).sum())
    return f"{edges}, {len(found.odd)}, {len(found.vertices)}"
