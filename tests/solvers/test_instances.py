"""Boards from public generators: every engine, one verdict, everything verified.

The boards stand beside the project and are never committed; by default those up to 11x11 are
judged, under ``-m fuzz`` those of 20x20 and 40x40 too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from plumbench.puzzles.formats import load
from plumbench.solvers.run import count, solve

ENGINES = ("propagation", "sat", "cpsat")
NET = ("", "w", "a", "wa", "b0.1", "wb0.2")
TREE = ("wilson", "dfs")

SMALL = [
    *(("net", f"{n}x{n}{kind}.txt") for n in (5, 11) for kind in NET),
    *(("tree", f"{kind}_{n}x{n}{w}.txt") for n in (5, 11) for kind in TREE for w in ("", "w")),
]
MIDDLE = [(folder, file.replace("11x11", "20x20")) for folder, file in SMALL if "11x11" in file]
LARGE = [(folder, file.replace("20x20", "40x40")) for folder, file in MIDDLE]


def is_unique_by_promise(folder: str, file: str) -> bool:
    """Boards of ``net`` have one tree solution unless the name has an ``a``."""
    return folder == "net" and "a" not in file


def judge(path: Path, engine: str, unique: bool) -> list[tuple[int, bool]]:
    """Solve and count to 2 each board of the file; gives the counts."""
    verdicts = []
    for board in load(path):
        assert board.rules == "tree"
        assert solve(board.puzzle, engine).status == "satisfiable", f"{board.source} by {engine}"
        found = count(board.puzzle, engine, limit=2)
        assert found.value in (1, 2)
        assert found.exact == (found.value == 1)
        if unique:
            assert found.value == 1, f"{board.source} by {engine}"
        verdicts.append((found.value, found.exact))
    return verdicts


def agree(shared: Callable[..., Path], folder: str, file: str) -> None:
    """All engines give the same counts on the file."""
    path = shared("instances", folder, file)
    unique = is_unique_by_promise(folder, file)
    verdicts = {engine: judge(path, engine, unique) for engine in ENGINES}
    assert len({tuple(v) for v in verdicts.values()}) == 1, verdicts


@pytest.mark.parametrize(("folder", "file"), SMALL)
def test_small_boards(shared: Callable[..., Path], folder: str, file: str) -> None:
    """Up to 11x11 all engines find a solution and agree on uniqueness, as promised."""
    agree(shared, folder, file)


@pytest.mark.fuzz
@pytest.mark.parametrize(("folder", "file"), MIDDLE)
def test_middle_boards(shared: Callable[..., Path], folder: str, file: str) -> None:
    """At 20x20 all engines find a solution and agree on uniqueness, as promised."""
    agree(shared, folder, file)


@pytest.mark.fuzz
@pytest.mark.parametrize(("folder", "file"), LARGE)
def test_large_boards(shared: Callable[..., Path], folder: str, file: str) -> None:
    """At 40x40 all engines find a solution and agree on uniqueness, as promised."""
    agree(shared, folder, file)
