"""Which locked cells are wrong? For a player who has locked cells and cannot go on.

A board whose locks fit some solution is consistent. If they fit none, and the board without
them has one solution, the wrong locks are those that differ from it. With several solutions no
single lock need be wrong; then a *core* says which locks contradict each other: together they
fit no solution, without any one of them the others do. It is found by looking for transition
locks: the shortest prefix of the locks that fits no solution ends in a member of the core
(Hemery, Lecoutre, Sais, Boussemart, Extracting MUCs from constraint networks, ECAI 2006).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

import numpy as np

from ..puzzles.board import Board
from ..puzzles.errors import UsageError, WrongAnswer
from ..puzzles.model import IntArray, Puzzle, Solution, masks_of
from ..puzzles.topology import orientations
from . import run
from .contract import Engine, Limits, Reason
from .registry import get


class LockVerdict(StrEnum):
    """What is known of the locks of a board."""

    CONSISTENT = "consistent"
    WRONG = "wrong"
    UNSOLVABLE = "unsolvable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LockReport:
    """A verdict on the locks of a board, with the evidence. Cells are numbers.

    - ``solution``: one that keeps all locks, or the board's only one, or one that keeps many;
    - ``unique``: whether the board without locks has one solution; None: not asked or unknown;
    - ``wrong``: of a board with one solution the locks that differ from it;
    - ``core``: locks that fit no solution together. If ``minimal``, any of them less does fit:
      ``without`` has a solution for each, in the same order (unless the board has only one:
      then ``core`` is one of the ``wrong``, each of which fits no solution by itself);
    - ``undo``: locks that ``solution`` does not keep, so undoing these is enough; of a board
      with several solutions perhaps more than need be;
    - ``reason``: why the search stopped early, ``questions``: how often an engine was asked.
    """

    verdict: LockVerdict
    solution: Solution | None = None
    unique: bool | None = None
    wrong: tuple[int, ...] = ()
    core: tuple[int, ...] = ()
    minimal: bool = False
    without: tuple[Solution, ...] = ()
    undo: tuple[int, ...] = ()
    reason: Reason | None = None
    questions: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """Verified solutions of a puzzle, and why the engine stopped before it had proved that
    there are no more (None: it did prove it, or was not asked for more).
    """

    solutions: tuple[Solution, ...]
    reason: Reason | None = None


Ask = Callable[[Puzzle, int, Limits], Reply]
"""Asks an engine for so many solutions of a puzzle."""


def asking(solver: str | Engine) -> Ask:
    """Questions to an engine in this process."""
    engine = get(solver) if isinstance(solver, str) else solver

    def ask(puzzle: Puzzle, number: int, limits: Limits) -> Reply:
        with run.Run(puzzle, engine, limits, many=number > 1) as at_work:
            return Reply(tuple(islice(at_work, number)), at_work.reason)

    return ask


def wrong_locks(
    board: Board,
    solver: str | Engine = "propagation",
    limits: Limits | None = None,
    *,
    ask: Ask | None = None,
) -> LockReport:
    """Judge the locks of a board. ``limits.seconds`` is for all questions together, ``nodes``
    for each; ``ask`` puts the questions another way.

    Raises UsageError for anything but a board with a locked cell; WrongAnswer, Unsupported and
    MissingBackend as engines do.
    """
    if not isinstance(board, Board) or not board.locked.any():
        raise UsageError("locks: expected a board with at least one locked cell")
    return _Inquiry(board, ask or asking(solver), limits or Limits()).report()


class _Stopped(Exception):
    """A limit came before an answer."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason


class _Inquiry:
    """Questions about one board.

    ``known`` are all solutions seen (without locks, too) with their masks: what one of them
    keeps need not be asked for. ``core`` and ``rest`` fit no solution together, always;
    ``core`` are locks that belong to the core, ``without`` a solution for each that keeps all
    others that the core can still have.
    """

    def __init__(self, board: Board, ask: Ask, limits: Limits) -> None:
        self.board, self.ask, self.limits = replace(board, objective=None), ask, limits
        self.end = None if limits.seconds is None else time.monotonic() + limits.seconds
        self.questions = 0
        self.known: list[tuple[Solution, IntArray]] = []
        self.core: list[int] = []
        self.without: list[Solution] = []
        directions = board.topology.directions
        self.rest: list[int] = [
            cell
            for cell in np.flatnonzero(board.locked).tolist()
            if len(orientations(int(board.pieces[cell]), directions)) > 1
        ]

    def report(self) -> LockReport:
        """Is there a solution with the locks, how many are there without, which is to blame?"""
        try:
            kept = self.fitting(self.rest)
        except _Stopped as stopped:
            return LockReport(LockVerdict.UNKNOWN, reason=stopped.reason, questions=self.questions)
        if kept is not None:
            return LockReport(LockVerdict.CONSISTENT, kept, questions=self.questions)
        unique = reason = None
        wrong: tuple[int, ...] = ()
        try:
            free = self.question([], 2)
            if not free.solutions:
                return LockReport(LockVerdict.UNSOLVABLE, questions=self.questions)
            unique = len(free.solutions) == 1 if free.reason is None else None
            if unique:
                # Every lock that differs from the only solution fits none, all by itself.
                wrong = self.broken(free.solutions[0])
                self.core, self.rest = [wrong[0]], []
            else:
                self.shrink()
            self.verify()
        except _Stopped as stopped:
            reason = stopped.reason
        if self.without:
            pairs = sorted(zip(self.core, self.without, strict=True), key=lambda pair: pair[0])
            self.core, self.without = [list(column) for column in zip(*pairs, strict=True)]
        best = min((s for s, _ in self.known), key=lambda s: len(self.broken(s)), default=None)
        return LockReport(
            LockVerdict.WRONG,
            best,
            unique,
            wrong,
            (*self.core, *self.rest),
            bool(self.core) and not self.rest,
            tuple(self.without),
            () if best is None else self.broken(best),
            reason,
            self.questions,
        )

    def shrink(self) -> None:
        """Move one transition lock after the other from ``rest`` into ``core``.

        The shortest prefix of ``rest`` that with ``core`` fits no solution ends in such a lock:
        a solution keeps all before it, and the core can be completed from those.
        """
        while self.rest:
            kept, failing, witness = -1, len(self.rest), None
            for solution, masks in self.known:
                length = self.prefix(masks)
                if length > kept:
                    kept, witness = length, solution
            while failing - kept > 1:
                middle = (kept + failing) // 2
                solution = self.fitting([*self.core, *self.rest[:middle]])
                if solution is None:
                    failing = middle
                    self.rest = self.rest[:failing]
                else:
                    kept, witness = self.prefix(self.known[-1][1]), solution
            if failing == 0:
                return
            assert witness is not None
            self.core.append(self.rest[failing - 1])
            self.without.append(witness)
            self.rest = self.rest[: failing - 1]

    def prefix(self, masks: IntArray) -> int:
        """How many locks of ``rest`` from its start these masks keep, -1 if not all of ``core``."""
        if not self.keeps(masks, self.core):
            return -1
        return next(
            (n for n, cell in enumerate(self.rest) if not self.keeps(masks, [cell])), len(self.rest)
        )

    def keeps(self, masks: IntArray, locks: Sequence[int]) -> bool:
        """Whether these masks are as the locks say."""
        return bool(np.array_equal(masks[locks], self.board.pieces[locks]))

    def broken(self, solution: Solution) -> tuple[int, ...]:
        """The locks of the board that the solution does not keep."""
        masks = np.array(masks_of(self.board.puzzle, solution))
        return tuple(np.flatnonzero(self.board.locked & (masks != self.board.pieces)).tolist())

    def verify(self) -> None:
        """Ask once more whether the core fits no solution."""
        if self.fitting([*self.core, *self.rest]) is not None:
            raise WrongAnswer("locks", ("a core that was refuted before has a solution",))

    def fitting(self, locks: Sequence[int]) -> Solution | None:
        """A solution that keeps these locks, None if that is refuted."""
        return next(iter(self.question(locks, 1).solutions), None)

    def question(self, locks: Sequence[int], number: int) -> Reply:
        """Up to so many solutions that keep these locks; raises _Stopped if it is unknown
        whether there is any.
        """
        left = None if self.end is None else self.end - time.monotonic()
        if left is not None and left <= 0:
            raise _Stopped(Reason.TIME)
        locked = np.zeros(self.board.cells, dtype=np.bool_)
        locked[locks] = True
        puzzle = replace(self.board, locked=locked).puzzle
        self.questions += 1
        reply = self.ask(puzzle, number, Limits(left, self.limits.nodes))
        if not reply.solutions and reply.reason is not None:
            raise _Stopped(reply.reason)
        self.known += [(s, np.array(masks_of(puzzle, s))) for s in reply.solutions]
        return reply
