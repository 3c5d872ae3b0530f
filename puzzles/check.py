"""The independent checker."""

from __future__ import annotations

from dataclasses import dataclass

from .model import Puzzle, Solution


@dataclass(frozen=True, slots=True)
class Report:
    """Whether a solution is right, and if not, every reason why."""

    ok: bool
    reasons: tuple[str, ...] = ()


def check(puzzle: Puzzle, solution: Solution) -> Report:
    """Judge a solution from the rules alone."""
    raise NotImplementedError
