"""Sinks and needed vertices that are cut off, in the engine propagation; what it decides first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plumbench.puzzles.flow import Flow
from plumbench.puzzles.generators import make
from plumbench.puzzles.model import Puzzle, Rules, Table
from plumbench.solvers.contract import Limits, Status
from plumbench.solvers.propagation import layout
from plumbench.solvers.propagation.search import EXHAUSTED, Tree, run
from plumbench.solvers.propagation.state import State
from plumbench.solvers.propagation.water import Water
from plumbench.solvers.run import solve
from propagation_tools import brute, random_puzzles

ANY = Table(2, (0, 1, 2, 3))
ONE_SIDE = Table(2, (1, 2))


def corridors() -> Puzzle:
    """A source and a sink, and two ways between them, each through a vertex that opens only one
    of its sides; and twelve vertices beside them that open as they like.
    """
    vertices = [(2, ANY), (2, ANY), (2, ONE_SIDE), (2, ONE_SIDE), *[(2, ANY)] * 14]
    edges = [
        edge
        for side in (0, 1)
        for edge in ((0, side, 2 + side, 0), (2 + side, 1, 4 + side, 0), (4 + side, 1, 1, side))
    ]
    return Puzzle.build(vertices, edges, rules=Rules("allowed", "reach", sources=(0,), sinks=(1,)))


def test_a_vertex_that_lets_no_water_through_refutes() -> None:
    """No fitting mask opens both sides on any way to the sink: no decision is needed."""
    answer = solve(corridors(), "propagation")
    assert (answer.status, answer.stats["nodes"]) == (Status.UNSATISFIABLE, 0)
    assert answer.stats["waters"] == 1
    assert solve(corridors(), "propagation:no-water", Limits(nodes=50)).status is Status.UNKNOWN


@pytest.mark.parametrize("rules", ["reach", "article"])
@pytest.mark.parametrize("wish", ["all", "paired"])
def test_leaky_boards_take_few_decisions(rules: str, wish: str) -> None:
    """Flow boards whose pieces may leak are decided in a few hundred decisions; without water
    tens of thousands were not enough.
    """
    for seed in (4, 343770):
        flow = make("flow", 8, 8, seed, sources=2, sinks=2, wish=wish, locked=0.0)
        assert isinstance(flow, Flow)
        answer = solve(replace(flow, rules=rules).puzzle, "propagation", Limits(nodes=2000))
        assert answer.status is Status.SATISFIABLE, (seed, answer)


@pytest.mark.parametrize("size", [40, 60])
def test_plumber_maps_take_few_decisions(size: int) -> None:
    """A way from the inlet to the outlet, both needed, is found in some dozens of decisions;
    without water ten thousands were not enough.
    """
    puzzle = make("path", size, size, 1).puzzle
    answer = solve(puzzle, "propagation", Limits(nodes=500))
    assert answer.status is Status.SATISFIABLE
    without = solve(puzzle, "propagation:no-water", Limits(nodes=500))
    assert without.status is Status.UNKNOWN


def _asks_for_water(rules: Rules) -> bool:
    return rules.connect == "reach" or len(set(rules.needed)) > 1


@pytest.mark.parametrize(("connect", "number"), [("reach", 400), ("used", 1500)])
def test_water_reaches_every_sink_of_every_solution(connect: str, number: int) -> None:
    """Water that misses a sink, or a needed vertex, stands only at nodes with no solution below,
    at every depth.
    """
    missed = reached = 0
    for puzzle in random_puzzles(31, number):
        if puzzle.rules.connect != connect or not _asks_for_water(puzzle.rules):
            continue
        solutions = brute(puzzle)
        state = State(layout.build(puzzle), ("water", "closed", "seal", "root", "extend"))
        tree = Tree(state)
        water = Water(state)
        for nodes in range(1, 60):
            if run(tree, 1 << 40, nodes) == EXHAUSTED:
                break
            if state.top == len(state.value):
                continue
            given = [(port, value == 1) for port, value in enumerate(state.value) if value]
            below = any(all(ports[p] == on for p, on in given) for ports in solutions)
            if water.flows():
                reached += 1
            else:
                missed += 1
                assert not below
    assert missed > 20
    assert reached > 20
