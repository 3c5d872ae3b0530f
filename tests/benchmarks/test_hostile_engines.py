"""Engines that say what is not so, or what nobody can keep: one row each, the campaign goes on."""

from __future__ import annotations

import io
import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from harness import parallel
from plumbench.benchmarks.campaign.bench import run_bench
from plumbench.benchmarks.campaign.store import Store
from plumbench.benchmarks.campaign.suites import Puzzles, Suite
from plumbench.benchmarks.processes import child as children
from plumbench.benchmarks.processes import told
from plumbench.benchmarks.processes.frames import Garbled
from plumbench.benchmarks.processes.jobs import Job, Outcome, Result
from plumbench.benchmarks.processes.runner import run_one
from plumbench.benchmarks.processes.verdicts import Progress
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.model import Costs

ENDS = {
    "honest": "answered", "odd": "answered", "no_threads": "error", "sigint": "error",
    "claims_sigint": "error", "blames_caller": "error", "forged_record": "crashed",
}  # fmt: skip


def test_whatever_engines_say_is_kept(tmp_path, fakes):
    """One row for every engine, with the outcome that is its own, all of it readable."""
    board, path = tmp_path / "board.txt", tmp_path / "x.sqlite"
    board.write_text("LL\nLL\n")
    suite = Suite(engines=tuple(ENDS), instances=(Puzzles(file=str(board)),), warmup=False)
    assert run_bench(suite, path, report=False, out=io.StringIO(), jobs=2) == 0
    with Store(path, create=False) as store:
        rows = list(store.rows())
        [campaign] = store.campaigns()
    assert len(rows) == len(ENDS)
    of = {row.key.solver: row.result for row in rows}
    assert {name: str(result.outcome) for name, result in of.items()} == ENDS
    assert of["odd"].stats["huge"] == hex(10**6000)
    assert of["odd"].versions["fake"] == "1"
    assert of["odd"].versions["python"] == of["honest"].versions["python"]
    assert campaign.settings["counters"]["odd"] == {"tried": "3", "2": "None"}
    repr((of, campaign)).encode()
    assert "use me otherwise" in of["blames_caller"].message
    assert "nobody did" in of["sigint"].message


@pytest.mark.parametrize("given", [0, -3, 10**30, "two", 1.5, None])
def test_workers_are_a_number(given: Any):
    """Of threads; nothing else can be given cores."""
    with pytest.raises(ValueError, match="threads"):
        told.workers(given)


def test_an_odd_bound_is_an_error(fakes):
    """What is no whole number bounds nothing."""
    puzzle = replace(
        parallel(3), costs=Costs(((),), np.zeros(2, dtype=np.int64), np.ones(3, dtype=np.int64))
    )
    result = run_one(Job(puzzle, "odd_bound", "optimise"))
    assert result.outcome is Outcome.ERROR
    assert "bound of nan" in result.message


def test_a_clock_starts_once(fakes):
    """A run whose engine says that its time begins later ends at once."""
    result = run_one(Job(parallel(3), "forged_start", seconds=60.0))
    assert result.outcome is Outcome.CRASHED
    assert "a message that is none of ours" in result.message


def test_who_leaves_the_group_is_found(fakes):
    """A child that moved to another session and control group dies with its run (``fakes``
    looks).
    """
    result = run_one(Job(parallel(3), "deserter", memory=10**9))
    assert result.outcome is Outcome.ANSWERED
    assert len(fakes()) == 1


def test_processor_time_of_forgotten_children_counts(fakes):
    """The kernel adds it to nobody's, but it was seen."""
    result = run_one(Job(parallel(3), "unawaited", cpu=60.0))
    assert result.outcome is Outcome.ANSWERED
    assert result.cpu is not None
    assert result.cpu > 0.45


def test_blame_is_told_from_other_usage_errors(fakes):
    """Who asks for one run gets the engine's complaint as a usage error of its own kind."""
    with pytest.raises(children.Refused, match="use me otherwise") as caught:
        run_one(Job(parallel(3), "blames_caller"))
    assert isinstance(caught.value, UsageError)


def test_a_kernel_short_of_memory_needs_no_limit():
    """Of a run without a limit the kernel may kill a process too: out of memory."""
    result = Progress(Job(parallel(3), "honest")).out_of_memory(None)
    assert result.outcome is Outcome.MEMOUT
    assert "for want of memory" in result.message


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (True, 1), (np.int64(3), 3), (1.5, 1.5), (np.float32(0.5), 0.5), (None, "None"),
        ([1], "[1]"), ("\ud800", "\\ud800"), (math.inf, math.inf),
    ],
)  # fmt: skip
def test_counters_become_plain(given: Any, kept: Any):
    """Numbers stay numbers, of Python's own kinds; all else becomes words."""
    [value] = told.stats({"x": given}).values()
    assert value == kept
    assert type(value) in (int, float, str)


@pytest.mark.parametrize(
    "message",
    [
        ([], 1), ("ready", "soon"), ("started", time.monotonic(), 0.0, 0.0), ("found", "it", 1),
        ("found", None, "one"), ("done", Result(Outcome.ANSWERED)), ("done", "well", True), (1,),
        ("none of ours",),
    ],
)  # fmt: skip
def test_messages_of_another_shape_are_garbage(message: tuple[Any, ...]):
    """Neither their kind nor what they tell is taken on trust."""
    child = object.__new__(children.Child)
    child._run = Progress(Job(parallel(3), "honest"))
    with pytest.raises(Garbled):
        child._hear(message)
