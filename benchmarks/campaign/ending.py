"""The end of a campaign: who agrees, evidence where they do not, the report, the notes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from ...puzzles.errors import UsageError
from ..processes import host
from ..report import console, load, write
from ..units import span_text
from .disagreements import ALL_SECONDS, keep_disagreements

if TYPE_CHECKING:
    from .bench import Bench


def conclude(bench: Bench, out: TextIO, *, interrupted: bool, report: bool = True) -> int:
    """Judge, keep evidence, print the report in short and write it; gives the exit code. The
    last line is the path of the report's page, if it is wanted and there was a run.
    """
    content = None
    if bench.campaign is not None and bench.rows:
        content = load(bench.store, bench.campaign)
        keep_disagreements(content, bench.pulse.say, 0.0 if interrupted else ALL_SECONDS)
        bench.pulse.clear()
        if report:
            print(console(content), file=out)
            print(file=out)
    for line in notes(bench, interrupted):
        print(line, file=out)
    print(f"store: {bench.store.path}", file=out)
    agreed = content is None or content.agreed
    if content is not None and report:
        try:
            print(write(content, report_folder(bench.store.path)), file=out)
        except UsageError as error:
            if agreed and not interrupted:
                raise
            print(f"plumbench: {error}", file=sys.stderr)
    if interrupted:
        return 130
    return 0 if agreed else 4


def report_folder(store: Path) -> Path:
    """Where the report of a store is written: beside it, without its suffix."""
    bare = store.with_suffix("")
    return bare if bare != store else store.with_name(f"{store.name}.report")


def notes(bench: Bench, interrupted: bool) -> Iterator[str]:
    """What the report in short does not say, and how to go on."""
    facts, suite = bench.facts, bench.suite
    if facts:
        yield (
            f"machine: {facts['processor']}, {facts['cores']} cores, load before and after: "
            f"{_load(facts['load'])}, {_load(host.load())}; Python {facts['python']}. "
            "Absolute times are of this machine."
        )
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
