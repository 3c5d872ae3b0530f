"""A*: the nodes of the search tree in order of their bounds, best first.

A node is the list of its decisions; it is reached by assigning them again one after the other.
Its f is the ledger's bound: what is decided costs g, what is not at least h, and since no
completion of the node costs less than f, the first complete node taken out is optimal (Hart,
Nilsson, Raphael 1968). Of equal nodes the one with the most assigned ports comes first.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from .kernel import CONFLICT, FIXPOINT, propagate
from .root import root_check
from .search import (
    EXHAUSTED,
    NODES,
    SOLUTION,
    STEPS,
    decide,
    is_solution,
    next_decision,
    watch,
)
from .state import OFF, ON, State, assign, push_level, undo
from .variants import DECIDED

NO_LIMIT = 1 << 62


class Node(NamedTuple):
    """A node of the frontier; ``path`` is (parent's path, port, value), None at the root."""

    bound: int
    unassigned: int
    number: int
    path: Path | None


Path = tuple["Path | None", int, int]


class Frontier:
    """A best-first search that stands between two expansions; the state is at the root."""

    def __init__(self, state: State) -> None:
        self.state = state
        watch(state)
        self.open: list[Node] = []
        self.started = self.done = False
        self._made = 0

    def push(self, path: Path | None) -> None:
        """Enter the node at which the state stands."""
        s = self.state
        assert s.ledger is not None
        self._made += 1
        heappush(self.open, Node(s.ledger.bound(), len(s.value) - s.top, self._made, path))

    def proved(self) -> int:
        """The bound of the best node there is, doubled."""
        assert self.state.ledger is not None
        return self.open[0].bound if self.open else self.state.ledger.bound()


def run_best_first(frontier: Frontier, nodes: int) -> int:
    """One expansion: SOLUTION (it is in ``state.value``, and optimal), EXHAUSTED, NODES (the
    limit on decisions is reached), or STEPS (there is more to do).
    """
    s = frontier.state
    if frontier.done:
        return EXHAUSTED
    if not frontier.started:
        frontier.started = True
        if _settle(s) and (not s.use_root or (root_check(s) and _settle(s))):
            frontier.push(None)
        return STEPS
    if not frontier.open:
        frontier.done = True
        return EXHAUSTED
    if s.nodes >= nodes:
        return NODES
    node = heappop(frontier.open)
    levels = _replay(s, node.path)
    try:
        return _expand(frontier, node)
    finally:
        if not frontier.done:
            for _ in range(levels):
                undo(s)


def _expand(frontier: Frontier, node: Node) -> int:
    s = frontier.state
    assert s.ledger is not None
    while s.parity is not None and s.top < len(s.value):
        if not s.parity.step() or not _settle(s):
            return STEPS
        if s.parity.checked == s.top:
            break
    if s.ledger.bound() > node.bound:
        frontier.push(node.path)  # the bound was not worked out before the node was reached
        return STEPS
    if s.top == len(s.value):
        if not is_solution(s):
            s.conflicts += 1
            return STEPS
        frontier.done = True
        s.solutions += 1
        return SOLUTION
    if s.water is not None and s.water.dry() and not s.water.flows():
        s.conflicts += 1
        return STEPS
    port, first = next_decision(s)
    for value in (first, OFF if first == ON else ON):
        decide(s, port, value)
        if _settle(s):
            frontier.push((node.path, port, value))
        else:
            s.conflicts += 1
        undo(s)
    return STEPS


def _settle(s: State) -> bool:
    return propagate(s, NO_LIMIT) != CONFLICT


def _replay(s: State, path: Path | None) -> int:
    """Take the decisions of the path again; returns their number."""
    decisions = []
    while path is not None:
        path, port, value = path
        decisions.append((port, value))
    for port, value in reversed(decisions):
        push_level(s)
        assign(s, port, value, DECIDED, s.owner[port])
        outcome = propagate(s, NO_LIMIT)
        assert outcome == FIXPOINT
    return len(decisions)
