"""The engine ``milp``: an integer linear model, HiGHS, connectivity by lazy cuts.

See docs/milp.md; the searches are in ``milp_search.py`` and ``milp_best.py``.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import ClassVar

from ..puzzles.errors import UsageError
from ..puzzles.model import Puzzle
from .contract import Capabilities, Engine, Limits, Search, Variant
from .milp_best import MilpBest
from .milp_search import COUNTERS, MilpSearch


class Milp(Engine):
    """HiGHS on every rule of the model. It has no options. A node of its limits is a node of
    branch and bound.
    """

    name: ClassVar[str] = "milp"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden", "sealed", "allowed"}),
        connect=frozenset({"none", "used", "reach"}),
        objective=True,
        interrupt=True,
        counters=COUNTERS,
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        if variant.options or variant.borrowed:
            raise UsageError(f"solver {str(variant)!r}: milp has no options and borrows nothing")

    def versions(self) -> dict[str, str]:
        """The version of highspy, which carries HiGHS."""
        return {"highspy": version("highspy")}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Build the model."""
        return MilpSearch(puzzle, limits)

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """Build the model with its costs. Raises Unsupported if they are so far apart that
        floating point could confuse two of them.
        """
        return MilpBest(puzzle, limits)
