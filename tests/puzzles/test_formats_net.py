"""Net game IDs and save files."""

from __future__ import annotations

import numpy as np
import pytest
from format_tools import board, rows
from plumbench.puzzles.errors import InputError
from plumbench.puzzles.formats import loads
from plumbench.puzzles.model import ports_from_masks
from plumbench.puzzles.topology import DOWN, LEFT, RIGHT, UP, Square

SAVE = """SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
VERSION :1:1
GAME    :3:Net
PARAMS  :3:5x5
CPARAMS :3:5x5
DESC    :25:1115337157375775157135131
UI      :9:O0,0;C2,2
NSTATES :1:6
STATEPOS:1:5
MOVE    :4:C0,0
MOVE    :4:L0,0
MOVE    :4:A1,0
MOVE    :4:F4,3
MOVE    :4:A2,2
"""


def test_net_bits_become_the_models():
    """Net's right 1, up 2, left 4, down 8 are the model's 2, 1, 8, 4, and any sum of them."""
    found = board("16x1:0123456789abcdef")
    names = ((1, 2), (2, 1), (4, 8), (8, 4))
    assert rows(found) == [[sum(m for n, m in names if n & net) for net in range(16)]]
    assert found.rules == "tree"
    assert found.oriented


def test_a_width_alone_means_a_square():
    """``W:`` is WxW."""
    assert (board("2:1111").width, board("2:1111").height) == (2, 2)


def test_walls_follow_their_cell_and_close_both_sides():
    """``v`` walls the right of the cell just read, ``h`` the side below; both cells lose it."""
    walls = board("2x2:1v2h48").walls
    there = {(0, RIGHT), (1, LEFT), (1, DOWN), (3, UP)}
    assert {tuple(place) for place in np.argwhere(walls).tolist()} == there


def test_walls_go_modulo_on_a_torus():
    """On a torus a wall on the right of the last column is on the left of the first."""
    walls = board("3x2w:11v1v111h").walls
    there = {(1, RIGHT), (2, LEFT), (2, RIGHT), (0, LEFT), (5, DOWN), (2, UP)}
    assert {tuple(place) for place in np.argwhere(walls).tolist()} == there


def test_a_wall_on_the_rim_of_a_bordered_board_says_nothing():
    """The public game closes the rim anyway."""
    assert not board("2x1:1h4vh").walls.any()


def test_a_cell_of_a_one_wide_torus_is_walled_from_itself():
    """The only column's right neighbour is itself: the wall takes away its loop."""
    found = board("1x5w:2vaaa2")
    assert found.walls[0].tolist() == [False, True, False, True]
    assert found.puzzle.edges == 9


@pytest.mark.parametrize("text", ["2x2w:BcDE", "2x2w:bCde"])
def test_upper_case_hex_is_read_as_the_game_reads_it(text: str):
    """The public game takes both cases."""
    assert rows(board(text)) == rows(board("2x2w:bcde"))


def test_generation_parameters_are_passed_over():
    """``b0.3`` and ``a`` say how the board was made, and in the game may stand in an ID."""
    found = board("2x2wb0.3a:bcde")
    assert found.topology == Square(2, 2, wrap=True)
    assert rows(found) == rows(board("2x2w:bcde"))


@pytest.mark.parametrize(
    ("text", "column", "found"),
    [
        ("2x2:", 5, "the end after 0 cells"),
        ("2x2:111", 8, "the end after 3 cells"),
        ("2x2:11111", 9, "5 cells"),
        ("2x2:11g1", 7, "'g'"),
        ("2x2:v1111", 5, "'v', a wall before the first cell"),
        ("2x2:hhhh", 5, "'h', a wall before the first cell"),
        ("2x2:11 11", 7, "' '"),
        ("2x2:11é1", 7, "'é'"),
        ("5x5#12345", 4, "a random seed"),
        ("5x5", 4, "no ':'"),
        ("12345", 6, "no ':'"),
        ("5x5W:1", 4, "'W'"),
        ("5y5:1", 2, "'y5'"),
        ("0x3:", 1, "a 0x3 grid"),
        ("99999999x99999999:", 1, "a 99999999x99999999 grid"),
        ("9" * 5000 + "x1:", 1, "a 9"),
        ("3000x3000:0", 1, "a 3000x3000 grid"),
        ("٣x1:111", 1, "'٣x1:111'"),
    ],
)
def test_bad_ids_are_refused_where_they_are_bad(text: str, column: int, found: str):
    """Line, column and what was found there."""
    with pytest.raises(InputError) as caught:
        loads(text)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert caught.value.found.startswith(found)
    assert len(str(caught.value)) < 300


def test_case_n15_degenerate_boards():
    """Case N15: 1-wide boards, a 1-wide torus with its loops."""
    assert board("1x8:1aaaaaa8").puzzle.edges == 7
    found = board("1x5w:2aaa2")
    assert found.puzzle.edges == 10
    assert rows(found) == [[1], [5], [5], [5], [1]]


def test_case_n18_barriers():
    """Case N18: walls between cells and on the rim of a torus take exactly their edges away."""
    bordered = board("5x5:142h763de6a4ed22hcdedh412v654")
    assert bordered.puzzle.edges == 40 - 4
    torus = board("5x5w:e7v2hbvc1dheeva6ada2h1v2b88v6v8v4vh8v3")
    assert torus.puzzle.edges == 50 - 13
    official = board("5x5:881dc37d6a1de829eb7422354")
    solution = ports_from_masks(bordered.puzzle, official.pieces.tolist())
    twins = bordered.puzzle.edge_ports
    assert (solution[twins[:, 0]] == solution[twins[:, 1]]).all()
    assert not solution[bordered.puzzle.twin < 0].any()


def test_case_n16_a_save_file_is_the_position_on_the_screen():
    """Case N16: moves up to STATEPOS are replayed (the last one is undone); L locks."""
    found = board(SAVE)
    before = board("5x5:1115337157375775157135131")
    turned = before.pieces.copy()
    turned[0], turned[1], turned[19] = 4, 1, 8  # right to down, to up, to left
    assert found.pieces.tolist() == turned.tolist()
    assert np.flatnonzero(found.locked).tolist() == [0]
    assert found.rules == "tree"


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("DESC    :25", "DESC    :24", "25 characters"),
        (":3:Net", ":4:Loop", "a game of 'Loop'"),
        ("STATEPOS:1:5", "STATEPOS:1:7", "state 7"),
        ("NSTATES :1:6", "NSTATES :1:9", "5 moves"),
        ("MOVE    :4:A1,0", "MOVE    :4:A9,0", "cell 9,0"),
        ("MOVE    :4:A1,0", "MOVE    :4:Q1,0", "'Q1,0'"),
        ("CPARAMS :3:5x5\n", "CPARAMS :3:5x6\n", "the end after 25 cells"),
        ("GAME    :3:Net\n", "", "no GAME"),
    ],
)
def test_broken_save_files_are_refused(old: str, new: str, found: str):
    """Lengths, the game, the number of moves and each move are checked."""
    with pytest.raises(InputError) as caught:
        loads(SAVE.replace(old, new))
    assert caught.value.found.startswith(found)


def test_a_save_file_may_restart_and_solve():
    """RESTART goes back to a description, SOLVE is many steps in one move."""
    text = SAVE.replace("MOVE    :4:A1,0", "RESTART :25:1115337157375775157135131")
    text = text.replace("MOVE    :4:F4,3", "SOLVE   :16:S;C0,0;L0,0;A1,0")
    found = board(text)
    assert found.pieces[:2].tolist() == [4, 1]
    assert np.flatnonzero(found.locked).tolist() == [0]
