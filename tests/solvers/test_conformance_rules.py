"""The conformance suite for every rule of the model: leaks, reach, free stubs."""

from __future__ import annotations

import pytest
from engines import EVERY_RULE, engine, examples, holds
from hypothesis import given, settings
from plumbench.puzzles.model import Puzzle
from plumbench.solvers.registry import get
from plumbench.solvers.run import count
from strategies import golden_puzzles, multigraphs

MOST_FOR_MILP = 1000
"""Each solution costs milp a search of its own: counts beyond this are not asked of it."""


@pytest.mark.parametrize("name", EVERY_RULE)
def test_golden_counts(name: str, shared) -> None:
    """All 800 golden puzzles have their counts, whatever their rules."""
    solver, asked = engine(name), 0
    for puzzle, facts in golden_puzzles(shared("golden", "model_puzzles.jsonl")):
        if name == "milp" and facts["count"] > MOST_FOR_MILP:
            continue
        holds(solver, puzzle, facts["count"])
        asked += 1
    assert asked == 800 or name == "milp"


@pytest.mark.parametrize("name", EVERY_RULE)
def test_random_multigraphs_under_every_rule(name: str) -> None:
    """300 random multigraphs under all rules equal brute force."""
    solver, brute = engine(name), get("brute")

    @settings(max_examples=examples(name, 300))
    @given(multigraphs(all_rules=True))
    def agrees(puzzle: Puzzle) -> None:
        holds(solver, puzzle, count(puzzle, brute).value)

    agrees()


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
