"""Boards that are the same up to symmetry are found out (case N08)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbench.puzzles.board import Board
from plumbench.puzzles.errors import GenerationFailed, UsageError
from plumbench.puzzles.generators import canonical, distinct, generate
from plumbench.puzzles.topology import Square
from strategies import boards, letters, tiny_hexagonal


def moved(board: Board, turns: int, mirror: bool) -> Board:
    """The board turned clockwise and perhaps mirrored, opening by opening."""
    width, height = board.width, board.height
    shape = (width, height) if turns % 2 == 0 else (height, width)
    pieces = np.zeros(board.cells, dtype=np.int64)
    locked = np.zeros(board.cells, dtype=np.bool_)
    walls = np.zeros((board.cells, 4), dtype=np.bool_)
    for cell in range(board.cells):
        row, column = divmod(cell, width)
        ways = list(range(4))
        rows, columns = height, width
        for _ in range(turns):
            row, column, rows, columns = column, rows - 1 - row, columns, rows
            ways = [(way + 1) % 4 for way in ways]
        if mirror:
            column = columns - 1 - column
            ways = [{1: 3, 3: 1}.get(way, way) for way in ways]
        there = row * columns + column
        locked[there] = board.locked[cell]
        for way in range(4):
            pieces[there] |= (int(board.pieces[cell]) >> way & 1) << ways[way]
            walls[there, ways[way]] = board.walls[cell, way]
    grid = Square(*shape, board.topology.wrap)
    return replace(board, topology=grid, pieces=pieces, locked=locked, walls=walls)


@given(boards(), st.integers(0, 3), st.booleans(), st.integers(0, 8))
def test_symmetric_boards_share_the_key(board: Board, turns: int, mirror: bool, twist: int) -> None:
    """Turning or mirroring the whole board, or turning free pieces, never changes the key."""
    other = moved(board, turns, mirror)
    free = np.flatnonzero(~other.locked)
    if len(free):
        pieces = other.pieces.copy()
        cell = free[twist % len(free)]
        pieces[cell] = (pieces[cell] << 1 | pieces[cell] >> 3) & 15
        other = replace(other, pieces=pieces)
    assert canonical(other) == canonical(board)


@given(boards(max_cells=4), boards(max_cells=4))
def test_equal_keys_mean_equal_boards(one: Board, other: Board) -> None:
    """Two boards share a key only if some symmetry makes their puzzles equal."""
    puzzles = {
        moved(one, turns, mirror).puzzle.fingerprint
        for turns in range(4)
        for mirror in (False, True)
    }
    same = other.puzzle.fingerprint in puzzles and one.topology.wrap == other.topology.wrap
    if canonical(one) == canonical(other):
        assert same


def test_what_the_key_tells_apart() -> None:
    """A piece, a wall, a lock, the rules and the wrap all count."""
    board = letters("LIL", "TIT", "LIL")
    walls = np.zeros((9, 4), dtype=np.bool_)
    walls[0, 1] = True
    others = [
        letters("LIL", "TIT", "LLL"),
        replace(board, walls=walls),
        board.with_locked(0, 6),
        board.with_rules("tree"),
        letters("LIL", "TIT", "LIL", wrap=True),
    ]
    keys = {canonical(each) for each in [board, *others]}
    assert len(keys) == 6


def test_translations() -> None:
    """Shifted tori are the same only if translations are asked for."""
    board = generate("faces", 5, 4, 3, wrap=True)
    shifted = np.roll(board.pieces.reshape(4, 5), (2, 3), axis=(0, 1)).ravel()
    other = replace(board, pieces=shifted)
    assert canonical(board) != canonical(other)
    assert canonical(board, translations=True) == canonical(other, translations=True)
    # Without wrap there are no translations.
    flat = generate("faces", 5, 4, 3)
    assert canonical(flat, translations=True) == canonical(flat)


def test_two_hundred_boards() -> None:
    """200 boards of 6x6, no two alike, the same ones each time."""
    made = list(distinct(lambda seed: generate("net", 6, 6, seed), 200))
    assert len({canonical(board) for board in made}) == 200
    again = distinct(lambda seed: generate("net", 6, 6, seed), 200)
    assert [board.name for board in made] == [board.name for board in again]


def test_too_few_exist() -> None:
    """Asked for more boards than there are, it hands out all and then says so: up to symmetry
    the trees of 2x2 have one set of pieces.
    """
    boards_found = distinct(lambda seed: generate("net", 2, 2, seed), 5, patience=50)
    next(boards_found)
    with pytest.raises(GenerationFailed, match="1 distinct boards found, 5 asked for; 50 seeds"):
        next(boards_found)


def test_a_thousand_small_boards() -> None:
    """1000 boards of 3x3 do not exist: 192 trees cannot give so many; no repeat is handed out."""
    found: list[Board] = []
    search = distinct(lambda seed: generate("net", 3, 3, seed), 1000, patience=300)
    while True:
        try:
            found.append(next(search))
        except GenerationFailed as error:
            message = str(error)
            break
    assert message.startswith(f"{len(found)} distinct boards found, 1000 asked for")
    assert 20 < len({canonical(board) for board in found}) == len(found) <= 192


def test_failures_count_as_misses() -> None:
    """A generator that always fails ends the search, with its own words in the message."""
    search = distinct(lambda seed: generate("cycles", 1, 4, seed), 3, patience=10)
    with pytest.raises(GenerationFailed, match="this grid has no cycle"):
        list(search)


def test_bad_arguments() -> None:
    """Negative numbers, no patience and hexagonal boards are refused."""
    with pytest.raises(UsageError, match="n -1"):
        distinct(lambda seed: generate("net", 2, 2, seed), -1)
    with pytest.raises(UsageError, match="patience 0"):
        distinct(lambda seed: generate("net", 2, 2, seed), 1, patience=0)
    with pytest.raises(UsageError, match="hexagonal"):
        canonical(tiny_hexagonal("flower"))
