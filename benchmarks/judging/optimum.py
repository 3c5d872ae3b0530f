"""What runs that optimise claim of the optimum, and which of those claims are refuted.

A solution is evidence whoever found it, also a run that only solved: what it costs is computed
here, by the checker's side, and no claimed optimum or bound may be beaten by it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...puzzles.check import cost
from ...puzzles.model import Puzzle, Solution
from ...solvers.contract import Status
from ..processes.jobs import Outcome, Result


def best_cost(puzzle: Puzzle, solutions: Iterable[Solution]) -> int | None:
    """The best cost among verified solutions; None without any, or for a puzzle without costs."""
    if puzzle.costs is None:
        return None
    prices = [cost(puzzle, solution) for solution in solutions]
    return (max if puzzle.costs.maximise else min)(prices, default=None)


def refuted(puzzle: Puzzle, result: Result, best: int | None) -> str | None:
    """Why a run's cost, optimum or bound is wrong, given the best cost that was ever seen."""
    if puzzle.costs is None or result.cost is None:
        return None
    own = best_cost(puzzle, result.solutions)
    if own is not None and own != result.cost:
        return f"reports cost {result.cost}, but its solution costs {own}"
    if best is None:
        return None
    claimed = f"calls {result.cost} optimal" if proves(result) else ""
    if claimed and _beats(puzzle, best, result.cost):
        return f"{claimed}, but a solution of cost {best} passed the checker"
    if result.bound is not None and _beats(puzzle, best, result.bound):
        return f"gives the bound {result.bound}, but a solution of cost {best} passed the checker"
    return None


def proves(result: Result) -> bool:
    """Whether the run says that its cost is the optimum."""
    return result.outcome is Outcome.ANSWERED and result.status is Status.OPTIMAL


def rivals(runs: Iterable[tuple[str, Result]]) -> str:
    """The claims of different optima, where no solution can be checked; empty if there are none."""
    claims = {solver: result.cost for solver, result in runs if proves(result)}
    if len(set(claims.values())) < 2:
        return ""
    return "; ".join(f"{solver} calls {cost} optimal" for solver, cost in claims.items())


def _beats(puzzle: Puzzle, cost: int, than: int) -> bool:
    assert puzzle.costs is not None
    return cost > than if puzzle.costs.maximise else cost < than
