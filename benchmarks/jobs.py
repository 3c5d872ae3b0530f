"""What is asked of an engine in a child process, and the record that comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from ..puzzles.model import Puzzle, Solution
from ..solvers.contract import Reason, Stat, Status

Task = Literal["solve", "solutions", "count", "unique"]


class Outcome(StrEnum):
    """How a run ended; only ``answered`` carries a verdict."""

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
    time, enforced by killing; ``nodes`` is the engine's own kind.
    """

    puzzle: Puzzle
    solver: str
    task: Task = "solve"
    limit: int | None = None
    seconds: float | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What came back. ``solutions`` are verified; ``count`` and ``exact`` for count and
    unique; ``times`` in seconds under import, encode, solve, verify, total; ``cpu`` in seconds,
    ``peak_rss`` in bytes.
    """

    outcome: Outcome
    status: Status = Status.UNKNOWN
    reason: Reason | None = None
    solutions: tuple[Solution, ...] = ()
    count: int | None = None
    exact: bool | None = None
    forced: tuple[int, ...] | None = None
    hint: tuple[int, int] | None = None
    stats: dict[str, Stat] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)
    cpu: float | None = None
    peak_rss: int | None = None
    message: str = ""
