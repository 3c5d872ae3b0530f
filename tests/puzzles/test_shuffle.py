"""Reshuffled puzzles are the same puzzles."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.check import check, cost
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.model import Costs, Puzzle, Table
from plumbench.puzzles.pieces import Pieces
from plumbench.puzzles.shuffle import shuffled
from plumbench.solvers import run
from plumbench.solvers.registry import get
from strategies import assignments, letters, multigraphs, small_multigraph, with_costs

seeds = st.integers(0, 2**40)
VERTEX = [3, 4, 0, 2, 1]
EDGE = [1, 6, 5, 4, 3, 2, 0]
PORT = [13, 11, 12, 15, 14, 0, 2, 1, 3, 7, 9, 8, 10, 6, 4, 5]
"""The small multigraph by seed 7."""
puzzles = multigraphs(all_rules=True, max_vertices=5, max_edges=7)


def solutions(puzzle: Puzzle) -> set[bytes]:
    """All solutions, by brute force."""
    return {s.tobytes() for s in run.solutions(puzzle, "brute")}


@settings(max_examples=150)
@given(puzzles, seeds, st.data())
def test_an_image_is_judged_like_the_solution(puzzle: Puzzle, seed: int, data: st.DataObject):
    """Right or wrong: a choice of ports and its image have the same verdict, and come back."""
    copy = shuffled(puzzle, seed)
    some = [np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=np.bool_)
            for n in [puzzle.ports] * 3]  # fmt: skip
    for choice in [*some, *islice(assignments(puzzle), 30)]:
        image = copy.image(choice)
        assert np.array_equal(copy.restore(image), choice)
        ours, theirs = check(puzzle, choice), check(copy.puzzle, image)
        assert ours.ok == theirs.ok
        assert len(ours.reasons) == len(theirs.reasons)


@settings(max_examples=100)
@given(puzzles, seeds)
def test_solutions_are_the_images_of_the_solutions(puzzle: Puzzle, seed: int) -> None:
    """Restoring the copy's solutions gives exactly the puzzle's own."""
    copy = shuffled(puzzle, seed)
    restored = {copy.restore(s).tobytes() for s in run.solutions(copy.puzzle, "brute")}
    assert restored == solutions(puzzle)


@settings(max_examples=100)
@given(with_costs(puzzles), seeds)
def test_costs_and_optima_stay(puzzle: Puzzle, seed: int) -> None:
    """Every solution costs what its image costs, and the best ones cost the same."""
    copy = shuffled(puzzle, seed)
    for solution in islice(run.solutions(puzzle, "brute"), 20):
        assert cost(puzzle, solution) == cost(copy.puzzle, copy.image(solution))
    ours, theirs = (run.optimise(p, "brute") for p in (puzzle, copy.puzzle))
    assert (ours.status, ours.cost) == (theirs.status, theirs.cost)


@settings(max_examples=60)
@given(puzzles, seeds)
def test_the_same_seed_is_the_same_copy(puzzle: Puzzle, seed: int) -> None:
    """Two copies by one seed are equal, and no larger than the puzzle."""
    one, two = shuffled(puzzle, seed).puzzle, shuffled(puzzle, seed).puzzle
    assert one.fingerprint == two.fingerprint
    assert len(one.domains) == len(puzzle.domains)
    for size in ("vertices", "ports", "edges"):
        assert getattr(one, size) == getattr(puzzle, size)


def test_a_seed_means_the_same_on_every_machine() -> None:
    """The copy of a fixed puzzle by a fixed seed is this one, here and everywhere."""
    copy = shuffled(small_multigraph(), 7)
    assert copy.vertex_from.tolist() == VERTEX
    assert copy.edge_from.tolist() == EDGE
    assert copy.port_from.tolist() == PORT


def test_everything_that_has_an_order_is_renumbered() -> None:
    """Over a few seeds vertices, edges, their ends and the ports of vertices all move."""
    puzzle = small_multigraph()
    first = puzzle.first_port
    moved = set()
    for seed in range(8):
        copy = shuffled(puzzle, seed)
        ends = copy.port_from[copy.puzzle.edge_ports]
        at = copy.port_from - first[copy.vertex_from[copy.puzzle.owner]]
        if copy.vertex_from.tolist() != list(range(puzzle.vertices)):
            moved.add("vertices")
        if copy.edge_from.tolist() != list(range(puzzle.edges)):
            moved.add("edges")
        if not np.array_equal(ends, puzzle.edge_ports[copy.edge_from]):
            moved.add("ends")
        if not np.array_equal(at, np.arange(puzzle.ports) - copy.puzzle.first_port[
            copy.puzzle.owner
        ]):  # fmt: skip
            moved.add("ports")
        assert np.array_equal(np.sort(ends, axis=1), np.sort(puzzle.edge_ports[copy.edge_from]))
    assert moved == {"vertices", "edges", "ends", "ports"}


def test_equal_vertices_still_share_tables() -> None:
    """A board has as many tables after shuffling as before, and its pieces go along."""
    board = letters("LIL", "TIT", "LIL")
    copy = shuffled(board.puzzle, 3)
    assert len(copy.puzzle.domains) == len(board.puzzle.domains)
    ours, theirs = board.puzzle.pieces, copy.puzzle.pieces
    if ours is not None:
        assert theirs is not None
        for new, old in enumerate(copy.vertex_from.tolist()):
            assert len(theirs.rows[theirs.row_of[new]]) == len(ours.rows[ours.row_of[old]])


def test_pieces_go_along_in_their_order() -> None:
    """Each vertex keeps its row of masks in the order given, renamed like its table."""
    tables = [(2, Table(2, (1, 2))), (2, Table(2, (1, 3))), (1, Table(1, (0, 1)))]
    plain = Puzzle.build(tables, [(0, 0, 1, 0)])
    pieces = Pieces(((2, 1), (3, 1)), np.array([0, 1, 0]), np.array([True, False, False]))
    puzzle = replace(plain, pieces=pieces)
    seen = set()
    for seed in range(12):
        copy = shuffled(puzzle, seed)
        there = copy.puzzle.pieces
        assert there is not None
        rows = {}
        for new, old in enumerate(copy.vertex_from.tolist()):
            assert there.fixed[new] == pieces.fixed[old]
            rows[old] = there.rows[there.row_of[new]]
        for old in (0, 1):
            [new] = np.flatnonzero(copy.vertex_from == old).tolist()
            domain = copy.puzzle.domain(new)
            assert isinstance(domain, Table)
            assert set(rows[old]) == set(domain.masks)
        assert rows[1][0] == 3
        seen.add(rows[0])
    assert seen == {(2, 1), (1, 2)}


def test_costs_of_impossible_masks_are_kept() -> None:
    """A cost of a mask that no vertex of that degree can have stays a cost of no solution."""
    puzzle = Puzzle.build([(1, Table(1, (0,))), (2, Table(2, (0,)))], mask_costs=[[], []])
    assert puzzle.costs is not None
    row = ((-1, 5), (1, 3), (2, 4), (9, 6))
    costs = Costs((row,), np.array([0, 0]), puzzle.costs.edge)
    copy = shuffled(replace(puzzle, costs=costs), 1).puzzle
    assert copy.costs is not None
    assert all({m for m, _ in r} == {-1, 1, 2, 9} for r in copy.costs.rows)


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None, True])
def test_wrong_seeds_are_refused(seed: object) -> None:
    """A seed is a whole number from 0."""
    with pytest.raises(UsageError, match="expected a whole number from 0"):
        shuffled(small_multigraph(), seed)  # pyright: ignore[reportArgumentType]


def test_a_puzzle_of_nothing() -> None:
    """An empty puzzle has an empty copy, with the same one solution."""
    copy = shuffled(Puzzle.build([]), 0)
    assert [f.name for f in fields(Puzzle) if getattr(copy.puzzle, f.name) is None] == [
        "costs",
        "pieces",
    ]
    assert run.count(copy.puzzle, get("brute")).value == 1
