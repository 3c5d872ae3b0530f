"""The end of a campaign: who agrees, evidence where they do not, the report, the notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from ..judging.agreement import Judgement, judge
from ..judging.evidence import keep_evidence
from ..processes.jobs import Outcome
from ..summary import Campaign, report
from ..units import span_text
from . import host
from .store import Row

if TYPE_CHECKING:
    from .bench import Bench


def conclude(bench: Bench, out: TextIO, *, interrupted: bool) -> int:
    """Judge, keep evidence, print the report; gives the exit code."""
    rows = list(bench.rows.values())
    judgements = _judge(bench, rows)
    if rows:
        meanings = {name: result.counters for name, result in bench.engines.items()}
        campaign = Campaign(list(bench.suite.all_engines), rows, judgements, meanings)
        print(report(campaign), file=out)
        print(file=out)
    for line in notes(bench, interrupted):
        print(line, file=out)
    print(f"store: {bench.store.path}", file=out)
    if interrupted:
        return 130
    return 0 if all(judgement.agreed for judgement in judgements.values()) else 4


def _judge(bench: Bench, rows: list[Row]) -> dict[str, Judgement]:
    by_puzzle: dict[str, list[Row]] = {}
    for row in rows:
        by_puzzle.setdefault(row.key.fingerprint, []).append(row)
    judgements: dict[str, Judgement] = {}
    for planned in bench.planned:
        fingerprint = planned.job.puzzle.fingerprint
        if fingerprint not in by_puzzle or fingerprint in judgements:
            continue
        here = by_puzzle[fingerprint]
        runs = [(row.key.solver, row.result) for row in here]
        judgement = judgements[fingerprint] = judge(planned.instance.puzzle, runs)
        if not judgement.agreed:
            path = bench.store.path
            folder = path.with_name(path.name + ".disagreements")
            named = [(f"{row.key.solver}, {row.key.task}", row.result) for row in here]
            keep_evidence(folder, planned.instance, judgement.complaints(), named)
    return judgements


def notes(bench: Bench, interrupted: bool) -> Iterator[str]:
    """What a reader must know beside the figures."""
    facts, suite = bench.facts, bench.suite
    if facts:
        yield (
            f"machine: {facts['processor']}, {facts['cores']} cores, load before and after: "
            f"{_load(facts['load'])}, {_load(host.load())}; Python {facts['python']}. "
            "Absolute times are of this machine."
        )
    for name, engine in bench.engines.items():
        if engine.outcome is not Outcome.ANSWERED:
            yield f"engine {name} is not there: {engine.message.strip().splitlines()[-1]}"
    for error in bench.skipped:
        yield f"left out: {error}"
    if interrupted and bench.campaign is None:
        yield "interrupted while preparing: no run was started"
        return
    yield _progress(bench)
    if suite.warmup and len(bench.rows) > bench.resumed:
        yield "before these, one run of each engine to warm up, which counts for nothing"
    left = len(bench.planned) - len(bench.rows)
    if interrupted:
        yield "interrupted: what is finished is kept; go on with the same command and --resume"
    elif left and suite.budget is not None:
        runs = "1 run was" if left == 1 else f"{left} runs were"
        yield (
            f"the budget of {span_text(suite.budget)} is spent: {runs} not started, "
            "go on with the same command and --resume"
        )


def _progress(bench: Bench) -> str:
    limits = [
        f"{name} {value}"
        for name, value in bench.suite.plain()["limits"].items()
        if value is not None
    ]
    return (
        f"{len(bench.rows)} of {len(bench.planned)} runs, {bench.slots} at a time"
        + (f", each limited to {', '.join(limits)}" if limits else ", without limits")
        + (f"; {bench.resumed} kept from before" if bench.resumed else "")
    )


def _load(load: float | None) -> str:
    return "-" if load is None else f"{load:.1f}"
