"""The conformance suite's random part: every engine against brute force."""

from __future__ import annotations

import pytest
from engines import ALL, each, engine, holds, three
from hypothesis import given, settings
from plumbench.puzzles.board import BOARD_RULES, Board
from plumbench.puzzles.model import Puzzle
from plumbench.solvers.registry import get
from plumbench.solvers.run import count
from strategies import boards, multigraphs

BOARDS = boards()
HEXAGONAL = boards(hexagonal=True, max_cells=4)
MULTIGRAPHS = multigraphs()
rivals = pytest.mark.parametrize("name", [n for n in ALL if n != "brute"])


@rivals
def test_random_boards(name: str) -> None:
    """500 random small boards, all pieces, walls, locks and tori, equal brute force."""
    solver, brute = engine(name), get("brute")

    def agrees(board: Board) -> None:
        holds(solver, board.puzzle, count(board.puzzle, brute).value)

    each(name, BOARDS, 500, agrees)


@rivals
def test_random_hexagonal_boards(name: str) -> None:
    """100 random hexagonal boards of up to four cells equal brute force."""
    solver, brute = engine(name), get("brute")

    def agrees(board: Board) -> None:
        holds(solver, board.puzzle, count(board.puzzle, brute).value)

    each(name, HEXAGONAL, 100, agrees)


@rivals
def test_random_multigraphs(name: str) -> None:
    """500 random multigraphs with loops, parallel edges, counts and stubs equal brute force."""
    solver, brute = engine(name), get("brute")

    def agrees(puzzle: Puzzle) -> None:
        holds(solver, puzzle, count(puzzle, brute).value)

    each(name, MULTIGRAPHS, 500, agrees)


@pytest.mark.fuzz
@rivals
def test_many_random_puzzles(name: str) -> None:
    """Larger random boards and multigraphs, each under the three rules."""
    solver, brute = engine(name), get("brute")

    @settings(max_examples=3000)
    @given(boards(max_side=5, max_cells=12))
    def boards_agree(board: Board) -> None:
        for _, puzzle in three(board):
            holds(solver, puzzle, count(puzzle, brute).value)

    @settings(max_examples=3000)
    @given(multigraphs(max_vertices=7, max_edges=11))
    def multigraphs_agree(puzzle: Puzzle) -> None:
        for rules in BOARD_RULES.values():
            ruled = puzzle.with_rules(rules)
            holds(solver, ruled, count(ruled, brute).value)

    boards_agree()
    multigraphs_agree()
