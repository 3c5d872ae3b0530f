"""What runs cost beside the answer: process start, import, memory, the harness itself."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..campaign.store import Row
from ..processes.jobs import Outcome
from ..tables import Cell, Shown, duration, size_cell, time_cell
from .content import Content
from .document import Paragraph, Section, Table

if TYPE_CHECKING:
    from pandas import DataFrame

PHASES = ("start", "import", "encode", "solve", "verify", "total", "overshoot")

_HINTS = {
    "start": "from spawning the process to its readiness: interpreter and plumbench's imports",
    "import": "of the engine and its library",
    "encode": "the puzzle into the engine's form",
    "solve": "the engine's search",
    "verify": "decoding and checking the solution",
    "total": "import and run",
    "overshoot": "from the limit until no process was left; the worst of all runs",
    "processor": "processor time of all processes of the run, after the import",
    "memory": "most bytes resident at once, of all processes of the run",
}


def costs(content: Content) -> Section:
    """A line per engine, and the harness's own share."""
    rows: list[Sequence[Cell]] = []
    for solver in content.solvers:
        ran = [i for i, r in enumerate(content.rows) if r.key.solver == solver and _ran(r)]
        if ran:
            rows.append(_line(solver, content.frame.iloc[ran]))
    head = ("engine", "runs", *PHASES[:-1], "processor", "memory", "most memory", "overshoot")
    table = Table(
        "Where the time goes",
        head,
        rows,
        "costs",
        hints=_HINTS,
        notes=("Medians over all runs of an engine, answered or not; overshoot is the largest.",),
    )
    return Section(
        "costs",
        "Process start, imports and memory",
        [*_overhead(content)],
        [table] if rows else [],
    )


def _ran(row: Row) -> bool:
    """Whether a process was started for the run."""
    return "total" in row.result.times and row.result.outcome is not Outcome.MISSING


def _line(solver: str, runs: DataFrame) -> list[Cell]:
    """A measurement that makes no sense is in no figure here either."""
    known = {name: runs[name].dropna().tolist() for name in (*PHASES, "cpu", "peak_rss")}
    memory, over = known["peak_rss"], known["overshoot"]
    return [
        solver,
        len(runs),
        *(time_cell(_median(known[name])) for name in (*PHASES[:-1], "cpu")),
        size_cell(_median(memory)),
        size_cell(max(memory, default=None)),
        time_cell(max(over)) if over else Shown(None, "-"),
    ]


def _median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def _overhead(content: Content) -> list[Paragraph]:
    """What the harness added to the runs, if the campaign came to its end."""
    closing = content.info.closing or {}
    ran, held = closing.get("run_seconds"), closing.get("slot_seconds")
    started, wall = closing.get("start_seconds"), closing.get("wall")
    if not ran or held is None:
        return []
    share = f"the harness added {100 * (held - ran) / ran:.1f} %" if held >= ran else ""
    start = f", of which {duration(started)} for the start of processes" if started else ""
    took = f"The campaign took {duration(wall)}; " if wall else ""
    return [
        Paragraph(
            f"{took}its runs held their processors for {duration(ran)}{start}"
            + (f"; {share} to that (queues, records, the store)." if share else ".")
        )
    ]
