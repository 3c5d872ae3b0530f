"""Jobs on top of the contract: solve, enumerate, count. Every solution is checked here."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from ..puzzles.check import check
from ..puzzles.errors import UsageError, WrongAnswer
from ..puzzles.model import Puzzle, Solution
from .contract import Answer, Count, Engine, Limits, Reason, Status
from .registry import get


@dataclass
class _Stopwatch:
    encode: float = 0.0
    solve: float = 0.0
    verify: float = 0.0

    def times(self) -> dict[str, float]:
        return {"encode": self.encode, "solve": self.solve, "verify": self.verify}


class Run:
    """An engine at work on a puzzle: iterate it for verified, distinct solutions.

    When the iteration ends, ``reason`` is None if it was proved that there are no more.
    Raises WrongAnswer on a solution that fails the checker or came twice, Unsupported at once.
    """

    def __init__(self, puzzle: Puzzle, engine: Engine, limits: Limits, *, many: bool) -> None:
        engine.require(puzzle, many=many, objective=False)
        self.puzzle, self.engine = puzzle, engine
        self.reason: Reason | None = None
        self.watch = _Stopwatch()
        begin = time.perf_counter()
        self.search = engine.start(puzzle, limits, many=many)
        self.watch.encode = time.perf_counter() - begin
        self._seen: set[bytes] = set()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.search.close()

    def __iter__(self) -> Iterator[Solution]:
        while True:
            begin = time.perf_counter()
            found = self.search.next()
            self.watch.solve += time.perf_counter() - begin
            if found is None or isinstance(found, Reason):
                self.reason = found
                return
            begin = time.perf_counter()
            self._verify(found)
            self.watch.verify += time.perf_counter() - begin
            yield found

    def _verify(self, solution: Solution) -> None:
        report = check(self.puzzle, solution)
        if not report.ok:
            raise WrongAnswer(str(self.engine.variant), report.reasons)
        key = solution.tobytes()
        if key in self._seen:
            raise WrongAnswer(str(self.engine.variant), ("the same solution came twice",))
        self._seen.add(key)


def _engine(solver: str | Engine) -> Engine:
    return get(solver) if isinstance(solver, str) else solver


def solve(puzzle: Puzzle, solver: str | Engine, limits: Limits | None = None) -> Answer:
    """One verified answer. Raises Unsupported, WrongAnswer, UsageError, MissingBackend."""
    with Run(puzzle, _engine(solver), limits or Limits(), many=False) as run:
        solution = next(iter(run), None)
        if solution is not None:
            status = Status.SATISFIABLE
        else:
            status = Status.UNSATISFIABLE if run.reason is None else Status.UNKNOWN
        return Answer(
            status,
            solution,
            reason=run.reason,
            stats=dict(run.search.stats),
            times=run.watch.times(),
        )


def solutions(
    puzzle: Puzzle, solver: str | Engine, limits: Limits | None = None, *, limit: int | None = None
) -> Iterator[Solution]:
    """Distinct verified solutions, at most ``limit``; see ``Run`` for the reason of the end."""
    if limit is not None and limit < 1:
        raise UsageError(f"limit {limit}: expected at least 1")
    with Run(puzzle, _engine(solver), limits or Limits(), many=limit != 1) as run:
        for number, solution in enumerate(run, 1):
            yield solution
            if number == limit:
                return


def count(
    puzzle: Puzzle, solver: str | Engine, limits: Limits | None = None, *, limit: int | None = None
) -> Count:
    """The number of distinct solutions; stops at ``limit`` with exact False."""
    if limit is not None and limit < 1:
        raise UsageError(f"limit {limit}: expected at least 1")
    with Run(puzzle, _engine(solver), limits or Limits(), many=limit != 1) as run:
        value = 0
        for _ in run:
            value += 1
            if value == limit:
                break
        exact = value != limit and run.reason is None
        return Count(value, exact, run.reason, dict(run.search.stats), run.watch.times())
