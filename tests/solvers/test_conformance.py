"""One suite for all engines: what the contract promises, and answers that are known.

An engine is held to every job that it does not refuse by ``Unsupported``; the general ones may
refuse nothing here. Engines named in PLUMBENCH_EXTRA_ENGINES take part.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from math import prod
from pathlib import Path

import numpy as np
import pytest
from engines import GENERAL, engine, every_engine, holds, refuses, three
from plumbench.puzzles.board import BOARD_RULES
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import Unsupported, UsageError
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Table, masks_of
from plumbench.solvers.contract import Limits, Reason, Status, Variant
from plumbench.solvers.registry import ENGINES, get, missing
from plumbench.solvers.run import Run, count, solutions, solve
from plumbench.solvers.template import Template
from strategies import (
    TINY_HEXAGONAL,
    assignments,
    domain_masks,
    letters,
    net,
    small_multigraph,
    tiny_hexagonal,
)

MANY = letters("TTTT", "TTTT", "TTTT", rules="match", wrap=True).puzzle
"""A torus of tees with far more than a handful of solutions."""

HEXAGONAL = {
    kind: [tiny_hexagonal(kind, rules).puzzle for rules in BOARD_RULES] for kind in TINY_HEXAGONAL
}
MULTIGRAPHS = [
    small_multigraph(rules)
    for rules in (*BOARD_RULES.values(), Rules(connect="used", needed=(4, 3)))
]
# Sums with gaps that share edges: CP-SAT's presolve called this infeasible.
MULTIGRAPHS.append(
    Puzzle.build(
        [(3, EVEN), (5, Counts(frozenset({0, 5})))],
        [(0, 0, 1, 0), (0, 1, 1, 1), (0, 2, 1, 2), (1, 3, 1, 4)],
    )
)


@cache
def by_checker(puzzle: Puzzle) -> int:
    """The number of solutions by the checker alone; remembered for the same puzzle object."""
    return sum(check(puzzle, solution).ok for solution in assignments(puzzle))


def test_every_registered_engine_is_here() -> None:
    """The suite runs where all back ends are installed: a missing engine is a failure."""
    assert missing() == {}
    assert set(GENERAL) < set(ENGINES)


# ---- known answers ---------------------------------------------------------------------------

# Net game ID: solutions under match, connected, tree
BOARDS = {
    "1x1:0": (1, 1, 1),
    "2x2:0000": (1, 1, 1),
    "1x1:1": (0, 0, 0),
    "1x1w:1": (0, 0, 0),
    "1x1w:3": (0, 0, 0),
    "1x1w:5": (2, 2, 0),
    "1x1w:7": (0, 0, 0),
    "1x1w:f": (1, 1, 0),
    "2x1w:11": (2, 2, 2),
    "2x1w:55": (2, 1, 0),
    "1x2w:11": (2, 2, 2),
    "1x2:11": (1, 1, 1),
    "5x1:1a5a1": (1, 1, 1),
    "5x1:15551": (1, 1, 1),
    "5x1:11111": (0, 0, 0),
    "2x2:3333": (1, 1, 0),
    "4x2:33333333": (1, 0, 0),
    "3x3:000000000": (1, 1, 1),
    "3x3:000000011": (1, 1, 1),
    "3x3:010000001": (0, 0, 0),
    "2x2:ffff": (0, 0, 0),
    "3x3w:fffffffff": (1, 1, 0),
    "3x1w:151": (2, 1, 1),
    "2x3w:111133": (8, 0, 0),
    "5x5:1111111111111111111111111": (0, 0, 0),
    "3x3:1719f3171": (0, 0, 0),
    "2x2:1v2hv4h8": (0, 0, 0),
    "2:1111": (2, 0, 0),
    "3x3:353757353": (1, 1, 0),  # the two-tee board of article 000
    "3x3:1313f3131": (2, 2, 2),  # case N09
}


@every_engine
@pytest.mark.parametrize("text", BOARDS)
def test_counts_of_small_boards(name: str, text: str) -> None:
    """Degenerate boards have their known numbers of solutions under all three rules."""
    board = net(text)
    for (_, puzzle), number in zip(three(board), BOARDS[text], strict=True):
        holds(engine(name), puzzle, number)


def test_the_known_counts_of_small_boards_hold_by_the_checker() -> None:
    """The table above is right: the checker counts the same over all assignments."""
    tested = 0
    for text, numbers in BOARDS.items():
        board = net(text)
        if prod(len(domain_masks(board.puzzle, v)) for v in range(board.cells)) <= 5000:
            assert tuple(by_checker(p) for _, p in three(board)) == numbers, text
            tested += 1
    assert tested >= 24


def test_the_known_counts_are_those_of_the_data(shared: Callable[..., Path]) -> None:
    """Every counted line of the degenerate boards stands in the table above."""
    counted = 0
    for line in shared("instances", "edge", "expected_counts.txt").read_text().splitlines():
        text, _, rest = line.partition(" ")
        if rest.startswith("leakfree"):
            words = rest.split()
            assert BOARDS[text] == (int(words[1]), int(words[3]), int(words[5]))
            counted += 1
    assert counted == 16


@every_engine
def test_the_empty_puzzle_has_one_solution(name: str) -> None:
    """No vertices at all: one empty solution under every rule; so has a lone blank vertex."""
    for rules in BOARD_RULES.values():
        holds(engine(name), Puzzle.build([], rules=rules), 1)
        holds(engine(name), Puzzle.build([(0, Table(0, (0,)))], rules=rules), 1)


@every_engine
@pytest.mark.parametrize("kind", HEXAGONAL)
def test_tiny_hexagonal_boards(name: str, kind: str) -> None:
    """Six-port masks are handled as well as four-port ones."""
    for puzzle, number in zip(HEXAGONAL[kind], TINY_HEXAGONAL[kind][-1], strict=True):
        holds(engine(name), puzzle, number)


@every_engine
def test_small_multigraph(name: str) -> None:
    """Loops, parallel edges, EVEN and Counts vertices, stubs, needed vertices."""
    for puzzle in MULTIGRAPHS:
        holds(engine(name), puzzle, by_checker(puzzle))


@every_engine
def test_golden_boards_of_article_000(name: str, shared: Callable[..., Path]) -> None:
    """The match solutions are exactly those listed, the connected ones as many as counted."""
    solver = engine(name)
    facts = json.loads(shared("golden", "000_boards.json").read_text())
    listed = [board for group in facts.values() if isinstance(group, list) for board in group]
    listed.append(json.loads(shared("golden", "000_two_tee.json").read_text())["board"])
    assert len(listed) > 200
    for entry in listed:
        board = letters(*entry["rows"], rules="match")
        if not refuses(solver, board.puzzle):
            found = {tuple(masks_of(board.puzzle, s)) for s in solutions(board.puzzle, solver)}
            assert len(found) == entry["solutions_leakfree"]
            if "masks_leakfree" in entry:
                assert found == {tuple(masks) for masks in entry["masks_leakfree"]}
        holds(solver, board.with_rules("connected").puzzle, entry["solutions_connected"])


# ---- the contract ----------------------------------------------------------------------------


@every_engine
def test_limit_stops_the_count(name: str) -> None:
    """At the limit the count stops and says "at least"; above the true number it is exact."""
    solver = engine(name)
    if refuses(solver, MANY):
        return
    for limit in (1, 2, 7):
        found = count(MANY, solver, limit=limit)
        assert (found.value, found.exact, found.reason) == (limit, False, None)
        assert len(list(solutions(MANY, solver, limit=limit))) == limit
    two = net("3x3:1313f3131").puzzle
    assert (count(two, solver, limit=3).value, count(two, solver, limit=3).exact) == (2, True)
    assert not count(two, solver, limit=2).exact


@every_engine
def test_solutions_are_distinct_right_and_of_the_right_shape(name: str) -> None:
    """Each solution is a new boolean array (ports,) that the checker accepts."""
    solver = engine(name)
    if refuses(solver, MANY):
        return
    found = list(solutions(MANY, solver, limit=50))
    assert len({s.tobytes() for s in found}) == 50
    for solution in found:
        assert solution.dtype == np.bool_
        assert check(MANY, solution).ok


@every_engine
def test_jobs_beyond_an_engine_are_refused_at_once(name: str) -> None:
    """Sealed, allowed and reach are either solved rightly or refused by Unsupported."""
    solver = engine(name)
    any2 = Table(2, (0, 1, 2, 3))
    for rules in (
        Rules("allowed"),
        Rules("allowed", "used", acyclic=True),
        Rules("forbidden", "reach", sources=(0,), sinks=(2,)),
        Rules("allowed", "reach", sources=(0,), sinks=(2,)),
        Rules("sealed", "reach", sources=(0,), sinks=(1,)),
    ):
        puzzle = Puzzle.build([(2, any2)] * 3, [(0, 1, 1, 0), (1, 1, 2, 0)], rules=rules)
        if solver.capabilities.missing(puzzle, many=True, objective=False) is None:
            assert count(puzzle, solver).value == by_checker(puzzle)
        else:
            with pytest.raises(Unsupported):
                solve(puzzle, solver)
    if not solver.capabilities.objective:
        with pytest.raises(Unsupported):
            solver.require(MANY, many=False, objective=True)
    if solver.capabilities.max_ports is not None:
        blank = (0, Table(0, (0,)))
        large = Puzzle.build([blank, (8, Table(8, (0,)))] * solver.capabilities.max_ports)
        with pytest.raises(Unsupported, match="ports"):
            solve(large, solver)


@every_engine
@pytest.mark.parametrize("limits", [Limits(seconds=1e-6), Limits(nodes=1)])
def test_a_limit_gives_its_reason_or_the_right_answer(name: str, limits: Limits) -> None:
    """A limit never turns into a proof; a stopped count is "at least"."""
    solver = engine(name)
    reason = Reason.TIME if limits.nodes is None else Reason.NODES
    for puzzle in (MANY, net("4x2:33333333", "tree").puzzle):
        if refuses(solver, puzzle):
            continue
        answer = solve(puzzle, solver, limits)
        if answer.status == Status.UNKNOWN:
            assert answer.reason == reason
        else:
            assert answer.status == solve(puzzle, solver).status
        found = count(puzzle, solver, limits, limit=100)
        if found.reason is not None:
            assert (found.reason, found.exact) == (reason, False)
        else:
            assert found.value == count(puzzle, solver, limit=100).value


@every_engine
def test_statistics_are_explained_numbers(name: str) -> None:
    """Every counter is a number, and the capability table says what it counts."""
    solver = engine(name)
    board = letters("LIL", "TIT", "LIL").puzzle
    answer = solve(board, solver)
    assert answer.stats
    for key, value in answer.stats.items():
        assert isinstance(value, int | float)
        assert value >= 0
        assert solver.capabilities.counters[key]
    assert set(answer.times) >= {"encode", "solve", "verify"}


@every_engine
def test_unknown_options_are_refused(name: str) -> None:
    """An option or borrowed engine that does not exist is a usage error."""
    for variant in (Variant(name, ("nonsense",)), Variant(name, (), ("nonsense",))):
        with pytest.raises(UsageError):
            Template(variant) if name == "template" else get(variant)


@every_engine
def test_a_search_may_be_closed_twice(name: str) -> None:
    """Closing is safe before the first answer, after it, and again."""
    solver = engine(name)
    board = letters("LIL", "TIT", "LIL").puzzle
    for steps in (0, 1):
        search = solver.start(board, Limits(), many=False)
        for _ in range(steps):
            assert isinstance(search.next(), np.ndarray)
        search.close()
        search.close()


@every_engine
def test_a_closed_search_proves_nothing(name: str) -> None:
    """Asked again, it gives a reason or a solution, never the word that there are no more."""
    search = engine(name).start(letters("LIL", "TIT", "LIL").puzzle, Limits(), many=False)
    search.close()
    assert search.next() is not None


@every_engine
def test_two_runs_on_one_engine_do_not_disturb_each_other(name: str) -> None:
    """Interleaved enumerations of two puzzles give what they give alone."""
    solver = engine(name)
    first, second = net("2x3w:111133", "match").puzzle, net("3x1w:151", "match").puzzle
    if refuses(solver, first) or refuses(solver, second):
        return
    with (
        Run(first, solver, Limits(), many=True) as one,
        Run(second, solver, Limits(), many=True) as two,
        Run(first, solver, Limits(), many=True) as three,
    ):
        total, others, again = 0, 0, 0
        runs = [iter(one), iter(two), iter(three)]
        for _ in range(10):
            total += next(runs[0], None) is not None
            others += next(runs[1], None) is not None
            again += next(runs[2], None) is not None
    assert (total, others, again) == (8, 2, 8)


@every_engine
def test_counting_uses_nothing_up(name: str) -> None:
    """Case P01: counting twice gives the same, and solving still works afterwards."""
    solver, puzzle = engine(name), net("2x3w:111133", "match").puzzle
    if refuses(solver, puzzle):
        return
    assert count(puzzle, solver).value == 8
    assert count(puzzle, solver).value == 8
    assert solve(puzzle, solver).status == Status.SATISFIABLE
