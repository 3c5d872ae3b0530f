"""The library's front door: solve, optimise, list, count and judge, for instances and puzzles.

All of it runs in this process, so limits are cooperative: an engine that cannot be interrupted
may overrun them. The command line and the harness use child processes instead.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from ..puzzles.errors import UsageError
from ..puzzles.instance import Instance
from ..puzzles.model import Puzzle, Solution
from . import run
from .contract import Answer, Count, Engine, Limits, Reason, Stat
from .registry import get
from .unique import EXPLAIN_SECONDS, Uniqueness, judge

DEFAULT_SOLVER = "propagation"
"""Complete, interruptible, and there without any extra package."""


@dataclass(frozen=True, slots=True)
class DrawnAnswer(Answer):
    """An Answer that knows its instance: ``str`` says the status and draws the solution."""

    instance: Instance | None = None
    solver: str = ""

    def __str__(self) -> str:
        from .show import answer_text

        return answer_text(self, self.instance, self.solver)


def _split(subject: Instance | Puzzle) -> tuple[Puzzle, Instance | None]:
    if isinstance(subject, Puzzle):
        return subject, None
    return subject.puzzle, subject


def solve(
    subject: Instance | Puzzle,
    solver: str | Engine = DEFAULT_SOLVER,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
) -> DrawnAnswer:
    """One verified answer; ``str`` draws it.

    ``seconds`` of wall time, ``nodes`` of the engine's own kind. Raises Unsupported,
    UsageError, MissingBackend, WrongAnswer.
    """
    puzzle, instance = _split(subject)
    answer = run.solve(puzzle, solver, Limits(seconds, nodes))
    known = {f.name: getattr(answer, f.name) for f in fields(Answer)}
    return DrawnAnswer(**known, instance=instance, solver=_name(solver))


def optimise(
    subject: Instance | Puzzle,
    solver: str | Engine = DEFAULT_SOLVER,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
) -> DrawnAnswer:
    """The best solution by the costs of the puzzle (of an instance: by its ``objective``).

    Status optimal with ``cost``; satisfiable with ``cost``, ``bound`` and ``reason`` where a
    limit struck first. Raises as ``solve`` does, and UsageError where there are no costs.
    """
    puzzle, instance = _split(subject)
    answer = run.optimise(puzzle, solver, Limits(seconds, nodes))
    known = {f.name: getattr(answer, f.name) for f in fields(Answer)}
    return DrawnAnswer(**known, instance=instance, solver=_name(solver))


class Solutions(Iterator[Solution]):
    """Distinct verified solutions, one at a time, each of shape (ports,).

    After the last one ``complete`` says whether it was proved that there are no more, and
    ``reason`` which limit ended the search if one did.
    """

    def __init__(
        self, puzzle: Puzzle, solver: str | Engine, limits: Limits, limit: int | None
    ) -> None:
        if limit is not None and limit < 1:
            raise UsageError(f"limit {limit}: expected at least 1")
        engine = get(solver) if isinstance(solver, str) else solver
        self._run = run.Run(puzzle, engine, limits, many=limit != 1)
        self._walk = iter(self._run)
        self._left = limit
        self._closed = False
        self.complete = False

    @property
    def reason(self) -> Reason | None:
        """The limit of time or nodes that ended the search, None if none did."""
        return self._run.reason

    def __next__(self) -> Solution:
        solution = None if self._closed or self._left == 0 else next(self._walk, None)
        if solution is None:
            if not self._closed and self._left != 0:
                self.complete = self._run.reason is None
            self.close()
            raise StopIteration
        if self._left is not None:
            self._left -= 1
        return solution

    def close(self) -> None:
        """Give back what the engine holds; safe to call twice."""
        self._closed = True
        self._run.search.close()


def solutions(
    subject: Instance | Puzzle,
    solver: str | Engine = DEFAULT_SOLVER,
    *,
    limit: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
) -> Solutions:
    """An iterator over distinct verified solutions, at most ``limit`` of them.

    Draw one with ``instance.draw(solution)``. Raises as ``solve`` does.
    """
    puzzle, _ = _split(subject)
    return Solutions(puzzle, solver, Limits(seconds, nodes), limit)


def count(
    subject: Instance | Puzzle,
    solver: str | Engine = DEFAULT_SOLVER,
    *,
    limit: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    model: bool = False,
) -> Count:
    """The number of distinct solutions; stops at ``limit`` with ``exact`` False.

    What a family counts itself (of dominoes: the directed chains of all tiles) no solver counts,
    unless the solutions of the ``model`` are asked for; ``stats`` then say what and how.
    """
    puzzle, instance = _split(subject)
    if instance is not None and not model:
        begin = time.perf_counter()
        try:
            found = instance.count_exactly(seconds)
        except TimeoutError:
            return Count(0, False, Reason.TIME)
        if found is not None:
            exact = limit is None or found.value < limit
            value = found.value if limit is None else min(found.value, limit)
            said: dict[str, Stat] = {"counted": found.what, "method": found.method}
            spent = {"solve": time.perf_counter() - begin}
            return Count(value, exact, stats=said, times=spent)
    return run.count(puzzle, solver, Limits(seconds, nodes), limit=limit)


def unique(
    subject: Instance | Puzzle,
    solver: str | Engine = DEFAULT_SOLVER,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    explain: float = EXPLAIN_SECONDS,
) -> Uniqueness:
    """Whether there is exactly one solution; ``str`` shows the evidence.

    ``explain``: seconds to spend on the forced cells and a hint if there are several.
    """
    puzzle, instance = _split(subject)
    found = judge(puzzle, solver, Limits(seconds, nodes), explain=explain)
    return replace(found, instance=instance)


def _name(solver: str | Engine) -> str:
    return solver if isinstance(solver, str) else str(solver.variant)
