"""The costs of a puzzle as the objective of its CP-SAT model."""

from __future__ import annotations

from ortools.sat.python import cp_model

from ..puzzles.model import Puzzle, Table
from .cpsat import CpsatEncoding
from .cpsat_domains import add_is_mask

LARGEST = 2**53
"""Sums of costs stay below: CP-SAT tells its bound as a double."""


def largest_cost(puzzle: Puzzle) -> int:
    """No solution costs more than this, of either sign."""
    costs = puzzle.costs
    assert costs is not None
    worst = [max((abs(cost) for _, cost in row), default=0) for row in costs.rows]
    return sum(worst[r] for r in costs.row_of.tolist()) + sum(map(abs, costs.edge.tolist()))


def add_objective(encoding: CpsatEncoding) -> cp_model.LinearExpr:
    """Make the model look for the least cost, or the greatest if the puzzle says so; returns
    the cost as an expression. All its Booleans are functions of the ports.
    """
    puzzle, model = encoding.puzzle, encoding.model
    costs = puzzle.costs
    assert costs is not None
    terms: list[cp_model.IntVar | int] = []
    prices: list[int] = []
    for edge, price in enumerate(costs.edge.tolist()):
        if price:
            terms.append(encoding.joined[edge])
            prices.append(price)
    rows = [dict(row) for row in costs.rows]
    for vertex, index in enumerate(costs.row_of.tolist()):
        price_of = {mask: price for mask, price in rows[index].items() if price}
        if not price_of:
            continue
        if isinstance(puzzle.domain(vertex), Table):
            chosen = encoding.selected[vertex]
        else:
            local = encoding.local(vertex)
            made = [(mask, add_is_mask(model, local, mask)) for mask in price_of]
            chosen = [(mask, y) for mask, y in made if y is not None]
        terms += [y for mask, y in chosen if mask in price_of]
        prices += [price_of[mask] for mask, _ in chosen if mask in price_of]
    total = _total(terms, prices)
    if costs.maximise:
        model.maximize(total)
    else:
        model.minimize(total)
    return total


def _total(terms: list[cp_model.IntVar | int], prices: list[int]) -> cp_model.LinearExpr:
    fixed = sum(price for y, price in zip(terms, prices, strict=True) if isinstance(y, int))
    free = [(y, p) for y, p in zip(terms, prices, strict=True) if not isinstance(y, int)]
    weighted = cp_model.LinearExpr.weighted_sum([y for y, _ in free], [p for _, p in free])
    return weighted + fixed
