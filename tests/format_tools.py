"""What the tests of the formats share."""

from __future__ import annotations

from plumbench.puzzles.board import Board
from plumbench.puzzles.formats import loads


def board(text: str, **options: str) -> Board:
    """The one board of a text."""
    (found,) = loads(text, **options)
    assert isinstance(found, Board)
    return found


def rows(found: Board) -> list[list[int]]:
    """Its pieces as rows of masks."""
    return found.pieces.reshape(found.height, found.width).tolist()
