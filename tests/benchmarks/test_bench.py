"""A whole campaign with fake engines: report, exit codes, evidence, interruption, resuming."""

from __future__ import annotations

import io
import json
import math
import os
import re
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from harness import alive
from plumbench.benchmarks.campaign.bench import run_bench
from plumbench.benchmarks.campaign.store import Store
from plumbench.benchmarks.campaign.suites import SUITES, Suite, find_suite, load_suite, plan
from plumbench.benchmarks.processes.jobs import Outcome, Result
from plumbench.benchmarks.summary import geometric_ratio
from plumbench.benchmarks.tables import duration, table, text
from plumbench.puzzles.errors import InputError, UsageError
from plumbench.solvers.contract import Status
from plumbench.solvers.registry import ENGINES

RING, UNSOLVABLE = "LL\nLL", "LL\nLX"


@pytest.fixture
def boards(tmp_path: Path) -> str:
    """A file of a ring of four elbows (unique) and a board without a solution."""
    path = tmp_path / "boards.txt"
    path.write_text(f"{RING}\n\n{UNSOLVABLE}\n")
    return str(path)


def suite(file: str, *solvers: str, **more) -> Suite:
    """A suite of one file."""
    settings = {"seconds": 30.0, "counting": solvers, "count_vertices": 100, **more}
    return Suite("test", solvers, (file,), **settings)


def run(chosen: Suite, store: Path, **more) -> tuple[int, str]:
    """The exit code and what was printed."""
    out = io.StringIO()
    return run_bench(chosen, store, out=out, jobs=2, **more), out.getvalue()


def test_engines_that_agree(boards, tmp_path, fakes):
    """Exit 0; one row per run; the report names verdicts, engines, counters, the store."""
    store = tmp_path / "x.sqlite"
    code, said = run(suite(boards, "honest", "pidfile", "picky", "absent"), store)
    assert code == 0, said
    assert "Agreement: 2 of 2 puzzles; 1 satisfiable, 1 unsatisfiable" in said
    assert "unique" in said
    assert "assignments looked at" in said
    assert "pidfile / honest" in said
    assert "absent is not there" in said
    assert "Absolute times are of this machine" in said
    assert said.splitlines()[-1] == f"store: {store}"
    with Store(store) as opened:
        rows = list(opened.rows())
    assert len(rows) == 2 * 2 * 4
    ends = {(r.key.solver, r.result.outcome) for r in rows}
    assert ends == {
        ("honest", Outcome.ANSWERED),
        ("pidfile", Outcome.ANSWERED),
        ("picky", Outcome.UNSUPPORTED),
        ("absent", Outcome.MISSING),
    }
    versions = dict(next(r for r in rows if r.key.solver == "honest").key.versions)
    assert set(versions) == {"python", "plumbench", "fake"}
    assert len(fakes()) == 4


def test_a_lie_fails_the_campaign(boards, tmp_path, fakes):
    """Exit 4, the side named, both answers kept, the liar's time in no figure."""
    chosen = suite(boards, "liar_unsat", "honest", "liar_board", count_vertices=0)
    code, said = run(chosen, tmp_path / "x.sqlite")
    assert code == 4
    assert "DISAGREEMENT" in said
    assert "liar_unsat is wrong: says unsatisfiable, but 1 solution passed" in said
    assert "liar_board is wrong" in said
    kept = [json.loads(f.read_text()) for f in (tmp_path / "x.sqlite.disagreements").iterdir()]
    assert len(kept) == 2
    assert all(k["puzzle"] for k in kept)
    ring = next(k for k in kept if any("liar_unsat" in c for c in k["complaints"]))
    assert [r["solver"] for r in ring["runs"] if r["status"] == "satisfiable"] == ["honest, solve"]
    line = next(x for x in said.splitlines() if x.startswith("liar_unsat") and "solve" in x)
    assert line.split()[2:9] == ["2", "1", "0", "0", "0", "0", "1"]


def test_failures_are_listed_and_are_no_verdict(boards, tmp_path, fakes):
    """A crash, a time-out and an exception are counted apart; the campaign itself succeeds."""
    code, said = run(
        suite(boards, "honest", "silent", "hang", seconds=0.5, count_vertices=0),
        tmp_path / "x.sqlite",
    )
    assert code == 0
    assert "silent solve crashed" in said
    assert "timeout" in said
    with Store(tmp_path / "x.sqlite") as store:
        assert {r.result.outcome for r in store.rows() if r.key.solver == "hang"} == {
            Outcome.TIMEOUT
        }


def test_resume_runs_nothing_twice(boards, tmp_path, fakes):
    """A second call with resume keeps all rows; without it everything runs again."""
    store, chosen = tmp_path / "x.sqlite", suite(boards, "pidfile", count_vertices=0)
    assert run(chosen, store)[0] == 0
    assert len(fakes()) == 2
    code, said = run(chosen, store, resume=True)
    assert code == 0
    assert "2 kept from before" in said
    assert "Agreement: 2 of 2 puzzles" in said
    assert len(fakes()) == 2
    run(chosen, store)
    assert len(fakes()) == 4
    more = suite(boards, "pidfile", "honest", count_vertices=0)
    assert "2 kept from before" in run(more, store, resume=True)[1]
    assert len(fakes()) == 4


def test_a_lie_is_still_caught_after_resuming(boards, tmp_path, fakes):
    """Solutions are stored, so that evidence from before the interruption counts."""
    store = tmp_path / "x.sqlite"
    assert run(suite(boards, "honest", count_vertices=0), store)[0] == 0
    both = suite(boards, "honest", "liar_unsat", count_vertices=0)
    assert run(both, store, resume=True)[0] == 4


def test_a_spent_budget_is_said(boards, tmp_path, fakes):
    """What the budget left out is counted, never silently dropped."""
    code, said = run(suite(boards, "honest", budget=1e-9), tmp_path / "x.sqlite")
    assert code == 0
    assert "4 runs were not started" in said


def start(boards: str, store: Path, engine: str) -> subprocess.Popen[str]:
    """A campaign in a process of its own: four quick runs, then one engine that stays."""
    code = f"""
        import sys
        from plumbench.benchmarks.campaign.bench import run_bench
        from plumbench.benchmarks.campaign.suites import Suite
        chosen = Suite("test", ("honest", {engine!r}), ({boards!r},), seconds=300.0)
        sys.exit(run_bench(chosen, {str(store)!r}, resume=True, jobs=1))
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def stored(store: Path) -> int:
    """The number of rows another process has committed."""
    if not store.exists():
        return 0
    db = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=30)
    try:
        return db.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        db.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_campaigns_keep_their_rows(number, boards, tmp_path, fakes):
    """Ctrl-C gives 130 and a report, kill -9 nothing; both keep the rows and no child, and
    resuming runs only what is missing.
    """
    store = tmp_path / "x.sqlite"
    campaign = start(boards, store, "hang")
    end = time.monotonic() + 120
    while (stored(store) < 1 or not fakes()) and time.monotonic() < end:
        time.sleep(0.1)
    assert stored(store) == 1
    os.kill(campaign.pid, number)
    said = campaign.communicate(timeout=60)[0]
    if number == signal.SIGINT:
        assert campaign.returncode == 130
        assert "interrupted" in said
        assert said.splitlines()[-1] == f"store: {store}"
    else:
        assert campaign.returncode == -signal.SIGKILL
    assert not alive(fakes())
    code, said = run(suite(boards, "honest", seconds=300.0, count_vertices=0), store, resume=True)
    assert code == 0
    assert "1 kept from before" in said
    with Store(store) as opened:
        assert len(list(opened.rows())) == len(opened.finished()) == 2


def test_a_suite_is_a_name_a_file_or_a_folder(boards, tmp_path):
    """A path makes a suite of its puzzles; anything else is an error that names the choices."""
    assert find_suite("default") is SUITES["default"]
    for name in (boards, str(tmp_path)):
        assert len(load_suite(find_suite(name))) == 2
    (tmp_path / "folder.txt").mkdir()
    assert len(load_suite(find_suite(str(tmp_path)))) == 2
    for name in ("nonsense", ""):
        with pytest.raises(UsageError, match="default"):
            find_suite(name)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match=re.escape(f"{empty}: found no puzzles")):
        load_suite(find_suite(str(empty)))


def test_the_suites_ask_every_engine() -> None:
    """No engine of the registry is left out of a suite."""
    for chosen in SUITES.values():
        assert set(chosen.solvers) == set(ENGINES)


def test_an_engine_that_was_not_asked_spoils_no_median(boards, tmp_path) -> None:
    """Counts are compared over the engines that were asked to count, not over all."""
    chosen = suite(boards, "propagation", "brute", counting=("propagation",), count_vertices=99)
    _, out = run(chosen, tmp_path / "bench.sqlite")
    assert re.search(r"count: 2 puzzles answered by all of propagation$", out, re.MULTILINE)


def test_the_plan_asks_everything_once(boards):
    """One solution of each puzzle by each engine first, then counts of the small ones."""
    chosen = suite(boards, "a", "b", count_vertices=4)
    jobs = [job for _, job in plan(chosen, load_suite(chosen))]
    assert [(j.solver, j.task, j.limit) for j in jobs] == [
        *[("a", "solve", None), ("b", "solve", None)] * 2,
        *[("a", "count", 2), ("b", "count", 2)] * 2,
    ]
    assert {j.seconds for j in jobs} == {30.0}
    assert len(list(plan(suite(boards, "a", count_vertices=3), load_suite(chosen)))) == 2


def test_ratios_use_only_what_both_answered():
    """A geometric mean over common puzzles; times of zero do not break it."""

    def took(seconds: float) -> Result:
        return Result(Outcome.ANSWERED, Status.SATISFIABLE, times={"solve": seconds})

    first = {"p": took(1.0), "q": took(1.0), "only": took(9.0)}
    second = {"p": took(2.0), "q": took(8.0), "other": took(9.0)}
    mean, number = geometric_ratio(first, second)
    assert number == 2
    assert math.isclose(mean, 4.0)
    assert geometric_ratio({"p": took(0.0)}, {"p": took(0.0)}) == (1.0, 1)
    assert geometric_ratio({}, second)[1] == 0


def test_tables_never_show_nan():
    """What is not known is a dash; columns line up."""
    assert text(float("nan")) == text(None) == duration(None) == duration(math.inf) == "-"
    assert (duration(0.0012), duration(2.5), duration(4e-6)) == ("1.2 ms", "2.5 s", "4 µs")
    lines = table(["name", "n"], [["a", 1], ["long", 1000]]).splitlines()
    assert lines == ["name     n", "----------", "a        1", "long  1000"]
