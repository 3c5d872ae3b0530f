"""Engines on domino chains: all tiles, longest, heaviest; and the search of article 003."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import domino_oracle as oracle
import pytest
from engines import engine, optimises
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.dominoes import DOMINO_RULES, Dominoes
from plumbench.puzzles.errors import Unsupported, UsageError
from plumbench.puzzles.generators import make
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.model import Counts, Puzzle
from plumbench.solvers.contract import Limits, Reason, Status
from plumbench.solvers.registry import ENGINES, get
from plumbench.solvers.run import Run, count, optimise, solve
from strategies import small_multigraph, tile_lists

OPTIMISING = [name for name in ENGINES if engine(name).capabilities.objective]
STEP = {"cpsat": 12, "milp": 12, "propagation": 2, "sat": 2}
"""Of the golden sets these engines take every so many here, and all in ``make fuzz``."""
MOST = {"brute": 3, "reference": 10}
"""Tiles that these engines can do."""
VARIANTS = (
    "reference", "reference:subsets", "reference:rich", "reference:both-ends",
    "reference:odd-start", "reference:components", "reference:rich:odd-start:components",
    "reference:both-ends:subsets:rich",
)  # fmt: skip
STARTS = st.sampled_from([None, None, 0, 1, 3])
WHAT = st.sampled_from(Dominoes.objectives)


def longest_of(tiles: list[list[int]]) -> Puzzle:
    """The puzzle of the longest chain."""
    instance = Dominoes(tuple((a, b) for a, b in tiles))
    return instance.with_objective(Objective("length", maximise=True)).puzzle


def golden(shared: Callable[..., Path]) -> list[dict]:
    """The 134 sets with their answers."""
    return json.loads(shared("golden", "003_dominoes.json").read_text())["sets"]


def test_the_oracle(shared) -> None:
    """Deleting the fewest tiles that leave one part with at most two odd pips gives the known
    longest chain of each of the golden sets.
    """
    for facts in golden(shared):
        assert oracle.longest([(a, b) for a, b in facts["tiles"]]) == facts["longest"]


@pytest.mark.parametrize("name", OPTIMISING)
def test_golden_longest(name: str, shared) -> None:
    """The longest chains of golden sets, proved."""
    sets = [s for s in golden(shared) if s["n"] <= MOST.get(name, s["n"])]
    for facts in sets[:: STEP.get(name, 1)]:
        assert optimises(engine(name), longest_of(facts["tiles"]), facts["longest"])


@pytest.mark.fuzz
@pytest.mark.parametrize("name", list(STEP))
def test_all_golden_longest(name: str, shared) -> None:
    """The longest chains of all 134 golden sets, proved, by the engines that take any."""
    for facts in golden(shared):
        assert optimises(engine(name), longest_of(facts["tiles"]), facts["longest"])


def agree_with_enumeration(name: str, number: int) -> None:
    """On random sets the engine finds the chains that are enumerated: how many sets of tiles under
    every rule, and the longest, heaviest, longest and then heaviest.
    """
    solver = engine(name)

    @settings(max_examples=number)
    @given(tile_lists(max_tiles=5), st.sampled_from(DOMINO_RULES), STARTS, WHAT)
    def agrees(tiles: list[tuple[int, int]], rules: str, start: int | None, what: str) -> None:
        instance = Dominoes(tuple(tiles), start, rules)
        sets = oracle.tile_sets(tiles, every=instance.every, closed=instance.closed, start=start)
        assert count(instance.puzzle, solver).value == len(sets)
        assert (solve(instance.puzzle, solver).solution is not None) == bool(sets)
        if name not in OPTIMISING:
            return
        priced = instance.with_objective(Objective(what, maximise=True))
        some = oracle.tile_sets(tiles, every=False, closed=instance.closed, start=start)
        worth = {
            "length": len,
            "weight": lambda used: sum(sum(tiles[t]) for t in used),
            "length,weight": lambda used: sum(priced.scale + sum(tiles[t]) for t in used),
        }[what]
        if tiles or name != "reference":
            assert optimises(solver, priced.puzzle, max(map(worth, some)))

    agrees()


@pytest.mark.parametrize("name", list(ENGINES))
def test_random_sets(name: str) -> None:
    """A few random sets, every engine."""
    agree_with_enumeration(name, 8 if STEP.get(name, 1) > 2 else 20)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", list(ENGINES))
def test_many_random_sets(name: str) -> None:
    """300 random sets, every engine."""
    agree_with_enumeration(name, 300)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", ["sat", "cpsat", "propagation", "milp"])
def test_large_sets(name: str) -> None:
    """100 pips and 300 tiles: a chain of all where there is one, which is then the longest; where
    there is none that is proved.
    """
    for seed in range(3):
        for chain in ("yes", "no"):
            instance = make("dominoes", 100, 300, seed, chain=chain)
            found = solve(instance.puzzle, name, Limits(seconds=60))
            assert (found.status is Status.SATISFIABLE) == (chain == "yes")
        length = Objective("length", maximise=True)
        walk = make("dominoes", 100, 300, seed, chain="yes").with_objective(length)
        assert optimise(walk.puzzle, name, Limits(seconds=60)).cost == 300


# ---- the search of article 003 ---------------------------------------------------------------


def article_calls(tiles: list[tuple[int, int]]) -> tuple[int, int]:
    """The article's dfsLongest as it stands there: the longest chain, and its calls."""
    beside: dict[int, list[tuple[int, int]]] = {}
    for tile, (first, second) in enumerate(tiles):
        a, b = min(first, second), max(first, second)
        beside.setdefault(a, []).append((tile, b))
        if a != b:
            beside.setdefault(b, []).append((tile, a))
    used = [False] * len(tiles)
    best = calls = 0

    def search(pip: int, length: int) -> None:
        nonlocal best, calls
        calls += 1
        if length + used.count(False) <= best:
            return
        best = max(best, length)
        for tile, there in beside[pip]:
            if not used[tile]:
                used[tile] = True
                search(there, length + 1)
                used[tile] = False

    for pip in sorted(beside):
        search(pip, 0)
    return best, calls


@settings(max_examples=60)
@given(tile_lists(min_tiles=1, max_tiles=7))
def test_calls_are_the_articles(tiles: list[tuple[int, int]]) -> None:
    """``calls`` counts what the article's recursion calls, to the last one."""
    best, calls = article_calls(tiles)
    found = optimise(longest_of([list(tile) for tile in tiles]), "reference")
    assert (found.cost, found.stats["calls"]) == (best, calls)


@pytest.mark.parametrize("name", VARIANTS[1:])
def test_variants(name: str) -> None:
    """Each of its ideas gives the same answers as the plain search, under every rule."""

    @settings(max_examples=20)
    @given(tile_lists(min_tiles=1, max_tiles=5), st.sampled_from(DOMINO_RULES), STARTS, WHAT)
    def agrees(tiles: list[tuple[int, int]], rules: str, start: int | None, what: str) -> None:
        instance = Dominoes(tuple(tiles), start, rules)
        assert count(instance.puzzle, name).value == count(instance.puzzle, "reference").value
        puzzle = instance.with_objective(Objective(what, maximise=True)).puzzle
        assert optimise(puzzle, name).cost == optimise(puzzle, "reference").cost

    agrees()


def test_what_the_ideas_save(shared) -> None:
    """Not meeting a set of used tiles twice and bounding by components never cost calls; on the
    golden sets of ten tiles each idea saves some in all.
    """
    calls = dict.fromkeys(VARIANTS, 0)
    for facts in golden(shared):
        if facts["n"] == 10:
            puzzle = longest_of(facts["tiles"])
            found = {name: optimise(puzzle, name) for name in VARIANTS}
            spent = {name: int(answer.stats["calls"]) for name, answer in found.items()}
            assert {answer.cost for answer in found.values()} == {facts["longest"]}
            assert spent["reference:subsets"] <= spent["reference"]
            assert spent["reference:components"] <= spent["reference"]
            for name in VARIANTS:
                calls[name] += spent[name]
    assert all(calls[name] < calls["reference"] for name in VARIANTS[1:])


def test_components_cannot_be_spliced() -> None:
    """The longest chain of two separate parts is that of one of them, not of both together."""
    puzzle = longest_of([[0, 1], [1, 2], [2, 2], [5, 6], [6, 7]])
    for name in VARIANTS:
        assert optimise(puzzle, name).cost == 3


def test_budget_of_calls() -> None:
    """A limit of nodes ends the search with the best chain so far and a bound, and it can go on
    to the optimum, with as many calls in all.
    """
    instance = make("dominoes", 7, 10, 4).with_objective(Objective("length", maximise=True))
    proved = optimise(instance.puzzle, "reference")
    stopped = optimise(instance.puzzle, "reference", Limits(nodes=20))
    assert (stopped.status, stopped.reason) == (Status.SATISFIABLE, Reason.NODES)
    assert stopped.cost is not None
    assert proved.cost is not None
    assert stopped.cost < proved.cost < 10 == stopped.bound
    assert stopped.stats["calls"] == 20
    with Run(instance.puzzle, get("reference"), Limits(nodes=20), optimise=True) as run:
        while True:
            for _ in run:
                pass
            if run.reason is None:
                break
        assert (run.cost, run.search.stats) == (proved.cost, proved.stats)


def test_refused() -> None:
    """Counts that are no chain of dominoes, least instead of most, and foreign options."""
    with pytest.raises(Unsupported, match="counts that are no chain"):
        solve(small_multigraph(), "reference")
    odd = Puzzle.build([(1, Counts(frozenset({1}))), (1, Counts(frozenset({1})))], [(0, 0, 1, 0)])
    with pytest.raises(Unsupported, match="counts that are no chain"):
        solve(odd, "reference")
    shortest = Dominoes(((0, 1),)).with_objective(Objective("length"))
    with pytest.raises(Unsupported, match="these costs"):
        optimise(shortest.puzzle, "reference")
    with pytest.raises(Unsupported, match="option 'astar' in the search for chains"):
        solve(Dominoes(((0, 1),)).puzzle, "reference:astar")
    with pytest.raises(UsageError):
        get("reference:spliced")
