"""An independent oracle: the least cost of a leak-free board as a minimum-cost flow.

Colour the cells like a checkerboard. Black cells send one unit through each of their openings,
white cells take one. A cell's units pass a node for each axis (up and down, right and left)
before they reach the ports. So capacities say what a piece may open:

- an end sends 1, a tee 3, a cross 4, at most 2 along an axis: any ports will do;
- an elbow sends 2, at most 1 along each axis: one of up and down, one of right and left;
- a piece with one possible mask (locked, or held by the rim) may use that mask's ports only;
- a straight with two possible masks would send 2 along one axis and none along the other, which
  no flow can say: the oracle does not apply.

Costs belong to ports here, to masks in the model. Those of an end are the ports' own. A tee's
mask is what it leaves closed, so three times its costs can be spread: with S the sum over its four
masks, port p bears S - 3 cost(all but p). An elbow's can be spread exactly if
cost(up-right) + cost(down-left) = cost(right-down) + cost(left-up), or if the rim excludes some
of the four. Turning both ways costs 0, 1, 2, 1 around the clock, which fits; one way 0, 1, 2, 3
does not (and no other network helps: those four costs are not M-convex). So the least number of
rotations is a flow where free elbows turn both ways; whether a board is solvable is one always.
"""

from __future__ import annotations

from collections import deque

import networkx as nx
from plumbench.puzzles.model import Puzzle, Table

SCALE = 3
ELBOWS = (3, 6, 12, 9)
"""up-right, right-down, down-left, left-up."""


class NoFlow(Exception):
    """The puzzle is none that this oracle can judge."""


def solvable(puzzle: Puzzle) -> bool:
    """Whether there is a leak-free solution; raises NoFlow."""
    return _least(puzzle, priced=False) is not None


def least_cost(puzzle: Puzzle) -> int | None:
    """The least cost of a leak-free solution, None if there is none; raises NoFlow."""
    return _least(puzzle, priced=True)


def _least(puzzle: Puzzle, *, priced: bool) -> int | None:
    if puzzle.rules.leaks != "forbidden" or puzzle.rules.connect != "none":
        raise NoFlow("not the rule match")
    graph, constant = nx.DiGraph(), 0
    for vertex, black in enumerate(_colours(puzzle)):
        masks = _possible(puzzle, vertex)
        if not masks:
            return None
        costs = dict.fromkeys(masks, 0)
        if priced and puzzle.costs is not None:
            row = dict(puzzle.costs.rows[puzzle.costs.row_of[vertex]])
            costs = {mask: row.get(mask, 0) for mask in masks}
        if len(masks) == 1:
            constant += costs.pop(masks[0])
        prices = _prices(masks, costs)
        units = masks[0].bit_count()
        graph.add_node(("cell", vertex), demand=-units if black else units)
        axis = 1 if units == 2 and len(masks) > 1 else 2
        for bit, price in prices.items():
            port = ("port", int(puzzle.first_port[vertex]) + bit)
            middle = ("axis", vertex, bit % 2)
            _arc(graph, ("cell", vertex), middle, axis, 0, forward=black)
            _arc(graph, middle, port, 1, price, forward=black)
    colours = _colours(puzzle)
    for p, q in puzzle.edge_ports.tolist():
        tail, head = (p, q) if colours[puzzle.owner[p]] else (q, p)
        graph.add_edge(("port", tail), ("port", head), capacity=1, weight=0)
    try:
        cost, _ = nx.network_simplex(graph) if graph else (0, {})
    except nx.NetworkXUnfeasible:
        return None
    assert cost % SCALE == 0
    return cost // SCALE + constant


def _arc(graph: nx.DiGraph, u: object, v: object, capacity: int, weight: int, *, forward: bool):
    graph.add_edge(*((u, v) if forward else (v, u)), capacity=capacity, weight=weight)


def _colours(puzzle: Puzzle) -> list[bool]:
    """True for black; raises NoFlow if the cells cannot be coloured."""
    beside: list[list[int]] = [[] for _ in range(puzzle.vertices)]
    for u, v in puzzle.edge_vertices.tolist():
        beside[u].append(v)
        beside[v].append(u)
    colour: dict[int, bool] = {}
    for start in range(puzzle.vertices):
        waiting = deque([start] if start not in colour else [])
        colour.setdefault(start, True)
        while waiting:
            here = waiting.popleft()
            for there in beside[here]:
                if there not in colour:
                    waiting.append(there)
                if colour.setdefault(there, not colour[here]) == colour[here]:
                    raise NoFlow("the grid is not bipartite")
    return [colour[v] for v in range(puzzle.vertices)]


def _possible(puzzle: Puzzle, vertex: int) -> list[int]:
    """The masks of the vertex that open no closed stub."""
    domain, first = puzzle.domain(vertex), int(puzzle.first_port[vertex])
    assert isinstance(domain, Table)
    closed = sum(1 << i for i in range(domain.degree) if puzzle.twin[first + i] < 0)
    return [mask for mask in domain.masks if not mask & closed]


def _prices(masks: list[int], costs: dict[int, int]) -> dict[int, int]:
    """What each port bears, times SCALE, for the ports that some mask opens; raises NoFlow.

    ``costs`` of a single mask have been taken out before.
    """
    ports = [bit for bit in range(4) if any(mask >> bit & 1 for mask in masks)]
    if len(masks) == 1:
        return dict.fromkeys(ports, 0)
    units = masks[0].bit_count()
    if units == 1:
        return {bit: SCALE * costs[1 << bit] for bit in ports}
    if units == 3:
        total = sum(costs.values())
        return {bit: total - SCALE * costs[15 - (1 << bit)] for bit in ports}
    if units == 2 and set(masks) <= set(ELBOWS):
        return _elbow(ports, costs)
    raise NoFlow("a straight that can lie both ways")


def _elbow(ports: list[int], costs: dict[int, int]) -> dict[int, int]:
    if len(costs) == 2:  # one port is open in both
        return {bit: SCALE * _other(bit, costs) for bit in ports}
    a, b, c, d = (costs[mask] for mask in ELBOWS)
    if a + c != b + d:
        raise NoFlow("an elbow whose costs no ports can bear")
    return {0: 0, 1: SCALE * a, 2: SCALE * (b - a), 3: SCALE * d}


def _other(bit: int, costs: dict[int, int]) -> int:
    """The cost of the one mask that the port decides; 0 for the port that both masks open."""
    open_in = [mask for mask in costs if mask >> bit & 1]
    return costs[open_in[0]] if len(open_in) == 1 else 0
