"""What an engine tells of itself, as plain values: it is somebody else's program and may say
anything, but a record must be kept, read and printed.
"""

from __future__ import annotations

import numbers
from typing import Any, SupportsIndex

from ...solvers.contract import Stat

MOST_WORKERS = 1 << 20
MOST_BITS = 13_000
"""Python writes no decimal number of more than 4300 digits; longer ones are told in base 16."""


def text(value: Any) -> str:
    """Its words as Unicode without lone surrogates."""
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")


def texts(value: Any) -> dict[str, str]:
    """Versions, or the meanings of counters. Raises TypeError or ValueError for no mapping."""
    return {text(name): text(what) for name, what in dict(value).items()}


def stats(value: Any) -> dict[str, Stat]:
    """Counters as numbers where they are numbers, else in words. Raises as ``texts`` does."""
    return {text(name): _stat(what) for name, what in dict(value).items()}


def _stat(value: Any) -> Stat:
    if isinstance(value, numbers.Integral):
        whole = int(value)
        return whole if whole.bit_length() < MOST_BITS else hex(whole)
    return float(value) if isinstance(value, numbers.Real) else text(value)


def workers(value: Any) -> int:
    """A number of threads. Raises ValueError for anything else."""
    if not isinstance(value, int) or not 1 <= value <= MOST_WORKERS:
        raise ValueError(f"the engine says that it uses {value!r:.40} threads")
    return value


def bound(value: SupportsIndex | None) -> int | None:
    """What no cost can beat. Raises ValueError for what is no whole number."""
    if value is None:
        return None
    if not isinstance(value, numbers.Integral):
        raise ValueError(f"the engine tells a bound of {value!r:.40}, which is no whole number")
    return int(value)
