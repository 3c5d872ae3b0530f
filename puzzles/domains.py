"""Domains: what a vertex may open, as a table of masks or by the number of open ports."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InvalidPuzzle
from .values import whole, whole_numbers

MAX_TABLE_DEGREE = 8


@dataclass(frozen=True, slots=True)
class Table:
    """A domain given as the allowed port masks; bit i is the vertex's port i.

    ``masks`` is strictly increasing. Raises InvalidPuzzle for an empty table, a mask outside
    0..2**degree - 1, or a degree over 8.
    """

    degree: int
    masks: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", whole(self.degree, "table degree"))
        object.__setattr__(self, "masks", whole_numbers(self.masks, "table masks"))
        if not 0 <= self.degree <= MAX_TABLE_DEGREE:
            raise InvalidPuzzle(f"table degree {self.degree}: expected 0 to {MAX_TABLE_DEGREE}")
        if not self.masks:
            raise InvalidPuzzle("empty table: expected at least one mask")
        if list(self.masks) != sorted(set(self.masks)):
            raise InvalidPuzzle(f"table masks {self.masks}: expected strictly increasing numbers")
        if self.masks[0] < 0 or self.masks[-1] >> self.degree:
            raise InvalidPuzzle(f"table masks {self.masks}: expected {self.degree}-bit numbers")


@dataclass(frozen=True, slots=True)
class Counts:
    """A domain that allows any mask whose number of open ports is in ``allowed``.

    ``allowed`` None means every even number (``EVEN``).
    """

    allowed: frozenset[int] | None

    def __post_init__(self) -> None:
        if self.allowed is None:
            return
        object.__setattr__(self, "allowed", frozenset(whole_numbers(self.allowed, "counts")))
        if not self.allowed or min(self.allowed) < 0:
            raise InvalidPuzzle("counts: expected at least one number, none negative")

    def numbers(self, degree: int) -> tuple[int, ...]:
        """The allowed numbers of open ports on a vertex of this degree, increasing."""
        if self.allowed is None:
            return tuple(range(0, degree + 1, 2))
        return tuple(sorted(n for n in self.allowed if n <= degree))


EVEN = Counts(None)
Domain = Table | Counts
