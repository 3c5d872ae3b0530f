"""The engine ``reference``: the article's own search for each form of puzzle."""

from __future__ import annotations

from ...puzzles.errors import Unsupported, UsageError
from ...puzzles.model import Puzzle
from ..contract import Capabilities, Engine, Limits, Search, Variant
from .board import BOARD
from .chain import CHAIN
from .flow import FLOW
from .kind import Kind
from .path import PATH

KINDS: tuple[Kind, ...] = (FLOW, PATH, BOARD, CHAIN)
"""The first that takes a puzzle searches it."""


class Reference(Engine):
    """``reference(:option)*``; an option belongs to one article's search and is refused on
    puzzles of the others. Goes on after a solution as after a dead end, so it enumerates.
    """

    name = "reference"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden", "sealed", "allowed"}),
        connect=frozenset({"none", "used", "reach"}),
        objective=True,
        interrupt=True,
        seeds=False,
        counters={
            "calls": "calls of the article's recursive search, each one a board it looked at; "
            "what the article calls nodes"
        },
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        known = [option for kind in KINDS for option in kind.options]
        unknown = [option for option in variant.options if option not in known]
        if unknown or variant.borrowed:
            found = unknown[0] if unknown else f"+{variant.borrowed[0]}"
            raise UsageError(
                f"solver {str(variant)!r}: option {found!r}, expected one of {', '.join(known)}"
            )

    def require(self, puzzle: Puzzle, *, many: bool, objective: bool = False) -> None:
        """Raises Unsupported for a job or an option that this puzzle's search does not know."""
        super().require(puzzle, many=many, objective=objective)
        kind = self._kind(puzzle)
        foreign = [option for option in self.variant.options if option not in kind.options]
        if foreign:
            raise Unsupported(
                str(self.variant), f"option {foreign[0]!r} in the search for {kind.name}"
            )
        if objective and puzzle.costs is not None and not kind.optimises(puzzle):
            raise Unsupported(
                str(self.variant),
                f"minimise or maximise these costs, in the search for {kind.name}",
            )

    def _kind(self, puzzle: Puzzle) -> Kind:
        for kind in KINDS:
            if kind.takes(puzzle):
                return kind
        form = "domains given as counts that are no chain of dominoes"
        raise Unsupported(str(self.variant), f"no article has a search for {form}")

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Raises Unsupported through ``require`` only."""
        return self._kind(puzzle).start(puzzle, limits, frozenset(self.variant.options))

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """Raises Unsupported for costs that the search does not know."""
        improve = self._kind(puzzle).improve
        assert improve is not None
        return improve(puzzle, limits, frozenset(self.variant.options))
