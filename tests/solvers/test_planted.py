"""Boards with a planted solution, large enough for faults that small random boards never show."""

from __future__ import annotations

import pytest
from plumbench.puzzles.check import check
from plumbench.puzzles.generators import plant
from plumbench.puzzles.model import ports_from_masks
from plumbench.solvers.run import count, solve

FAMILIES = ("net", "dfs", "kruskal", "cycles", "faces", "dense", "partial")
SIZE = 60


def agree(kind: str, seed: int) -> None:
    """The planted solution holds, both engines find one, and they agree on uniqueness."""
    made = plant(kind, SIZE, SIZE, seed, wrap=seed % 2 == 1)
    puzzle = made.board.puzzle
    assert made.masks is not None
    assert check(puzzle, ports_from_masks(puzzle, made.masks.tolist())).ok
    for engine in ("propagation", "sat"):
        assert solve(puzzle, engine).status == "satisfiable", f"{kind} seed {seed} by {engine}"
    counts = [count(puzzle, engine, limit=2) for engine in ("propagation", "sat")]
    assert len({(c.value, c.exact) for c in counts}) == 1, f"{kind} seed {seed}: {counts}"


@pytest.mark.parametrize("kind", FAMILIES)
def test_planted_board(kind: str) -> None:
    """One 60x60 board of each family: satisfiable by two engines, with one verdict."""
    agree(kind, 7)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(100, 150))
@pytest.mark.parametrize("kind", FAMILIES)
def test_planted_boards(kind: str, seed: int) -> None:
    """50 boards 60x60 of each family: no wrong verdict by either engine."""
    agree(kind, seed)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("base", ["net", "faces", "dense"])
def test_near_misses(base: str, seed: int) -> None:
    """50 near misses 60x60 of each base: propagation and sat give the same verdict."""
    puzzle = plant("near-miss", SIZE, SIZE, seed, base=base).board.puzzle
    verdicts = {solve(puzzle, engine).status for engine in ("propagation", "sat")}
    assert len(verdicts) == 1
    assert "unknown" not in verdicts
