"""The engine propagation behind the contract: exact counts, limits, interrupts, statistics."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.generators import generate
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Table
from plumbench.puzzles.topology import Square
from plumbench.solvers import propagation
from plumbench.solvers.contract import Limits, Reason, Status
from plumbench.solvers.propagation.variants import SWITCHES
from plumbench.solvers.registry import get
from plumbench.solvers.run import count, solutions, solve
from strategies import any_piece, golden_puzzles, letters, net

VARIANTS = [f"propagation:no-{s.name}" for s in SWITCHES]


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_golden_puzzles(number: int, shared: Callable[..., Path]) -> None:
    """Each variant has the counts of a share of the golden puzzles."""
    name, share = VARIANTS[number], 8
    counted = 0
    for at, (puzzle, facts) in enumerate(golden_puzzles(shared("golden", "model_puzzles.jsonl"))):
        if at % share == number % share:
            assert count(puzzle, name).value == facts["count"], facts
            counted += 1
    assert counted == 100


@pytest.mark.parametrize("rules", ["match", "connected", "tree"])
def test_degenerate_boards(rules: str, shared: Callable[..., Path]) -> None:
    """Boards of one row, blanks, walls and two-wide tori have the expected counts."""
    word = {"match": "leakfree"}.get(rules, rules)
    checked = 0
    for line in shared("instances", "edge", "expected_counts.txt").read_text().splitlines():
        words = line.split()
        if word in words:
            expected = int(words[words.index(word) + 1])
            assert count(net(words[0], rules).puzzle, "propagation").value == expected, line
            checked += 1
    assert checked >= 16


@pytest.mark.parametrize(
    ("masks", "width", "height", "wrap", "rules", "expected"),
    [
        (range(1, 16), 2, 2, True, Rules(connect="used", acyclic=True), 32),
        (range(1, 16), 2, 3, True, Rules(connect="used", acyclic=True), 294),
        ([0, 3, 5, 6, 9, 10, 12], 4, 4, False, Rules(connect="used"), 213 + 1),
        ([3, 5, 6, 9, 10, 12], 6, 4, False, Rules(), 222),
        ([0, 3, 5, 6, 9, 10, 12, 15], 4, 4, False, Rules(), 512),
        ([0, 3, 5, 6, 9, 10, 12, 15], 3, 3, True, Rules(), 1024),
        (range(1, 16), 3, 3, False, Rules(connect="used"), 431),
    ],
)
def test_known_numbers(
    masks: range, width: int, height: int, wrap: bool, rules: Rules, expected: int
) -> None:
    """Spanning trees, cycles, 2-factors and even subgraphs of grids: the published counts."""
    puzzle = any_piece(Square(width, height, wrap), tuple(masks), rules)
    assert count(puzzle, "propagation").value == expected


def test_count_stops_at_the_limit() -> None:
    """A limit of 2 gives exactly 2, not exact, and few decisions."""
    puzzle = any_piece(Square(12, 12), tuple(range(16)), Rules())
    found = count(puzzle, "propagation", limit=2)
    assert (found.value, found.exact) == (2, False)
    assert found.stats["solutions"] == 2


def test_counts_of_a_large_degree() -> None:
    """Counts over 300 ports: pairs of leaves are enumerated, and all open at once if forced."""
    leaves = 300
    vertices = [(leaves, Counts(frozenset({2, 999}))), *[(1, Table(1, (0, 1)))] * leaves]
    edges = [(0, i, i + 1, 0) for i in range(leaves)]
    puzzle = Puzzle.build(vertices, edges, rules=Rules(connect="used", acyclic=True))
    found = count(puzzle, "propagation", limit=100)
    assert (found.value, found.exact) == (100, False)
    forced = [(leaves, Counts(frozenset({leaves}))), *[(1, Table(1, (0, 1)))] * leaves]
    answer = solve(Puzzle.build(forced, edges), "propagation")
    assert answer.stats["nodes"] == 0
    assert answer.solution is not None
    assert answer.solution.all()


def test_empty_puzzles() -> None:
    """No vertices, only blanks, or an EVEN vertex without ports: one solution each."""
    assert count(Puzzle.build([]), "propagation").value == 1
    blank = Puzzle.build([(2, Table(2, (0,)))] * 3, rules=Rules(connect="used", acyclic=True))
    assert count(blank, "propagation").value == 1
    assert count(Puzzle.build([(0, EVEN)]), "propagation").value == 1


def test_a_closed_stub_contradicts_at_once() -> None:
    """A vertex that must open a closed stub refutes the puzzle without a decision."""
    answer = solve(Puzzle.build([(1, Table(1, (1,)))]), "propagation")
    assert answer.status is Status.UNSATISFIABLE
    assert answer.stats["nodes"] == 0


@pytest.mark.parametrize("name", ["propagation:no-thing", "propagation:seal", "propagation+root"])
def test_unknown_options_are_refused(name: str) -> None:
    """An option that does not exist raises UsageError naming it."""
    with pytest.raises(UsageError, match=r"thing|seal|root"):
        get(name)


def test_node_limit_pauses_and_goes_on() -> None:
    """The limit on decisions stops the search; it counts decisions, and says so each time."""
    puzzle = any_piece(Square(5, 5), tuple(range(16)), Rules())
    search = get("propagation").start(puzzle, Limits(nodes=3), many=True)
    assert search.next() is Reason.NODES
    assert search.next() is Reason.NODES
    assert search.stats["nodes"] == 3


def test_time_limit_holds_during_root_propagation() -> None:
    """A limit far below the time of the root's propagation stops there."""
    board = generate("net", width=120, height=120, seed=1)
    answer = solve(board.puzzle, "propagation", Limits(seconds=1e-6))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIME)
    assert answer.stats["nodes"] == 0


def test_every_counter_is_explained() -> None:
    """The statistics are exactly those that the capabilities explain."""
    answer = solve(letters("LIL", "TIT", "LIL").puzzle, "propagation")
    assert set(answer.stats) == set(get("propagation").capabilities.counters)


def test_solutions_do_not_depend_on_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pausing after every single step changes neither solutions nor their order nor counts."""
    puzzle = any_piece(Square(3, 2, True), tuple(range(1, 16)), Rules(connect="used"))
    plain = [s.tobytes() for s in solutions(puzzle, "propagation")]
    monkeypatch.setattr(propagation.engine, "SLICE", 1)
    assert [s.tobytes() for s in solutions(puzzle, "propagation")] == plain


def test_two_searches_do_not_disturb_each_other() -> None:
    """Searches of one engine share no state: taken in turns they give the same solutions."""
    engine = get("propagation")
    puzzle = any_piece(Square(3, 3), tuple(range(1, 16)), Rules(connect="used"))
    one, other = (engine.start(puzzle, Limits(), many=True) for _ in range(2))
    for _ in range(100):
        first, second = one.next(), other.next()
        assert isinstance(first, np.ndarray)
        assert isinstance(second, np.ndarray)
        assert first.tobytes() == second.tobytes()


def test_interrupted_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C raises when a slice of work is done; no solution is lost or comes twice."""
    draw = random.Random(5)
    whole = propagation.engine.run

    def struck(*arguments: Any) -> int:
        before = draw.random() < 0.1
        if before:
            os.kill(os.getpid(), signal.SIGINT)
        event = whole(*arguments)
        if not before and draw.random() < 0.1:
            os.kill(os.getpid(), signal.SIGINT)
        return event

    monkeypatch.setattr(propagation.engine, "run", struck)
    monkeypatch.setattr(propagation.engine, "SLICE", 50)
    puzzle = any_piece(Square(3, 3), tuple(range(1, 16)), Rules(connect="used"))
    search = get("propagation").start(puzzle, Limits(), many=True)
    found, interrupts = [], 0
    while True:
        try:
            item = search.next()
        except KeyboardInterrupt:
            interrupts += 1
            continue
        if item is None:
            break
        assert isinstance(item, np.ndarray)
        found.append(item.tobytes())
    assert interrupts > 20
    assert len(found) == len(set(found)) == 431
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_design_note_lists_every_switch() -> None:
    """docs/propagation.md has a row for each deduction that can be switched off, and no other."""
    page = Path(__file__).parents[2].joinpath("docs", "propagation.md").read_text()
    rows = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert rows == [switch.name for switch in SWITCHES]
