"""Letters, pictures and plumbench text."""

from __future__ import annotations

import numpy as np
import pytest
from format_tools import board, rows
from plumbench.puzzles.errors import InputError
from plumbench.puzzles.formats import loads
from plumbench.puzzles.formats.picture import read_masks
from plumbench.puzzles.glyphs import BOX, HEAVY, LETTER_OF, LIGHT
from plumbench.puzzles.topology import DOWN, LEFT, RIGHT, UP, Hexagonal, Square


def test_letters_are_pieces_without_orientation():
    """``LIL/TIT/LIL`` and the same rows on lines of their own are one board."""
    assert rows(board("LIL/TIT/LIL")) == [[3, 5, 3], [7, 5, 7], [3, 5, 3]]
    assert rows(board("LIL\nTIT\nLIL\n")) == rows(board("LIL/TIT/LIL"))
    assert rows(board("L I L\nT I T\nL I L\n")) == rows(board("LIL/TIT/LIL"))
    assert not board("LIL/TIT/LIL").oriented
    assert board("LIL/TIT/LIL").rules == "connected"


def test_blank_cells_are_dots():
    """``.`` is a blank, also alone."""
    assert rows(board("E.E\n...\n")) == [[1, 0, 1], [0, 0, 0]]
    assert rows(board("./.")) == [[0], [0]]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("CC/CB", 1, 1),
        ("LIL/TIQ", 1, 7),
        ("LIL\nTI\nLIL", 2, 3),
        ("LIL//LIL", 1, 5),
        ("LI L", 1, 3),
    ],
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
    sides = Hexagonal.sides
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
