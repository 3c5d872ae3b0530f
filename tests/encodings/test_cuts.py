"""Cuts are broken by what they answer and hold in every solution; pre-cuts lose nothing."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plumbench.encodings.cuts import (
    Cut,
    always_used,
    components,
    connectivity_cuts,
    cycle_cuts,
    reach_cuts,
    used_vertices,
)
from plumbench.encodings.precuts import (
    MOST_NEIGHBOURS,
    fixed_edges,
    is_tree,
    not_together,
    refuted,
    short_cycles,
)
from plumbench.puzzles.board import Board
from plumbench.puzzles.check import check
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Solution, Table, joined_edges
from plumbench.puzzles.topology import Square
from plumbench.solvers import run
from strategies import any_piece, assignments, boards, letters, multigraphs

CONNECTED = Rules(connect="used")
EDGE = Table(1, (0, 1))


def solutions(puzzle: Puzzle) -> list[Solution]:
    """All of them: what the checker accepts of the match solutions."""
    return [s for s in leak_free(puzzle) if check(puzzle, s).ok]


def leak_free(puzzle: Puzzle) -> list[Solution]:
    """All match solutions, by brute force: the assignments that encodings ask cuts for."""
    return list(run.solutions(puzzle.with_rules(Rules()), "brute"))


def holds(puzzle: Puzzle, cut: Cut, solution: Solution) -> bool:
    """Whether a solution obeys a cut."""
    used = used_vertices(puzzle, solution)
    leaves = joined_edges(puzzle, solution)[cut.edges].any()
    return bool(leaves or not used[cut.inside] or not used[cut.outside])


@settings(max_examples=100)
@given(puzzle=multigraphs(), wanted=st.booleans())
def test_connectivity_cuts_separate_and_are_valid(puzzle: Puzzle, wanted: bool) -> None:
    """There are cuts exactly if connectivity fails; each is broken now and by no solution."""
    needed = puzzle.rules.needed if wanted else ()
    puzzle = puzzle.with_rules(Rules(connect="used", needed=needed))
    right = solutions(puzzle)
    for assignment in leak_free(puzzle):
        cuts = connectivity_cuts(puzzle, assignment)
        assert bool(cuts) != check(puzzle, assignment).ok
        for cut in cuts:
            assert not holds(puzzle, cut, assignment)
            assert all(holds(puzzle, cut, s) for s in right)


MOST_ASSIGNMENTS = 300
every_rule = multigraphs(all_rules=True, max_vertices=4, max_edges=6)


def few_assignments(puzzle: Puzzle) -> list[Solution]:
    """All choices of masks, whatever leaks; puzzles with many are passed over."""
    found = list(islice(assignments(puzzle), MOST_ASSIGNMENTS + 1))
    assume(len(found) <= MOST_ASSIGNMENTS)
    return found


@settings(max_examples=60)
@given(puzzle=every_rule)
def test_connectivity_cuts_where_leaks_are_allowed(puzzle: Puzzle) -> None:
    """Open ports that do not meet make a vertex used and join nothing; the cuts stay valid."""
    assume(puzzle.rules.leaks != "forbidden")
    puzzle = puzzle.with_rules(Rules("allowed", "used", needed=puzzle.rules.needed))
    every = few_assignments(puzzle)
    right = [s for s in every if check(puzzle, s).ok]
    for assignment in every:
        cuts = connectivity_cuts(puzzle, assignment)
        assert bool(cuts) != check(puzzle, assignment).ok
        for cut in cuts:
            assert not holds(puzzle, cut, assignment)
            assert all(holds(puzzle, cut, s) for s in right)


def reaches(puzzle: Puzzle, solution: Solution) -> bool:
    """Whether every sink shares a component with a source, by another library."""
    graph = nx.Graph(puzzle.edge_vertices[joined_edges(puzzle, solution)].tolist())
    graph.add_nodes_from(range(puzzle.vertices))
    sources = set(puzzle.rules.sources)
    return all(nx.node_connected_component(graph, s) & sources for s in puzzle.rules.sinks)


@settings(max_examples=100)
@given(puzzle=every_rule)
def test_reach_cuts_separate_and_are_valid(puzzle: Puzzle) -> None:
    """There are cuts exactly if a sink is dry; each is broken now, and by no solution of any
    leak rule. Each holds a sink and no source.
    """
    assume(puzzle.rules.connect == "reach")
    every = few_assignments(puzzle)
    right = [joined_edges(puzzle, s) for s in every if reaches(puzzle, s)]
    for assignment in every:
        cuts = reach_cuts(puzzle, assignment)
        joined = joined_edges(puzzle, assignment)
        assert bool(cuts) != reaches(puzzle, assignment)
        for cut in cuts:
            members = set(cut.vertices.tolist())
            assert cut.sink in members & set(puzzle.rules.sinks)
            assert not members & set(puzzle.rules.sources)
            assert not joined[cut.edges].any()
            assert all(s[cut.edges].any() for s in right)


def test_reach_cuts_of_a_broken_line() -> None:
    """Source, joint and two sinks in a line, nothing joined: a cut for each sink and one round
    the source; a sink that is a source needs none; without sources there is no way out.
    """
    any_mask = Table(2, (0, 1, 2, 3))
    rules = Rules("allowed", "reach", sources=(0,), sinks=(0, 2, 3))
    line = Puzzle.build([(2, any_mask)] * 4, [(v, 1, v + 1, 0) for v in range(3)], rules=rules)
    nothing = np.zeros(8, dtype=np.bool_)
    cuts = reach_cuts(line, nothing)
    assert [(c.edges.tolist(), c.sink, c.vertices.tolist()) for c in cuts] == [
        ([1, 2], 2, [2]),
        ([2], 3, [3]),
        ([0], 2, [1, 2, 3]),
    ]
    [cut] = reach_cuts(line.with_rules(Rules("allowed", "reach", sinks=(2,))), ~nothing)
    assert (cut.edges.tolist(), cut.vertices.tolist()) == ([], [0, 1, 2, 3])


def test_one_cut_for_every_component_in_use() -> None:
    """Two rings and a blank row between: two cuts; blank vertices are no components."""
    board = letters("LL", "LL", "..", "LL", "LL")
    puzzle = board.puzzle
    ring = [6, 12, 3, 9]
    masks = [*ring, 0, 0, *ring]
    solution = np.array([m >> d & 1 for m in masks for d in range(4)], dtype=np.bool_)
    first, second = connectivity_cuts(puzzle, solution)
    assert first.vertices.tolist() == [0, 1, 2, 3]
    assert second.vertices.tolist() == [6, 7, 8, 9]
    assert (first.inside, first.outside) == (second.outside, second.inside)
    assert len(first.edges) == len(second.edges) == 0  # all that leave end at blanks


@settings(max_examples=50)
@given(board=boards(max_cells=5, rules="match"))
def test_cuts_hold_all_edges_that_leave(board: Board) -> None:
    """Each cut has its component's vertices and every edge out of it that is not to a blank."""
    puzzle = board.puzzle.with_rules(CONNECTED)
    for assignment in leak_free(puzzle)[:20]:
        label = components(puzzle, assignment)
        for cut in connectivity_cuts(puzzle, assignment):
            members = set(np.flatnonzero(label == label[cut.inside]).tolist())
            leaving = [
                e
                for e, (u, v) in enumerate(puzzle.edge_vertices.tolist())
                if (u in members) != (v in members) and not puzzle.blank[[u, v]].any()
            ]
            assert cut.edges.tolist() == leaving
            assert set(cut.vertices.tolist()) == members


def test_vertices_always_used_are_preferred() -> None:
    """A cut names one that needs no condition on its side, if there is any."""
    rest, busy = Table(1, (0, 1)), Table(1, (1,))
    puzzle = Puzzle.build(
        [(1, rest), (1, busy), (1, rest), (1, busy), (1, rest), (1, rest)],
        [(0, 0, 1, 0), (2, 0, 3, 0), (4, 0, 5, 0)],
        rules=CONNECTED,
    )
    assert always_used(puzzle).tolist() == [False, True, False, True, False, False]
    cuts = connectivity_cuts(puzzle, np.ones(6, dtype=np.bool_))
    assert [(c.inside, c.outside) for c in cuts] == [(1, 3), (3, 1), (4, 1)]


def test_a_needed_vertex_counts_as_used() -> None:
    """A needed vertex without openings is a component of its own."""
    puzzle = Puzzle.build([(1, EDGE)] * 3, [(0, 0, 1, 0)], rules=Rules(connect="used", needed=(2,)))
    assert not connectivity_cuts(puzzle, np.zeros(3, dtype=np.bool_))
    cuts = connectivity_cuts(puzzle, np.array([True, True, False]))
    assert sorted((c.inside, c.outside) for c in cuts) == [(0, 2), (2, 0)]


@settings(max_examples=100)
@given(puzzle=multigraphs())
def test_cycle_cuts_are_the_cycles_that_are_there(puzzle: Puzzle) -> None:
    """None exactly if the joined edges are acyclic; each is a cycle of joined edges."""
    tree = puzzle.with_rules(Rules(acyclic=True))
    for assignment in leak_free(puzzle):
        cycles = cycle_cuts(tree, assignment)
        assert bool(cycles) != check(tree, assignment).ok
        joined = joined_edges(tree, assignment)
        assert len(set(cycles)) == len(cycles)
        for cycle in cycles:
            assert joined[list(cycle)].all()
            graph = nx.MultiGraph(tree.edge_vertices[list(cycle)].tolist())
            assert nx.is_connected(graph)
            assert all(degree == 2 for _, degree in graph.degree)


@settings(max_examples=150)
@given(puzzle=multigraphs(max_edges=9))
def test_precuts_lose_no_solution(puzzle: Puzzle) -> None:
    """No solution joins all edges of a set, and a refuted puzzle has none."""
    sets = not_together(puzzle)
    for solution in solutions(puzzle):
        assert not refuted(puzzle)
        joined = joined_edges(puzzle, solution)
        assert not any(joined[list(edges)].all() for edges in sets)


@settings(max_examples=100)
@given(puzzle=every_rule)
def test_cycle_cuts_and_precuts_under_every_rule(puzzle: Puzzle) -> None:
    """Cycles are found exactly where edges joined at both ends close one; what may not be
    joined together is joined in no solution, and refuted puzzles have none.
    """
    every, sets = few_assignments(puzzle), not_together(puzzle)
    for assignment in every:
        joined = joined_edges(puzzle, assignment)
        cycles = cycle_cuts(puzzle, assignment)
        graph = nx.MultiGraph(puzzle.edge_vertices[joined].tolist())
        assert bool(cycles) != (graph.number_of_edges() == 0 or nx.is_forest(graph))
        assert all(joined[list(cycle)].all() for cycle in cycles)
        if check(puzzle, assignment).ok:
            assert not refuted(puzzle)
            assert not any(joined[list(edges)].all() for edges in sets)


@settings(max_examples=100)
@given(board=boards(max_cells=5))
def test_facts_about_the_number_of_edges_hold(board: Board) -> None:
    """Boards: the fixed number is right, tree boards have no cycle, refuted ones no solution."""
    puzzle = board.puzzle
    number, tree, wrong = fixed_edges(puzzle), is_tree(puzzle), refuted(puzzle)
    for solution in leak_free(puzzle):
        assert joined_edges(puzzle, solution).sum() == number
        if check(puzzle.with_rules(CONNECTED), solution).ok and tree:
            assert check(puzzle.with_rules(Rules(acyclic=True)), solution).ok
        if check(puzzle, solution).ok:
            assert not wrong


@pytest.mark.parametrize(
    ("rows", "rules", "wrong"),
    [
        (("EEE",), "match", True),  # an odd sum of openings
        (("EE", "EE"), "match", False),
        (("EE", "EE"), "connected", True),  # two edges cannot join four pieces
        (("LL", "LL"), "tree", True),  # four edges on four pieces close a cycle
        (("LL", "LL"), "connected", False),
        (("..", ".."), "tree", False),
    ],
)
def test_what_the_number_of_edges_refutes(rows: tuple[str, ...], rules: str, wrong: bool) -> None:
    """Odd sums always; too few edges under connected; too many under tree."""
    assert refuted(letters(*rows, rules=rules).puzzle) == wrong


def test_free_stubs_and_choices_leave_the_number_open() -> None:
    """The number of edges is fixed only if no stub is free and no domain has a choice of it."""
    two = Counts(frozenset({2}))
    assert fixed_edges(Puzzle.build([(2, two), (2, two)], [(0, 0, 1, 0), (0, 1, 1, 1)])) == 2
    assert fixed_edges(Puzzle.build([(2, two)], free=[(0, 0)])) is None
    assert fixed_edges(Puzzle.build([(2, EVEN)], [(0, 0, 0, 1)])) is None
    assert fixed_edges(Puzzle.build([(1, EDGE)])) is None


@pytest.mark.parametrize(("width", "height", "sizes"), [(3, 3, {4: 4}), (4, 2, {4: 3})])
def test_short_cycles_of_a_grid_are_its_faces(
    width: int, height: int, sizes: dict[int, int]
) -> None:
    """On a bordered grid there are no others."""
    puzzle = any_piece(Square(width, height), (0, 15), CONNECTED)
    assert Counter(map(len, short_cycles(puzzle))) == sizes


@settings(max_examples=100)
@given(puzzle=multigraphs(max_vertices=6, max_edges=12))
def test_short_cycles_are_all_and_only_those(puzzle: Puzzle) -> None:
    """Against another library's enumeration, with parallel edges chosen in every way; some may
    be missing only where there are many.
    """
    ends = puzzle.edge_vertices.tolist()
    live = [e for e, pair in enumerate(ends) if not puzzle.blank[pair].any()]
    between: dict[tuple[int, int], list[int]] = {}
    for e in live:
        between.setdefault((min(ends[e]), max(ends[e])), []).append(e)
    right = {(e,) for e in live if ends[e][0] == ends[e][1]}
    for (u, v), same in between.items():
        if u != v:
            right |= {(e, f) for e in same for f in same if e < f}
    simple = nx.Graph([pair for pair in between if pair[0] != pair[1]])
    for cycle in nx.simple_cycles(simple, length_bound=4):
        steps = [(min(p), max(p)) for p in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
        choices: list[tuple[int, ...]] = [()]
        for step in steps:
            choices = [(*c, e) for c in choices for e in between[step]]
        right |= {tuple(sorted(c)) for c in choices}
    found = short_cycles(puzzle)
    assert len(found) == len(set(found))
    assert set(found) <= right
    if len(right) < MOST_NEIGHBOURS:
        assert set(found) == right


def test_parallel_edges_of_a_narrow_torus_are_short_cycles() -> None:
    """A 2x2 torus has four parallel pairs, a 1x1 torus two loops."""
    torus = any_piece(Square(2, 2, True), (0, 15), CONNECTED)
    lengths = Counter(map(len, short_cycles(torus)))
    assert lengths == {2: 4, 4: 16}
    assert short_cycles(any_piece(Square(1, 1, True), (0, 15), CONNECTED)) == [(0,), (1,)]


def test_puzzles_without_anything() -> None:
    """No vertex, no edge: no cut, no cycle, nothing refuted."""
    for puzzle in (Puzzle.build([]), Puzzle.build([(0, Table(0, (0,)))])):
        puzzle = puzzle.with_rules(Rules(connect="used", acyclic=True))
        nothing = np.zeros(0, dtype=np.bool_)
        assert connectivity_cuts(puzzle, nothing) == []
        assert cycle_cuts(puzzle, nothing) == []
        assert not_together(puzzle) == []
        assert not refuted(puzzle)
