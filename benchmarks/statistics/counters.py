"""The engines' own counters, as far as figures are made of them: each only within one engine."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

SEARCH = ("nodes", "calls", "branches", "decisions", "conflicts")
"""Names of search counters, in order of choice where an engine has several."""


def main_counter(stats: Iterable[Mapping[str, object]]) -> str | None:
    """The counter that says best how much an engine searched, of those in its runs; its first
    whole number where it has none of those names, None where it counts nothing.
    """
    names: dict[str, None] = {}
    for counters in stats:
        names |= dict.fromkeys(name for name, value in counters.items() if whole(value))
    return preferred(names)


def preferred(names: Collection[str]) -> str | None:
    """Of the counters of one engine the one that says best how much it searched, else the first;
    None of none.
    """
    return next((name for name in SEARCH if name in names), next(iter(names), None))


def number(value: object) -> float | None:
    """A counter's value; None for words and for what is no finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def whole(value: object) -> bool:
    """Whether it is a count: floats among the statistics may be times."""
    return isinstance(value, int) and not isinstance(value, bool)
