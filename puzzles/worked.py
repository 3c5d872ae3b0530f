"""Worked examples: problems of other kinds as puzzles of the model.

Tours, wiring and Hamiltonian paths need nothing new: vertices that say how many of their edges
are used, connect used, and costs on the edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .domains import Counts, Domain
from .errors import InvalidPuzzle
from .model import Puzzle, Rules
from .topology import DOWN, RIGHT, Square
from .values import rows, sequence, whole, whole_numbers

TWO = Counts(frozenset({2}))

Edge = tuple[int, int]


def graph_puzzle(
    vertices: int,
    edges: Iterable[Sequence[int]],
    numbers: Sequence[Counts],
    rules: Rules,
    costs: Sequence[int] | None = None,
) -> Puzzle:
    """A graph as a puzzle: vertex v uses so many of its edges as ``numbers[v]`` allows. Edges
    are pairs of vertices, also parallel ones and loops; ``costs`` has one number for each.

    Raises InvalidPuzzle for edges of other vertices, or another number of costs.
    """
    pairs = [whole_numbers(pair, "edges") for pair in rows(edges, 2, "edges")]
    degree = [0] * vertices
    joined = []
    for u, v in pairs:
        if not (0 <= u < vertices and 0 <= v < vertices):
            raise InvalidPuzzle(f"edge {u}-{v}: expected vertices below {vertices}")
        joined.append((u, degree[u], v, degree[v] + (u == v)))
        degree[u] += 1
        degree[v] += 1
    if costs is not None and len(costs) != len(pairs):
        raise InvalidPuzzle(f"{len(costs)} costs: expected one for each of {len(pairs)} edges")
    listed: list[tuple[int, Domain]] = list(zip(degree, numbers, strict=True))
    return Puzzle.build(listed, joined, rules=rules, edge_costs=costs)


def travelling_salesman(costs: Sequence[Sequence[int]]) -> Puzzle:
    """The cheapest round trip through all cities: two edges at each, all in one component.

    ``costs`` (cities, cities) is symmetric, its diagonal is not read. Edges are the pairs of
    cities in order: 0-1, 0-2, ..., 1-2, and so on. Raises InvalidPuzzle for fewer than three
    cities or a matrix that is not square and symmetric.
    """
    given = [whole_numbers(row, "costs") for row in sequence(costs, "costs")]
    cities = len(given)
    if cities < 3:
        raise InvalidPuzzle(f"{cities} cities: expected at least 3")
    if any(len(row) != cities for row in given):
        raise InvalidPuzzle(f"costs: expected {cities} rows of {cities} numbers")
    pairs = [(u, v) for u in range(cities) for v in range(u + 1, cities)]
    uneven = next(((u, v) for u, v in pairs if given[u][v] != given[v][u]), None)
    if uneven is not None:
        raise InvalidPuzzle(f"costs: {uneven[0]}-{uneven[1]} costs less one way, expected the same")
    prices = [given[u][v] for u, v in pairs]
    return graph_puzzle(cities, pairs, [TWO] * cities, Rules(connect="used"), prices)


def steiner_tree(
    vertices: int, edges: Iterable[Sequence[int]], costs: Sequence[int], terminals: Sequence[int]
) -> Puzzle:
    """The cheapest tree of edges that joins all terminals; other vertices as it needs them."""
    pairs = [whole_numbers(pair, "edges") for pair in rows(edges, 2, "edges")]
    degree = [0] * vertices
    for end in (end for pair in pairs for end in pair):
        if 0 <= end < vertices:
            degree[end] += 1
    any_number = [Counts(frozenset(range(d + 1))) for d in degree]
    rules = Rules(connect="used", acyclic=True, needed=tuple(terminals))
    return graph_puzzle(vertices, pairs, any_number, rules, costs)


def wiring(
    width: int, height: int, pins: Sequence[int], blocked: Sequence[int] = (), cost: int = 1
) -> Puzzle:
    """The shortest wire on a grid that joins all pins: a Steiner tree along cell borders.

    ``pins`` and ``blocked`` are cells, row by row; no wire enters a blocked one. Raises
    InvalidPuzzle for a cell off the grid or a blocked pin.
    """
    cells = width * height
    closed = set(whole_numbers(blocked, "blocked"))
    pins = whole_numbers(pins, "pins")
    for cell in (*pins, *closed):
        if not 0 <= whole(cell, "cell") < cells:
            raise InvalidPuzzle(f"cell {cell}: expected numbers below {cells}")
    if closed & set(pins):
        raise InvalidPuzzle(f"cell {min(closed & set(pins))} is a pin and blocked")
    edges = [e for e in grid_edges(width, height) if not closed & set(e)]
    return steiner_tree(cells, edges, [cost] * len(edges), pins)


def hamiltonian_paths(width: int, height: int) -> Puzzle:
    """Every path through all cells of a grid, in neither direction: one solution each.

    A further vertex, the last, is joined to every cell and uses two of those edges, to the
    path's ends; each cell uses two edges in all. Without that vertex a ring is a path again.
    """
    cells = width * height
    edges = [*grid_edges(width, height), *((cell, cells) for cell in range(cells))]
    return graph_puzzle(cells + 1, edges, [TWO] * (cells + 1), Rules(connect="used"))


def grid_edges(width: int, height: int) -> list[Edge]:
    """The pairs of cells that share a border: first all side by side, then one above the other."""
    there = Square(width, height).neighbours()
    return [
        (cell, int(there[cell, way]))
        for way in (RIGHT, DOWN)
        for cell in range(width * height)
        if there[cell, way] >= 0
    ]
