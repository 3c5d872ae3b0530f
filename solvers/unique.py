"""Is a puzzle's solution the only one? And if not: what differs, what is forced, what helps.

The verdict needs two solutions or the proof that there are no two. What explains an ambiguous
puzzle (the vertices that are alike in all solutions, one whose locking helps) takes further
calls of an engine, under a budget of its own, and is only claimed where it was proved.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from ..puzzles.errors import WrongAnswer
from ..puzzles.model import MAX_TABLE_DEGREE, BoolArray, IntArray, Puzzle, Solution, Table, masks_of
from . import run
from .contract import Answer, Engine, Limits, Reason, Stat, Status
from .registry import get

if TYPE_CHECKING:
    from ..puzzles.instance import Instance

EXPLAIN_SECONDS = 2.0
MAX_LISTED = 64
MAX_HINTS = 32


class Verdict(StrEnum):
    """What is known of the number of solutions."""

    UNIQUE = "unique"
    AMBIGUOUS = "ambiguous"
    UNSOLVABLE = "unsolvable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Uniqueness:
    """A verdict on the number of solutions, with the evidence.

    - ``solutions``: the verified ones that prove it: none, one, or two different ones;
    - ``differing``: the vertices whose masks differ between those two;
    - ``forced``: the vertices with the same mask in *all* solutions; None where that was not
      proved (``alike`` then says what the two shown have in common);
    - ``hint``: (vertex, mask): locking it keeps the first solution and removes the second, and,
      if ``hint_unique``, leaves no other;
    - ``count``, ``exact``: solutions known, and whether these are all;
    - ``stats``: the engine's counters; ``explained_by`` names the engine behind ``forced`` and
      ``hint`` if it is another one;
    - ``instance``: what ``str`` draws, if it is known.
    """

    verdict: Verdict
    solutions: tuple[Solution, ...] = ()
    differing: tuple[int, ...] = ()
    alike: tuple[int, ...] = ()
    forced: tuple[int, ...] | None = None
    hint: tuple[int, int] | None = None
    hint_unique: bool = False
    count: int = 0
    exact: bool = False
    reason: Reason | None = None
    stats: dict[str, Stat] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)
    instance: Instance | None = None

    @property
    def status(self) -> Status:
        """Whether there is a solution at all, in the solver's words."""
        if self.solutions:
            return Status.SATISFIABLE
        return Status.UNSATISFIABLE if self.exact else Status.UNKNOWN

    def __str__(self) -> str:
        from .show import uniqueness_text

        return uniqueness_text(self, self.instance)


def judge(
    puzzle: Puzzle,
    solver: str | Engine = "propagation",
    limits: Limits | None = None,
    *,
    explain: float = EXPLAIN_SECONDS,
) -> Uniqueness:
    """Decide whether the puzzle has no, one or several solutions.

    ``explain`` is the budget in seconds for ``forced`` and ``hint``, beyond the verdict but
    within ``limits.seconds``; 0 asks for neither. An engine that cannot be interrupted leaves
    the explanation to ``propagation``. Raises Unsupported, WrongAnswer, UsageError,
    MissingBackend.
    """
    engine = get(solver) if isinstance(solver, str) else solver
    limits = limits or Limits()
    begin = time.monotonic()
    with run.Run(puzzle, engine, limits, many=True) as at_work:
        found = list(islice(at_work, 2))
        result = verdict(puzzle, found, at_work.reason)
        result = replace(result, stats=dict(at_work.search.stats), times=at_work.watch.times())
    if result.verdict is not Verdict.AMBIGUOUS:
        return result
    if limits.seconds is not None:
        explain = min(explain, (limits.seconds - (time.monotonic() - begin)) / 2)
    if explain <= 0:
        return result
    helper = engine
    if not engine.capabilities.interrupt:
        helper = get("propagation")
        if helper.capabilities.missing(puzzle, many=True, objective=False) is not None:
            return result
        result.stats["explained_by"] = helper.name
    return _Explainer(puzzle, helper, explain, limits.nodes).explain(result)


def verdict(puzzle: Puzzle, found: Sequence[Solution], reason: Reason | None) -> Uniqueness:
    """What at most two verified solutions prove, if the search for them ended with ``reason``
    (None: there are no more).
    """
    if len(found) == 2:
        first, second = (_masks(puzzle, solution) for solution in found)
        return Uniqueness(
            Verdict.AMBIGUOUS,
            tuple(found),
            _where((first != second) & _seen(puzzle)),
            _where((first == second) & _seen(puzzle) & ~puzzle.blank),
            count=2,
        )
    if reason is not None:
        return Uniqueness(Verdict.UNKNOWN, tuple(found), count=len(found), reason=reason)
    if found:
        everything = _where(_seen(puzzle) & ~puzzle.blank)
        return Uniqueness(
            Verdict.UNIQUE, tuple(found), (), everything, everything, count=1, exact=True
        )
    return Uniqueness(Verdict.UNSOLVABLE, exact=True)


def _masks(puzzle: Puzzle, solution: Solution) -> IntArray:
    masks = masks_of(puzzle, solution)
    return np.array(masks, dtype=np.int64 if max(masks, default=0) < 1 << 62 else object)


def _seen(puzzle: Puzzle) -> BoolArray:
    """The vertices that people see: all, unless the puzzle names its pieces; shape (vertices,)."""
    if puzzle.pieces is None:
        return np.ones(puzzle.vertices, dtype=np.bool_)
    return np.array([bool(row) for row in puzzle.pieces.rows])[puzzle.pieces.row_of]


def _where(flags: BoolArray) -> tuple[int, ...]:
    return tuple(np.flatnonzero(flags).tolist())


class _Explainer:
    """Further questions about an ambiguous puzzle, until the budget is used up.

    ``known`` holds the masks of every solution seen, shape (solutions, vertices): each new one
    shrinks what can still be forced and what can still be a hint, so no question is asked that
    a known solution already answers.
    """

    def __init__(self, puzzle: Puzzle, engine: Engine, seconds: float, nodes: int | None) -> None:
        self.puzzle, self.engine, self.nodes = puzzle, engine, nodes
        self.end = time.monotonic() + seconds
        self.known: list[IntArray] = []
        self.keys: set[bytes] = set()
        self.all_known = False

    def explain(self, result: Uniqueness) -> Uniqueness:
        for solution in result.solutions:
            self._learn(solution)
        self._list_solutions()
        hint, makes_unique = self._hint(result.differing)
        forced = self._forced()
        return replace(
            result,
            hint=hint,
            hint_unique=makes_unique,
            forced=forced,
            count=len(self.known),
            exact=self.all_known,
        )

    def _left(self) -> Limits | None:
        seconds = self.end - time.monotonic()
        return Limits(seconds, self.nodes) if seconds > 0 else None

    def _learn(self, solution: Solution) -> None:
        key = solution.tobytes()
        if key not in self.keys:
            self.keys.add(key)
            self.known.append(_masks(self.puzzle, solution))

    def _list_solutions(self) -> None:
        """Most ambiguous puzzles have few solutions: knowing all answers every question."""
        limits = self._left()
        if limits is None:
            return
        with run.Run(self.puzzle, self.engine, limits, many=True) as at_work:
            listed = 0
            for solution in at_work:
                self._learn(solution)
                listed += 1
                if listed == MAX_LISTED or self._left() is None:
                    return
            self.all_known = at_work.reason is None
        if self.all_known and listed < len(self.keys):
            name = str(self.engine.variant)
            raise WrongAnswer(name, (f"it lists {listed} solutions as all, more are known",))

    def _restricted(self, vertex: int, masks: tuple[int, ...]) -> Puzzle:
        domain_of = self.puzzle.domain_of.copy()
        domain_of[vertex] = len(self.puzzle.domains)
        table = Table(int(self.puzzle.degree[vertex]), masks)
        return replace(self.puzzle, domains=(*self.puzzle.domains, table), domain_of=domain_of)

    def _others(self, vertex: int) -> tuple[int, ...] | None:
        """The masks that the vertex may take besides the known one; None: cannot be asked."""
        degree, domain = int(self.puzzle.degree[vertex]), self.puzzle.domain(vertex)
        known = int(self.known[0][vertex])
        if isinstance(domain, Table):
            return tuple(mask for mask in domain.masks if mask != known)
        if degree > MAX_TABLE_DEGREE:
            return None
        numbers = domain.numbers(degree)
        return tuple(m for m in range(1 << degree) if m.bit_count() in numbers and m != known)

    def _forced(self) -> tuple[int, ...] | None:
        """The vertices whose mask is the same in all solutions, None where time ran out."""
        alike = np.all(np.stack(self.known) == self.known[0], axis=0)
        alike &= _seen(self.puzzle) & ~self.puzzle.blank
        if self.all_known:
            return _where(alike)
        for vertex in np.flatnonzero(alike).tolist():
            others = self._others(vertex) if alike[vertex] else ()
            if others == ():
                continue
            limits = self._left()
            if others is None or limits is None:
                return None
            answer = self._ask(self._restricted(vertex, others), limits)
            if answer.solution is not None:
                alike &= _masks(self.puzzle, answer.solution) == self.known[0]
            elif answer.status is not Status.UNSATISFIABLE:
                return None
        return _where(alike)

    def _ask(self, puzzle: Puzzle, limits: Limits) -> Answer:
        answer = run.solve(puzzle, self.engine, limits)
        if answer.solution is not None:
            self._learn(answer.solution)
        return answer

    def _hint(self, differing: tuple[int, ...]) -> tuple[tuple[int, int] | None, bool]:
        """A vertex to lock as in the first solution, best one that leaves no other."""
        known = np.stack(self.known)
        shared = np.count_nonzero(known == known[0], axis=0)
        ranked = sorted(differing, key=lambda vertex: int(shared[vertex]))
        for vertex in [v for v in ranked if shared[v] == 1][:MAX_HINTS]:
            if self.all_known or self._locks_all(vertex):
                return (vertex, int(known[0][vertex])), True
        return ((ranked[0], int(known[0][ranked[0]])) if ranked else None), False

    def _locks_all(self, vertex: int) -> bool:
        limits = self._left()
        mask = int(self.known[0][vertex])
        if limits is None or self.puzzle.degree[vertex] > MAX_TABLE_DEGREE:
            return False
        locked = self._restricted(vertex, (mask,))
        with run.Run(locked, self.engine, limits, many=True) as at_work:
            found = list(islice(at_work, 2))
            for solution in found:
                self._learn(solution)
            return len(found) == 1 and at_work.reason is None
