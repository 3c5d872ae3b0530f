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
from collections import Counter
from pathlib import Path

import pytest
from harness import alive
from plumbench.benchmarks.campaign.bench import run_bench
from plumbench.benchmarks.campaign.store import Store
from plumbench.benchmarks.campaign.suites import Limits, Puzzles, Question, Seconds, Suite
from plumbench.benchmarks.processes.jobs import Outcome
from plumbench.benchmarks.tables import duration, table, text
from plumbench.puzzles.errors import InputError

RING, UNSOLVABLE = "LL\nLL", "LL\nLX"
SOLVE, COUNT = Question(), Question(task="count", limit=2)


@pytest.fixture
def boards(tmp_path: Path) -> str:
    """A file of a ring of four elbows (unique) and a board without a solution."""
    path = tmp_path / "boards.txt"
    path.write_text(f"{RING}\n\n{UNSOLVABLE}\n")
    return str(path)


def suite(file: str, *solvers: str, seconds: float = 30.0, **more) -> Suite:
    """A suite of one file, that is solved; without a warm-up."""
    return Suite(
        name="test",
        engines=solvers,
        instances=(Puzzles(file=file),),
        **{"limits": Limits(wall=Seconds(seconds)), "warmup": False, **more},
    )


def run(chosen: Suite, store: Path, **more) -> tuple[int, str]:
    """The exit code and what was printed."""
    out = io.StringIO()
    return run_bench(chosen, store, out=out, **{"jobs": 2, "report": False, **more}), out.getvalue()


def test_engines_that_agree(boards, tmp_path, fakes):
    """Exit 0; one row per run; the report names verdicts, engines, the store; its page the
    counters.
    """
    store = tmp_path / "x.sqlite"
    chosen = suite(boards, "honest", "pidfile", "picky", "absent", questions=(SOLVE, COUNT))
    code, said = run(chosen, store, report=True)
    assert code == 0, said
    assert "Agreement: 2 of 2 puzzles; 1 satisfiable, 1 unsatisfiable" in said
    assert "unique" in said
    assert "assignments looked at" in (tmp_path / "x" / "report.md").read_text()
    assert "absent is not there" in said
    assert "Absolute times are of this machine" in said
    assert said.splitlines()[-2:] == [f"store: {store}", str(tmp_path / "x" / "index.html")]
    with Store(store) as opened:
        rows = list(opened.rows())
        [campaign] = opened.campaigns()
        puzzles = opened.instances()
    assert len(rows) == 2 * 2 * 4
    assert {row.key.fingerprint for row in rows} == set(puzzles)
    assert {row.group for row in rows} == {"boards"}
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
    assert campaign.settings["planned"] == 16
    assert campaign.settings["suite"]["instances"][0]["file"] == boards
    assert campaign.settings["counters"]["honest"] == {"tried": "assignments looked at"}


def test_what_a_campaign_costs_is_recorded(boards, tmp_path, fakes):
    """The time that slots had work is at least what the runs took, start-up included; the wall
    time of all slots is at least that.
    """
    run(suite(boards, "honest", "polite", seconds=0.2), tmp_path / "x.sqlite")
    with Store(tmp_path / "x.sqlite") as opened:
        [campaign] = opened.campaigns()
        took = [row.result.times for row in opened.rows()]
    cost = campaign.closing
    assert cost is not None
    whole = math.fsum(t["total"] + t.get("start", 0.0) for t in took)
    assert math.isclose(cost["run_seconds"], whole)
    assert cost["run_seconds"] <= cost["slot_seconds"] <= 2 * cost["wall"]


@pytest.mark.fuzz
def test_the_harness_adds_little(boards, tmp_path, fakes):
    """Less than 5 % to runs of half a second, beyond the start of their processes."""
    chosen = suite(boards, "nap", repeats=20)
    assert run(chosen, tmp_path / "x.sqlite")[0] == 0
    with Store(tmp_path / "x.sqlite") as opened:
        cost = opened.campaigns()[0].closing
    assert cost is not None
    own = cost["slot_seconds"] - cost["run_seconds"]
    assert 0 < own < 0.05 * (cost["run_seconds"] - cost["start_seconds"])


def test_a_warm_up_counts_for_nothing(boards, tmp_path, fakes):
    """One run of each engine before the first, which is said and leaves no row; none if there is
    nothing to run.
    """
    store, chosen = tmp_path / "x.sqlite", suite(boards, "pidfile", warmup=True)
    _, said = run(chosen, store)
    assert "one run of each engine to warm up" in said
    assert len(fakes()) == 3
    with Store(store) as opened:
        assert len(list(opened.rows())) == 2
    _, said = run(chosen, store, resume=True)
    assert "warm up" not in said
    assert len(fakes()) == 3


def test_repeats_and_seeds_are_rows_of_their_own(boards, tmp_path, fakes):
    """Every repeat and seed is stored under its own key; what an engine has said once that it
    cannot do costs no further process.
    """
    chosen = suite(boards, "pidfile", "picky", repeats=2, seeds=("given", 4))
    assert run(chosen, tmp_path / "x.sqlite")[0] == 0
    with Store(tmp_path / "x.sqlite") as opened:
        rows = list(opened.rows())
    assert Counter((r.key.solver, r.key.repeat, r.key.seed) for r in rows) == {
        (solver, repeat, seed): 2
        for solver in ("pidfile", "picky")
        for repeat in (0, 1)
        for seed in (None, 4)
    }
    assert len(fakes()) == 8
    cannot = [r for r in rows if r.key.solver == "picky"]
    assert {r.result.outcome for r in cannot} == {Outcome.UNSUPPORTED}
    assert len({r.result.message for r in cannot}) == 1
    assert not any(r.result.times for r in cannot if r.key.repeat)
    assert any(r.result.times for r in cannot)


def test_bad_puzzles_stop_a_campaign_unless_told(tmp_path, fakes):
    """Refused before anything runs; left out with --skip-bad, which the store and report say."""
    file, store = tmp_path / "some.txt", tmp_path / "x.sqlite"
    file.write_text(f"{RING}\n\nL?\nLL\n")
    chosen = suite(str(file), "pidfile")
    with pytest.raises(InputError, match=r"some\.txt, line 4"):
        run(chosen, store)
    assert not fakes()
    code, said = run(chosen, store, skip_bad=True, report=True)
    assert code == 0
    assert re.search(r"left out: .*some.txt, line 4", " ".join(said.split()))
    with Store(store) as opened:
        [campaign] = opened.campaigns()
        assert len(list(opened.rows())) == 1
    assert "line 4" in campaign.settings["skipped"][0]


def test_a_lie_fails_the_campaign(boards, tmp_path, fakes):
    """Exit 4, the side named, both answers kept, the liar's time in no figure."""
    chosen = suite(boards, "liar_unsat", "honest", "liar_board")
    code, said = run(chosen, tmp_path / "x.sqlite", report=True)
    assert code == 4
    assert "DISAGREEMENT" in said
    assert "liar_unsat is wrong: says unsatisfiable, but 1 solution passed" in said
    assert "liar_board is wrong" in said
    kept = [json.loads(f.read_text()) for f in (tmp_path / "x.sqlite.disagreements").iterdir()]
    assert len(kept) == 2
    assert all(k["puzzle"] for k in kept)
    ring = next(k for k in kept if any("liar_unsat" in c for c in k["complaints"]))
    assert [r["solver"] for r in ring["runs"] if r["status"] == "satisfiable"] == ["honest, solve"]
    assert all("and about nothing smaller" in k["smallest"]["note"] for k in kept)
    times = said.partition("Time to one solution\n")[2].splitlines()
    line = next(x for x in times if x.startswith("boards:1 "))
    assert times[0].split()[-3:] == ["liar_unsat", "honest", "liar_board"]
    assert re.search(r"WRONG +[\d.]+ [mµ]?s +WRONG$", line), line


def test_failures_are_listed_and_are_no_verdict(boards, tmp_path, fakes):
    """A crash, a time-out and an exception are counted apart; the campaign itself succeeds."""
    code, said = run(
        suite(boards, "honest", "silent", "hang", seconds=0.5),
        tmp_path / "x.sqlite",
        report=True,
    )
    assert code == 0
    assert re.search(r"boards:1 +silent +solve +- +crashed", said)
    assert "timeout" in said
    with Store(tmp_path / "x.sqlite") as store:
        assert {r.result.outcome for r in store.rows() if r.key.solver == "hang"} == {
            Outcome.TIMEOUT
        }


def test_resume_runs_nothing_twice(boards, tmp_path, fakes):
    """A second call with resume keeps all rows; without it everything runs again."""
    store, chosen = tmp_path / "x.sqlite", suite(boards, "pidfile")
    assert run(chosen, store)[0] == 0
    assert len(fakes()) == 2
    code, said = run(chosen, store, resume=True)
    assert code == 0
    assert "2 kept from before" in said
    assert len(fakes()) == 2
    run(chosen, store)
    assert len(fakes()) == 4
    more = suite(boards, "pidfile", "honest")
    assert "2 kept from before" in run(more, store, resume=True)[1]
    assert len(fakes()) == 4


def test_a_lie_is_still_caught_after_resuming(boards, tmp_path, fakes):
    """Solutions are stored, so that evidence from before the interruption counts."""
    store = tmp_path / "x.sqlite"
    assert run(suite(boards, "honest"), store)[0] == 0
    both = suite(boards, "honest", "liar_unsat")
    assert run(both, store, resume=True)[0] == 4


def test_a_spent_budget_is_said(boards, tmp_path, fakes):
    """What the budget left out is counted, never silently dropped."""
    code, said = run(
        suite(boards, "honest", questions=(SOLVE, COUNT), budget=Seconds(1e-9)),
        tmp_path / "x.sqlite",
    )
    assert code == 0
    assert "4 runs were not started" in said


def start(boards: str, store: Path, engine: str) -> subprocess.Popen[str]:
    """A campaign in a process of its own: a quick run, then one that stays."""
    code = f"""
        import sys
        from plumbench.benchmarks.campaign.bench import run_bench
        from plumbench.benchmarks.campaign.suites import Limits, Puzzles, Seconds, Suite
        chosen = Suite(
            name="test", engines=("honest", {engine!r}), instances=(Puzzles(file={boards!r}),),
            limits=Limits(wall=Seconds(300)), warmup=False,
        )
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
        assert campaign.poll() is None
        time.sleep(0.1)
    assert stored(store) == 1
    os.kill(campaign.pid, number)
    said = campaign.communicate(timeout=60)[0]
    if number == signal.SIGINT:
        assert campaign.returncode == 130
        assert "interrupted" in said
        assert said.splitlines()[-2:] == [f"store: {store}", str(tmp_path / "x" / "index.html")]
    else:
        assert campaign.returncode == -signal.SIGKILL
    assert not alive(fakes())
    code, said = run(suite(boards, "honest", seconds=300.0), store, resume=True)
    assert code == 0
    assert "1 kept from before" in said
    with Store(store) as opened:
        assert len(list(opened.rows())) == len(opened.finished()) == 2


def test_tables_never_show_nan():
    """What is not known is a dash; columns line up."""
    assert text(float("nan")) == text(None) == duration(None) == duration(math.inf) == "-"
    assert (duration(0.0012), duration(2.5), duration(4e-6)) == ("1.2 ms", "2.5 s", "4 µs")
    lines = table(["name", "n"], [["a", 1], ["long", 1000]]).splitlines()
    assert lines == ["name     n", "----------", "a        1", "long  1000"]
