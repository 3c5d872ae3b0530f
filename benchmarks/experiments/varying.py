"""Boards whose number of solutions varies: partial boards with ends and tees.

Article 000 wanted to know what makes a board have many solutions, but its pieces (straight,
elbow, cross) on a bordered grid admit at most one. With ends and tees the question has an
answer. The boards: a random connected set of cells, a random spanning tree of it, and every
other border inside it opened with probability ``density``; so pieces, crosses and counts vary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...puzzles.board import Board
from ...puzzles.generators.partial import partial
from ...solvers.contract import Count
from ...solvers.run import count

SEED = 1
DENSITIES = (0.0, 0.15, 0.3)


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes (square boards), boards per size and density, and where counting stops."""

    sizes: tuple[int, ...]
    boards: int
    limit: int


FULL = Settings((4, 5, 6, 7), 150, 2000)
QUICK = Settings((4, 5), 40, 500)


@dataclass(frozen=True, slots=True)
class Varied:
    """One board: its pieces by openings, and its counts, exact or "at least"."""

    size: int
    density: float
    seed: int
    pieces: int
    ends: int
    tees: int
    crosses: int
    match: int
    match_exact: bool
    connected: int
    connected_exact: bool

    def value(self, rules: str) -> int:
        """The count under that rule."""
        return self.match if rules == "match" else self.connected

    def exact(self, rules: str) -> bool:
        """Whether that count is exact."""
        return self.match_exact if rules == "match" else self.connected_exact


def _count(board: Board, rules: str, limit: int) -> Count:
    return count(board.with_rules(rules).puzzle, "propagation", limit=limit)


def _fill(seed: int) -> float:
    """The share of cells that carry a piece, drawn per board so that pieces vary."""
    return float(np.random.default_rng((SEED, seed)).uniform(0.5, 1.0))


def _varied(size: int, density: float, seed: int, limit: int) -> Varied:
    board = partial(size, size, seed, fill=_fill(seed), density=density)
    degrees = [int(mask).bit_count() for mask in board.pieces]
    match, connected = (_count(board, rules, limit) for rules in ("match", "connected"))
    return Varied(
        size,
        density,
        seed,
        sum(d > 0 for d in degrees),
        degrees.count(1),
        degrees.count(3),
        degrees.count(4),
        match.value,
        match.exact,
        connected.value,
        connected.exact,
    )


def varied(settings: Settings, progress: Callable[[str], None]) -> list[Varied]:
    """Every board of the settings, counted."""

    def rows() -> Iterator[Varied]:
        grid = list(product(settings.sizes, DENSITIES))
        for k, (size, density) in enumerate(grid):
            progress(f"boards {size}x{size}, density {density} ({k + 1} of {len(grid)})")
            for i in range(settings.boards):
                yield _varied(size, density, SEED + k * settings.boards + i, settings.limit)

    return list(rows())
