"""The domain of one vertex as constraints of CP-SAT, and a Boolean for each of its masks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from ortools.sat.python import cp_model

from ..puzzles.model import Counts, Domain, Table

Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Local:
    """A vertex's domain over its distinct variables.

    ``pattern`` names each port's variable by its place in ``variables``, -1 for a closed stub;
    the two ports of a loop may share one.
    """

    domain: Domain
    variables: list[cp_model.IntVar]
    pattern: tuple[int, ...]

    def mask(self, row: Row) -> int:
        """The mask of an assignment of the variables."""
        return sum(1 << bit for bit, i in enumerate(self.pattern) if i >= 0 and row[i])

    def row(self, mask: int) -> Row | None:
        """The assignment of the variables that a mask is, None if it is none."""
        row = [0] * len(self.variables)
        for bit, i in enumerate(self.pattern):
            if i >= 0 and mask >> bit & 1:
                row[i] = 1
        return tuple(row) if self.mask(tuple(row)) == mask else None


def add_domain(model: cp_model.CpModel, local: Local) -> None:
    """The vertex's open ports lie in its domain, in the weakest form that is exact."""
    if isinstance(local.domain, Counts):
        weights = [local.pattern.count(i) for i in range(len(local.variables))]
        total = cp_model.LinearExpr.weighted_sum(local.variables, weights)
        _add_sum(model, total, local.domain.numbers(len(local.pattern)))
    else:
        _add_table(model, local.variables, *table(local.domain, local.pattern))


def add_selected(
    model: cp_model.CpModel, local: Local
) -> Iterator[tuple[int, cp_model.IntVar | int]]:
    """As ``add_domain`` for a table, with one Boolean per mask: exactly one of them is true, and
    the ports are sums of them, which is tight in a linear relaxation. Yields (mask, Boolean), or
    (mask, 1) where there is but one.
    """
    assert isinstance(local.domain, Table)
    rows, _ = table(local.domain, local.pattern)
    if len(rows) < 2:
        _add_table(model, local.variables, rows, None)
        yield from ((local.mask(row), 1) for row in rows)
        return
    chosen = [model.new_bool_var("") for _ in rows]
    model.add_exactly_one(chosen)
    for place, variable in enumerate(local.variables):
        opening = [y for y, row in zip(chosen, rows, strict=True) if row[place]]
        for y, row in zip(chosen, rows, strict=True):
            model.add_implication(y, variable if row[place] else ~variable)
        model.add(cp_model.LinearExpr.sum(opening) == variable)
    yield from ((local.mask(row), y) for y, row in zip(chosen, rows, strict=True))


def add_is_mask(model: cp_model.CpModel, local: Local, mask: int) -> cp_model.IntVar | None:
    """A Boolean that is true exactly if the vertex has this mask; None if it cannot."""
    row = local.row(mask)
    if row is None:
        return None
    literals = [x if on else ~x for x, on in zip(local.variables, row, strict=True)]
    chosen = model.new_bool_var("")
    for literal in literals:
        model.add_implication(chosen, literal)
    model.add_bool_or([chosen, *(~literal for literal in literals)])
    return chosen


def _add_table(
    model: cp_model.CpModel,
    variables: list[cp_model.IntVar],
    rows: tuple[Row, ...],
    sums: tuple[int, ...] | None,
) -> None:
    if not rows:
        model.add_bool_or([])
    elif len(rows) == 1:
        for variable, value in zip(variables, rows[0], strict=True):
            model.add(variable == value)
    elif sums is None:
        model.add_allowed_assignments(variables, rows)
    elif sums == (1,):
        model.add_exactly_one(variables)
    elif len(sums) <= len(variables):
        _add_sum(model, cp_model.LinearExpr.sum(variables), sums)


def _add_sum(model: cp_model.CpModel, total: cp_model.LinearExpr, numbers: tuple[int, ...]) -> None:
    """The total is one of the numbers, which increase.

    A sum in a domain with gaps is never used: presolve of ortools 9.15 called feasible models of
    such sums infeasible (google/or-tools#5274). One Boolean per number instead, which the total
    determines.
    """
    if not numbers:
        model.add_bool_or([])
    elif numbers[-1] - numbers[0] < len(numbers):
        model.add_linear_constraint(total, numbers[0], numbers[-1])
    else:
        chosen = [model.new_bool_var("") for _ in numbers]
        model.add_exactly_one(chosen)
        model.add(total == cp_model.LinearExpr.weighted_sum(chosen, list(numbers)))


@lru_cache(maxsize=4096)
def table(
    domain: Table, pattern: tuple[int, ...]
) -> tuple[tuple[Row, ...], tuple[int, ...] | None]:
    """The table over a vertex's distinct variables, and the numbers of open variables if those
    numbers alone decide (None if they do not).

    ``pattern`` names each port's variable, -1 for a closed stub. The two ports of a loop may
    share one: only masks that agree on both remain.
    """
    width = max(pattern, default=-1) + 1
    rows = set()
    for mask in domain.masks:
        row = [-1] * width
        fits = True
        for bit, index in enumerate(pattern):
            on = mask >> bit & 1
            if index < 0:
                fits = fits and not on
            else:
                fits = fits and row[index] in (-1, on)
                row[index] = on
        if fits:
            rows.add(tuple(row))
    sums = [sum(row) for row in rows]
    exact = all(sums.count(n) == comb(width, n) for n in set(sums))
    return tuple(sorted(rows)), tuple(sorted(set(sums))) if exact else None
