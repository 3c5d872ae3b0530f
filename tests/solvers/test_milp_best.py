"""The engine ``milp`` optimising: bounds that are honest, limits that leave an answer."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from plumbench.encodings.cuts import violated
from plumbench.puzzles.board import Board
from plumbench.puzzles.check import check, cost
from plumbench.puzzles.errors import Unsupported
from plumbench.puzzles.model import EVEN, Costs, Counts, Puzzle, Rules, Table
from plumbench.puzzles.topology import Square
from plumbench.solvers import highs
from plumbench.solvers.contract import Limits, Reason, Status
from plumbench.solvers.milp_best import MOST_COST, MilpBest
from plumbench.solvers.run import optimise, solutions
from strategies import any_piece

TWO = Table(1, (0, 1))


def pair(price: int, constant: int = 0, *, maximise: bool = False) -> Puzzle:
    """Two ends that are joined at a price, or apart; a third vertex costs the constant."""
    return Puzzle.build(
        [(1, TWO), (1, TWO), (0, Table(0, (0,)))],
        [(0, 0, 1, 0)],
        edge_costs=[price],
        mask_costs=[[], [], [(0, constant)]],
        maximise=maximise,
    )


def priced_torus(side: int) -> Puzzle:
    """Elbows on a torus, which fall into rings until cuts join them; each turn has a price."""
    puzzle = Board(Square(side, side, True), np.full(side * side, 3), rules="connected").puzzle
    prices = np.random.default_rng(side).integers(0, 10, (side * side, 4)).tolist()
    rows = tuple(tuple(zip((3, 6, 9, 12), row, strict=True)) for row in prices)
    return replace(
        puzzle, costs=Costs(rows, np.arange(side * side), np.zeros(puzzle.edges, np.int64))
    )


def chain(tiles: list[list[int]]) -> Puzzle:
    """Domino tiles as edges between pips, with a dummy that opens the chain; the more tiles
    the better.
    """
    pips = sorted({pip for tile in tiles for pip in tile})
    degree = dict.fromkeys([*pips, -1], 0)

    def port(pip: int) -> int:
        degree[pip] += 1
        return degree[pip] - 1

    def place(pip: int) -> int:
        return len(pips) if pip < 0 else pips.index(pip)

    pairs = [*tiles, *([pip, -1] for pip in pips)]
    edges = [(place(a), port(a), place(b), port(b)) for a, b in pairs]
    ends = [(degree[pip], EVEN) for pip in pips]
    return Puzzle.build(
        [*ends, (len(pips), Counts(frozenset({0, 2})))],
        edges,
        rules=Rules(connect="used"),
        edge_costs=[1] * len(tiles) + [0] * len(pips),
        maximise=True,
    )


def test_longest_domino_chains(shared) -> None:
    """Every third tile set of the golden file has its longest chain."""
    sets = json.loads(shared("golden", "003_dominoes.json").read_text())["sets"]
    for tiles in sets[::3]:
        found = optimise(chain(tiles["tiles"]), "milp")
        assert (found.status, found.cost) == (Status.OPTIMAL, tiles["longest"])


def test_cuts_and_costs_together() -> None:
    """Where cheap solutions fall apart, rounds go on until the cheapest that hangs together."""
    puzzle = priced_torus(4)
    found = optimise(puzzle, "milp")
    assert (found.status, found.cost) == (Status.OPTIMAL, optimise(puzzle, "propagation").cost)
    loose = optimise(puzzle.with_rules(Rules()), "milp")
    assert loose.cost is not None
    assert found.cost is not None
    assert loose.cost < found.cost


def test_a_limit_leaves_a_solution_and_a_bound() -> None:
    """Large puzzles have a solution first; at a limit its cost and the bound stand apart."""
    puzzle = priced_torus(6)
    found = optimise(puzzle, "milp", Limits(nodes=3))
    assert (found.status, found.reason) == (Status.SATISFIABLE, Reason.NODES)
    assert found.solution is not None
    assert check(puzzle, found.solution).ok
    assert found.cost == cost(puzzle, found.solution)
    assert found.bound is not None
    best = optimise(puzzle, "milp").cost
    assert best is not None
    assert found.cost is not None
    assert found.bound <= best < found.cost
    assert optimise(puzzle, "milp", Limits(nodes=1)).status is Status.UNKNOWN


def test_points_met_on_the_way_are_handed_out_at_a_limit() -> None:
    """Of the points that HiGHS met, the cheapest right one is kept, and no wrong one."""
    puzzle = any_piece(Square(4, 2), (0, 3, 5, 6, 9, 10, 12), Rules(connect="used"))
    puzzle = replace(puzzle, costs=Costs(((),), np.zeros(8, np.int64), np.full(puzzle.edges, -1)))
    search = MilpBest(puzzle, Limits())
    live, encoding = search.highs, search.encoding
    assert live is not None
    points = []
    for solution in solutions(puzzle.with_rules(Rules()), "brute"):
        fixed = {int(c): int(on) for c, on in zip(encoding.column, solution, strict=True) if c >= 0}
        values = live.solve(encoding.model, fixed=fixed)
        if isinstance(values, np.ndarray):
            points.append(values + 1e-7)
    assert len(points) > 5
    live.seen[:] = points[-8:]
    search._look(live)
    handed = search._instead(Reason.TIME)
    assert isinstance(handed, np.ndarray)
    assert check(puzzle, handed).ok
    assert any(violated(puzzle, encoding.solution(np.rint(point))) for point in points[-8:])
    assert search._instead(Reason.TIME) is Reason.TIME
    search.close()


def test_a_doubtful_bound_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """If HiGHS's bound falls short of the cost, the proof is that nothing cheaper exists."""
    puzzle = priced_torus(4)
    sure = optimise(puzzle, "milp")
    honest = highs._least
    monkeypatch.setattr(highs, "_least", lambda model, bound: (honest(model, bound) or 0) - 1)
    found = optimise(puzzle, "milp")
    assert (found.status, found.cost, found.bound) == (Status.OPTIMAL, sure.cost, sure.cost)
    assert int(found.stats["rounds"]) > int(sure.stats["rounds"])


@pytest.mark.parametrize(("bound", "least"), [(2.9996, 13), (3.0004, 13), (3.002, 14), (-0.5, 10)])
def test_bounds_are_rounded_to_the_honest_side(bound: float, least: int) -> None:
    """A bound counts up to the next whole cost, but a slip of floating point does not."""
    model = highs.LinearModel()
    model.charge([(model.column(), 1)], 10)
    assert highs._least(model, bound) == least
    assert highs._least(model, float("inf")) is None


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("price", [-3, 0, 7, 10**12, -(10**12)])
def test_signs_constants_and_sizes(price: int, maximise: bool) -> None:
    """Both directions, costs of both signs, and large ones with a common divisor."""
    found = optimise(pair(price, 10**9, maximise=maximise), "milp")
    best = (max if maximise else min)(0, price)
    assert (found.cost, found.bound) == (best + 10**9, best + 10**9)


def test_costs_beyond_floating_point_are_refused() -> None:
    """What doubles could confuse is no job for this engine, and it says so at once."""
    puzzle = Puzzle.build(
        [(2, Table(2, (0, 1, 2, 3)))] * 2,
        [(0, 0, 1, 0), (0, 1, 1, 1)],
        edge_costs=[MOST_COST, 1],
    )
    with pytest.raises(Unsupported, match="costs that add up"):
        optimise(puzzle, "milp")


def test_masks_of_large_counts_are_priced() -> None:
    """A hub of eight ports, two of them a loop and one a closed stub, has prices per mask;
    those of masks it cannot have never count.
    """
    hub = [(9, EVEN), *[(1, TWO)] * 6]
    edges = [(0, 0, 0, 1), *((0, 2 + i, 1 + i, 0) for i in range(6))]
    spokes = 0b0_1111_11_00
    prices = [(spokes, -5), (spokes | 3, 4), (1, -90), (1 << 8 | 4, -90), (0, 3), (12, 9)]
    for maximise in (False, True):
        puzzle = Puzzle.build(
            hub,
            edges,
            mask_costs=[prices, *[[]] * 6],
            edge_costs=[0, 1, -1, 0, 2, 0, 0],
            maximise=maximise,
        )
        assert optimise(puzzle, "milp").cost == optimise(puzzle, "brute").cost


def test_nothing_to_choose() -> None:
    """No ports at all: the constant is the cost, the bound and proved."""
    puzzle = Puzzle.build([(0, Table(0, (0,)))], mask_costs=[[(0, 7)]])
    found = optimise(puzzle, "milp")
    assert (found.status, found.cost, found.bound) == (Status.OPTIMAL, 7, 7)
