"""What each cell of a flow board may open under its rule, and how it lay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .board import Board
from .domains import Table
from .model import BoolArray, IntArray
from .pieces import Pieces
from .topology import opposite, orientations, rotate

SIDES = 4
_PLACES = 1 << SIDES


@dataclass(frozen=True, eq=False)
class Tables:
    """The masks of every cell, interned.

    - ``rows``: the masks a cell may have, increasing; ``turned`` the same piece in the order of
      its quarter turns, as given first and whatever the rule says;
    - ``row_of`` (cells,): which of them, for both;
    - ``impossible`` (cells,): the rule leaves this cell nothing; its row is then mask 0 alone,
      which is no mask of its piece.
    """

    rows: tuple[tuple[int, ...], ...]
    turned: tuple[tuple[int, ...], ...]
    row_of: IntArray
    impossible: BoolArray

    @classmethod
    def of(cls, board: Board, *, article: bool) -> Tables:
        """The masks of a board's cells: as they turn, or as the article's prunings leave them."""
        barred = barred_sides(board) if article else np.zeros(board.cells, dtype=np.int64)
        keys = (board.pieces * 2 + board.locked) * _PLACES + barred
        found, row_of = np.unique(keys, return_inverse=True)
        rows, turned, empty = [], [], []
        for key in found.tolist():
            rest, shut = divmod(key, _PLACES)
            mask, lock = divmod(rest, 2)
            masks = (mask,) if lock else tuple(
                m for m in orientations(mask, SIDES) if not m & shut
            )  # fmt: skip
            empty.append(not masks)
            rows.append(masks or (0,))
            quarter = [rotate(mask, k, SIDES) for k in range(1 if lock else SIDES)]
            turned.append(tuple(dict.fromkeys(quarter)))
        return cls(tuple(rows), tuple(turned), row_of, np.array(empty, dtype=np.bool_)[row_of])

    def masks(self, cell: int) -> tuple[int, ...]:
        """The masks of one cell."""
        return self.rows[int(self.row_of[cell])]

    def widened(self, helpers: IntArray) -> tuple[tuple[Table, ...], IntArray]:
        """Domains with so many more ports (cells,), all of them open, and each cell's."""
        kinds, index = np.unique(self.row_of * _PLACES + helpers, return_inverse=True)
        tables = []
        for row, more in (divmod(kind, _PLACES) for kind in kinds.tolist()):
            tables.append(Table(SIDES + more, tuple(opened(m, more) for m in self.rows[row])))
        return tuple(tables), index

    def pieces(self, helpers: IntArray, fixed: BoolArray, others: int) -> Pieces:
        """The pieces of cells with such helper ports, and of so many vertices behind them."""
        kinds, index = np.unique(self.row_of * _PLACES + helpers, return_inverse=True)
        rows = [
            tuple(opened(mask, more) for mask in self.turned[row])
            for row, more in (divmod(kind, _PLACES) for kind in kinds.tolist())
        ]
        more = np.full(others, len(rows), dtype=np.int64)
        still = np.concatenate([fixed, np.ones(others, dtype=np.bool_)])
        return Pieces((*rows, ()), np.concatenate([index, more]), still)


def opened(mask: int, helpers: int) -> int:
    """The mask with so many helper ports behind its sides, all open."""
    return mask | ((1 << helpers) - 1) << SIDES


def barred_sides(board: Board) -> IntArray:
    """The sides on which the article's prunings let no free cell open, as masks (cells,): off
    the board, into a wall, and towards a locked piece that does not open back.
    """
    barred = np.zeros(board.cells, dtype=np.int64)
    for side in range(SIDES):
        there = board.neighbours[:, side]
        off = (there < 0) | board.walls[:, side]
        back = opposite(board.topology, side)
        closed = board.locked[there] & (board.pieces[there] > 0)
        closed &= board.pieces[there] >> back & 1 == 0
        barred |= np.where(off | closed, 1 << side, 0)
    return np.where(board.locked, 0, barred)
