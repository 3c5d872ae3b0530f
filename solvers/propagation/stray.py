"""Where a least T-join leaves the used vertices apart: the decision that puts it right.

A component S of the edges that the join asks for, with something in use inside and outside,
cannot stay: either an edge that leaves S is on, or S is not used. Such an edge is tried first,
and where there is none an edge within S is tried off. Without this the search would find out
only when S is closed, far below the decisions that matter.
"""

from __future__ import annotations

from .state import OFF, ON, OPEN, State


def reconnecting(s: State, wish: list[int]) -> tuple[int, int] | None:
    """A port and the value to try, against the wish; None if all used vertices hang together,
    or nothing about the smallest stray component is undecided.
    """
    label, sizes = _components(s, wish)
    used = {
        label[v]
        for v in range(s.vertices)
        if s.known[v] or any(wish[p] == ON for p in range(s.first[v], s.first[v + 1]))
    }
    if len(used) < 2:
        return None
    if not any(s.known):
        largest = max(used, key=lambda part: (sizes[part], part))
        for port, vertex in enumerate(s.owner):
            if label[vertex] == largest and s.value[port] == OPEN and wish[port] == ON:
                return port, ON
    stray = min(used, key=lambda part: (sizes[part], part))
    inside = -1
    for port, twin in enumerate(s.twin):
        if twin < 0 or s.value[port] != OPEN or label[s.owner[port]] != stray:
            continue
        if label[s.owner[twin]] != stray:
            return port, ON
        inside = port
    return (inside, OFF) if inside >= 0 else None


def _components(s: State, wish: list[int]) -> tuple[list[int], list[int]]:
    """The component of each vertex when the wishes come true, and the sizes of components."""
    label, sizes = [-1] * s.vertices, []
    for start in range(s.vertices):
        if label[start] >= 0:
            continue
        label[start] = len(sizes)
        stack, size = [start], 0
        while stack:
            vertex = stack.pop()
            size += 1
            for port in range(s.first[vertex], s.first[vertex + 1]):
                if s.twin[port] >= 0 and wish[port] == ON:
                    there = s.owner[s.twin[port]]
                    if label[there] < 0:
                        label[there] = len(sizes)
                        stack.append(there)
        sizes.append(size)
    return label, sizes
