"""Chance, agreement and changes between campaigns: each against what was worked by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from plumbench.benchmarks.statistics.agreements import agreements
from plumbench.benchmarks.statistics.changes import changes, differences
from plumbench.benchmarks.statistics.endings import End
from plumbench.benchmarks.statistics.frame import frame
from plumbench.benchmarks.statistics.seeds import noise, sensitivity
from plumbench.solvers.contract import Status
from statistics_rows import SOLVE, info, row, table

# ---- chance --------------------------------------------------------------------------------


def test_seeds_by_hand() -> None:
    """Times 1 and 3 under two seeds: mean 2, sample deviation sqrt(2), ratio 3; conflicts 10 and
    20: ratio 2. A puzzle solved under one seed only is a flip.
    """
    made = table(
        row("a", "p", 1.0, seed=1, stats={"conflicts": 10, "restarts": 1}),
        row("a", "p", 3.0, seed=2, stats={"conflicts": 20, "restarts": 1}),
        row("a", "q", 1.0, seed=1),
        row("a", "q", "timeout", seed=2),
        row("a", "r", "timeout", seed=1),
        row("a", "r", "timeout", seed=2),
        row("b", "p", 1.0),
    )
    [found] = sensitivity(made, SOLVE)
    assert (found.series, found.puzzles, found.flips) == ("a", 3, ("the q",))
    assert found.time.variation == pytest.approx(math.sqrt(2) / 2)
    assert (found.time.n, found.time.ratio, found.time.worst) == (1, 3, 3)
    assert found.time.worst_name == "the p"
    assert (found.counter, found.work.ratio) == ("conflicts", 2)


def test_repeats_are_no_seeds() -> None:
    """Repeats of a seed are reduced to their median before seeds are compared."""
    made = table(
        *(row("a", "p", t, seed=1, repeat=i) for i, t in enumerate((1.0, 9.0, 2.0))),
        row("a", "p", 4.0, seed=2),
        *(row("c", "p", t, repeat=i) for i, t in enumerate((1.0, 9.0))),
    )
    [found] = sensitivity(made, SOLVE)
    assert found.time.ratio == 2
    assert sensitivity(table(), SOLVE) == []


def test_counters_of_zero() -> None:
    """No work under any seed is a ratio of 1; none under one seed has no ratio."""
    made = table(
        *(row("a", "p", 1.0, seed=s, stats={"nodes": 0}) for s in (1, 2)),
        *(row("b", "p", 1.0, seed=s, stats={"nodes": s - 1}) for s in (1, 2)),
    )
    a, b = sensitivity(made, SOLVE)
    assert (a.work.ratio, a.work.variation) == (1, 0)
    assert (b.work.n, b.work.ratio, b.work.worst_name) == (1, None, None)


def test_noise_by_hand() -> None:
    """Repeats 1, 2, 4: median 2, deviations 1, 0, 2, so 1/2. A flip is counted."""
    made = table(
        *(row("a", "p", t, repeat=i) for i, t in enumerate((1.0, 2.0, 4.0))),
        row("a", "q", 1.0),
        row("a", "q", "timeout", repeat=1),
        row("b", "p", 1.0),
    )
    found = noise(made, SOLVE)
    assert (found["a"].n, found["a"].median, found["a"].largest, found["a"].flips) == (
        1,
        0.5,
        0.5,
        1,
    )
    assert (found["b"].n, found["b"].median) == (0, None)
    assert noise(table()) == {}


# ---- agreement -----------------------------------------------------------------------------


def _count(solver: str, puzzle: str, count: int, exact: bool, limit: int | None = None) -> Any:
    status = Status.SATISFIABLE if count else Status.UNSATISFIABLE
    return row(
        solver, puzzle, 1.0, task="count", limit=limit, count=count, exact=exact, status=status
    )


def test_agreement_by_hand() -> None:
    """p: 3, 3 and at least 2 agree. q: none against 1. r: only a says something."""
    found = agreements(
        table(
            _count("a", "p", 3, True),
            _count("b", "p", 3, True),
            _count("c", "p", 2, False, limit=2),
            row("a", "q", 1.0, status=Status.UNSATISFIABLE),
            row("b", "q", 1.0),
            row("c", "q", "timeout"),
            row("a", "r", 1.0),
            row("b", "r", "crashed"),
        )
    )
    ab, ac, bc = found.pair("a", "b"), found.pair("a", "c"), found.pair("c", "b")
    assert (ab.common, ab.agreeing) == (2, 1)
    assert ab.contradicting == (("the q", "a says none, b at least 1"),)
    assert (ac.common, ac.agreeing, bc.common, bc.agreeing) == (1, 1, 1, 1)
    assert (found.pair("a", "a").common, found.pair("a", "a").agreeing) == (3, 3)
    assert not found.agreed


def test_another_count_is_a_contradiction() -> None:
    """Exactly 5 against exactly 6, and against "at least 6" of a run that a limit stopped."""
    found = agreements(
        table(
            _count("a", "p", 5, True),
            _count("b", "p", 6, True),
            row("c", "p", "timeout", task="count", status=Status.SATISFIABLE, count=6, exact=False),
        )
    )
    assert found.pair("a", "b").contradicting
    assert found.pair("a", "c").contradicting
    assert not found.pair("b", "c").contradicting


def test_a_solver_can_contradict_itself() -> None:
    """Under one seed none, under another one: the diagonal shows it."""
    made = table(
        row("a", "p", 1.0, seed=1), row("a", "p", 1.0, seed=2, status=Status.UNSATISFIABLE)
    )
    assert agreements(made).pair("a", "a").contradicting
    assert agreements(table()).agreed


def test_optima_must_agree() -> None:
    """Two optima, or a solution that costs less than a proved least, contradict."""
    optimal: dict[str, Any] = {"task": "optimise", "status": Status.OPTIMAL}
    made = [row("a", "p", 1.0, **optimal, cost=3), row("b", "p", 1.0, **optimal, cost=4)]
    [(_, why)] = agreements(table(*made)).pair("a", "b").contradicting
    assert why == "a calls 3 optimal, b calls 4 optimal"
    less = row("c", "p", "timeout", task="optimise", status=Status.SATISFIABLE, cost=2)
    for objective, contradicts in (("least rotations", True), ("most tiles", False)):
        infos = {"p": info("p", objective=objective)}
        both = frame([made[0], less], {}, infos)
        assert bool(agreements(both).pair("a", "c").contradicting) == contradicts


def test_the_solution_found_does_not_matter() -> None:
    """C07: other solutions of one puzzle, and other seeds, agree."""
    found = agreements(
        table(
            row("a", "p", 1.0, solutions=(np.array([True, False]),)),
            row("b", "p", 1.0, solutions=(np.array([False, True]),), seed=4),
        )
    )
    assert found.agreed
    assert found.pair("a", "b").agreeing == 1


# ---- two campaigns -------------------------------------------------------------------------


def _campaign(times: dict[str, list[float | str]], **more: Any) -> Any:
    return table(
        *(row(s, f"p{i}", how, **more) for s, hows in times.items() for i, how in enumerate(hows))
    )


def test_nothing_changed() -> None:
    """The same twice: ratio 1, nothing beyond noise."""
    one = _campaign({"a": [1.0, 2.0, "timeout"]})
    found = changes(one, one)
    assert not found.any
    [pace] = found.paces
    assert (pace.ratio.value, pace.ratio.n, pace.beyond, pace.measured) == (1, 2, False, False)
    assert (found.gone, found.new, found.notes) == ((), (), ())
    assert not changes(table(), table()).any


def test_pace_beyond_noise() -> None:
    """Twice as long on all is beyond the usual 5 %; 3 % more is not, though its interval is one
    point; nor is a factor that the puzzles do not share.
    """
    old = _campaign({"a": [1.0, 2.0, 3.0]})
    [pace] = changes(old, _campaign({"a": [2.0, 4.0, 6.0]})).paces
    assert (pace.ratio.value, pace.beyond) == (pytest.approx(2), True)
    [pace] = changes(old, _campaign({"a": [1.03, 2.06, 3.09]})).paces
    assert (pace.ratio.value, pace.beyond) == (pytest.approx(1.03), False)
    [pace] = changes(old, _campaign({"a": [8.0, 1.0, 1.5]})).paces
    assert (pace.ratio.value, pace.beyond) == (pytest.approx(2 ** (1 / 3)), False)


def test_measured_noise_is_used() -> None:
    """Where runs are repeated with a relative spread of 1/3, a third more is noise."""

    def twice(factor: float) -> Any:
        return table(
            *(
                row("a", f"p{i}", factor * time, repeat=repeat)
                for i in range(4)
                for repeat, time in enumerate((2.0, 4.0))
            )
        )

    [pace] = changes(twice(1.0), twice(1.3)).paces
    assert (pace.noise, pace.measured) == (pytest.approx(1 / 3), True)
    assert (pace.ratio.value, pace.beyond) == (pytest.approx(1.3), False)


def test_flips_are_named() -> None:
    """Solved in 1 s and now a crash: beyond noise. Solved in 9.8 of 10 s and now a timeout: the
    limit was near.
    """
    found = changes(
        _campaign({"a": [1.0, 9.8, 1.0]}), _campaign({"a": ["crashed", "timeout", 1.0]})
    )
    told = [(f.unit.name, f.before, f.after, f.near) for f in found.flips]
    assert told == [
        ("the p0", End.SOLVED, End.CRASHED, False),
        ("the p1", End.SOLVED, End.TIMEOUT, True),
    ]
    assert found.any


def test_another_limit_is_no_change() -> None:
    """Solved in 20 s of 60 is a timeout under 10 s as well; the limits are told."""
    found = changes(
        _campaign({"a": [1.0, 20.0, "timeout"]}, seconds=60.0),
        _campaign({"a": [1.0, "timeout", "timeout"]}),
    )
    assert found.flips == ()
    assert found.notes == ("solve: wall 60 s before, wall 10 s after",)


def test_mixed_limits_become_a_note() -> None:
    """A question with mixed limits within one campaign is not compared."""
    mixed = table(row("a", "p", 1.0), row("a", "q", 1.0, seconds=60.0))
    found = changes(mixed, mixed)
    assert found.paces == ()
    assert "different limits" in found.notes[0]


def test_changed_answers_are_named() -> None:
    """A solver that now says none where it had a solution contradicts itself."""
    found = changes(
        table(row("a", "p", 1.0)), table(row("a", "p", 1.0, status=Status.UNSATISFIABLE))
    )
    [answer] = found.answers
    assert answer.why == "a after says none, a before at least 1"
    assert found.any


def test_changed_counters_are_named() -> None:
    """Of engines with one thread, without chance, on units that both solved."""

    def campaign(nodes: int, chance: int, version: str) -> Any:
        common: dict[str, Any] = {"versions": {"plumbench": version}}
        return table(
            row("a", "p", 1.0, stats={"nodes": nodes, "mean": 0.5 * nodes}, **common),
            row("a", "q", 1.0, stats={"nodes": 7}, **common),
            row("a", "r", "timeout", stats={"nodes": nodes}, **common),
            row("many", "p", 1.0, stats={"nodes": nodes}, workers=2, **common),
            row("luck", "p", 1.0, stats={"nodes": nodes}, **common),
            row("luck", "p", 1.0, stats={"nodes": chance}, repeat=1, **common),
        )

    [found] = changes(campaign(10, 11, "1"), campaign(30, 12, "1")).counters
    assert (found.solver, found.counter, found.n, found.changed) == ("a", "nodes", 2, 1)
    assert (found.before, found.after, found.example) == (17, 37, "the p")
    assert found.same_versions
    [found] = changes(campaign(10, 11, "1"), campaign(30, 12, "2")).counters
    assert not found.same_versions


def test_what_only_one_campaign_has() -> None:
    """Solvers, questions and puzzles of one side are named, and compared with nothing."""
    found = changes(
        table(row("a", "p", 1.0), row("b", "p", 1.0), row("a", "p", 1.0, task="count")),
        table(row("a", "p", 1.0), row("a", "q", 1.0)),
    )
    assert found.gone == (("solver", "b"), ("question", "count"))
    assert found.new == (("puzzle", "the q"),)
    assert (found.flips, len(found.paces)) == ((), 1)


def test_differences_of_settings() -> None:
    """Nested, in order, with None for what is missing; ignored keys are not told."""
    found = differences(
        {"wall": 3, "host": {"cores": 2, "load": 0.1}, "old": 1},
        {"wall": 5, "host": {"cores": 4, "load": 0.7}, "new": [1]},
        frozenset({"load"}),
    )
    assert found == [("wall", 3, 5), ("host: cores", 2, 4), ("old", 1, None), ("new", None, [1])]
