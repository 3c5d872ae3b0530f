"""Disagreements are shrunk to the smallest puzzle that still shows them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness import parallel
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.benchmarks.judging import reductions
from plumbench.benchmarks.judging.agreement import compare
from plumbench.benchmarks.judging.shrink import fewest, shrink
from plumbench.benchmarks.judging.smallest import keep_disagreement, shrink_disagreement
from plumbench.benchmarks.processes.jobs import Job, Outcome, Result
from plumbench.benchmarks.processes.runner import run_one
from plumbench.puzzles.check import cost
from plumbench.puzzles.formats import loads
from plumbench.puzzles.model import Costs, Puzzle, Rules, Table
from plumbench.solvers import run
from plumbench.solvers.contract import Status
from strategies import domain_masks, letters, multigraphs, with_costs

puzzles = multigraphs(all_rules=True, max_vertices=4, max_edges=6)
forbidden = puzzles.filter(lambda puzzle: puzzle.rules.leaks == "forbidden")


def solutions(puzzle: Puzzle) -> list[np.ndarray]:
    """All of them, by brute force."""
    return list(run.solutions(puzzle, "brute"))


def rows(found: list[np.ndarray]) -> set[bytes]:
    """As a set."""
    return {solution.tobytes() for solution in found}


# ---- leaving items out -----------------------------------------------------------------------


@given(st.integers(0, 40), st.sets(st.integers(0, 39)))
def test_what_is_needed_is_what_is_left(number: int, needed: set[int]) -> None:
    """Where some items are needed and no others, exactly those are left."""
    needed = {item for item in needed if item < number}
    assert fewest(range(number), lambda kept: needed <= set(kept)) == sorted(needed)


@given(st.integers(0, 12), st.randoms(use_true_random=False))
def test_no_single_item_can_be_spared(number: int, random) -> None:
    """Whatever shows it, what is left shows it and leaving out any one does not."""
    memory: dict[tuple[int, ...], bool] = {tuple(range(number)): True}

    def shows(kept) -> bool:
        return memory.setdefault(tuple(kept), random.random() < 0.3)

    left = fewest(range(number), shows)
    assert memory[tuple(left)]
    for place in range(len(left)):
        assert not shows(left[:place] + left[place + 1 :])


def test_few_needed_of_many_are_found_in_few_looks() -> None:
    """One item of a thousand takes tens of looks, not a thousand."""
    looks = []

    def shows(kept) -> bool:
        looks.append(len(kept))
        return 417 in kept

    assert fewest(range(1000), shows) == [417]
    assert len(looks) < 40


# ---- smaller puzzles -------------------------------------------------------------------------


@settings(max_examples=40)
@given(puzzles, st.data())
def test_parts_with_free_stubs_keep_solutions(puzzle: Puzzle, data: st.DataObject) -> None:
    """Without rules that look at the whole, what is left of a solution solves the part."""
    puzzle = puzzle.with_rules(Rules("forbidden"))
    kept = sorted(data.draw(st.sets(st.integers(0, puzzle.vertices - 1))))
    part = reductions.with_vertices(puzzle, kept, free=True)
    stays = np.isin(puzzle.owner, kept)
    there = rows(solutions(part))
    assert all(solution[stays].tobytes() in there for solution in solutions(puzzle))
    assert part.vertices == len(kept)


@settings(max_examples=40)
@given(forbidden, st.data())
def test_without_edges_is_with_those_edges_off(puzzle: Puzzle, data: st.DataObject) -> None:
    """Under forbidden leaks, closed stubs for an edge mean that the edge is off."""
    kept = data.draw(st.sets(st.integers(0, puzzle.edges - 1))) if puzzle.edges else set()
    off = [edge for edge in range(puzzle.edges) if edge not in kept]
    ports = puzzle.edge_ports[off].ravel()
    wanted = [s for s in solutions(puzzle) if not s[ports].any()]
    assert rows(solutions(reductions.with_edges(puzzle, kept, free=False))) == rows(wanted)


@settings(max_examples=40)
@given(with_costs(forbidden), st.data())
def test_without_a_port_is_with_that_port_closed(puzzle: Puzzle, data: st.DataObject) -> None:
    """A stub that goes takes with it the masks that open it; the others cost what they did."""
    stubs = reductions.stubs(puzzle)
    if not stubs:
        return
    port = data.draw(st.sampled_from(stubs))
    part = reductions.without_port(puzzle, port)
    wanted = [s for s in solutions(puzzle) if not s[port]]
    if part is None:
        assert wanted == []
        return
    priced = {np.delete(s, port).tobytes(): cost(puzzle, s) for s in wanted}
    assert {s.tobytes(): cost(part, s) for s in solutions(part)} == priced


@settings(max_examples=40)
@given(puzzles, st.data())
def test_fewer_choices(puzzle: Puzzle, data: st.DataObject) -> None:
    """A vertex that may do less: the solutions in which it does that."""
    vertex = data.draw(st.integers(0, puzzle.vertices - 1))
    domain, degree = puzzle.domain(vertex), int(puzzle.degree[vertex])
    listed = reductions.choices(domain, degree)
    kept = data.draw(st.sets(st.sampled_from(listed))) if listed else set()
    part = reductions.with_choices(puzzle, vertex, kept)
    if part is None:
        assert not kept
        return
    first = int(puzzle.first_port[vertex])
    masks = set(domain_masks(part, vertex))

    def chosen(solution: np.ndarray) -> int:
        return sum(1 << i for i in range(degree) if solution[first + i])

    wanted = [s for s in solutions(puzzle) if chosen(s) in masks]
    assert rows(solutions(part)) == rows(wanted)
    if isinstance(domain, Table):
        assert masks == kept


@settings(max_examples=40)
@given(with_costs(puzzles))
def test_tidying_changes_nothing(puzzle: Puzzle) -> None:
    """The same puzzle, with no domain or row that no vertex has."""
    cluttered = replace(puzzle, domains=(*puzzle.domains, Table(1, (0,)), *puzzle.domains))
    tidy = reductions.tidied(cluttered)
    assert tidy.fingerprint == puzzle.fingerprint
    assert len(tidy.domains) == len(set(tidy.domains)) <= puzzle.vertices
    assert tidy.costs is not None
    assert len(tidy.costs.rows) == len(set(tidy.costs.rows))


# ---- shrinking -------------------------------------------------------------------------------


@settings(max_examples=25)
@given(with_costs(puzzles))
def test_what_is_left_shows_it_and_every_vertex_is_needed(puzzle: Puzzle) -> None:
    """Here: to have no solution, or more than one."""
    for shows in (
        lambda p: not solutions(p),
        lambda p: len(solutions(p)) > 1,
    ):
        if not shows(puzzle):
            continue
        found = shrink(puzzle, shows, 60.0)
        small = found.puzzle
        assert found.minimal
        assert shows(small)
        assert small.costs is None
        assert small.vertices <= puzzle.vertices
        for vertex in range(small.vertices):
            others = [v for v in range(small.vertices) if v != vertex]
            for free in (True, False):
                assert not shows(reductions.with_vertices(small, others, free=free))
        assert len(found.vertices) == small.vertices


def test_numbers_of_the_vertices_left() -> None:
    """They are those of the large puzzle, in the order of the small one's."""
    board = letters("LIL", "TXT", "LIL")
    crosses = Table(4, (15,))

    def shows(puzzle: Puzzle) -> bool:
        return crosses in map(puzzle.domain, range(puzzle.vertices))

    found = shrink(board.puzzle, shows, 60.0)
    assert found.vertices == (4,)
    assert (found.puzzle.vertices, found.puzzle.edges, len(found.puzzle.domains)) == (1, 0, 1)


def test_costs_stay_where_they_are_asked_for() -> None:
    """With ``priced`` the puzzle can still be optimised; what costs nothing has no rows."""
    puzzle = parallel(3)
    rows_ = (((1, 5),), ())
    costs = Costs(rows_, np.array([0, 1]), np.array([1, 2, 3]))
    found = shrink(replace(puzzle, costs=costs), lambda p: p.vertices > 0, 60.0, priced=True)
    assert found.puzzle.costs is not None
    assert found.puzzle.costs.rows == ((),)
    assert found.puzzle.vertices == 1


def test_rules_that_list_a_vertex_twice() -> None:
    """They come to an end, with what is needed listed once."""
    puzzle = Puzzle.build(
        [(1, Table(1, (1,)))] * 2,
        [(0, 0, 1, 0)],
        rules=Rules("forbidden", "reach", sources=(0, 0), sinks=(1, 1)),
    )
    found = shrink(puzzle, lambda p: 0 in p.rules.sources, 60.0)
    assert found.puzzle.rules.sources == (0,)
    assert found.puzzle.rules.sinks == ()
    assert found.minimal


def test_the_budget_ends_it() -> None:
    """Without time nothing is looked at; with little, what is left still shows it."""
    puzzle = letters(*["L" * 8] * 8, wrap=True).puzzle
    none = shrink(puzzle, lambda p: pytest.fail("looked"), 0.0)
    assert (none.minimal, none.tried, none.puzzle.fingerprint) == (False, 0, puzzle.fingerprint)
    assert none.vertices == tuple(range(64))

    def slow(part: Puzzle) -> bool:
        time.sleep(0.02)
        return part.vertices >= 5

    said: list[str] = []
    found = shrink(puzzle, slow, 0.1, said.append)
    assert not found.minimal
    assert found.puzzle.vertices >= 5
    assert said


# ---- disagreements ---------------------------------------------------------------------------


@pytest.fixture
def asked(fakes: Callable[[], list[int]]) -> Callable[..., list[tuple[Job, Result]]]:
    """Runs of some engines, fakes among them, on a puzzle."""

    def ask(puzzle: Puzzle, *solvers: str, **options) -> list[tuple[Job, Result]]:
        jobs = [Job(puzzle, solver, seconds=20.0, **options) for solver in solvers]
        return [(job, run_one(job)) for job in jobs]

    return ask


def test_a_lie_about_crosses_is_shrunk_to_a_cross(asked, tmp_path: Path) -> None:
    """Of a board of 25 cells one is left; the evidence loads, shows it, and is drawn."""
    board = letters("LIIIL", "ILTLI", "ITXTI", "ILTLI", "LIIIL", rules="match")
    runs = asked(board.puzzle, "propagation", "liar_cross", "sat")
    path = keep_disagreement(tmp_path, board, ["x"], runs)
    kept = json.loads(path.read_text())
    small = kept["smallest"]
    assert small["vertices"] == [12]
    assert small["minimal"] is True
    assert small["solvers"][:1] != ["sat"]
    assert "liar_cross" in small["solvers"]
    assert len(small["solvers"]) == 2
    assert "[" in "".join(small["where"])
    [instance] = loads(json.dumps(small["puzzle"]))
    assert instance.puzzle.vertices == 1
    again = compare(instance, ["liar_cross", "sat"])
    assert again.exit_code == 4
    assert again.judgement.complaints()[0] in small["complaints"]
    assert len(kept["runs"]) == 3


@pytest.mark.usefixtures("fakes")
def test_compare_keeps_the_smallest(tmp_path: Path) -> None:
    """The comparison itself writes it into its evidence."""
    found = compare(parallel(3), ["honest", "liar_count"], count=True, evidence=tmp_path / "kept")
    assert found.exit_code == 4
    [path] = (tmp_path / "kept").iterdir()
    small = json.loads(path.read_text())["smallest"]
    assert "liar_count" in small["note"]
    [instance] = loads(json.dumps(small["puzzle"]))
    assert len(solutions(instance.puzzle)) == 2


def test_a_lie_that_needs_no_other_side(asked) -> None:
    """A board that is no solution is refused by the checker: one engine is asked again."""
    found = shrink_disagreement(parallel(2), asked(parallel(2), "honest", "liar_board"))
    assert found.solvers == ("liar_board",)
    assert found.shrunk is not None
    assert found.shrunk.puzzle.ports == 1


def test_a_lie_about_the_best(asked) -> None:
    """The puzzle keeps costs, and only those that matter."""
    puzzle = parallel(4)
    costs = Costs(((),), np.array([0, 0]), np.array([9, 7, 5, 3]))
    puzzle = replace(puzzle, costs=costs)
    runs = asked(puzzle, "liar_best", "propagation", task="optimise")
    found = shrink_disagreement(puzzle, runs)
    assert found.shrunk is not None
    small = found.shrunk.puzzle
    assert small.costs is not None
    assert len(solutions(small)) == 2
    assert found.shrunk.minimal


def test_a_lie_that_does_not_show_again(asked, tmp_path: Path) -> None:
    """The evidence says so, and has both sides all the same."""
    puzzle = parallel(3)
    runs = asked(puzzle, "honest", "liar_once")
    kept = json.loads(keep_disagreement(tmp_path, puzzle, ["x"], runs).read_text())
    assert kept["smallest"]["puzzle"] is None
    assert "did not disagree in 3 attempts" in kept["smallest"]["note"]
    assert len(kept["runs"]) == 2


def test_a_seed_goes_along(asked) -> None:
    """Runs about reshuffled puzzles are asked again under their seed."""
    board = letters("LTL", "TXT", "LTL", rules="match")
    runs = asked(board.puzzle, "liar_unsat", "sat", seed=3)
    assert runs[1][1].status is Status.SATISFIABLE
    found = shrink_disagreement(board, runs)
    assert found.shrunk is not None
    assert found.shrunk.puzzle.vertices == 0


def test_a_contradiction_without_evidence(asked) -> None:
    """Claims that nothing settles are asked about again; honest engines then agree."""
    puzzle = parallel(3)
    none = Result(Outcome.ANSWERED, Status.UNSATISFIABLE)
    some = Result(Outcome.ANSWERED, Status.SATISFIABLE)
    runs = [(Job(puzzle, "honest"), none), (Job(puzzle, "sat"), some)]
    found = shrink_disagreement(puzzle, runs, 20.0)
    assert found.shrunk is None
    assert set(found.solvers) == {"honest", "sat"}


def test_agreement_cannot_be_shrunk(asked) -> None:
    """There is nothing to show."""
    with pytest.raises(ValueError, match="agree"):
        shrink_disagreement(parallel(2), asked(parallel(2), "honest"))
