"""What every engine promises, and what it gives back.

An engine turns a Puzzle into a ``Search``; a Search hands out distinct solutions one at a
time until it has proved that there are no more or a limit stops it. Solving, enumerating,
counting and judging uniqueness are written once, in ``run.py``, on top of that; there every
solution passes the checker before anyone sees it.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from ..puzzles.errors import Unsupported, UsageError
from ..puzzles.model import Counts, Puzzle, Solution


class Status(StrEnum):
    """What is known of a puzzle after a run."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    OPTIMAL = "optimal"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """Why a run stopped before it had proved its answer."""

    TIME = "time"
    MEMORY = "memory"
    NODES = "nodes"
    INTERRUPTED = "interrupted"


Stat = int | float | str


@dataclass(frozen=True, slots=True)
class Answer:
    """One verified answer. ``reason`` is set where the status is not proved; ``times`` are
    seconds under encode, solve, verify (and import, total where they were measured).
    """

    status: Status
    solution: Solution | None = None
    cost: int | None = None
    bound: int | None = None
    reason: Reason | None = None
    stats: dict[str, Stat] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Count:
    """A number of distinct solutions: exact, or "at least" where a limit stopped it;
    ``reason`` is None if that limit was the caller's own on the number.
    """

    value: int
    exact: bool
    reason: Reason | None = None
    stats: dict[str, Stat] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """Cooperative limits: ``seconds`` of wall time, search ``nodes`` (of the engine's own
    kind). Hard limits are the harness's: it kills the process.
    """

    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise UsageError(f"time limit {self.seconds}: expected more than 0 seconds")
        if self.nodes is not None and self.nodes < 1:
            raise UsageError(f"node limit {self.nodes}: expected at least 1")


class Deadline:
    """A point in time on the monotonic clock, or none."""

    def __init__(self, limits: Limits) -> None:
        self._end = None if limits.seconds is None else time.monotonic() + limits.seconds

    def left(self) -> float | None:
        """Seconds left, never negative; None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def passed(self) -> bool:
        """Whether the limit is reached."""
        return self._end is not None and time.monotonic() >= self._end


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an engine can do. ``counters`` explains each of its own statistics, in words.

    ``seeds``: whether it may be given a reshuffled puzzle (``puzzles/shuffle.py``). False where
    the order of vertices and masks is what the engine stands for, as in an article's own search.
    """

    leaks: frozenset[str]
    connect: frozenset[str]
    acyclic: bool = True
    counts: bool = True
    free_stubs: bool = True
    objective: bool = False
    enumeration: bool = True
    interrupt: bool = False
    proof: bool = False
    seeds: bool = True
    max_ports: int | None = None
    counters: dict[str, str] = field(default_factory=dict)

    def missing(self, puzzle: Puzzle, *, many: bool, objective: bool) -> str | None:
        """The first thing asked for that the engine cannot do, None if it can do all."""
        rules = puzzle.rules
        has_counts = any(isinstance(d, Counts) for d in puzzle.domains)
        checks = (
            (rules.leaks in self.leaks, f"leaks {rules.leaks}"),
            (rules.connect in self.connect, f"connect {rules.connect}"),
            (self.acyclic or not rules.acyclic, "acyclic"),
            (self.counts or not has_counts, "domains given as counts"),
            (self.free_stubs or not puzzle.free.any(), "free stubs"),
            (self.objective or not objective, "an objective"),
            (self.enumeration or not many, "more than one solution"),
            (
                self.max_ports is None or puzzle.ports <= self.max_ports,
                f"{puzzle.ports} ports (at most {self.max_ports})",
            ),
        )
        return next((what for can, what in checks if not can), None)


@dataclass(frozen=True, slots=True)
class Variant:
    """A parsed engine name, ``engine(:option)*(+borrowed)*``."""

    engine: str
    options: tuple[str, ...] = ()
    borrowed: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [self.engine, *(f":{o}" for o in self.options), *(f"+{b}" for b in self.borrowed)]
        return "".join(parts)


class Search(ABC):
    """One run of an engine on one puzzle."""

    def __init__(self) -> None:
        self.stats: dict[str, Stat] = {}
        self.bound: int | None = None
        """Of a search that optimises: no solution is proved to cost less (or, if the puzzle is
        to be maximised, more) than this; None as long as nothing is proved.
        """

    @abstractmethod
    def next(self) -> Solution | Reason | None:
        """A further distinct solution (ports,), None once it is proved that there is none,
        or the reason why the search stopped; after a Reason it may be called again.
        """

    def close(self) -> None:
        """Give back what the back end holds; safe to call twice."""


class Engine(ABC):
    """A solver. Subclasses set ``name`` and ``capabilities`` and check their options.

    ``workers`` is the number of search threads it uses; runs with different numbers are never
    put in one series.
    """

    name: ClassVar[str]
    capabilities: Capabilities
    workers: int = 1

    def __init__(self, variant: Variant) -> None:
        """Raises UsageError for an option it does not know, MissingBackend if its library
        cannot be imported.
        """
        self.variant = variant

    def versions(self) -> dict[str, str]:
        """Package name to version of what does the solving."""
        return {}

    @abstractmethod
    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Encode the puzzle. ``many`` says that more than one solution will be asked for.

        Called through ``run.py`` only, after ``require``.
        """

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """As ``start``, for the best solution by the puzzle's costs: every solution it hands out
        is strictly better than the one before, and None proves the last one optimal. Engines
        whose capabilities name an objective override it.
        """
        raise Unsupported(str(self.variant), "an objective")

    def require(self, puzzle: Puzzle, *, many: bool, objective: bool = False) -> None:
        """Raises Unsupported if this job is beyond the engine."""
        lack = self.capabilities.missing(puzzle, many=many, objective=objective)
        if lack is not None:
            raise Unsupported(str(self.variant), lack)
