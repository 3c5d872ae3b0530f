"""Plumber maps in every engine: all paths, shortest and longest, the article's search."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engines import engine, examples, optimises
from hypothesis import given, settings
from plumbench.puzzles.errors import Unsupported
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.path import PlumberPath
from plumbench.solvers.contract import Limits, Reason
from plumbench.solvers.registry import ENGINES, get
from plumbench.solvers.run import Run, count, optimise, solutions, solve
from strategies import plumber_maps

every_engine = pytest.mark.parametrize("name", list(ENGINES))
not_brute = pytest.mark.parametrize("name", [n for n in ENGINES if n != "brute"])
LEAST, MOST = Objective("length"), Objective("length", maximise=True)


@pytest.fixture
def golden(shared: Callable[..., Path]) -> list[tuple[PlumberPath, dict[str, Any]]]:
    """The 49 maps, each with the facts written beside it."""
    maps = json.loads(shared("golden", "004_maps.json").read_text())["maps"]
    assert len(maps) == 49
    return [(PlumberPath(np.array(facts["map"]), name=facts["name"]), facts) for facts in maps]


def all_paths(given: PlumberPath, name: str) -> list[list[list[int]]]:
    """Every path in the engine's order."""
    return [given.decode(solution) for solution in solutions(given.puzzle, name)]


def small_enough(name: str, given: PlumberPath) -> bool:
    """Brute force stops at its number of ports."""
    most = engine(name).capabilities.max_ports
    return most is None or given.puzzle.ports <= most


@every_engine
def test_all_paths_of_the_golden_maps(name: str, golden) -> None:
    """Every engine finds exactly the paths of the 49 maps."""
    for board, facts in golden:
        if small_enough(name, board):
            assert sorted(all_paths(board, name)) == sorted(facts["paths"]), board.name


@every_engine
def test_shortest_and_longest(name: str, golden) -> None:
    """The proved lengths are the least and the greatest of all listed paths; none where there is
    no path.
    """
    for board, facts in golden:
        lengths = [len(path) for path in facts["paths"]]
        for objective, best in ((LEAST, min), (MOST, max)):
            puzzle = board.with_objective(objective).puzzle
            if small_enough(name, board):
                optimises(engine(name), puzzle, best(lengths, default=None))


def test_the_article_has_no_objective() -> None:
    """The article's search lists paths and refuses to find the shortest."""
    with pytest.raises(Unsupported):
        optimise(wild(2).with_objective(LEAST).puzzle, "reference")


def agree(name: str, number: int) -> None:
    """So many random maps: status, count and both optima are those of brute force."""

    @settings(max_examples=examples(name, number))
    @given(plumber_maps())
    def agrees(given: PlumberPath) -> None:
        expected = count(given.puzzle, "brute").value
        assert count(given.puzzle, name).value == expected
        status = "satisfiable" if expected else "unsatisfiable"
        assert solve(given.puzzle, name).status == status
        for objective in (LEAST, MOST):
            puzzle = given.with_objective(objective).puzzle
            optimises(engine(name), puzzle, optimise(puzzle, "brute").cost)

    agrees()


@not_brute
def test_random_maps(name: str) -> None:
    """Every engine equals brute force on random maps with openings anywhere and wild pieces."""
    agree(name, 30)


@pytest.mark.fuzz
@not_brute
def test_many_random_maps(name: str) -> None:
    """The same on 300 maps."""
    agree(name, 300)


# ---- the article's search --------------------------------------------------------------------


def article(codes: list[list[int]]) -> tuple[str, int]:
    """The article's program, line by line: what it prints, and the calls of ``dfs``."""
    m, n, stack, printed, calls = len(codes), len(codes[0]), [], [], 0
    book = [[0] * n for _ in range(m)]

    def dfs(x: int, y: int, front: int) -> None:
        nonlocal calls
        calls += 1
        if x == m - 1 and y == n:
            printed.extend(f"({a + 1}, {b + 1}) " for a, b in stack)
            return
        if x < 0 or x >= m or y < 0 or y >= n or book[x][y]:
            return
        book[x][y] = 1
        stack.append((x, y))
        if 5 <= codes[x][y] <= 6:
            step = {1: (0, 1), 2: (1, 0), 3: (0, -1), 4: (-1, 0)}[front]
            dfs(x + step[0], y + step[1], front)
        if 1 <= codes[x][y] <= 4:
            if front == 1:
                dfs(x + 1, y, 2)
                dfs(x - 1, y, 4)
            if front == 2:
                dfs(x, y + 1, 1)
                dfs(x, y - 1, 3)
            if front == 3:
                dfs(x - 1, y, 4)
                dfs(x + 1, y, 2)
            if front == 4:
                dfs(x, y + 1, 1)
                dfs(x, y - 1, 3)
        book[x][y] = 0
        stack.pop()

    dfs(0, 0, 1)
    return "".join(printed) + ("\nyes, we did it.\n" if printed else "impossible!\n"), calls


def test_the_reference_prints_what_the_article_prints(golden) -> None:
    """The 49 maps: the same paths in the same order, the same output, the same number of calls
    as the article's program.
    """
    for board, facts in golden:
        with Run(board.puzzle, get("reference"), Limits(), many=True) as run:
            found = list(run)
        assert [board.decode(solution) for solution in found] == facts["paths"]
        assert board.article_output(found) == facts["seed_stdout"]
        assert (facts["seed_stdout"], run.search.stats["calls"]) == article(facts["map"])


@settings(max_examples=60)
@given(plumber_maps(max_cells=16))
def test_calls_of_random_maps(given: PlumberPath) -> None:
    """Calls and output equal those of the article's program wherever it can play."""
    if not given.has_default_openings or (given.codes == 7).any():
        return
    with Run(given.puzzle, get("reference"), Limits(), many=True) as run:
        printed = given.article_output(list(run))
    assert (printed, run.search.stats["calls"]) == article(given.codes.tolist())


def test_limits_of_the_reference() -> None:
    """A node limit stops the search, which then can go on."""
    given = PlumberPath(np.ones((5, 6), dtype=np.int64))
    with Run(given.puzzle, get("reference"), Limits(nodes=10), many=True) as run:
        found = 0
        for _ in range(1000):
            found += len(list(run))
            if run.reason is None:
                break
            assert run.reason is Reason.NODES
    assert found == 10


# ---- corner-to-corner self-avoiding paths ----------------------------------------------------


def wild(side: int) -> PlumberPath:
    """Any piece on any cell."""
    return PlumberPath(np.full((side, side), 7))


O11 = {2: 2, 3: 12, 4: 184, 5: 8512, 6: 1262816}
"""Self-avoiding paths between opposite corners of n x n points (OEIS A007764)."""


@every_engine
@pytest.mark.parametrize("side", [2, 3, pytest.param(4, marks=pytest.mark.fuzz)])
def test_self_avoiding_paths(name: str, side: int) -> None:
    """O11: with wild tiles the number of paths is the known one; the shortest has 2n - 1 cells."""
    assert count(wild(side).puzzle, name).value == O11[side]
    optimises(engine(name), wild(side).with_objective(LEAST).puzzle, 2 * side - 1)


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("sat", 4),
        ("cpsat", 4),
        ("propagation", 4),
        ("propagation", 5),
        pytest.param("reference", 5, marks=pytest.mark.fuzz),
        pytest.param("propagation", 6, marks=pytest.mark.fuzz),
    ],
)
def test_more_self_avoiding_paths(name: str, side: int) -> None:
    """O11: 184, 8512 and 1,262,816."""
    assert count(wild(side).puzzle, name).value == O11[side]
