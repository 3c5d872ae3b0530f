"""Propagation on boards of real size: planted ones are satisfiable, unique ones unique."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from plumbench.puzzles.board import Board
from plumbench.puzzles.generators import plant
from plumbench.solvers.contract import Limits, Status
from plumbench.solvers.run import count, solve
from strategies import net

PLANTED: list[tuple[str, dict[str, Any]]] = [
    ("net", {}),
    ("net", {"wrap": True}),
    ("dfs", {}),
    ("kruskal", {"wrap": True}),
    ("cycles", {}),
    ("faces", {}),
    ("dense", {}),
    ("dense", {"wrap": True}),
]


def solve_planted(kind: str, given: dict[str, Any], side: int, seed: int) -> None:
    """The board is satisfiable under its own rules and the weaker ones."""
    planted = plant(kind, side, side, seed, **given)
    assert planted.masks is not None
    weaker = {"tree": ["tree", "connected"], "connected": ["connected", "match"]}
    for rules in weaker.get(planted.board.rules, ["match"]):
        answer = solve(planted.board.with_rules(rules).puzzle, "propagation", Limits(seconds=60))
        assert answer.status is Status.SATISFIABLE, (kind, given, seed, rules)


@pytest.mark.parametrize(("kind", "given"), PLANTED)
def test_planted_boards_are_satisfiable(kind: str, given: dict[str, Any]) -> None:
    """A 60x60 board made from a solution is never called unsatisfiable."""
    solve_planted(kind, given, 60, 1)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(2, 52))
@pytest.mark.parametrize(("kind", "given"), PLANTED)
def test_many_planted_boards_are_satisfiable(kind: str, given: dict[str, Any], seed: int) -> None:
    """As above, fifty boards of each family."""
    solve_planted(kind, given, 60, seed)


@pytest.mark.parametrize("without", ["gac", "seal", "extend", "loops", "root", "weights"])
def test_variants_solve_a_planted_board(without: str) -> None:
    """Doing without one deduction costs time, never the answer."""
    board = plant("net", 12, 12, 3).board
    limits = Limits(seconds=60)
    assert solve(board.puzzle, f"propagation:no-{without}", limits).status is Status.SATISFIABLE


def boards(folder: Path, pattern: str, first: int | None = None) -> Iterator[tuple[str, Board]]:
    """The boards of the files that match, each with its place."""
    for file in sorted(folder.glob(pattern)):
        for number, line in enumerate(file.read_text().splitlines()[:first], 1):
            if line.strip():
                yield f"{file.name}:{number}", net(line.split()[0])


def check_boards(folder: Path, pattern: str, first: int | None = None) -> int:
    """Unique where the file's name promises it, satisfiable anyway; returns how many."""
    checked = 0
    for place, board in boards(folder, pattern, first):
        unique = folder.name == "net" and "a" not in place.split(".txt")[0]
        found = count(board.puzzle, "propagation", Limits(seconds=60), limit=2)
        assert found.reason is None, place
        assert (found.value, found.exact) == (1, True) if unique else found.value >= 1, place
        checked += 1
    return checked


@pytest.mark.parametrize("folder", ["net", "tree"])
def test_instances(folder: str, shared: Callable[..., Path]) -> None:
    """Some boards of each file up to 20x20 have the promised number of tree solutions."""
    where = shared("instances", folder)
    sizes = ("*5x5*", "*11x11*", "*20x20*")
    assert sum(check_boards(where, size, 3) for size in sizes) > 15


@pytest.mark.fuzz
@pytest.mark.parametrize("folder", ["net", "tree"])
def test_all_instances(folder: str, shared: Callable[..., Path]) -> None:
    """All boards of the folder up to 100x100 have the promised number of tree solutions."""
    assert check_boards(shared("instances", folder), "*.txt") > 90


@pytest.mark.parametrize(("side", "crossings"), [(12, 1), (12, 2), (16, 3)])
def test_connectivity_decides(side: int, crossings: int) -> None:
    """Tori of elbows with crossings are decided within a thousand decisions."""
    for seed in range(4):
        board = plant("ec", side, side, seed, c=crossings).board
        assert solve(board.puzzle, "propagation", Limits(nodes=1000)).reason is None
