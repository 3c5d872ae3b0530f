"""Tours, wiring and Hamiltonian paths as puzzles of the model, in every engine."""

from __future__ import annotations

import json
from itertools import combinations, pairwise, permutations
from pathlib import Path

import networkx as nx
import plumbench.puzzles.library
import pytest
from engines import GENERAL, engine, examples, optimises
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.errors import InvalidPuzzle
from plumbench.puzzles.formats import load
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.library.worked_recipe import BLOCKED, PINS, distances
from plumbench.puzzles.model import Puzzle, Rules
from plumbench.puzzles.topology import Square
from plumbench.puzzles.track import grid_puzzle
from plumbench.puzzles.worked import (
    grid_edges,
    hamiltonian_paths,
    steiner_tree,
    travelling_salesman,
    wiring,
)
from plumbench.solvers.registry import ENGINES
from plumbench.solvers.run import count

WORKED = Path(plumbench.puzzles.library.__file__).parent / "worked"
OPTIMISERS = (*GENERAL, "brute")
every_optimiser = pytest.mark.parametrize("name", OPTIMISERS)
general = pytest.mark.parametrize("name", GENERAL)

Graph = tuple[int, list[tuple[int, int]], list[int], list[int]]


def cheapest_tour(costs: list[list[int]]) -> int:
    """By trying every order of the cities."""
    orders = ((0, *rest, 0) for rest in permutations(range(1, len(costs))))
    return min(sum(costs[u][v] for u, v in pairwise(order)) for order in orders)


def cheapest_tree(
    vertices: int, edges: list[tuple[int, int]], costs: list[int], terminals: list[int]
) -> int | None:
    """By trying every set of further vertices with a minimum spanning tree (Kruskal)."""
    others = [v for v in range(vertices) if v not in terminals]
    priced = sorted(zip(costs, edges, strict=True))
    best = None
    for number in range(len(others) + 1):
        for more in combinations(others, number):
            group = {v: v for v in (*terminals, *more)}
            price, parts = 0, len(group)
            for cost, (u, v) in priced:
                if u in group and v in group and group[u] != group[v]:
                    old, new = group[u], group[v]
                    group = {w: new if g == old else g for w, g in group.items()}
                    price, parts = price + cost, parts - 1
            if parts <= 1 and (best is None or price < best):
                best = price
    return best


def grown_tree(
    vertices: int, edges: list[tuple[int, int]], costs: list[int], terminals: list[int]
) -> int | None:
    """By growing trees of more and more terminals (Dreyfus and Wagner 1971)."""
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_weighted_edges_from((u, v, c) for (u, v), c in zip(edges, costs, strict=True))
    far = dict(nx.all_pairs_dijkstra_path_length(graph))
    everywhere = range(vertices)
    none = 10**9
    steps = [[int(far[u].get(v, none)) for v in everywhere] for u in everywhere]
    best = {1 << i: steps[terminal] for i, terminal in enumerate(terminals)}
    for group in range(1, 1 << len(terminals)):
        if group in best:
            continue
        parts = [part for part in range(1, group) if part & group == part]
        met = [min(best[p][v] + best[group ^ p][v] for p in parts) for v in everywhere]
        best[group] = [min(met[u] + steps[u][v] for u in everywhere) for v in everywhere]
    price = best[(1 << len(terminals)) - 1][terminals[0]]
    return price if price < none else None


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    """Symmetric costs of 3 to 5 cities."""
    cities = draw(st.integers(3, 5))
    costs = [[0] * cities for _ in range(cities)]
    for u, v in combinations(range(cities), 2):
        costs[u][v] = costs[v][u] = draw(st.integers(0, 20))
    return costs


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Small graphs with parallel edges and positive costs, and some terminals."""
    vertices = draw(st.integers(2, 6))
    vertex = st.integers(0, vertices - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), min_size=1, max_size=9))
    costs = draw(st.lists(st.integers(1, 9), min_size=len(edges), max_size=len(edges)))
    terminals = draw(st.lists(vertex, min_size=1, max_size=3, unique=True))
    return vertices, edges, costs, terminals


@given(graphs())
def test_the_oracles_agree(graph: Graph) -> None:
    """The two ways to find the cheapest tree without any engine agree."""
    assert grown_tree(*graph) == cheapest_tree(*graph)


@every_optimiser
def test_random_tours(name: str) -> None:
    """The cheapest round trip costs what trying all orders finds."""

    @settings(max_examples=examples(name, 20))
    @given(tables())
    def agrees(costs: list[list[int]]) -> None:
        optimises(engine(name), travelling_salesman(costs), cheapest_tour(costs))

    agrees()


@every_optimiser
def test_random_trees(name: str) -> None:
    """The cheapest Steiner tree costs what trying all vertex sets finds; none where terminals
    are apart.
    """

    @settings(max_examples=examples(name, 30))
    @given(graphs())
    def agrees(graph: Graph) -> None:
        optimises(engine(name), steiner_tree(*graph), cheapest_tree(*graph))

    agrees()


@general
def test_shipped_examples(name: str) -> None:
    """Seven cities and four pins: the optimum of the files is that of the oracles."""
    (salesman,) = load(WORKED / "salesman.json")
    puzzle = salesman.with_objective(Objective("cost")).puzzle
    optimises(engine(name), puzzle, cheapest_tour(distances()))
    (wire,) = load(WORKED / "wiring.json")
    edges = [e for e in grid_edges(5, 5) if not set(e) & set(BLOCKED)]
    best = grown_tree(25, edges, [1] * len(edges), [*PINS])
    optimises(engine(name), wire.with_objective(Objective("cost")).puzzle, best)
    assert wire.puzzle.fingerprint == wiring(5, 5, PINS, BLOCKED).fingerprint


@general
def test_wiring_around_a_blocked_cell(name: str) -> None:
    """On 4x3 cells the wire is as short as the oracle says, also around a blocked cell."""
    for pins, blocked in (([0, 3, 9], []), ([0, 3, 8, 11], [5]), ([0, 2], [1, 5])):
        edges = [e for e in grid_edges(4, 3) if not set(e) & set(blocked)]
        best = cheapest_tree(12, edges, [1] * len(edges), pins)
        optimises(engine(name), wiring(4, 3, pins, blocked), best)


def test_bad_examples() -> None:
    """What is no tour, tree or wire is refused."""
    for costs in ([[0, 1], [1, 0]], [[0, 1], [1, 0], [1, 1]], [[0, 1, 2], [1, 0, 3], [2, 4, 0]]):
        with pytest.raises(InvalidPuzzle):
            travelling_salesman(costs)
    with pytest.raises(InvalidPuzzle, match="expected vertices below"):
        steiner_tree(2, [(0, 2)], [1], [0])
    with pytest.raises(InvalidPuzzle, match="costs"):
        steiner_tree(2, [(0, 1)], [], [0])
    with pytest.raises(InvalidPuzzle, match="expected numbers below"):
        wiring(2, 2, [4])
    with pytest.raises(InvalidPuzzle, match="a pin and blocked"):
        wiring(2, 2, [0, 1], [1])


# ---- Hamiltonian paths -----------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in ENGINES if n != "reference"])
@pytest.mark.parametrize(("side", "expected"), [(2, 4), (3, 20)])
def test_hamiltonian_paths(name: str, side: int, expected: int) -> None:
    """O10: undirected Hamiltonian paths of 2x2 and 3x3."""
    assert count(hamiltonian_paths(side, side), name).value == expected


@pytest.mark.parametrize("name", ["propagation", "sat"])
def test_hamiltonian_paths_of_16_cells(name: str) -> None:
    """O10: 276 undirected Hamiltonian paths of 4x4."""
    assert count(hamiltonian_paths(4, 4), name).value == 276


@pytest.mark.fuzz
def test_hamiltonian_paths_of_25_cells() -> None:
    """O10: 4324 undirected Hamiltonian paths of 5x5."""
    assert count(hamiltonian_paths(5, 5), "propagation").value == 4324


def pinned(columns: int) -> Puzzle:
    """Four rows: the path's ends stand at the top left and bottom left, all else is between."""
    masks = {n: tuple(m for m in range(16) if m.bit_count() == n) for n in (1, 2)}
    ends = (0, 3 * columns)
    cells = [masks[1 if cell in ends else 2] for cell in range(4 * columns)]
    return grid_puzzle(Square(columns, 4), cells, Rules(connect="used"))


def test_pinned_ends(shared) -> None:
    """J08: T(1) to T(10) of the Hamiltonian paths from the top left to the bottom left."""
    values = json.loads(shared("cases", "inputs", "J08.json").read_text())["values"]
    found = [count(pinned(columns), "propagation").value for columns in range(1, 11)]
    assert found == values
    assert values[-1] == 2329


@pytest.mark.parametrize("name", list(ENGINES))
def test_pinned_ends_in_every_engine(name: str) -> None:
    """J08: T(1) to T(5)."""
    assert [count(pinned(n), name).value for n in range(1, 6)] == [1, 1, 4, 8, 23]
