"""The engine ``milp``: exact, silent, stops when told, and never guesses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from highspy import HighsModelStatus
from hypothesis import given, settings
from plumbench.puzzles.board import BOARD_RULES, Board
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.formats import load
from plumbench.puzzles.generators.hard import mut
from plumbench.puzzles.model import Counts, Puzzle, Rules
from plumbench.puzzles.topology import Square
from plumbench.solvers.contract import Limits, Reason, Status
from plumbench.solvers.milp_search import MilpSearch
from plumbench.solvers.registry import get
from plumbench.solvers.run import count, solutions, solve
from strategies import any_piece, boards, letters, multigraphs

EVEN_MASKS = tuple(m for m in range(16) if m.bit_count() in (0, 2))


def keys(puzzle: Puzzle, solver: str) -> set[bytes]:
    """All solutions."""
    return {solution.tobytes() for solution in solutions(puzzle, solver)}


def odd_parity(side: int) -> Puzzle:
    """A torus of cells with evenly many openings, but for one: unsatisfiable, and a relaxation
    sees nothing of it.
    """
    cells = side * side
    odd, even = Counts(frozenset({1, 3})), Counts(frozenset({0, 2, 4}))
    plain = any_piece(Square(side, side, True), tuple(range(16)), Rules())
    edges = [
        (int(u), int(p - plain.first_port[u]), int(v), int(q - plain.first_port[v]))
        for (p, q), (u, v) in zip(plain.edge_ports, plain.edge_vertices, strict=True)
    ]
    return Puzzle.build([(4, odd if cell == 0 else even) for cell in range(cells)], edges)


# ---- exact -----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(multigraphs())
def test_solution_sets_of_multigraphs(puzzle: Puzzle) -> None:
    """It finds exactly the solutions of brute force, under any rules."""
    assert keys(puzzle, "milp") == keys(puzzle, "brute")


@settings(max_examples=20)
@given(boards())
def test_solution_sets_of_boards(board: Board) -> None:
    """So it does on boards, under all three rules."""
    for rules in BOARD_RULES:
        puzzle = board.with_rules(rules).puzzle
        assert keys(puzzle, "milp") == keys(puzzle, "brute")


def test_forests_without_connectivity() -> None:
    """Acyclic without connect, where no number of edges helps: cycles are cut."""
    puzzle = any_piece(Square(3, 2), tuple(range(16)), Rules(acyclic=True))
    assert keys(puzzle, "milp") == keys(puzzle, "brute")


def test_nothing_used_is_a_solution() -> None:
    """Where no vertex must be used the empty solution counts, unless two are needed."""
    free = any_piece(Square(2, 2), EVEN_MASKS, Rules(connect="used"))
    assert count(free, "milp").value == 2
    assert count(free.with_rules(Rules(connect="used", needed=(0,))), "milp").value == 2
    assert count(free.with_rules(Rules(connect="used", needed=(0, 3))), "milp").value == 1
    assert count(free.with_rules(Rules(connect="used", acyclic=True)), "milp").value == 1


def test_mutilated_boards_are_refuted_without_search() -> None:
    """A colour count is a linear combination of rows: no node, where search needs very many."""
    answer = solve(mut(8).board.puzzle, "milp", Limits(seconds=60))
    assert answer.status == Status.UNSATISFIABLE
    assert int(answer.stats["nodes"]) <= 1


def test_a_torus_of_elbows_is_joined_by_cuts() -> None:
    """Many rings at first, one component after some rounds."""
    board = Board(Square(16, 16, True), np.full(256, 3), rules="connected")
    answer = solve(board.puzzle, "milp")
    assert answer.status == Status.SATISFIABLE
    assert int(answer.stats["cuts"]) > 0


def test_boards_of_public_generators(shared: Callable[..., Path]) -> None:
    """Net boards up to 20x20: a tree, and the only one where that is promised."""
    for side in (5, 11, 20):
        for kind in ("", "w", "a", "wb0.2"):
            board = load(shared("instances", "net", f"{side}x{side}{kind}.txt"))[0]
            found = count(board.puzzle, "milp", limit=2)
            assert found.value == 1 if "a" not in kind else found.value in (1, 2)


def test_boxes_take_two_searches_for_each_solution() -> None:
    """All solutions without cuts: each is found by one search and its box closed by another,
    and the model has no more rows at the end than at the start.
    """
    puzzle = any_piece(Square(3, 2), tuple(range(16)), Rules())
    found, first = count(puzzle, "milp"), solve(puzzle, "milp")
    assert found.value == count(puzzle, "brute").value == 128
    assert found.stats["rounds"] == 2 * found.value
    assert found.stats["rows"] == first.stats["rows"]


# ---- stopping --------------------------------------------------------------------------------


def test_a_time_limit_gives_no_verdict() -> None:
    """A limit of time ends in unknown with that reason, when solving and when counting."""
    answer = solve(odd_parity(9), "milp", Limits(seconds=0.2))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIME)
    found = count(any_piece(Square(6, 6), tuple(range(16)), Rules()), "milp", Limits(seconds=0.3))
    assert (found.exact, found.reason) == (False, Reason.TIME)


def test_a_node_limit_counts_nodes() -> None:
    """A limit of nodes ends in unknown with that reason, again when asked again."""
    search = get("milp").start(odd_parity(6), Limits(nodes=3), many=False)
    assert search.next() == Reason.NODES
    assert search.next() == Reason.NODES
    assert 3 <= int(search.stats["nodes"]) < 100
    search.close()


def test_a_parity_that_no_relaxation_sees_is_refuted_by_nodes() -> None:
    """Without a limit the same kind of puzzle ends in a proof, and the nodes are counted."""
    answer = solve(odd_parity(4), "milp")
    assert answer.status == Status.UNSATISFIABLE
    assert int(answer.stats["nodes"]) >= 1
    assert int(answer.stats["simplex_iterations"]) > 0


INTERRUPTED = """
import os, signal, sys, threading
sys.path.insert(0, sys.argv[1])
from strategies import letters
from test_milp import odd_parity
from plumbench.solvers.contract import Limits
from plumbench.solvers.registry import get

search = get("milp").start(odd_parity(9), Limits(), many=True)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    search.next()
except KeyboardInterrupt:
    print("interrupted")
search.close()
assert get("milp").start(letters("EE").puzzle, Limits(), many=True).next() is not None
print("went on")
"""


def test_ctrl_c_is_not_lost_and_nothing_is_printed() -> None:
    """SIGINT raises KeyboardInterrupt, and HiGHS writes no banner and no log."""
    here = Path(__file__).resolve().parent
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(here.parent)],
        capture_output=True, text=True, timeout=60, env={"PYTHONPATH": str(here)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n") == ["interrupted", "went on", ""]


def test_close_twice() -> None:
    """A closed search gives nothing more, proves nothing and may be closed again."""
    search = get("milp").start(letters("EE").puzzle, Limits(), many=True)
    search.close()
    search.close()
    assert search.next() is Reason.INTERRUPTED


# ---- what HiGHS says is judged ---------------------------------------------------------------


class Liar:
    """HiGHS, but for what is given."""

    def __init__(self, highs: Any, **lies: Any) -> None:
        self._highs, self._lies = highs, lies

    def __getattr__(self, name: str) -> Any:
        if name in self._lies:
            return lambda: self._lies[name]
        return getattr(self._highs, name)


def lied_to(**lies: Any) -> MilpSearch:
    """A search on a board with a solution, whose HiGHS tells lies."""
    search = get("milp").start(letters("LIL", "TIT", "LIL").puzzle, Limits(), many=False)
    assert isinstance(search, MilpSearch)
    assert search.highs is not None
    live: Any = search.highs
    live._highs = Liar(live._highs, **lies)
    return search


@pytest.mark.parametrize(
    "status",
    [
        HighsModelStatus.kUnknown,
        HighsModelStatus.kUnboundedOrInfeasible,
        HighsModelStatus.kSolveError,
        HighsModelStatus.kNotset,
    ],
)
def test_other_statuses_are_no_verdict(status: HighsModelStatus) -> None:
    """Only infeasible is a proof; what is neither that nor a limit is raised."""
    with pytest.raises(RuntimeError, match="HiGHS ended with"):
        lied_to(getModelStatus=status).next()


def test_a_point_that_breaks_a_row_is_no_solution() -> None:
    """Values are rounded and judged by the model's own rows in whole numbers."""

    class Zero:
        col_value = np.zeros(12)

    with pytest.raises(RuntimeError, match="breaks a row"):
        lied_to(getSolution=Zero()).next()


# ---- options and statistics ------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["milp:fast", "milp+root", "milp:seed", "milp:seed1:seed2", "milp:seed2147483648"]
)
def test_unknown_options_are_refused(name: str) -> None:
    """There is one, a seed that HiGHS takes."""
    with pytest.raises(UsageError, match="milp"):
        get(name)


def test_the_same_run_twice() -> None:
    """Without a limit of time a run repeats itself, counters and all."""
    board = Board(Square(8, 8, True), np.full(64, 3), rules="connected")
    one, two = (solve(board.puzzle, "milp") for _ in range(2))
    assert one.stats == two.stats
    assert np.array_equal(np.asarray(one.solution), np.asarray(two.solution))


def test_counters_are_explained() -> None:
    """Every statistic has its sentence and the version is told."""
    engine = get("milp")
    answer = solve(letters("EE").puzzle, engine)
    assert set(answer.stats) == set(engine.capabilities.counters)
    assert set(engine.versions()) == {"highspy"}
