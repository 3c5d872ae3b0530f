"""Do the engines agree on a puzzle, and if not, who is right?

Never by majority: the side that shows solutions is right, for solutions can be checked, and
here they are checked again, in this process. A claim of "none" or "exactly n" that more
verified solutions refute is wrong and disqualifies its engine on that puzzle. Claims that
contradict each other without such evidence are an unresolved disagreement.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...puzzles.check import check
from ...puzzles.errors import UsageError
from ...puzzles.instance import Instance
from ...puzzles.model import Puzzle, Solution
from ...puzzles.values import every_digit
from ...solvers import show
from ...solvers.contract import Status
from ..processes.jobs import Job, Outcome, Result, Task
from ..processes.runner import run_many
from ..tables import duration, size, table
from .evidence import name_of, rules_of
from .optimum import best_cost, proves, refuted, rivals

DEFAULT_SOLVERS = ("propagation", "sat", "cpsat")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is known of a puzzle after several runs.

    - ``status``, ``count``, ``exact``: what evidence or undisputed proof establishes; ``count``
      is a lower bound unless exact;
    - ``wrong``: (solver, why) of those that gave a wrong answer;
    - ``unresolved``: the contradiction that no evidence settles, empty if there is none;
    - ``witness``: a solution checked here;
    - ``cost``: the best among the solutions of a puzzle with costs, ``optimal`` if a run that
      nothing refutes proved it.
    """

    status: Status
    count: int
    exact: bool
    wrong: tuple[tuple[str, str], ...] = ()
    unresolved: str = ""
    witness: Solution | None = None
    cost: int | None = None
    optimal: bool = False

    @property
    def agreed(self) -> bool:
        """Whether no answer was wrong and none contradicts another."""
        return not self.wrong and not self.unresolved

    @property
    def disqualified(self) -> frozenset[str]:
        """The solvers whose runs on this puzzle count for nothing."""
        return frozenset(solver for solver, _ in self.wrong)

    def complaints(self) -> list[str]:
        """One line per wrong answer or contradiction, naming the side."""
        lines = [f"{solver} is wrong: {why}" for solver, why in self.wrong]
        return lines + ([f"unresolved: {self.unresolved}"] if self.unresolved else [])


@dataclass(frozen=True, slots=True)
class Claim:
    """What a run says about the number of solutions: at least ``low``, at most ``high``."""

    solver: str
    low: int
    high: int | None

    def __str__(self) -> str:
        if self.high == 0:
            return f"{self.solver} says unsatisfiable"
        if self.high is not None:
            return f"{self.solver} says exactly {self.high}"
        return f"{self.solver} says at least {self.low}"


@every_digit()
def judge(puzzle: Puzzle | None, runs: Iterable[tuple[str, Result]]) -> Judgement:
    """Judge runs of (solver, result) on one puzzle; a solver may come with several tasks.

    None is a puzzle that was lost: claims are compared, but solutions cannot be checked, so they
    are no evidence and the status stays unknown unless it is undisputed that there is none.
    Raises nothing for whatever the records say.
    """
    wrong: dict[str, str] = {}
    witnesses: dict[bytes, Solution] = {}
    claims: list[Claim] = []
    runs = list(runs)
    for solver, result in runs:
        fault = _examine(puzzle, result, witnesses)
        if fault is not None:
            wrong.setdefault(solver, fault)
        claims.append(claim_of(solver, result))
    best = None if puzzle is None else best_cost(puzzle, witnesses.values())
    for solver, result in runs:
        fault = None if puzzle is None else refuted(puzzle, result, best)
        if fault is not None:
            wrong.setdefault(solver, fault)
    known = len(witnesses)
    for claim in claims:
        if claim.high is not None and claim.high < known:
            shown = f"{known} solution{'s' * (known > 1)} passed the checker"
            wrong.setdefault(claim.solver, f"{str(claim).split(' ', 1)[1]}, but {shown}")
    standing = [claim for claim in claims if claim.solver not in wrong]
    optimal = any(proves(r) and r.cost == best for solver, r in runs if solver not in wrong)
    concluded = _conclude(standing, wrong, list(witnesses.values()))
    if puzzle is None and not concluded.unresolved:
        concluded = replace(concluded, unresolved=rivals(runs))
    status = Status.OPTIMAL if optimal else concluded.status
    return replace(concluded, status=status, cost=best, optimal=optimal)


def _conclude(
    claims: Sequence[Claim], wrong: dict[str, str], witnesses: Sequence[Solution]
) -> Judgement:
    known = len(witnesses)
    lowest = max([known, *(claim.low for claim in claims)])
    highest = min((c.high for c in claims if c.high is not None), default=None)
    unresolved = ""
    if highest is not None and highest < lowest:
        sides = [c for c in claims if c.high == highest] + [c for c in claims if c.low == lowest]
        unresolved = "; ".join(dict.fromkeys(map(str, sides)))
    settled = highest is not None and not unresolved
    if known:
        status = Status.SATISFIABLE
    else:
        status = Status.UNSATISFIABLE if settled and highest == 0 else Status.UNKNOWN
    return Judgement(
        status,
        known if unresolved else lowest,
        settled and highest == lowest,
        tuple(wrong.items()),
        unresolved,
        next(iter(witnesses), None),
    )


def _examine(puzzle: Puzzle | None, result: Result, witnesses: dict[bytes, Solution]) -> str | None:
    """Check a record's solutions, add the right ones to ``witnesses``; gives why the record is
    wrong, None if nothing in itself refutes it. A right solution is a fact, whoever found it.
    """
    reasons = () if puzzle is None else _check_all(puzzle, result, witnesses)
    if result.outcome is Outcome.WRONG:
        return result.message
    if reasons:
        return "; ".join(reasons[:5])
    if len({solution.tobytes() for solution in result.solutions}) < len(result.solutions):
        return "the same solution came twice"
    return None


def _check_all(puzzle: Puzzle, result: Result, witnesses: dict[bytes, Solution]) -> tuple[str, ...]:
    reasons: tuple[str, ...] = ()
    for solution in result.solutions:
        if solution.shape == (puzzle.ports,) and solution.tobytes() in witnesses:
            continue  # checked already
        report = check(puzzle, solution)
        if report.ok:
            witnesses[solution.tobytes()] = solution
        else:
            reasons += report.reasons
    return reasons


def claim_of(solver: str, result: Result) -> Claim:
    """What a run claims. One that did not end by itself claims what it found, never that it is
    all.
    """
    low = max(len(result.solutions), result.count or 0)
    if result.status in (Status.SATISFIABLE, Status.OPTIMAL):
        low = max(low, 1)
    high = None
    if result.outcome is Outcome.ANSWERED:
        if result.status is Status.UNSATISFIABLE:
            high = 0
        elif result.exact:
            high = result.count
    return Claim(solver, low, high)


@dataclass(frozen=True)
class Comparison:
    """Several engines on one puzzle, with the judgement; prints as a table. ``jobs`` are what
    the runs were asked.
    """

    name: str
    rules: str
    task: Task
    runs: tuple[tuple[str, Result], ...]
    judgement: Judgement
    jobs: tuple[Job, ...] = field(default=(), repr=False)

    @property
    def exit_code(self) -> int:
        """4 if they disagree or one is wrong, 70 if one failed inside, 0 if solvable, 1 if
        proved unsolvable, 2 if no engine can do this, 3 if none came to an end.
        """
        outcomes = {result.outcome for _, result in self.runs}
        if not self.judgement.agreed:
            return 4
        if Outcome.ERROR in outcomes:
            return 70
        if any(result.decided for _, result in self.runs):
            return 1 if self.judgement.status is Status.UNSATISFIABLE else 0
        return 2 if outcomes <= {Outcome.UNSUPPORTED, Outcome.MISSING} else 3

    def keep(
        self,
        folder: str | os.PathLike[str],
        subject: Instance | Puzzle,
        progress: Callable[[str], None] | None = None,
    ) -> Path:
        """Keep both sides of a disagreement about ``subject`` in the folder, with the smallest
        part of it that still shows it; gives the file. Raises OSError.
        """
        from .smallest import keep_disagreement

        runs = [(job, result) for job, (_, result) in zip(self.jobs, self.runs, strict=True)]
        complaints = self.judgement.complaints()
        return keep_disagreement(Path(folder), subject, complaints, runs, progress=progress)

    def verdict(self) -> str:
        """One line: what the engines agree on, or who is wrong."""
        if not self.judgement.agreed:
            return "DISAGREEMENT: " + "; ".join(self.judgement.complaints())
        deciders = sum(result.decided for _, result in self.runs)
        if not deciders:
            return "no engine came to an answer"
        found = f"{deciders} of {len(self.runs)} answered and agree: {self.judgement.status}"
        if self.task == "solve":
            return found
        if self.task == "optimise":
            how = "optimal" if self.judgement.optimal else "best"
            return found if self.judgement.cost is None else f"{found}, {how} {self.judgement.cost}"
        how = "exactly" if self.judgement.exact else "at least"
        return f"{found}, {how} {self.judgement.count}"

    def __str__(self) -> str:
        rows = [
            (
                solver,
                "wrong" if solver in self.judgement.disqualified else result.outcome.value,
                result.status.value,
                _price_text(result) if self.task == "optimise" else _count_text(result),
                duration(answer_time(result)),
                duration(result.times.get("total")),
                size(result.peak_rss),
            )
            for solver, result in self.runs
        ]
        value = "cost" if self.task == "optimise" else "count"
        head = ("solver", "outcome", "status", value, "encode+solve", "total", "memory")
        lines = [f"{self.name} (rules: {self.rules})", table(head, rows, left=3)]
        for solver, result in self.runs:
            if result.stats:
                lines.append(_counters_text(solver, result))
            if result.message.strip():
                lines.append(f"{solver}: {result.message.strip().splitlines()[-1]}")
        return "\n".join([*lines, self.verdict()])


def answer_time(result: Result) -> float | None:
    """Seconds from the puzzle to the answer: encode and solve; None if not measured."""
    if "solve" not in result.times:
        return None
    return result.times.get("encode", 0.0) + result.times["solve"]


def _counters_text(solver: str, result: Result) -> str:
    counters = ", ".join(c.replace(" ", "\u00a0") for c in show.counters(result.stats))
    lines = textwrap.wrap(f"{solver} counted {counters}", 98, subsequent_indent="  ")
    return "\n".join(lines).replace("\u00a0", " ")


def _count_text(result: Result) -> str:
    if result.count is None:
        return "-"
    return str(result.count) if result.exact else f">={result.count}"


def _price_text(result: Result) -> str:
    """The cost, and behind a best one that is not proved the bound."""
    if result.cost is None or proves(result):
        return "-" if result.cost is None else str(result.cost)
    return f"{result.cost} (bound {'?' if result.bound is None else result.bound})"


def compare(
    subject: Instance | Puzzle,
    solvers: Sequence[str] = DEFAULT_SOLVERS,
    *,
    count: bool = False,
    optimise: bool = False,
    limit: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    jobs: int = 1,
    evidence: str | os.PathLike[str] | None = None,
) -> Comparison:
    """Run several engines on one puzzle, each in a process of its own, and judge them.

    ``count`` asks for the number of solutions (up to ``limit``) instead of one, ``optimise``
    for the best one by the puzzle's costs; ``seconds`` is each run's hard limit, ``nodes`` one
    in the engine's own kind of nodes; ``jobs`` runs go at
    once. On a disagreement both sides are kept in the folder ``evidence``, if one is given, see
    ``Comparison.keep``.
    Raises UsageError for an unknown engine or option, or if there is nothing to optimise.
    """
    if not solvers:
        raise UsageError("no solvers: expected at least one")
    puzzle = subject if isinstance(subject, Puzzle) else subject.puzzle
    names = list(dict.fromkeys(solvers))
    if optimise and (count or puzzle.costs is None):
        raise UsageError("optimise: expected a puzzle with costs, and count not asked for")
    task: Task = "count" if count else "optimise" if optimise else "solve"
    planned = [Job(puzzle, name, task, limit if count else None, seconds, nodes) for name in names]
    ended = dict(run_many(planned, jobs, fresh=True))
    runs = tuple((name, ended[index]) for index, name in enumerate(names))
    judgement = judge(puzzle, runs)
    found = Comparison(name_of(subject), rules_of(subject), task, runs, judgement, tuple(planned))
    if evidence is not None and not judgement.agreed:
        found.keep(evidence, subject)
    return found
