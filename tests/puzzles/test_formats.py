"""Every format read, recognised and told apart; the loader and its stream."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from plumbench.puzzles.board import Board
from plumbench.puzzles.errors import InputError, UsageError
from plumbench.puzzles.formats import dumps, load, loads, read
from plumbench.puzzles.formats.json_board import SIDES
from plumbench.puzzles.formats.picture import read_masks
from plumbench.puzzles.formats.table import FORMATS
from plumbench.puzzles.glyphs import BOX, HEAVY, LETTER_OF, LIGHT
from plumbench.puzzles.model import ports_from_masks
from plumbench.puzzles.raw import RawPuzzle
from plumbench.puzzles.topology import DOWN, LEFT, RIGHT, UP, Hexagonal, Square
from strategies import golden_puzzles

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


def board(text: str, **options: str) -> Board:
    """The one board of a text."""
    (found,) = loads(text, **options)
    assert isinstance(found, Board)
    return found


def rows(found: Board) -> list[list[int]]:
    """Its pieces as rows of masks."""
    return found.pieces.reshape(found.height, found.width).tolist()


# ---- Net game IDs ----------------------------------------------------------------------------


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


# ---- letters and pictures --------------------------------------------------------------------


def test_letters_are_pieces_without_orientation():
    """``LIL/TIT/LIL`` and the same rows on lines of their own are one board."""
    assert rows(board("LIL/TIT/LIL")) == [[3, 5, 3], [7, 5, 7], [3, 5, 3]]
    assert rows(board("LIL\nTIT\nLIL\n")) == rows(board("LIL/TIT/LIL"))
    assert not board("LIL/TIT/LIL").oriented
    assert board("LIL/TIT/LIL").rules == "connected"


def test_blank_cells_are_dots():
    """``.`` is a blank, also alone."""
    assert rows(board("E.E\n...\n")) == [[1, 0, 1], [0, 0, 0]]
    assert rows(board("./.")) == [[0], [0]]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("CC/CB", 1, 1), ("LIL/TIQ", 1, 7), ("LIL\nTI\nLIL", 2, 3), ("LIL//LIL", 1, 5), ("L I", 1, 2)],
)
def test_bad_letters_are_refused(text: str, line: int, column: int):
    """The letters of case J01 (A to D) are another format; rows are equally long."""
    with pytest.raises(InputError) as caught:
        loads(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_the_articles_picture():
    """Article 000's example is drawn with spaces; tees point right."""
    found = board("┌ ─ ┐\n├ ─ ┤\n└ ─ ┘\n")
    assert rows(found) == [[6, 10, 12], [7, 10, 13], [3, 10, 9]]
    assert found.oriented
    assert rows(board("  ┌ ─ ┐\n  ├ ─ ┤\n  └ ─ ┘\n")) == rows(found)


def test_all_box_characters_mean_their_sides():
    """Tees: ┴ up-right-left, ┬ right-down-left, ┤ up-down-left, ├ up-right-down; light, heavy,
    mixed, rounded and half lines alike; double and dashed lines are none.
    """
    assert [BOX[c] for c in "┴┬┤├"] == [11, 14, 13, 7]
    assert [BOX[c] for c in "╴╵╶╷╸╹╺╻"] == [8, 1, 2, 4] * 2
    assert [BOX[c] for c in "╭╮╯╰╼╽┿╀"] == [6, 12, 9, 3, 10, 5, 15, 15]
    assert not set("║═╬┄┆╲") & BOX.keys()
    for mask in range(1, 16):
        assert BOX[LIGHT[mask]] == BOX[HEAVY[mask]] == mask


def test_letters_name_all_masks():
    """Each mask has the letter of its number of sides; straights and elbows differ."""
    assert LETTER_OF == ".EELEILTELITLTTX"


def test_tight_pictures_and_blanks():
    """Without gaps each character is a cell; blanks are dots or, inside, spaces."""
    assert rows(board("┌──┐\n│  │\n└──┘"))[1] == [5, 0, 0, 5]
    assert rows(board("╶┐·\n.╵·")) == [[2, 12, 0], [0, 1, 0]]


def test_a_picture_that_reads_two_ways_is_refused():
    """A ring of 3x2 cells drawn tight is also a joined ring of 2x2: no guess is made."""
    with pytest.raises(InputError, match="3 columns, or of 2"):
        loads("┌─┐\n└─┘")
    assert rows(board("rules: connected\n┌─┐\n└─┘")) == [[6, 10, 12], [3, 10, 9]]
    assert read_masks("┌─┐\n└─┘", 3, 2) == [[6, 10, 12], [3, 10, 9]]
    assert read_masks("┌─┐\n└─┘", 2, 2) == [[6, 12], [3, 9]]


@pytest.mark.parametrize("text", ["┌ ─ ┐\n├ ─", "┌║┐", "┌a┐", "┌┐\n┄┘"])
def test_bad_pictures_are_refused(text: str):
    """Ragged rows, walls and foreign characters."""
    with pytest.raises(InputError):
        loads(text)


# ---- plumbench text --------------------------------------------------------------------------


def test_text_says_everything():
    """Keys, walls, locks and both ways to give a piece."""
    found = board('name: "a # b"  # a comment\nrules: tree\ntorus: yes\nsize: 3x2\nL|IX_\n┌! . E\n')
    assert (found.name, found.rules, found.topology) == ("a # b", "tree", Square(3, 2, True))
    assert rows(found) == [[3, 5, 15], [6, 0, 1]]
    assert np.flatnonzero(found.locked).tolist() == [3]
    there = {(0, RIGHT), (1, LEFT), (2, DOWN), (5, UP)}
    assert {tuple(place) for place in np.argwhere(found.walls).tolist()} == there
    assert not found.oriented


def test_text_hexagonal():
    """Two hex digits a cell; the three walls are right, lower left and lower right."""
    found = board("topology: hexagonal\n 3f! 01|\n  20/ 0a\\\n")
    assert rows(found) == [[63, 1], [32, 10]]
    assert found.topology == Hexagonal(2, 2)
    assert found.locked.tolist() == [True, False, False, False]
    assert found.oriented
    walls = board("topology: hexagonal\ntorus: yes\n 00 00\\ 00/\n00 00 00\n").walls
    sides = SIDES[Hexagonal]
    assert {(cell, sides[d]) for cell, d in np.argwhere(walls).tolist()} == {
        (1, "SW"),
        (3, "NE"),
        (2, "SE"),
        (5, "NW"),
    }


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("rules: tree\nL Q\n", 2, 3),
        ("rules: oak\nLL\n", 1, 8),
        ("colour: red\nLL\n", 1, 1),
        ("rules: tree\nrules: tree\nLL\n", 2, 1),
        ("rules: tree\nLL\nL\n", 3, 1),
        ("rules: tree\n|LL\n", 2, 1),
        ("rules: tree\nL!L\n", 2, 1),
        ("rules: tree\nLL\ntorus: yes\n", 3, 1),
        ("size: 2x2\nLL\n", 1, 7),
        ("rules: tree\n", 1, None),
        ("topology: hexagonal\n01 2\n", 2, 4),
        ("topology: hexagonal\n0 1\n", 2, 1),
        ("topology: hexagonal\n01 40\n", 2, 4),
        ("oriented: yes\nLL\n", 1, None),
        ('name: "x\nLL\n', 1, 7),
    ],
)
def test_bad_text_is_refused(text: str, line: int, column: int | None):
    """With the place of the fault."""
    with pytest.raises(InputError) as caught:
        loads(text)
    assert (caught.value.line, caught.value.column) == (line, column)


# ---- the loader ------------------------------------------------------------------------------


def test_many_puzzles_of_many_formats(tmp_path: Path):
    """One file may hold them all; comments and blank lines separate, names and lines are kept."""
    text = (
        "# a heading\n3x3:1313f3131 # ambiguous\n1x2:11\r\n\r\nLIL\nTIT\nLIL\n\n"
        'name: own\nEE\n\n{"pieces":\n [[4], [1]]}\n{"tiles": [1, 4], "width": 2, "height": 1,'
        ' "grid": "square"}\n[{"pieces": [[0]]}, {"vertices": []}]\n┌ ┐\n└ ┘\n' + SAVE
    ).replace("└ ┘\n", "└ ┘\n\n")
    path = tmp_path / "mixed.txt"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    found = load(path)
    assert [i.name for i in found][:4] == ["ambiguous", "mixed:3", "mixed:5", "own"]
    assert [i.source.line for i in found] == [2, 3, 5, 9, 12, 14, 15, 15, 16, 19]
    assert [i.family for i in found] == ["board"] * 7 + ["puzzle"] + ["board"] * 2
    assert str(found[1].source) == f"{path}:3"


def test_a_bad_puzzle_does_not_stop_the_rest(tmp_path: Path):
    """``read`` gives its error in its place and goes on."""
    path = tmp_path / "some.txt"
    path.write_text(
        '1x2:11\n1x2:1\nqqq\nrrr\n\n{"pieces": [[1,\n{"pieces": [[4], [1]]}\n'
        '[{"pieces": [[16]]}, {"pieces": [[1]]}]\nEE\n'
    )
    found = list(read(str(path)))
    good = [not isinstance(item, InputError) for item in found]
    assert good == [True, False, False, False, True, False, True, True]
    assert [item.line for item in found if isinstance(item, InputError)] == [2, 3, 8, 8]
    with pytest.raises(InputError, match=r"some\.txt, line 2, column 6"):
        load(path)


def test_files_win_over_literals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A file of that name is read; without it the argument is the puzzle."""
    monkeypatch.chdir(tmp_path)
    assert next(read("EE")).source.file == "literal"  # pyright: ignore[reportAttributeAccessIssue]
    Path("EE").write_text("1x2:11")
    (found,) = read("EE")
    assert isinstance(found, Board)
    assert found.height == 2


def test_standard_input(monkeypatch: pytest.MonkeyPatch):
    """``-`` reads it."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1x2:11\n1x3:1a1\n")))
    assert [i.puzzle.vertices for i in read("-") if isinstance(i, Board)] == [2, 3]


@pytest.mark.parametrize("argument", ["no/such/file.txt", "boards.txt", "BOARDS.TXT", "", "CC/CC"])
def test_what_is_neither_file_nor_literal_says_so(argument: str):
    """One error that names both readings."""
    (found,) = read(argument)
    assert isinstance(found, InputError)
    assert "there is no file" in str(found)


def test_unreadable_files(tmp_path: Path):
    """Directories, other encodings, NUL bytes, empty files: an InputError with the place."""
    (error,) = read(str(tmp_path))
    assert isinstance(error, InputError)
    assert error.found == "a directory"
    for data, line, column in (
        (b"1x2:11\n1x2:\xff1", 2, 5),
        (b"1x2:11\n\n1x\x002:11", 3, 3),
        (b"", None, None),
        (b"# nothing\n\n", None, None),
        ("1x2:11".encode("utf-16"), 1, 1),
    ):
        path = tmp_path / "bad.txt"
        path.write_bytes(data)
        with pytest.raises(InputError) as caught:
            load(path)
        assert (caught.value.line, caught.value.column) == (line, column)
        assert caught.value.file == str(path)
    with pytest.raises(InputError, match="no such file"):
        load(tmp_path / "none.txt")


def test_rules_are_the_callers_else_the_files():
    """A Net ID means tree, a bare grid connected, a caller's wish goes before both."""
    assert [i.rules for i in loads("1x2:11\nEE\n\nrules: match\nEE")] == [
        "tree",
        "connected",
        "match",
    ]
    assert {i.rules for i in loads("1x2:11\nEE", rules="match")} == {"match"}
    with pytest.raises(UsageError, match="oak"):
        loads("EE", rules="oak")


def test_every_format_is_recognised_by_its_own_example():
    """The table's examples go to the format that gives them."""
    for form in FORMATS:
        if form.name != "net-save":
            (found,) = loads(form.example + ("\nEE" if form.name == "text" else ""))
            assert isinstance(found, Board)


def test_infinity_loop_digits_are_no_format():
    """Rows of hex digits have other bits elsewhere, so they are not guessed."""
    for text in ("31\n31", "ff\n1f"):
        with pytest.raises(InputError):
            loads(text)


# ---- the data beside the project -------------------------------------------------------------


def test_all_instances_load(shared: Callable[..., Path]):
    """All boards of the instances but the largest load; the counts file's bad lines do not."""
    for path in sorted(shared("instances").glob("*/*")):
        if path.name not in ("expected_counts.txt", "siers_level6.txt"):
            assert load(path), path


def test_expected_counts_ids(shared: Callable[..., Path]):
    """Each ID of the counts file parses unless it is listed as a parse error or cut short."""
    for line in shared("instances", "edge", "expected_counts.txt").read_text().splitlines():
        text, _, rest = line.partition(" ")
        if rest.startswith("PARSE-ERROR") or rest.startswith("big"):
            with pytest.raises(InputError):
                loads(text)
        else:
            assert isinstance(board(text), Board)


def test_the_golden_puzzles_are_raw_puzzles(shared: Callable[..., Path]):
    """All 800 load as the model has them, and JSON keeps every one."""
    path = shared("golden", "model_puzzles.jsonl")
    found = load(path)
    assert len(found) == 800
    for item, (puzzle, _) in zip(found, golden_puzzles(path), strict=True):
        assert isinstance(item, RawPuzzle)
        assert item.puzzle.fingerprint == puzzle.fingerprint
        (again,) = loads(dumps(item, "json"))
        assert again.puzzle.fingerprint == puzzle.fingerprint


def test_hexagonal_tiles(shared: Callable[..., Path]):
    """The hexapipes sample: 120 hexagonal boards, five of them wrapped, under tree."""
    found = load(shared("instances", "public", "hexapipes_sample.jsonl"))
    first = json.loads(
        shared("instances", "public", "hexapipes_sample.jsonl").read_text().splitlines()[0]
    )
    assert len(found) == 120
    assert isinstance(found[0], Board)
    assert found[0].pieces.tolist() == first["tiles"]
    assert sum(isinstance(b, Board) and b.topology.wrap for b in found) == 5
    assert {b.rules for b in found} == {"tree"}
