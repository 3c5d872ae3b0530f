"""What the drawings look like, character by character."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from plumbench.puzzles.board import Board
from plumbench.puzzles.draw import draw_board
from plumbench.puzzles.formats import loads
from plumbench.puzzles.model import Solution, ports_from_masks
from plumbench.puzzles.topology import Hexagonal
from strategies import boards, letters, net

TEES = [6, 10, 12, 7, 10, 13, 3, 10, 9]


def solved(board: Board, masks: list[int]) -> Solution:
    """The masks as a solution."""
    return ports_from_masks(board.puzzle, masks)


def check(drawing: str, *lines: str) -> None:
    """The drawing is these lines; ends of lines have no spaces."""
    assert drawing.split("\n") == list(lines)


def test_pieces_without_orientation_are_letters():
    """A letter grid, as it is written."""
    check(letters("LIL", "T.E").draw(), "L I L", "T . E")


def test_solutions_are_lines():
    """The lines between the cells are filled; tees point right."""
    board = letters("LIL", "TIT", "LIL")
    check(board.draw(solved(board, TEES)), "┌───┐", "├───┤", "└───┘")


def test_leaks_end_halfway():
    """A side that is open on one side of a border only is half a line."""
    check(net("4x1:5151").draw(), "─╴╶──╴╶")
    check(net("3x1:101").draw(), "╶╴· ╶")


def test_marked_cells_stand_in_brackets_and_columns_stay():
    """Without colour brackets, with colour reverse video and the plain width."""
    board = letters("LIL", "TIT", "LIL")
    solution = solved(board, TEES)
    marked = frozenset({1, 3, 4})
    check(
        board.draw(solution, marked=marked),
        " ┌──[─]──┐",
        "[├]─[─]──┤",
        " └───────┘",
    )
    drawn = draw_board(board, TEES, oriented=True, marked=frozenset({4}), colour=True)
    check(drawn, "┌───┐", "├─\x1b[7m─\x1b[0m─┤", "└───┘")


def test_locked_cells_are_heavy():
    """Also among letters, since their orientation is known."""
    board = letters("LIL").with_locked(1, 10)
    check(board.draw(), "L╶━╴L")
    check(board.with_locked(0, 6).draw(), "┏━━╴L")


def test_walls_are_double_lines():
    """Between columns, and on a line of its own below a row that has some."""
    board = net("2x2:1v2h48")
    check(board.draw(), "╶║╵", "  ═", "╴ ╷")
    check(net("2x2:8h8v22").draw(), "╷ ╷", "═ │", "╵ ╵")


def test_a_torus_shows_what_passes_its_rim():
    """Dashed lines at the rim, walls there, too."""
    check(net("2x2w:f400").draw(), " ┆", "┄┼─╴", " · ·")
    check(net("2x1w:5v5v").draw(), "║─║─║")


def test_a_narrow_torus():
    """A straight on a 1x1 torus leaves on both sides."""
    check(net("1x1w:5").draw(), "┄─┄")
    check(net("1x1w:a").draw(), " ┆", " │", " ┆")


def test_hexagonal_numbers_and_lines():
    """Without orientation the least masks, offset; with it a picture."""
    check(Board(Hexagonal(2, 2), np.array([33, 8, 2, 36])).draw(), " 03  01", "   01  09")
    joined = Board(Hexagonal(2, 2), np.array([1 | 32, 8, 4 | 1, 8]), oriented=True)
    check(joined.draw(), " o───o", "  ╲", "   o───o")


@given(st.one_of(boards(), boards(hexagonal=True)), st.booleans(), st.data())
def test_every_cell_is_drawn_once(board: Board, oriented: bool, data: st.DataObject):
    """As many nodes as cells on every board; each mark shows as one pair of brackets."""
    board = replace(board, oriented=oriented)
    cell = data.draw(st.integers(0, board.cells - 1))
    drawn = board.draw(marked=frozenset({cell}))
    assert drawn.count("[") == drawn.count("]") == 1
    assert "\x1b" not in drawn
    plain = board.draw()
    if board.topology.kind == "square" and not board.topology.wrap:
        rows = [line for line in plain.split("\n") if "═" not in line]
        assert len(rows) == board.height
        assert all(len(row) == 2 * board.width - 1 for row in rows)


def test_a_large_board_is_drawn():
    """No recursion, no quadratic work: 300x300 cells."""
    (board,) = loads("300x300:" + "5" * 90_000)
    assert board.draw().count("\n") == 299
