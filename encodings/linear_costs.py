"""A puzzle's costs as costs of columns, to be minimised."""

from __future__ import annotations

import numpy as np

from .linear_columns import Columns


class Prices:
    """What masks and joined edges cost, times -1 if the puzzle is to be maximised; nothing
    without ``asked``.
    """

    def __init__(self, columns: Columns, *, asked: bool) -> None:
        costs = columns.puzzle.costs if asked else None
        self.columns = columns
        self.sign = -1 if costs is not None and costs.maximise else 1
        self._rows = [] if costs is None else [dict(row) for row in costs.rows]
        self._row_of = [] if costs is None else costs.row_of.tolist()
        self._edge = [] if costs is None else costs.edge.tolist()

    def of_masks(self, vertex: int) -> dict[int, int]:
        """The masks of a vertex that are listed, with their costs."""
        if not self._rows:
            return {}
        listed = self._rows[self._row_of[vertex]]
        return {mask: self.sign * cost for mask, cost in listed.items() if cost}

    def charge_edges(self) -> None:
        """Every joined edge costs what the puzzle says."""
        for edge, cost in enumerate(self._edge):
            if cost:
                self.columns.model.charge([(self.columns.joined(edge), self.sign * cost)])

    def charge_masks(self, vertex: int) -> None:
        """A column for every mask that costs, on a vertex with too many of them for a table."""
        model, local = self.columns.model, self.columns.local(vertex)
        for mask, cost in self.of_masks(vertex).items():
            values = {(column, bool(mask >> i & 1)) for i, column in enumerate(local)}
            closed = {(column, value) for column, value in values if column < 0}
            literals = sorted(values - closed)
            agree = len({column for column, _ in literals}) == len(literals)
            if agree and not any(value for _, value in closed):
                chosen = model.column()
                model.minimum(chosen, literals)
                model.charge([(chosen, cost)])


def split(costs: list[int]) -> tuple[int, list[int]]:
    """A constant, and what each choice costs beyond it; all zero if they cost the same."""
    base = min(costs, default=0)
    return base, [cost - base for cost in costs]


def worst(columns: Columns) -> int:
    """How far from nothing the whole cost can get, in units of the costs' common divisor."""
    model = columns.model
    step = model.step or 1
    upper = np.array([max(map(abs, pair)) for pair in zip(model.lower, model.upper, strict=True)])
    return sum(abs(c) // step * int(u) for c, u in zip(model.cost, upper, strict=True))
