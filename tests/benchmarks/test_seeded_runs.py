"""Runs in children about reshuffled puzzles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from harness import parallel
from plumbench.benchmarks.judging.agreement import judge
from plumbench.benchmarks.processes.jobs import Job, Outcome
from plumbench.benchmarks.processes.runner import run_many, run_one
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import UsageError
from strategies import letters

pytestmark = pytest.mark.usefixtures("fakes")


def test_seeded_runs_answer_about_the_puzzle_as_given() -> None:
    """Solutions, counts and costs of reshuffled runs pass the checker of the puzzle itself."""
    puzzle = letters("LIL", "TIT", "LIL").puzzle
    jobs = [
        Job(puzzle, name, "solutions", seconds=20.0, seed=seed)
        for name in ("propagation", "sat")
        for seed in (None, 0, 3)
    ]
    results = [result for _, result in sorted(run_many(jobs), key=lambda pair: pair[0])]
    assert {result.outcome for result in results} == {Outcome.ANSWERED}
    assert {result.count for result in results} == {results[0].count}
    found = [{s.tobytes() for s in result.solutions} for result in results]
    assert all(some == found[0] for some in found)
    assert all(check(puzzle, s).ok for result in results for s in result.solutions)
    assert judge(puzzle, zip((j.solver for j in jobs), results, strict=True)).agreed


def test_a_seed_is_repeatable() -> None:
    """Two runs under one seed do the same work; search threads are told."""
    job = Job(letters(*["L" * 6] * 6, wrap=True).puzzle, "cpsat:workers2", seconds=20.0, seed=4)
    assert run_one(job).workers == 2
    plain = replace(job, solver="propagation")
    one, two = (run_one(plain) for _ in range(2))
    assert one.stats == two.stats
    assert one.workers == 1


def test_an_engine_without_seeds_refuses_one() -> None:
    """It is unsupported, whatever the puzzle."""
    result = run_one(Job(parallel(3), "reference", seconds=10.0, seed=1))
    assert result.outcome is Outcome.UNSUPPORTED
    assert "a seed" in result.message


def test_lies_about_a_reshuffled_puzzle_are_caught() -> None:
    """A board that is no solution stays none on its way back."""
    result = run_one(Job(parallel(3), "liar_board", seconds=10.0, seed=1))
    assert result.outcome is Outcome.WRONG


@pytest.mark.parametrize("task", ["unique", "probe"])
def test_tasks_without_seeds(task: str) -> None:
    """What is said of the puzzle as given is asked without a seed."""
    with pytest.raises(UsageError, match=f"seed 1: {task} takes none"):
        run_one(Job(parallel(3), "sat", task, seed=1))  # pyright: ignore[reportArgumentType]


def test_wrong_seeds() -> None:
    """They are refused before a process is started."""
    with pytest.raises(UsageError, match="seed -3"):
        run_one(Job(parallel(3), "sat", seed=-3))
