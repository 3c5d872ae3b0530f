"""Minimum rotations: every engine equals brute force, and a flow where the board is one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from engines import ALL, engine, examples, optimises
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.board import BOARD_RULES, Board
from plumbench.puzzles.generators import generate, plant
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.model import Solution, masks_of
from plumbench.puzzles.topology import Hexagonal, rotate
from plumbench.puzzles.turns import ANTICLOCKWISE, BOTH, CLOCKWISE
from plumbench.solvers.contract import Engine
from plumbench.solvers.registry import get
from plumbench.solvers.run import optimise, solutions, solve
from strategies import boards, letters, net, turning
from turn_flow import NoFlow, least_cost, solvable

LEAST = Objective("rotations")
OPTIMISERS = [name for name in ALL if name not in ("brute", "template")]
"""The template is a solver for readers and has no objective; brute is what these compare with."""
engines = pytest.mark.parametrize("name", [*OPTIMISERS, "propagation:astar"])


def _optimiser(name: str) -> Engine:
    """The engine, which takes an objective."""
    solver = engine(name)
    assert solver.capabilities.objective
    return solver


def _agrees_on(name: str, given_boards: st.SearchStrategy[Board], number: int) -> None:
    solver, brute = _optimiser(name), get("brute")

    @settings(max_examples=examples(name, number))
    @given(turning(given_boards))
    def agrees(board: Board) -> None:
        optimises(solver, board.puzzle, optimise(board.puzzle, brute).cost)

    agrees()


@engines
def test_random_boards(name: str) -> None:
    """40 random boards, every rule, both directions and per piece, locks, walls and tori."""
    _agrees_on(name, boards(), 40)


@engines
def test_random_hexagonal_boards(name: str) -> None:
    """20 random hexagonal boards of up to four cells, turned by sixths."""
    _agrees_on(name, boards(hexagonal=True, max_cells=4), 20)


@pytest.mark.fuzz
@engines
@pytest.mark.parametrize("rules", sorted(BOARD_RULES))
def test_many_random_boards(name: str, rules: str) -> None:
    """300 larger boards under each rule, and 100 hexagonal ones."""
    _agrees_on(name, boards(rules=rules, max_cells=12), 300)
    _agrees_on(name, boards(rules=rules, hexagonal=True, max_cells=6), 100)


# ---- the flow ---------------------------------------------------------------------------------


@st.composite
def flow_boards(draw: st.DrawFn, given_boards: st.SearchStrategy[Board]) -> Board:
    """Boards under match that are flows but for their colouring: free straights are locked, and
    turn both ways where elbows do.
    """
    board = replace(draw(given_boards), rules="match")
    straight = np.isin(board.pieces, (5, 10))
    turns = np.where(np.isin(board.pieces, (3, 6, 9, 12)), BOTH, board.turns)
    return replace(board, locked=board.locked | straight, turns=turns, objective=LEAST)


@settings(max_examples=80)
@given(flow_boards(turning(boards())))
def test_the_flow_equals_brute_force(board: Board) -> None:
    """The oracle's least cost is that of brute force."""
    try:
        least = least_cost(board.puzzle)
    except NoFlow:
        assert board.topology.wrap
        return
    assert least == optimise(board.puzzle, "brute").cost


def _large(kind: str, size: int, seed: int, *, wrap: bool, turns: int, **options: float) -> Board:
    """A generated board under match with every straight locked as in its solution."""
    planted = plant(kind, size, size, seed, wrap=wrap, **options)
    assert planted.masks is not None
    straight = np.isin(planted.masks, (5, 10))
    board = planted.board.with_rules("match").with_turns(turns).with_objective(LEAST)
    pieces = np.where(straight, planted.masks, board.pieces)
    return replace(board, pieces=pieces, locked=board.locked | straight)


LARGE = [
    (kind, size, seed, wrap)
    for kind, size in (("net", 6), ("dense", 6), ("faces", 6), ("partial", 8))
    for wrap in (False, True)
    for seed in (1, 2)
    if not (wrap and kind == "faces")
]


@engines
def test_larger_boards_equal_the_flow(name: str) -> None:
    """Planted boards of 36 and 64 cells, bordered and as a torus, turned both ways."""
    solver = _optimiser(name)
    for kind, size, seed, wrap in LARGE:
        board = _large(kind, size, seed, wrap=wrap, turns=BOTH)
        optimises(solver, board.puzzle, least_cost(board.puzzle))


@pytest.mark.fuzz
@engines
def test_many_larger_boards_equal_the_flow(name: str) -> None:
    """200 planted boards of 25 to 144 cells."""
    solver = _optimiser(name)
    for kind, size in (("net", 12), ("dense", 8), ("faces", 10), ("partial", 5)):
        for seed in range(50):
            board = _large(kind, size, seed, wrap=False, turns=BOTH)
            optimises(solver, board.puzzle, least_cost(board.puzzle))


def test_unsolvable_boards_equal_the_flow() -> None:
    """Random pieces and near misses: the flow says which are solvable, so does the search."""
    verdicts = set()
    for kind in ("near-miss", "random", "dense"):
        for seed in range(20):
            board = generate(kind, 5, 5, seed).with_rules("match")
            try:
                expected = solvable(board.puzzle)
            except NoFlow:
                continue
            verdicts.add(expected)
            assert (solve(board.puzzle, "propagation").solution is not None) == expected
    assert verdicts == {True, False}


def test_a_flow_refuses_what_it_cannot_say() -> None:
    """Straights that can lie both ways, elbows that turn one way only, odd tori."""
    with pytest.raises(NoFlow, match="straight"):
        solvable(letters(".E.", "EIE", ".E.", rules="match").puzzle)
    elbows = replace(net("4x4:" + "3" * 16, "match"), objective=LEAST)
    with pytest.raises(NoFlow, match="elbow"):
        least_cost(elbows.puzzle)
    assert least_cost(elbows.with_turns(BOTH).puzzle) is not None
    with pytest.raises(NoFlow, match="bipartite"):
        solvable(net("3x3w:777777777", "match").puzzle)
    with pytest.raises(NoFlow, match="match"):
        solvable(net("2x1:12").puzzle)


# ---- known optima ------------------------------------------------------------------------------


@pytest.mark.parametrize(("turns", "least"), [(CLOCKWISE, 3), (ANTICLOCKWISE, 1), (BOTH, 1)])
def test_two_ends(turns: int, least: int) -> None:
    """The first end lies right, the other must turn from up to left."""
    board = net("2x1:12").with_turns(turns).with_objective(LEAST)
    assert optimise(board.puzzle, "brute").cost == least


@pytest.mark.parametrize(("turns", "least"), [(CLOCKWISE, 4), (ANTICLOCKWISE, 2), (BOTH, 2)])
def test_two_hexagonal_ends(turns: int, least: int) -> None:
    """The first end lies east, the other must turn from north-east to west."""
    board = Board(Hexagonal(2, 1), np.array([1, 2]), oriented=True).with_turns(turns)
    assert optimise(board.with_objective(LEAST).puzzle, "brute").cost == least


def test_the_cheaper_of_two_solutions() -> None:
    """Of several solutions the best is one that takes the fewest turns, and the worst the most."""
    board = net("4x2w:36399c33", "match")
    given_turns = [_turns(board, solution) for solution in solutions(board.puzzle, "brute")]
    assert len(set(given_turns)) > 1
    for maximise, best in ((False, min(given_turns)), (True, max(given_turns))):
        priced = board.with_objective(Objective("rotations", maximise=maximise))
        assert optimise(priced.puzzle, "brute").cost == best


def _turns(board: Board, solution: Solution) -> int:
    """Clockwise turns, one by one."""
    total = 0
    for before, after in zip(board.pieces.tolist(), masks_of(board.puzzle, solution), strict=True):
        mask = before
        while mask != after:
            mask = rotate(mask, 1, 4)
            total += 1
    return total
