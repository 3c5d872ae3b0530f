"""What components demand of one another, under any rule of leaks and connection.

``components`` has the quick version for connect used with leaks forbidden. A component is
*stuck* if it may not stay as it is: under connect used when it is in use and so is something
outside, under reach when it holds a sink but no source. A stuck component must have an open
end, and no edge may join that would leave a stuck component without one.
"""

from __future__ import annotations

from math import isqrt

from .leaks import cut
from .state import OFF, ON, OPEN, State, assign, find
from .variants import EXTEND, OUTSIDE, SEAL


def inspect_any(s: State, root: int, vertex: int) -> bool:
    """Deduce from the state of one component, just changed at the vertex."""
    if not s.connected and not s.reach:
        return True
    if s.finished and s.groups > s.suffices and s.use_closed:
        s.clash = vertex
        return False
    ends = s.ends[root]
    if ends > 2:
        return True
    if ends == 0:
        complete = s.connected and s.groups == 1 and s.in_use[root] > 0
        return not complete or not s.use_outside or rest_unused(s, root)
    if not _stuck(s, root, root):
        return ends == 2 or not s.use_seal or _dry_end(s, root)
    if ends == 1:
        return _last_end(s, root)
    return not s.use_seal or _two_ends(s, root)


def rest_unused(s: State, root: int) -> bool:
    """The component is finished and holds all used vertices: nothing else may open."""
    if s.size[root] == s.vertices:
        return True
    for vertex in range(s.vertices):
        if s.blank[vertex] or find(s, vertex) == root:
            continue
        for port in range(s.first[vertex], s.first[vertex + 1]):
            if s.value[port] == OPEN and not assign(s, port, OFF, OUTSIDE, root):
                return False
    return True


def _stuck(s: State, one: int, other: int) -> bool:
    """Whether a component made of these, joined, could not stay as it is."""
    demand = s.in_use[one] + (s.in_use[other] if other != one else 0)
    if s.reach:
        return demand > 0
    return s.groups > (s.in_use[one] > 0) + (other != one and s.in_use[other] > 0)


def _may_join(s: State, port: int) -> bool:
    """Whether the port's edge is not known to be dead."""
    twin = s.twin[port]
    return s.value[port] != OFF and s.value[twin] != OFF


def _last_end(s: State, root: int) -> bool:
    """One open end, and stuck: it must lead to where there are more, or to what is missing."""
    vertex = s.ends_sum[root]
    ways, last, on = 0, 0, 0
    for port in range(s.first[vertex], s.first[vertex + 1]):
        if not s.outward[port] or not _may_join(s, port):
            continue
        twin = s.twin[port]
        if s.value[port] == ON and s.value[twin] == ON:
            on += 1
            continue
        there = find(s, s.owner[twin])
        if there == root:
            continue  # the neighbour has no end left
        if s.use_seal and s.ends[there] == 1 and _stuck(s, root, there):
            if not cut(s, port, SEAL, vertex):
                return False
            continue
        ways, last = ways + 1, port
    if not s.use_extend or s.in_use[root] <= 0 or s.table[vertex] < 0 or on != s.tied[vertex]:
        return True  # where both ports are on but not yet joined, it is growing already
    if ways == 0:
        s.clash = vertex
        return False
    if ways > 1:
        return True
    if not assign(s, last, ON, EXTEND, vertex):
        return False
    return not s.leaky or assign(s, s.twin[last], ON, EXTEND, vertex)


def _dry_end(s: State, root: int) -> bool:
    """One open end of a component that may stay: it must not finish a stuck one."""
    if s.in_use[root] < 0:
        return True  # with a source nothing is stuck
    vertex = s.ends_sum[root]
    for port in range(s.first[vertex], s.first[vertex + 1]):
        if not s.outward[port] or not _may_join(s, port):
            continue
        there = find(s, s.owner[s.twin[port]])
        joined = s.value[port] == ON and s.value[s.twin[port]] == ON
        if there == root or joined or s.ends[there] != 1 or not _stuck(s, root, there):
            continue
        if not cut(s, port, SEAL, vertex):
            return False
    return True


def _two_ends(s: State, root: int) -> bool:
    """Two open ends, and stuck: they must not meet each other."""
    total = s.ends_sum[root]
    apart = isqrt(2 * s.ends_square[root] - total * total)
    one, other = (total - apart) // 2, (total + apart) // 2
    if apart == 0:
        return True  # both at one vertex, and loops are not outward
    for port in range(s.first[one], s.first[one + 1]):
        if not s.outward[port] or not _may_join(s, port):
            continue
        twin = s.twin[port]
        joined = s.value[port] == ON and s.value[twin] == ON
        if s.owner[twin] == other and not joined and not cut(s, port, SEAL, one):
            return False
    return True
