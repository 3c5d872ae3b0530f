"""The smallest sub-instance found that still shows a disagreement."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from ...puzzles.errors import PlumbenchError
from ...puzzles.instance import Instance
from ...puzzles.model import Puzzle
from ..processes.jobs import Job, Outcome, Result
from ..processes.runner import run_many
from .agreement import Judgement, judge
from .evidence import keep_evidence
from .shrink import Progress, Shrunk, shrink

Runs = Sequence[tuple[Job, Result]]
SECONDS = 30.0
"""What shrinking one disagreement may take."""
SHORT, LONG = 1.0, 3.0
"""A run on a part of a puzzle gets at least this many seconds, and at most this many times as
long as the run on the whole took.
"""
ATTEMPTS = 3
"""How often a disagreement is looked for again before it is called one that comes and goes."""
MOST_PAIRS = 500


@dataclass(frozen=True, slots=True)
class Smallest:
    """What came of shrinking: ``shrunk`` None if the disagreement did not show again.

    ``complaints`` are those about the small puzzle, ``note`` says in words what was found.
    """

    shrunk: Shrunk | None
    solvers: tuple[str, ...]
    complaints: tuple[str, ...]
    note: str


def shrink_disagreement(
    subject: Instance | Puzzle,
    runs: Runs,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Smallest:
    """Ask just the sides of a disagreement again, about smaller and smaller parts of the puzzle,
    each run in a child with a short limit, for about so many seconds.

    ``runs`` are jobs about this puzzle and what came of them. Raises ValueError if they agree.
    """
    puzzle = subject if isinstance(subject, Puzzle) else subject.puzzle
    sides = _sides(puzzle, runs)
    end = time.monotonic() + seconds
    with closing(_Asked(puzzle, sides, end)) as asked:
        solvers = tuple(dict.fromkeys(job.solver for job, _ in sides))
        names = " and ".join(solvers)
        tries = next((n for n in range(1, ATTEMPTS + 1) if asked.shows(puzzle)), None)
        if tries is None:
            why = "it comes and goes, or needs more time"
            note = f"asked again, {names} did not disagree in {ATTEMPTS} attempts: {why}"
            return Smallest(None, solvers, (), note)
        priced = any(job.task == "optimise" for job, _ in sides)
        left = end - time.monotonic()
        shrunk = shrink(puzzle, asked.shows, left, progress, priced=priced)
    again = _judge_afresh(shrunk.puzzle, sides)
    note = f"{names} disagree about {shrunk.puzzle.vertices} of {puzzle.vertices} vertices"
    note += ", and about nothing smaller" if shrunk.minimal else "; the time was too short for less"
    if tries > 1:
        note += f"; it took {tries} attempts to see it again, so it comes and goes"
    if again.agreed:
        note += "; in fresh processes they agreed about these, so it comes and goes"
    complaints = asked.complaints if again.agreed else again.complaints()
    return Smallest(shrunk, solvers, tuple(complaints), note)


def keep_disagreement(
    folder: Path,
    subject: Instance | Puzzle,
    complaints: Sequence[str],
    runs: Runs,
    *,
    label: Callable[[Job], str] = lambda job: job.solver,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Path:
    """Keep both sides in a file of the folder, then, with ``seconds`` to spend, the smallest part
    of the puzzle that shows it, too; gives the path. ``label`` names a run. Raises OSError.
    """
    named = [(label(job), result) for job, result in runs]
    # First without: whoever loses patience while it shrinks has the evidence.
    path = keep_evidence(folder, subject, complaints, named)
    if seconds > 0:
        smallest = shrink_disagreement(subject, runs, seconds, progress)
        path = keep_evidence(folder, subject, complaints, named, smallest)
    return path


def _sides(puzzle: Puzzle, runs: Runs) -> Runs:
    """As few runs as show the disagreement: one that is wrong by itself, two that contradict
    each other, else all. Quick ones first.
    """
    ended = sorted(runs, key=lambda run: run[1].times.get("total", 0.0))
    whole = _judged(puzzle, ended)
    if whole.agreed:
        raise ValueError("these runs agree")
    for run in ended:
        if not _judged(puzzle, [run]).agreed:
            return [run]
    guilty = whole.disqualified or {job.solver for job, _ in ended}
    pairs = [p for p in combinations(ended, 2) if any(job.solver in guilty for job, _ in p)]
    for pair in pairs[:MOST_PAIRS]:
        if not _judged(puzzle, pair).agreed:
            return pair
    return ended


def _judged(puzzle: Puzzle, runs: Runs) -> Judgement:
    return judge(puzzle, [(job.solver, result) for job, result in runs])


class _Asked:
    """Asks the sides about parts of the puzzle, in children that live on from one to the next.

    ``complaints`` are those about the last puzzle that showed a disagreement.
    """

    def __init__(self, puzzle: Puzzle, sides: Runs, end: float) -> None:
        before = _judged(puzzle, sides)
        self.guilty, self.unresolved = before.disqualified, bool(before.unresolved)
        self.complaints: list[str] = []
        self._whole, self._sides, self._end = puzzle, sides, end
        self._waiting: deque[Job] = deque()
        self._results: Generator[tuple[int, Result]] | None = None

    def shows(self, part: Puzzle) -> bool:
        """Whether one of the same solvers is wrong again, or the contradiction stands again."""
        ended = []
        for job, result in self._sides:
            ended.append((job, self._ask(self._job(part, job, result))))
        found = _judged(part, ended)
        same = bool(found.disqualified & self.guilty) or (
            bool(found.unresolved) and self.unresolved
        )
        if same:
            self.complaints = found.complaints()
        return same

    def close(self) -> None:
        """End the children."""
        if self._results is not None:
            self._results.close()
            self._results = None

    def _job(self, part: Puzzle, job: Job, result: Result) -> Job:
        left = max(SHORT, self._end - time.monotonic())
        seconds = min(left, job.seconds or left)
        if part is not self._whole:
            ran = result.times.get("total", 0.0)
            seconds = min(seconds, max(SHORT, LONG * ran))
        return replace(job, puzzle=part, seconds=seconds)

    def _ask(self, job: Job) -> Result:
        """The result; a job that is refused (no costs to optimise) is no answer."""
        self._waiting.append(job)
        if self._results is None:
            self._results = run_many(self._feed())
        try:
            _, result = next(self._results)
        except PlumbenchError as error:
            self._results = None
            self._waiting.clear()
            return Result(Outcome.UNSUPPORTED, message=str(error))
        return result

    def _feed(self) -> Iterator[Job]:
        while True:
            yield self._waiting.popleft()


def _judge_afresh(puzzle: Puzzle, sides: Runs) -> Judgement:
    """The sides about the small puzzle, in processes that have done nothing before."""
    jobs = [replace(job, puzzle=puzzle, seconds=_enough(job, result)) for job, result in sides]
    ended = dict(run_many(jobs, fresh=True))
    return _judged(puzzle, [(job, ended[number]) for number, job in enumerate(jobs)])


def _enough(job: Job, result: Result) -> float:
    seconds = max(SHORT, LONG * result.times.get("total", 0.0))
    return min(seconds, job.seconds or seconds)
