"""What sums and reachability say before the first decision; once, on whole arrays.

Every edge that may join gives one opening to each of its ends. In the double cover of the
graph (two copies of each vertex, edges crossing between the copies) the openings of one copy
must therefore equal those of the other in every component: for bipartite parts this is the
count by checkerboard colour, for others it says nothing. And in every component of the graph
itself the openings add up to an even number.
"""

from __future__ import annotations

import numpy as np

from ...puzzles.graph import label_components
from ...puzzles.model import BoolArray, IntArray
from .state import OFF, OPEN, State, assign
from .tables import COUNT_MASK, COUNT_SHIFT
from .variants import REACH


def root_check(s: State) -> bool:
    """Refute the puzzle, or switch off what cannot belong to it; False for a conflict."""
    if s.layout.impossible:
        return False
    ends = _possible_edges(s)
    label = label_components(s.vertices, ends)
    if s.connected and not _reachable(s, label):
        return False
    if s.reach and not _watered(s, label):
        return False
    if s.leaky:
        return True
    least, most, parity = _openings(s)
    known = np.bincount(label, parity < 0, minlength=1) == 0
    if np.any(known & (np.bincount(label, parity, minlength=1) % 2 == 1)):
        return False
    there, back = np.array([0, s.vertices]), np.array([s.vertices, 0])
    crossed = np.concatenate([ends + there, ends + back])
    cover = label_components(2 * s.vertices, crossed)
    one, other = cover[: s.vertices], cover[s.vertices :]
    size = int(cover.max(initial=0)) + 1
    lowest = np.bincount(one, least, minlength=size) > np.bincount(other, most, minlength=size)
    return not np.any(lowest)


def _possible_edges(s: State) -> IntArray:
    """Ends of the edges that are not off, shape (edges, 2)."""
    twin, owner = np.array(s.twin, dtype=np.int64), np.array(s.owner, dtype=np.int64)
    value = np.array(s.value, dtype=np.int64)
    dead = (value == OFF) | (value[twin] == OFF)
    lower = np.flatnonzero((twin > np.arange(len(twin))) & ~dead)
    return np.stack([owner[lower], owner[twin[lower]]], axis=1)


def _openings(s: State) -> tuple[IntArray, IntArray, IntArray]:
    """Least and most openings towards edges of each vertex, and their parity (-1: unknown)."""
    free = np.zeros(s.vertices, dtype=np.int64)
    for port in np.flatnonzero(s.free).tolist():
        free[s.owner[port]] += 1
    states: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    rows = []
    for vertex, stubs in enumerate(free.tolist()):
        counted = s.table[vertex] < 0 or stubs
        key = (s.base[vertex], s.code[vertex], vertex if counted else -1)
        row = states.get(key)
        if row is None:
            row = states[key] = _range(s, vertex, stubs)
        rows.append(row)
    least, most, parity = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return least, most, parity


def _range(s: State, vertex: int, free: int) -> tuple[int, int, int]:
    code, base = s.code[vertex], s.base[vertex]
    degree = s.first[vertex + 1] - s.first[vertex]
    if s.table[vertex] < 0:
        high = degree - (code >> COUNT_SHIFT)
        low = code & COUNT_MASK
        numbers = {n for n in range(low, high + 1) if s.following[base + n] == n}
        if free:
            numbers = {max(0, n - k) for n in numbers for k in range(free + 1)}
    else:
        edge_bits = sum(1 << i for i in range(degree) if s.twin[s.first[vertex] + i] >= 0)
        on, off = s.tables.decode(code)
        fitting = (m for m in s.tables.masks[s.table[vertex]] if m & on == on and not m & off)
        numbers = {(m & edge_bits).bit_count() for m in fitting}
    parities = {n % 2 for n in numbers}
    return min(numbers), max(numbers), parities.pop() if len(parities) == 1 else -1


def _watered(s: State, label: IntArray) -> bool:
    """Every part of the graph that holds a sink holds a source."""
    demand = np.array(s.layout.demand, dtype=np.int64)
    sinks = label[(demand % 2) == 1]
    return not np.setdiff1d(sinks, label[demand < 0]).size


def _reachable(s: State, label: IntArray) -> bool:
    """All vertices in use lie in one part of the graph; the other parts stay unused."""
    used: BoolArray = np.array(s.known, dtype=np.bool_)
    parts = np.unique(label[used])
    if len(parts) > 1:
        return False
    if len(parts) == 1:
        source = int(np.flatnonzero(used)[0])
        for vertex in np.flatnonzero(label != parts[0]).tolist():
            for port in range(s.first[vertex], s.first[vertex + 1]):
                if s.value[port] == OPEN and not assign(s, port, OFF, REACH, source):
                    return False
    return True
