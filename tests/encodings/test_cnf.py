"""Prime implicates, counters, and the clauses of whole puzzles."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plumbench.encodings.cnf import Cnf, encode
from plumbench.encodings.counters import counter, parity
from plumbench.encodings.implicates import prime_implicates, project
from plumbench.puzzles.check import check
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, joined_edges
from strategies import (
    TINY_HEXAGONAL,
    assignments,
    letters,
    multigraphs,
    small_multigraph,
    tiny_hexagonal,
)

pysat_solvers = pytest.importorskip("pysat.solvers")

NOTHING = np.zeros(0, dtype=np.int64)


def models(clauses: Sequence[Sequence[int]], variables: int) -> set[tuple[bool, ...]]:
    """All models over exactly these variables, each once."""
    if not all(clauses):
        return set()
    found = set()
    with pysat_solvers.Solver("minisat22", bootstrap_with=clauses) as solver:
        while solver.solve():
            true = {x for x in solver.get_model() if x > 0}
            model = tuple(v in true for v in range(1, variables + 1))
            assert model not in found
            found.add(model)
            if not variables:
                break
            solver.add_clause([-v if on else v for v, on in enumerate(model, 1)])
    return found


def propagate(clauses: Sequence[Sequence[int]], literals: Sequence[int]) -> set[int] | None:
    """What unit propagation makes of these literals; None for a conflict."""
    true, changed = set(literals), True
    while changed:
        changed = False
        for clause in clauses:
            if any(x in true for x in clause):
                continue
            left = [x for x in clause if -x not in true]
            if not left:
                return None
            if len(left) == 1:
                true.add(left[0])
                changed = True
    return true


def partial_assignments(inputs: int) -> Iterator[list[int]]:
    """Every choice of true, false or open for each input, as literals."""
    for signs in product((-1, 0, 1), repeat=inputs):
        yield [sign * (i + 1) for i, sign in enumerate(signs) if sign]


def random_tables(seed: int, inputs: int, number: int) -> Iterator[frozenset[int]]:
    """Tables of every density."""
    rng = random.Random(seed)
    for _ in range(number):
        density = rng.random()
        yield frozenset(m for m in range(1 << inputs) if rng.random() < density)


def literal_holds(literal: int, mask: int) -> bool:
    """Whether a mask makes a literal true."""
    return (mask >> abs(literal) - 1 & 1) == (literal > 0)


@pytest.mark.parametrize("inputs", range(5))
def test_prime_implicates_are_exactly_the_minimal_implied_clauses(inputs: int) -> None:
    """They equal the minimal clauses, among all there are, that no allowed mask breaks."""
    for allowed in random_tables(inputs, inputs, 40):
        implied = {
            frozenset(clause)
            for clause in partial_assignments(inputs)
            if all(any(literal_holds(x, m) for x in clause) for m in allowed)
        }
        minimal = {c for c in implied if not any(c - {x} in implied for x in c)}
        assert {frozenset(c) for c in prime_implicates(inputs, allowed)} == minimal


@pytest.mark.parametrize(("inputs", "number"), [(3, 60), (4, 30), (6, 3)])
def test_unit_propagation_on_prime_implicates_does_gac(inputs: int, number: int) -> None:
    """From any partial assignment, it derives what all remaining masks agree on, or conflict."""
    for allowed in random_tables(inputs, inputs, number):
        clauses = prime_implicates(inputs, allowed)
        for given_literals in partial_assignments(inputs):
            left = [m for m in allowed if all(literal_holds(x, m) for x in given_literals)]
            derived = propagate(clauses, given_literals)
            if not left:
                assert derived is None
                continue
            literals = [x for i in range(1, inputs + 1) for x in (i, -i)]
            assert derived == {x for x in literals if all(literal_holds(x, m) for m in left)}


def test_eight_inputs_keep_exactly_the_table() -> None:
    """At the greatest degree, the clauses allow the table's masks and no others."""
    for allowed in random_tables(8, 8, 3):
        clauses = prime_implicates(8, allowed)
        for mask in range(256):
            held = all(any(literal_holds(x, mask) for x in clause) for clause in clauses)
            assert held == (mask in allowed)


def test_a_loop_identifies_two_inputs() -> None:
    """Masks that open one end of a loop, or a closed stub, are gone; others keep their bits."""
    assert project((0, 1, 3, 4, 7, 8), (0, 0, 2, -1)) == ((0, 2), {0b00, 0b01, 0b10, 0b11})


@given(
    weights=st.lists(st.sampled_from([1, 1, 2]), max_size=7),
    numbers=st.sets(st.integers(0, 9), min_size=1),
)
def test_a_counter_has_one_model_for_every_right_choice(
    weights: list[int], numbers: set[int]
) -> None:
    """Its models, auxiliaries included, are one to one with the inputs' right choices."""
    cnf = Cnf(NOTHING, NOTHING, len(weights), len(weights))
    inputs = list(range(1, len(weights) + 1))
    clauses = counter(inputs, weights, numbers, cnf.new_variable)
    found = models(clauses, cnf.variables)
    right = {
        choice
        for choice in product((False, True), repeat=len(weights))
        if sum(w for w, on in zip(weights, choice, strict=True) if on) in numbers
    }
    assert len(found) == len(right)
    assert {model[: len(weights)] for model in found} == right


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("inputs", range(12))
def test_a_cut_parity_has_one_model_for_every_right_choice(inputs: int, odd: bool) -> None:
    """Half of all choices, each extended in one way, and none of the other half."""
    cnf = Cnf(NOTHING, NOTHING, inputs, inputs)
    clauses = parity(range(1, inputs + 1), odd, cnf.new_variable)
    found = models(clauses, cnf.variables)
    assert len({model[:inputs] for model in found}) == len(found)
    assert len(found) == ((1 << inputs - 1) if inputs else int(not odd))
    assert all(sum(model[:inputs]) % 2 == odd for model in found)


def triangle_counts() -> Puzzle:
    """x1+x3+x5 = 1, x1+x2+x4 = 1, x2+x4+x6 = 2: edges shared by two counts, stubs by one."""
    one, two = Counts(frozenset({1})), Counts(frozenset({2}))
    return Puzzle.build(
        [(3, one), (3, one), (3, two)],
        [(0, 0, 1, 0), (1, 1, 2, 0), (1, 2, 2, 1)],
        free=[(0, 1), (0, 2), (2, 2)],
    )


@pytest.mark.parametrize("small_counts", [0, 2, 6])
def test_auxiliaries_of_counters_never_collide_with_ports(small_counts: int) -> None:
    """Case P04: with a counter's ids among the ports' it was unsatisfiable; there are 4."""
    cnf = encode(triangle_counts(), small_counts=small_counts)
    assert (cnf.variables > cnf.problem) == (small_counts < 3)
    assert len(models(cnf.clauses, cnf.variables)) == 4


@settings(max_examples=80)
@given(puzzle=multigraphs(), small_counts=st.sampled_from([0, 2, 6]))
def test_models_are_the_match_solutions(puzzle: Puzzle, small_counts: int) -> None:
    """All models, auxiliaries included, are one to one with what the checker accepts."""
    match = puzzle.with_rules(Rules())
    cnf = encode(match, small_counts=small_counts)
    found = models(cnf.clauses, cnf.variables)
    decoded = {
        cnf.decode([v if on else -v for v, on in enumerate(model, 1)]).tobytes() for model in found
    }
    right = {s.tobytes() for s in assignments(match) if check(match, s).ok}
    assert decoded == right
    assert len(found) == len(right)


@pytest.mark.parametrize("degree", [7, 8, 9, 12, 20])
@pytest.mark.parametrize(
    ("counts", "right"),
    [
        (EVEN, lambda n: n % 2 == 0),
        (Counts(frozenset({1, 3, 5, 7, 9, 11, 13, 15, 17, 19})), lambda n: n % 2 == 1),
        (Counts(frozenset({0, 2})), lambda n: n in (0, 2)),
        (Counts(frozenset({30})), lambda n: False),
        (Counts(frozenset(range(30))), lambda n: True),
    ],
    ids=["even", "odd", "none or two", "too many", "any"],
)
def test_counts_of_high_degree(degree: int, counts: Counts, right: object) -> None:
    """Assuming any choice of the ports, the clauses agree with the number of open ports."""
    assert callable(right)
    puzzle = Puzzle.build([(degree, counts)], free=[(0, i) for i in range(degree)])
    cnf = encode(puzzle)
    rng = random.Random(degree)
    if not all(cnf.clauses):
        assert not any(right(n) for n in range(degree + 1))
        return
    with pysat_solvers.Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        for _ in range(200):
            number = rng.choice([0, 1, 2, 3, rng.randint(0, degree)])
            on = set(rng.sample(range(1, degree + 1), number))
            chosen = [v if v in on else -v for v in range(1, degree + 1)]
            assert solver.solve(assumptions=chosen) == right(number)


def test_both_ports_of_an_edge_share_a_variable() -> None:
    """Leaks forbidden: as many variables as edges and free stubs; closed stubs have none."""
    puzzle = small_multigraph()
    cnf = encode(puzzle)
    assert cnf.problem == puzzle.edges + int(puzzle.free.sum())
    assert (cnf.of_port[puzzle.edge_ports[:, 0]] == cnf.of_port[puzzle.edge_ports[:, 1]]).all()
    assert (cnf.of_port[(puzzle.twin < 0) & ~puzzle.free] == 0).all()


@pytest.mark.parametrize("kind", TINY_HEXAGONAL)
def test_six_port_masks_are_written_the_same_way(kind: str) -> None:
    """A hexagonal board has as many models as match solutions."""
    cnf = encode(tiny_hexagonal(kind, "match").puzzle)
    assert len(models(cnf.clauses, cnf.variables)) == TINY_HEXAGONAL[kind][-1][0]


def test_a_blocking_clause_excludes_one_solution() -> None:
    """It is false under that solution's literals and true under any other's."""
    board = letters("LL", "LL", rules="match")
    cnf = encode(board.puzzle)
    solution = np.ones(board.puzzle.ports, dtype=np.bool_)
    solution[cnf.of_port == 0] = False
    assert cnf.blocking(solution) == [-1, -2, -3, -4]
    solution[cnf.of_port == 3] = False
    assert cnf.blocking(solution) == [-1, -2, 3, -4]


@settings(max_examples=80)
@given(puzzle=multigraphs(all_rules=True, max_vertices=4, max_edges=5))
def test_models_are_the_solutions_where_leaks_are_allowed(puzzle: Puzzle) -> None:
    """Every port has its own variable, the edges' are functions of those: one model for each
    choice of masks, and it says which edges join.
    """
    assume(puzzle.rules.leaks != "forbidden")
    puzzle = puzzle.with_rules(Rules("allowed"))
    cnf = encode(puzzle)
    found = models(cnf.clauses, cnf.variables)
    decoded = {}
    for model in found:
        solution = cnf.decode([v if on else -v for v, on in enumerate(model, 1)])
        decoded[solution.tobytes()] = [model[x - 1] for x in cnf.joined.tolist()]
        assert decoded[solution.tobytes()] == joined_edges(puzzle, solution).tolist()
    assert set(decoded) == {s.tobytes() for s in assignments(puzzle)}
    assert len(found) == len(decoded)


@settings(max_examples=80)
@given(puzzle=multigraphs(all_rules=True, max_vertices=4, max_edges=5))
def test_wet_variables_say_what_sealed_means(puzzle: Puzzle) -> None:
    """The models, on the ports alone, are what the checker accepts with no sink to be reached,
    apart from dry sinks: those may have to be sealed, since no solution leaves them dry.
    """
    assume(puzzle.rules.connect == "reach" and puzzle.rules.leaks != "forbidden")
    sealed = puzzle.with_rules(replace(puzzle.rules, leaks="sealed", acyclic=False))
    unasked = sealed.with_rules(replace(sealed.rules, sinks=()))
    for asked in (sealed, unasked):
        cnf = encode(asked)
        with pysat_solvers.Solver("minisat22", bootstrap_with=cnf.clauses or [[1, -1]]) as solver:
            for solution in assignments(asked):
                on = cnf.of_port[solution].tolist()
                off = (-cnf.of_port[~solution]).tolist()
                right = check(asked, solution).ok
                said = bool(all(cnf.clauses) and solver.solve(assumptions=on + off))
                assert said == right if asked is unasked else said or not right
