"""A puzzle's domains as clauses.

Under leaks forbidden one variable stands for both ports of an edge, one for each free stub,
and closed stubs are constants. Connectivity and cycles are not in here: see ``cuts.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from ..puzzles.errors import Unsupported
from ..puzzles.model import Counts, IntArray, Puzzle, Solution, Table
from .counters import Clauses, counter, parity, small_count
from .implicates import FALSE_INPUT, Clause, prime_implicates, project

SMALL_COUNT = 6
"""A count over at most so many variables is written as a table."""


@dataclass
class Cnf:
    """A formula whose variables 1 to ``problem`` decide the ports and whose further ones, up
    to ``variables``, are functions of those.

    ``of_port`` (ports,) is the variable of each port, 0 for one that is closed for good.
    """

    of_port: IntArray
    problem: int
    variables: int
    clauses: Clauses = field(default_factory=list)

    def new_variable(self) -> int:
        """An auxiliary variable; its number lies above all others."""
        self.variables += 1
        return self.variables

    def decode(self, model: list[int]) -> Solution:
        """The ports of a model (true literals); a variable it does not mention is false."""
        literals = np.array(model, dtype=np.int64)
        values = np.zeros(self.problem + 1, dtype=np.bool_)
        values[literals[(literals > 0) & (literals <= self.problem)]] = True
        return values[self.of_port]

    def blocking(self, solution: Solution) -> list[int]:
        """The clause that excludes this solution and no other."""
        values = np.zeros(self.problem + 1, dtype=np.bool_)
        values[self.of_port[solution]] = True
        numbers = np.arange(1, self.problem + 1)
        return np.where(values[1:], -numbers, numbers).tolist()


def encode(puzzle: Puzzle, *, small_counts: int = SMALL_COUNT) -> Cnf:
    """The domains and the leak rule as clauses; models and match solutions are one to one.

    Counts over more than ``small_counts`` variables get auxiliaries. Raises Unsupported unless
    leaks are forbidden.
    """
    if puzzle.rules.leaks != "forbidden":
        raise Unsupported("cnf", f"leaks {puzzle.rules.leaks}")
    of_port = np.where(puzzle.edge_of >= 0, puzzle.edge_of + 1, 0)
    stubs = np.flatnonzero(puzzle.free)
    of_port[stubs] = puzzle.edges + 1 + np.arange(len(stubs))
    variables = puzzle.edges + len(stubs)
    cnf = Cnf(of_port, variables, variables)
    for index, domain in enumerate(puzzle.domains):
        holders = np.flatnonzero(puzzle.domain_of == index)
        if isinstance(domain, Table):
            _add_tables(cnf, puzzle, domain, holders)
        else:
            for vertex in holders.tolist():
                _add_count(cnf, puzzle, domain, vertex, small_counts)
    return cnf


def _add_tables(cnf: Cnf, puzzle: Puzzle, table: Table, holders: IntArray) -> None:
    """The same clauses for all vertices whose ports share variables in the same way."""
    if table.degree == 0 or not len(holders):
        return
    ports = puzzle.first_port[holders][:, None] + np.arange(table.degree)
    variables = cnf.of_port[ports]
    same = variables[:, :, None] == variables[:, None, :]
    patterns = np.where(variables == 0, FALSE_INPUT, same.argmax(axis=2))
    distinct, which = np.unique(patterns, axis=0, return_inverse=True)
    for number, pattern in enumerate(distinct.tolist()):
        rows = variables[which.ravel() == number]
        for clause in _table_clauses(table, tuple(pattern)):
            columns = np.array(clause, dtype=np.int64)
            cnf.clauses += (rows[:, np.abs(columns) - 1] * np.sign(columns)).tolist()


@cache
def _table_clauses(table: Table, pattern: tuple[int, ...]) -> tuple[Clause, ...]:
    """Clauses over ports, literal i + 1 for port i, where ports share inputs as in pattern."""
    inputs, masks = project(table.masks, pattern)
    return tuple(
        tuple((inputs[abs(k) - 1] + 1) * (1 if k > 0 else -1) for k in clause)
        for clause in prime_implicates(len(inputs), frozenset(masks))
    )


def _add_count(cnf: Cnf, puzzle: Puzzle, counts: Counts, vertex: int, small: int) -> None:
    ports = slice(puzzle.first_port[vertex], puzzle.first_port[vertex + 1])
    found, times = np.unique(cnf.of_port[ports], return_counts=True)
    inputs, weights = found[found > 0].tolist(), times[found > 0].tolist()
    numbers = set(counts.numbers(int(puzzle.degree[vertex])))
    if len(inputs) <= small or not numbers:
        cnf.clauses += small_count(inputs, weights, numbers) if numbers else [[]]
        return
    odd = min(numbers) % 2
    if numbers == set(range(odd, int(puzzle.degree[vertex]) + 1, 2)):
        # A loop adds two, which leaves the parity alone.
        single = [x for x, weight in zip(inputs, weights, strict=True) if weight == 1]
        cnf.clauses += parity(single, bool(odd), cnf.new_variable)
    elif not numbers >= set(range(sum(weights) + 1)):
        cnf.clauses += counter(inputs, weights, numbers, cnf.new_variable)
