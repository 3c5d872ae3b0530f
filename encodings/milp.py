"""A puzzle as an integer linear model: one binary per edge, tight tables, cuts on demand.

The model is plain numbers and knows no solver. It holds what is local (domains, stubs, facts
that follow from the rules); connectivity and cycles come later, as rows that ``add_cut`` makes
of wrong solutions. All further columns are functions of the edges, so they never multiply
solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import product
from math import comb, inf

import numpy as np

from ..puzzles.errors import Unsupported
from ..puzzles.model import BoolArray, Counts, IntArray, Puzzle, Solution, Table
from .cuts import Cut, always_used
from .precuts import fixed_edges, not_together, refuted

Row = tuple[int, ...]
SMALL_COUNT = 5
"""A count over at most so many variables is written as a table."""


class LinearModel:
    """Integer columns with bounds, and rows ``least <= sum of coefficient * column <= most``.

    ``impossible`` is set when a row without columns, or bounds that cross, exclude everything.
    """

    def __init__(self) -> None:
        self.lower: list[int] = []
        self.upper: list[int] = []
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

    def column(self, lower: int = 0, upper: int = 1) -> int:
        """A new column; returns its number."""
        self.lower.append(lower)
        self.upper.append(upper)
        return len(self.lower) - 1

    def fix(self, column: int, value: int) -> None:
        """Let a column, so far without rows of its own in a solver, have one value."""
        self.lower[column] = max(self.lower[column], value)
        self.upper[column] = min(self.upper[column], value)
        self.impossible |= self.lower[column] > self.upper[column]

    def row(self, terms: Iterable[tuple[int, int]], least: float = -inf, most: float = inf) -> None:
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

    def holds(self, values: IntArray) -> bool:
        """Whether whole numbers, shape (columns,), keep all bounds and rows exactly."""
        if self.impossible or (values < self.lower).any() or (values > self.upper).any():
            return False
        if not self.rows:
            return True
        index, value = np.array(self.index), np.array(self.value)
        totals = np.add.reduceat(value * values[index], self.start[:-1])
        return bool((totals >= self.least).all() and (totals <= self.most).all())


class MilpEncoding:
    """The model of a puzzle that forbids leaks, with connect none or used.

    - ``variables``: the first so many columns of ``model`` are the binaries of the edges (both
      ports of an edge are open or neither), then of the free stubs;
    - ``column`` (ports,): the column of each port, -1 for a closed stub;
    - ``always`` (vertices,): vertices that are in use in every solution.

    Raises Unsupported unless leaks are forbidden.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        if puzzle.rules.leaks != "forbidden":
            raise Unsupported("milp", f"leaks {puzzle.rules.leaks}")
        self.puzzle = puzzle
        self.model = LinearModel()
        self.column = puzzle.edge_of.copy()
        stubs = np.flatnonzero(puzzle.free)
        self.column[stubs] = puzzle.edges + np.arange(len(stubs))
        self.variables = puzzle.edges + len(stubs)
        for _ in range(self.variables):
            self.model.column()
        self.always = always_used(puzzle)
        self.cuts = 0
        self._used: dict[int, int] = {}
        self._added: set[object] = set()
        self._add_domains()
        self._add_facts()

    @cached_property
    def possible(self) -> BoolArray:
        """Vertices that are in use in some assignment: needed, or not blank; (vertices,)."""
        return self.always | ((self.puzzle.degree > 0) & ~self.puzzle.blank)

    @cached_property
    def parity(self) -> IntArray:
        """The parity of the open ports of each vertex, -1 where it is not fixed or a free stub
        may carry one away; shape (vertices,).
        """
        puzzle = self.puzzle
        fixed = []
        for domain in puzzle.domains:
            if isinstance(domain, Table):
                odd = {mask.bit_count() % 2 for mask in domain.masks}
            else:
                odd = {0} if domain.allowed is None else {n % 2 for n in domain.allowed}
            fixed.append(odd.pop() if len(odd) == 1 else -1)
        parity = np.array(fixed, dtype=np.int64)[puzzle.domain_of]
        parity[puzzle.owner[puzzle.free]] = -1
        return parity

    def is_used(self, vertex: int) -> int | None:
        """The column that is 1 exactly if a port of the vertex is open; None for a vertex that
        always hangs together with the others.
        """
        if self.always[vertex]:
            return None
        if vertex not in self._used:
            used = self._used[vertex] = self.model.column()
            self._maximum(used, sorted(set(self._local(vertex)) - {-1}))
        return self._used[vertex]

    def solution(self, values: IntArray) -> Solution:
        """The ports' truth values from those of the columns, shape (ports,)."""
        padded = np.zeros(self.variables + 1, dtype=np.bool_)
        padded[:-1] = values[: self.variables] > 0
        return padded[self.column]

    def block(self, solution: Solution) -> None:
        """Exclude this solution and no other."""
        on = np.zeros(self.variables + 1, dtype=np.bool_)
        on[self.column] = solution
        signs = [-1 if is_on else 1 for is_on in on[:-1].tolist()]
        self.model.row(enumerate(signs), least=1 - int(on[:-1].sum()))

    def add_cut(self, cut: Cut | tuple[int, ...]) -> None:
        """Some edge leaves the component, if a vertex inside and one outside are in use; or,
        given edges that form a cycle, one of them is off. A cut that stands is not repeated.

        Where the openings inside have a fixed and even sum, at least two edges leave.
        """
        if isinstance(cut, tuple):
            if cut not in self._added:
                self._added.add(cut)
                self._not_all(cut)
                self.cuts += 1
            return
        used = [u for u in (self.is_used(v) for v in (cut.inside, cut.outside)) if u is not None]
        key = (cut.edges.tobytes(), *used)
        if key in self._added:
            return
        self._added.add(key)
        parity = self.parity[cut.vertices]
        number = 2 if (parity >= 0).all() and parity.sum() % 2 == 0 else 1
        terms = [(edge, 1) for edge in cut.edges.tolist()]
        # number * (1 - one for each of the two that is not in use)
        self.model.row([*terms, *((u, -number) for u in used)], least=number * (1 - len(used)))
        self.cuts += 1

    def _local(self, vertex: int) -> list[int]:
        first = self.puzzle.first_port
        return self.column[first[vertex] : first[vertex + 1]].tolist()

    def _maximum(self, result: int, columns: Sequence[int]) -> None:
        """The result is 1 exactly if one of the columns is."""
        for column in columns:
            self.model.row([(result, 1), (column, -1)], least=0)
        self.model.row([(result, -1), *((column, 1) for column in columns)], least=0)

    def _not_all(self, edges: tuple[int, ...]) -> None:
        self.model.row([(edge, 1) for edge in edges], most=len(edges) - 1)

    def _add_domains(self) -> None:
        for vertex, index in enumerate(self.puzzle.domain_of.tolist()):
            local = self._local(vertex)
            distinct = list(dict.fromkeys(c for c in local if c >= 0))
            pattern = tuple(distinct.index(c) if c >= 0 else -1 for c in local)
            domain = self.puzzle.domains[index]
            if isinstance(domain, Table) or len(distinct) <= SMALL_COUNT:
                self._add_table(distinct, _local_form(domain, pattern))
            else:
                weights = [pattern.count(i) for i in range(len(distinct))]
                terms = list(zip(distinct, weights, strict=True))
                self._add_sum(terms, domain.numbers(len(local)))

    def _add_table(self, columns: list[int], form: _Form) -> None:
        """Constants, pairs that are equal or opposite, and what the rest may be."""
        model = self.model
        if form.impossible:
            model.impossible = True
            return
        for i, value in form.constants:
            model.fix(columns[i], value)
        for i, j, equal in form.pairs:
            if equal:
                model.row([(columns[i], 1), (columns[j], -1)], 0, 0)
            else:
                model.row([(columns[i], 1), (columns[j], 1)], 1, 1)
        rest = [columns[i] for i in form.rest]
        if form.between is not None:
            least, most = form.between
            if (least, most) != (0, len(rest)):
                model.row([(c, 1) for c in rest], least, most)
            return
        chosen = [model.column() for _ in form.rows]
        model.row([(z, 1) for z in chosen], 1, 1)
        for k, column in enumerate(rest):
            opening = [(z, -1) for z, row in zip(chosen, form.rows, strict=True) if row[k]]
            model.row([(column, 1), *opening], 0, 0)

    def _add_sum(self, terms: list[tuple[int, int]], numbers: tuple[int, ...]) -> None:
        """The sum is one of the numbers, which increase: an interval, a column that counts
        steps of equal size, or one binary per number.
        """
        model = self.model
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

    def _add_facts(self) -> None:
        """What the rules imply before any search, so that fewer cuts are needed."""
        puzzle = self.puzzle
        self.model.impossible |= refuted(puzzle)
        for edges in not_together(puzzle):
            if len(edges) == 1:
                self.model.fix(edges[0], 0)
            else:
                self._not_all(edges)
        if puzzle.rules.connect == "used" and fixed_edges(puzzle) is None:
            self._add_edge_number()

    def _add_edge_number(self) -> None:
        """At least as many edges join as vertices are used, less one; no more in a tree."""
        possible = np.flatnonzero(self.possible).tolist()
        if not possible:
            return
        used = [u for u in (self.is_used(v) for v in possible) if u is not None]
        sure = len(possible) - len(used)
        terms = [*((e, 1) for e in range(self.puzzle.edges)), *((u, -1) for u in used)]
        if not sure:
            something = self.model.column()
            self._maximum(something, used)
            terms.append((something, 1))
        number = sure - 1 if sure else 0
        self.model.row(terms, number, number if self.puzzle.rules.acyclic else inf)


class _Form:
    """A table over ``width`` variables, taken apart. Variables that are constant, or equal or
    opposite to an earlier one, are told by ``constants`` (variable, value) and ``pairs``
    (variable, earlier one, equal?); the others, ``rest``, have the projected ``rows``.
    ``between`` is set if any choice with that many of the rest true is allowed, and no other:
    such a sum, like the pairs, cuts off no more and no less than the convex hull.
    """

    def __init__(self, rows: set[Row], width: int) -> None:
        self.impossible = not rows
        self.constants: list[tuple[int, int]] = []
        self.pairs: list[tuple[int, int, bool]] = []
        self.rest: list[int] = []
        table = np.array(sorted(rows), dtype=np.int64).reshape(len(rows), width)
        earlier: dict[bytes, int] = {}
        for i, column in enumerate(table.T):
            if (column == column[:1]).all():
                self.constants.append((i, int(column[0]) if rows else 0))
            elif (j := earlier.get(column.tobytes())) is not None:
                self.pairs.append((i, j, True))
            elif (j := earlier.get((1 - column).tobytes())) is not None:
                self.pairs.append((i, j, False))
            else:
                earlier[column.tobytes()] = i
                self.rest.append(i)
        self.rows = sorted({tuple(row) for row in table[:, self.rest].tolist()})
        self.between: tuple[int, int] | None = None
        sums = {sum(row) for row in self.rows}
        if sums and len(self.rows) == sum(
            comb(len(self.rest), n) for n in range(min(sums), max(sums) + 1)
        ):
            self.between = (min(sums), max(sums))


@lru_cache(maxsize=4096)
def _local_form(domain: Table | Counts, pattern: tuple[int, ...]) -> _Form:
    """The domain over a vertex's distinct variables.

    ``pattern`` names each port's variable, -1 for a closed stub. The two ports of a loop share
    one: only masks that agree on both remain.
    """
    width = max(pattern, default=-1) + 1
    rows: set[Row] = set()
    for row in product((0, 1), repeat=width):
        opened = [row[i] if i >= 0 else 0 for i in pattern]
        if isinstance(domain, Counts):
            allowed = sum(opened) in domain.numbers(len(pattern))
        else:
            allowed = sum(on << bit for bit, on in enumerate(opened)) in domain.masks
        if allowed:
            rows.add(row)
    return _Form(rows, width)
