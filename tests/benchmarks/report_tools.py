"""Stores with invented measurements of real puzzles, whose reports are known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import plumbench
from plumbench.benchmarks.campaign.store import JobKey, Row, Store
from plumbench.benchmarks.processes.jobs import Job, Outcome, Result, Task, Where
from plumbench.puzzles.generators import generate
from plumbench.puzzles.instance import Instance
from plumbench.solvers.contract import Status

VERSIONS = {"python": "3.x", "plumbench": "0"}
COUNTERS = {
    "quick": {"nodes": "choices of the quick one"},
    "slow": {"conflicts": "dead ends of the slow one"},
}
SETTINGS = {
    "solvers": ["quick", "slow"],
    "seconds": 3.0,
    "counters": COUNTERS,
    "suite": {"name": "invented", "engines": ["quick", "slow"]},
    "repeats": 1,
}
HOST = {"processor": "a <fast> one", "cores": 2, "memory": 8 * 10**9, "load": 0.1}


@dataclass(frozen=True)
class Measured:
    """A row before it is stored: ``seconds`` None is a run that did not answer."""

    instance: Instance
    solver: str
    seconds: float | None
    outcome: Outcome = Outcome.ANSWERED
    claim: Status | None = None
    task: Task = "solve"
    repeat: int = 0
    seed: int | None = None


def boards(number: int = 12) -> list[Instance]:
    """Small boards of one solution, of several sizes."""
    sizes = [3, 4, 5, 6]
    made = []
    for index in range(number):
        size = sizes[index % len(sizes)]
        board = generate("net", size, size, seed=index + 1)
        made.append(replace(board, name=f"net {size} no {index}"))
    return made


def row(run: Measured) -> Row:
    """The run as the store takes it, with a true solution where it claims one."""
    limit = 2 if run.task == "count" else None
    job = Job(run.instance.puzzle, run.solver, run.task, limit, 3.0, seed=run.seed)
    answered = run.outcome is Outcome.ANSWERED
    status = run.claim or (Status.SATISFIABLE if answered else Status.UNKNOWN)
    found = status is Status.SATISFIABLE
    solution = plumbench.solve(run.instance, solver="propagation").solution if found else None
    times = {"start": 0.2, "import": 0.1, "total": 0.1 + (run.seconds or 3.0)}
    if run.seconds is not None:
        times |= {"encode": run.seconds / 4, "solve": run.seconds * 3 / 4, "verify": 0.001}
    if run.outcome is Outcome.TIMEOUT:
        times["overshoot"] = 0.05
    counter = "nodes" if run.solver == "quick" else "conflicts"
    result = Result(
        run.outcome,
        status,
        solutions=() if solution is None else (solution,),
        count=1 if run.task == "count" and found else None,
        exact=True if run.task == "count" and found else None,
        stats={counter: round(1000 * (run.seconds or 0))},
        times=times,
        cpu=run.seconds or 3.0,
        peak_rss=50_000_000,
        message="" if answered else f"ended as {run.outcome}",
        where=Where("machine", (0,), 0.5),
    )
    size = run.instance.puzzle.vertices
    side = int(np.sqrt(size))
    group = f"net {side}x{side}"
    key = JobKey.of(job, VERSIONS, run.repeat)
    return Row(key, run.instance.name, run.instance.family, run.instance.rules, group, result)


def make_store(
    path: Path,
    runs: Sequence[Measured],
    *,
    puzzles: bool = True,
    settings: dict[str, object] | None = None,
) -> Path:
    """A store of one more campaign with these runs; without ``puzzles`` they are lost."""
    with Store(path) as store:
        campaign = store.begin_campaign("invented", {**SETTINGS, **(settings or {})}, HOST)
        if puzzles:
            store.add_instances(run.instance for run in runs)
        for run in runs:
            store.add(campaign, row(run))
        store.end_campaign(
            campaign,
            {"wall": 10.0, "slot_seconds": 10.2, "run_seconds": 10.0, "start_seconds": 2.0},
        )
    return path


def plain_runs(factor: float = 3.0, number: int = 12) -> list[Measured]:
    """Quick takes longer with the size, slow ``factor`` times as long; the last board only quick
    solves, slow is cut off.
    """
    runs = []
    made = boards(number)
    for index, board in enumerate(made):
        time = 1e-4 * board.puzzle.vertices * (1 + index / 50)
        runs.append(Measured(board, "quick", time))
        if board is made[-1]:
            runs.append(Measured(board, "slow", None, Outcome.TIMEOUT))
        else:
            runs.append(Measured(board, "slow", time * factor))
    return runs
