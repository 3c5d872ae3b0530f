"""The search of propagation against brute force, and the state it keeps and takes back."""

from __future__ import annotations

import random
from typing import Any

import pytest
from plumbench.puzzles.model import Puzzle, Rules, Table
from plumbench.solvers.propagation import layout, search
from plumbench.solvers.propagation.invariants import invariants
from plumbench.solvers.propagation.search import EXHAUSTED, NODES, SOLUTION, Tree, run
from plumbench.solvers.propagation.state import ON, State, find
from plumbench.solvers.propagation.variants import (
    COST,
    DECIDED,
    EXTEND,
    LOOP,
    OUTSIDE,
    REACH,
    REASONS,
    REFUTED,
    SEAL,
    SWITCHES,
)
from propagation_tools import Ports, brute, random_puzzles

MANY = 1 << 40
DEDUCTIONS = {"seal": SEAL, "extend": EXTEND, "outside": OUTSIDE, "loops": LOOP, "root": REACH}


def enumerate_all(puzzle: Puzzle, off: tuple[str, ...], steps: int = MANY) -> list[Ports]:
    """Every solution the search hands out, in its order."""
    tree, found = Tree(State(layout.build(puzzle), off)), []
    while (event := run(tree, steps, MANY)) != EXHAUSTED:
        if event == SOLUTION:
            found.append(tuple(value == ON for value in tree.state.value))
    return found


def agree_with_brute_force(seed: int, number: int) -> None:
    """The plain engine, one variant, and one without several deductions, on each puzzle."""
    names = [switch.name for switch in SWITCHES]
    draw = random.Random(seed)
    satisfiable = 0
    for at, puzzle in enumerate(random_puzzles(seed, number)):
        expected = brute(puzzle)
        satisfiable += bool(expected)
        several = tuple(draw.sample(names, 4)) if len(expected) < 300 else ()
        for off in ((), (names[at % len(names)],), several):
            found = enumerate_all(puzzle, off, draw.choice([1, 3, MANY]))
            assert len(found) == len(set(found)), (seed, at, off)
            assert set(found) == expected, (seed, at, off)
    assert satisfiable > number // 5


def test_every_variant_equals_brute_force() -> None:
    """Solutions of small random puzzles: all of them, each once, whatever is switched off."""
    agree_with_brute_force(1, 250)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(2, 42))
def test_every_variant_equals_brute_force_at_length(seed: int) -> None:
    """As above, on forty thousand puzzles more."""
    agree_with_brute_force(seed, 1000)


def test_without_all_deductions() -> None:
    """The bare search, with none of its parts, still has exactly the solutions."""
    everything = tuple(switch.name for switch in SWITCHES)
    for puzzle in random_puzzles(77, 150):
        expected = brute(puzzle)
        if len(expected) < 200:
            assert set(enumerate_all(puzzle, everything)) == expected


def two_parts() -> Puzzle:
    """A joined pair, a square that nothing connects to it, and a way to turn within the pair."""
    pair = (2, Table(2, (1, 2)))
    corner = (2, Table(2, (0, 3)))
    square = [(2, 1, 3, 0), (3, 1, 4, 0), (4, 1, 5, 0), (5, 1, 2, 0)]
    edges = [(0, 0, 1, 0), (0, 1, 1, 1), *square]
    return Puzzle.build([pair] * 2 + [corner] * 4, edges, rules=Rules(connect="used"))


def unfounded(s: State, start: int, solutions: set[Ports]) -> list[int]:
    """Places on the trail, from ``start`` on, whose entry is neither chosen nor refuted, and
    fails in some solution that agrees with all entries before it.
    """
    trail, value, found = s.trail, s.value, []
    agreeing = [x for x in solutions if all(x[p] == (value[p] == ON) for p in trail[:start])]
    for at in range(start, s.top):
        port = trail[at]
        kept = [x for x in agreeing if x[port] == (value[port] == ON)]
        if len(kept) < len(agreeing) and s.why[at] not in (DECIDED, REFUTED):
            found.append(at)
        agreeing = kept
    return found


def test_each_deduction_follows_from_the_trail_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every entry that is neither chosen nor refuted holds in all solutions that agree with
    the entries before it; and each kind of deduction occurs (costs rule out solutions).
    """
    solutions: set[Ports] = set()
    seen = [0] * len(REASONS)
    undo = search.undo

    def judge(s: State, start: int) -> None:
        for at in range(start, s.top):
            seen[s.why[at]] += 1
        assert not unfounded(s, start, solutions)

    def judging(s: State) -> None:
        judge(s, s.marks[len(s.marks) - 5])
        undo(s)

    monkeypatch.setattr(search, "undo", judging)
    for puzzle in [*random_puzzles(6, 250), two_parts()]:
        solutions = brute(puzzle)
        if len(solutions) < 40:
            tree = Tree(State(layout.build(puzzle)))
            while run(tree, MANY, MANY) != EXHAUSTED:
                pass
            judge(tree.state, 0)
    assert min(seen[why] for why in REASONS if why not in (DECIDED, REFUTED, COST)) > 0


def test_a_false_deduction_would_be_noticed() -> None:
    """The judge of the test above refuses an entry that does not follow."""
    puzzle = Puzzle.build([(1, Table(1, (0, 1)))] * 2, [(0, 0, 1, 0)])
    s = State(layout.build(puzzle))
    search.assign(s, 0, ON, SEAL, 0)
    assert unfounded(s, 0, brute(puzzle)) == [0]


def snapshot(s: State) -> dict[str, Any]:
    """All that a level may change and undo must restore."""
    names = (
        "code", "value", "parent", "size", "tied", "bound", "ends", "ends_sum", "ends_square",
        "known", "in_use", "groups", "finished", "cycles", "top", "log",
    )  # fmt: skip
    kept = {name: getattr(s, name) for name in names}
    kept = {name: list(v) if isinstance(v, list) else v for name, v in kept.items()}
    kept["ring"] = rings(s)
    return kept


def rings(s: State) -> set[frozenset[int]]:
    """The members of each component; their order in the circle does not matter."""
    found = set()
    for start in range(len(s.ring)):
        members, v = {start}, s.ring[start]
        while v != start:
            members.add(v)
            v = s.ring[v]
        found.add(frozenset(members))
    return found


@pytest.mark.parametrize("off", [(), ("gac",), ("loops", "seal"), ("closed", "mrv")])
def test_undo_restores_the_state(off: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """At every decision the invariants hold; after undo all is as it was before it."""
    kept: list[dict[str, Any]] = []
    push, undo, undone = search.push_level, search.undo, 0

    def pushing(s: State) -> None:
        assert invariants(s) == []
        kept.append(snapshot(s))
        push(s)

    def undoing(s: State) -> None:
        nonlocal undone
        undo(s)
        undone += 1
        assert snapshot(s) == kept.pop()
        assert invariants(s) == []

    monkeypatch.setattr(search, "push_level", pushing)
    monkeypatch.setattr(search, "undo", undoing)
    for puzzle in random_puzzles(4, 150):
        enumerate_all(puzzle, off)
        assert not kept
    assert undone > 100


def test_invariants_notice_a_broken_state() -> None:
    """Changing any kept number behind the state's back is reported."""
    puzzle = next(
        p
        for p in random_puzzles(8, 400)
        if p.rules.connect == "used" and run(Tree(State(layout.build(p))), MANY, 0) == NODES
    )
    for name in ("code", "value", "ends", "ends_sum", "ends_square", "size", "in_use", "bound"):
        s = State(layout.build(puzzle))
        run(Tree(s), MANY, 0)
        assert invariants(s) == []
        at = 0 if name == "value" else find(s, 0)
        kept = getattr(s, name)
        kept[at] = 0 if kept[at] else 1
        assert invariants(s) != [], name


def test_each_switch_switches_its_deduction_off() -> None:
    """Every deduction is made somewhere, and nowhere under the variant without it."""
    with_it, without_it = dict.fromkeys(DEDUCTIONS, 0), dict.fromkeys(DEDUCTIONS, 0)
    for puzzle in [*random_puzzles(5, 80), two_parts()]:
        for name, why in DEDUCTIONS.items():
            for made, off in ((with_it, ()), (without_it, (name,))):
                s = State(layout.build(puzzle), off)
                run(Tree(s), MANY, 20)
                made[name] += s.made[why]
    assert min(with_it.values()) > 0
    assert max(without_it.values()) == 0


def test_colours_refute_at_the_root() -> None:
    """Where each side of a bipartite graph needs another number of openings, the sums by colour
    say so without a decision, and no local deduction does.
    """
    # Bipartite: 4 vertices that open 2 of 4 ports against 4 that open 2 or 3 of 4, one of
    # which must open 3: 8 openings face at least 9.
    twos = Table(4, tuple(m for m in range(16) if m.bit_count() == 2))
    more = Table(4, tuple(m for m in range(16) if m.bit_count() in (2, 3)))
    three = Table(4, tuple(m for m in range(16) if m.bit_count() == 3))
    edges = [(u, v - 4, v, u) for u in range(4) for v in range(4, 8)]
    puzzle = Puzzle.build([(4, twos)] * 4 + [(4, more)] * 3 + [(4, three)], edges)
    assert not brute(puzzle)
    outcome = {}
    for off in ((), ("root",)):
        s = State(layout.build(puzzle), off)
        outcome[off] = run(Tree(s), MANY, 0)
    assert outcome == {(): EXHAUSTED, ("root",): NODES}
