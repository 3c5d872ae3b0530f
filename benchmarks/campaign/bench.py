"""A measured campaign: every engine on every puzzle of a suite, stored as it goes, compared."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from ...puzzles.instance import Instance
from ..judging.agreement import Judgement, judge
from ..judging.evidence import keep_evidence
from ..processes.jobs import Job, Outcome, Result
from ..processes.runner import missing, probe, run_many
from ..progress import Progress
from ..summary import Campaign, report
from . import host
from .store import JobKey, Row, Store
from .suites import Suite, find_suite, load_suite, plan

DEFAULT_STORE = Path("results", "bench.sqlite")
PLAIN_PROGRESS_SECONDS = 15.0
MOST_JOBS = 4


def run_bench(
    suite: str | Suite = "default",
    store: str | os.PathLike[str] | None = None,
    *,
    resume: bool = False,
    jobs: int | None = None,
    out: TextIO | None = None,
) -> int:
    """Run a suite and print the report; gives the exit code.

    ``store`` is the SQLite file (results/bench.sqlite). ``resume`` keeps the runs it holds of
    the same puzzle, engine, question, limits and versions. ``jobs`` runs go at once, at most
    one per core if not given. The code is 4 if engines disagree or one is wrong, 130 after
    Ctrl-C (all finished runs are kept), else 0. Raises UsageError and InputError.
    """
    target: TextIO = sys.stdout if out is None else out
    chosen = find_suite(suite) if isinstance(suite, str) else suite
    workers = min(host.usable_cores(), MOST_JOBS) if jobs is None else jobs
    path = Path(DEFAULT_STORE if store is None else store)
    with Store(path) as database:
        bench = _Bench(chosen, database, workers)
        interrupted = False
        try:
            bench.prepare()
            bench.run(resume=resume)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            bench.progress.clear()
        code = bench.conclude(target, interrupted=interrupted)
    print(f"store: {path}", file=target)
    return code


@dataclass
class _Bench:
    suite: Suite
    store: Store
    workers: int
    instances: list[Instance] = field(default_factory=list)
    planned: list[tuple[Instance, Job, JobKey]] = field(default_factory=list)
    engines: dict[str, Result] = field(default_factory=dict)
    rows: dict[JobKey, Row] = field(default_factory=dict)
    resumed: int = 0
    campaign: int = 0
    progress: Progress = field(default_factory=Progress)
    begin: float = field(default_factory=time.monotonic)
    last_line: float = field(default_factory=time.monotonic)
    load_before: float | None = None

    def prepare(self) -> None:
        """Read the puzzles, see which engines are there, note the campaign."""
        self.load_before = host.load()
        self.instances = load_suite(self.suite)
        self.engines = probe(self.suite.solvers, self.workers)
        common = host.versions()
        for instance, job in plan(self.suite, self.instances):
            versions = {**common, **self.engines[job.solver].versions}
            self.planned.append((instance, job, JobKey.of(job, versions)))
        settings = {
            "seconds": self.suite.seconds,
            "budget": self.suite.budget,
            "jobs": self.workers,
            "solvers": list(self.suite.solvers),
        }
        self.campaign = self.store.begin_campaign(self.suite.name, settings, host.facts())

    def run(self, *, resume: bool) -> None:
        """Run what is to be run, one process each, a row written as each ends."""
        done = self.store.finished() if resume else {}
        self.rows = {key: done[key] for _, _, key in self.planned if key in done}
        self.resumed = len(self.rows)
        order: list[int] = []

        def keep(index: int, result: Result) -> None:
            self._keep(order[index], result)

        runs = run_many(self._jobs(order), self.workers, fresh=True, on_result=keep)
        with closing(runs):
            for _ in runs:
                self._tell()

    def _jobs(self, order: list[int]) -> Iterator[Job]:
        """The jobs still to be run; ``order`` learns which of the plan each one is."""
        budget = self.suite.budget
        for number, (_, job, key) in enumerate(self.planned):
            if budget is not None and time.monotonic() - self.begin > budget:
                return
            if key in self.rows:
                continue
            refusal = self._refusal(job, key)
            if refusal is not None:
                self._keep(number, refusal)
                continue
            order.append(number)
            yield job

    def _refusal(self, job: Job, key: JobKey) -> Result | None:
        """The record of a run that need not be started: the engine is not there, or has said
        already, asked for less, that it cannot do this puzzle.
        """
        engine = self.engines[job.solver]
        if engine.outcome is not Outcome.ANSWERED:
            return missing(engine.message) if engine.outcome is Outcome.MISSING else engine
        if job.task != "count":
            return None
        solved = self.rows.get(replace(key, task="solve", limit=None, nodes=None))
        if solved is None or solved.result.outcome is not Outcome.UNSUPPORTED:
            return None
        return Result(Outcome.UNSUPPORTED, message=solved.result.message)

    def _keep(self, number: int, result: Result) -> None:
        instance, _, key = self.planned[number]
        row = Row(key, instance.name, instance.family, instance.rules, "", result)
        self.store.add(self.campaign, row)
        self.rows[key] = row

    def _tell(self) -> None:
        """On a terminal a line that changes; elsewhere a plain line now and then."""
        text = f"{len(self.rows)} of {len(self.planned)} runs"
        self.progress.say(text)
        now = time.monotonic()
        if not self.progress.wanted and now - self.last_line > PLAIN_PROGRESS_SECONDS:
            self.last_line = now
            print(f"{text} ({now - self.begin:.0f} s)", file=sys.stderr, flush=True)

    def conclude(self, out: TextIO, *, interrupted: bool) -> int:
        """Judge, keep evidence, print the report; gives the exit code."""
        rows = list(self.rows.values())
        judgements = self._judge(rows)
        if rows:
            meanings = {name: result.counters for name, result in self.engines.items()}
            campaign = Campaign(list(self.suite.solvers), rows, judgements, meanings)
            print(report(campaign), file=out)
            print(file=out)
        for line in self._notes(interrupted):
            print(line, file=out)
        if interrupted:
            return 130
        return 0 if all(judgement.agreed for judgement in judgements.values()) else 4

    def _judge(self, rows: list[Row]) -> dict[str, Judgement]:
        by_puzzle: dict[str, list[Row]] = {}
        for row in rows:
            by_puzzle.setdefault(row.key.fingerprint, []).append(row)
        judgements: dict[str, Judgement] = {}
        for instance in self.instances:
            fingerprint = instance.puzzle.fingerprint
            if fingerprint not in by_puzzle:
                continue
            here = by_puzzle[fingerprint]
            runs = [(row.key.solver, row.result) for row in here]
            judgement = judgements[fingerprint] = judge(instance.puzzle, runs)
            if not judgement.agreed:
                folder = self.store.path.with_name(self.store.path.name + ".disagreements")
                named = [(f"{row.key.solver}, {row.key.task}", row.result) for row in here]
                keep_evidence(folder, instance, judgement.complaints(), named)
        return judgements

    def _notes(self, interrupted: bool) -> Iterator[str]:
        facts = host.facts()
        loads = ", ".join(
            "-" if x is None else f"{x:.1f}" for x in (self.load_before, facts["load"])
        )
        yield (
            f"machine: {facts['processor']}, {facts['cores']} cores, load before and after: "
            f"{loads}; Python {facts['python']}. Absolute times are of this machine."
        )
        for name, engine in self.engines.items():
            if engine.outcome is not Outcome.ANSWERED:
                yield f"engine {name} is not there: {engine.message.strip().splitlines()[-1]}"
        left = len(self.planned) - len(self.rows)
        seconds = time.monotonic() - self.begin
        yield (
            f"{len(self.rows)} of {len(self.planned)} runs in {seconds:.0f} s, "
            f"{self.workers} at a time, each limited to {self.suite.seconds:g} s"
            + (f"; {self.resumed} kept from before" if self.resumed else "")
        )
        if interrupted:
            yield "interrupted: what is finished is kept; go on with the same command and --resume"
        elif left:
            runs = "1 run was" if left == 1 else f"{left} runs were"
            yield (
                f"the budget of {self.suite.budget:g} s is spent: {runs} not started, "
                "go on with the same command and --resume"
            )
