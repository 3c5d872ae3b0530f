"""Both sides of a disagreement, kept as one JSON file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...puzzles.formats import dumps
from ...puzzles.instance import Instance
from ...puzzles.model import Puzzle, masks_of
from ...puzzles.raw import RawPuzzle
from ..processes.jobs import Result

if TYPE_CHECKING:
    from .smallest import Smallest

MOST_DRAWN = 2500
"""Cells of the largest board that is drawn."""


def name_of(subject: Instance | Puzzle) -> str:
    """What people call it."""
    return "puzzle" if isinstance(subject, Puzzle) else subject.name


def rules_of(subject: Instance | Puzzle) -> str:
    """The name of the rules, or the rules themselves of a bare puzzle."""
    if not isinstance(subject, Puzzle):
        return subject.rules
    rules = subject.rules
    return f"leaks {rules.leaks}, connect {rules.connect}" + ", acyclic" * rules.acyclic


def keep_evidence(
    folder: Path,
    subject: Instance | Puzzle,
    complaints: Sequence[str],
    runs: Iterable[tuple[str, Result]],
    smallest: Smallest | None = None,
) -> Path:
    """Write the puzzle and all answers to a file of the folder; gives its path.

    Solutions are lists of open-port masks, one per vertex; one of a wrong shape is written as
    the list of its ports. ``smallest`` is the smallest part of the puzzle that still shows it;
    its ``puzzle`` is one that ``load`` reads.
    """
    puzzle = subject if isinstance(subject, Puzzle) else subject.puzzle
    record = {
        "name": name_of(subject),
        "rules": rules_of(subject),
        "objective": _objective(subject),
        "fingerprint": puzzle.fingerprint,
        "complaints": list(complaints),
        "runs": [_run_record(puzzle, solver, result) for solver, result in runs],
        "smallest": None if smallest is None else _smallest_record(subject, smallest),
        "puzzle": _loadable(subject),
    }
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w.-]+", "_", name_of(subject))[:60]
    path = folder / f"{stem}-{puzzle.fingerprint[:12]}.json"
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return path


def _objective(subject: Instance | Puzzle) -> str | None:
    """As the command line takes it; None without one (a bare puzzle holds its costs itself)."""
    objective = None if isinstance(subject, Puzzle) else subject.objective
    if objective is None:
        return None
    return f"{'maximise' if objective.maximise else 'minimise'} {objective.what}"


def _run_record(puzzle: Puzzle, solver: str, result: Result) -> dict[str, Any]:
    return {
        "solver": solver,
        "outcome": result.outcome.value,
        "status": result.status.value,
        "cost": result.cost,
        "bound": result.bound,
        "count": result.count,
        "count_exact": result.exact,
        "solutions": [
            masks_of(puzzle, s) if s.shape == (puzzle.ports,) else s.tolist()
            for s in result.solutions
        ],
        "stats": result.stats,
        "times": result.times,
        "versions": result.versions,
        "message": result.message,
    }


def _smallest_record(subject: Instance | Puzzle, smallest: Smallest) -> dict[str, Any]:
    shrunk = smallest.shrunk
    record: dict[str, Any] = {"note": smallest.note, "solvers": list(smallest.solvers)}
    if shrunk is None:
        return record | {"puzzle": None}
    return record | {
        "complaints": list(smallest.complaints),
        "minimal": shrunk.minimal,
        "tried": shrunk.tried,
        "vertices": list(shrunk.vertices),
        "where": _where(subject, shrunk.vertices),
        "drawing": RawPuzzle(shrunk.puzzle).draw().splitlines(),
        "puzzle": _loadable(shrunk.puzzle),
    }


def _where(subject: Instance | Puzzle, vertices: Sequence[int]) -> list[str] | None:
    """A picture of the whole with what is left of it marked, if it is a grid one can look at."""
    if isinstance(subject, Puzzle) or subject.columns is None:
        return None
    if subject.puzzle.vertices > MOST_DRAWN:
        return None
    return subject.draw(marked=frozenset(vertices)).splitlines()


def _loadable(subject: Instance | Puzzle) -> Any:
    """The subject as plumbench's own JSON record, so that ``load`` reads it back."""
    instance = RawPuzzle(subject) if isinstance(subject, Puzzle) else subject
    return json.loads(dumps(instance, "json"))
