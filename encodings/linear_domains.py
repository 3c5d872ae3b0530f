"""A vertex's domain as rows of a linear model, as tight as its convex hull where it can be."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import comb

import numpy as np

from ..puzzles.model import Counts, Table
from .linear import LinearModel

Row = tuple[int, ...]


class Form:
    """A table over ``width`` variables, taken apart. Variables that are constant, or equal or
    opposite to an earlier one, are told by ``constants`` (variable, value) and ``pairs``
    (variable, earlier one, equal?); the others, ``rest``, have the projected ``rows``, each of
    which stands for the mask of ``masks`` beside it.
    ``between`` is set if any choice with that many of the rest true is allowed, and no other:
    such a sum, like the pairs, cuts off no more and no less than the convex hull.
    """

    def __init__(self, allowed: dict[Row, int], width: int) -> None:
        self.impossible = not allowed
        self.constants: list[tuple[int, int]] = []
        self.pairs: list[tuple[int, int, bool]] = []
        self.rest: list[int] = []
        table = np.array(list(allowed), dtype=np.int64).reshape(len(allowed), width)
        earlier: dict[bytes, int] = {}
        for i, column in enumerate(table.T):
            if (column == column[:1]).all():
                self.constants.append((i, int(column[0]) if allowed else 0))
            elif (j := earlier.get(column.tobytes())) is not None:
                self.pairs.append((i, j, True))
            elif (j := earlier.get((1 - column).tobytes())) is not None:
                self.pairs.append((i, j, False))
            else:
                earlier[column.tobytes()] = i
                self.rest.append(i)
        # The rest determines the others, so no row of it comes twice.
        rows = sorted(zip(map(tuple, table[:, self.rest].tolist()), allowed.values(), strict=True))
        self.rows: list[Row] = [row for row, _ in rows]
        self.masks = [mask for _, mask in rows]
        self.between: tuple[int, int] | None = None
        sums = {sum(row) for row in self.rows}
        if sums and len(self.rows) == sum(
            comb(len(self.rest), n) for n in range(min(sums), max(sums) + 1)
        ):
            self.between = (min(sums), max(sums))


@lru_cache(maxsize=4096)
def local_form(domain: Table | Counts, pattern: tuple[int, ...]) -> Form:
    """The domain over a vertex's distinct variables.

    ``pattern`` names each port's variable, -1 for a port that is closed. The two ports of a
    loop may share one: only masks that agree on both remain.
    """
    width = max(pattern, default=-1) + 1
    allowed: dict[Row, int] = {}
    for row in product((0, 1), repeat=width):
        opened = [row[i] if i >= 0 else 0 for i in pattern]
        mask = sum(on << bit for bit, on in enumerate(opened))
        if isinstance(domain, Counts):
            fits = sum(opened) in domain.numbers(len(pattern))
        else:
            fits = mask in domain.masks
        if fits:
            allowed[row] = mask
    return Form(allowed, width)


def add_table(
    model: LinearModel, columns: list[int], form: Form, *, choose: bool = False
) -> list[int]:
    """Constants, pairs that are equal or opposite, and what the rest may be.

    Returns a binary for each of the form's rows, 1 exactly if the rest equals it, or none if
    the form does without and ``choose`` does not ask for them.
    """
    if form.impossible:
        model.impossible = True
        return []
    for i, value in form.constants:
        model.fix(columns[i], value)
    for i, j, equal in form.pairs:
        if equal:
            model.row([(columns[i], 1), (columns[j], -1)], 0, 0)
        else:
            model.row([(columns[i], 1), (columns[j], 1)], 1, 1)
    rest = [columns[i] for i in form.rest]
    if form.between is not None and not choose:
        least, most = form.between
        if (least, most) != (0, len(rest)):
            model.row([(c, 1) for c in rest], least, most)
        return []
    chosen = [model.column() for _ in form.rows]
    model.row([(z, 1) for z in chosen], 1, 1)
    for k, column in enumerate(rest):
        opening = [(z, -1) for z, row in zip(chosen, form.rows, strict=True) if row[k]]
        model.row([(column, 1), *opening], 0, 0)
    return chosen


def add_sum(model: LinearModel, terms: list[tuple[int, int]], numbers: tuple[int, ...]) -> None:
    """The sum is one of the numbers, which increase: an interval, a column that counts steps of
    equal size, or one binary per number.
    """
    if not numbers:
        model.impossible = True
        return
    steps = set(np.diff(numbers).tolist())
    if steps <= {1}:
        model.row(terms, numbers[0], numbers[-1])
    elif len(steps) == 1:
        times = model.column(0, len(numbers) - 1)
        model.row([*terms, (times, -steps.pop())], numbers[0], numbers[0])
    else:
        chosen = [model.column() for _ in numbers]
        model.row([(y, 1) for y in chosen], 1, 1)
        values = [(y, -n) for y, n in zip(chosen, numbers, strict=True) if n]
        model.row([*terms, *values], 0, 0)
