"""The runs of a suite in the order that treats all engines alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...puzzles.errors import MissingBackend, PlumbenchError, UsageError
from ...puzzles.instance import Instance, Objective
from ...solvers.registry import engine_class, parse
from ..processes.jobs import Job
from .instances import Labelled
from .suites import GIVEN, Question, Suite


@dataclass(frozen=True, slots=True)
class Planned:
    """One run to be made. ``instance`` has the objective of its question, if it has one."""

    instance: Instance
    group: str
    job: Job
    repeat: int = 0


def takes_seeds(solver: str) -> bool:
    """Whether a reshuffled puzzle may be given to the engine; one whose order is its meaning is
    asked once, about the puzzle as it is.
    """
    try:
        capabilities = engine_class(parse(solver).engine).capabilities
    except MissingBackend:
        return True
    return getattr(capabilities, "seeds", True)


def plan(
    suite: Suite,
    instances: Sequence[Labelled],
    *,
    seeded: Callable[[str], bool] = takes_seeds,
) -> list[Planned]:
    """All runs, in order. Whatever changes while a campaign runs (heat, other users, a budget
    that ends) must strike all engines alike: the repeats are the outermost loop; in each the
    questions come one after another, each about all puzzles in a random order; all engines are
    asked about one puzzle before the next, again in random order. The order depends on
    ``suite.shuffle`` alone. What two questions have in common is asked once.

    Raises UsageError for a question that fits no puzzle, and for a wrong seed.
    """
    random = np.random.default_rng(suite.shuffle)
    asked = [(q, _fitting(q, number, instances)) for number, q in enumerate(suite.questions, 1)]
    takes = {solver: seeded(solver) for solver in suite.all_engines}
    runs: list[Planned] = []
    seen: set[tuple[object, ...]] = set()
    for repeat in range(suite.repeats):
        for question, fitting in asked:
            for at in random.permutation(len(fitting)):
                group, instance = fitting[at]
                jobs = list(_jobs(suite, question, instance, takes))
                for turn in random.permutation(len(jobs)):
                    job = jobs[turn]
                    same = (job.puzzle.fingerprint, job.solver, job.task, job.limit, job.seed)
                    if (repeat, same) not in seen:
                        seen.add((repeat, same))
                        runs.append(Planned(instance, group, job, repeat))
    return runs


def _fitting(question: Question, number: int, instances: Sequence[Labelled]) -> list[Labelled]:
    """The puzzles that a question is about, with its objective."""
    found = []
    for group, instance in instances:
        if question.groups is not None and not any(
            group == name or group.startswith(f"{name} ") for name in question.groups
        ):
            continue
        most = question.most_vertices
        if most is not None and instance.puzzle.vertices > most:
            continue
        fit = _with_objective(question, instance)
        if fit is not None:
            found.append((group, fit))
    if not found and (question.groups or question.task == "optimise"):
        raise UsageError(f"question {number} ({question}): fits none of the suite's puzzles")
    return found


def _with_objective(question: Question, instance: Instance) -> Instance | None:
    """The instance as it is asked about; None if it has nothing to optimise."""
    if question.task != "optimise":
        return instance
    if question.objective is None:
        return None if instance.puzzle.costs is None else instance
    way, what = question.objective.split()
    if what not in instance.objectives:
        return None
    try:
        wished = instance.with_objective(Objective(what, way == "maximise"))
        return None if wished.puzzle.costs is None else wished
    except PlumbenchError:  # such as a board that says nothing of how its pieces lie
        return None


def _jobs(
    suite: Suite, question: Question, instance: Instance, takes: dict[str, bool]
) -> Iterator[Job]:
    limits = suite.limits
    for solver in question.engines or suite.engines:
        for seed in dict.fromkeys(
            None if seed == GIVEN or not takes[solver] else int(seed) for seed in suite.seeds
        ):
            job = Job(
                instance.puzzle,
                solver,
                question.task,
                question.limit,
                limits.wall and float(limits.wall),
                cpu=limits.cpu and float(limits.cpu),
                memory=limits.memory and int(limits.memory),
                seed=seed,
            )
            job.validate()
            yield job
