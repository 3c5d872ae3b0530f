"""Objectives in the engine propagation: optima, bounds at limits, parity, A*."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from engines import optimises
from plumbench.puzzles.check import cost
from plumbench.puzzles.errors import Unsupported
from plumbench.puzzles.model import EVEN, Costs, Counts, Domain, Puzzle, Rules, Table
from plumbench.solvers.contract import Limits, Reason, Status
from plumbench.solvers.propagation import layout
from plumbench.solvers.propagation.improve import price
from plumbench.solvers.propagation.search import EXHAUSTED, SOLUTION, Tree, run
from plumbench.solvers.propagation.state import State
from plumbench.solvers.registry import get
from plumbench.solvers.run import count, optimise, solve
from propagation_tools import brute, random_puzzles
from strategies import domain_masks

NAMES = ["propagation", "propagation:astar", "propagation:no-costs", "propagation:no-parity",
         "propagation:astar:no-parity"]  # fmt: skip


def priced(draw: random.Random, puzzle: Puzzle) -> Puzzle:
    """The puzzle with random costs of masks and edges, of both signs or of one."""
    low, high = draw.choice([-4, -1, 0]), draw.choice([0, 1, 6])
    rows = []
    for vertex in range(puzzle.vertices):
        masks = domain_masks(puzzle, vertex)
        some = draw.sample(masks, min(len(masks), draw.randint(0, 4)))
        rows.append(tuple((mask, draw.randint(low, high)) for mask in sorted(some)))
    edge = np.array([draw.randint(low, high) for _ in range(puzzle.edges)], dtype=np.int64)
    return replace(
        puzzle, costs=Costs(tuple(rows), np.arange(puzzle.vertices), edge, draw.random() < 0.5)
    )


def dominoes(tiles: list[tuple[int, int]], pips: int, *, start: int | None = None) -> Puzzle:
    """The longest chain: pips are EVEN, tiles are edges, a dummy takes the two loose ends;
    ``start`` fixes one of them.
    """
    degree = [0] * (pips + 1)

    def port(vertex: int) -> int:
        degree[vertex] += 1
        return degree[vertex] - 1

    pairs = [*tiles, *((pip, pips) for pip in range(pips))]
    if start is not None:
        pairs.append((start, pips))
    edges = [(u, port(u), v, port(v)) for u, v in pairs]
    loose: Domain = Counts(frozenset({0, 2}))
    if start is not None:  # the last port is the forced one
        last = 1 << degree[pips] - 1
        loose = Table(degree[pips], tuple(last | 1 << i for i in range(pips)))
    return Puzzle.build(
        list(zip(degree, [*[EVEN] * pips, loose], strict=True)),
        edges,
        rules=Rules(connect="used"),
        edge_costs=[1] * len(tiles) + [0] * (len(pairs) - len(tiles)),
        maximise=True,
    )


def random_tiles(seed: int, number: int, pips: int) -> list[tuple[int, int]]:
    """Tiles drawn at random, doubles and repeated tiles among them."""
    draw = random.Random(seed)
    return [(draw.randrange(pips), draw.randrange(pips)) for _ in range(number)]


@pytest.mark.parametrize("name", NAMES)
def test_random_optima(name: str) -> None:
    """Random puzzles under all rules with random costs have the best cost of all solutions."""
    draw, feasible, joins = random.Random(len(name)), 0, 0
    for puzzle in random_puzzles(90 + len(name), 120):
        puzzle = priced(draw, puzzle)
        solutions = brute(puzzle)
        if len(solutions) > 500:
            continue
        costs = [cost(puzzle, np.array(s, dtype=np.bool_)) for s in solutions]
        assert puzzle.costs is not None
        best = (max if puzzle.costs.maximise else min)(costs, default=None)
        answer = optimise(puzzle, name)
        assert (answer.cost, answer.reason) == (best, None)
        feasible += best is not None
        joins += int(answer.stats["joins"])
    assert feasible > 30
    assert (joins > 0) == ("no-parity" not in name)


@pytest.mark.parametrize("start", [None, 0])
def test_longest_chains(start: int | None) -> None:
    """Small random domino sets, connected or not, have the longest chain of all."""
    for seed in range(25):
        puzzle = dominoes(random_tiles(seed, 3 + seed % 6, 5), 5, start=start)
        best = max((cost(puzzle, np.array(s, dtype=np.bool_)) for s in brute(puzzle)), default=None)
        for name in ("propagation", "propagation:astar", "propagation:no-parity"):
            assert optimises(get(name), puzzle, best)


def test_a_large_set_is_proved() -> None:
    """300 tiles on 100 pips: within a few joins, and no solution is worse than the bound."""
    puzzle = dominoes(random_tiles(1, 300, 100), 100)
    answer = optimise(puzzle, "propagation", Limits(nodes=2000))
    assert answer.status is Status.OPTIMAL
    assert answer.bound == answer.cost
    assert int(answer.stats["joins"]) < 20


def test_parts_that_cannot_meet() -> None:
    """Two separate circles of tiles: the longer one is the chain, in every variant."""
    circle = [(i, (i + 1) % 8) for i in range(8)]
    tiles = [*circle, *((8 + i, 8 + (i + 1) % 6) for i in range(6))]
    for name in ("propagation", "propagation:astar"):
        assert optimises(get(name), dominoes(tiles, 14), 8)


def test_two_halves() -> None:
    """Of two random sets without a common pip the better one is played, and soon proved so."""
    draw = random.Random(9)
    halves = [[(k + draw.randrange(7), k + draw.randrange(7)) for _ in range(20)] for k in (0, 7)]
    alone = [optimise(dominoes(half, 14), "propagation").cost for half in halves]
    for name in ("propagation", "propagation:astar"):
        both = optimise(dominoes([*halves[0], *halves[1]], 14), name, Limits(nodes=3000))
        assert both.cost == max(cost for cost in alone if cost is not None)
        assert both.status is Status.OPTIMAL


def test_joins_bound_every_completion() -> None:
    """At the root the bound with the T-join is never better than the best solution."""
    draw, joined = random.Random(3), 0
    for puzzle in random_puzzles(12, 400):
        puzzle = priced(draw, puzzle)
        solutions = brute(puzzle)
        if not solutions or len(solutions) > 500:
            continue
        assert puzzle.costs is not None
        state = State(layout.build(puzzle))
        ledger = price(puzzle, state)
        best = min(ledger.sign * cost(puzzle, np.array(s, dtype=np.bool_)) for s in solutions)
        run(Tree(state), 1 << 40, 0)
        joined += bool(state.parity and state.parity.joins)
        assert ledger.bound() <= 2 * best
    assert joined > 10


@pytest.mark.parametrize("name", ["propagation", "propagation:astar"])
def test_bound_at_a_limit(name: str) -> None:
    """At every limit on nodes the bound is one, and the last one is the optimum."""
    draw, unproved = random.Random(8), 0
    for puzzle in random_puzzles(31, 60):
        puzzle = priced(draw, puzzle)
        assert puzzle.costs is not None
        best = optimise(puzzle, name).cost
        for nodes in (1, 2, 4, 8):
            answer = optimise(puzzle, name, Limits(nodes=nodes))
            unproved += answer.reason is Reason.NODES
            if best is not None and answer.bound is not None:
                ahead = answer.bound - best
                assert ahead >= 0 if puzzle.costs.maximise else ahead <= 0
    assert unproved > 20


def test_the_bound_is_what_a_complete_choice_costs() -> None:
    """At each solution the ledger's bound is twice its cost, and undoing restores the bound."""
    draw, seen = random.Random(4), 0
    for puzzle in random_puzzles(14, 80):
        puzzle = priced(draw, puzzle)
        state = State(layout.build(puzzle))
        ledger = price(puzzle, state)
        tree = Tree(state)
        for _ in range(50):
            event = run(tree, 1 << 40, 1 << 40)
            if event == EXHAUSTED:
                break
            assert event == SOLUTION
            ports = np.array([v == 1 for v in state.value], dtype=np.bool_)
            assert ledger.lower == 2 * ledger.sign * cost(puzzle, ports)
            open_edges = [
                p for p, done in zip(ledger.price, ledger.settled, strict=True) if not done
            ]
            assert not any(open_edges)
            seen += 1
    assert seen > 100


def test_best_first_takes_the_best_first() -> None:
    """A* hands out one solution, the optimum, and refuses jobs without an objective."""
    puzzle = dominoes(random_tiles(5, 28, 7), 7)
    answer = optimise(puzzle, "propagation:astar")
    assert answer.stats["solutions"] == 1
    assert answer.cost == optimise(puzzle, "propagation").cost
    for job in (solve, count):
        with pytest.raises(Unsupported, match="without an objective"):
            job(puzzle, "propagation:astar")
