"""The engine ``cpsat``: both variants are exact, stop when told, and never guess."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from engines import optimises
from hypothesis import given, settings
from ortools.sat.python import cp_model
from plumbench.puzzles.board import BOARD_RULES, Board
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.formats import load
from plumbench.puzzles.model import Puzzle, Rules, Table
from plumbench.puzzles.topology import Hexagonal, Square
from plumbench.solvers.contract import Limits, Reason, Status
from plumbench.solvers.cpsat import BATCH, CpSatSearch
from plumbench.solvers.cpsat_run import Calls, Parameters
from plumbench.solvers.registry import get
from plumbench.solvers.run import count, solutions, solve
from strategies import (
    any_piece,
    boards,
    golden_puzzles,
    letters,
    multigraphs,
    small_multigraph,
    turned,
)

VARIANTS = ("cpsat", "cpsat:lazy")
both = pytest.mark.parametrize("variant", VARIANTS)

EVEN_MASKS = tuple(m for m in range(16) if m.bit_count() in (0, 2))
TWO = tuple(m for m in EVEN_MASKS if m)


def elbow_torus(side: int) -> Puzzle:
    """A torus of elbows that must hang together: hard from side 16 on for the flow."""
    return Board(Square(side, side, True), np.full(side * side, 3), rules="connected").puzzle


def keys(puzzle: Puzzle, variant: str) -> set[bytes]:
    """All solutions."""
    return {solution.tobytes() for solution in solutions(puzzle, variant)}


# ---- exact -----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(multigraphs(all_rules=True))
def test_solution_sets_of_multigraphs(puzzle: Puzzle) -> None:
    """Both variants find exactly the solutions of brute force, under any rules."""
    expected = keys(puzzle, "brute")
    for variant in VARIANTS:
        assert keys(puzzle, variant) == expected


@settings(max_examples=60)
@given(boards())
def test_solution_sets_of_boards(board: Board) -> None:
    """So they do on boards, under all three rules."""
    for rules in BOARD_RULES:
        puzzle = board.with_rules(rules).puzzle
        expected = keys(puzzle, "brute")
        for variant in VARIANTS:
            assert keys(puzzle, variant) == expected


@pytest.mark.fuzz
@settings(max_examples=3000)
@given(multigraphs(all_rules=True, max_vertices=7, max_edges=11))
def test_many_multigraphs(puzzle: Puzzle) -> None:
    """The same on thousands of larger multigraphs."""
    test_solution_sets_of_multigraphs.hypothesis.inner_test(puzzle)  # type: ignore[attr-defined]


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.fuzz)])
def test_golden_puzzles_by_lazy_cuts(step: int, shared: Callable[..., Path]) -> None:
    """Golden puzzles (each fifth, or all) have their counts and both optima, under all rules;
    for the plain variant that is conformance.
    """
    solver = get("cpsat:lazy")
    golden = list(golden_puzzles(shared("golden", "model_puzzles.jsonl")))
    for puzzle, facts in golden[::step]:
        found = count(puzzle, solver)
        assert (found.value, found.exact) == (facts["count"], True)
        optimises(solver, puzzle, facts["least_cost"])
        optimises(solver, turned(puzzle, True), facts["greatest_cost"])


@both
def test_water_on_many_dry_rings(variant: str) -> None:
    """Sealed: what is dry may leak or be rings, and no ring's wet copy counts or costs a search.

    A pipe of two ends is wet; beside it seven pairs of vertices each are joined once, twice or
    not at all, and whatever leaks in them is far from the source.
    """
    pairs = 7
    pair = Table(2, (0, 3))
    vertices = [(1, Table(1, (1,)))] * 2 + [(2, pair)] * (2 * pairs)
    edges = [(0, 0, 1, 0)]
    for v in range(2, 2 + 2 * pairs, 2):
        edges += [(v, 0, v + 1, 0), (v, 1, v + 1, 1)]
    puzzle = Puzzle.build(vertices, edges, rules=Rules("sealed", "reach", sources=(0,), sinks=(1,)))
    found = count(puzzle, variant, limit=300)
    assert (found.value, found.exact) == (300, False)
    small = Puzzle.build(
        vertices[:10], edges[:9], rules=Rules("sealed", "reach", sources=(0,), sinks=(1,))
    )
    found = count(small, variant)
    assert (found.value, found.exact) == (4**4, True)


@both
def test_a_sink_that_most_models_leave_dry(variant: str) -> None:
    """A few solutions of very many come soon, though millions of models do not reach the sink."""
    rules = Rules("allowed", "reach", sources=(0,), sinks=(35,))
    puzzle = any_piece(Square(6, 6), tuple(range(16)), rules)
    found = count(puzzle, variant, limit=20)
    assert (found.value, found.exact) == (20, False)
    assert int(found.stats["branches"]) < 500_000


@both
def test_reach_without_a_source_or_a_way(variant: str) -> None:
    """No source reaches no sink; a sink that is a source needs no way, whatever stands there."""
    blank = Puzzle.build([(1, Table(1, (0,)))] * 2, [(0, 0, 1, 0)])
    for sources, sinks, number in (
        ((), (), 1),
        ((), (0,), 0),
        ((0,), (0,), 1),
        ((0,), (1,), 0),
        ((0, 1), (0, 1), 1),
        ((1, 1), (1, 1), 1),
    ):
        rules = Rules(connect="reach", sources=sources, sinks=sinks)
        assert count(blank.with_rules(rules), variant).value == number


@both
def test_thousands_of_solutions(variant: str) -> None:
    """Rounds that grow lose and repeat nothing: OEIS O03, O08 (cycles, connected subgraphs)."""
    rings = any_piece(Square(5, 4), EVEN_MASKS, Rules(connect="used"))
    assert count(rings, variant).value == 1049 + 1
    subgraphs = any_piece(Square(3, 3), tuple(range(1, 16)), Rules(connect="used"))
    assert count(subgraphs, variant).value == 431


def test_thousands_of_matches() -> None:
    """Any mask on 3x3 cells: two to the number of edges."""
    found = count(any_piece(Square(3, 3), tuple(range(16)), Rules()), "cpsat")
    assert (found.value, found.exact) == (4096, True)


@both
def test_forests_without_connectivity(variant: str) -> None:
    """Acyclic without connect, where no number of edges helps: cycles are cut."""
    puzzle = any_piece(Square(3, 2), tuple(range(16)), Rules(acyclic=True))
    assert keys(puzzle, variant) == keys(puzzle, "brute")


@both
def test_nothing_used_is_a_solution(variant: str) -> None:
    """Where no vertex must be used the empty solution counts, unless two are needed."""
    free = any_piece(Square(2, 2), EVEN_MASKS, Rules(connect="used"))
    assert count(free, variant).value == 2
    assert count(free.with_rules(Rules(connect="used", needed=(0,))), variant).value == 2
    assert count(free.with_rules(Rules(connect="used", needed=(0, 3))), variant).value == 1
    tree = Rules(connect="used", acyclic=True)
    assert count(free.with_rules(tree), variant).value == 1


@both
def test_a_model_without_variables_has_one_solution(variant: str) -> None:
    """Case C11: nothing to decide is one solution, and a lone piece that leaks is none."""
    for puzzle in (letters("..", "..").puzzle, letters(".").puzzle, Puzzle.build([])):
        found = count(puzzle, variant)
        assert (found.value, found.exact) == (1, True)
        assert solve(puzzle, variant).status == Status.SATISFIABLE
    assert solve(letters("E").puzzle, variant).status == Status.UNSATISFIABLE


@both
def test_other_topologies(variant: str) -> None:
    """Six-port cells and the small multigraph, under the three rules."""
    pieces = np.array([0b000011, 1, 1, 0b001001])
    hexagons = [Board(Hexagonal(2, 2, wrap), pieces) for wrap in (False, True)]
    puzzles = [board.with_rules(rules).puzzle for board in hexagons for rules in BOARD_RULES]
    puzzles += [small_multigraph(rules) for rules in BOARD_RULES.values()]
    for puzzle in puzzles:
        assert keys(puzzle, variant) == keys(puzzle, "brute")


def test_enumeration_is_projected() -> None:
    """Case C02: x, y, z in 0..2 and p implies 2x + 3y + 5z = 12 have 29 solutions."""
    model = cp_model.CpModel()
    x, y, z = (model.new_int_var(0, 2, "") for _ in range(3))
    p = model.new_bool_var("")
    model.add(2 * x + 3 * y + 5 * z == 12).only_enforce_if(p)
    found: set[tuple[int, ...]] = set()

    def take(values: tuple[int, ...]) -> bool:
        found.add(values)
        return True

    assert Calls(Parameters(), Limits(), {}).enumerate(model, [x, y, z, p], take) is True
    assert len(found) == 29
    assert sum(values[3] for values in found) == 2


@both
def test_boards_of_public_generators(variant: str, shared: Callable[..., Path]) -> None:
    """Net boards up to 20x20: a tree, and the only one where that is promised."""
    for side in (5, 11, 20):
        for kind in ("", "w", "a", "wb0.2"):
            board = load(shared("instances", "net", f"{side}x{side}{kind}.txt"))[0]
            found = count(board.puzzle, variant, limit=2)
            assert found.value == 1 if "a" not in kind else found.value in (1, 2)


# ---- stopping --------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [*VARIANTS, "cpsat:workers2"])
def test_a_limit_on_the_number_stops_hard(variant: str) -> None:
    """Case C12: two of very many solutions cost two calls, and are not called exact."""
    puzzle = letters(*["TTTT"] * 4, rules="match", wrap=True).puzzle
    found = count(puzzle, variant, limit=2)
    assert (found.value, found.exact, found.reason) == (2, False, None)
    assert found.stats["rounds"] == 2


def test_enumeration_stops_in_its_round() -> None:
    """No more than one round's solutions are collected before the first is given."""
    puzzle = any_piece(Square(4, 4), tuple(range(16)), Rules())
    search = get("cpsat").start(puzzle, Limits(), many=True)
    assert isinstance(search, CpSatSearch)
    given = {np.asarray(search.next()).tobytes() for _ in range(3)}
    assert len(given) == 3
    assert len(search.seen) <= 2 + BATCH


def test_a_time_limit_gives_no_verdict() -> None:
    """A limit of time ends in unknown with that reason, when solving and when counting."""
    answer = solve(elbow_torus(26), "cpsat", Limits(seconds=0.3))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIME)
    found = count(any_piece(Square(6, 6), tuple(range(16)), Rules()), "cpsat", Limits(seconds=0.5))
    assert (found.exact, found.reason) == (False, Reason.TIME)


def test_a_node_limit_counts_conflicts() -> None:
    """A limit of nodes ends in unknown with that reason, again when asked again."""
    search = get("cpsat").start(elbow_torus(14), Limits(nodes=5), many=False)
    assert search.next() == Reason.NODES
    assert search.next() == Reason.NODES


INTERRUPTED = """
import os, signal, sys, threading
import numpy as np
from plumbench.puzzles.board import Board
from plumbench.puzzles.topology import Hexagonal, Square
from plumbench.solvers.contract import Limits
from plumbench.solvers.registry import get

def torus(side):
    return Board(Square(side, side, True), np.full(side * side, 3), rules="connected").puzzle

search = get("cpsat").start(torus(4), Limits(), many=True)
assert search.next() is not None
search = get("cpsat").start(torus(26), Limits(), many=True)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    search.next()
except KeyboardInterrupt:
    print("interrupted")
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("again")
assert get("cpsat").start(torus(4), Limits(), many=True).next() is not None
print("went on")
"""


def test_ctrl_c_is_not_lost() -> None:
    """SIGINT raises KeyboardInterrupt at once and CP-SAT leaves Python's handler in place.

    In a process of its own: a handler that is lost would end the tests.
    """
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n") == ["interrupted", "again", "went on", ""]


def test_an_error_in_a_callback_is_raised() -> None:
    """What goes wrong while solutions are collected comes out, not through CP-SAT."""
    model = cp_model.CpModel()
    flag = model.new_bool_var("")

    def take(values: tuple[int, ...]) -> bool:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Calls(Parameters(), Limits(), {}).enumerate(model, [flag], take)


def test_an_invalid_model_is_no_verdict() -> None:
    """MODEL_INVALID is a fault of ours and raised as one."""
    model = cp_model.CpModel()
    huge = model.new_int_var(0, 2**62, "")
    model.add(huge * 4 == huge + 1)
    with pytest.raises(RuntimeError, match="refuses the model"):
        Calls(Parameters(), Limits(), {}).solve(model, [huge])


def test_close_twice() -> None:
    """A closed search gives nothing more, proves nothing and may be closed again."""
    search = get("cpsat").start(letters("EE").puzzle, Limits(), many=True)
    search.close()
    search.close()
    assert search.next() is Reason.INTERRUPTED


# ---- variants --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "cpsat:fast",
        "cpsat:lin3",
        "cpsat:lin",
        "cpsat:workers0",
        "cpsat:workers",
        "cpsat:seed",
        "cpsat:seed1:seed2",
        "cpsat:seed2147483648",
        "cpsat:flow:lazy",
        "cpsat:lin1:lin2",
        "cpsat+root",
    ],
)
def test_unknown_options_are_refused(name: str) -> None:
    """Options that do not exist, or exclude each other, are usage errors."""
    with pytest.raises(UsageError, match="cpsat"):
        get(name)


@pytest.mark.parametrize("name", ["cpsat:flow:lin2", "cpsat:lazy:lin0:workers2", "cpsat:lin1"])
def test_options_do_not_change_the_answer(name: str) -> None:
    """Variants differ in effort alone; their name and workers are recorded."""
    puzzle = letters("LLLL", "LTTL", "LTTL", "LLLL").puzzle
    assert keys(puzzle, name) == keys(puzzle, "brute")
    found = count(puzzle, name)
    assert found.stats["workers"] == (2 if "workers2" in name else 1)


def test_the_same_run_twice() -> None:
    """Case C07: with one worker and no limit of time a run repeats itself, counters and all."""
    puzzle = elbow_torus(8)
    one, two = (solve(puzzle, "cpsat") for _ in range(2))
    assert one.stats == two.stats
    assert np.array_equal(np.asarray(one.solution), np.asarray(two.solution))


def test_counters_are_explained() -> None:
    """Every statistic has its sentence and the version is told."""
    engine = get("cpsat")
    answer = solve(letters("EE").puzzle, engine)
    assert set(answer.stats) == set(engine.capabilities.counters)
    assert set(engine.versions()) == {"ortools"}
