"""Experiment ``scaling``: how the article's search grows with the board (article 000).

Work is counted in calls of its search, not in seconds. Its own generator cannot make larger
boards (its cycle search is exponential), so three samples stand beside each other: its own
generator within a budget of cells, and the project's cycle unions and face unions.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...puzzles.board import Board
from ...puzzles.errors import GenerationFailed
from ...puzzles.generators import JavaGenerator, generate
from ...solvers.contract import Limits
from ...solvers.run import solve
from ..report.document import Table
from ..statistics.estimates import proportion
from . import Progress
from .article import SEED
from .report import Claim, Report, Scatter

SIZES = (5, 6, 8, 10, 12, 16)
JAVA_SIZES, JAVA_BUDGET = (5, 6, 7, 8), 100_000
FULL, QUICK = 60, 12
MOST_CALLS = 20_000

NOTES = (
    "A call is one call of the article's recursive search, what it calls a node.",
    f"A board that is not solved within {MOST_CALLS} calls counts as not solved.",
    f"The article's generator gives up here once its search for cycles has entered "
    f"{JAVA_BUDGET} cells; the article has no such limit and then never returns.",
)


def calls(boards: Iterator[Board]) -> list[int | None]:
    """Calls of the article's search on each board, None if the budget did not do."""
    found: list[int | None] = []
    for board in boards:
        puzzle = board.with_rules("connected").puzzle
        answer = solve(puzzle, "reference", Limits(nodes=MOST_CALLS))
        found.append(int(answer.stats["calls"]) if answer.solution is not None else None)
    return found


def java_success(size: int, sample: int) -> tuple[int, list[Board]]:
    """How many of so many seeds the article's generator serves, and those boards."""
    made = []
    for k in range(sample):
        try:
            made.append(JavaGenerator(SEED + k).generate(size, budget=JAVA_BUDGET).board)
        except GenerationFailed:
            continue
    return len(made), made


def _row(kind: str, size: int, found: list[int | None]) -> list[str | int | float | None]:
    solved = [c for c in found if c is not None]
    median = float(np.median(solved)) if solved else None
    return [
        kind, f"{size}x{size}", len(found), len(solved), median,
        max(solved, default=None), median / size**2 if median else None,
    ]  # fmt: skip


def run(*, quick: bool, progress: Progress) -> Report:
    """Calls by size and family."""
    sample = QUICK if quick else FULL
    rows, points = [], {}
    for kind in ("cycles", "faces"):
        for size in SIZES:
            progress(f"{kind} {size}x{size}")
            made = (generate(kind, size, size, seed, wrap=False) for seed in range(1, sample + 1))
            found = calls(made)
            rows.append(_row(kind, size, found))
            points.setdefault(kind, []).extend((size**2, c) for c in found if c is not None)
    served = []
    for size in JAVA_SIZES:
        progress(f"the article's generator, {size}x{size}")
        number, made = java_success(size, sample)
        share = proportion(number, sample)
        served.append([f"{size}x{size}", number, sample, share.interval()])
        rows.append(_row("article", size, calls(iter(made))))
    unsolved = sum(int(row[2]) - int(row[3]) for row in rows)
    at_8 = next(row for row in rows if row[:2] == ["cycles", "8x8"])
    at_16 = next(row for row in rows if row[:2] == ["cycles", "16x16"])
    claims = [
        Claim(
            "8x8 becomes visibly hard for the search",
            "yes",
            f"median {at_8[4]:g} calls at 8x8, {at_16[4]:g} at 16x16; {unsolved} boards beyond "
            f"{MOST_CALLS} calls",
            "-",
            f"{sample} boards a size, seeds 1 to {sample}",
            "does not hold" if not unsolved else "holds",
        ),
        *(
            Claim(
                f"the generator makes a {name} board",
                "always",
                f"{number} of {of}",
                interval,
                f"{of} seeds from {SEED}",
                "holds" if number == of else "does not hold",
            )
            for name, number, of, interval in served
        ),
    ]
    header = ("boards", "size", "n", "solved", "median calls", "most", "median per cell")
    series = {k: ([x for x, _ in v], [y for _, y in v]) for k, v in points.items()}
    figure = Scatter(
        "scaling",
        "Calls of the article's search",
        dict.fromkeys(series, ("cells", "calls")),
        series,
        log_y=True,
    )
    tables = [
        Table("Calls by size", header, rows, "scaling"),
        Table("The article's generator", ("size", "made", "seeds", "95 %"), served, "scaling_java"),
    ]
    return Report("scaling", "Growth with the size (article 000)", NOTES, claims, tables, [figure])
