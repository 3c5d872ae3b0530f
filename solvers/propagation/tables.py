"""Domains as flat look-up tables: what is forced, and what is left, in each state of a vertex.

The state of a vertex with a table is a number in base 3, one digit per port: 0 undecided,
1 on, 2 off. For each such code the closure is worked out when it is first met and then kept,
so that generalised arc consistency on a vertex is one look-up. A vertex with ``Counts`` needs
no table of states: its code holds two numbers, and two arrays of allowed numbers answer
everything.
"""

from __future__ import annotations

from collections.abc import Sequence

UNKNOWN, DEAD = -2, -1
OFF_SHIFT = 8  # a table has at most 8 ports: forced-on bits below, forced-off bits above
COUNT_SHIFT = 20  # the code of a Counts vertex: number on, plus number off << COUNT_SHIFT
COUNT_MASK = (1 << COUNT_SHIFT) - 1
NO_NUMBER = 1 << COUNT_SHIFT


class Tables:
    """All tables of a puzzle in one set of flat lists; table t owns 3**degree entries from
    ``base[t]`` on.

    - ``forced``: bits forced on, plus bits forced off << 8; DEAD: no mask fits; UNKNOWN: not
      yet worked out;
    - ``options``: number of masks that fit;
    - ``most``: most ports leading to other vertices that any fitting mask opens.
    """

    def __init__(self) -> None:
        self.forced: list[int] = []
        self.options: list[int] = []
        self.most: list[int] = []
        self.base: list[int] = []
        self.masks: list[tuple[int, ...]] = []
        self.degrees: list[int] = []
        self.outward: list[int] = []
        self._without: dict[tuple[int, int, int], int] = {}

    def add(self, masks: Sequence[int], degree: int, outward: int) -> int:
        """A further table; ``outward`` are the bits of ports that lead to other vertices."""
        size = 3**degree
        self.base.append(len(self.forced))
        self.masks.append(tuple(masks))
        self.degrees.append(degree)
        self.outward.append(outward)
        self.forced.extend([UNKNOWN] * size)
        self.options.extend([0] * size)
        self.most.extend([0] * size)
        return len(self.base) - 1

    def decode(self, code: int) -> tuple[int, int]:
        """The ports that are on and those that are off in a state, as bits."""
        on, off, bit = 0, 0, 1
        while code:
            digit = code % 3
            if digit == 1:
                on |= bit
            elif digit == 2:
                off |= bit
            code //= 3
            bit <<= 1
        return on, off

    def most_without(self, table: int, code: int, dead: int) -> int:
        """The most outward ports that a fitting mask opens, not counting those in ``dead``."""
        key = (table, code, dead)
        most = self._without.get(key)
        if most is None:
            on, off = self.decode(code)
            ways = self.outward[table] & ~dead
            fitting = (m for m in self.masks[table] if m & on == on and not m & off)
            most = max(((mask & ways).bit_count() for mask in fitting), default=0)
            self._without[key] = most
        return most

    def fill(self, table: int, code: int) -> int:
        """Work out one entry; returns what ``forced`` now holds there."""
        on, off = self.decode(code)
        always = (1 << self.degrees[table]) - 1
        ever = fitting = most = 0
        for mask in self.masks[table]:
            if mask & on == on and mask & off == 0:
                fitting += 1
                always &= mask
                ever |= mask
                most = max(most, (mask & self.outward[table]).bit_count())
        here = self.base[table] + code
        if fitting == 0:
            self.forced[here] = DEAD
        else:
            never = ((1 << self.degrees[table]) - 1) & ~ever
            self.forced[here] = (always & ~on) | (never & ~off) << OFF_SHIFT
        self.options[here] = fitting
        self.most[here] = most
        return self.forced[here]


def effective_masks(
    masks: Sequence[int], closed: int, loops: Sequence[tuple[int, int]]
) -> tuple[int, ...]:
    """The masks that keep the closed stubs (bits) closed and agree at both ends of each loop
    (pairs of port indexes); leaks forbidden.
    """
    return tuple(
        mask
        for mask in masks
        if not mask & closed and all((mask >> i & 1) == (mask >> j & 1) for i, j in loops)
    )


def next_and_previous(numbers: Sequence[int], degree: int) -> tuple[list[int], list[int]]:
    """For each n from 0 to degree + 1 the least allowed number >= n (NO_NUMBER if none) and
    the greatest one <= n (-1 if none).
    """
    allowed = set(numbers)
    following = [NO_NUMBER] * (degree + 2)
    for n in range(degree, -1, -1):
        following[n] = n if n in allowed else following[n + 1]
    previous = [-1] * (degree + 2)
    for n in range(degree + 2):
        previous[n] = n if n in allowed else (previous[n - 1] if n else -1)
    return following, previous
