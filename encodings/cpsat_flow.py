"""Connectivity for CP-SAT as a single-commodity flow.

One used vertex, the root, sends one unit to every other used vertex along joined edges; that
can be done exactly if the used vertices hang together. One *signed* variable per edge carries
the net flow from its first vertex to its second (Gavish and Graves 1978 use two of them).
"""

from __future__ import annotations

import numpy as np
from ortools.sat.python import cp_model

from .cpsat import CpsatEncoding

Terms = list[tuple[cp_model.IntVar, int]]


def add_flow(encoding: CpsatEncoding) -> None:
    """Make the used vertices hang together. The flow is not a function of the ports, so a
    model with it must not be enumerated: block solutions on the ports instead.
    """
    if int(encoding.possible.sum()) < 2:
        return
    root = _root(encoding)
    balance = _add_edges(encoding, root)
    if root is None:
        _add_supplies(encoding, balance)
    model = encoding.model
    for vertex in np.flatnonzero(encoding.possible).tolist():
        if vertex == root:
            continue  # what the root sends is the sum of what the others take
        terms = balance[vertex]
        arriving = cp_model.LinearExpr.weighted_sum([x for x, _ in terms], [c for _, c in terms])
        model.add(arriving == encoding.is_used(vertex))


def _root(encoding: CpsatEncoding) -> int | None:
    """An always used vertex with the most openings, None if no vertex is always used."""
    sure = np.flatnonzero(encoding.always)
    return int(sure[np.argmax(encoding.most[sure])]) if len(sure) else None


def _add_edges(encoding: CpsatEncoding, root: int | None) -> list[Terms]:
    """The flow variables; returns what arrives at each vertex as signed terms."""
    puzzle, model = encoding.puzzle, encoding.model
    carried = int(encoding.possible.sum()) - 1
    # With a known root, a vertex that has at most one opening takes its unit and passes none on.
    end = encoding.most <= 1
    if root is None:
        end = np.zeros_like(end)
    else:
        end[root] = False
    balance: list[Terms] = [[] for _ in range(puzzle.vertices)]
    is_end = end.tolist()
    for edge, (u, v) in enumerate(puzzle.edge_vertices.tolist()):
        if u == v:
            continue
        most = 0 if is_end[u] else 1 if is_end[v] else carried
        least = 0 if is_end[v] else -1 if is_end[u] else -carried
        flow = model.new_int_var(least, most, "")
        model.add(flow == 0).only_enforce_if(~encoding.variables[edge])
        balance[u].append((flow, -1))
        balance[v].append((flow, 1))
    return balance


def _add_supplies(encoding: CpsatEncoding, balance: list[Terms]) -> None:
    """No vertex is used in every solution: at most one, itself used, is chosen as the root."""
    model = encoding.model
    possible = np.flatnonzero(encoding.possible).tolist()
    chosen = []
    for vertex in possible:
        is_root = model.new_bool_var("")
        model.add_implication(is_root, encoding.is_used(vertex))
        supply = model.new_int_var(0, len(possible), "")
        model.add(supply == 0).only_enforce_if(~is_root)
        balance[vertex].append((supply, 1))
        chosen.append(is_root)
    model.add_at_most_one(chosen)
