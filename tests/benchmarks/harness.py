"""Small puzzles and the setting in which children find the fake engines."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from plumbench.puzzles.model import Puzzle, Rules, Table
from plumbench.solvers.registry import EXTRA

HERE = Path(__file__).resolve().parent


def parallel(edges: int, *, solvable: bool = True) -> Puzzle:
    """Two vertices joined by parallel edges, exactly one of them on: ``edges`` solutions."""
    ones = tuple(1 << i for i in range(edges))
    other = ones if solvable else (0,)
    return Puzzle.build(
        [(edges, Table(edges, ones)), (edges, Table(edges, other))],
        [(0, i, 1, i) for i in range(edges)],
        rules=Rules(connect="used"),
    )


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[], list[int]]]:
    """Make the fake engines known; gives a function that lists the process numbers they noted
    and ends the test by making sure that none of them is alive.
    """
    import fake_engines
    import fake_hogs
    import fake_tellers

    pids = tmp_path / "pids"
    pids.mkdir()
    monkeypatch.setenv(EXTRA, f"{fake_engines.EXTRA},{fake_hogs.EXTRA},{fake_tellers.EXTRA}")
    monkeypatch.setenv("FAKE_PIDS", str(pids))
    monkeypatch.setenv("PYTHONPATH", f"{HERE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")

    def noted() -> list[int]:
        return [int(path.name) for path in pids.iterdir()]

    yield noted
    assert not alive(noted())


def alive(pids: list[int], seconds: float = 10.0) -> list[int]:
    """Those of the processes that still run after a moment of grace."""
    end = time.monotonic() + seconds
    while True:
        left = [pid for pid in pids if _runs(pid)]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
