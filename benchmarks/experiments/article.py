"""Article 000's own sample, bit for bit: boards of its generator, judged and searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from ...puzzles.board import Board
from ...puzzles.generators import JavaGenerator
from ...solvers.run import count, solve

SEED = 20261026
SIZE = 5
BOARDS = 100


@dataclass(frozen=True, slots=True)
class Measured:
    """One board of the article. ``calls`` are calls of its recursive search; ``match`` and
    ``connected`` are exact numbers of solutions.
    """

    seed: int
    index: int
    pieces: int
    crosses: int
    edges: int
    calls: int
    match: int
    connected: int


def boards(seed: int = SEED, number: int = BOARDS) -> Iterator[Board]:
    """The first boards of the article's generator."""
    generator = JavaGenerator(seed)
    for _ in range(number):
        yield generator.generate(SIZE).board


def openings(board: Board) -> list[int]:
    """Openings of each cell's piece."""
    return [int(mask).bit_count() for mask in board.pieces]


def calls(board: Board) -> int:
    """Calls of the article's search until it has solved the board."""
    answer = solve(board.puzzle, "reference")
    if answer.solution is None:
        raise AssertionError("the article's generator made a board its solver cannot solve")
    return int(answer.stats["calls"])


def _exactly(board: Board, rules: str) -> int:
    found = count(board.with_rules(rules).puzzle, "propagation")
    if not found.exact:
        raise AssertionError("a count without a limit ended without proof")
    return found.value


@cache
def measured() -> tuple[Measured, ...]:
    """The article's 100 boards with everything it says about them."""
    rows = []
    for index, board in enumerate(boards()):
        degrees = openings(board)
        rows.append(
            Measured(
                SEED,
                index,
                sum(d > 0 for d in degrees),
                sum(d == 4 for d in degrees),
                sum(degrees) // 2,
                calls(board),
                _exactly(board, "match"),
                _exactly(board, "connected"),
            )
        )
    return tuple(rows)


def calls_over_seeds(seeds: int, progress: Callable[[str], None]) -> list[list[int]]:
    """Search calls of 100 boards for each of so many seeds from the article's on."""
    found = []
    for k in range(seeds):
        progress(f"article generator, seed {k + 1} of {seeds}")
        found.append([calls(board) for board in boards(SEED + k)])
    return found
