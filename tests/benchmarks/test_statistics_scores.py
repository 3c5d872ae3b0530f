"""The table of runs, units, scores and portfolios: each figure against one worked by hand."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from plumbench.benchmarks.campaign.records import BadRow
from plumbench.benchmarks.processes.jobs import Outcome, Where
from plumbench.benchmarks.statistics.endings import COUNTED, End
from plumbench.benchmarks.statistics.estimates import (
    clustered_mean,
    clustered_slope,
    geometric_mean,
)
from plumbench.benchmarks.statistics.frame import COLUMNS
from plumbench.benchmarks.statistics.mixtures import mixtures
from plumbench.benchmarks.statistics.portfolio import portfolio
from plumbench.benchmarks.statistics.scores import scores
from plumbench.benchmarks.statistics.units import MixedLimits, questions, reduce, units
from plumbench.puzzles.errors import UsageError
from plumbench.solvers.contract import Status
from statistics_rows import SOLVE, grid, judged, row, table

# ---- intervals -----------------------------------------------------------------------------


def test_clusters_are_resampled_whole() -> None:
    """Of 1, 1 of one puzzle and 4 of another the mean is 2, and a resample holds 1s, 4s or both:
    the interval is 1 to 4, as each extreme comes up in a quarter of them.
    """
    found = clustered_mean([1, 1, 4], ["a", "a", "b"])
    assert (found.value, found.low, found.high) == (2, 1, 4)
    assert (found.n, found.clusters) == (3, 2)


def test_a_cluster_alone_has_no_interval() -> None:
    """Two values of one puzzle say nothing of other puzzles; equal values of two give a point."""
    alone = clustered_mean([1, 3], ["a", "a"])
    assert (alone.value, alone.low, alone.high) == (2, None, None)
    equal = clustered_mean([3, 3], ["a", "b"])
    assert (equal.low, equal.high) == (3, 3)
    assert clustered_mean([], []).value is None


def test_geometric_mean_by_hand() -> None:
    """Of 1 and 100 it is 10; the mean of a thousand draws lies where the normal law says."""
    assert geometric_mean([1, 100], [0, 1]).value == pytest.approx(10)
    draws = np.random.default_rng(1).lognormal(0.0, 1.0, 1000)
    found = geometric_mean(draws, range(1000))
    assert found.value is not None
    spread = 1.96 * np.std(np.log(draws)) / math.sqrt(1000)
    assert found.low == pytest.approx(found.value * math.exp(-spread), rel=0.02)
    assert found.high == pytest.approx(found.value * math.exp(spread), rel=0.02)
    with pytest.raises(ValueError, match="not positive"):
        geometric_mean([0.0], [0])


def test_slope_by_hand() -> None:
    """Through (0,0), (1,1), (2,5): slope 5/2, start -1/2, R squared 1 - 1.5/14 = 25/28."""
    found, start, squared = clustered_slope([0, 1, 2], [0, 1, 5], [0, 1, 2])
    assert found.value == pytest.approx(2.5)
    assert start == pytest.approx(-0.5)
    assert squared == pytest.approx(25 / 28)
    # Resamples of two points only: slopes 1, 2.5 and 4 at the ends.
    assert (found.low, found.high) == (pytest.approx(1), pytest.approx(4))


def test_slope_without_spread_is_undefined() -> None:
    """A constant x has no slope, a constant y no R squared; never a NaN."""
    found, start, squared = clustered_slope([1, 1], [1, 2], [0, 1])
    assert (found.value, start, squared) == (None, None, None)
    flat, _, squared = clustered_slope([0, 1, 2], [3, 3, 3], [0, 1, 2])
    assert (flat.value, flat.low, flat.high, squared) == (0, 0, 0, None)


# ---- the table -----------------------------------------------------------------------------


def test_frame_has_the_columns_it_declares() -> None:
    """With and without rows: every column, in order; limits and times are floats."""
    for made in (table(), table(row("a", "p", 1.0), row("a", "q", "timeout"))):
        assert list(made.columns) == list(COLUMNS)
        assert made["time"].dtype == float
        assert made["solved"].dtype == bool


def test_frame_keeps_what_was_measured() -> None:
    """Time is encode + solve; the claim is at least one solution; None stays None."""
    times = {"encode": 0.5, "solve": 2.0, "total": 3.0}
    made = table(row("a", "p", 1.0, times=times, cpu=2.25), sizes={"p": 16})
    [record] = made.to_dict("records")
    assert (record["time"], record["total"], record["cpu"]) == (2.5, 3.0, 2.25)
    assert (record["low"], record["high"], record["vertices"]) == (1, None, 16)
    assert (record["seed"], record["cost"], record["host"]) == (None, None, None)
    assert math.isnan(record["overshoot"])


@pytest.mark.parametrize(
    ("how", "end"),
    [
        (1.0, "solved"),
        (10.5, "timeout"),
        ("timeout", "timeout"),
        ("memout", "memout"),
        ("crashed", "crashed"),
        ("wrong", "wrong"),
        ("error", "error"),
        ("unknown", "unknown"),
        ("unsupported", "unsupported"),
        ("missing", "missing"),
        ("interrupted", "interrupted"),
    ],
)
def test_endings(how: float | str, end: str) -> None:
    """Every outcome keeps its own name (H18); an answer past the limit is a timeout."""
    assert list(table(row("a", "p", how))["end"]) == [end]


def test_partial_answers_are_not_solved() -> None:
    """A best solution that is not proved, and a count that nodes stopped, have a reason."""
    best = row("a", "p", "unknown", status=Status.SATISFIABLE, times={"solve": 1.0})
    assert list(table(best)["end"]) == ["unknown"]


def test_what_a_disqualified_engine_claims_is_wrong() -> None:
    """On that puzzle only; its timeout there without a claim stays a timeout."""
    made = table(
        row("liar", "p", 1.0),
        row("liar", "p", "timeout", task="count", limit=2),
        row("liar", "q", 1.0),
        row("a", "p", 1.0),
        judgements={"p": judged("liar"), "q": judged()},
    )
    assert list(made["end"]) == ["wrong", "timeout", "solved", "solved"]
    assert list(made["wrong"]) == [True, False, False, False]
    assert np.isnan(made["time"].iloc[0])


def test_only_the_sides_of_a_contradiction_are_unresolved() -> None:
    """Exactly 5 against exactly 6: both are out, "at least 2" is not."""
    count = {"task": "count", "seconds": 10.0}
    made = table(
        row("five", "p", 1.0, **count, count=5, exact=True),
        row("six", "p", 1.0, **count, count=6, exact=True),
        row("two", "p", 1.0, **count, limit=2, count=2, exact=False),
        judgements={"p": judged(unresolved="five against six")},
    )
    assert list(made["unresolved"]) == [True, True, False]
    assert list(made["solved"]) == [False, False, True]


@pytest.mark.parametrize("time", [math.nan, math.inf, -1.0, "True", True])
def test_measurements_that_make_no_sense_are_refused(time: object) -> None:
    """The run is named; with ``bad`` it is noted, and the solved run is unmeasured (H11, H12)."""
    strange = row("a", "p", 1.0, times={"encode": 0.0, "solve": time})
    with pytest.raises(UsageError, match=rf"run {strange.id}: a on the p, solve: solve is"):
        table(strange)
    bad: list[BadRow] = []
    made = table(strange, row("a", "q", 2.0), bad=bad)
    assert [b.id for b in bad] == [strange.id]
    assert list(made["end"]) == ["unmeasured", "solved"]
    [score] = scores(units(made, SOLVE)).scores
    assert (score.par2.value, score.par2.n) == (2.0, 1)


def test_an_answer_without_a_time_is_named() -> None:
    """What the store could not keep is not taken for 0."""
    lost = row("a", "p", 1.0, times={})
    with pytest.raises(UsageError, match="the time of solving is missing"):
        table(lost)


def test_runs_with_other_numbers_of_threads_are_other_series() -> None:
    """C09: rows with different numbers never share a series; a crash at the start joins one."""
    made = table(
        row("cp", "p", 1.0, workers=1),
        row("cp", "q", 1.0, workers=4),
        row("cp", "r", "crashed", workers=1),
        row("sat", "p", 1.0, workers=2),
    )
    assert list(made["series"]) == ["cp (1 thread)", "cp (4 threads)", "cp (1 thread)", "sat"]


# ---- units ---------------------------------------------------------------------------------


def test_repeats_become_the_median_run() -> None:
    """Times 1, 5, 3: 3. With one timeout of three the slower solved one; two: a timeout. Of two
    the mean; solved and timeout: more than half were not solved.
    """
    solved, late = End.SOLVED, (End.TIMEOUT, math.nan)
    assert reduce([(solved, 1.0), (solved, 5.0), (solved, 3.0)]) == (solved, 3.0)
    assert reduce([(solved, 1.0), late, (solved, 3.0)]) == (solved, 3.0)
    assert reduce([(solved, 1.0), late, late])[0] is End.TIMEOUT
    assert reduce([(solved, 1.0), (solved, 2.0)]) == (solved, 1.5)
    assert reduce([(solved, 1.0), late])[0] is End.TIMEOUT
    assert reduce([(solved, 1.0), (solved, 1.0), (End.WRONG, math.nan)])[0] is End.WRONG
    assert reduce([(End.INTERRUPTED, math.nan), (solved, 2.0)]) == (solved, 2.0)


def test_mixed_limits_are_refused() -> None:
    """Runs of one question under 10 s and 60 s are not put together; the error names both."""
    made = table(row("a", "p", 1.0), row("b", "p", 1.0, seconds=60.0))
    with pytest.raises(MixedLimits, match=r"solve: .*wall 10 s; wall 60 s"):
        units(made, SOLVE)


def test_questions_are_kept_apart() -> None:
    """Solve, count up to 2 and count of all are three questions, in this order."""
    made = table(
        row("a", "p", 1.0, task="count"), row("a", "p", 1.0, task="count", limit=2),
        row("a", "p", 1.0),
    )  # fmt: skip
    asked = questions(made)
    assert [str(q) for q in asked] == ["solve", "count up to 2", "count"]
    assert all(len(units(made, q).units) == 1 for q in asked)


def test_a_solver_without_seeds_stands_for_every_seed() -> None:
    """It is asked once, and is compared with each seed of the others; this is told."""
    made = table(
        row("plain", "p", 2.0),
        *(row("sat", "p", time, seed=seed) for seed, time in ((None, 1.0), (1, 3.0), (2, 8.0))),
    )
    found = units(made, SOLVE)
    assert [unit.seed for unit in found.units] == [None, 1, 2]
    assert found.time.tolist() == [[2, 1], [2, 3], [2, 8]]
    assert found.once == {"plain"}
    assert "take no seeds, one run stands for all: plain" in scores(found).notes


# ---- scores --------------------------------------------------------------------------------


def test_par2_by_hand() -> None:
    """Limit 10: (1 + 2 + 20 + 20) / 4 = 10.75 and, of three supported, (2 + 4 + 6) / 3 = 4."""
    found = scores(grid({"a": "1 2 timeout memout", "b": "2 4 6 unsupported"}))
    b, a = found.scores
    assert (a.series, a.solved, a.par2.value, a.counted) == ("a", 2, 10.75, 4)
    assert (b.series, b.solved, b.par2.value, b.counted) == ("b", 3, 4.0, 3)
    assert b.ends["unsupported"] == 1
    assert sum(b.ends.values()) == b.asked == 4
    low, high = a.par2.low, a.par2.high
    assert low is not None
    assert high is not None
    assert 1 <= low < 10.75 < high <= 20


def test_par2_over_common_units() -> None:
    """Both support at least 4/5 of what the other does, so they are compared on the four that
    both support: (1+2+3+4)/4 and (5+5+5+20)/4.
    """
    found = scores(grid({"a": "1 2 3 4 9", "b": "5 5 5 timeout unsupported"}))
    assert (found.general, found.common) == (("a", "b"), 4)
    values = {s.series: s.par2_common and s.par2_common.value for s in found.scores}
    assert values == {"a": 2.5, "b": 8.75}


def test_a_solver_of_few_puzzles_does_not_shrink_the_common_set() -> None:
    """One that supports half is not general: it has no PAR-2 there, the other keeps all four."""
    found = scores(grid({"a": "1 1 1 1", "few": "9 9 unsupported unsupported"}))
    assert (found.general, found.common) == (("a",), 4)
    assert {s.series: s.par2_common for s in found.scores}["few"] is None


def test_missing_runs_are_shown_and_in_no_mean() -> None:
    """A unit that was not run is neither solved nor a timeout, and leaves the common set."""
    found = scores(grid({"a": "1 2 3 4 5", "b": "1 2 3 4 -"}))
    b = {s.series: s for s in found.scores}["b"]
    assert (b.ends["not run"], b.par2.value, b.counted) == (1, 2.5, 4)
    assert found.common == 4
    assert any("not run" in note and "b 1" in note for note in found.notes)


def test_wrong_answers_count_as_unsolved_and_are_shown() -> None:
    """A fast lie is worth 20 s."""
    made = table(row("liar", "p", 0.1), row("liar", "q", 2.0), judgements={"p": judged("liar")})
    [score] = scores(units(made, SOLVE)).scores
    assert (score.ends["wrong"], score.solved, score.par2.value) == (1, 1, 11.0)


def test_without_a_limit_nothing_is_penalised() -> None:
    """An unsolved unit without a limit leaves PAR-2 undefined, not infinite and not NaN."""
    found = scores(grid({"a": "1 crashed", "b": "1 3"}, seconds=None))
    values = {s.series: s.par2.value for s in found.scores}
    assert values == {"a": None, "b": 2.0}
    assert any("no limit" in note for note in found.notes)


@pytest.mark.parametrize(
    "lines",
    [
        {},
        {"a": "1"},
        {"a": "0 0"},
        {"a": "timeout timeout", "b": "timeout timeout"},
        {"a": "wrong wrong"},
        {"a": "missing missing", "b": "3 3"},
        {"a": "unsupported", "b": "interrupted"},
        {"a": "2 2", "b": "2 2"},
    ],
)
def test_degenerate_scores_have_no_nan(lines: dict[str, str]) -> None:
    """Nothing, one run, zeros, nothing solved, nothing counted: numbers or None (H12)."""
    found = grid(lines)
    made, best = scores(found), portfolio(found)
    assert len(made.scores) == len(lines)
    for name in ("nan", "inf"):
        assert name not in repr(made)
        assert name not in repr(best)


def test_all_endings_are_either_counted_or_shown() -> None:
    """The order of tables names every ending once, the counted ones first."""
    assert tuple(End)[: len(COUNTED)] == COUNTED
    assert {outcome.value for outcome in Outcome} - {end.value for end in End} == {"answered"}


# ---- the virtual best solver ----------------------------------------------------------------


def test_portfolio_by_hand() -> None:
    """Times 1 - 4 / 2 3 4 / - - 4, limit 10. The best: 1, 3, 4, mean 8/3. Without a 2, 3, 4;
    without b 1, 20, 4; without c no change: marginal 1/3, 17/3, 0.
    """
    found = portfolio(grid({"a": "1 timeout 4", "b": "2 3 4", "c": "timeout timeout 4"}))
    assert (found.n, found.solved, found.par2.value) == (3, 3, pytest.approx(8 / 3))
    assert found.tied == 1
    told = [(c.series, c.solved, c.only, c.best) for c in found.contributions]
    assert told == [("b", 3, 1, 1), ("a", 2, 0, 1), ("c", 1, 0, 0)]
    marginal = [c.marginal.value for c in found.contributions]
    assert marginal == pytest.approx([17 / 3, 1 / 3, 0])


def test_shapley_is_the_mean_over_all_orders() -> None:
    """The closed form equals the definition: what each adds, averaged over the orders of joining;
    all together save the penalty minus the VBS.
    """
    lines = {"a": "1 timeout 4 0", "b": "2 3 4 7", "c": "timeout timeout 4 9", "d": "5 1 1 memout"}
    units = grid(lines)
    found = portfolio(units)
    savings = np.where(units.solved, 20 - np.maximum(units.time, 1e-6), 0.0)
    expected = np.zeros(4)
    orders = list(permutations(range(4)))
    for order in orders:
        for place, j in enumerate(order):
            before = savings[:, order[:place]].max(axis=1, initial=0.0)
            expected[j] += np.maximum(savings[:, j] - before, 0).mean() / len(orders)
    values = {c.series: c.shapley for c in found.contributions}
    assert [values[name] for name in units.series] == pytest.approx(list(expected))
    assert sum(expected) == pytest.approx(20 - (found.par2.value or 0))


def test_nobody_is_best_where_another_was_not_tried() -> None:
    """A unit without a run of one engine is left out, one that it cannot do is not."""
    found = portfolio(grid({"a": "1 1 1", "b": "2 - unsupported"}))
    assert (found.n, found.left_out) == (2, 1)
    [a] = [c for c in found.contributions if c.series == "a"]
    assert (a.best, a.only) == (2, 1)


def test_a_solver_alone_is_the_virtual_best() -> None:
    """Without it everything is unsolved: marginal (19 + 0) / 2."""
    found = portfolio(grid({"a": "1 timeout"}))
    [only] = found.contributions
    assert (found.par2.value, only.marginal.value, only.only) == (10.5, 9.5, 1)
    assert only.shapley == 9.5


def test_mixtures_are_told() -> None:
    """Runs of two machines, of two versions, and a unit with a repeat less: a sentence each."""
    here, there = Where("here"), Where("there")
    made = table(
        row("a", "p", 1.0, where=here),
        row("a", "p", 1.0, repeat=1, where=there),
        row("a", "q", 1.0, where=here, versions={"plumbench": "2"}),
    )
    assert mixtures(made) == [
        "runs of 2 machines are put together: here, there",
        "runs under several versions of plumbench are put together: 1, 2",
        "1 of 2 units have fewer than 2 repeats",
    ]
    assert mixtures(table()) == mixtures(table(row("a", "p", 1.0))) == []
