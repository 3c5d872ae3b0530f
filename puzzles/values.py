"""Numbers and arrays as given by callers: taken over exactly, or refused with InvalidPuzzle.

Nothing is rounded, wrapped or guessed: a fraction is no vertex, and neither is a text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidPuzzle

MOST_INT64 = int(np.iinfo(np.int64).max)


@contextmanager
def every_digit() -> Iterator[None]:
    """Within it numbers of any length become text: Python refuses more than 4300 digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def whole(value: object, what: str) -> int:
    """The value as a Python integer."""
    try:
        return index(value)  # pyright: ignore[reportArgumentType]
    except TypeError:
        raise InvalidPuzzle(f"{what}: {value!r}, expected a whole number") from None


def sequence(values: object, what: str) -> tuple[Any, ...]:
    """The values as a tuple."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InvalidPuzzle(f"{what}: {values!r}, expected a sequence")
    return tuple(values)


def whole_numbers(values: object, what: str) -> tuple[int, ...]:
    """The values as Python integers, in their order."""
    return tuple([whole(value, what) for value in sequence(values, what)])


def rows(values: object, width: int, what: str) -> list[tuple[Any, ...]]:
    """The values as tuples of that width each."""
    found = [sequence(row, what) for row in sequence(values, what)]
    for number, row in enumerate(found):
        if len(row) != width:
            raise InvalidPuzzle(f"{what}, number {number}: expected {width} values each")
    return found


def integers(values: object, what: str) -> NDArray[np.int64]:
    """A read-only copy as an array of integers."""
    array = _array(values, what)
    if array.size and array.dtype.kind not in "iu":
        raise InvalidPuzzle(f"{what}: found {array.dtype}, expected integers of at most 64 bits")
    if array.dtype.kind == "u" and array.size and array.max() > MOST_INT64:
        raise InvalidPuzzle(f"{what}: expected integers of at most 64 bits")
    return frozen(array.astype(np.int64))


def flags(values: object, what: str) -> NDArray[np.bool_]:
    """A read-only copy as an array of truth values; 0 and 1 will do."""
    array = _array(values, what)
    fits = array.dtype.kind == "b" or (array.dtype.kind in "iu" and np.isin(array, (0, 1)).all())
    if array.size and not fits:
        raise InvalidPuzzle(f"{what}: found {array.dtype}, expected truth values")
    return frozen(array.astype(np.bool_))


def _array(values: object, what: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        raise InvalidPuzzle(f"{what}: expected an array of numbers") from None


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The array itself, made read-only."""
    array.flags.writeable = False
    return array


class Frozen:
    """Instances whose arrays are read-only, after unpickling and deep copying, too."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        for value in state.values():
            if isinstance(value, np.ndarray):
                frozen(value)
        self.__dict__.update(state)
