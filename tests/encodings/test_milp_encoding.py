"""The integer linear model, piece by piece: tables, counts, facts and cuts."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import assume, given, settings
from plumbench.encodings.cuts import connectivity_cuts, cycle_cuts, reach_cuts
from plumbench.encodings.linear import LinearModel
from plumbench.encodings.linear_domains import local_form
from plumbench.encodings.milp import MilpEncoding
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Table
from plumbench.puzzles.topology import Square
from plumbench.solvers.highs import LiveModel
from plumbench.solvers.run import solutions
from scipy.optimize import linprog
from strategies import any_piece, letters, multigraphs, small_multigraph

Keys = set[bytes]


def models(encoding: MilpEncoding, most: float = inf) -> Keys:
    """All solutions of the model as it stands, or so many, projected on the ports; they end up
    excluded.
    """
    found: Keys = set()
    highs = LiveModel()
    while not encoding.model.impossible and len(found) < most:
        values = highs.solve(encoding.model)
        if not isinstance(values, np.ndarray):
            assert values is None
            break
        solution = encoding.solution(values)
        assert solution.tobytes() not in found
        found.add(solution.tobytes())
        terms, least = encoding.others(solution)
        encoding.model.row(terms, least)
    highs.close()
    return found


def brute(puzzle: Puzzle) -> Keys:
    """All solutions by brute force."""
    return {solution.tobytes() for solution in solutions(puzzle, "brute")}


def alone(domain: Table | Counts, degree: int) -> Puzzle:
    """One vertex with that domain, all of whose ports are free stubs."""
    return Puzzle.build([(degree, domain)], free=[(0, i) for i in range(degree)])


@settings(max_examples=40)
@given(multigraphs())
def test_models_are_the_solutions_without_connectivity(puzzle: Puzzle) -> None:
    """With leaks forbidden alone, the models are exactly the solutions, each once."""
    puzzle = puzzle.with_rules(Rules())
    assert models(MilpEncoding(puzzle)) == brute(puzzle)


@settings(max_examples=20)
@given(multigraphs(all_rules=True, max_vertices=3, max_edges=4))
def test_leaks_are_local(puzzle: Puzzle) -> None:
    """So they are with leaks allowed, and sealed: where nothing must be reached, wet columns
    leave exactly the ports that leak in no component of a source.
    """
    assume(all(isinstance(domain, Table) for domain in puzzle.domains))
    sources = puzzle.rules.sources or (0,)
    for rules in (Rules("allowed"), Rules("sealed", "reach", sources=sources)):
        ruled = puzzle.with_rules(rules)
        right, found = brute(ruled), models(MilpEncoding(ruled), most=20)
        assert found <= right
        assert len(found) == min(20, len(right))


@settings(max_examples=30)
@given(multigraphs(all_rules=True, max_vertices=4, max_edges=5))
def test_facts_lose_no_solution_under_any_rule(puzzle: Puzzle) -> None:
    """Every solution of brute force keeps all rows, with some values of the other columns."""
    encoding, highs = MilpEncoding(puzzle), LiveModel()
    for key in sorted(brute(puzzle))[:10]:
        fixed = {
            int(column): int(on)
            for column, on in zip(encoding.column, np.frombuffer(key, np.bool_), strict=True)
            if column >= 0
        }
        assert not encoding.model.impossible
        assert isinstance(highs.solve(encoding.model, fixed=fixed), np.ndarray)
    highs.close()


@settings(max_examples=40)
@given(multigraphs())
def test_facts_lose_no_solution(puzzle: Puzzle) -> None:
    """Facts drawn from connect and acyclic exclude wrong assignments only."""
    assert models(MilpEncoding(puzzle)) >= brute(puzzle)


@settings(max_examples=40)
@given(multigraphs())
def test_cuts_lose_no_solution(puzzle: Puzzle) -> None:
    """The cuts of every wrong assignment together exclude all of those and no solution."""
    matches = brute(puzzle.with_rules(Rules()))
    encoding = MilpEncoding(puzzle)
    for key in sorted(matches)[:100]:
        wrong = np.frombuffer(key, dtype=np.bool_)
        cuts = connectivity_cuts(puzzle, wrong) if puzzle.rules.connect == "used" else []
        for cut in [*cuts, *(cycle_cuts(puzzle, wrong) if puzzle.rules.acyclic else [])]:
            encoding.add_cut(cut)
    right, found = brute(puzzle), models(encoding)
    assert found >= right
    if len(matches) <= 100:
        assert found == right


def test_a_cut_is_added_once_and_asks_for_two_edges() -> None:
    """Two halves are cut off by the same edges: one row; all openings are even, so two edges."""
    puzzle = letters("LLLL", "LLLL").puzzle
    encoding = MilpEncoding(puzzle)
    (key,) = models(MilpEncoding(puzzle.with_rules(Rules())))
    cuts = connectivity_cuts(puzzle, np.frombuffer(key, dtype=np.bool_))
    for cut in [*cuts, *cuts]:
        encoding.add_cut(cut)
    assert (encoding.cuts, len(cuts), encoding.model.least[-1]) == (1, 2, 2)
    assert models(encoding) == set()


def test_a_free_stub_or_an_odd_piece_leaves_the_parity_open() -> None:
    """Only where the openings' parity is known may a cut ask for two edges."""
    encoding = MilpEncoding(small_multigraph())
    assert encoding.parity.tolist() == [0, 0, 0, -1, -1]
    assert MilpEncoding(letters("ET", "LX").puzzle).parity.tolist() == [1, 1, 0, 0]
    assert MilpEncoding(alone(EVEN, 3)).parity.tolist() == [-1]


def test_one_column_per_edge_and_per_free_stub() -> None:
    """Both ports of an edge, a loop's, too, share a column; a closed stub has none."""
    puzzle = small_multigraph()
    encoding = MilpEncoding(puzzle)
    assert encoding.variables == puzzle.edges + int(puzzle.free.sum())
    first, second = encoding.column[puzzle.edge_ports].T
    assert (first == second).all()
    assert ((encoding.column < 0) == ((puzzle.edge_of < 0) & ~puzzle.free)).all()


def test_tables_are_projected() -> None:
    """A loop keeps the masks that agree on its ports, a closed stub those that leave it."""
    table = Table(4, (0, 3, 5, 8, 9, 12, 15))
    by_loop = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 1)]
    assert local_form(table, (0, 0, 1, 2)).rows == by_loop
    closed = local_form(table, (0, 1, 2, -1))
    assert (closed.rest, closed.pairs) == ([0, 1, 2], [])
    assert closed.rows == [(0, 0, 0), (1, 0, 1), (1, 1, 0)]
    assert local_form(Table(2, (1,)), (-1, 0)).impossible


@pytest.mark.parametrize(
    ("masks", "columns", "rows"),
    [
        ((1, 2, 4, 8), 4, 1),
        ((7, 11, 13, 14), 4, 1),
        ((3, 6, 9, 12), 4, 2),
        ((5, 10), 4, 3),
        ((15,), 4, 0),
        (tuple(range(16)), 4, 0),
        ((0, 3, 5, 9), 8, 5),
        ((0, 3, 5, 6, 9, 10, 12, 15), 12, 5),
    ],
)
def test_tables_are_tight(masks: tuple[int, ...], columns: int, rows: int) -> None:
    """Whatever is maximised, the linear relaxation of one piece attains it at a mask; ends,
    tees, elbows, straights and crosses need no further columns.
    """
    model = MilpEncoding(alone(Table(4, masks), 4)).model
    assert (model.columns, model.rows) == (columns, rows)
    matrix = np.zeros((model.rows, model.columns))
    for row in range(model.rows):
        part = slice(model.start[row], model.start[row + 1])
        matrix[row, model.index[part]] = model.value[part]
    sides = np.concatenate([matrix, -matrix])
    limits = np.concatenate([model.most, [-x for x in model.least]])
    bounds = list(zip(model.lower, model.upper, strict=True))
    for seed in range(20):
        weights = np.zeros(model.columns)
        weights[:4] = np.random.default_rng(seed).normal(size=4)
        found = linprog(-weights, A_ub=sides if model.rows else None,
                        b_ub=limits if model.rows else None, bounds=bounds)  # fmt: skip
        best = max(sum(weights[i] for i in range(4) if mask >> i & 1) for mask in masks)
        assert -found.fun == pytest.approx(best)


@pytest.mark.parametrize(
    ("domain", "further"),
    [
        (EVEN, 1),
        (Counts(frozenset({1, 4, 7})), 1),
        (Counts(frozenset({0, 1, 5})), 3),
        (Counts(frozenset({2, 3, 4})), 0),
        (Counts(frozenset({12})), None),
    ],
)
def test_counts_of_high_degree(domain: Counts, further: int | None) -> None:
    """A hub of seven edges, one a loop that counts two, is right for every number."""
    hub = [(8, domain), *[(1, Table(1, (0, 1)))] * 6]
    puzzle = Puzzle.build(hub, [(0, 0, 0, 1), *((0, 2 + i, 1 + i, 0) for i in range(6))])
    encoding = MilpEncoding(puzzle)
    assert encoding.model.impossible == (further is None)
    if further is not None:
        assert encoding.model.columns == puzzle.edges + further
    assert models(encoding) == brute(puzzle)


def test_optional_vertices_make_cuts_conditional() -> None:
    """The empty board and single rings remain, two rings go."""
    puzzle = any_piece(Square(3, 2), (0, 3, 5, 6, 9, 10, 12), Rules(connect="used"))
    assert models(MilpEncoding(puzzle)) == brute(puzzle)
    wide = any_piece(Square(5, 2), (0, 3, 5, 6, 9, 10, 12), Rules(connect="used"))
    right, wrong = brute(wide), models(MilpEncoding(wide)) - brute(wide)
    assert wrong
    encoding = MilpEncoding(wide)
    for key in sorted(wrong):
        for cut in connectivity_cuts(wide, np.frombuffer(key, dtype=np.bool_)):
            encoding.add_cut(cut)
    assert models(encoding) == right


def test_whole_numbers_are_judged_exactly() -> None:
    """A row or bound that is broken by one is seen, and so is what excludes everything."""
    model = LinearModel()
    x, y = model.column(), model.column(0, 3)
    model.row([(x, 2), (y, -1)], 0, 0)
    for values, right in (((0, 0), True), ((1, 2), True), ((1, 1), False), ((2, 3), False)):
        assert model.holds(np.array(values)) is right
    model.row([], 0, 1)
    assert not model.impossible
    model.row([], least=1)
    assert model.impossible
    assert not model.holds(np.array((0, 0)))


def test_joined_is_a_function_of_the_ports() -> None:
    """Where leaks are allowed each port has a column, a closed stub's too, and an edge joins
    exactly if both of its ports are open; a loop's are two ports.
    """
    free = Puzzle.build(
        [(4, Table(4, tuple(range(16)))), (3, Table(3, tuple(range(8))))],
        [(0, 0, 0, 1), (0, 2, 1, 0)],
        rules=Rules("allowed"),
    )
    encoding, highs = MilpEncoding(free), LiveModel()
    assert encoding.variables == free.ports
    joined = [encoding.joined(edge) for edge in range(2)]
    assert joined == [encoding.joined(edge) for edge in range(2)]
    ports = free.edge_ports.ravel().tolist()
    for bits in range(16):
        fixed = {port: bits >> i & 1 for i, port in enumerate(ports)}
        values = highs.solve(encoding.model, fixed=fixed)
        assert isinstance(values, np.ndarray)
        assert [values[j] for j in joined] == [bits & 3 == 3, bits >> 2 == 3]
    highs.close()


def test_a_dry_sink_with_no_way_out_is_a_contradiction() -> None:
    """A cut without edges leaves no solution."""
    puzzle = letters("EE", "EE").puzzle.with_rules(Rules(connect="reach", sinks=(3,)))
    encoding = MilpEncoding(puzzle)
    [key, *_] = brute(puzzle.with_rules(Rules()))
    wrong = np.frombuffer(key, dtype=np.bool_)
    for cut in reach_cuts(puzzle, wrong):
        encoding.add_cut(cut)
    assert models(encoding) == set()
