"""The matrix: which engine does which job on which family, tried out and not just claimed.

For every family a few small generated instances; every engine solves them, counts their
solutions and, where the family has costs, optimises. An answer must equal brute force in status,
number or optimum, and every solution passes the checker on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..puzzles.errors import GenerationFailed, Unsupported
from ..puzzles.generators import make
from ..puzzles.instance import Instance, Objective
from ..puzzles.model import Puzzle
from ..solvers import run
from ..solvers.contract import Status
from .report.document import markdown_table

ENGINES = ("propagation", "sat", "cpsat", "milp", "brute", "reference")
JOBS = ("solve", "count", "optimise")
INSTANCES = 20
MOST_SOLUTIONS = 200
"""Instances with more are left out: each solution costs milp searches of its own."""

NONE = "-"
"""What stands in a cell whose engine cannot do the job."""


Recipe = tuple[str, dict[str, Any]]
"""A kind of generator and its settings."""


@dataclass(frozen=True, slots=True)
class Line:
    """A family under one rule. Its instances come from the ``recipes`` in turns, so that some
    have one solution, some several and some none.
    """

    name: str
    width: int
    height: int
    recipes: tuple[Recipe, ...]
    rules: str | None = None
    objective: Objective | None = None

    def instance(self, seed: int) -> Instance:
        """The instance of a seed; raises GenerationFailed if there is none."""
        kind, settings = self.recipes[seed % len(self.recipes)]
        made = make(kind, self.width, self.height, seed, **settings)
        ruled = made if self.rules is None else made.with_rules(self.rules)
        return ruled if self.objective is None else ruled.with_objective(self.objective)


def _torus(kind: str) -> Recipe:
    return kind, {"wrap": True}


ROTATIONS, LENGTH = Objective("rotations"), Objective("length")
NEAR_MISS: Recipe = ("near-miss", {})
FLOWS: tuple[Recipe, ...] = (
    ("flow", {"sources": 1, "sinks": 2}),
    ("flow", {"sources": 2, "sinks": 2, "others": "random"}),
)
PATHS: tuple[Recipe, ...] = (
    ("path", {"obstacles": 0.0, "straights": 0.2}),
    ("path", {"obstacles": 0.0, "straights": 0.2, "planted": "no"}),
)
TILES: tuple[Recipe, ...] = (("dominoes", {}),)
LINES = (
    Line("pipes, match", 3, 3, (("partial", {}), _torus("dense"), NEAR_MISS), "match"),
    Line("pipes, connected", 3, 3, (("dense", {}), _torus("dense"), NEAR_MISS), "connected"),
    Line("pipes, tree", 3, 3, (("net", {}), _torus("net"), NEAR_MISS), "tree"),
    Line("minimum rotations", 3, 3, (("dense", {}), _torus("dense"), NEAR_MISS), "connected",
         ROTATIONS),
    Line("flow, reach", 3, 2, FLOWS, "reach", ROTATIONS),
    Line("flow, article", 3, 3, FLOWS, "article", ROTATIONS),
    Line("flow, sealed", 3, 2, FLOWS, "sealed", ROTATIONS),
    Line("flow, strict", 3, 3, FLOWS, "strict", ROTATIONS),
    Line("plumber paths", 5, 4, PATHS, None, LENGTH),
    Line("dominoes, chain", 4, 6, TILES, "chain"),
    Line("dominoes, longest", 4, 6, TILES, "subchain", Objective("length", maximise=True)),
    Line("dominoes, weights", 4, 6, TILES, "subchain", Objective("weight", maximise=True)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Truth:
    """An instance's puzzle and its answers by brute force; ``best`` None where it has no costs
    or no solution.
    """

    puzzle: Puzzle
    number: int
    best: int | None

    @classmethod
    def of(cls, puzzle: Puzzle) -> Truth:
        """Count and optimise by brute force."""
        best = None if puzzle.costs is None else run.optimise(puzzle, "brute").cost
        return cls(puzzle, run.count(puzzle, "brute").value, best)


@dataclass(frozen=True, slots=True)
class Cell:
    """How many instances an engine answered as brute force did, and what it got wrong."""

    right: int = 0
    wrong: tuple[str, ...] = ()
    cannot: str = ""

    def __str__(self) -> str:
        if self.cannot:
            return NONE
        return f"{self.right}, {len(self.wrong)} WRONG" if self.wrong else str(self.right)


def truths(line: Line, number: int) -> list[Truth]:
    """So many instances of a line with their answers, from seeds 1 on."""
    found: list[Truth] = []
    seed = misses = 0
    while len(found) < number:
        seed += 1
        try:
            truth = Truth.of(line.instance(seed).puzzle)
        except GenerationFailed:
            truth = None
        if truth is None or truth.number > MOST_SOLUTIONS:
            misses += 1
            if misses > 20 * number:
                raise GenerationFailed(f"{line.name}: {len(found)} small instances of {number}")
            continue
        found.append(truth)
    return found


def _solves(truth: Truth, engine: str) -> bool:
    wanted = Status.SATISFIABLE if truth.number else Status.UNSATISFIABLE
    return run.solve(truth.puzzle, engine).status is wanted


def _counts(truth: Truth, engine: str) -> bool:
    found = run.count(truth.puzzle, engine)
    return found.exact and found.value == truth.number


def _optimises(truth: Truth, engine: str) -> bool:
    found = run.optimise(truth.puzzle, engine)
    wanted = Status.OPTIMAL if truth.number else Status.UNSATISFIABLE
    return found.status is wanted and found.cost == truth.best


_DOES: dict[str, Callable[[Truth, str], bool]] = {
    "solve": _solves,
    "count": _counts,
    "optimise": _optimises,
}


def cell(known: Sequence[Truth], engine: str, job: str) -> Cell:
    """One engine's job on all instances of a line."""
    right, wrong = 0, []
    for number, truth in enumerate(known):
        try:
            fits = _DOES[job](truth, engine)
        except Unsupported as error:
            return Cell(cannot=str(error))
        except Exception as error:
            fits = False
            wrong.append(f"instance {number}: {error}")
        else:
            if not fits:
                wrong.append(f"instance {number}: another answer than brute force")
        right += fits
    return Cell(right, tuple(wrong))


@dataclass(frozen=True, slots=True)
class Matrix:
    """Every line's jobs by engine; ``rows`` are (family, job, a cell per engine)."""

    engines: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[Cell, ...]], ...]

    @property
    def wrong(self) -> list[str]:
        """What went wrong, a sentence each."""
        return [
            f"{family}, {job}, {engine}: {why}"
            for family, job, cells in self.rows
            for engine, one in zip(self.engines, cells, strict=True)
            for why in one.wrong
        ]

    def __str__(self) -> str:
        rows = [[family, job, *map(str, cells)] for family, job, cells in self.rows]
        return markdown_table(["family", "job", *self.engines], rows)


def matrix(
    *,
    instances: int = INSTANCES,
    engines: Sequence[str] = ENGINES,
    lines: Sequence[Line] = LINES,
    progress: Callable[[str], None] = lambda _: None,
) -> Matrix:
    """Try every engine at every job of every family."""
    rows = []
    for line in lines:
        progress(line.name)
        known = truths(line, instances)
        jobs = JOBS if line.objective is not None else JOBS[:2]
        for job in jobs:
            tried = map(partial(cell, known, job=job), engines)
            rows.append((line.name, job, tuple(tried)))
    return Matrix(tuple(engines), tuple(rows))
