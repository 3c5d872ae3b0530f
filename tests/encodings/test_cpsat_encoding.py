"""The CP-SAT model, piece by piece: domains, facts, cuts and the flow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from plumbench.encodings.cpsat import CpsatEncoding
from plumbench.encodings.cpsat_costs import add_objective
from plumbench.encodings.cpsat_domains import table
from plumbench.encodings.cpsat_flow import add_flow
from plumbench.encodings.cuts import connectivity_cuts, violated
from plumbench.puzzles.check import check, cost
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Table
from plumbench.puzzles.topology import Square
from plumbench.solvers.contract import Limits
from plumbench.solvers.cpsat_run import Calls, Parameters
from plumbench.solvers.run import count, optimise, solutions
from strategies import any_piece, boards, letters, multigraphs, small_multigraph, turned, with_costs

Keys = set[bytes]
CALLS = Calls(Parameters(), Limits(), {})


def models(encoding: CpsatEncoding) -> Keys:
    """All solutions of the model as it stands, projected on the ports."""
    found: Keys = set()

    def take(values: tuple[int, ...]) -> bool:
        found.add(encoding.solution(values).tobytes())
        return True

    assert CALLS.enumerate(encoding.model, encoding.variables, take) is True
    return found


def brute(puzzle: Puzzle) -> Keys:
    """All solutions by brute force."""
    return {solution.tobytes() for solution in solutions(puzzle, "brute")}


def feasible(encoding: CpsatEncoding, fixed: np.ndarray) -> bool:
    """Whether the model allows this solution."""
    model = encoding.model.clone()
    for variable, value in zip(encoding.variables, encoding.values(fixed), strict=True):
        model.add(variable == int(value))
    return CALLS.solve(model, encoding.variables) is not None


def ports(keys: Keys) -> list[np.ndarray]:
    """Solutions, at most 40 of them."""
    return [np.frombuffer(key, dtype=np.bool_) for key in sorted(keys)[:40]]


@settings(max_examples=120)
@given(multigraphs(all_rules=True))
def test_models_are_the_solutions_without_connectivity(puzzle: Puzzle) -> None:
    """Without sinks and cycles forbidden, the models are exactly the solutions, whatever leaks."""
    leaks, sources = puzzle.rules.leaks, puzzle.rules.sources
    rules = Rules("sealed", "reach", sources=sources) if leaks == "sealed" else Rules(leaks)
    puzzle = puzzle.with_rules(rules)
    assert models(CpsatEncoding(puzzle)) == brute(puzzle)


@settings(max_examples=120)
@given(multigraphs(all_rules=True))
def test_facts_lose_no_solution(puzzle: Puzzle) -> None:
    """Facts drawn from connect, acyclic and sealed exclude wrong assignments only."""
    assert models(CpsatEncoding(puzzle)) >= brute(puzzle)


@settings(max_examples=120)
@given(multigraphs(all_rules=True))
def test_flow_exists_exactly_if_connected(puzzle: Puzzle) -> None:
    """Of the assignments that are right but for connect the flow model allows those that hang
    together, or whose sinks are reached; of those under sealed that are right at all, each.
    """
    puzzle = puzzle.with_rules(replace(puzzle.rules, acyclic=False))
    encoding = CpsatEncoding(puzzle)
    add_flow(encoding)
    for solution in ports(models(CpsatEncoding(puzzle))):
        assert feasible(encoding, solution) == check(puzzle, solution).ok


@settings(max_examples=120)
@given(multigraphs(all_rules=True))
def test_cuts_part_right_models_from_wrong_ones(puzzle: Puzzle) -> None:
    """A model has cuts exactly if it breaks a rule; together they leave the solutions."""
    encoding, right = CpsatEncoding(puzzle), brute(puzzle)
    for _ in range(50):
        wrong = models(encoding) - right
        if not wrong:
            break
        for key in sorted(wrong):
            cuts = violated(puzzle, np.frombuffer(key, dtype=np.bool_))
            assert cuts
            encoding.add_cuts(cuts)
    assert models(encoding) == right
    assert not any(violated(puzzle, solution) for solution in ports(right))


@settings(max_examples=120)
@given(with_costs(multigraphs(all_rules=True)))
def test_the_objective_is_the_cost(puzzle: Puzzle) -> None:
    """In every model the objective's value is what the checker says the solution costs."""
    encoding = CpsatEncoding(puzzle, priced=True)
    expression = add_objective(encoding)
    encoding.model.clear_objective()
    width, seen = len(encoding.variables), 0

    def take(values: tuple[int, ...]) -> bool:
        nonlocal seen
        seen += 1
        assert values[width] == cost(puzzle, encoding.solution(values[:width]))
        return seen < 40

    terms = [*encoding.variables, expression]
    assert CALLS.enumerate(encoding.model, terms, take) in (True, False)


def test_costs_of_counts() -> None:
    """A mask that a vertex of counts cannot have, or that a loop cannot, costs nothing."""
    puzzle = Puzzle.build(
        [(3, Counts(frozenset({1, 2}))), (1, Table(1, (0, 1)))],
        [(0, 0, 0, 1), (0, 2, 1, 0)],
        mask_costs=[[(1, 100), (3, 7), (4, 5), (7, 100), (8, 100)], []],
    )
    answers = [optimise(turned(puzzle, maximise), "cpsat") for maximise in (False, True)]
    assert [answer.cost for answer in answers] == [5, 7]


def test_water_without_a_source_dries_up() -> None:
    """Far from the source two rings may be wet or not: four models, and one once cut."""
    ring = [(2, Table(2, (3,)))] * 2
    puzzle = Puzzle.build(
        [*ring, *ring, (1, Table(1, (1,))), (1, Table(1, (1,)))],
        [(0, 0, 1, 0), (0, 1, 1, 1), (2, 0, 3, 0), (2, 1, 3, 1), (4, 0, 5, 0)],
        rules=Rules("sealed", "reach", sources=(4,), sinks=(5,)),
    )
    encoding = CpsatEncoding(puzzle)
    width, found = len(encoding.variables), []

    def take(values: tuple[int, ...]) -> bool:
        found.append(values)
        return True

    terms = [*encoding.variables, *encoding.wet]
    assert CALLS.enumerate(encoding.model, terms, take) is True
    assert (len(found), len({values[:width] for values in found})) == (4, 1)
    for values in found:
        for part in encoding.unfounded(encoding.solution(values[:width]), values[width:]):
            encoding.dry(part)
    found.clear()
    assert CALLS.enumerate(encoding.model, terms, take) is True
    assert len(found) == 1
    assert count(puzzle, "cpsat").value == 1


@settings(max_examples=60)
@given(multigraphs())
def test_block_excludes_one_solution(puzzle: Puzzle) -> None:
    """Blocking takes away the solution given and leaves all others."""
    puzzle = puzzle.with_rules(Rules())
    encoding = CpsatEncoding(puzzle)
    before = models(encoding)
    for key in sorted(before)[:2]:
        encoding.block(np.frombuffer(key, dtype=np.bool_))
        before.remove(key)
        assert models(encoding) == before


def test_cuts_exclude_the_solution_they_come_from_and_no_right_one() -> None:
    """Optional vertices make a cut conditional: the empty board and other rings remain."""
    puzzle = any_piece(Square(5, 2), (0, 3, 5, 6, 9, 10, 12), Rules(connect="used"))
    encoding = CpsatEncoding(puzzle)
    right, wrong = brute(puzzle), models(encoding) - brute(puzzle)
    assert wrong
    for key in sorted(wrong):
        for cut in connectivity_cuts(puzzle, np.frombuffer(key, dtype=np.bool_)):
            encoding.add_cuts([cut])
    assert models(encoding) == right


def test_a_cut_is_added_once() -> None:
    """Two halves are cut off by the same edges: one clause, however often it is found."""
    puzzle = letters("LLLL", "LLLL").puzzle
    encoding = CpsatEncoding(puzzle)
    (key,) = models(CpsatEncoding(puzzle.with_rules(Rules())))
    cuts = connectivity_cuts(puzzle, np.frombuffer(key, dtype=np.bool_))
    assert (encoding.add_cuts([*cuts, *cuts]), len(cuts)) == (1, 2)
    assert encoding.add_cuts(cuts) == 0
    assert models(encoding) == set()


def test_one_variable_per_port_where_leaks_may_be() -> None:
    """Under allowed and sealed every port, a closed stub's, too, has its own variable."""
    tables = Puzzle.build([(3, Table(3, (0, 3, 7)))], [(0, 0, 0, 1)], rules=Rules("allowed"))
    encoding = CpsatEncoding(tables)
    assert encoding.column.tolist() == [0, 1, 2]
    assert len(encoding.joined) == 1
    assert len(models(encoding)) == 3


def test_one_variable_per_edge_and_per_free_stub() -> None:
    """Both ports of an edge, a loop's, too, share a variable; a closed stub has none."""
    puzzle = small_multigraph()
    encoding = CpsatEncoding(puzzle)
    assert len(encoding.variables) == puzzle.edges + int(puzzle.free.sum())
    first, second = encoding.column[puzzle.edge_ports].T
    assert (first == second).all()
    assert ((encoding.column < 0) == ((puzzle.edge_of < 0) & ~puzzle.free)).all()


def test_tables_are_projected() -> None:
    """A loop keeps the masks that agree on its ports, a closed stub those that leave it."""
    domain = Table(4, (0, 3, 5, 8, 9, 12, 15))
    by_loop = ((0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 1))
    assert table(domain, (0, 0, 1, 2))[0] == by_loop
    assert table(domain, (0, 1, 2, -1))[0] == ((0, 0, 0), (1, 0, 1), (1, 1, 0))


@pytest.mark.parametrize(
    ("masks", "sums"),
    [
        ((1, 2, 4), (1,)),
        ((3, 5, 6), (2,)),
        ((0, 3, 5, 6), (0, 2)),
        (tuple(range(8)), (0, 1, 2, 3)),
        ((1, 2), None),
        ((0, 3), None),
    ],
)
def test_tables_of_counts_are_recognised(masks: tuple[int, ...], sums: tuple[int, ...]) -> None:
    """A table is replaced by a sum only if it holds every row of each of its sums."""
    assert table(Table(3, masks), (0, 1, 2))[1] == sums


@pytest.mark.parametrize("domain", [EVEN, Counts(frozenset({0, 2})), Counts(frozenset({1, 9, 12}))])
def test_counts_of_high_degree(domain: Counts) -> None:
    """A hub of degree 12, two of whose ports are a loop's, is right for every number."""
    hub = [(12, domain), *[(1, Table(1, (0, 1)))] * 10]
    edges = [(0, 0, 0, 1), *((0, 2 + i, 1 + i, 0) for i in range(10))]
    puzzle = Puzzle.build(hub, edges)
    numbers = domain.numbers(12)
    expected = sum(
        (2 * loop + spokes.bit_count()) in numbers for loop in (0, 1) for spokes in range(1 << 10)
    )
    assert len(models(CpsatEncoding(puzzle))) == expected


def test_ends_do_not_meet_beside_a_third_vertex() -> None:
    """Two ends may join where nothing else is in use, and only there."""
    alone, beside = letters("EE").puzzle, letters("EEI").puzzle
    assert len(models(CpsatEncoding(alone))) == 1
    assert len(models(CpsatEncoding(letters("EE", "..").puzzle))) == 1
    assert models(CpsatEncoding(beside)) == set()


@settings(max_examples=60)
@given(boards(rules="tree"))
def test_tree_models_that_are_connected_are_trees(board) -> None:
    """The number of edges makes a connected model acyclic: no cycle is ever looked for."""
    for key in models(CpsatEncoding(board.puzzle)):
        solution = np.frombuffer(key, dtype=np.bool_)
        if not connectivity_cuts(board.puzzle, solution):
            assert check(board.puzzle, solution).ok


def test_an_empty_clause_is_no_invalid_model() -> None:
    """A vertex that fits nothing makes the model infeasible, not invalid."""
    puzzle = Puzzle.build([(1, Table(1, (1,)))])
    encoding = CpsatEncoding(puzzle)
    assert encoding.model.validate() == ""
    assert models(encoding) == set()
