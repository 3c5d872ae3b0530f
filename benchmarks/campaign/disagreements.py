"""What a campaign keeps of a disagreement: both sides, and the smallest puzzle that shows it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..judging.shrink import Progress
from ..judging.smallest import SECONDS, Runs, keep_disagreement
from ..processes.jobs import Job

if TYPE_CHECKING:
    from ..report import Content

ALL_SECONDS = 60.0
"""What shrinking all of a campaign's disagreements may take."""


def keep_disagreements(content: Content, say: Callable[[str], None], seconds: float) -> None:
    """A file in STORE.disagreements for each puzzle that engines disagree about; then, for so
    many seconds in all, with the smallest part of it that still shows it. Ctrl-C ends that. The
    runs are asked again on this machine, wherever they were made.
    """
    folder = content.path.with_name(f"{content.path.name}.disagreements")
    found = list(_disagreements(content))

    def keep(fingerprint: str, runs: Runs, seconds: float, progress: Progress | None) -> None:
        keep_disagreement(
            folder,
            content.puzzles[fingerprint],
            content.judgements[fingerprint].complaints(),
            runs,
            label=_label,
            seconds=seconds,
            progress=progress,
        )

    for fingerprint, runs in found:
        keep(fingerprint, runs, 0.0, None)
    end = time.monotonic() + seconds
    with contextlib.suppress(KeyboardInterrupt):
        for number, (fingerprint, runs) in enumerate(found, 1):
            left = min(SECONDS, end - time.monotonic())
            if left <= 0:
                return
            place = f"disagreement {number} of {len(found)}: "
            keep(fingerprint, runs, left, lambda text, place=place: say(place + text))


def _label(job: Job) -> str:
    return f"{job.solver}, {job.task}" + ("" if job.seed is None else f", seed {job.seed}")


def _disagreements(content: Content) -> Iterator[tuple[str, Runs]]:
    """The puzzles that engines disagree about, as far as they can be read, with all runs."""
    for fingerprint, judgement in content.judgements.items():
        instance = content.puzzles.get(fingerprint)
        if judgement.agreed or instance is None:
            continue
        runs = []
        for row in content.by_puzzle[fingerprint]:
            key = row.key
            job = Job(
                instance.puzzle,
                key.solver,
                key.task,
                key.limit,
                key.seconds,
                key.nodes,
                key.cpu,
                key.memory,
                key.seed,
            )
            runs.append((job, row.result))
        yield fingerprint, runs
