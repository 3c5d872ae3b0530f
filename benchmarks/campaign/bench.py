"""A measured campaign: every engine on every puzzle of a suite, stored as it goes, compared."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ...puzzles.errors import InputError, UsageError
from ..processes import host
from ..processes.executors import Machine, measure, open_executor, version_skew
from ..processes.jobs import Job, Outcome, Result
from ..processes.runner import missing, probe
from .ending import conclude
from .instances import Labelled, load_instances
from .loop import Loop, Numbered
from .plan import Planned, plan, takes_seeds
from .pulse import Pulse
from .store import JobKey, Row, Store
from .suites import Suite, find_suite

if TYPE_CHECKING:
    from ..processes.dask_runs import DaskExecutor
    from ..processes.executors import LocalExecutor

DEFAULT_STORE = Path("results", "bench.sqlite")


def run_bench(
    suite: str | Suite = "default",
    store: str | os.PathLike[str] | None = None,
    *,
    resume: bool = False,
    jobs: int | None = None,
    dask: str | None = None,
    skip_bad: bool = False,
    report: bool = True,
    out: TextIO | None = None,
) -> int:
    """Run a suite, print what came out and write its report; gives the exit code.

    ``store`` is the SQLite file (results/bench.sqlite). ``resume`` keeps the runs it holds of
    the same puzzle, engine, question, limits, seed, repeat and versions. ``jobs`` runs go at
    once (None: one per physical core), here or on the cluster at the address ``dask``.
    ``skip_bad`` leaves out puzzles that cannot be read; without ``report`` runs are judged, but
    nothing is said of them. The code is 4 if engines disagree or one is wrong, 130 after Ctrl-C
    (all finished runs are kept), else 0. Raises UsageError and InputError.
    """
    target: TextIO = sys.stdout if out is None else out
    chosen = find_suite(suite) if isinstance(suite, str) else suite
    path = Path(DEFAULT_STORE if store is None else store)
    with Store(path) as database:
        bench = Bench(chosen, database, dask, resume, skip_bad)
        interrupted = False
        try:
            with open_executor(jobs, dask) as executor:  # first: a cluster may not be there
                bench.prepare()
                bench.run(executor)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            bench.pulse.clear()
        return conclude(bench, target, interrupted=interrupted, report=report)


@dataclass
class Bench:
    """One campaign. ``rows`` are those of its plan: new ones and, with ``resume``, kept ones;
    ``refused`` what an engine cannot do (fingerprint, solver, task) and what it said.
    """

    suite: Suite
    store: Store
    dask: str | None = None
    resume: bool = False
    skip_bad: bool = False
    skipped: list[InputError] = field(default_factory=list)
    planned: list[Planned] = field(default_factory=list)
    keys: list[JobKey] = field(default_factory=list)
    engines: dict[str, Result] = field(default_factory=dict)
    rows: dict[JobKey, Row] = field(default_factory=dict)
    refused: dict[tuple[str, str, str], str] = field(default_factory=dict)
    resumed: int = 0
    slots: int = 0
    campaign: int | None = None
    pulse: Pulse = field(default_factory=Pulse)
    begin: float = field(default_factory=time.monotonic)
    facts: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    machines: dict[str, dict[str, Any]] = field(default_factory=dict)

    def prepare(self) -> None:
        """Read the puzzles, see which engines are there, note the campaign."""
        self.facts = host.facts()
        self.pulse.say("reading the puzzles")
        instances = load_instances(self.suite, self.skipped if self.skip_bad else None)
        self.pulse.say("looking for the engines")
        self.engines = probe(self.suite.all_engines)
        self._plan(instances)
        done = self.store.finished() if self.resume else {}
        for key in self.keys:
            if key in done:
                self._note(done[key])
        self.resumed = len(self.rows)

    def _plan(self, instances: list[Labelled]) -> None:
        self.planned = plan(self.suite, instances)
        common = host.versions()
        versions = {name: {**e.versions, **common} for name, e in self.engines.items()}
        self.keys = [JobKey.of(p.job, versions[p.job.solver], p.repeat) for p in self.planned]

    def run(self, executor: LocalExecutor | DaskExecutor) -> None:
        """Run what is to be run, one process each, a row written as each ends."""
        self.slots = executor.slots
        self._look_at(executor.machines())
        self._open()
        deadline = None if self.suite.budget is None else self.begin + self.suite.budget
        ahead = self.slots if self.dask else 1
        loop = Loop(executor, measure, self.slots, ahead=ahead, deadline=deadline)
        start = time.monotonic()
        try:
            self._warm_up(loop)
            loop.reset()
            for ended in loop.perform(self._jobs()):
                if ended is not None:
                    self._keep(*ended)
                self._tell(start)
        except KeyboardInterrupt:
            for number, result in loop.rest():
                self._keep(number, result)
            raise
        finally:
            self.store.end_campaign(self._number, loop.cost(time.monotonic() - start))

    def _look_at(self, others: dict[str, Machine]) -> None:
        """What may spoil the measurements, on the machines where they are made."""
        memory = self.suite.limits.memory
        self.machines = {name: machine.facts for name, machine in others.items()}
        if not self.dask:
            self.warnings = host.warnings(self.facts, self.slots, memory)
        for name, machine in others.items():
            found = host.warnings(machine.facts, machine.slots, memory)
            self.warnings += [f"{name}: {warning}" for warning in found]

    @property
    def _number(self) -> int:
        assert self.campaign is not None
        return self.campaign

    def _open(self) -> None:
        """Note the campaign, its puzzles, and the rows that it keeps."""
        self.campaign = self.store.begin_campaign(self.suite.name, self._settings(), self.facts)
        self.store.add_instances(planned.instance for planned in self.planned)
        self.store.keep(self.campaign, self.rows.values())

    def _settings(self) -> dict[str, Any]:
        suite = self.suite
        plain = suite.plain()
        return {
            "suite": plain,
            "seconds": suite.limits.wall and float(suite.limits.wall),
            "cpu": suite.limits.cpu and float(suite.limits.cpu),
            "memory": suite.limits.memory and int(suite.limits.memory),
            **{name: plain[name] for name in ("repeats", "seeds", "shuffle", "warmup")},
            "budget": suite.budget and float(suite.budget),
            "jobs": self.slots,
            "executor": "dask" if self.dask else "local",
            "solvers": list(suite.all_engines),
            "counters": {name: engine.counters for name, engine in self.engines.items()},
            "capabilities": {
                name: {
                    "outcome": engine.outcome.value,
                    "message": engine.message,
                    "workers": engine.workers,
                    "seeds": takes_seeds(name),
                }
                for name, engine in self.engines.items()
            },
            "warnings": self.warnings,
            "machines": self.machines,
            "skipped": [str(error) for error in self.skipped],
            "planned": len(self.planned),
            "resumed": self.resumed,
        }

    def _warm_up(self, loop: Loop) -> None:
        """One run of each engine that is going to run, about its smallest puzzle; it counts for
        nothing. Whoever comes first would else pay for what the others find in memory.
        """
        if not self.suite.warmup:
            return
        first: dict[str, Job] = {}
        for planned, key in zip(self.planned, self.keys, strict=True):
            job = planned.job
            known = first.get(job.solver)
            if key in self.rows or self.engines[job.solver].outcome is not Outcome.ANSWERED:
                continue
            if known is None or job.puzzle.vertices < known.puzzle.vertices:
                first[job.solver] = job
        self.pulse.say("warming up")
        jobs = ((0, job, self.engines[job.solver].workers) for job in first.values())
        for _ in loop.perform(jobs):
            pass

    def _jobs(self) -> Iterator[Numbered]:
        """The jobs still to be run, each with its number in the plan."""
        for number, (planned, key) in enumerate(zip(self.planned, self.keys, strict=True)):
            if key in self.rows:
                continue
            refusal = self._refusal(planned.job, key)
            if refusal is None:
                yield number, planned.job, self.engines[key.solver].workers
            else:
                self._keep(number, refusal)

    def _refusal(self, job: Job, key: JobKey) -> Result | None:
        """The record of a run that need not be started: the engine is not there, or has said
        already, about the same puzzle and asked for no more, that it cannot do this.
        """
        engine = self.engines[job.solver]
        if engine.outcome is not Outcome.ANSWERED:
            return missing(engine.message) if engine.outcome is Outcome.MISSING else engine
        for task in (job.task, "solve"):
            message = self.refused.get((key.fingerprint, key.solver, task))
            if message is not None:
                return Result(Outcome.UNSUPPORTED, message=message)
        return None

    def _note(self, row: Row) -> None:
        key = row.key
        self.rows[key] = row
        if row.result.outcome is Outcome.UNSUPPORTED:
            self.refused[key.fingerprint, key.solver, key.task] = row.result.message

    def _keep(self, number: int, result: Result) -> None:
        """Store a run that ended; one that Ctrl-C ended has not."""
        if result.outcome is Outcome.INTERRUPTED:
            return
        planned, key = self.planned[number], self.keys[number]
        skew = version_skew(dict(key.versions), result)
        if skew:
            where = result.where.host if result.where else "a worker"
            raise UsageError(f"{where} has {', '.join(skew)}: install the same everywhere")
        there = planned.instance
        row = Row(key, there.name, there.family, there.rules, planned.group, result)
        number = self.store.add(self._number, row)
        self._note(replace(row, id=number, campaign=self._number))

    def _tell(self, start: float) -> None:
        fresh, left = len(self.rows) - self.resumed, len(self.planned) - len(self.rows)
        self.pulse.beat(f"{len(self.rows)} of {len(self.planned)} runs", fresh, left, start)
