"""Costs as soft literals: every model pays what its solution costs; sums count right."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plumbench.encodings.cnf import Cnf, encode
from plumbench.encodings.soft import Soft, soften
from plumbench.encodings.totals import Totalizer
from plumbench.puzzles.check import cost
from plumbench.puzzles.model import EVEN, Puzzle, Rules, Table
from strategies import assignments, multigraphs, with_costs

pysat_solvers = pytest.importorskip("pysat.solvers")


@settings(max_examples=50)
@given(puzzle=with_costs(multigraphs(all_rules=True, max_vertices=4, max_edges=5)))
def test_every_model_pays_the_cost_of_its_solution(puzzle: Puzzle) -> None:
    """Masks and edges, both signs, either direction: base and weights add up to the cost, and
    the new literals follow from the ports.
    """
    leaks = puzzle.rules.leaks
    puzzle = puzzle.with_rules(Rules("allowed" if leaks == "sealed" else leaks))
    assert puzzle.costs is not None
    cnf = encode(puzzle)
    hard = list(cnf.clauses)
    soft = soften(puzzle, cnf, puzzle.costs)
    assert all(weight > 0 for weight in soft.weights.values())
    if not all(hard):
        return
    with pysat_solvers.Solver("minisat22", bootstrap_with=[*cnf.clauses, [1, -1]]) as solver:
        for number, solution in enumerate(assignments(puzzle)):
            assume(number < 300)
            on = cnf.of_port[solution].tolist()
            off = (-cnf.of_port[~solution]).tolist()
            if 0 in on or set(on) & {-x for x in off}:
                continue  # leaks
            assert solver.solve(assumptions=[x for x in on + off if x])
            model = solver.get_model()
            assert soft.cost(soft.value(model)) == cost(puzzle, solution)
            defined = {abs(x) for c in cnf.clauses[len(hard) :] for x in c}
            for x in model:
                if abs(x) > puzzle.ports + puzzle.edges and abs(x) in defined:
                    assert not solver.solve(assumptions=[y for y in on + off if y] + [-x])


def test_masks_of_a_vertex_of_high_degree() -> None:
    """A count over ten ports with a price on one mask: paid by that choice alone; masks that
    no choice can have cost nothing.
    """
    prices = [(0b11, 7), (0b1111, -2), (1 << 12, 5), (1 << 10, 5)]
    puzzle = Puzzle.build(
        [(11, EVEN)], free=[(0, i) for i in range(10)], mask_costs=[prices], edge_costs=[]
    )
    assert puzzle.costs is not None
    cnf = encode(puzzle)
    soft = soften(puzzle, cnf, puzzle.costs)
    assert soft.base == -2
    assert sorted(soft.weights.values()) == [2, 7]
    rng = random.Random(1)
    with pysat_solvers.Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        for mask in (0, 0b11, 0b1111, *(rng.randrange(1024) for _ in range(50))):
            chosen = [i + 1 if mask >> i & 1 else -(i + 1) for i in range(10)]
            assert solver.solve(assumptions=chosen) == (mask.bit_count() % 2 == 0)
            if mask.bit_count() % 2 == 0:
                assert soft.cost(soft.value(solver.get_model())) == dict(prices).get(mask, 0)


def test_cheaper_masks_are_excluded_by_propagation() -> None:
    """Forbidding "costs at least 2" leaves the cheap masks at once: prime implicates."""
    table = [(0b01, 0), (0b10, 2), (0b11, 5)]
    puzzle = Puzzle.build([(2, Table(2, (1, 2, 3)))], free=[(0, 0), (0, 1)], mask_costs=[table])
    assert puzzle.costs is not None
    cnf = encode(puzzle)
    soft = soften(puzzle, cnf, puzzle.costs)
    assert list(soft.weights.values()) == [2, 3]
    low, high = soft.weights
    with pysat_solvers.Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        assert set(solver.propagate([-low])[1]) == {-low, -high, 1, -2}
        assert set(solver.propagate([high])[1]) == {low, high, 1, 2}


@given(st.lists(st.tuples(st.integers(1, 3), st.booleans(), st.integers(-5, 5)), max_size=8))
def test_costs_of_the_same_literal_add_up(added: list[tuple[int, bool, int]]) -> None:
    """Literals priced again, or priced both ways, are merged: every choice costs the same."""
    soft = Soft(0, {}, False)
    for variable, positive, price in added:
        soft.add(variable if positive else -variable, price)
    assert all(weight > 0 for weight in soft.weights.values())
    for values in product((False, True), repeat=3):
        model = [v if on else -v for v, on in enumerate(values, 1)]
        paid = sum(p for v, positive, p in added if values[v - 1] == positive)
        assert soft.cost(soft.value(model)) == paid


@pytest.mark.parametrize("size", range(1, 8))
def test_a_totalizer_bounds_sums_as_it_grows(size: int) -> None:
    """Asked for one number after the other, or for one alone: "fewer than k" has exactly the
    choices with fewer than k literals true.
    """
    for numbers in (range(1, size + 1), [size], [(size + 1) // 2]):
        cnf = Cnf(np.zeros(0, np.int64), np.zeros(0, np.int64), size, size)
        inputs = [x if x % 3 else -x for x in range(1, size + 1)]
        total, clauses = Totalizer(inputs), [[1, -1]]
        for number in numbers:
            output, more = total.at_least(number, cnf.new_variable)
            clauses += more
            with pysat_solvers.Solver("minisat22", bootstrap_with=clauses) as solver:
                for choice in product((False, True), repeat=size):
                    chosen = [x if on else -x for x, on in zip(inputs, choice, strict=True)]
                    fewer = sum(choice) < number
                    assert solver.solve(assumptions=[*chosen, -output]) == fewer
        assert total.at_least(max(numbers), cnf.new_variable)[1] == []
