"""What is asked of an engine in a child process, and the record that comes back."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Literal

from ...puzzles.errors import UsageError
from ...puzzles.model import Puzzle, Solution
from ...puzzles.shuffle import require_seed
from ...solvers.contract import Limits, Reason, Stat, Status
from ...solvers.registry import parse

Task = Literal["solve", "optimise", "solutions", "count", "unique", "probe"]
"""What is asked. A probe looks at no puzzle: it says whether the engine is there, its versions
and what its counters mean.
"""

TASKS = ("solve", "optimise", "solutions", "count", "unique", "probe")
UNSEEDED = ("unique", "probe")
"""Tasks about the puzzle as it is given: no reshuffled copy of it is asked about."""


class Outcome(StrEnum):
    """How a run ended.

    ``answered``: the engine said all it was asked for, or stopped at its node limit (status
    unknown, reason nodes). ``timeout`` and the others may still carry verified solutions found
    before the end, with status satisfiable; they never prove that there are no more.
    """

    ANSWERED = "answered"
    TIMEOUT = "timeout"
    MEMOUT = "memout"
    CRASHED = "crashed"
    WRONG = "wrong"
    UNSUPPORTED = "unsupported"
    MISSING = "missing"
    INTERRUPTED = "interrupted"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Job:
    """One engine on one puzzle. ``limit`` bounds the number of solutions; ``seconds`` is wall
    time after start-up and ``cpu`` processor seconds after start-up of all the run's processes,
    ``memory`` the bytes they may have resident together: all three enforced by killing;
    ``nodes`` is the engine's own kind. ``seed`` None is the puzzle as it is given, any other
    number a reshuffling of it (solve, optimise, solutions and count only).
    """

    puzzle: Puzzle
    solver: str
    task: Task = "solve"
    limit: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    cpu: float | None = None
    memory: int | None = None
    seed: int | None = None

    def validate(self) -> None:
        """Raises UsageError for an unknown engine or task, or a limit that is not positive."""
        parse(self.solver)
        Limits(self.seconds, self.nodes)
        for name in ("cpu", "memory"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise UsageError(f"{name} limit {value}: expected a positive number")
        if self.task not in TASKS:
            raise UsageError(f"task {self.task!r}: expected one of {', '.join(TASKS)}")
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"limit {self.limit}: expected at least 1")
        if self.seed is not None:
            require_seed(self.seed)
            if self.task in UNSEEDED:
                raise UsageError(f"seed {self.seed}: {self.task} takes none")


@dataclass(frozen=True, slots=True)
class Where:
    """Where a run took place: the machine's name, the processors it was bound to (None: to none
    in particular), and the machine's load average over the last minute, None where unknown.
    """

    host: str
    cores: tuple[int, ...] | None = None
    load: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What came back.

    - ``solutions`` passed the checker in the child: the one of solve, the best of optimise, all
      of solutions, the first few of count, up to two of unique;
    - ``cost`` and ``bound`` for optimise: of that solution, and what none can beat;
    - ``count`` and ``exact`` for solutions, count and unique (exact False is "at least");
    - ``forced``, ``hint`` and ``hint_unique`` are those of ``solvers.unique.Uniqueness``;
    - ``times`` in seconds of wall time: start (of the process, until it is ready for a job; 0 of
      one that is used again), import (of the engine), encode, solve, verify, total (all of the
      run, import included), overshoot (from the limit until the processes were gone, or until
      the late answer);
    - ``cpu`` in seconds and ``peak_rss`` in bytes: of all processes of the run, after the import;
    - ``versions`` of the engine's packages, ``counters`` what each of its statistics means;
    - ``where`` it ran; ``workers``: the threads the engine was told to use.
    """

    outcome: Outcome
    status: Status = Status.UNKNOWN
    reason: Reason | None = None
    solutions: tuple[Solution, ...] = ()
    cost: int | None = None
    bound: int | None = None
    count: int | None = None
    exact: bool | None = None
    forced: tuple[int, ...] | None = None
    hint: tuple[int, int] | None = None
    hint_unique: bool = False
    stats: dict[str, Stat] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)
    cpu: float | None = None
    peak_rss: int | None = None
    message: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    counters: dict[str, str] = field(default_factory=dict)
    where: Where | None = None
    workers: int = 1

    @property
    def decided(self) -> bool:
        """Whether the run answered its question (a count up to its limit is an answer)."""
        return self.outcome is Outcome.ANSWERED and self.status is not Status.UNKNOWN


def pack(job: Job) -> bytes:
    """The job as bytes: only what the puzzle says, none of what was computed from it, so that
    every engine starts from the same.
    """
    puzzle = [getattr(job.puzzle, part.name) for part in fields(Puzzle)]
    return pickle.dumps((puzzle, replace(job, puzzle=_EMPTY)), protocol=pickle.HIGHEST_PROTOCOL)


def unpack(data: bytes) -> Job:
    """The inverse of ``pack``; the puzzle is validated and immutable again."""
    puzzle, job = pickle.loads(data)
    return replace(job, puzzle=Puzzle(*puzzle))


def probe_job(solver: str) -> Job:
    """The job that asks whether an engine is there."""
    return Job(_EMPTY, solver, task="probe")


_EMPTY: Any = Puzzle.build([])
