"""Experiment ``paths``: article 004's plumber map and its program."""

from __future__ import annotations

import numpy as np

from ...puzzles.formats import loads
from ...puzzles.generators import make
from ...puzzles.instance import Instance
from ...solvers.contract import Limits
from ...solvers.run import count, solutions, solve
from ..report.document import Table
from . import Progress
from .report import Claim, Report

MAP = "5 4/5 3 5 3/1 5 3 0/2 3 5 1/6 1 1 5/1 5 5 4"
SIZES = ((4, 4), (5, 5), (6, 6), (8, 8))
FULL, QUICK = 30, 8
MOST_CALLS = 200_000

NOTES = (
    "A call is one step of the water in the article's depth-first search. It never stops at a "
    "path that it has found, so its calls are those of finding all of them.",
    f"A map that needs more than {MOST_CALLS} calls counts as cut off.",
)


def _map() -> Instance:
    [found] = loads(MAP)
    return found


def _claims() -> list[Claim]:
    puzzle = _map()
    found = [puzzle.decode(solution) for solution in solutions(puzzle.puzzle, "propagation")]
    cells = " ".join(f"({row + 1},{column + 1})" for row, column, _ in found[0])
    turns = ",".join(str(orientation) for _, _, orientation in found[0])
    first = solve(puzzle.puzzle, "reference").stats["calls"]
    every = count(puzzle.puzzle, "reference").stats["calls"]
    return [
        Claim(
            "the 5x4 map: its path",
            "(1,1) (1,2) (2,2) (3,2) (3,3) (3,4) (4,4) (5,4)",
            f"{len(found)} path: {cells}; orientations {turns}",
            "exact",
            "the article's map",
            "holds, and it is the only one" if len(found) == 1 else "holds, among others",
        ),
        Claim(
            "the search ends once the way is found",
            "implied by its text",
            f"the path is complete after {first} calls, the program makes {every}",
            "exact",
            "the article's map",
            "does not hold" if every != first else "holds",
        ),
    ]


def _row(width: int, height: int, sample: int) -> list[str | int | float | None]:
    needed, paths = [], []
    for seed in range(1, sample + 1):
        puzzle = make("path", width, height, seed).puzzle
        found = count(puzzle, "reference", Limits(nodes=MOST_CALLS))
        if found.exact:
            needed.append(int(found.stats["calls"]))
            paths.append(found.value)
    size = f"{height}x{width}"
    if not needed:
        return [size, sample, sample, None, None, None]
    cut = sample - len(needed)
    return [size, sample, cut, float(np.median(needed)), max(needed), float(np.median(paths))]


def run(*, quick: bool, progress: Progress) -> Report:
    """The article's map, and maps of other sizes."""
    sample = QUICK if quick else FULL
    rows = []
    for width, height in SIZES:
        progress(f"plumber maps {height}x{width}")
        rows.append(_row(width, height, sample))
    header = ("map", "n", "cut off", "median calls", "most", "median paths")
    table = Table("Calls to find all paths of generated maps", header, rows, "paths")
    return Report("paths", "Plumber paths (article 004)", NOTES, _claims(), [table], [])
