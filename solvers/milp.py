"""The engine ``milp``: an integer linear model, HiGHS, connectivity by lazy cuts.

See docs/milp.md; the searches are in ``milp_search.py`` and ``milp_best.py``.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import ClassVar

from ..puzzles.errors import UsageError
from ..puzzles.model import Puzzle
from .contract import Capabilities, Engine, Limits, Search, Variant
from .milp_best import MilpBest
from .milp_search import COUNTERS, MilpSearch

MOST_SEED = 2**31 - 1
"""The largest that HiGHS takes."""


class Milp(Engine):
    """HiGHS on every rule of the model. Its one option is ``seedN``, the seed of HiGHS's own
    choices. A node of its limits is a node of branch and bound.
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
        self.seed = _seed(variant)

    def versions(self) -> dict[str, str]:
        """The version of highspy, which carries HiGHS."""
        return {"highspy": version("highspy")}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Build the model."""
        return MilpSearch(puzzle, limits, seed=self.seed)

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """Build the model with its costs. Raises Unsupported if they are so far apart that
        floating point could confuse two of them.
        """
        return MilpBest(puzzle, limits, seed=self.seed)


def _seed(variant: Variant) -> int | None:
    """The seed that the options name, None without one; raises UsageError."""
    found = re.fullmatch(r"seed(\d+)", variant.options[0]) if variant.options else None
    if variant.borrowed or len(variant.options) > 1 or (variant.options and found is None):
        raise UsageError(
            f"solver {str(variant)!r}: expected no option but seedN, and nothing borrowed"
        )
    if found is not None and int(found[1]) > MOST_SEED:
        raise UsageError(f"solver {str(variant)!r}: expected a seed of at most {MOST_SEED}")
    return None if found is None else int(found[1])
