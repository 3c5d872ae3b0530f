"""Flow boards in every engine: the golden counts, and random boards against layouts walked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flow_tools import COLUMNS, flow_of, golden_flows, layouts, right
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import Unsupported
from plumbench.puzzles.flow import WISHES, Flow
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.model import ports_from_masks
from plumbench.puzzles.turns import fewest_turns
from plumbench.solvers.contract import Status
from plumbench.solvers.registry import ENGINES, get
from plumbench.solvers.run import count, optimise, solutions, solve
from strategies import flows

Shared = Callable[..., Path]
every_engine = pytest.mark.parametrize("name", list(ENGINES))
MOST = {"milp": 20, "cpsat": 45}
"""Solutions that engines are to list in the default suite; 130 for the others."""


def takes(name: str, flow: Flow, *, objective: bool = False) -> bool:
    """Whether the engine takes the board; the general ones must take all. Those that prune
    nothing where leaks are sealed are spared many helpers.
    """
    try:
        get(name).require(flow.puzzle, many=not objective, objective=objective)
    except Unsupported:
        assert name in ("brute", "reference")
        return False
    many_helpers = flow.rules == "sealed" and len(flow.extra) > 7
    return name not in ("brute", "reference") or not many_helpers


def rows(flow: Flow, masks: tuple[int, ...]) -> list[list[int]]:
    """A layout as rows of masks."""
    width = flow.board.width
    return [list(masks[at : at + width]) for at in range(0, len(masks), width)]


def agrees(name: str, flow: Flow) -> None:
    """The engine's solutions are the layouts that the oracle finds right, each once."""
    wanted = sorted(rows(flow, masks) for masks in layouts(flow) if right(flow, masks))
    if len(wanted) <= MOST.get(name, 130) and takes(name, flow):
        assert sorted(map(flow.decode, solutions(flow.puzzle, name))) == wanted


@every_engine
def test_golden_counts(name: str, shared: Shared) -> None:
    """The 13 boards of article 001 have the golden number of solutions under every rule and
    border offered; where there are many, at least some.
    """
    exact = 0
    for flow, facts in golden_flows(shared("golden", "001_boards.json")):
        for (rules, border), column in COLUMNS.items():
            given = replace(flow, rules=rules, border=border)
            number = facts["counts_by_rule"][column]
            plain = name == "brute" or (name == "reference" and rules == "sealed")
            if facts["counts_by_rule"]["total"] > 10**6 and plain:
                continue
            if number > MOST.get(name, 130):
                assert solve(given.puzzle, name).status is Status.SATISFIABLE
                continue
            found = count(given.puzzle, name)
            assert (found.value, found.exact) == (number, True), (flow.name, rules, border)
            exact += 1
    assert exact >= 70


@every_engine
@pytest.mark.parametrize("wish", WISHES)
@settings(max_examples=10)
@given(data=st.data())
def test_random_boards(name: str, wish: str, data: st.DataObject) -> None:
    """Sources and sinks of every wish under every rule: exactly the right layouts."""
    agrees(name, data.draw(flows(wish=wish, max_free=3)))


@pytest.mark.fuzz
@every_engine
@pytest.mark.parametrize("wish", WISHES)
@settings(max_examples=200)
@given(data=st.data())
def test_many_random_boards(name: str, wish: str, data: st.DataObject) -> None:
    """The same on 200 boards for every wish."""
    agrees(name, data.draw(flows(wish=wish)))


@pytest.mark.parametrize("wish", WISHES)
@settings(max_examples=30)
@given(data=st.data())
def test_the_checker_judges_layouts(wish: str, data: st.DataObject) -> None:
    """Any layout, right or wrong, is encoded so that the checker agrees with the oracle; what is
    encoded is decoded to itself.
    """
    flow = data.draw(flows(wish=wish))
    masks = data.draw(st.sampled_from(list(layouts(flow))))
    solution = flow.encode(rows(flow, masks))
    assert flow.decode(solution) == rows(flow, masks)
    assert check(flow.puzzle, solution).ok == right(flow, masks)


def turns(flow: Flow, masks: tuple[int, ...]) -> int:
    """The quarter turns that a layout takes."""
    cells = zip(flow.board.pieces.tolist(), masks, flow.board.turns.tolist(), strict=True)
    return sum(fewest_turns(*cell, 4) or 0 for cell in cells)


@pytest.mark.parametrize("name", ["propagation", "sat", "cpsat", "milp", "brute"])
@settings(max_examples=6)
@given(flow=flows(max_free=3), way=st.sampled_from([1, 2, 3]), maximise=st.booleans())
def test_rotations(name: str, flow: Flow, way: int, maximise: bool) -> None:
    """The fewest and the most permitted turns of right layouts."""
    flow = flow.with_turns(way).with_objective(Objective("rotations", maximise))
    prices = [turns(flow, masks) for masks in layouts(flow) if right(flow, masks)]
    assert get(name).capabilities.objective
    if takes(name, flow, objective=True):
        best = (max if maximise else min)(prices, default=None)
        assert optimise(flow.puzzle, name).cost == best


def test_helpers_are_told_from_cells() -> None:
    """Helper vertices are named, and pieces are known for cells alone."""
    flow = flow_of("┌ ┐\n└ ┘", sources="1,1 1,2", sinks="2,2 2,1", wish="paired", rules="sealed")
    puzzle = flow.puzzle
    assert len(flow.extra) == puzzle.vertices - 4
    assert puzzle.pieces is not None
    assert [bool(puzzle.pieces.rows[row]) for row in puzzle.pieces.row_of.tolist()] == [
        vertex < 4 for vertex in range(puzzle.vertices)
    ]
    assert solve(puzzle, "propagation").status is Status.SATISFIABLE
    everything_closed = ports_from_masks(puzzle, [0] * puzzle.vertices)
    assert not check(puzzle, everything_closed).ok
