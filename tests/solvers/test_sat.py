"""The engine sat: right counts by every back end, limits, Ctrl-C, options."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import given, settings
from plumbench.encodings.cnf import encode
from plumbench.puzzles.board import Board
from plumbench.puzzles.errors import MissingBackend, UsageError
from plumbench.puzzles.model import Counts, Puzzle
from plumbench.solvers.contract import Deadline, Limits, Reason, Status
from plumbench.solvers.pysat_backend import BACK_ENDS, SatSolver
from plumbench.solvers.registry import get
from plumbench.solvers.run import count, solutions, solve
from plumbench.solvers.sat import Sat
from strategies import (
    TINY_HEXAGONAL,
    boards,
    letters,
    multigraphs,
    net,
    tiny_hexagonal,
)

pytest.importorskip("pysat")

N01 = net("7x11:4212952dbeda2c5147a96836b7941abbd591eee1913c1edd9a839d8a49da76242c29d295a5bd1")
AMBIGUOUS = net("3x3:1313f3131")
ELBOWS = letters("LLLL", "LLLL", "LLLL", "LLLL", wrap=True)
HERE = Path(__file__).resolve().parent


def pigeons(holes: int) -> Puzzle:
    """One pigeon too many: small, unsatisfiable, and out of reach of resolution."""
    one, most_one = Counts(frozenset({1})), Counts(frozenset({0, 1}))
    return Puzzle.build(
        [(holes, one)] * (holes + 1) + [(holes + 1, most_one)] * holes,
        [(p, h, holes + 1 + h, p) for p in range(holes + 1) for h in range(holes)],
    )


@contextlib.contextmanager
def child(program: str) -> Iterator[subprocess.Popen[str]]:
    """A Python process with the tests' folders on its path, killed at the end or in two minutes."""
    head = f"import sys; sys.path[:0] = {[str(HERE), str(HERE.parent)]!r}\n"
    with subprocess.Popen(
        [sys.executable, "-c", head + program],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        watch = threading.Timer(120, process.kill)
        watch.start()
        try:
            yield process
        finally:
            watch.cancel()
            process.kill()


# ---- right answers ---------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "number"), [("match", 4), ("connected", 1), ("tree", 1)])
def test_uniqueness_is_judged_with_connectivity(rules: str, number: int) -> None:
    """Case N01: four match solutions, three of them fall apart."""
    found = count(N01.with_rules(rules).puzzle, "sat")
    assert (found.value, found.exact) == (number, True)


def test_degenerate_boards(shared: Callable[..., Path]) -> None:
    """One wide, all blank, two-wide tori, walls: the counts of the three rules."""
    checked = 0
    for line in shared("instances", "edge", "expected_counts.txt").read_text().splitlines():
        match = re.match(r"(\S+) leakfree (\d+) connected (\d+) tree (\d+)", line)
        if match is None:
            continue
        board = net(match[1])
        found = [count(board.with_rules(r).puzzle, "sat") for r in ("match", "connected", "tree")]
        assert [f.value for f in found] == [int(n) for n in match.groups()[1:]], line
        checked += 1
    assert checked > 15


@pytest.mark.parametrize("kind", TINY_HEXAGONAL)
def test_hexagonal_boards(kind: str) -> None:
    """Six-port masks, on a skewed torus too: the counts of match, connected, tree."""
    rules = ("match", "connected", "tree")
    found = tuple(count(tiny_hexagonal(kind, r).puzzle, "sat").value for r in rules)
    assert found == TINY_HEXAGONAL[kind][-1]


@settings(max_examples=120)
@given(board=boards())
def test_boards_as_by_brute_force(board: Board) -> None:
    """With pre-cuts and without, sat counts what brute force counts."""
    right = count(board.puzzle, "brute").value
    assert count(board.puzzle, "sat").value == right
    assert count(board.puzzle, "sat:no-precuts").value == right


@settings(max_examples=120)
@given(puzzle=multigraphs())
def test_multigraphs_as_by_brute_force(puzzle: Puzzle) -> None:
    """Loops, parallel edges, stubs, counts, needed vertices: the solutions are the same."""
    right = {s.tobytes() for s in solutions(puzzle, "brute")}
    assert {s.tobytes() for s in solutions(puzzle, "sat")} == right
    assert count(puzzle, "sat:no-precuts").value == len(right)


@pytest.mark.fuzz
@settings(max_examples=4000)
@given(puzzle=multigraphs(max_vertices=6, max_edges=10))
def test_many_multigraphs_as_by_brute_force(puzzle: Puzzle) -> None:
    """As above, more and larger."""
    right = {s.tobytes() for s in solutions(puzzle, "brute")}
    assert {s.tobytes() for s in solutions(puzzle, "sat")} == right


def test_every_back_end_counts_right() -> None:
    """In one child process, so that one that aborts is seen: an ambiguous board, a torus that
    needs cuts, a puzzle without clauses, each solved and counted; kissat404 on N01.
    """
    program = """
from test_sat import *
for name in BACK_ENDS:
    solver = f"sat:{name}"
    try:
        get(solver)
    except MissingBackend:
        print(name, "missing")
        continue
    free = Puzzle.build([(1, Counts(frozenset({0, 1})))], free=[(0, 0)])
    numbers = [count(p, solver).value for p in (AMBIGUOUS.puzzle, ELBOWS.puzzle, free)]
    print(name, *numbers, count(N01.puzzle, solver, limit=2).value, flush=True)
"""
    with child(program) as process:
        lines, _ = process.communicate(timeout=120)
    right = count(ELBOWS.puzzle, "brute").value
    found = dict(line.split(" ", 1) for line in lines.splitlines())
    assert list(found) == list(BACK_ENDS), lines
    assert set(found.values()) <= {f"2 {right} 2 1", "missing"}
    assert [n for n, text in found.items() if text == "missing"] in ([], ["cryptosat"])


def test_counting_does_not_use_the_engine_up() -> None:
    """Case P01: counting twice and solving after that give the same by one engine object."""
    engine = get("sat")
    assert count(AMBIGUOUS.puzzle, engine).value == 2
    assert count(AMBIGUOUS.puzzle, engine).value == 2
    assert solve(AMBIGUOUS.puzzle, engine).status is Status.SATISFIABLE
    again = AMBIGUOUS.with_rules("match").puzzle
    assert count(again, engine, limit=2).exact is False


@pytest.mark.parametrize("file", ["net/20x20", "net/20x20wb0.2", "tree/dfs_20x20w", "net/40x40w"])
def test_boards_of_public_generators(shared: Callable[..., Path], file: str) -> None:
    """The first two of each file have a tree solution; those of ``net`` just one."""
    lines = shared("instances", *f"{file}.txt".split("/")).read_text().splitlines()
    for line in lines[:2]:
        found = count(net(line.split()[0]).puzzle, "sat", limit=2)
        assert found.value == 1 if file.startswith("net") else found.value in (1, 2)


# ---- limits and interruption -----------------------------------------------------------------


@pytest.mark.parametrize("solver", ["sat", "sat:cadical195", "sat:mergesat3"])
def test_a_time_limit_stops_and_the_search_goes_on_after_it(solver: str) -> None:
    """A hard puzzle is unknown for want of time; the search says so again when asked again."""
    begin = time.monotonic()
    answer = solve(pigeons(13), solver, Limits(seconds=0.3))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIME)
    assert time.monotonic() - begin < 30
    search = get(solver).start(pigeons(13), Limits(seconds=0.05), many=False)
    assert [search.next(), search.next()] == [Reason.TIME, Reason.TIME]
    search.close()


@pytest.mark.parametrize("solver", ["sat", "sat:cadical195"])
def test_a_node_limit_counts_conflicts(solver: str) -> None:
    """It stops a hard puzzle at once and leaves an easy one alone."""
    answer = solve(pigeons(13), solver, Limits(nodes=50))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.NODES)
    assert 50 <= int(answer.stats["conflicts"]) < 5000
    assert solve(N01.puzzle, solver, Limits(nodes=50)).status is Status.SATISFIABLE


def test_a_back_end_without_a_budget_refuses_a_node_limit() -> None:
    """Better than a limit that is not kept."""
    with pytest.raises(UsageError, match="node limit"):
        solve(N01.puzzle, "sat:kissat404", Limits(nodes=5))


@pytest.mark.parametrize("solver", ["sat", "sat:cadical195"])
def test_control_c_is_heard_every_time(solver: str) -> None:
    """SIGINT during a long call raises KeyboardInterrupt, and does so again in the next one."""
    program = f"""
from test_sat import *
for _ in range(3):
    print("ready", flush=True)
    try:
        solve(pigeons(14), {solver!r})
    except KeyboardInterrupt:
        print("heard", signal.pthread_sigmask(signal.SIG_BLOCK, ()), flush=True)
"""
    with child(program) as process:
        assert process.stdout is not None
        for _ in range(3):
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "heard set()\n"
        process.communicate(timeout=60)


@pytest.mark.parametrize("solver", ["sat:lingeling", "sat:kissat404"])
def test_no_back_end_runs_where_control_c_would_jump_out_of_it(solver: str) -> None:
    """Python keeps its own handler of SIGINT during a call; the jump of python-sat, which can
    hang the process, is never set up. A call without a budget is heard out.
    """
    program = f"""
from test_sat import *
threading.Timer(0.05, signal.raise_signal, [signal.SIGINT]).start()
try:
    for _ in range(100_000):
        solve(ELBOWS.puzzle, {solver!r})
except KeyboardInterrupt:
    print("heard", signal.pthread_sigmask(signal.SIG_BLOCK, ()), flush=True)
"""
    with child(program) as process:
        lines, _ = process.communicate(timeout=60)
    assert lines == "heard set()\n"


def test_a_search_closed_claims_nothing() -> None:
    """Closing twice is safe; after that a search gives a reason, never a verdict."""
    search = get("sat").start(AMBIGUOUS.puzzle, Limits(), many=True)
    search.close()
    search.close()
    assert search.next() is Reason.INTERRUPTED


@pytest.mark.fuzz
def test_memory_is_given_back() -> None:
    """Case P09: 2000 boards in one process, less than 50 MB more."""
    for _ in range(100):
        count(AMBIGUOUS.puzzle, "sat")
    before = psutil.Process().memory_info().rss
    for _ in range(2000):
        count(AMBIGUOUS.puzzle, "sat")
    assert psutil.Process().memory_info().rss - before < 50_000_000


# ---- options and capabilities ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sat:glucose5", "expected an option of no-precuts, cadical103"),
        ("sat:glucose4:minisat22", "at most one back end"),
        ("sat:no-precuts:no-precuts", "no repeats"),
        ("sat+root", "borrows from no other engine"),
    ],
)
def test_options_that_are_not_accepted(name: str, message: str) -> None:
    """A UsageError that says what was given and what is accepted."""
    with pytest.raises(UsageError, match=message) as caught:
        get(name)
    assert name in str(caught.value)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Case P14: without python-sat the error names the extra to install."""
    monkeypatch.setitem(sys.modules, "pysat", None)
    with pytest.raises(MissingBackend, match=re.escape("plumbench[sat]")):
        get("sat")


def test_capabilities_are_those_of_the_back_end() -> None:
    """Interruption and counters differ by variant; the plain table is left alone."""
    assert get("sat").capabilities == Sat.capabilities
    kissat = get("sat:kissat404").capabilities
    assert not kissat.interrupt
    assert set(kissat.counters) == {"variables", "clauses", "rounds", "cuts", "cores"}
    assert not kissat.objective
    assert Sat.capabilities.interrupt
    assert "propagations" not in get("sat:maplesat").capabilities.counters


@pytest.mark.parametrize("name", ["sat", "sat:maplesat", "sat:kissat404", "sat:cadical153"])
def test_every_counter_is_explained_and_reported(name: str) -> None:
    """What a run reports is what the capabilities explain."""
    engine = get(name)
    assert set(solve(ELBOWS.puzzle, engine).stats) == set(engine.capabilities.counters)


def test_rounds_and_cuts_are_counted() -> None:
    """A torus of elbows starts in pieces: more than one round, and cuts."""
    stats = solve(ELBOWS.puzzle, "sat:minisat22").stats
    assert int(stats["rounds"]) > 1
    assert int(stats["cuts"]) > 0


def test_an_interrupted_call_can_be_resumed() -> None:
    """After a node limit the same solver goes on to the right verdict."""
    for name in ("glucose4", "cadical195"):
        solver = SatSolver(name, encode(pigeons(7)).clauses)
        assert solver.solve(Deadline(Limits()), 1) is Reason.NODES
        assert solver.solve(Deadline(Limits())) is False
        solver.close()
