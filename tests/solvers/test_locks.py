"""Wrong locks (N24): consistent, the difference to the only solution, or a least core."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.board import Board
from plumbench.puzzles.errors import UsageError, WrongAnswer
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.model import Puzzle, Solution, masks_of
from plumbench.puzzles.topology import orientations, rotate
from plumbench.solvers.contract import Limits, Reason, Status
from plumbench.solvers.locks import LockReport, LockVerdict, Reply, asking, wrong_locks
from plumbench.solvers.run import count, solutions, solve
from strategies import boards, letters, net

SOLVERS = pytest.mark.parametrize("solver", ["propagation", "sat"])
OTHER = {"propagation": "sat", "sat": "propagation", "brute": "propagation"}


def locking(board: Board, cells: Sequence[int]) -> Board:
    """The board with exactly these cells locked as its pieces lie."""
    locked = np.zeros(board.cells, dtype=np.bool_)
    locked[list(cells)] = True
    return replace(board, locked=locked)


def is_minimal_core(board: Board, core: tuple[int, ...], solver: str) -> None:
    """No solution keeps the core; each of its locks can be given up for one."""
    assert solve(locking(board, list(core)).puzzle, solver).status is Status.UNSATISFIABLE
    for cell in core:
        others = [lock for lock in core if lock != cell]
        assert solve(locking(board, others).puzzle, solver).status is Status.SATISFIABLE


def keeps(board: Board, solution: Solution, cells: list[int]) -> bool:
    """The solution is right without locks, and has these cells as the board."""
    masks = np.array(masks_of(board.puzzle, solution))
    free = locking(board, [])
    fits = free.encode(free.decode(solution)) is not None
    return fits and bool((masks[cells] == board.pieces[cells]).all())


def judged(board: Board, report: LockReport, solver: str) -> None:
    """The report is right by the verdicts of another engine."""
    locks = np.flatnonzero(board.locked).tolist()
    fits = solve(board.puzzle, solver).status is Status.SATISFIABLE
    free = count(locking(board, []).puzzle, solver, limit=2).value
    if fits:
        assert report.verdict is LockVerdict.CONSISTENT
        assert report.solution is not None
        assert keeps(board, report.solution, locks)
        return
    if not free:
        assert report.verdict is LockVerdict.UNSOLVABLE
        return
    assert report.verdict is LockVerdict.WRONG
    assert report.unique == (free == 1)
    assert report.minimal
    is_minimal_core(board, report.core, solver)
    assert report.solution is not None
    assert keeps(board, report.solution, [lock for lock in locks if lock not in report.undo])
    if report.unique:
        only = np.array(masks_of(board.puzzle, report.solution))
        assert report.wrong == tuple(lock for lock in locks if only[lock] != board.pieces[lock])
        assert report.undo == report.wrong
        return
    assert report.wrong == ()
    for cell, solution in zip(report.core, report.without, strict=True):
        assert keeps(board, solution, [lock for lock in report.core if lock != cell])


def spoilt(item: dict, rules: str, generator: np.random.Generator, wrong: int) -> Board:
    """A board of the public generator, two thirds of it locked as in the official solution, but
    ``wrong`` cells turned away from it.
    """
    board = net(item["game_id"], rules)
    size = item["game_id"].partition(":")[0]
    official = net(f"{size}:{item['official_solution']}").pieces
    pieces = np.array(official)
    turns = [c for c in range(board.cells) if len(orientations(int(official[c]), 4)) > 1]
    chosen = generator.permutation(turns)[: max(wrong, 2 * len(turns) // 3)].tolist()
    for cell in chosen[:wrong]:
        pieces[cell] = rotate(int(pieces[cell]), 1, 4)
    return locking(replace(board, pieces=pieces), chosen)


def _plain(path, most: int) -> list[dict]:
    """The boards of N17 up to that many cells."""
    found = json.loads(path.read_text())["items"]
    return [item for item in found if len(item["official_solution"]) <= most]


@SOLVERS
def test_wrong_locks_of_public_boards(solver: str, shared) -> None:
    """A few cells of N17's boards locked wrong: exactly these are named under the rule tree,
    where the solution is unique; under match a core that another engine confirms.
    """
    generator, verdicts = np.random.default_rng(24), set()
    for item in _plain(shared("cases", "inputs", "N17.json"), 49):
        for wrong in (0, 1, 3):
            board = spoilt(item, "tree", generator, wrong)
            report = wrong_locks(board, solver)
            if item["n_tree"] == 1:
                expected = LockVerdict.WRONG if wrong else LockVerdict.CONSISTENT
                assert report.verdict is expected
                assert len(report.wrong) == wrong
            judged(board, report, OTHER[solver])
        board = spoilt(item, "match", generator, 3)
        report = wrong_locks(board, solver)
        judged(board, report, OTHER[solver])
        verdicts.add((report.verdict, report.unique))
    assert (LockVerdict.WRONG, False) in verdicts
    assert (LockVerdict.WRONG, True) in verdicts


@pytest.mark.fuzz
@SOLVERS
def test_wrong_locks_of_large_public_boards(solver: str, shared) -> None:
    """The same on all of N17, up to 30x30."""
    generator = np.random.default_rng(7)
    for item in _plain(shared("cases", "inputs", "N17.json"), 10**6):
        for rules in ("tree", "match"):
            board = spoilt(item, rules, generator, 4)
            judged(board, wrong_locks(board, solver), OTHER[solver])


@st.composite
def locked_boards(draw: st.DrawFn, **options: Any) -> Board:
    """Random boards with many locks: a lock is as in one of the first solutions (another one for
    each lock, so that each may be right and all together wrong), or at random.
    """
    board = draw(boards(**options))
    free = locking(board, [])
    known = [masks_of(free.puzzle, s) for s in islice(solutions(free.puzzle, "propagation"), 6)]
    pieces = np.array(board.pieces)
    cells = draw(st.sets(st.integers(0, board.cells - 1), min_size=1))
    for cell in sorted(cells) if known else ():
        if draw(st.integers(0, 9)):
            pieces[cell] = draw(st.sampled_from(known))[cell]
    return locking(replace(board, pieces=pieces), sorted(cells))


def _random(solver: str, number: int, **options: Any) -> None:
    seen = set()

    @settings(max_examples=number)
    @given(locked_boards(**options))
    def right(board: Board) -> None:
        report = wrong_locks(board, solver)
        judged(board, report, "brute")
        seen.add(report.verdict)

    right()
    assert {LockVerdict.CONSISTENT, LockVerdict.WRONG} <= seen


def test_random_boards() -> None:
    """60 random boards with locks are judged as brute force does, cores and all."""
    _random("propagation", 60)


@pytest.mark.fuzz
@pytest.mark.parametrize("solver", ["propagation", "sat", "cpsat", "milp", "brute"])
def test_many_random_boards(solver: str) -> None:
    """The same on 1000 boards, and on hexagonal ones, by every engine."""
    _random(solver, 1000)
    _random(solver, 300, hexagonal=True, max_cells=5)


@SOLVERS
def test_locks_that_contradict_each_other(solver: str) -> None:
    """Boards with many solutions, each lock as in one of them: every lock could stay by itself,
    and the core names some that cannot stay together.
    """
    generator, sizes = np.random.default_rng(5), set()
    for board in (TORUS, net("4x4w:" + "3" * 16, "match"), net("3x4w:" + "7" * 12, "match")):
        free = locking(board, [])
        known = [masks_of(free.puzzle, s) for s in solutions(free.puzzle, "brute", limit=40)]
        for _ in range(6):
            from_which = generator.integers(len(known), size=board.cells)
            pieces = np.array([known[k][cell] for cell, k in enumerate(from_which.tolist())])
            chosen = generator.permutation(board.cells)[: board.cells // 2 + 1].tolist()
            mixed = locking(replace(board, pieces=pieces), chosen)
            report = wrong_locks(mixed, solver)
            judged(mixed, report, "brute")
            sizes.add(len(report.core))
    assert 1 not in sizes
    assert max(sizes) >= 3


# ---- limits and faults -------------------------------------------------------------------------

TORUS = locking(net("4x2w:36399c33", "match"), range(8))
"""64 solutions without locks; the first lock contradicts others."""


def stopping(after: int):
    """Questions to the search that end with the limit of time after so many answers."""
    ask, asked = asking("propagation"), 0

    def stop(puzzle: Puzzle, number: int, limits: Limits) -> Reply:
        nonlocal asked
        asked += 1
        return Reply((), Reason.TIME) if asked > after else ask(puzzle, number, limits)

    return stop


def test_a_limit_leaves_what_is_proved() -> None:
    """Stopped before the first answer nothing is known; later the locks are wrong, and the core
    so far is a contradiction, though perhaps not a least one.
    """
    assert wrong_locks(TORUS, ask=stopping(0)).verdict is LockVerdict.UNKNOWN
    full = wrong_locks(TORUS)
    assert full.verdict is LockVerdict.WRONG
    for after in range(1, full.questions):
        report = wrong_locks(TORUS, ask=stopping(after))
        assert (report.verdict, report.reason) == (LockVerdict.WRONG, Reason.TIME)
        core = locking(TORUS, list(report.core)).puzzle
        assert solve(core, "brute").status is Status.UNSATISFIABLE
        if report.minimal:
            is_minimal_core(TORUS, report.core, "brute")
    assert wrong_locks(TORUS, limits=Limits(seconds=1e-9)).reason is Reason.TIME


def test_a_core_that_is_none_is_caught() -> None:
    """An engine that refutes what can be solved contradicts itself at the last question."""
    questions = wrong_locks(TORUS).questions
    ask, asked = asking("propagation"), 0

    def lie(puzzle: Puzzle, number: int, limits: Limits) -> Reply:
        nonlocal asked
        asked += 1
        last = asked == questions
        return ask(locking(TORUS, []).puzzle if last else puzzle, number, limits)

    with pytest.raises(WrongAnswer, match="core"):
        wrong_locks(TORUS, ask=lie)


def test_what_is_no_question() -> None:
    """A board without locks is refused; an objective changes nothing."""
    with pytest.raises(UsageError, match="at least one locked cell"):
        wrong_locks(letters("LIL"))
    priced = TORUS.with_objective(Objective("rotations"))
    assert wrong_locks(priced).core == wrong_locks(TORUS).core
