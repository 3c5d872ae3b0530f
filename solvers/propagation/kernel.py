"""Propagation to a fixpoint: the queue is the trail itself.

Each assigned port is taken once: its value is copied to the other end of its edge, an edge that
is on joins two components, and the domain of its vertex is made consistent again. Before that
every vertex is revised once (the root).
"""

from __future__ import annotations

from .components import inspect, join, mark_used, spend, sweep_cycles, tighten
from .leaks import seal, wet
from .state import OFF, ON, OPEN, State, assign, enlist, find, most_through
from .tables import COUNT_MASK, COUNT_SHIFT, DEAD, OFF_SHIFT, UNKNOWN
from .variants import COPY, DOMAIN, LOOP, SEALED, STUB

FIXPOINT, CONFLICT, PAUSED = range(3)


def propagate(s: State, steps: int) -> int:
    """Work off the queue: FIXPOINT, CONFLICT (``s.clash`` is where), or PAUSED after so many
    steps; call again to go on.
    """
    trail, owner = s.trail, s.owner
    carry = settle_leaky if s.leaky else settle
    ledger = s.ledger
    while steps > 0:
        steps -= 1
        if s.head < s.top:
            port = trail[s.head]
            s.head += 1
            s.steps += 1
            if not carry(s, port) or not revise(s, owner[port]):
                return CONFLICT
            if ledger is not None and not ledger.account(port):
                return CONFLICT
        elif s.cursor < s.vertices:
            vertex = s.cursor
            s.cursor += 1
            s.steps += 1
            if not _first_look(s, vertex) or not revise(s, vertex):
                return CONFLICT
        elif s.sweep:
            s.sweep = False
            if s.use_loops and not sweep_cycles(s):
                return CONFLICT
        else:
            return FIXPOINT
    return PAUSED


def _first_look(s: State, vertex: int) -> bool:
    """Close the vertex's closed stubs, once and for all, or all leaks of a wet vertex."""
    if s.leaky:
        return not s.sealed or not wet(s, find(s, vertex)) or seal(s, vertex)
    for port in range(s.first[vertex], s.first[vertex + 1]):
        closed = s.twin[port] < 0 and not s.free[port]
        if closed and not assign(s, port, OFF, STUB, vertex):
            return False
    return True


def settle(s: State, port: int) -> bool:
    """Carry an assigned port over to its edge and to the components."""
    twin, value = s.twin[port], s.value[port]
    if twin < 0:
        return value == OFF or not s.tracking or spend(s, s.owner[port])
    there = s.value[twin]
    if there == OPEN:
        assign(s, twin, value, COPY, port)
    elif there != value:
        s.clash = s.owner[twin]
        return False
    # Both ends pass through here; the edge joins at the lower one, once.
    return value == OFF or not s.tracking or port > twin or join(s, port, twin)


def settle_leaky(s: State, port: int) -> bool:
    """As ``settle``, where the two ports of an edge may differ."""
    if not s.tracking:
        return True
    s.settled[port] = 1
    twin, value, vertex = s.twin[port], s.value[port], s.owner[port]
    if value == OFF:
        return twin < 0 or s.value[twin] == OFF or _lose(s, twin)
    mark_used(s, vertex)
    root = find(s, vertex)
    sealed = s.sealed and wet(s, root)
    if twin < 0:
        if sealed and not s.free[port]:
            s.clash = vertex
            return False
        return inspect(s, root, vertex)
    if sealed and not assign(s, twin, ON, SEALED, port):
        return False
    if s.value[twin] == ON:
        # Joined by the second of the two that is settled.
        return not s.settled[twin] or join(s, port, twin)
    if s.use_loops and s.cycles == s.budget and find(s, s.owner[twin]) == root:
        assign(s, twin, OFF, LOOP, vertex)
    return inspect(s, root, vertex)


def _lose(s: State, port: int) -> bool:
    """The port's twin is off: it leads nowhere, and may not be on if its vertex is wet."""
    vertex = s.owner[port]
    if s.sealed and wet(s, find(s, vertex)) and not assign(s, port, OFF, SEALED, s.twin[port]):
        return False
    return revise(s, vertex)


def revise(s: State, vertex: int) -> bool:
    """Make the vertex's domain consistent with its ports."""
    table = s.table[vertex]
    if table < 0:
        return _revise_counts(s, vertex)
    code = s.code[vertex]
    at = s.base[vertex] + code
    forced = s.forced[at]
    if forced == UNKNOWN:
        forced = s.tables.fill(table, code)
    if forced == DEAD:
        s.clash = vertex
        return False
    if s.tracking:
        most = most_through(s, vertex) if s.leaky else s.most[at]
        if most != s.bound[vertex] and not tighten(s, vertex, most):
            return False
    if forced and s.use_gac:
        on, off = forced & ((1 << OFF_SHIFT) - 1), forced >> OFF_SHIFT
        port = s.first[vertex]
        while on or off:
            if on & 1:
                if not assign(s, port, ON, DOMAIN, vertex):
                    return False
            elif off & 1 and not assign(s, port, OFF, DOMAIN, vertex):
                return False
            on, off, port = on >> 1, off >> 1, port + 1
    elif s.options[at] > 1 or not s.use_gac:
        enlist(s, vertex)
    return True


def _revise_counts(s: State, vertex: int) -> bool:
    first, last = s.first[vertex], s.first[vertex + 1]
    code, base = s.code[vertex], s.base[vertex]
    on = code & COUNT_MASK
    most = last - first - (code >> COUNT_SHIFT)
    least_fit = s.following[base + on]
    if least_fit > most:
        s.clash = vertex
        return False
    greatest_fit = s.previous[base + most]
    if s.tracking and greatest_fit != s.bound[vertex] and not tighten(s, vertex, greatest_fit):
        return False
    if on == most:
        return True
    enlist(s, vertex)
    if not s.use_gac:
        return True
    if s.following[base + on + 1] > most:
        forced = OFF
    elif least_fit == most:
        forced = ON
    else:
        return True
    for port in range(first, last):
        if s.value[port] == OPEN and not assign(s, port, forced, DOMAIN, vertex):
            return False
    return True
