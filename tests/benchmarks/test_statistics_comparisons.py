"""Ratios, curves and fits: each figure against one worked by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from plumbench.benchmarks.statistics.curves import cactus, scatter
from plumbench.benchmarks.statistics.endings import End
from plumbench.benchmarks.statistics.ratios import ratio, ratios
from plumbench.benchmarks.statistics.scaling import kind_and_size, scaling
from plumbench.benchmarks.statistics.units import FLOOR, Units, units
from plumbench.puzzles.errors import UsageError
from statistics_rows import SOLVE, grid, judged, row, table

# ---- ratios --------------------------------------------------------------------------------


def test_ratio_by_hand() -> None:
    """On three common units b takes 2, 8 and 4 times as long: the cube root of 64. One unit only
    a solved, two only b, one neither, one not comparable.
    """
    found = ratio(
        grid(
            {
                "a": "1 1 1 5 timeout memout timeout 3",
                "b": "2 8 4 timeout 6 6 crashed unsupported",
            }
        ),
        "b",
        "a",
    )
    assert found.ratio.value == pytest.approx(4)
    assert (found.ratio.n, found.ratio.clusters) == (3, 3)
    assert (found.only_first, found.only_second, found.neither, found.apart) == (2, 1, 1, 1)
    assert found.ratio.low == pytest.approx(2)
    assert found.ratio.high == pytest.approx(8)
    assert found.decided


def test_ratio_is_the_same_both_ways() -> None:
    """Turned round, the ratio and its interval are the reciprocals."""
    pair = grid({"a": "1 2 3 4 5 6 7", "b": "3 1 9 4 8 2 9"})
    one, other = ratio(pair, "a", "b").ratio, ratio(pair, "b", "a").ratio
    assert one.value == pytest.approx(1 / (other.value or 0))
    assert one.low == pytest.approx(1 / (other.high or 0), rel=0.05)


def test_pairing_narrows_the_interval() -> None:
    """A constant ratio over very unlike puzzles is certain: the bootstrap is paired."""
    found = ratio(grid({"a": "0.001 0.1 3", "b": "0.003 0.3 9"}), "b", "a").ratio
    assert (found.low, found.high) == (pytest.approx(3), pytest.approx(3))


def test_seeds_of_a_puzzle_are_one_cluster() -> None:
    """A hundred seeds of two puzzles are no two hundred puzzles: each has ratio 2 or 8."""
    rows = [
        row(solver, puzzle, time, seed=seed)
        for seed in range(100)
        for solver, puzzle, time in (
            ("a", "p", 1.0), ("b", "p", 2.0), ("a", "q", 1.0), ("b", "q", 8.0),
        )
    ]  # fmt: skip
    found = ratio(units(table(*rows), SOLVE), "b", "a").ratio
    assert (found.value, found.n, found.clusters) == (pytest.approx(4), 200, 2)
    assert (found.low, found.high) == (pytest.approx(2), pytest.approx(8))


def test_times_under_the_floor_are_declared() -> None:
    """0 s counts as a microsecond and is counted: no division by zero."""
    found = ratio(grid({"a": "0 1", "b": "0.001 1"}), "b", "a")
    assert found.floored == 1
    assert found.ratio.value == pytest.approx(math.sqrt(0.001 / FLOOR))


def test_pairs_without_a_common_unit() -> None:
    """Nothing solved by both is no ratio, with the censored counts; nothing asked of both is no
    pair; the slower stands first.
    """
    [pair] = ratios(grid({"a": "1 timeout", "b": "timeout 1"}))
    assert (pair.ratio.value, pair.only_first, pair.only_second) == (None, 1, 1)
    assert not pair.decided
    assert ratios(grid({"a": "1", "b": "unsupported"})) == []
    assert ratios(grid({"a": "1"})) == ratios(grid({})) == []
    [pair] = ratios(grid({"a": "1 1", "b": "2 2"}))
    assert (pair.first, pair.second, pair.ratio.value) == ("b", "a", pytest.approx(2))
    with pytest.raises(UsageError, match="'c' was not asked solve: expected one of a, b"):
        ratio(grid({"a": "1", "b": "1"}), "a", "c")


# ---- curves --------------------------------------------------------------------------------


def test_cactus_by_hand() -> None:
    """Times sorted, the k-th with k solved; the share is of the counted units."""
    found = cactus(grid({"a": "3 1 timeout 2", "b": "1 unsupported crashed -"}))
    a, b = found
    assert (a.series, a.times, a.solved, a.n) == ("a", (1, 2, 3), (1, 2, 3), 4)
    assert a.share == (0.25, 0.5, 0.75)
    assert (b.times, b.n, b.share, b.limit) == ((1,), 2, (0.5,), 10)


def test_cactus_over_common_units() -> None:
    """Only the units that count for all."""
    found = cactus(grid({"a": "3 1 2", "b": "4 unsupported 5"}), common=True)
    assert [(c.series, c.times, c.n) for c in found] == [("a", (2, 3), 2), ("b", (4, 5), 2)]
    assert cactus(grid({})) == []
    assert cactus(grid({"a": "timeout"}))[0].times == ()


def test_scatter_marks_what_is_censored() -> None:
    """A timeout lies on the limit, memory on ten times that; no pair, no point."""
    found = scatter(grid({"a": "1 2 memout 4", "b": "0 timeout 3 missing"}), "a", "b")
    assert [(p.x, p.y) for p in found.points] == [(1, FLOOR), (2, 10), (100, 3)]
    assert found.points[1].y_end is End.TIMEOUT
    assert (found.line, found.beyond, found.apart) == (10, 100, 1)


def test_scatter_without_a_limit() -> None:
    """The line is the next power of ten above all times."""
    found = scatter(grid({"a": "30 crashed", "b": "2 1"}, seconds=None), "a", "b")
    assert (found.line, found.beyond) == (100, 1000)
    assert scatter(grid({"a": "-", "b": "-"} | {"a": "1", "b": "missing"}), "a", "b").points == ()


# ---- growth --------------------------------------------------------------------------------


def _sized(times: dict[int, list[float | str]], solver: str = "a", **more: Any) -> Units:
    """Puzzles of sizes n x n, of the group "net nxn"."""
    rows = [
        row(solver, f"{n}-{i}", how, group=f"net {n}x{n}", **more)
        for n, hows in times.items()
        for i, how in enumerate(hows)
    ]
    return units(table(*rows, sizes={f"{n}-{i}": n * n for n in times for i in range(9)}), SOLVE)


def test_growth_by_hand() -> None:
    """Times proportional to vertices ** 1.5: 0.008, 0.064 and 0.512 s at 4 * 4, 8 * 8, 16 * 16
    vertices; exactly so, the interval is a point and R squared 1.
    """
    [fit] = scaling(_sized({4: [0.008] * 2, 8: [0.064] * 2, 16: [0.512] * 2}))
    assert (fit.series, fit.kind, fit.sizes) == ("a", "net", ("4x4", "8x8", "16x16"))
    assert fit.exponent.value == pytest.approx(1.5)
    assert (fit.exponent.low, fit.exponent.high) == (pytest.approx(1.5), pytest.approx(1.5))
    assert fit.factor == pytest.approx(0.008 / 16**1.5)
    assert fit.squared == pytest.approx(1)
    assert (fit.exponent.n, fit.exponent.clusters, fit.least, fit.most) == (6, 6, 16, 256)
    assert (fit.censored, fit.refused) == ({}, "")


def test_growth_leaves_out_censored_sizes() -> None:
    """A size with one timeout is named and in no fit; with under three left there is none."""
    times: dict[int, list[float | str]] = {4: [1.0, 1.0], 6: [2.0, 3.0], 8: [4.0, 4.0]}
    [fit] = scaling(_sized(times | {9: [5.0, "timeout"]}))
    assert fit.sizes == ("4x4", "6x6", "8x8")
    assert fit.censored == {"9x9": (1, 2)}
    [none] = scaling(_sized(times | {8: [4.0, "memout"]}))
    assert (none.exponent.value, none.factor) == (None, None)
    assert none.refused == "2 of 3 sizes solved throughout, 3 needed"


def test_growth_needs_three_sizes() -> None:
    """Two sizes make no fit, nor do groups that are not of one size."""
    assert scaling(_sized({4: [1.0], 8: [2.0]})) == []
    assert scaling(grid({"a": "1 2 3"}, group="library")) == []
    assert scaling(grid({})) == []


def test_growth_of_equal_and_zero_times() -> None:
    """Equal times: exponent 0 and no R squared; zeros are floored and counted."""
    [fit] = scaling(_sized({4: [0.0], 8: [0.0], 16: [0.0]}))
    assert (fit.exponent.value, fit.squared, fit.floored) == (0, None, 3)


def test_kinds_of_groups() -> None:
    """The size is the last word, wrapped boards are a kind of their own."""
    assert kind_and_size("net 20x20") == ("net", "20x20")
    assert kind_and_size("net 8x8w") == ("net w", "8x8")
    assert kind_and_size("elbow cross 7x15") == ("elbow cross", "7x15")
    assert kind_and_size("library") is None


def test_disqualified_runs_enter_no_comparison() -> None:
    """A fast lie is in no ratio, no curve and no fit."""
    made = table(row("liar", "p", 0.1), row("a", "p", 1.0), judgements={"p": judged("liar")})
    found = units(made, SOLVE)
    assert ratio(found, "liar", "a").ratio.n == 0
    assert [len(c.times) for c in cactus(found)] == [1, 0]
