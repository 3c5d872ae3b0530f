"""Deductions on components of the joined edges: connectivity and cycles.

A component's *open ends* bound how many more edges can leave it: for each member the most
outward openings its domain still allows, less those already joined. A port that is on but not
yet joined still counts as an end, so the bound is never too small, whatever waits in the queue;
each deduction below is sound for an upper bound.
"""

from __future__ import annotations

from math import isqrt

from .demand import inspect_any, rest_unused
from .leaks import cut, spread
from .state import JOINED, MERGED, OFF, ON, OPEN, REVISED, USED, State, assign, find
from .variants import EXTEND, LOOP, SEAL


def join(s: State, port: int, twin: int) -> bool:
    """Both ports of an edge are on: merge the components of its ends."""
    u, v = s.owner[port], s.owner[twin]
    mark_used(s, u)
    mark_used(s, v)
    a, b = find(s, u), find(s, v)
    if u != v or s.table[u] < 0:
        # A loop spends two openings of a Counts vertex; tables do not count them as outward.
        _shift(s, JOINED, u, -1, a)
        _shift(s, JOINED, v, -1, b)
        if _overdrawn(s, u) or _overdrawn(s, v):
            return False
    if a == b:
        s.cycles += 1
        if s.use_loops and s.budget >= 0:
            if s.cycles > s.budget:
                s.clash = u
                return False
            if s.cycles == s.budget:
                s.sweep = True
    else:
        if s.size[a] < s.size[b]:
            a, b = b, a
        if s.sealed and not spread(s, a, b):
            return False
        _merge(s, a, b)
        if s.use_loops and s.cycles == s.budget and not _no_more_cycles(s, a, b):
            return False
        s.ring[a], s.ring[b] = s.ring[b], s.ring[a]
    return inspect(s, a, u)


def spend(s: State, vertex: int) -> bool:
    """A stub of the vertex is open: for a Counts vertex one opening less can lead outward."""
    mark_used(s, vertex)
    root = find(s, vertex)
    if s.table[vertex] < 0:
        _shift(s, JOINED, vertex, -1, root)
        if _overdrawn(s, vertex):
            return False
    return inspect(s, root, vertex)


def _overdrawn(s: State, vertex: int) -> bool:
    """More ports are on than the domain allows; its own revision, still to come, would fail."""
    if s.tied[vertex] <= s.bound[vertex]:
        return False
    s.clash = vertex
    return True


def tighten(s: State, vertex: int, most: int) -> bool:
    """The vertex can have at most so many outward openings from now on."""
    root = find(s, vertex)
    _shift(s, REVISED, vertex, most - s.bound[vertex], root)
    return inspect(s, root, vertex)


def mark_used(s: State, vertex: int) -> None:
    """The vertex has an open port, so it is in use."""
    if s.known[vertex]:
        return
    root = find(s, vertex)
    s.known[vertex] = True
    _leave(s, root)
    s.in_use[root] += 1
    _enter(s, root)
    _note(s, USED, vertex, 1, root)


def _shift(s: State, kind: int, vertex: int, amount: int, root: int) -> None:
    """Change the number of open ends of a member of the component."""
    if kind == JOINED:
        s.tied[vertex] -= amount
    else:
        s.bound[vertex] += amount
    before = s.ends[root]
    after = before + amount
    s.ends[root] = after
    s.ends_sum[root] += amount * vertex
    s.ends_square[root] += amount * vertex * vertex
    if s.in_use[root] > 0:
        s.finished += (after == 0) - (before == 0)
    _note(s, kind, vertex, amount, root)


def _merge(s: State, root: int, child: int) -> None:
    _leave(s, root)
    _leave(s, child)
    s.parent[child] = root
    s.size[root] += s.size[child]
    s.in_use[root] += s.in_use[child]
    s.ends[root] += s.ends[child]
    s.ends_sum[root] += s.ends_sum[child]
    s.ends_square[root] += s.ends_square[child]
    _enter(s, root)
    _note(s, MERGED, child, 0, root)


def _leave(s: State, root: int) -> None:
    if s.in_use[root] > 0:
        s.groups -= 1
        s.finished -= s.ends[root] == 0


def _enter(s: State, root: int) -> None:
    if s.in_use[root] > 0:
        s.groups += 1
        s.finished += s.ends[root] == 0


def _note(s: State, kind: int, vertex: int, amount: int, root: int) -> None:
    log = s.log
    log.append(kind)
    log.append(vertex)
    log.append(amount)
    log.append(root)


def inspect(s: State, root: int, vertex: int) -> bool:
    """Deduce from the state of one component, just changed at the vertex."""
    if s.general:
        return inspect_any(s, root, vertex)
    if not s.connected:
        return True
    if s.finished and s.groups > 1 and s.use_closed:
        s.clash = vertex
        return False
    ends, used = s.ends[root], s.in_use[root] > 0
    if ends > 2:
        return True
    if ends == 0:
        finished = used and s.groups == 1 and s.use_outside
        return not finished or rest_unused(s, root)
    others = s.groups - used
    if others == 0:
        return True
    if ends == 1:
        return _last_end(s, root, others)
    return not s.use_seal or _two_ends(s, root)


def _last_end(s: State, root: int, others: int) -> bool:
    """One open end, and used vertices elsewhere: it must lead to where there are more."""
    vertex = s.ends_sum[root]
    ways, last = 0, 0
    on = 0
    for port in range(s.first[vertex], s.first[vertex + 1]):
        if not s.outward[port]:
            continue
        if s.value[port] == ON:
            on += 1
        if s.value[port] != OPEN:
            continue
        there = find(s, s.owner[s.twin[port]])
        if there == root:
            continue  # the neighbour has no end left: its own domain closes it
        if s.use_seal and s.ends[there] == 1 and others > (s.in_use[there] > 0):
            if not assign(s, port, OFF, SEAL, vertex):
                return False
            continue
        ways, last = ways + 1, port
    if not s.use_extend or not s.in_use[root] or s.table[vertex] < 0 or on != s.tied[vertex]:
        return True  # where a port is on but not yet joined, the component is growing already
    if ways == 0:
        s.clash = vertex
        return False
    return ways > 1 or assign(s, last, ON, EXTEND, vertex)


def _two_ends(s: State, root: int) -> bool:
    """Two open ends, and used vertices elsewhere: they must not meet each other."""
    total = s.ends_sum[root]
    apart = isqrt(2 * s.ends_square[root] - total * total)
    one, other = (total - apart) // 2, (total + apart) // 2
    if apart == 0:
        return True  # both at one vertex, and loops are not outward
    for port in range(s.first[one], s.first[one + 1]):
        if (
            s.value[port] == OPEN
            and s.outward[port]
            and s.owner[s.twin[port]] == other
            and not assign(s, port, OFF, SEAL, one)
        ):
            return False
    return True


def _no_more_cycles(s: State, root: int, child: int) -> bool:
    """The budget is spent and child has just joined root: no second edge between them.

    Called while the two rings are still apart; walks the smaller one.
    """
    vertex = child
    while True:
        for port in range(s.first[vertex], s.first[vertex + 1]):
            if s.twin[port] >= 0 and (s.leaky or s.value[port] == OPEN):
                there = s.owner[s.twin[port]]
                if find(s, there) == root and not cut(s, port, LOOP, vertex):
                    return False
        vertex = s.ring[vertex]
        if vertex == child:
            return True


def sweep_cycles(s: State) -> bool:
    """The budget has just been spent: switch off every edge within a component."""
    for port, twin in enumerate(s.twin):
        if twin > port and (s.leaky or s.value[port] == OPEN):
            u, v = s.owner[port], s.owner[twin]
            if find(s, u) == find(s, v) and not cut(s, port, LOOP, u):
                return False
    return True
