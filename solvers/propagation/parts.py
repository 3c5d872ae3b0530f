"""Parts of the graph of which a solution can use only one.

Under connect used, look at the edges that are not off, without the hub (the dummy of an open
chain). If every vertex but the hub must open an even number of ports, the hub's edges into a
part are even in number, too: with room for two, the hub cannot join two parts. So all that is
used lies in one of them, and the others cost what they cost unused.
"""

from __future__ import annotations

from .costs import Ledger
from .state import OFF, ON, OPEN, State, assign
from .variants import OUTSIDE


def one_part(ledger: Ledger, odd: list[int], hubs: dict[int, int]) -> int | None:
    """Switch off all but the part in use, if that is known; a bound (doubled) for the best of
    the parts otherwise. None for a conflict.
    """
    s = ledger.state
    if (
        not s.connected
        or any(o and v not in hubs for v, o in enumerate(odd))
        or not _narrow(s, hubs)
    ):
        return ledger.lower
    label, number = _parts(s, hubs)
    used = {label[v] for v in range(s.vertices) if s.known[v] and v not in hubs}
    if len(used) > 1:
        return None
    if used:
        [part] = used
        inside = label.index(part)
        for port, vertex in enumerate(s.owner):
            if s.value[port] == OPEN and label[vertex] not in (part, -1):
                assign(s, port, OFF, OUTSIDE, inside)
        return ledger.lower
    saved = [0] * number
    for port, twin in enumerate(s.twin):
        part = label[s.owner[port]]
        if port < twin and s.value[port] == OPEN and part >= 0:
            saved[part] += max(0, -ledger.price[ledger.edge_of[port]])
    return ledger.lower + sum(saved) - max(saved, default=0)


def _narrow(s: State, hubs: dict[int, int]) -> bool:
    """At most one hub, with room for no more than two edges, those it has included."""
    if len(hubs) > 1:
        return False
    return all(
        copies + sum(s.value[p] == ON for p in range(s.first[hub], s.first[hub + 1])) <= 2
        for hub, copies in hubs.items()
    )


def _parts(s: State, hubs: dict[int, int]) -> tuple[list[int], int]:
    """The part of each vertex (-1 for the hub), and how many there are."""
    label, number = [-1] * s.vertices, 0
    for start in range(s.vertices):
        if label[start] >= 0 or start in hubs:
            continue
        label[start] = number
        stack = [start]
        while stack:
            vertex = stack.pop()
            for port in range(s.first[vertex], s.first[vertex + 1]):
                twin = s.twin[port]
                if twin < 0 or s.value[port] == OFF:
                    continue
                there = s.owner[twin]
                if label[there] < 0 and there not in hubs:
                    label[there] = number
                    stack.append(there)
        number += 1
    return label, number
