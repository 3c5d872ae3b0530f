"""Boards whose number of solutions varies: partial boards with ends and tees.

Article 000 wanted to know what makes a board have many solutions, but its pieces (straight,
elbow, cross) on a bordered grid admit at most one. With ends and tees the question has an
answer. The boards: a random connected set of cells, a random spanning tree of it, and every
other border inside it opened with probability ``density``; so pieces, crosses and counts vary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product

from ...puzzles.board import Board
from ...puzzles.generators import generate
from ...puzzles.generators.stream import Stream
from ...solvers.contract import Count
from ...solvers.run import count

SEED = 1
DENSITIES = (0.0, 0.3, 0.6)


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes of the square boards, boards per group, and where counting stops."""

    sizes: tuple[int, ...]
    boards: int
    limit: int


FULL = Settings((5, 8, 12), 150, 2000)
QUICK = Settings((5, 10), 30, 500)


@dataclass(frozen=True, slots=True)
class Group:
    """Boards of one kind: size, bordered or torus, density."""

    size: int
    wrap: bool
    density: float

    def __str__(self) -> str:
        return f"{self.grid}, density {self.density:g}"

    @property
    def grid(self) -> str:
        """The size, and whether it is a torus."""
        return f"{self.size}x{self.size}{' torus' if self.wrap else ''}"


def groups(settings: Settings) -> list[Group]:
    """Every combination of the settings."""
    return [Group(*kind) for kind in product(settings.sizes, (False, True), DENSITIES)]


@dataclass(frozen=True, slots=True)
class Varied:
    """One board: its pieces by openings, and its counts, exact or "at least"."""

    size: int
    wrap: bool
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

    @property
    def group(self) -> Group:
        """The group it belongs to."""
        return Group(self.size, self.wrap, self.density)

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
    return 0.5 + 0.5 * Stream(seed).real()


def _varied(group: Group, seed: int, limit: int) -> Varied:
    size, wrap, density = group.size, group.wrap, group.density
    board = generate("partial", size, size, seed, wrap=wrap, fill=_fill(seed), density=density)
    degrees = [int(mask).bit_count() for mask in board.pieces]
    match, connected = (_count(board, rules, limit) for rules in ("match", "connected"))
    return Varied(
        size,
        wrap,
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


@cache
def _counted(group: Group, seeds: range, limit: int) -> tuple[Varied, ...]:
    return tuple(_varied(group, seed, limit) for seed in seeds)


def varied(settings: Settings, progress: Callable[[str], None]) -> list[Varied]:
    """Every board of the settings, counted."""
    rows = []
    kinds = groups(settings)
    for k, group in enumerate(kinds):
        progress(f"boards {group} ({k + 1} of {len(kinds)})")
        seeds = range(SEED + k * settings.boards, SEED + (k + 1) * settings.boards)
        rows += _counted(group, seeds, settings.limit)
    return rows
