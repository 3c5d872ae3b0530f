"""Where the two ports of an edge may differ: edges cut, and leaks kept out of wet components.

A port that is on while its twin is off leaks. Under ``sealed`` that is forbidden in a component
that holds a source, and hence in one that holds a sink, which must come to hold a source.
"""

from __future__ import annotations

from .state import OFF, ON, OPEN, State, assign
from .variants import SEALED


def cut(s: State, port: int, why: int, source: int) -> bool:
    """The edge of the port must not join. Where leaks may be, that says something only once one
    of its ports is on.
    """
    if not s.leaky:
        return assign(s, port, OFF, why, source)
    twin = s.twin[port]
    if s.value[port] == ON:
        return s.value[twin] != OPEN or assign(s, twin, OFF, why, source)
    return s.value[port] != OPEN or s.value[twin] != ON or assign(s, port, OFF, why, source)


def wet(s: State, root: int) -> bool:
    """Whether no vertex of the component may leak, under ``sealed``."""
    demand = s.in_use[root]
    return demand < 0 or (demand > 0 and s.use_sinks)


def spread(s: State, one: int, other: int) -> bool:
    """Two components are about to merge: if one of them is wet, the other becomes it."""
    if wet(s, one) == wet(s, other):
        return True
    start = other if wet(s, one) else one
    vertex = start
    while True:
        if not seal(s, vertex):
            return False
        vertex = s.ring[vertex]
        if vertex == start:
            return True


def seal(s: State, vertex: int) -> bool:
    """The vertex must not leak: what follows for its ports, and for those that face them."""
    for port in range(s.first[vertex], s.first[vertex + 1]):
        twin, value = s.twin[port], s.value[port]
        if twin < 0:
            if not s.free[port] and value != OFF and not assign(s, port, OFF, SEALED, vertex):
                return False
        elif value == ON:
            if not assign(s, twin, ON, SEALED, vertex):
                return False
        elif value == OPEN and s.value[twin] == OFF:
            assign(s, port, OFF, SEALED, vertex)
    return True
