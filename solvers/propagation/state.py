"""The search state: one object of flat lists, and what must hold between them.

Nothing here decides anything; ``kernel`` and ``components`` change the state, ``undo`` takes
changes back. ``invariants`` says in code what each list means.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .layout import Layout
from .tables import COUNT_SHIFT, UNKNOWN
from .variants import DECIDED, REASONS

if TYPE_CHECKING:
    from .costs import Ledger
    from .parity import Parity
    from .water import Water

OPEN, ON, OFF = 0, 1, 2

# Kinds of entries in the log of component changes: (kind, vertex, amount, root).
JOINED, REVISED, MERGED, USED = range(4)

MARK = 5  # numbers kept per decision level: top, log length, groups, finished, cycles


class State:
    """One search. Static lists come from the layout; the rest by what they belong to:

    ports: ``value`` (OPEN, ON, OFF).
    trail: ``trail``, ``why``, ``source`` up to ``top``: each assigned port in order, with its
    reason and where that came from; ``head`` is the next entry to propagate; ``settled``
    tells (where leaks may be) which ports have been taken.
    vertices: ``code`` (its state, see ``tables``).
    components of the joined edges (only when ``tracking``): ``parent`` is a union-find forest
    without path compression, so that it can be undone; ``ring`` links the members of each
    component in a circle. ``bound[v]`` is the most outward openings v may have, ``tied[v]``
    how many of its ports have been joined (or otherwise spent): the difference is its number
    of open ends. Of roots: ``ends``, ``ends_sum``, ``ends_square`` (sums over members of open
    ends, times vertex, times vertex squared: with one or two ends left they tell where those
    are), ``size``, ``in_use`` (what the members demand:
    those in use for certain; under reach the sinks, and far below 0 with a source).
    counters: ``groups`` components with a demand above 0, ``finished`` those among them without
    open ends, ``cycles`` independent cycles among the joined edges.
    water: ``water`` looks for sinks, or needed vertices, that are cut off.
    costs: ``ledger`` (the bound, where there is an objective) and ``parity`` (its T-joins).
    counts: ``nodes`` decisions, ``conflicts``, ``steps`` trail entries propagated,
    ``solutions``, ``depth`` the most decisions at once, ``made`` assignments by reason.
    choice: ``bucket`` lists vertices by rank (fewest options first); an entry is good if the
    vertex still has that rank; ``listed`` says which (vertex, rank) are in a bucket. ``weight``
    is 1 plus the conflicts at a vertex, ``hot`` lists vertices that had any. ``last`` is the
    vertex whose decision failed and has not succeeded since (-1: none), ``tried`` whether it
    has been chosen again since its failure.
    """

    __slots__ = (
        "base", "blank", "bound", "bucket", "budget", "clash", "code", "conflicts",
        "connected", "cursor", "cycles", "depth", "ends", "ends_square", "ends_sum",
        "finished", "first", "following", "forced", "free", "general", "groups", "head",
        "hot", "in_use", "known", "last", "layout", "leaky", "ledger", "listed", "log",
        "made", "marks", "most", "nodes", "options", "outward", "owner", "parent", "parity",
        "previous", "rank", "ranks", "reach", "ring", "sealed", "settled", "size",
        "solutions", "source", "step_off", "step_on", "steps", "suffices", "sweep", "table",
        "tables", "tied", "top", "tracking", "trail", "tried", "twin", "use_closed",
        "use_costs", "use_extend", "use_gac", "use_last", "use_loops", "use_outside",
        "use_parity", "use_root", "use_seal", "use_sinks", "use_water", "use_weights",
        "value", "vertices", "water", "weight", "why",
    )  # fmt: skip

    def __init__(self, layout: Layout, off: Iterable[str] = ()) -> None:
        without = set(off)
        self.layout = layout
        self.owner, self.twin, self.first = layout.owner, layout.twin, layout.first
        self.step_on, self.step_off = layout.step_on, layout.step_off
        self.outward, self.free, self.blank = layout.outward, layout.free, layout.blank
        self.table, self.base, self.tables = layout.table, layout.base, layout.tables
        self.following, self.previous = layout.following, layout.previous
        self.forced, self.options = layout.tables.forced, layout.tables.options
        self.most, self.connected = layout.tables.most, layout.connected
        self.use_gac = "gac" not in without
        self.use_closed = "closed" not in without
        self.use_outside = "outside" not in without
        self.use_seal = "seal" not in without
        self.use_extend = "extend" not in without
        self.use_loops = "loops" not in without
        self.use_root = "root" not in without
        self.use_last = "last-conflict" not in without
        self.use_weights = "weights" not in without
        self.use_costs = "costs" not in without
        self.use_parity = "parity" not in without
        self.use_water = "water" not in without
        self.ledger: Ledger | None = None
        self.parity: Parity | None = None
        self.water: Water | None = None
        self.use_sinks = "sinks" not in without
        self.leaky, self.sealed, self.reach = layout.leaky, layout.sealed, layout.reach
        self.suffices = layout.suffices
        self.general = self.leaky or self.reach
        self.tracking = layout.connected or layout.acyclic or layout.reach
        self.budget = layout.budget
        self._fresh_ports(layout)
        self._fresh_vertices(layout, mrv="mrv" not in without)
        self._fresh_components(layout)

    def _fresh_ports(self, layout: Layout) -> None:
        self.value = [OPEN] * layout.ports
        self.trail = [0] * layout.ports
        self.why = [DECIDED] * layout.ports
        self.source = [0] * layout.ports
        self.settled = bytearray(layout.ports if self.leaky else 0)
        self.top = self.head = self.cursor = 0
        self.marks: list[int] = []
        self.log: list[int] = []
        self.clash = -1
        self.made = [0] * len(REASONS)
        self.nodes = self.conflicts = self.solutions = self.steps = self.depth = 0

    def _fresh_vertices(self, layout: Layout, *, mrv: bool) -> None:
        n = layout.vertices
        self.vertices = n
        self.code = [0] * n
        widest = max([len(m) for m in layout.tables.masks], default=1)
        self.ranks = min(widest, 16) + 2 if mrv else 1
        self.rank = [min(k, self.ranks - 2) if mrv else 0 for k in range(widest + 1)]
        self.bucket: list[list[int]] = [[] for _ in range(self.ranks)]
        self.listed = bytearray(n * self.ranks)
        self.weight = [1] * n
        self.hot: list[int] = []
        self.last = -1
        self.tried = False

    def _fresh_components(self, layout: Layout) -> None:
        n = layout.vertices if self.tracking else 0
        self.parent, self.ring = list(range(n)), list(range(n))
        self.size, self.tied = [1] * n, [0] * n
        self.bound = [0] * n
        self.ends, self.ends_sum, self.ends_square = [0] * n, [0] * n, [0] * n
        self.known = [True] * n if self.reach else list(layout.used)[:n]
        self.in_use = list(layout.demand)[:n]
        self.groups = sum(demand > 0 for demand in self.in_use)
        self.cycles = 0
        self.sweep = self.budget == 0
        self.finished = 0
        for v in range(n):
            self.bound[v] = most_ends(self, v)
            self.ends[v] = self.bound[v]
            self.ends_sum[v] = self.bound[v] * v
            self.ends_square[v] = self.bound[v] * v * v
            self.finished += self.in_use[v] > 0 and self.bound[v] == 0


def most_ends(s: State, vertex: int) -> int:
    """The most outward openings the vertex can have in its present state; 0 if it is dead."""
    table = s.table[vertex]
    if table >= 0:
        at = s.base[vertex] + s.code[vertex]
        if s.forced[at] == UNKNOWN:
            s.tables.fill(table, s.code[vertex])
        return most_through(s, vertex) if s.leaky else s.most[at]
    degree = s.first[vertex + 1] - s.first[vertex]
    most = s.previous[s.base[vertex] + degree - (s.code[vertex] >> COUNT_SHIFT)]
    return most if most > 0 else 0


def most_through(s: State, vertex: int) -> int:
    """As ``most_ends`` where leaks may be: ports whose twin is off lead nowhere."""
    dead, bit = 0, 1
    for port in range(s.first[vertex], s.first[vertex + 1]):
        twin = s.twin[port]
        if twin >= 0 and s.value[twin] == OFF:
            dead |= bit
        bit <<= 1
    if not dead:
        return s.most[s.base[vertex] + s.code[vertex]]
    return s.tables.most_without(s.table[vertex], s.code[vertex], dead)


def find(s: State, vertex: int) -> int:
    """The root of the vertex's component."""
    parent = s.parent
    up = parent[vertex]
    while up != vertex:
        vertex, up = up, parent[up]
    return vertex


def rank_of(s: State, vertex: int) -> int:
    """The bucket the vertex belongs to in its present, worked-out state."""
    if s.table[vertex] < 0:
        return s.ranks - 1
    return s.rank[s.options[s.base[vertex] + s.code[vertex]]]


def enlist(s: State, vertex: int) -> None:
    """Put the vertex into the bucket of its present rank, unless it is there."""
    rank = rank_of(s, vertex)
    slot = vertex * s.ranks + rank
    if not s.listed[slot]:
        s.listed[slot] = 1
        s.bucket[rank].append(vertex)


def assign(s: State, port: int, value: int, why: int, source: int) -> bool:
    """Give the port a value, with the reason; False (a clash) if it has the other one."""
    now = s.value[port]
    if now:
        if now == value:
            return True
        s.clash = s.owner[port]
        return False
    s.value[port] = value
    s.code[s.owner[port]] += s.step_on[port] if value == ON else s.step_off[port]
    top = s.top
    s.trail[top], s.why[top], s.source[top] = port, why, source
    s.top = top + 1
    s.made[why] += 1
    return True


def push_level(s: State) -> None:
    """Start a decision level: what comes from here on can be undone."""
    s.marks.append(s.top)
    s.marks.append(len(s.log))
    s.marks.append(s.groups)
    s.marks.append(s.finished)
    s.marks.append(s.cycles)
    if s.ledger is not None:
        s.ledger.push()


def undo(s: State) -> None:
    """Take back everything since the last ``push_level``."""
    s.cycles = s.marks.pop()
    s.finished = s.marks.pop()
    s.groups = s.marks.pop()
    length = s.marks.pop()
    top = s.marks.pop()
    if s.tracking:
        _undo_log(s, length)
    value, code, owner, trail = s.value, s.code, s.owner, s.trail
    for i in range(s.top - 1, top - 1, -1):
        port = trail[i]
        code[owner[port]] -= s.step_on[port] if value[port] == ON else s.step_off[port]
        value[port] = OPEN
    for i in range(top, s.top):
        enlist(s, owner[trail[i]])
    if s.leaky:
        for i in range(top, s.top):
            s.settled[trail[i]] = 0
    s.top = s.head = top
    s.sweep = False
    if s.ledger is not None:
        s.ledger.undo()
    if s.parity is not None:
        s.parity.undo()


def _undo_log(s: State, length: int) -> None:
    log = s.log
    while len(log) > length:
        root, amount, vertex, kind = log.pop(), log.pop(), log.pop(), log.pop()
        if kind == MERGED:
            s.parent[vertex] = vertex
            s.ring[vertex], s.ring[root] = s.ring[root], s.ring[vertex]
            s.size[root] -= s.size[vertex]
            s.in_use[root] -= s.in_use[vertex]
            s.ends[root] -= s.ends[vertex]
            s.ends_sum[root] -= s.ends_sum[vertex]
            s.ends_square[root] -= s.ends_square[vertex]
        elif kind == USED:
            s.known[vertex] = False
            s.in_use[root] -= 1
        else:
            if kind == JOINED:
                s.tied[vertex] += amount
            else:
                s.bound[vertex] -= amount
            s.ends[root] -= amount
            s.ends_sum[root] -= amount * vertex
            s.ends_square[root] -= amount * vertex * vertex
