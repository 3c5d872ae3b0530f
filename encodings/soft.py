"""A puzzle's costs as soft literals: each true literal costs its weight, all above a base.

The costs of a vertex's masks become a staircase: "the cost is at least c" for each cost c there
is, so that the cheaper of two levels never costs more, and a core names one step, not one mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from ..puzzles.model import Costs, IntArray, Puzzle, Table
from .cnf import Cnf, port_pattern
from .implicates import Clause, prime_implicates, project

Row = tuple[tuple[int, int], ...]


@dataclass
class Soft:
    """What is to be made small: ``base`` plus the weights, all positive, of true literals.

    It is the cost of a solution, negated where the puzzle is to be maximised.
    """

    base: int
    weights: dict[int, int]
    maximise: bool

    def cost(self, value: int) -> int:
        """The puzzle's cost where the sum of the weights is ``value``."""
        return -(self.base + value) if self.maximise else self.base + value

    def value(self, model: list[int]) -> int:
        """The sum of the weights of a model's true literals; variables missing are false."""
        true = {x for x in model if x > 0}
        return sum(
            weight for x, weight in self.weights.items() if (x in true if x > 0 else -x not in true)
        )

    def add(self, literal: int, cost: int) -> None:
        """A literal that costs so much (or, if negative, saves it) where it is true."""
        other = self.weights.pop(-literal, 0)
        cost += self.weights.pop(literal, 0) - other
        self.base += other  # what it costs to have either of them is sure
        if cost < 0:
            self.base += cost
            literal, cost = -literal, -cost
        if cost:
            self.weights[literal] = cost


def soften(puzzle: Puzzle, cnf: Cnf, costs: Costs) -> Soft:
    """The costs over a formula of the puzzle, to which the definitions of new literals are
    added; all are functions of the ports.
    """
    soft, sign = Soft(0, {}, costs.maximise), -1 if costs.maximise else 1
    for edge in np.flatnonzero(costs.edge).tolist():
        soft.add(int(cnf.joined[edge]), sign * int(costs.edge[edge]))
    for vertex, index in enumerate(costs.row_of.tolist()):
        row = tuple((mask, sign * cost) for mask, cost in costs.rows[index] if cost)
        if not row:
            continue
        first = int(puzzle.first_port[vertex])
        variables = cnf.of_port[first : int(puzzle.first_port[vertex + 1])]
        domain = puzzle.domain(vertex)
        if isinstance(domain, Table):
            _add_stairs(soft, cnf, domain, row, variables)
        else:
            for mask, cost in row:
                _add_mask(soft, cnf, mask, cost, variables)
    return soft


def _add_stairs(soft: Soft, cnf: Cnf, table: Table, row: Row, variables: IntArray) -> None:
    """A literal for each cost of a mask but the least; the weights are the differences."""
    base, steps = _stairs(table, port_pattern(variables), row)
    soft.base += base
    for weight, clauses in steps:
        step = cnf.new_variable()
        names = [*variables.tolist(), step]
        cnf.clauses += [[names[abs(k) - 1] * (1 if k > 0 else -1) for k in c] for c in clauses]
        soft.add(step, weight)


@cache
def _stairs(
    table: Table, pattern: tuple[int, ...], row: Row
) -> tuple[int, tuple[tuple[int, tuple[Clause, ...]], ...]]:
    """The least cost, and for each further one by how much it is greater and what defines the
    literal "at least this": clauses over the ports from 1 on, and that literal behind them.

    The clauses are all prime implicates that hold it: unit propagation does GAC on the table
    with the literal as a further column.
    """
    cost_of, step = dict(row), table.degree + 1
    inputs, kept = project(table.masks, pattern)

    def whole(mask: int) -> int:
        bits = {port: mask >> i & 1 for i, port in enumerate(inputs)}
        return sum(bits.get(first, 0) << port for port, first in enumerate(pattern))

    costs = {mask: cost_of.get(whole(mask), 0) for mask in kept}
    levels = sorted(set(costs.values()))
    steps = []
    always = set(prime_implicates(len(inputs), frozenset(kept)))

    def implied(masks: set[int], literal: int) -> list[Clause]:
        found = [c for c in prime_implicates(len(inputs), frozenset(masks)) if c not in always]
        return [
            (*((inputs[abs(k) - 1] + 1) * (1 if k > 0 else -1) for k in c), literal) for c in found
        ]

    for low, level in pairwise(levels):
        below = {mask for mask, cost in costs.items() if cost < level}
        clauses = implied(below, step) + implied(kept - below, -step)
        steps.append((level - low, tuple(clauses)))
    return (levels[0] if levels else 0), tuple(steps)


def _add_mask(soft: Soft, cnf: Cnf, mask: int, cost: int, variables: IntArray) -> None:
    """A literal that says that the vertex, of any degree, has just this mask."""
    literals = set()
    for port, variable in enumerate(variables.tolist()):
        is_open = bool(mask >> port & 1)
        if variable:
            literals.add(variable if is_open else -variable)
        elif is_open:
            return  # a closed stub
    if mask >> len(variables) or any(-x in literals for x in literals):
        return  # beyond the ports, or a loop open at one end
    chosen = cnf.new_variable()
    cnf.clauses += [[-chosen, x] for x in sorted(literals)]
    cnf.clauses.append([chosen, *(-x for x in sorted(literals))])
    soft.add(chosen, cost)
