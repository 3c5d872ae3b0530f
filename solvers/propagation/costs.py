"""What a solution costs at least, kept up to date while ports are assigned.

The bound is the sum, over the vertices, of the least cost among the masks that still fit, and,
over the edges, of the lesser of what they would cost joined and not. Costs to be maximised are
negated. All numbers are doubled, so that with leaks forbidden an edge's cost can be shared
between the tables at its two ends: a mask then knows half of what its edges cost.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...puzzles.model import Costs, Puzzle
from .layout import Layout
from .state import OFF, ON, OPEN, State, assign
from .variants import COST

NEVER = 1 << 60
SHIFT_VERTEX, SHIFT_EDGE = range(2)


class PricedTable:
    """The masks of one table with their costs; ``least`` is a look-up by state of the vertex."""

    __slots__ = ("_known", "_masks", "_price", "_tables", "widest")

    def __init__(
        self, layout: Layout, table: int, row: Sequence[tuple[int, int]], share: Sequence[int]
    ) -> None:
        self._tables = layout.tables
        self._masks = layout.tables.masks[table]
        listed = dict(row)
        self._price = [
            listed.get(mask, 0) + sum(c for i, c in enumerate(share) if mask >> i & 1)
            for mask in self._masks
        ]
        self._known: dict[int, int] = {}
        self.widest = max(self._price, default=0) - min(self._price, default=0)

    def least(self, code: int) -> int:
        """The least cost of a mask that fits the state, NEVER if none does."""
        known = self._known.get(code)
        if known is None:
            on, off = self._tables.decode(code)
            known = NEVER
            for mask, price in zip(self._masks, self._price, strict=True):
                if price < known and mask & on == on and not mask & off:
                    known = price
            self._known[code] = known
        return known


class Ledger:
    """The bound of one search, and the ceiling it must stay under.

    - ``kind`` (vertices,): index of the vertex's priced table, -1 for none; ``part``: its share
      of the bound;
    - ``price`` (edges,): what an edge adds if joined, beyond what tables know of it;
      ``settled`` whether that is in the bound for good;
    - ``lower``: the bound, doubled; ``ceiling``: the greatest value of it that would still be
      an improvement;
    - ``log``: (kind, index, old value) of each change, to be taken back.
    """

    def __init__(self, puzzle: Puzzle, state: State) -> None:
        costs, layout = puzzle.costs, state.layout
        assert costs is not None
        self.state = state
        self.filters = state.use_costs
        self.sign = -1 if costs.maximise else 1
        self.edge_of: list[int] = puzzle.edge_of.tolist()
        rows = [tuple((m, 2 * self.sign * c) for m, c in row) for row in costs.rows]
        self.price, shares = self._share(puzzle, costs, layout)
        self.settled = bytearray(puzzle.edges)
        self.tables: list[PricedTable] = []
        self.kind: list[int] = []
        self.counted: dict[int, dict[int, int]] = {}
        self._price_vertices(layout, rows, costs.row_of.tolist(), shares)
        self.part = [self._least(v) for v in range(layout.vertices)]
        self.lower = sum(self.part) + sum(min(0, price) for price in self.price)
        self.ceiling = NEVER
        self.log: list[int] = []
        self.marks: list[int] = []
        self._swept = (NEVER, NEVER)
        widest = max((table.widest for table in self.tables), default=0)
        self.most_regret = 2 * widest + max((abs(p) for p in self.price), default=0)

    def _share(
        self, puzzle: Puzzle, costs: Costs, layout: Layout
    ) -> tuple[list[int], dict[int, list[int]]]:
        """Prices left at the edges, and per table vertex what each open port costs."""
        prices, shares = [], {}
        for (p, q), cost in zip(puzzle.edge_ports.tolist(), costs.edge.tolist(), strict=True):
            left = 0
            for port in (p, q):
                vertex = layout.owner[port]
                if layout.leaky or layout.table[vertex] < 0:
                    left += self.sign * cost
                elif cost:
                    degree = layout.first[vertex + 1] - layout.first[vertex]
                    share = shares.setdefault(vertex, [0] * degree)
                    share[port - layout.first[vertex]] += self.sign * cost
            prices.append(left)
        return prices, shares

    def _price_vertices(
        self,
        layout: Layout,
        rows: list[tuple[tuple[int, int], ...]],
        row_of: list[int],
        shares: dict[int, list[int]],
    ) -> None:
        known: dict[tuple[int, int, tuple[int, ...]], int] = {}
        for vertex, row in enumerate(row_of):
            table, share = layout.table[vertex], tuple(shares.get(vertex, ()))
            if table < 0 or not (rows[row] or any(share)):
                self.kind.append(-1)
                if rows[row]:
                    self.counted[vertex] = dict(rows[row])
                continue
            key = (table, row, share)
            if key not in known:
                known[key] = len(self.tables)
                self.tables.append(PricedTable(layout, table, rows[row], share))
            self.kind.append(known[key])

    def _least(self, vertex: int) -> int:
        """The least cost of the vertex in its present state; for counts a lower bound of it."""
        kind = self.kind[vertex]
        if kind >= 0:
            return self.tables[kind].least(self.state.code[vertex])
        listed = self.counted.get(vertex)
        if listed is None:
            return 0
        value, first = self.state.value, self.state.first
        ports = range(first[vertex], first[vertex + 1])
        on = sum(1 << i for i, port in enumerate(ports) if value[port] == ON)
        off = sum(1 << i for i, port in enumerate(ports) if value[port] == OFF)
        if (on | off).bit_count() == len(ports):
            return listed.get(on, 0)
        fitting = (c for mask, c in listed.items() if mask & on == on and not mask & off)
        return min(0, min(fitting, default=0))

    def account(self, port: int) -> bool:
        """Take an assigned port into the bound; False if no improvement is left."""
        s = self.state
        vertex, edge = s.owner[port], self.edge_of[port]
        if self.kind[vertex] >= 0 or vertex in self.counted:
            self._shift(SHIFT_VERTEX, vertex, self._least(vertex))
        if edge >= 0 and self.price[edge] and not self.settled[edge]:
            joined = s.value[port] == ON and s.value[s.twin[port]] == ON
            if joined or s.value[port] == OFF:
                self._shift(SHIFT_EDGE, edge, self.price[edge] if joined else 0)
        if self.lower > self.ceiling:
            s.clash = vertex
            return False
        return self.ceiling == NEVER or not self.filters or self.filter_vertex(vertex)

    def _shift(self, kind: int, index: int, now: int) -> None:
        before = self.part[index] if kind == SHIFT_VERTEX else min(0, self.price[index])
        if kind == SHIFT_EDGE:
            self.settled[index] = 1
        elif before == now:
            return
        else:
            self.part[index] = now
        self.lower += now - before
        self.log.append(kind)
        self.log.append(index)
        self.log.append(before)

    def push(self) -> None:
        """A new level: what follows can be taken back."""
        self.marks.append(len(self.log))
        self.marks.append(self.lower)

    def undo(self) -> None:
        """Take back everything since the last ``push``."""
        self.lower = self.marks.pop()
        length = self.marks.pop()
        log = self.log
        while len(log) > length:
            before, index, kind = log.pop(), log.pop(), log.pop()
            if kind == SHIFT_VERTEX:
                self.part[index] = before
            else:
                self.settled[index] = 0

    def regret(self, port: int, value: int) -> int:
        """By how much the bound grows at least if the undecided port gets the value."""
        s = self.state
        grows = self._vertex_regret(port, value)
        twin, edge = s.twin[port], self.edge_of[port]
        if twin < 0:
            return grows
        if not s.leaky and s.value[twin] == OPEN and s.owner[twin] != s.owner[port]:
            grows += self._vertex_regret(twin, value)
        price = self.price[edge]
        if not price or self.settled[edge]:
            return grows
        if value == OFF:
            return grows + max(0, -price)
        return grows + (max(0, price) if not s.leaky or s.value[twin] == ON else 0)

    def _vertex_regret(self, port: int, value: int) -> int:
        s = self.state
        vertex = s.owner[port]
        kind = self.kind[vertex]
        if kind < 0:
            return 0
        step = s.step_on[port] if value == ON else s.step_off[port]
        table, code = self.tables[kind], s.code[vertex]
        return table.least(code + step) - table.least(code)

    def filter_vertex(self, vertex: int) -> bool:
        """Give its undecided ports the other value where one would cost too much."""
        s = self.state
        slack = self.ceiling - self.lower
        for port in range(s.first[vertex], s.first[vertex + 1]):
            if s.value[port] != OPEN:
                continue
            if self.regret(port, ON) > slack:
                assign(s, port, OFF, COST, vertex)
            elif self.regret(port, OFF) > slack:
                assign(s, port, ON, COST, vertex)
        return True

    def sweep(self) -> bool:
        """At a fixpoint: filter all vertices if the bound has moved and some price exceeds what
        is left; False if nothing is left.
        """
        if self.lower > self.ceiling:
            return False
        here = (self.lower, self.ceiling)
        if not self.filters or here == self._swept or self.ceiling - self.lower >= self.most_regret:
            return True
        self._swept = here
        return all(self.filter_vertex(vertex) for vertex in range(self.state.vertices))

    def bound(self) -> int:
        """The bound at the present node, doubled, with that of the T-join that stands."""
        parity = self.state.parity
        if parity is None or not parity.joins:
            return self.lower
        return max(self.lower, parity.joins[-1].total)

    def proved(self) -> int:
        """A bound for every solution not yet seen, doubled: that of the first level standing,
        whose other side is still to come, or of the root.
        """
        if not self.marks:
            return self.bound()
        parity = self.state.parity
        joins = parity.joins if parity is not None else ()
        return max([self.marks[1], *(join.total for join in joins if join.level == 0)])
