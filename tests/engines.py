"""The engines under test, and what it means that one of them is right about a puzzle."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from plumbench.puzzles.board import BOARD_RULES, Board
from plumbench.puzzles.errors import Unsupported
from plumbench.puzzles.model import Puzzle
from plumbench.solvers.contract import Engine, Status, Variant
from plumbench.solvers.registry import ENGINES, extra_engines, get
from plumbench.solvers.run import count, optimise, solve
from plumbench.solvers.template import Template

GENERAL = ("propagation", "sat", "cpsat", "milp")
EVERY_RULE = (*GENERAL, "brute")
"""Engines that take every rule of the model."""
ALL = tuple(dict.fromkeys([*ENGINES, *extra_engines(), "template"]))
SHARE = {"milp": 0.4}
"""Engines that get only this share of the random examples, since each solution costs them a
search of their own; ``make fuzz`` spares none.
"""
Example = TypeVar("Example")
every_engine = pytest.mark.parametrize("name", ALL)


def engine(name: str) -> Engine:
    """The engine of that name; the template is not in the registry."""
    return Template(Variant("template")) if name == "template" else get(name)


def examples(name: str, number: int) -> int:
    """How many of so many random examples the engine gets."""
    return round(number * SHARE.get(name, 1))


@cache
def drawn(strategy: st.SearchStrategy[Example], number: int) -> list[Example]:
    """So many random examples, always the same. To draw them takes longer than most engines take
    to solve them, so they are drawn once for all; hence strategies are named constants.
    """
    found: list[Example] = []

    @settings(max_examples=number, database=None, phases=[Phase.generate])
    @given(strategy)
    def draw(example: Example) -> None:
        found.append(example)

    draw()
    return found


def each(
    name: str, strategy: st.SearchStrategy[Example], number: int, test: Callable[[Example], None]
) -> None:
    """Put the engine's share of so many random examples to the test; where it fails, hypothesis
    looks for a smaller failure.
    """
    share = examples(name, number)
    for place, example in enumerate(drawn(strategy, number)[:share]):
        try:
            test(example)
        except Exception as failure:
            failure.add_note(f"example {place} of {number}: {example!r}")
            settings(max_examples=share)(given(strategy)(test))()
            raise


def refuses(solver: Engine, puzzle: Puzzle, *, many: bool = True) -> bool:
    """Whether the engine refuses the puzzle; a general one must not."""
    try:
        solver.require(puzzle, many=many)
    except Unsupported:
        assert solver.variant.engine not in GENERAL
        with pytest.raises(Unsupported):
            count(puzzle, solver) if many else solve(puzzle, solver)
        return True
    return False


def holds(solver: Engine, puzzle: Puzzle, number: int) -> None:
    """The engine finds that number of solutions and the status that goes with it."""
    if not refuses(solver, puzzle):
        found = count(puzzle, solver)
        assert (found.value, found.exact, found.reason) == (number, True, None)
    if not refuses(solver, puzzle, many=False):
        status = Status.SATISFIABLE if number else Status.UNSATISFIABLE
        assert solve(puzzle, solver).status == status


def optimises(solver: Engine, puzzle: Puzzle, best: int | None) -> bool:
    """The engine proves that cost best (None: proves that there is no solution); False if it
    refuses.
    """
    try:
        solver.require(puzzle, many=False, objective=True)
    except Unsupported:
        return False
    found = optimise(puzzle, solver)
    assert found.reason is None
    assert found.cost == best
    assert found.status == (Status.UNSATISFIABLE if best is None else Status.OPTIMAL)
    return True


def three(board: Board) -> list[tuple[str, Puzzle]]:
    """The board under the three rules."""
    return [(rules, board.with_rules(rules).puzzle) for rules in BOARD_RULES]
