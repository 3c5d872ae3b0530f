"""The matrix: which engine does which job on which family, tried out and not just claimed.

For every family a few small generated instances; every engine solves them, counts their
solutions and, where the family has costs, optimises. An answer must equal brute force in status,
number or optimum, and every solution passes the checker on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..puzzles.errors import GenerationFailed, Unsupported
from ..puzzles.generators import make
from ..puzzles.instance import Instance, Objective
from ..puzzles.model import Puzzle
from ..solvers import run
from ..solvers.contract import Status
from .experiments.report import markdown_table

ENGINES = ("propagation", "sat", "cpsat", "milp", "brute", "reference")
JOBS = ("solve", "count", "optimise")
INSTANCES = 20
MOST_SOLUTIONS = 1000
"""Instances with more are left out: milp would need as many searches."""

NONE = "-"
"""What stands in a cell whose engine cannot do the job."""


@dataclass(frozen=True, slots=True)
class Line:
    """A family under one rule: how its instance of a seed is made."""

    name: str
    kind: str
    width: int
    height: int
    rules: str | None = None
    objective: Objective | None = None
    settings: dict[str, Any] = field(default_factory=dict)

    def instance(self, seed: int) -> Instance:
        """The instance of a seed; raises GenerationFailed if there is none."""
        made = make(self.kind, self.width, self.height, seed, **self.settings)
        ruled = made if self.rules is None else made.with_rules(self.rules)
        return ruled if self.objective is None else ruled.with_objective(self.objective)


ROTATIONS, LENGTH = Objective("rotations"), Objective("length")
LINES = (
    Line("pipes, match", "partial", 4, 3, "match"),
    Line("pipes, connected", "dense", 3, 3, "connected"),
    Line("pipes, tree", "net", 4, 3, "tree"),
    Line("minimum rotations", "dense", 3, 3, "connected", ROTATIONS),
    Line("flow, reach", "flow", 3, 2, "reach", ROTATIONS),
    Line("flow, article", "flow", 3, 3, "article", ROTATIONS),
    Line("flow, sealed", "flow", 3, 3, "sealed", ROTATIONS),
    Line("flow, strict", "flow", 3, 3, "strict", ROTATIONS),
    Line("plumber paths", "path", 4, 3, None, LENGTH),
    Line("dominoes, chain", "dominoes", 4, 6, "chain"),
    Line("dominoes, longest", "dominoes", 4, 6, "subchain", Objective("length", maximise=True)),
    Line("dominoes, weights", "dominoes", 4, 6, "subchain", Objective("weight", maximise=True)),
)


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
