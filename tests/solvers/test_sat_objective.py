"""The best solution by the engine sat: every back end, limits, bounds on the way."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from plumbench.puzzles.errors import Unsupported
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Table
from plumbench.solvers.contract import Limits, Reason, Search, Status
from plumbench.solvers.pysat_backend import BACK_ENDS
from plumbench.solvers.registry import get
from plumbench.solvers.run import Run, optimise
from strategies import multigraphs, with_costs

pytest.importorskip("pysat")

HERE = Path(__file__).resolve().parent


def chain(tiles: int, pips: int, seed: int, weights: tuple[int, int] = (1, 1)) -> Puzzle:
    """The longest (or heaviest) chain of random dominoes, as DESIGN says: even pips, and a
    dummy joined to all of them that closes the chain.
    """
    rng = random.Random(seed)
    pairs = rng.sample([(u, v) for u in range(pips) for v in range(u, pips)], tiles)
    degree, edges = [0] * (pips + 1), []
    for u, v in [*pairs, *((u, pips) for u in range(pips))]:
        first, degree[u] = degree[u], degree[u] + 1
        second, degree[v] = degree[v], degree[v] + 1
        edges.append((u, first, v, second))
    return Puzzle.build(
        list(zip(degree, [EVEN] * pips + [Counts(frozenset({0, 2}))], strict=True)),
        edges,
        rules=Rules(connect="used"),
        edge_costs=[rng.randint(*weights) for _ in pairs] + [0] * pips,
        maximise=True,
    )


def packing(holes: int) -> Puzzle:
    """Pigeons, one too many for the holes, each seated at most once, as many as possible: all
    but one, which resolution is slow to prove.
    """
    most_one = Counts(frozenset({0, 1}))
    pairs = [(p, h) for p in range(holes + 1) for h in range(holes)]
    return Puzzle.build(
        [(holes, most_one)] * (holes + 1) + [(holes + 1, most_one)] * holes,
        [(p, h, holes + 1 + h, p) for p, h in pairs],
        edge_costs=[1] * len(pairs),
        maximise=True,
    )


def test_every_back_end_finds_the_same_optimum() -> None:
    """In one child process, so that one that aborts is seen: weights in several strata, in both
    directions; those without cores refuse.
    """
    program = f"""
import sys
sys.path[:0] = {[str(HERE), str(HERE.parent)]!r}
from dataclasses import replace
from test_sat_objective import *
from plumbench.puzzles.errors import MissingBackend
puzzle = chain(9, 4, 3, (-3, 9))
for name in BACK_ENDS:
    try:
        most = optimise(puzzle, f"sat:{{name}}")
        costs = replace(puzzle.costs, maximise=False)
        least = optimise(replace(puzzle, costs=costs), f"sat:{{name}}")
        print(name, most.cost, least.cost, flush=True)
    except (MissingBackend, Unsupported):
        print(name, "none", flush=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    found = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert list(found) == list(BACK_ENDS), done.stdout + done.stderr
    without = {name for name, text in found.items() if text == "none"}
    assert without == {"cryptosat", "kissat404", "lingeling"}
    puzzle = chain(9, 4, 3, (-3, 9))
    assert puzzle.costs is not None
    turned = replace(puzzle, costs=replace(puzzle.costs, maximise=False))
    most = optimise(puzzle, "brute").cost
    least = optimise(turned, "brute").cost
    assert set(found.values()) - {"none"} == {f"{most} {least}"}


@pytest.mark.parametrize("solver", ["sat:kissat404", "sat:lingeling"])
def test_back_ends_without_cores_refuse(solver: str) -> None:
    """Unsupported at once."""
    with pytest.raises(Unsupported, match="objective"):
        optimise(chain(6, 4, 0), solver)


@settings(max_examples=60)
@given(puzzle=with_costs(multigraphs(all_rules=True)))
def test_without_precuts_and_by_another_back_end(puzzle: Puzzle) -> None:
    """Cuts that come late, between cores, and CaDiCaL's slices change no optimum."""
    best = optimise(puzzle, "brute").cost
    assert optimise(puzzle, "sat:no-precuts").cost == best
    assert optimise(puzzle, "sat:cadical195").cost == best


def test_long_domino_chains() -> None:
    """300 tiles on 100 pips, proved: all tiles but a minimum T-join of the odd pips, two of
    which may stay odd; found by a matching of shortest paths.
    """
    puzzle = chain(300, 100, 3)
    answer = optimise(puzzle, "sat")
    assert answer.status is Status.OPTIMAL
    assert answer.cost == answer.bound == 300 - t_join(puzzle, 300, 100)


def t_join(puzzle: Puzzle, tiles: int, pips: int) -> int:
    """The fewest tiles whose removal leaves at most two odd pips, by networkx."""
    graph = nx.MultiGraph(puzzle.edge_vertices[:tiles].tolist())
    graph.add_nodes_from(range(pips))
    odd = [v for v in range(pips) if graph.degree(v) % 2]
    far = dict(nx.all_pairs_shortest_path_length(nx.Graph(graph)))
    apart = nx.Graph()
    apart.add_weighted_edges_from((u, v, far[u][v]) for u, v in combinations(odd, 2) if v in far[u])
    # Two ends of the chain, matched with any two odd pips for nothing.
    apart.add_weighted_edges_from((u, end, 0) for u in odd for end in (-1, -2))
    pairs = nx.min_weight_matching(apart)
    return sum(apart.edges[pair]["weight"] for pair in pairs)


def last(search: Search) -> Reason | None:
    """How a search ends or stops, after its solutions."""
    while True:
        step = search.next()
        if step is None or isinstance(step, Reason):
            return step


def test_a_node_limit_leaves_a_solution_and_a_bound() -> None:
    """The bound starts at what all soft literals allow and only comes closer; at the limit it
    is not beaten by the optimum, 9.
    """
    puzzle = packing(9)
    answer = optimise(puzzle, "sat", Limits(nodes=1500))
    assert (answer.status, answer.reason) == (Status.SATISFIABLE, Reason.NODES)
    assert answer.cost is not None
    assert answer.bound is not None
    assert answer.cost <= 9 <= answer.bound <= 90
    assert answer.bound < 90


@pytest.mark.parametrize("solver", ["sat", "sat:cadical195"])
def test_a_search_goes_on_after_a_limit(solver: str) -> None:
    """Asked again after a time limit it says so again, and does not forget what it proved."""
    search = get(solver).improve(packing(14), Limits(seconds=0.2))
    assert last(search) is Reason.TIME
    bound = search.bound
    assert search.next() is Reason.TIME
    assert search.bound == bound
    search.close()
    assert search.next() is Reason.INTERRUPTED


def test_solutions_improve_and_the_bound_meets_the_last() -> None:
    """Heaviest chain: each solution is better (the run checks it), and the end is proved."""
    puzzle = chain(40, 14, 5, (1, 50))
    with Run(puzzle, get("sat"), Limits(), optimise=True) as run:
        number, bounds = 0, []
        for _ in run:
            number += 1
            bounds.append(run.search.bound)
        assert run.status is Status.OPTIMAL
        assert run.bound == run.cost
    assert number >= 1
    assert bounds == sorted(bounds, reverse=True)
    assert all(bound >= run.cost for bound in bounds)


def test_nothing_to_pay_and_nothing_to_find() -> None:
    """Costs that are the same everywhere are met by the first solution; no solution, no cost."""
    same = Puzzle.build([(1, Table(1, (0, 1)))], free=[(0, 0)], mask_costs=[[(0, 3), (1, 3)]])
    answer = optimise(same, "sat")
    assert (answer.status, answer.cost, answer.stats["rounds"]) == (Status.OPTIMAL, 3, 1)
    none = Puzzle.build([(1, Table(1, (1,)))], mask_costs=[[(1, 3)]])
    assert optimise(none, "sat").status is Status.UNSATISFIABLE
