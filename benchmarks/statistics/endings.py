"""How a run, or a unit of several runs, ended: what is counted in means, and what is not."""

from __future__ import annotations

from enum import StrEnum

from ...solvers.contract import Status
from ..processes.jobs import Outcome, Result


class End(StrEnum):
    """The endings, in the order in which tables show them.

    The first ones are *counted*: the engine was given the job, and what it made of it enters the
    means, as unsolved but for ``solved``. The others are shown and enter none.
    """

    SOLVED = "solved"
    TIMEOUT = "timeout"
    MEMOUT = "memout"
    CRASHED = "crashed"
    WRONG = "wrong"
    ERROR = "error"
    UNKNOWN = "unknown"
    """The engine stopped by itself without an answer: its limit of nodes."""

    UNSUPPORTED = "unsupported"
    MISSING = "missing"
    INTERRUPTED = "interrupted"
    UNRESOLVED = "unresolved"
    """Its claim is one side of a contradiction that no evidence settles."""
    UNMEASURED = "unmeasured"
    """Answered, but its time was lost."""
    NOT_RUN = "not run"
    """The engine was asked the question about other puzzles, but there is no run on this one."""


COUNTED = (
    End.SOLVED, End.TIMEOUT, End.MEMOUT, End.CRASHED, End.WRONG, End.ERROR, End.UNKNOWN,
)  # fmt: skip

_OF = {
    Outcome.TIMEOUT: End.TIMEOUT,
    Outcome.MEMOUT: End.MEMOUT,
    Outcome.CRASHED: End.CRASHED,
    Outcome.WRONG: End.WRONG,
    Outcome.ERROR: End.ERROR,
    Outcome.UNSUPPORTED: End.UNSUPPORTED,
    Outcome.MISSING: End.MISSING,
    Outcome.INTERRUPTED: End.INTERRUPTED,
}


def ending(
    result: Result,
    time: float | None,
    seconds: float | None,
    *,
    disqualified: bool = False,
    disputed: bool = False,
) -> End:
    """How a run counts. ``time`` is encode + solve, None if it was lost; ``seconds`` the limit.

    Whatever a disqualified engine claims on the puzzle is wrong, also what it claimed before a
    limit stopped it. An answer that took longer than the limit is a timeout. An answer with a
    reason, such as a best solution that is not proved or a count that is not complete, is none.
    """
    claims = result.status is not Status.UNKNOWN
    if result.outcome is Outcome.WRONG or (disqualified and claims):
        return End.WRONG
    if disputed and claims:
        return End.UNRESOLVED
    if not result.decided or result.reason is not None:
        return _OF.get(result.outcome, End.UNKNOWN)
    if time is None:
        return End.UNMEASURED
    return End.TIMEOUT if seconds is not None and time > seconds else End.SOLVED
