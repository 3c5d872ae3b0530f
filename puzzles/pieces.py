"""What stood on a puzzle's vertices before its rules: pieces, how they lay, which were fixed.

Nothing here says what a solution is: domains and rules do. A search may try masks in this order,
and article 001's search reads here what its prunings drop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import InvalidPuzzle
from .values import Frozen, flags, integers, sequence, whole_numbers

if TYPE_CHECKING:
    from .model import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Pieces(Frozen):
    """The pieces of all vertices.

    - ``rows``: interned lists of masks, in the order in which turning shows them, the one as
      given first; ``row_of`` (vertices,) picks one per vertex. The vertex's domain may allow
      fewer masks than its row has; an empty row is no piece;
    - ``fixed`` (vertices,): vertices that were never to be turned.

    Raises InvalidPuzzle for anything but whole numbers and truth values.
    """

    rows: tuple[tuple[int, ...], ...]
    row_of: IntArray
    fixed: BoolArray

    def __post_init__(self) -> None:
        listed = tuple(whole_numbers(row, "pieces") for row in sequence(self.rows, "pieces"))
        object.__setattr__(self, "rows", listed)
        object.__setattr__(self, "row_of", integers(self.row_of, "rows of pieces"))
        object.__setattr__(self, "fixed", flags(self.fixed, "fixed pieces"))

    def validate(self, vertices: int) -> None:
        """Raises InvalidPuzzle unless these are the pieces of so many vertices."""
        if self.row_of.shape != (vertices,) or self.fixed.shape != (vertices,):
            raise InvalidPuzzle("pieces: expected one row and one truth value per vertex")
        if vertices and not 0 <= self.row_of.min() <= self.row_of.max() < len(self.rows):
            raise InvalidPuzzle(f"pieces: expected rows below {len(self.rows)}")
