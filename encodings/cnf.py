"""A puzzle's domains and its leak rule as clauses.

Under leaks forbidden one variable stands for both ports of an edge, one for each free stub, and
closed stubs are constants. Otherwise every port has its own, and an auxiliary says of each edge
whether it joins. Connectivity and cycles are not in here: see ``cuts.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from ..puzzles.model import Counts, IntArray, Puzzle, Solution, Table
from .counters import Clauses, counter, parity, small_count
from .implicates import FALSE_INPUT, Clause, prime_implicates, project
from .wet import wet_clauses

SMALL_COUNT = 6
"""A count over at most so many variables is written as a table."""


@dataclass
class Cnf:
    """A formula whose variables 1 to ``problem`` decide the ports. The further ones, up to
    ``variables``, are functions of those, but for wet variables and what is added later.

    - ``of_port`` (ports,): the variable of each port, 0 for one that is closed for good;
    - ``joined`` (edges,): the variable that says that both ports of an edge are open.
    """

    of_port: IntArray
    joined: IntArray
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
    """The domains and the leak rule as clauses. Unless leaks are sealed, models and solutions
    of the puzzle with connect none and cycles allowed are one to one.

    Counts over more than ``small_counts`` variables get auxiliaries.
    """
    cnf = _shared_variables(puzzle) if puzzle.rules.leaks == "forbidden" else _own_variables(puzzle)
    for index, domain in enumerate(puzzle.domains):
        holders = np.flatnonzero(puzzle.domain_of == index)
        if isinstance(domain, Table):
            _add_tables(cnf, puzzle, domain, holders)
        else:
            for vertex in holders.tolist():
                _add_count(cnf, puzzle, domain, vertex, small_counts)
    if puzzle.rules.leaks == "sealed":
        cnf.clauses += wet_clauses(puzzle, cnf.of_port, cnf.new_variable)
    return cnf


def _shared_variables(puzzle: Puzzle) -> Cnf:
    """Leaks forbidden: a variable for each edge and for each free stub."""
    of_port = np.where(puzzle.edge_of >= 0, puzzle.edge_of + 1, 0)
    stubs = np.flatnonzero(puzzle.free)
    of_port[stubs] = puzzle.edges + 1 + np.arange(len(stubs))
    variables = puzzle.edges + len(stubs)
    return Cnf(of_port, 1 + np.arange(puzzle.edges), variables, variables)


def _own_variables(puzzle: Puzzle) -> Cnf:
    """A variable for each port, then one for each edge, which is on if both its ports are."""
    joined = puzzle.ports + 1 + np.arange(puzzle.edges)
    cnf = Cnf(1 + np.arange(puzzle.ports), joined, puzzle.ports, puzzle.ports + puzzle.edges)
    for both, (one, other) in zip(joined.tolist(), (puzzle.edge_ports + 1).tolist(), strict=True):
        cnf.clauses += [[-both, one], [-both, other], [both, -one, -other]]
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


def port_pattern(variables: IntArray) -> tuple[int, ...]:
    """How the ports of one vertex share variables (degree,): the first port with the same one,
    or FALSE_INPUT where there is none.
    """
    listed = variables.tolist()
    return tuple(listed.index(x) if x else FALSE_INPUT for x in listed)


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
