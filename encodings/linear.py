"""An integer linear model in plain numbers, which knows neither puzzles nor solvers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd, inf

import numpy as np

from ..puzzles.model import IntArray

Term = tuple[int, int]
"""A column and its coefficient."""


class LinearModel:
    """Integer columns with bounds, and rows ``least <= sum of coefficient * column <= most``.

    ``impossible`` is set when a row without columns, or bounds that cross, exclude everything.
    A solution costs ``offset`` and ``cost[column]`` for each unit of a column; nothing costs
    anything unless ``charge`` said so.
    """

    def __init__(self) -> None:
        self.lower: list[int] = []
        self.upper: list[int] = []
        self.cost: list[int] = []
        self.offset = 0
        self.least: list[float] = []
        self.most: list[float] = []
        self.start: list[int] = [0]
        self.index: list[int] = []
        self.value: list[int] = []
        self.impossible = False

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.lower)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.least)

    @property
    def step(self) -> int:
        """A whole number that divides every cost less the offset; 0 if nothing costs."""
        return gcd(*self.cost)

    def column(self, lower: int = 0, upper: int = 1) -> int:
        """A new column; returns its number."""
        self.lower.append(lower)
        self.upper.append(upper)
        self.cost.append(0)
        return len(self.lower) - 1

    def fix(self, column: int, value: int) -> None:
        """Let a column, so far without rows of its own in a solver, have one value."""
        self.lower[column] = max(self.lower[column], value)
        self.upper[column] = min(self.upper[column], value)
        self.impossible |= self.lower[column] > self.upper[column]

    def row(self, terms: Iterable[Term], least: float = -inf, most: float = inf) -> None:
        """A new row; each column at most once among the ``terms`` (column, coefficient)."""
        chosen = list(terms)
        if not chosen:
            self.impossible |= not least <= 0 <= most
            return
        self.index += [column for column, _ in chosen]
        self.value += [coefficient for _, coefficient in chosen]
        self.start.append(len(self.index))
        self.least.append(least)
        self.most.append(most)

    def charge(self, terms: Iterable[Term], constant: int = 0) -> None:
        """Add to what columns cost, before a solver sees the model."""
        self.offset += constant
        for column, price in terms:
            self.cost[column] += price

    def maximum(self, result: int, columns: Sequence[int]) -> None:
        """The binary ``result`` is 1 exactly if one of the binaries is."""
        for column in columns:
            self.row([(result, 1), (column, -1)], least=0)
        self.row([(result, -1), *((column, 1) for column in columns)], least=0)

    def minimum(self, result: int, literals: Sequence[tuple[int, bool]]) -> None:
        """The binary ``result`` is 1 exactly if every binary has the value beside it."""
        negative = sum(not value for _, value in literals)
        for column, value in literals:
            if value:
                self.row([(result, -1), (column, 1)], least=0)
            else:
                self.row([(result, 1), (column, 1)], most=1)
        terms = [(column, 1 if value else -1) for column, value in literals]
        self.row([(result, -1), *terms], most=len(literals) - negative - 1)

    def price(self, values: IntArray) -> int:
        """What whole numbers, shape (columns,), cost."""
        return self.offset + int(np.array(self.cost, dtype=np.int64) @ values)

    def holds(self, values: IntArray) -> bool:
        """Whether whole numbers, shape (columns,), keep all bounds and rows exactly."""
        if self.impossible or (values < self.lower).any() or (values > self.upper).any():
            return False
        if not self.rows:
            return True
        index, value = np.array(self.index), np.array(self.value)
        totals = np.add.reduceat(value * values[index], self.start[:-1])
        return bool((totals >= self.least).all() and (totals <= self.most).all())
