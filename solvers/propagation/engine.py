"""The engine ``propagation`` behind the contract: options, limits, statistics, decoding."""

from __future__ import annotations

from typing import ClassVar

from ...puzzles.errors import Unsupported
from ...puzzles.model import Puzzle
from ..contract import Capabilities, Deadline, Engine, Limits, Variant
from . import layout
from .improve import BestFirst, BranchAndBound, Improvement
from .search import Tree, run
from .sliced import SlicedSearch
from .state import State
from .statistics import COUNTERS, SLICE
from .variants import ASTAR, switched_off


class Propagation(Engine):
    """Depth-first search with propagation at every node; see docs/propagation.md.

    Options ``no-<deduction>`` are listed in ``variants.SWITCHES``; ``astar`` optimises best first.
    """

    name: ClassVar[str] = "propagation"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden", "sealed", "allowed"}),
        connect=frozenset({"none", "used", "reach"}),
        objective=True,
        interrupt=True,
        counters=COUNTERS,
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self._off = switched_off(variant)
        self._astar = ASTAR in variant.options

    def require(self, puzzle: Puzzle, *, many: bool, objective: bool = False) -> None:
        """As for any engine; A* has an order only where there is an objective."""
        super().require(puzzle, many=many, objective=objective)
        if self._astar and not objective:
            raise Unsupported(str(self.variant), "a job without an objective")

    def improve(self, puzzle: Puzzle, limits: Limits) -> Improvement:
        """Branch and bound, or A*, over the same decisions."""
        deadline = Deadline(limits)
        state = State(layout.build(puzzle), self._off)
        kind = BestFirst if self._astar else BranchAndBound
        return kind(puzzle, state, limits, deadline)

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> PropagationSearch:
        """Flatten the puzzle; the search begins with the first ``next``."""
        deadline = Deadline(limits)
        return PropagationSearch(State(layout.build(puzzle), self._off), limits, deadline)


class PropagationSearch(SlicedSearch):
    """One run over all solutions."""

    def __init__(self, state: State, limits: Limits, deadline: Deadline) -> None:
        super().__init__(state, limits, deadline)
        self._tree = Tree(state)

    def _slice(self) -> int:
        return run(self._tree, SLICE, self._nodes)
