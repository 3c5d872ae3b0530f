"""Suites: which boards, which engines, which questions, which limits."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...puzzles.errors import InputError, UsageError
from ...puzzles.instance import Instance
from ..processes.jobs import Job

LIBRARY = Path(__file__).resolve().parents[2] / "puzzles" / "library"
PUZZLE_FILES = (".txt", ".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite, as plain data.

    - ``files``: names in the library, or paths; None means the whole library;
    - ``seconds``: the hard limit of each run; ``budget``: after so many seconds no further run
      is started (None: never);
    - ``counting``: the engines that are also asked for the number of solutions, up to
      ``count_limit`` (2 tells unique from ambiguous), of puzzles of at most ``count_vertices``.
    """

    name: str
    solvers: tuple[str, ...]
    files: tuple[str, ...] | None = None
    seconds: float = 3.0
    budget: float | None = None
    counting: tuple[str, ...] = ()
    count_vertices: int = 0
    count_limit: int = 2


_GENERAL = ("propagation", "sat", "cpsat", "milp")
_ALL = (*_GENERAL, "reference", "brute")

SUITES: dict[str, Suite] = {
    "default": Suite("default", _ALL, budget=165.0, counting=_GENERAL, count_vertices=225),
    "full": Suite("full", _ALL, seconds=60.0, counting=_ALL, count_vertices=1600),
}


def find_suite(name: str) -> Suite:
    """A suite by name, or the default questions about the puzzles of a file or folder.

    Raises UsageError if it is neither.
    """
    if name in SUITES:
        return SUITES[name]
    path = Path(name)
    if name and path.is_dir():
        files = sorted(p for p in path.iterdir() if p.suffix in PUZZLE_FILES and p.is_file())
    elif name and path.exists():
        files = [path]
    else:
        raise UsageError(
            f"suite {name!r}: expected {', '.join(SUITES)}, or a puzzle file or folder"
        )
    return replace(
        SUITES["default"], name=name, files=tuple(os.fspath(f) for f in files), budget=None
    )


def load_suite(suite: Suite) -> list[Instance]:
    """The suite's puzzles, each once. Raises InputError for a file that cannot be read, or if
    there are none.
    """
    from ...puzzles.formats import load

    if suite.files is not None:
        paths = [LIBRARY / f if (LIBRARY / f).exists() else Path(f) for f in suite.files]
    else:
        paths = sorted(p for p in LIBRARY.iterdir() if p.suffix in PUZZLE_FILES)
    found: dict[str, Instance] = {}
    for path in paths:
        for instance in load(path):
            found.setdefault(instance.puzzle.fingerprint, instance)
    if not found:
        raise InputError("no puzzles", "at least one, for a suite", file=suite.name)
    return list(found.values())


def plan(suite: Suite, instances: Sequence[Instance]) -> Iterator[tuple[Instance, Job]]:
    """All runs of a suite: first one solution of each puzzle, puzzle by puzzle with all
    engines, so that a campaign cut short can still be compared; then the counts.
    """
    for instance in instances:
        for solver in suite.solvers:
            yield instance, Job(instance.puzzle, solver, seconds=suite.seconds)
    for instance in instances:
        if instance.puzzle.vertices <= suite.count_vertices:
            for solver in suite.counting:
                yield (
                    instance,
                    Job(
                        instance.puzzle,
                        solver,
                        "count",
                        limit=suite.count_limit,
                        seconds=suite.seconds,
                    ),
                )
