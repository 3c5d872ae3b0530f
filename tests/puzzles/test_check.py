"""The checker: it accepts exactly the solutions, and says what is wrong with the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from plumbench.puzzles import check as check_module
from plumbench.puzzles.board import Board
from plumbench.puzzles.check import MOST_REASONS, Report, check, cost
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Table, ports_from_masks
from plumbench.puzzles.topology import Square
from strategies import (
    assignments,
    golden_puzzles,
    letters,
    multigraphs,
    net,
    small_multigraph,
)

ANY2 = Table(2, (0, 1, 2, 3))


def pair(rules: Rules, *, free: bool = False) -> Puzzle:
    """Two vertices of two ports, one edge between them, a stub on each."""
    stubs = [(0, 0), (1, 1)] if free else []
    return Puzzle.build([(2, ANY2), (2, ANY2)], [(0, 1, 1, 0)], free=stubs, rules=rules)


def judge(puzzle: Puzzle, *masks: int) -> Report:
    """The report on these masks."""
    return check(puzzle, ports_from_masks(puzzle, masks))


def everything(puzzle: Puzzle) -> list[np.ndarray]:
    """All 2**ports arrays of truth values."""
    return [np.array(flags, dtype=bool) for flags in product((False, True), repeat=puzzle.ports)]


@pytest.mark.parametrize("leaks", ["forbidden", "sealed", "allowed"])
def test_accepts_exactly_the_solutions_of_the_golden_puzzles(
    shared: Callable[..., Path], leaks: str
) -> None:
    """Over all assignments of all 800 puzzles: the count, the least and the greatest cost."""
    tested = 0
    for puzzle, facts in golden_puzzles(shared("golden", "model_puzzles.jsonl")):
        if puzzle.rules.leaks != leaks:
            continue
        tested += 1
        good = [s for s in assignments(puzzle) if check(puzzle, s).ok]
        costs = [cost(puzzle, s) for s in good]
        found = (len(good), min(costs, default=None), max(costs, default=None))
        assert found == (facts["count"], facts["least_cost"], facts["greatest_cost"]), facts
        if facts["first_solution"] is not None:
            assert judge(puzzle, *facts["first_solution"]).ok
    assert tested > 150


def test_judges_ports_that_no_domain_allows(shared: Callable[..., Path]) -> None:
    """Over all arrays of truth values, domains or not, the golden counts hold as well."""
    tested = 0
    for puzzle, facts in golden_puzzles(shared("golden", "model_puzzles.jsonl")):
        if puzzle.ports <= 6:
            tested += 1
            assert sum(check(puzzle, s).ok for s in everything(puzzle)) == facts["count"]
    assert tested > 50


def test_empty_puzzle_has_its_empty_solution() -> None:
    """No vertices: the empty array is right, under every rule that asks nothing."""
    for rules in (Rules(), Rules(connect="used", acyclic=True), Rules("sealed", "reach")):
        assert check(Puzzle.build([], rules=rules), np.zeros(0, dtype=bool)) == Report(True)


def test_misshapen_solutions_are_a_reason_not_a_crash() -> None:
    """Lists, numbers, wrong lengths and wrong shapes are refused with one sentence."""
    puzzle = pair(Rules())
    for wrong, part in (
        ([False] * 4, "list"),
        (None, "NoneType"),
        (np.zeros(4, dtype=np.int64), "int64"),
        (np.zeros(3, dtype=bool), "(3,)"),
        (np.zeros((2, 2), dtype=bool), "(2, 2)"),
    ):
        report = check(puzzle, wrong)  # pyright: ignore[reportArgumentType]
        assert not report.ok
        assert len(report.reasons) == 1
        assert part in report.reasons[0]


def test_names_the_vertex_outside_its_domain() -> None:
    """A mask outside the table and a wrong number of open ports name vertex and domain."""
    puzzle = Puzzle.build(
        [(1, Table(1, (0,))), (2, EVEN), (1, Counts(frozenset({0})))],
        [(0, 0, 1, 0), (1, 1, 2, 0)],
    )
    assert judge(puzzle, 0, 0, 0).ok
    assert judge(puzzle, 1, 1, 0).reasons == (
        "vertex 0: mask 1 is not in its domain {0}",
        "vertex 1: 1 open ports, expected an even number",
    )
    assert judge(puzzle, 0, 2, 1).reasons == (
        "vertex 1: 1 open ports, expected an even number",
        "vertex 2: 1 open ports, expected 0",
    )


def test_names_the_leaking_ports() -> None:
    """Forbidden: a half-open edge and an open closed stub leak, an open free stub does not."""
    assert judge(pair(Rules()), 3, 0).reasons == (
        "port 0 of vertex 0 leaks: it is open on a closed stub",
        "port 1 of vertex 0 leaks: across edge 0, port 0 of vertex 1 is closed",
    )
    assert judge(pair(Rules(), free=True), 3, 3).ok
    assert judge(pair(Rules(), free=True), 1, 2).ok
    assert judge(pair(Rules("allowed")), 3, 0).ok


def test_sealed_minds_only_the_components_of_sources() -> None:
    """A dry vertex may leak, even towards a wet one that is closed there; a wet one may not."""
    rules = Rules("sealed", "reach", sources=(0,))
    assert judge(pair(rules), 0, 3).ok
    assert judge(pair(rules), 2, 1).ok
    assert judge(pair(rules, free=True), 3, 3).ok
    assert judge(pair(rules), 2, 3).reasons == (
        "port 1 of vertex 1 leaks: it is open on a closed stub, in the component of a source",
    )
    assert judge(pair(rules), 2, 2).reasons[0] == (
        "port 1 of vertex 0 leaks: across edge 0, port 0 of vertex 1 is closed,"
        " in the component of a source"
    )


def test_names_the_dry_sinks() -> None:
    """Each sink without a source in its component is named; a sink may be its own source."""
    rules = Rules("allowed", "reach", sources=(0,), sinks=(0, 1))
    assert judge(pair(rules), 2, 1).ok
    assert judge(pair(rules), 2, 0).reasons == (
        "sink 1 is dry: no source among the 1 vertices of its component",
    )
    nothing = Rules("allowed", "reach", sinks=(1,))
    assert not judge(pair(nothing), 2, 1).ok


def test_names_the_components() -> None:
    """Two rings are reported with their sizes; one needed blank vertex is a component."""
    board = letters("LLLL", "LLLL")
    report = judge(board.puzzle, 6, 12, 6, 12, 3, 9, 3, 9)
    assert report.reasons == (
        "what must hang together lies in 2 components"
        " of sizes 4 (with vertex 0), 4 (with vertex 2)",
    )
    blank = (0, Table(0, (0,)))
    needed = Puzzle.build([blank, blank], rules=Rules(connect="used", needed=(1,)))
    assert judge(needed, 0, 0).ok
    needed = Puzzle.build([blank, blank], rules=Rules(connect="used", needed=(0, 1)))
    assert "2 components" in judge(needed, 0, 0).reasons[0]


def test_names_the_cycle() -> None:
    """A ring, two parallel edges and a loop are cycles, each told by its vertices and edges."""
    tree = Rules(connect="used", acyclic=True)
    ring = judge(letters("LL", "LL", rules="tree").puzzle, 6, 12, 3, 9)
    assert len(ring.reasons) == 1
    for vertex in (0, 1, 2, 3):
        assert str(vertex) in ring.reasons[0].split("along")[0]
    double = Puzzle.build([(2, ANY2), (2, ANY2)], [(0, 0, 1, 0), (0, 1, 1, 1)], rules=tree)
    assert judge(double, 1, 1).ok
    assert "vertices 0, 1 along edges 0, 1 (1 independent" in judge(double, 3, 3).reasons[0]
    loop = Puzzle.build([(2, ANY2)], [(0, 0, 0, 1)], rules=tree)
    assert judge(loop, 0).ok
    assert judge(loop, 3).reasons == ("cycle: edge 0 is a loop on vertex 0",)


def test_gives_one_true_cycle_for_each_component() -> None:
    """On a board of all crosses every cycle told is a closed walk of joined edges."""
    puzzle = letters("XXX", "XXX", "XXX", rules="tree", wrap=True).puzzle
    report = judge(puzzle, *[15] * 9)
    assert len(report.reasons) == 1
    words = report.reasons[0].removeprefix("cycle: vertices ").split(" along edges ")
    around = [int(v) for v in words[0].split(", ")]
    crossed = [int(e) for e in words[1].split(" (")[0].split(", ")]
    assert len(around) == len(crossed) == len(set(around)) == len(set(crossed))
    for i, edge in enumerate(crossed):
        step = {around[i], around[(i + 1) % len(around)]}
        assert set(puzzle.edge_vertices[edge].tolist()) == step


def test_collects_reasons_of_every_kind() -> None:
    """A solution wrong in four ways is told all four."""
    table = Table(3, (0, 3))
    puzzle = Puzzle.build(
        [(3, table)] * 4,
        [(0, 0, 1, 0), (0, 1, 1, 1), (2, 0, 3, 0)],
        rules=Rules(connect="used", acyclic=True),
    )
    text = " | ".join(judge(puzzle, 3, 3, 5, 0).reasons)
    for part in ("vertex 2: mask 5", "port 2 of vertex 2", "2 components", "cycle: vertices 0, 1"):
        assert part in text


def test_long_lists_of_reasons_are_summed_up() -> None:
    """Beyond the cap, one sentence says how many more faults there are."""
    side = 40
    puzzle = Board(Square(side, side), np.zeros(side * side, dtype=int), rules="match").puzzle
    reasons = check(puzzle, np.ones(puzzle.ports, dtype=bool)).reasons
    more = f"and {side * side - MOST_REASONS} more masks outside their domains"
    assert reasons[MOST_REASONS] == more
    assert len(reasons) == MOST_REASONS + 1 + 4 * side


@settings(max_examples=150)
@given(multigraphs(all_rules=True))
def test_both_ways_to_find_components_agree(puzzle: Puzzle) -> None:
    """The union-find of small puzzles and the library call of large ones part alike."""
    ends = puzzle.edge_vertices
    number, label = check_module._components(puzzle.vertices, ends)
    kept, check_module.SMALL = check_module.SMALL, 0
    try:
        other_number, other = check_module._components(puzzle.vertices, ends)
    finally:
        check_module.SMALL = kept
    assert number == other_number
    assert len(set(zip(label.tolist(), other.tolist(), strict=True))) == number


@settings(max_examples=100)
@given(multigraphs())
def test_relabelling_changes_no_verdict(puzzle: Puzzle) -> None:
    """The edges in reverse order, ends swapped, judge every assignment alike."""
    mirrored = Puzzle(
        puzzle.first_port,
        puzzle.domains,
        puzzle.domain_of,
        puzzle.edge_ports[::-1, ::-1],
        puzzle.free,
        puzzle.rules,
    )
    for solution, _ in zip(assignments(puzzle), range(200), strict=False):
        assert check(puzzle, solution).ok == check(mirrored, solution).ok


def test_a_large_board_is_judged_whole() -> None:
    """300x300 comb: right as a tree; one more pair of ports is a cycle and a domain fault."""
    side = 300
    masks = np.full((side, side), 10)
    masks[:, 0], masks[:, -1] = 7, 8
    masks[0, 0], masks[-1, 0] = 6, 3
    board = Board(Square(side, side), masks.ravel(), rules="tree")
    solution = ports_from_masks(board.puzzle, masks.ravel().tolist())
    assert check(board.puzzle, solution) == Report(True)
    solution[[4 * 150 + 2, 4 * (150 + side)]] = True
    reasons = check(board.puzzle, solution).reasons
    assert [reason.split()[0] for reason in reasons] == ["vertex", "vertex", "cycle:"]


def test_the_states_of_a_board_told_apart(shared: Callable[..., Path]) -> None:
    """Case N03: of four edge-matching states only the connected one is right; sizes are told."""
    case = json.loads(shared("cases", "inputs", "N03.json").read_text())
    board = net(case["board"])
    assert len(case["states"]) == 4
    for state in case["states"]:
        masks = net(f"7x11:{state['state']}").pieces.tolist()
        assert judge(board.with_rules("match").puzzle, *masks).ok
        report = judge(board.with_rules("connected").puzzle, *masks)
        assert report.ok == state["tree"] == judge(board.puzzle, *masks).ok
        if not report.ok:
            told = report.reasons[0].split("of sizes ")[1].split(", ")
            assert [int(part.split()[0]) for part in told] == state["components"]


def test_costs_are_summed_over_masks_and_joined_edges() -> None:
    """Unlisted masks cost nothing, half-open edges neither; without costs it is 0."""
    puzzle = Puzzle.build(
        [(2, ANY2), (2, ANY2)],
        [(0, 0, 1, 0), (0, 1, 1, 1)],
        rules=Rules("allowed"),
        mask_costs=[[(1, 5), (3, -2)], [(3, 10)]],
        edge_costs=[100, 1000],
    )
    both = ports_from_masks(puzzle, [3, 3])
    assert cost(puzzle, both) == -2 + 10 + 1100
    assert cost(puzzle, ports_from_masks(puzzle, [1, 3])) == 5 + 10 + 100
    assert cost(puzzle, ports_from_masks(puzzle, [2, 1])) == 0
    assert cost(small_multigraph(), np.zeros(small_multigraph().ports, dtype=bool)) == 0
