"""Connectivity for CP-SAT as a single-commodity flow along joined edges.

Under connect used one used vertex, the root, sends one unit to every other used vertex; that can
be done exactly if the used vertices hang together. Under reach the sources send one unit to every
sink. One *signed* variable per edge carries the net flow from its first vertex to its second
(Gavish and Graves 1978 use two of them).
"""

from __future__ import annotations

import numpy as np
from ortools.sat.python import cp_model

from ..puzzles.model import IntArray
from .cpsat import CpsatEncoding

Terms = list[tuple[cp_model.IntVar, int]]


def add_flow(encoding: CpsatEncoding) -> None:
    """Make the used vertices hang together, or the sinks with sources. The flow is not a
    function of the ports, so a model with it must not be enumerated: block solutions on the
    ports instead.
    """
    if encoding.puzzle.rules.connect == "used":
        _add_used(encoding)
    elif encoding.puzzle.rules.connect == "reach":
        _add_reach(encoding)


def _add_used(encoding: CpsatEncoding) -> None:
    number = int(encoding.possible.sum())
    if number < 2:
        return
    sure = encoding.always.any()
    root = _root(encoding)
    into = np.full(encoding.puzzle.vertices, number - 1)
    out = into.copy()
    if sure:
        # A vertex that has at most one opening takes its unit and passes none on.
        into[encoding.most <= 1], out[encoding.most <= 1] = 1, 0
    into[root], out[root] = 0, number - 1
    balance = _add_edges(encoding, into, out)
    if not sure:
        _add_supplies(encoding, balance, root)
    for vertex in np.flatnonzero(encoding.possible).tolist():
        if vertex != root or not sure:  # what the root sends is the sum of what the others take
            _take(encoding, balance[vertex], encoding.is_used(vertex))


def _add_reach(encoding: CpsatEncoding) -> None:
    rules, number = encoding.puzzle.rules, encoding.puzzle.vertices
    sources, sinks = list(set(rules.sources)), list(set(rules.sinks) - set(rules.sources))
    if not sinks:
        return
    into = np.full(number, len(sinks))
    out = into.copy()
    end = encoding.most <= 1
    into[end], out[end] = 0, 0
    into[sinks] = np.where(end[sinks], 1, into[sinks])
    into[sources], out[sources] = 0, len(sinks)
    balance = _add_edges(encoding, into, out)
    for vertex in sorted(set(range(number)) - set(sources)):
        _take(encoding, balance[vertex], int(vertex in sinks))


def _take(encoding: CpsatEncoding, terms: Terms, units: cp_model.IntVar | int) -> None:
    """So many units stay at a vertex."""
    if terms:
        arriving = cp_model.LinearExpr.weighted_sum([x for x, _ in terms], [c for _, c in terms])
        encoding.model.add(arriving == units)
    elif isinstance(units, int):
        encoding.model.add_bool_or([1] if units == 0 else [])
    else:
        encoding.model.add_bool_or([~units])


def _root(encoding: CpsatEncoding) -> int:
    """Of the always used vertices, or if there are none of the possible ones, that with the most
    ports, and of those one with the most openings.
    """
    choice = np.flatnonzero(encoding.always if encoding.always.any() else encoding.possible)
    return int(choice[np.lexsort((encoding.most[choice], encoding.puzzle.degree[choice]))[-1]])


def _add_edges(encoding: CpsatEncoding, into: IntArray, out: IntArray) -> list[Terms]:
    """The flow variables; returns what arrives at each vertex as signed terms.

    ``into`` and ``out`` (vertices,) bound what an edge brings to a vertex and takes from it.
    """
    puzzle, model = encoding.puzzle, encoding.model
    ends = puzzle.edge_vertices
    first, second = ends[:, 0], ends[:, 1]
    forth = np.minimum(out[first], into[second]).tolist()
    back = np.minimum(out[second], into[first]).tolist()
    live = (first != second) & (encoding.most[ends] > 0).all(axis=1)
    balance: list[Terms] = [[] for _ in range(puzzle.vertices)]
    for edge in np.flatnonzero(live).tolist():
        u, v = ends[edge].tolist()
        flow = model.new_int_var(-back[edge], forth[edge], "")
        model.add(flow == 0).only_enforce_if(~encoding.joined[edge])
        balance[u].append((flow, -1))
        balance[v].append((flow, 1))
    return balance


def _add_supplies(encoding: CpsatEncoding, balance: list[Terms], first: int) -> None:
    """No vertex is used in every solution: at most one, itself used, is chosen as the root. It
    is the ``first`` if that is used: without a choice to make, search is many times shorter.
    """
    model = encoding.model
    possible = np.flatnonzero(encoding.possible).tolist()
    chosen = []
    for vertex in possible:
        is_root = model.new_bool_var("")
        used = encoding.is_used(vertex)
        model.add_implication(is_root, used)
        if vertex == first:
            model.add_implication(used, is_root)
        supply = model.new_int_var(0, len(possible), "")
        model.add(supply == 0).only_enforce_if(~is_root)
        balance[vertex].append((supply, 1))
        chosen.append(is_root)
    model.add_at_most_one(chosen)
