"""Seeded generators: the same arguments give the same puzzle on every platform."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..board import Board
from ..errors import UsageError
from ..instance import Instance
from .assembly import plant_near_miss, plant_random
from .cycles import plant_cycles, plant_faces
from .dense import plant_dense
from .distinct import canonical, distinct
from .dominoes import make_dominoes
from .flow import make_flow
from .hard import plant_ec, plant_elbow_torus, plant_mut
from .java import JavaGenerator, java_assembly, plant_java
from .java_random import JavaRandom
from .partial import plant_partial
from .path import make_path
from .planted import Planted
from .trees import plant_dfs, plant_kruskal, plant_net

__all__ = [
    "FAMILIES",
    "GENERATORS",
    "PLANTERS",
    "JavaGenerator",
    "JavaRandom",
    "Planted",
    "canonical",
    "distinct",
    "generate",
    "java_assembly",
    "make",
    "options",
    "plant",
]

PLANTERS: dict[str, Callable[..., Planted]] = {
    "net": plant_net,
    "dfs": plant_dfs,
    "kruskal": plant_kruskal,
    "cycles": plant_cycles,
    "faces": plant_faces,
    "dense": plant_dense,
    "partial": plant_partial,
    "near-miss": plant_near_miss,
    "random": plant_random,
    "mut": plant_mut,
    "ec": plant_ec,
    "elbow-torus": plant_elbow_torus,
    "java": plant_java,
}
"""Name to ``(width, height, seed, *, wrap=..., options) -> Planted``."""


def _board_only(planter: Callable[..., Planted]) -> Callable[..., Board]:
    @functools.wraps(planter)
    def generator(*args: Any, **kwargs: Any) -> Board:
        return planter(*args, **kwargs).board

    return generator


GENERATORS: dict[str, Callable[..., Board]] = {
    name: _board_only(planter) for name, planter in PLANTERS.items()
}
"""Name to ``(width, height, seed, *, wrap=..., options) -> Board``."""


FAMILIES: dict[str, Callable[..., Instance]] = {
    "dominoes": make_dominoes,
    "flow": make_flow,
    "path": make_path,
}
"""Generators of the other families: name to ``(width, height, seed, *, options) -> Instance``."""


def options(kind: str) -> dict[str, Any]:
    """The options of a generator beyond size, seed and wrap, with their defaults.

    Raises UsageError for an unknown generator.
    """
    known = {**PLANTERS, **FAMILIES}
    if kind not in known:
        raise UsageError(f"generator {kind!r}: expected one of {', '.join(known)}")
    parameters = inspect.signature(known[kind]).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "wrap"}


def plant(
    kind: str, width: int, height: int, seed: int, *, wrap: bool | None = None, **given: Any
) -> Planted:
    """The board of a generator by name, with the solution it was made from if it has one.

    ``wrap`` None takes the generator's own default. Raises UsageError for an unknown generator,
    option or value, GenerationFailed when no such board was found.
    """
    if kind in FAMILIES:
        raise UsageError(f"generator {kind!r} makes no boards; use make")
    _check_options(kind, given)
    if wrap is not None:
        given["wrap"] = wrap
    return PLANTERS[kind](width, height, seed, **given)


def _check_options(kind: str, given: dict[str, Any]) -> None:
    known = options(kind)
    for name in given:
        if name not in known:
            accepted = ", ".join(known) or "none"
            raise UsageError(f"option {name!r} of generator {kind!r}: expected {accepted}")


def generate(
    kind: str, width: int, height: int, seed: int, *, wrap: bool | None = None, **given: Any
) -> Board:
    """As ``plant``, the board alone."""
    return plant(kind, width, height, seed, wrap=wrap, **given).board


def make(
    kind: str, width: int, height: int, seed: int, *, wrap: bool | None = None, **given: Any
) -> Instance:
    """A puzzle of any family, boards included. Raises as ``plant`` does."""
    if kind not in FAMILIES:
        return generate(kind, width, height, seed, wrap=wrap, **given)
    _check_options(kind, given)
    if wrap:
        raise UsageError(f"generator {kind!r} knows no wrap")
    return FAMILIES[kind](width, height, seed, **given)
