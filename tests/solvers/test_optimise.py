"""Optimising: the best cost, proved, by every engine that takes an objective."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from engines import ALL, each, engine, optimises
from hypothesis import given, settings
from plumbench.puzzles.check import check, cost
from plumbench.puzzles.errors import Unsupported, UsageError, WrongAnswer
from plumbench.puzzles.model import Costs, Puzzle, Rules, Solution, Table
from plumbench.solvers.brute import Brute
from plumbench.solvers.contract import Limits, Reason, Search, Status, Variant
from plumbench.solvers.registry import get
from plumbench.solvers.run import Run, optimise
from strategies import (
    assignments,
    golden_puzzles,
    multigraphs,
    small_multigraph,
    turned,
    with_costs,
)

PRICED = with_costs(multigraphs(all_rules=True))
PAIR = Puzzle.build(
    [(1, Table(1, (0, 1))), (1, Table(1, (0, 1)))],
    [(0, 0, 1, 0)],
    edge_costs=[5],
    mask_costs=[[(0, 2)], [(0, 2)]],
)
"""Two ends: joined they cost 5, apart 4."""


def test_both_directions_of_one_puzzle() -> None:
    """The least and the greatest cost, each with the bound that equals it."""
    least, most = optimise(PAIR, "brute"), optimise(turned(PAIR, True), "brute")
    assert (least.status, least.cost, least.bound) == (Status.OPTIMAL, 4, 4)
    assert (most.status, most.cost, most.bound) == (Status.OPTIMAL, 5, 5)
    assert most.solution is not None
    assert most.solution.all()


@pytest.mark.parametrize("name", ALL)
def test_golden_costs(name: str, shared) -> None:
    """Least and greatest cost of all 800 golden puzzles, in every engine with an objective; the
    reference takes none of them, since it optimises chains of dominoes alone.
    """
    solver = engine(name)
    done = 0
    for puzzle, facts in golden_puzzles(shared("golden", "model_puzzles.jsonl")):
        done += optimises(solver, puzzle, facts["least_cost"])
        done += optimises(solver, turned(puzzle, True), facts["greatest_cost"])
    if solver.capabilities.objective:
        assert done == (0 if name == "reference" else 1600)


@pytest.mark.parametrize("name", [n for n in ALL if n != "brute"])
def test_random_costs(name: str) -> None:
    """200 random multigraphs with random costs have the optimum that brute force finds."""
    solver, brute = engine(name), get("brute")
    if not solver.capabilities.objective:
        with pytest.raises(Unsupported):
            optimise(PAIR, solver)
        return

    def agrees(puzzle: Puzzle) -> None:
        optimises(solver, puzzle, optimise(puzzle, brute).cost)

    each(name, PRICED, 200, agrees)


@settings(max_examples=100)
@given(with_costs(multigraphs(all_rules=True, max_vertices=4, max_edges=5)))
def test_brute_force_finds_the_best_of_all_assignments(puzzle: Puzzle) -> None:
    """Brute force equals the best cost among all assignments that the checker accepts."""
    prices = [cost(puzzle, s) for s in assignments(puzzle) if check(puzzle, s).ok]
    assert puzzle.costs is not None
    best = (max if puzzle.costs.maximise else min)(prices, default=None)
    assert optimise(puzzle, "brute").cost == best


def test_nothing_to_optimise() -> None:
    """A puzzle without costs is refused, not answered."""
    with pytest.raises(UsageError, match="nothing to optimise"):
        optimise(small_multigraph(), "brute")


def test_a_limit_leaves_the_best_so_far() -> None:
    """At a limit the answer is satisfiable with its cost and the reason; or unknown."""
    edge_costs = Costs(((),), np.zeros(5, np.int64), np.arange(7), maximise=True)
    priced = replace(small_multigraph(Rules()), costs=edge_costs)
    answer = optimise(priced, "brute", Limits(nodes=12))
    assert (answer.status, answer.reason) == (Status.SATISFIABLE, Reason.NODES)
    assert answer.solution is not None
    assert answer.cost == cost(priced, answer.solution)
    assert optimise(priced, "brute", Limits(nodes=1)).status is Status.UNKNOWN


class Liar(Brute):
    """Hands out the same solution twice, or boasts a bound that its own solution beats."""

    boasts = False

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """Two ends apart, twice."""
        return _Lies(self.boasts)


class _Lies(Search):
    def __init__(self, boasts: bool) -> None:
        super().__init__()
        self.bound = 9 if boasts else None
        self._boasts, self._given = boasts, 0

    def next(self) -> Solution | Reason | None:
        self._given += 1
        if self._boasts and self._given == 2:
            return Reason.TIME
        return np.zeros(2, dtype=np.bool_)


@pytest.mark.parametrize(("boasts", "why"), [(False, "came after"), (True, "is beaten")])
def test_a_liar_is_caught(boasts: bool, why: str) -> None:
    """A solution that is no better, and a bound that is beaten, are wrong answers."""
    liar = Liar(Variant("brute"))
    liar.boasts = boasts
    with pytest.raises(WrongAnswer, match=why), Run(PAIR, liar, Limits(), optimise=True) as run:
        list(run)
