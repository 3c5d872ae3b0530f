"""The search: decide, backtrack, hand out solutions; resumable at every pause.

Depth first, binary on ports: a decided port that fails gets the other value at the level below,
so that nothing is tried twice and the refutation is propagated like everything else. After a
solution the search goes on as after a conflict; hence all solutions come, each once.
"""

from __future__ import annotations

from .kernel import CONFLICT, FIXPOINT, propagate
from .root import root_check
from .state import MARK, OFF, ON, OPEN, State, assign, push_level, rank_of, undo
from .variants import DECIDED, REFUTED
from .water import Water

SOLUTION, EXHAUSTED, STEPS, NODES = range(4)

START, RUNNING, FOUND, DONE = range(4)

MAX_HOT = 512


class Tree:
    """Where the search stands: ``phase`` is START (root not yet checked), RUNNING, FOUND (a
    solution was handed out and must be left first) or DONE.
    """

    __slots__ = ("phase", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.phase = START
        watch(state)


def watch(s: State) -> None:
    """Under reach, or with several needed vertices: look for those that are cut off."""
    if s.use_water and (s.reach or len(s.layout.needed) > 1):
        s.water = Water(s)


def run(tree: Tree, steps: int, nodes: int) -> int:
    """Go on until a SOLUTION (it is in ``state.value``), until the tree is EXHAUSTED, for about
    so many STEPS of propagation, or until ``state.nodes`` would exceed ``nodes``.
    """
    s = tree.state
    if tree.phase == FOUND:
        tree.phase = RUNNING
        if not _backtrack(s):
            tree.phase = DONE
    end = s.steps + steps
    while tree.phase != DONE:
        outcome = propagate(s, steps)
        if outcome == FIXPOINT and tree.phase == START:
            tree.phase = RUNNING
            if s.use_root and s.top < len(s.value):
                if root_check(s):
                    continue
                outcome = CONFLICT
        if outcome == FIXPOINT and not _still_reached(s):
            outcome = CONFLICT
        if outcome == FIXPOINT and s.ledger is not None and s.top < len(s.value):
            if not _bound(s):
                outcome = CONFLICT
            elif s.head < s.top:
                continue
        if outcome == FIXPOINT:
            if s.top == len(s.value):
                if is_solution(s):
                    s.solutions += 1
                    tree.phase = FOUND
                    return SOLUTION
                outcome = CONFLICT
            elif s.nodes >= nodes:
                return NODES
            else:
                decide(s, *next_decision(s))
        if outcome == CONFLICT:
            _learn(s)
            if not _backtrack(s):
                tree.phase = DONE
        elif s.steps >= end:
            return STEPS
    return EXHAUSTED


def _still_reached(s: State) -> bool:
    """At a fixpoint: False if a check of the sinks is due and one is cut off."""
    return s.water is None or not s.water.due() or s.water.flows()


def _bound(s: State) -> bool:
    """At a fixpoint: what costs say. May assign ports; False if no improvement is left."""
    assert s.ledger is not None
    if not s.ledger.sweep():
        return False
    return s.parity is None or s.head < s.top or s.parity.step()


def is_solution(s: State) -> bool:
    """All ports have values that fit their domains and edges: what of the global rules?"""
    if s.tracking and s.groups > s.suffices:
        return False
    return not s.layout.acyclic or s.cycles == 0


def decide(s: State, port: int, value: int) -> None:
    """Start a level with this choice."""
    s.nodes += 1
    push_level(s)
    s.depth = max(s.depth, len(s.marks) // MARK)
    assign(s, port, value, DECIDED, s.owner[port])


def next_decision(s: State) -> tuple[int, int]:
    """An undecided port and the value to try first."""
    if s.parity is not None:
        asked = s.parity.decision()
        if asked is not None:
            return asked
    if s.water is not None:
        asked = s.water.decision()
        if asked is not None:
            return asked
    port = s.first[choose(s)]
    while s.value[port] != OPEN:
        port += 1
    return port, ON if s.ledger is None else _cheaper(s, port)


def _cheaper(s: State, port: int) -> int:
    """The value that a T-join asks for, or the one that costs less; on if they are equal."""
    assert s.ledger is not None
    wish = s.parity.wish(port) if s.parity is not None else OPEN
    if wish != OPEN:
        return wish
    return ON if s.ledger.regret(port, ON) <= s.ledger.regret(port, OFF) else OFF


def _backtrack(s: State) -> bool:
    """Undo the last decision and refute it; False if there is none."""
    if not s.marks:
        return False
    port = s.trail[s.marks[len(s.marks) - MARK]]
    refuted = OFF if s.value[port] == ON else ON
    undo(s)
    assign(s, port, refuted, REFUTED, s.owner[port])
    return True


def _learn(s: State) -> None:
    """Remember where the conflict was, for the choice of the next vertex."""
    s.conflicts += 1
    s.tried = False
    if s.marks and s.last < 0:
        s.last = s.owner[s.trail[s.marks[len(s.marks) - MARK]]]
    vertex = s.clash
    if s.use_weights and vertex >= 0:
        if s.weight[vertex] == 1 and len(s.hot) < MAX_HOT:
            s.hot.append(vertex)
        s.weight[vertex] += 1
    s.clash = -1


def choose(s: State) -> int:
    """The vertex to branch on; some port is undecided."""
    if s.use_last and s.last >= 0:
        if not s.tried and _undecided(s, s.last):
            s.tried = True
            return s.last
        s.last = -1
    if s.use_weights:
        vertex = _heaviest(s)
        if vertex >= 0:
            return vertex
    return _first_in_buckets(s)


def _undecided(s: State, vertex: int) -> bool:
    return any(s.value[port] == OPEN for port in range(s.first[vertex], s.first[vertex + 1]))


def _options(s: State, vertex: int) -> int:
    if s.table[vertex] >= 0:
        return s.options[s.base[vertex] + s.code[vertex]]
    return s.first[vertex + 1] - s.first[vertex]


def _heaviest(s: State) -> int:
    """Among vertices with conflicts the one with the fewest options per weight, -1 if none."""
    best, best_options, best_weight = -1, 1, 0
    for vertex in s.hot:
        weight = s.weight[vertex]
        options = _options(s, vertex)
        if options * best_weight < best_options * weight and _undecided(s, vertex):
            best, best_options, best_weight = vertex, options, weight
    return best


def _first_in_buckets(s: State) -> int:
    """The vertex listed last in the first bucket that has one; drops stale entries."""
    for rank, bucket in enumerate(s.bucket):
        while bucket:
            vertex = bucket[len(bucket) - 1]
            if rank_of(s, vertex) == rank and _undecided(s, vertex):
                return vertex
            bucket.pop()
            s.listed[vertex * s.ranks + rank] = 0
    raise AssertionError("an undecided port whose vertex is in no bucket")
