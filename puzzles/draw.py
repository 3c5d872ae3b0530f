"""Boards as pictures in characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .board import Board


def draw_board(
    board: Board, masks: Sequence[int], *, oriented: bool, marked: frozenset[int] = frozenset()
) -> str:
    """The board with these masks, one line per row."""
    raise NotImplementedError
