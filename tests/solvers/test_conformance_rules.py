"""The conformance suite for every rule of the model: leaks, reach, free stubs."""

from __future__ import annotations

import pytest
from engines import EVERY_RULE, each, engine, every_engine, holds
from hypothesis import given, settings
from plumbench.puzzles.model import Puzzle
from plumbench.solvers.registry import get
from plumbench.solvers.run import count
from strategies import golden_puzzles, multigraphs

EVERY = multigraphs(all_rules=True)
MOST_FOR_MILP = 100
"""Each solution costs milp a search of its own: of more it is asked only for so many."""


@every_engine
def test_golden_counts(name: str, shared) -> None:
    """All 800 golden puzzles have their counts, whatever their rules; an engine may refuse some
    if it does not claim every rule.
    """
    solver, asked = engine(name), 0
    for puzzle, facts in golden_puzzles(shared("golden", "model_puzzles.jsonl")):
        if name == "milp" and facts["count"] > MOST_FOR_MILP:
            assert count(puzzle, solver, limit=MOST_FOR_MILP).value == MOST_FOR_MILP
        else:
            holds(solver, puzzle, facts["count"])
        asked += 1
    assert asked == 800


@pytest.mark.fuzz
def test_golden_counts_that_cost_milp_most(shared) -> None:
    """Engine milp, too, counts the golden puzzles of many solutions to the end."""
    for puzzle, facts in golden_puzzles(shared("golden", "model_puzzles.jsonl")):
        if facts["count"] > MOST_FOR_MILP:
            holds(get("milp"), puzzle, facts["count"])


@pytest.mark.parametrize("name", EVERY_RULE)
def test_random_multigraphs_under_every_rule(name: str) -> None:
    """300 random multigraphs under all rules equal brute force."""
    solver, brute = engine(name), get("brute")

    def agrees(puzzle: Puzzle) -> None:
        holds(solver, puzzle, count(puzzle, brute).value)

    each(name, EVERY, 300, agrees)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", EVERY_RULE)
def test_many_random_multigraphs_under_every_rule(name: str) -> None:
    """20,000 larger random multigraphs under all rules equal brute force."""
    solver, brute = engine(name), get("brute")

    @settings(max_examples=20_000)
    @given(multigraphs(all_rules=True, max_vertices=6, max_edges=10))
    def agrees(puzzle: Puzzle) -> None:
        holds(solver, puzzle, count(puzzle, brute).value)

    agrees()
