"""Both sides of a disagreement, kept as one JSON file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..puzzles.errors import PlumbenchError
from ..puzzles.instance import Instance
from ..puzzles.model import Puzzle, masks_of
from .jobs import Result


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
) -> Path:
    """Write the puzzle and all answers to a file of the folder; gives its path.

    Solutions are lists of open-port masks, one per vertex; one of a wrong shape is written as
    the list of its ports.
    """
    puzzle = subject if isinstance(subject, Puzzle) else subject.puzzle
    record = {
        "name": name_of(subject),
        "rules": rules_of(subject),
        "fingerprint": puzzle.fingerprint,
        "complaints": list(complaints),
        "runs": [_run_record(puzzle, solver, result) for solver, result in runs],
        "puzzle": _written(subject),
        "model": _model(puzzle),
    }
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w.-]+", "_", name_of(subject))[:60]
    path = folder / f"{stem}-{puzzle.fingerprint[:12]}.json"
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return path


def _run_record(puzzle: Puzzle, solver: str, result: Result) -> dict[str, Any]:
    return {
        "solver": solver,
        "outcome": result.outcome.value,
        "status": result.status.value,
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


def _written(subject: Instance | Puzzle) -> str | None:
    """The instance in plumbench's own JSON, None where the format cannot say it."""
    if isinstance(subject, Puzzle):
        return None
    from ..puzzles.formats import dumps

    try:
        return dumps(subject, "json")
    except PlumbenchError:
        return None


def _model(puzzle: Puzzle) -> dict[str, Any]:
    """The puzzle itself, as plain lists, whatever its family."""
    rules = puzzle.rules
    return {
        "first_port": puzzle.first_port.tolist(),
        "domains": puzzle.domains_text,
        "domain_of": puzzle.domain_of.tolist(),
        "edge_ports": puzzle.edge_ports.tolist(),
        "free": puzzle.free.nonzero()[0].tolist(),
        "rules": {name: getattr(rules, name) for name in type(rules).__slots__},
    }
