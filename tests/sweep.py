"""An independent oracle for bordered boards under match: a sweep along the cells.

Known of the cells so far is only which openings hang down (one bit per column) and whether one
points right. Two dozen lines, no code in common with the package but the rotation of a mask.
"""

from __future__ import annotations

from collections import Counter

from plumbench.puzzles.board import Board
from plumbench.puzzles.topology import orientations


def match_count(board: Board) -> int:
    """The number of match solutions of a square board without torus, walls and locks."""
    assert not board.topology.wrap
    assert not board.walls.any()
    assert not board.locked.any()
    grid = board.pieces.reshape(board.height, board.width)
    # A mirrored piece is the same piece, so the board may be laid on its narrow side.
    grid = grid.T if board.width > board.height else grid
    height, width = grid.shape
    states: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for cell, piece in enumerate(grid.ravel().tolist()):
        row, column = divmod(cell, width)
        after: Counter[tuple[int, int]] = Counter()
        for (hanging, right), ways in states.items():
            for mask in orientations(piece, 4):
                if mask & 1 != hanging >> column & 1 or mask >> 3 & 1 != right:
                    continue
                down, onward = mask >> 2 & 1, mask >> 1 & 1
                if (down and row == height - 1) or (onward and column == width - 1):
                    continue
                after[hanging & ~(1 << column) | down << column, onward] += ways
        states = after
    return sum(states.values())
