"""Whatever a store may hold, the statistics give numbers or None, or refuse."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plumbench.benchmarks.campaign.records import BadRow, JobKey, Row
from plumbench.benchmarks.judging.agreement import judge
from plumbench.benchmarks.statistics import estimates
from plumbench.benchmarks.statistics.agreements import agreements
from plumbench.benchmarks.statistics.changes import changes
from plumbench.benchmarks.statistics.curves import cactus, scatter
from plumbench.benchmarks.statistics.frame import frame
from plumbench.benchmarks.statistics.mixtures import mixtures
from plumbench.benchmarks.statistics.portfolio import portfolio
from plumbench.benchmarks.statistics.ratios import ratios
from plumbench.benchmarks.statistics.scaling import scaling
from plumbench.benchmarks.statistics.scores import scores
from plumbench.benchmarks.statistics.seeds import noise, sensitivity
from plumbench.benchmarks.statistics.units import MixedLimits, questions, units
from plumbench.puzzles.values import every_digit
from run_strategies import results
from statistics_rows import info

SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
PUZZLES = ("p", "q", "r")


@st.composite
def campaigns(draw: st.DrawFn) -> list[Row]:
    """A few runs of a few engines on a few puzzles."""
    rows = []
    limits = st.sampled_from([None, 10.0]) if draw(st.booleans()) else st.just(10.0)
    for number in range(draw(st.integers(0, 12))):
        puzzle, size = draw(st.sampled_from(PUZZLES)), draw(st.sampled_from(["4x4", "8x8", "9x9"]))
        task, limit = draw(st.sampled_from([("solve", None), ("count", 2), ("optimise", None)]))
        key = JobKey(
            puzzle,
            draw(st.sampled_from(["a", "b", "c"])),
            task,  # type: ignore[arg-type]
            limit,
            draw(limits),
            None,
            None,
            None,
            draw(st.sampled_from([None, 1, 2])),
            draw(st.integers(0, 2)),
            (),
        )
        rows.append(Row(key, puzzle, "board", "tree", f"net {size}", draw(results()), id=number))
    return rows


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their number makes no difference here but to the time."""
    monkeypatch.setattr(estimates, "RESAMPLES", 20)


def _no_nan(value: Any) -> None:
    if isinstance(value, float | np.floating):
        assert math.isfinite(value)
    elif is_dataclass(value):
        for part in fields(value):
            _no_nan(getattr(value, part.name))
    elif isinstance(value, Mapping):
        for part in value.values():
            _no_nan(part)
    elif isinstance(value, list | tuple):
        for part in value:
            _no_nan(part)


def _everything(rows: list[Row]) -> None:
    runs = {p: [(r.key.solver, r.result) for r in rows if r.key.fingerprint == p] for p in PUZZLES}
    with every_digit():
        judgements = {puzzle: judge(None, here) for puzzle, here in runs.items()}
    infos = {puzzle: info(puzzle, 16 * (1 + n)) for n, puzzle in enumerate(PUZZLES)}
    bad: list[BadRow] = []
    made = frame(rows, judgements, infos, bad=bad)
    assert len(made) == len(rows)
    assert {b.id for b in bad} <= {row.id for row in rows}
    _no_nan([list(noise(made).values()), mixtures(made), changes(made, made), agreements(made)])
    for question in questions(made):
        try:
            found = units(made, question)
        except MixedLimits:
            continue
        made_of = [scores(found), portfolio(found), ratios(found), cactus(found), scaling(found)]
        _no_nan([*made_of, sensitivity(made, question)])
        for name in found.series:
            _no_nan(scatter(found, found.series[0], name))
        counted = [s for s in scores(found).scores if sum(s.ends.values()) != s.asked]
        assert not counted


@settings(deadline=None, max_examples=20, suppress_health_check=SLOW)
@given(campaigns())
def test_statistics_of_anything(rows: list[Row]) -> None:
    """No traceback, no NaN, no infinity, and every unit in exactly one column."""
    _everything(rows)


@pytest.mark.fuzz
@settings(deadline=None, max_examples=1000, suppress_health_check=SLOW)
@given(campaigns())
def test_statistics_of_anything_at_length(rows: list[Row]) -> None:
    """The same, many times."""
    _everything(rows)
