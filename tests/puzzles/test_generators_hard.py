"""The hard families: their construction as described, and why they are (un)satisfiable."""

from __future__ import annotations

import numpy as np
import pytest
from plumbench.puzzles.board import Board
from plumbench.puzzles.generators import generate
from plumbench.puzzles.generators.hard import mut
from plumbench.puzzles.topology import Square
from sweep import match_count

TEE, ELBOW, CROSS = 7, 3, 15


def grid_of(board: Board) -> np.ndarray:
    """The pieces as rows."""
    return board.pieces.reshape(board.height, board.width)


@pytest.mark.parametrize("k", [2, 4, 6, 8])
def test_mut_counts(k: int) -> None:
    """(2k + 3) x (k + 2) cells: 4 elbows, k + 4 crosses (k = 2: all apart), the rest tees."""
    board = mut(k).board
    pieces = grid_of(board)
    assert pieces.shape == (k + 2, 2 * k + 3)
    assert (pieces == ELBOW).sum() == 4
    assert (pieces == CROSS).sum() == k + 4
    assert (pieces == TEE).sum() == pieces.size - k - 8
    assert board.rules == "connected"
    assert np.array_equal(generate("mut", 2 * k + 3, k + 2, 99).pieces, board.pieces)


@pytest.mark.parametrize("k", [2, 4, 6, 8])
def test_mut_is_unsatisfiable_by_colour(k: int) -> None:
    """No match solution. Once one cross of each half changes its colour there is one: the
    colours are the reason.
    """
    board = mut(k).board
    assert match_count(board) == 0
    pieces = grid_of(board).copy()
    # (k, k) and (k, 2k + 1) shared their partner's colour; the cell to the left does not.
    pieces[[k, k], [k, 2 * k + 1]] = TEE
    pieces[[k, k], [k - 1, 2 * k]] = CROSS
    assert match_count(Board(Square(2 * k + 3, k + 2), pieces.ravel())) > 0


@pytest.mark.parametrize(("n", "c"), [(2, 1), (6, 0), (6, 1), (6, 3), (12, 3), (20, 2)])
def test_ec_construction(n: int, c: int) -> None:
    """4c crosses where c disjoint pairs of rows meet c disjoint pairs of columns, each pair at
    an odd distance; elbows elsewhere, on a torus.
    """
    for seed in range(5):
        board = generate("ec", n, n, seed, c=c)
        assert board.topology.wrap
        assert board.rules == "connected"
        cross = grid_of(board) == CROSS
        assert np.all(cross | (grid_of(board) == ELBOW))
        assert cross.sum() == 4 * c
        for lines in (cross, cross.T):
            touched = [np.flatnonzero(line) for line in lines if line.any()]
            assert len(touched) == 2 * c
            assert all(len(pair) == 2 and (pair[1] - pair[0]) % 2 for pair in touched)
            groups = {tuple(pair) for pair in touched}
            assert len(groups) == c
            assert len({cell for pair in groups for cell in pair}) == 2 * c


def test_elbow_torus() -> None:
    """Elbows only, on a torus, whatever the seed; rectangles with even sides too."""
    board = generate("elbow-torus", 6, 4, 5)
    assert board.topology.wrap
    assert (board.width, board.height) == (6, 4)
    assert set(board.pieces.tolist()) == {ELBOW}
    assert np.array_equal(board.pieces, generate("elbow-torus", 6, 4, 6).pieces)
