"""Random numbers that are the same on every platform and with every version of numpy.

numpy guarantees the integer stream of the bit generator PCG64 for a fixed seed, but not the
methods of ``Generator``; so everything here is made from the raw 64-bit numbers alone.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..model import IntArray

T = TypeVar("T")
_BLOCK = 4096


class Stream:
    """Draws from PCG64(seed): the same seed, the same draws.

    Raises UsageError for a seed that is not an integer from 0.
    """

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise UsageError(f"seed {seed!r}: expected an integer from 0")
        self._bits = np.random.PCG64(int(seed))
        # Single draws are served from a block, kept reversed: pop() takes the oldest.
        self._ready: list[float] = []

    def uniform(self, size: int) -> NDArray[np.float64]:
        """Numbers in [0, 1) with 53 random bits, shape (size,)."""
        raw = np.asarray(self._bits.random_raw(size), dtype=np.uint64)
        return (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def integers(self, bound: int, size: int) -> IntArray:
        """Numbers 0..bound - 1, shape (size,); the bias is below bound / 2**53."""
        return (self.uniform(size) * bound).astype(np.int64)

    def order(self, size: int) -> IntArray:
        """A random permutation of 0..size - 1."""
        return np.argsort(self.uniform(size), kind="stable")

    def real(self) -> float:
        """One number in [0, 1)."""
        if not self._ready:
            self._ready = self.uniform(_BLOCK)[::-1].tolist()
        return self._ready.pop()

    def below(self, bound: int) -> int:
        """One number 0..bound - 1."""
        return int(self.real() * bound)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put the items in random order, in place (Fisher and Yates)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
