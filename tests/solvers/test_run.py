"""The jobs on top of the contract: nothing wrong and nothing twice gets past them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
import pytest
from plumbench.puzzles.errors import MissingBackend, Unsupported, UsageError, WrongAnswer
from plumbench.puzzles.model import Puzzle, Rules, Solution, ports_from_masks
from plumbench.solvers import registry
from plumbench.solvers.brute import Brute
from plumbench.solvers.contract import (
    Capabilities,
    Engine,
    Limits,
    Reason,
    Search,
    Status,
    Variant,
)
from plumbench.solvers.run import Run, count, solutions, solve
from strategies import letters, net

TWO = net("3x3:1313f3131").puzzle
UNIQUE = letters("LL", "LL").puzzle


class Scripted(Engine):
    """A test double that returns what it was told to."""

    name: ClassVar[str] = "scripted"
    capabilities = Capabilities(leaks=frozenset({"forbidden"}), connect=frozenset({"none", "used"}))

    def __init__(self, *script: Solution | Reason | None) -> None:
        super().__init__(Variant("scripted"))
        self.script: Sequence[Solution | Reason | None] = script
        self.searches: list[ScriptedSearch] = []

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The script from its beginning."""
        self.searches.append(ScriptedSearch(self.script))
        return self.searches[-1]


class ScriptedSearch(Search):
    """Plays a script."""

    def __init__(self, script: Iterable[Solution | Reason | None]) -> None:
        super().__init__()
        self.script, self.closed = iter(script), 0

    def next(self) -> Solution | Reason | None:
        """The next line."""
        return next(self.script)

    def close(self) -> None:
        """Count the calls."""
        self.closed += 1


RING = ports_from_masks(UNIQUE, [6, 12, 3, 9])
WRONG = ports_from_masks(UNIQUE, [6, 12, 3, 3])


def test_a_lying_engine_is_caught_in_every_job() -> None:
    """A wrong solution raises WrongAnswer with the checker's reasons, whatever the job."""
    jobs: list[Callable[[Engine], object]] = [
        lambda e: solve(UNIQUE, e),
        lambda e: count(UNIQUE, e),
        lambda e: list(solutions(UNIQUE, e)),
    ]
    for job in jobs:
        engine = Scripted(WRONG, None)
        with pytest.raises(WrongAnswer, match="leaks") as caught:
            job(engine)
        assert caught.value.engine == "scripted"
        assert caught.value.exit_code == 4
        assert engine.searches[0].closed >= 1


def test_a_misshapen_answer_is_caught() -> None:
    """Numbers for truth values, or too few of them, are wrong answers and not crashes."""
    odd: Any
    for odd in (RING.astype(np.int64), RING[:-1], RING.reshape(4, 4)):
        with pytest.raises(WrongAnswer):
            solve(UNIQUE, Scripted(odd))


def test_a_repeated_solution_is_caught() -> None:
    """The same solution twice would make a count wrong: WrongAnswer."""
    with pytest.raises(WrongAnswer, match="twice"):
        count(UNIQUE, Scripted(RING, RING.copy(), None))


def test_a_later_lie_is_caught_after_a_right_answer() -> None:
    """Each solution is checked, not only the first."""
    found = solutions(UNIQUE, Scripted(RING, WRONG))
    assert next(found).tolist() == RING.tolist()
    with pytest.raises(WrongAnswer):
        next(found)


def test_none_is_a_proof_and_a_reason_is_not() -> None:
    """None without a solution: unsatisfiable; a reason: unknown, and a count "at least"."""
    assert solve(UNIQUE, Scripted(None)).status == Status.UNSATISFIABLE
    for reason in Reason:
        answer = solve(UNIQUE, Scripted(reason))
        assert (answer.status, answer.reason, answer.solution) == (Status.UNKNOWN, reason, None)
        found = count(UNIQUE, Scripted(RING, reason))
        assert (found.value, found.exact, found.reason) == (1, False, reason)
    found = count(UNIQUE, Scripted(RING, None))
    assert (found.value, found.exact, found.reason) == (1, True, None)


def test_a_count_asks_for_no_more_than_its_limit() -> None:
    """At the limit the engine is not asked again and the search is closed."""
    engine = Scripted(RING)
    found = count(UNIQUE, engine, limit=1)
    assert (found.value, found.exact, found.reason) == (1, False, None)
    assert engine.searches[0].closed >= 1
    assert len(list(solutions(UNIQUE, Scripted(RING), limit=1))) == 1


def test_abandoned_solutions_close_the_search() -> None:
    """Leaving the iteration early gives the back end's memory back."""
    engine = Scripted(RING, None)
    found = solutions(UNIQUE, engine)
    next(found)
    found.close()  # pyright: ignore[reportAttributeAccessIssue]
    assert engine.searches[0].closed >= 1


def test_limits_and_names_are_validated_early() -> None:
    """Numbers that mean nothing and names that do not exist raise UsageError."""
    for bad in (0, -1):
        with pytest.raises(UsageError):
            count(UNIQUE, "brute", limit=bad)
        with pytest.raises(UsageError):
            list(solutions(UNIQUE, "brute", limit=bad))
        with pytest.raises(UsageError):
            Limits(seconds=bad)
        with pytest.raises(UsageError):
            Limits(nodes=bad)
    with pytest.raises(UsageError):
        Limits(seconds=float("nan"))
    for name in ("", "no-such", "Brute", "brute:", "brute,sat", "brute sat", "+root", "sat+"):
        with pytest.raises(UsageError):
            registry.get(name)


def test_names_are_parsed_and_written_alike() -> None:
    """``engine(:option)*(+borrowed)*`` there and back."""
    for name in ("sat", "sat:glucose4", "sat:cadical195+root", "cpsat:flow:lin2"):
        assert str(registry.parse(name)) == name
    parsed = registry.parse("cpsat:flow:lin2+root")
    assert parsed == Variant("cpsat", ("flow", "lin2"), ("root",))


def test_a_missing_library_is_told_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine whose module cannot be imported raises MissingBackend and is listed."""
    monkeypatch.setitem(registry.ENGINES, "absent", "no_such_module:Engine")
    with pytest.raises(MissingBackend, match="no_such_module"):
        registry.get("absent")
    assert "no_such_module" in registry.missing()["absent"]


def test_unsupported_is_raised_before_the_engine_starts() -> None:
    """A job outside the capabilities never reaches ``start``."""
    engine = Scripted(RING)
    with pytest.raises(Unsupported, match="leaks allowed"):
        solve(UNIQUE.with_rules(Rules("allowed")), engine)
    assert engine.searches == []


def test_a_run_times_its_phases() -> None:
    """Encode, solve and verify are there, none negative, all but encode grow with the work."""
    with Run(TWO, registry.get("brute"), Limits(), many=True) as run:
        assert len(list(run)) == 2
        times = run.watch.times()
    assert set(times) == {"encode", "solve", "verify"}
    assert all(seconds > 0 for seconds in times.values())


def test_engines_may_be_named_or_given() -> None:
    """A name and an engine object do the same."""
    assert count(TWO, "brute").value == count(TWO, Brute(Variant("brute"))).value == 2
