"""Spanning trees with extra edges: connected boards with many cycles."""

from __future__ import annotations

from .planted import Grid, Planted, planted, probability
from .stream import Stream
from .trees import wilson


def plant_dense(
    width: int, height: int, seed: int, *, wrap: bool = False, x: float = 0.3
) -> Planted:
    """A uniform spanning tree, and each other edge with probability ``x``.

    x = 0 is a tree, x = 1 the whole grid. Raises UsageError, and GenerationFailed as net does.
    """
    chance = probability("x", x)
    grid, stream = Grid(width, height, wrap), Stream(seed)
    on = wilson(grid, stream)
    on |= stream.uniform(grid.edges) < chance
    masks = grid.masks(on)
    return planted(grid, masks, stream, family="dense", seed=seed, rules="connected")
