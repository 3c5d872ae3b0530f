"""Jobs on top of the contract: solve, optimise, enumerate, count. Every solution is checked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from ..puzzles.check import check
from ..puzzles.check import cost as cost_of
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

    When the iteration ends, ``reason`` is None if it was proved that there are no more. With
    ``optimise`` each solution is better than the one before, and ``cost`` is that of the last.
    Raises WrongAnswer on a solution that fails the checker, came twice or is no better where it
    must be, Unsupported and UsageError (nothing to optimise) at once.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        engine: Engine,
        limits: Limits,
        *,
        many: bool = False,
        optimise: bool = False,
    ) -> None:
        engine.require(puzzle, many=many, objective=optimise)
        if optimise and puzzle.costs is None:
            raise UsageError("the puzzle has no costs: there is nothing to optimise")
        self.puzzle, self.engine, self._optimise = puzzle, engine, optimise
        self.reason: Reason | None = None
        self.cost: int | None = None
        self.watch = _Stopwatch()
        begin = time.perf_counter()
        if optimise:
            self.search = engine.improve(puzzle, limits)
        else:
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
                self._judge_bound()
                return
            begin = time.perf_counter()
            self._verify(found)
            self.watch.verify += time.perf_counter() - begin
            yield found

    def _verify(self, solution: Solution) -> None:
        report = check(self.puzzle, solution)
        if not report.ok:
            raise WrongAnswer(str(self.engine.variant), report.reasons)
        if self._optimise:
            cost = cost_of(self.puzzle, solution)
            if self.cost is not None and not self._better(cost, self.cost):
                self._wrong(f"a solution of cost {cost} came after one of {self.cost}")
            self.cost = cost
            return
        key = solution.tobytes()
        if key in self._seen:
            self._wrong("the same solution came twice")
        self._seen.add(key)

    def _better(self, cost: int, than: int) -> bool:
        assert self.puzzle.costs is not None
        return cost > than if self.puzzle.costs.maximise else cost < than

    def _wrong(self, why: str) -> NoReturn:
        raise WrongAnswer(str(self.engine.variant), (why,))

    def _judge_bound(self) -> None:
        """A bound that a verified solution beats is a wrong answer."""
        bound = self.bound
        if bound is not None and self.cost is not None and self._better(self.cost, bound):
            self._wrong(f"the bound {bound} is beaten by a solution of cost {self.cost}")

    @property
    def bound(self) -> int | None:
        """What no solution can beat: the cost itself once that is proved best."""
        if not self._optimise:
            return None
        return self.cost if self.reason is None and self.cost is not None else self.search.bound

    @property
    def status(self) -> Status:
        """What is known of the optimum once the iteration has ended."""
        if self.cost is not None:
            return Status.OPTIMAL if self.reason is None else Status.SATISFIABLE
        return Status.UNSATISFIABLE if self.reason is None else Status.UNKNOWN


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


def optimise(puzzle: Puzzle, solver: str | Engine, limits: Limits | None = None) -> Answer:
    """The best solution by the puzzle's costs, verified: optimal with its cost, or what was
    found when a limit struck, with the bound proved so far. Raises as ``solve`` does, and
    UsageError for a puzzle without costs.
    """
    with Run(puzzle, _engine(solver), limits or Limits(), optimise=True) as run:
        solution = None
        for better in run:
            solution = better
        return Answer(
            run.status,
            solution,
            run.cost,
            run.bound,
            run.reason,
            dict(run.search.stats),
            run.watch.times(),
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
