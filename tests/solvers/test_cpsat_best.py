"""The engine ``cpsat`` at the best solution: both variants prove it, and their bounds hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from engines import optimises
from hypothesis import given, settings
from plumbench.puzzles.errors import Unsupported
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Table
from plumbench.solvers.contract import Deadline, Limits, Reason, Status
from plumbench.solvers.cpsat_best import CpSatBest
from plumbench.solvers.registry import get
from plumbench.solvers.run import Run, optimise
from strategies import multigraphs, turned, with_costs

VARIANTS = ("cpsat", "cpsat:lazy")
both = pytest.mark.parametrize("variant", VARIANTS)


@settings(max_examples=100)
@given(with_costs(multigraphs(all_rules=True)))
def test_lazy_optima(puzzle: Puzzle) -> None:
    """By cuts, too, the optimum is that of brute force (the plain variant: conformance)."""
    optimises(get("cpsat:lazy"), puzzle, optimise(puzzle, "brute").cost)


@pytest.mark.fuzz
@settings(max_examples=5000)
@given(with_costs(multigraphs(all_rules=True, max_vertices=6, max_edges=10)))
def test_many_optima(puzzle: Puzzle) -> None:
    """Both variants on thousands of larger multigraphs."""
    best = optimise(puzzle, "brute").cost
    for variant in VARIANTS:
        optimises(get(variant), puzzle, best)


def chain(tiles: int, pips: int, seed: int) -> Puzzle:
    """The longest chain of random domino tiles: pips are EVEN, a dummy closes the chain."""
    random = np.random.default_rng(seed)
    degree, edges = [0] * (pips + 1), []
    for u, v in [*random.integers(0, pips, (tiles, 2)).tolist(), *((v, pips) for v in range(pips))]:
        ends = []
        for vertex in (u, v):
            ends += [vertex, degree[vertex]]
            degree[vertex] += 1
        edges.append(tuple(ends))
    domains = [EVEN] * pips + [Counts(frozenset({0, 2}))]
    return Puzzle.build(
        list(zip(degree, domains, strict=True)),
        edges,
        rules=Rules(connect="used"),
        edge_costs=[1] * tiles + [0] * pips,
        maximise=True,
    )


@both
def test_longest_chains(variant: str) -> None:
    """As long as brute force finds; where that is too slow, both ways find the same."""
    for seed in range(4):
        tiles = chain(9, 5, seed)
        optimises(get(variant), tiles, optimise(tiles, "brute").cost)
    both_ways = [optimise(chain(60, 40, 7), name) for name in VARIANTS]
    assert both_ways[0].status == both_ways[1].status == Status.OPTIMAL
    assert both_ways[0].cost == both_ways[1].cost


def test_a_long_chain_by_cuts() -> None:
    """300 tiles and 100 pips: proved optimal."""
    answer = optimise(chain(300, 100, 1), "cpsat:lazy")
    assert (answer.status, answer.cost) == (Status.OPTIMAL, answer.bound)


@pytest.mark.parametrize("maximise", [False, True])
def test_a_limit_leaves_a_bound(maximise: bool) -> None:
    """At a limit of conflicts the bound stands on the right side of the optimum."""
    puzzle = chain(80, 30, 3)
    assert puzzle.costs is not None
    sign = 1 if maximise else -1
    puzzle = replace(puzzle, costs=replace(puzzle.costs, edge=sign * puzzle.costs.edge))
    puzzle = turned(puzzle, maximise)
    best = optimise(puzzle, "cpsat")
    assert (best.status, best.cost) == (Status.OPTIMAL, best.bound)
    assert best.cost is not None
    early = optimise(puzzle, "cpsat", Limits(nodes=1))
    assert early.reason is Reason.NODES
    assert early.bound is not None
    assert sign * early.bound >= sign * best.cost
    if early.cost is not None:
        assert sign * early.cost <= sign * best.cost


@both
def test_a_call_stopped_before_it_has_a_bound_proves_none(variant: str) -> None:
    """CP-SAT tells a bound of 0 when its time is over before it has one; nobody is told that."""
    for exponent in range(8):
        search = get(variant).improve(chain(30, 8, 3), Limits())
        assert isinstance(search, CpSatBest)
        search.calls.deadline = Deadline(Limits(seconds=2**exponent * 1e-4))
        search.next()
        assert search.bound is None or search.bound > 0


def test_rounds_of_the_lazy_optimum() -> None:
    """Rings that do not hang together are dearer together than the best one: cuts are needed,
    each round's bound holds, and right solutions met on the way are handed out.
    """
    ring = [(2, Table(2, (0, 3)))] * 2
    edges = [e for v in range(0, 12, 2) for e in ((v, 0, v + 1, 0), (v, 1, v + 1, 1))]
    puzzle = Puzzle.build(
        ring * 6,
        edges,
        rules=Rules(connect="used"),
        edge_costs=list(range(12)),
        maximise=True,
    )
    for variant in VARIANTS:
        with Run(puzzle, get(variant), Limits(), optimise=True) as run:
            costs = [run.cost or 0 for _ in run]
        assert costs == sorted(set(costs))
        assert (run.cost, run.bound, run.reason) == (21, 21, None)


def test_costs_too_large_are_refused() -> None:
    """CP-SAT tells its bound as a double: costs beyond 2^53 are unsupported, just below fine."""
    for price, fits in ((2**53, False), (2**53 - 1, True)):
        for maximise in (False, True):
            puzzle = Puzzle.build(
                [(1, Table(1, (0, 1)))] * 2, [(0, 0, 1, 0)], edge_costs=[price], maximise=maximise
            )
            if fits:
                optimises(get("cpsat"), puzzle, price if maximise else 0)
            else:
                with pytest.raises(Unsupported, match="costs"):
                    optimise(puzzle, "cpsat")


def test_a_closed_search_proves_nothing() -> None:
    """So it is with a search for the best, too."""
    search = get("cpsat").improve(chain(9, 5, 1), Limits())
    search.close()
    search.close()
    assert search.next() is Reason.INTERRUPTED
