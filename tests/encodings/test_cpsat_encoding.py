"""The CP-SAT model, piece by piece: domains, facts, cuts and the flow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from plumbench.encodings.cpsat import CpsatEncoding, _table
from plumbench.encodings.cpsat_flow import add_flow
from plumbench.encodings.cuts import connectivity_cuts
from plumbench.puzzles.check import check
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Table
from plumbench.puzzles.topology import Square
from plumbench.solvers.contract import Limits
from plumbench.solvers.cpsat_run import Calls, Parameters
from plumbench.solvers.run import solutions
from strategies import any_piece, boards, letters, multigraphs, small_multigraph

Keys = set[bytes]


def models(encoding: CpsatEncoding) -> Keys:
    """All solutions of the model as it stands, projected on the ports."""
    found: Keys = set()

    def take(values: tuple[int, ...]) -> bool:
        found.add(encoding.solution(values).tobytes())
        return True

    calls = Calls(Parameters(), Limits(), {})
    assert calls.enumerate(encoding.model, encoding.variables, take) is True
    return found


def brute(puzzle: Puzzle) -> Keys:
    """All solutions by brute force."""
    return {solution.tobytes() for solution in solutions(puzzle, "brute")}


def feasible(encoding: CpsatEncoding, fixed: np.ndarray) -> bool:
    """Whether the model allows this solution."""
    model = encoding.model.clone()
    on = np.zeros(len(encoding.variables) + 1, dtype=np.bool_)
    on[encoding.column] = fixed
    for variable, value in zip(encoding.variables, on.tolist(), strict=False):
        model.add(variable == int(value))
    return Calls(Parameters(), Limits(), {}).solve(model, encoding.variables) is not None


@settings(max_examples=80)
@given(multigraphs())
def test_models_are_the_solutions_without_connectivity(puzzle: Puzzle) -> None:
    """With leaks forbidden alone, the models are exactly the solutions."""
    puzzle = puzzle.with_rules(Rules())
    assert models(CpsatEncoding(puzzle)) == brute(puzzle)


@settings(max_examples=80)
@given(multigraphs())
def test_facts_lose_no_solution(puzzle: Puzzle) -> None:
    """Facts drawn from connect and acyclic exclude wrong assignments only."""
    assert models(CpsatEncoding(puzzle)) >= brute(puzzle)


@settings(max_examples=60)
@given(multigraphs())
def test_flow_exists_exactly_if_connected(puzzle: Puzzle) -> None:
    """Of the assignments without leaks the flow model allows those that hang together."""
    rules = Rules(connect="used", needed=puzzle.rules.needed)
    encoding = CpsatEncoding(puzzle.with_rules(rules))
    add_flow(encoding)
    for key in sorted(brute(puzzle.with_rules(Rules())))[:40]:
        solution = np.frombuffer(key, dtype=np.bool_)
        assert feasible(encoding, solution) == check(encoding.puzzle, solution).ok


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
            encoding.add_cut(cut)
    assert models(encoding) == right


def test_a_cut_is_added_once() -> None:
    """Two halves are cut off by the same edges: one clause, however often it is found."""
    puzzle = letters("LLLL", "LLLL").puzzle
    encoding = CpsatEncoding(puzzle)
    (key,) = models(CpsatEncoding(puzzle.with_rules(Rules())))
    cuts = connectivity_cuts(puzzle, np.frombuffer(key, dtype=np.bool_))
    for cut in [*cuts, *cuts]:
        encoding.add_cut(cut)
    assert (encoding.cuts, len(cuts)) == (1, 2)
    assert models(encoding) == set()


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
    table = Table(4, (0, 3, 5, 8, 9, 12, 15))
    by_loop = ((0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 1))
    assert _table(table, (0, 0, 1, 2))[0] == by_loop
    assert _table(table, (0, 1, 2, -1))[0] == ((0, 0, 0), (1, 0, 1), (1, 1, 0))


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
    assert _table(Table(3, masks), (0, 1, 2))[1] == sums


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
