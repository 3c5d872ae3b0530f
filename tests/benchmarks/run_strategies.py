"""Hypothesis strategies for runs as a store keeps them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from plumbench.benchmarks.campaign.records import JobKey, Row
from plumbench.benchmarks.processes.jobs import TASKS, Outcome, Result, Where
from plumbench.solvers.contract import Reason, Status


def _whole(least: int = 0, most: int = 2**63 - 1) -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(least, most)


_SPANS = st.floats(0, allow_infinity=False, allow_nan=False)
_HOSTILE = st.text() | st.sampled_from(
    ["=1+2", '"', '""', ",", "\r\n", "\r", "\n", " x ", "nan", "None", "\ufeff", "\x00", 'a,b\n"c"']
)


@st.composite
def results(draw: st.DrawFn) -> Result:
    """What a run may come back with, sensible or not, of values that a store can hold."""
    shapes = st.integers(0, 20).flatmap(lambda n: st.lists(st.booleans(), min_size=n, max_size=n))
    names = st.sampled_from(["start", "import", "encode", "solve", "verify", "total", "overshoot"])
    big = st.none() | st.integers() | st.just(10**6000)
    processors = st.none() | st.lists(st.integers(0, 500), max_size=4).map(tuple)
    where = st.builds(
        Where, st.text(min_size=1), cores=processors, load=st.none() | st.floats(0, 1e6)
    )
    return Result(
        draw(st.sampled_from(Outcome)),
        draw(st.sampled_from(Status)),
        draw(st.none() | st.sampled_from(Reason)),
        solutions=tuple(np.array(s, np.bool_) for s in draw(st.lists(shapes, max_size=3))),
        cost=draw(big),
        bound=draw(big),
        count=draw(big),
        exact=draw(st.none() | st.booleans()),
        stats=draw(
            st.dictionaries(_HOSTILE, st.integers() | st.floats(allow_nan=False) | _HOSTILE)
        ),
        times=draw(st.dictionaries(names, _SPANS)),
        cpu=draw(st.none() | _SPANS),
        peak_rss=draw(_whole()),
        message=draw(_HOSTILE),
        versions=draw(st.dictionaries(_HOSTILE, _HOSTILE)),
        where=draw(st.none() | where),
        workers=draw(st.integers(1, 500)),
    )


@st.composite
def stored_rows(draw: st.DrawFn) -> Row:
    """A run with everything a store keeps of it."""
    result = draw(results())
    limits = st.none() | st.floats(0, 1e9, exclude_min=True)
    key = JobKey(
        draw(st.text("0123456789abcdef", min_size=1)),
        draw(st.text(min_size=1)),
        draw(st.sampled_from(TASKS)),
        draw(_whole(1)),
        draw(limits),
        draw(_whole(1)),
        draw(limits),
        draw(_whole(1)),
        draw(_whole(-(2**63))),
        draw(st.integers(0, 100)),
        tuple(sorted(result.versions.items())),
    )
    name, family, rules, group = (draw(_HOSTILE) for _ in range(4))
    ended = draw(st.datetimes()).isoformat()
    return Row(key, name, family, rules, group, result, ended)
