"""java.util.Random and Collections.shuffle, number for number.

Source: the specification in the documentation of java.util.Random (a linear congruential
generator of 48 bits, D. E. Knuth, The Art of Computer Programming 2, section 3.2.1).
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TypeVar

from ..errors import UsageError

T = TypeVar("T")

_MULTIPLIER = 0x5DEECE66D
_MASK = (1 << 48) - 1


class JavaRandom:
    """The generator after ``new Random(seed)``; any integer is a seed, its lower 48 bits count."""

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise UsageError(f"seed {seed!r}: expected an integer")
        self._state = (seed ^ _MULTIPLIER) & _MASK

    def _next(self, bits: int) -> int:
        """The upper bits of the next state, unsigned; ``bits`` is at most 31."""
        self._state = (self._state * _MULTIPLIER + 0xB) & _MASK
        return self._state >> (48 - bits)

    def next_int(self, bound: int) -> int:
        """0 to bound - 1; raises UsageError unless 1 <= bound < 2**31."""
        if not 1 <= bound < 1 << 31:
            raise UsageError(f"bound {bound}: expected 1 to 2**31 - 1")
        if bound & (bound - 1) == 0:
            return bound * self._next(31) >> 31
        while True:
            drawn = self._next(31)
            value = drawn % bound
            # Refused: the last, incomplete run of residues, where Java's int overflows.
            if drawn - value + bound <= 1 << 31:
                return value

    def next_double(self) -> float:
        """In [0, 1), with 53 random bits."""
        return ((self._next(26) << 27) + self._next(27)) * 2.0**-53

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Collections.shuffle: from the end, each with one at or before it, in place."""
        for size in range(len(items), 1, -1):
            other = self.next_int(size)
            items[size - 1], items[other] = items[other], items[size - 1]
