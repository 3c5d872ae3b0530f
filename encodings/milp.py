"""A puzzle as an integer linear model: a binary per edge or per port, tight tables, cuts on demand.

It holds what is local (domains, stubs, leaks, facts that follow from the rules) and, if asked
for, the costs; connectivity and cycles come later, as rows that ``add_cut`` makes of wrong
solutions. Solutions are excluded by their ports alone, so the further columns, nearly all
functions of those, never multiply them.
"""

from __future__ import annotations

import numpy as np

from ..puzzles.model import Puzzle, Solution, Table
from .cuts import AnyCut, Cut
from .linear import Term
from .linear_columns import Columns
from .linear_costs import Prices, split
from .linear_domains import add_sum, add_table, local_form
from .linear_facts import add_facts, add_wet

SMALL_COUNT = 5
"""A count over at most so many variables is written as a table."""


class MilpEncoding(Columns):
    """The model of a puzzle under any rules.

    ``cuts`` is the number of cuts added so far. With ``costs`` the model's costs are those of
    the puzzle times ``sign``, which is -1 if it is to be maximised: always minimise.
    """

    def __init__(self, puzzle: Puzzle, *, costs: bool = False) -> None:
        super().__init__(puzzle)
        self.cuts = 0
        self._added: set[object] = set()
        prices = Prices(self, asked=costs)
        self.sign = prices.sign
        for vertex in range(puzzle.vertices):
            self._add_domain(vertex, prices)
        prices.charge_edges()
        add_facts(self)
        add_wet(self)

    def others(self, solution: Solution) -> tuple[list[Term], int]:
        """A row that excludes this solution and no other: its terms and the least they sum to."""
        on = np.zeros(self.variables + 1, dtype=np.bool_)
        on[self.column] = solution
        signs = [-1 if is_on else 1 for is_on in on[:-1].tolist()]
        return list(enumerate(signs)), 1 - int(on[:-1].sum())

    def demand(self, most: int) -> None:
        """Exclude all solutions that cost more, in the model's costs."""
        model = self.model
        priced = [(column, cost) for column, cost in enumerate(model.cost) if cost]
        model.row(priced, most=most - model.offset)

    def add_cut(self, cut: AnyCut) -> None:
        """Some edge leaves the vertices, if those that the cut names are in use; or, given
        edges that form a cycle, one of them is off. A cut that stands is not repeated.

        Where the openings inside have a fixed and even sum, at least two edges leave.
        """
        if isinstance(cut, tuple):
            if cut not in self._added:
                self._added.add(cut)
                self.forbid(cut)
                self.cuts += 1
            return
        asked = (cut.inside, cut.outside) if isinstance(cut, Cut) else ()
        used = [u for u in map(self.is_used, asked) if u is not None]
        key = (cut.edges.tobytes(), *used)
        if key in self._added:
            return
        self._added.add(key)
        parity = self.parity[cut.vertices]
        number = 2 if (parity >= 0).all() and parity.sum() % 2 == 0 else 1
        terms = [(self.joined(edge), 1) for edge in cut.edges.tolist()]
        # number * (1 - one for each of the two that is not in use)
        self.model.row([*terms, *((u, -number) for u in used)], least=number * (1 - len(used)))
        self.cuts += 1

    def _add_domain(self, vertex: int, prices: Prices) -> None:
        local, model, price = self.local(vertex), self.model, prices.of_masks(vertex)
        distinct = list(dict.fromkeys(c for c in local if c >= 0))
        domain = self.puzzle.domain(vertex)
        if not isinstance(domain, Table) and len(distinct) > SMALL_COUNT:
            terms = [(column, local.count(column)) for column in distinct]
            add_sum(model, terms, domain.numbers(len(local)))
            prices.charge_masks(vertex)
            return
        form = local_form(domain, tuple(distinct.index(c) if c >= 0 else -1 for c in local))
        base, extra = split([price.get(mask, 0) for mask in form.masks])
        chosen = add_table(model, distinct, form, choose=any(extra))
        model.charge(zip(chosen, extra, strict=False), base)
