"""An engine at work on a reshuffled puzzle; its solutions come back in the order that was given."""

from __future__ import annotations

from ..puzzles.errors import Unsupported
from ..puzzles.model import Puzzle, Solution
from ..puzzles.shuffle import Shuffled, shuffled
from .contract import Engine, Limits, Reason, Search


class Reshuffled(Engine):
    """``engine`` under a seed, for one ``puzzle``: it is given another order of that puzzle.

    Made before any clock runs, so that shuffling is no part of what is measured. What the engine
    finds is restored before anyone sees it: the checker judges it by the puzzle as given. Raises
    Unsupported if the engine takes no reshuffled puzzles, UsageError for a wrong seed.
    """

    def __init__(self, engine: Engine, puzzle: Puzzle, seed: int) -> None:
        if not engine.capabilities.seeds:
            raise Unsupported(str(engine.variant), "a seed: its order is what it stands for")
        super().__init__(engine.variant)
        self.capabilities, self.workers = engine.capabilities, engine.workers
        self._engine, self._given = engine, puzzle
        self._shuffled = shuffled(puzzle, seed)

    def versions(self) -> dict[str, str]:
        """Those of the engine."""
        return self._engine.versions()

    def require(self, puzzle: Puzzle, *, many: bool, objective: bool = False) -> None:
        """As the engine does."""
        self._engine.require(puzzle, many=many, objective=objective)

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The engine's search of the reshuffled puzzle."""
        return _Restoring(
            self._engine.start(self._other(puzzle), limits, many=many), self._shuffled
        )

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """The engine's search for the best solution of the reshuffled puzzle."""
        return _Restoring(self._engine.improve(self._other(puzzle), limits), self._shuffled)

    def _other(self, puzzle: Puzzle) -> Puzzle:
        if puzzle is not self._given:
            raise ValueError("reshuffled for another puzzle")
        return self._shuffled.puzzle


class _Restoring(Search):
    """A search whose solutions are restored, and whose findings are those of the one inside."""

    def __init__(self, inside: Search, shuffled: Shuffled) -> None:
        super().__init__()
        self._inside, self._shuffled = inside, shuffled
        self._look()

    def next(self) -> Solution | Reason | None:
        """See ``Search``."""
        try:
            found = self._inside.next()
        finally:
            self._look()
        if found is None or isinstance(found, Reason):
            return found
        return self._shuffled.restore(found)

    def close(self) -> None:
        """Close the search inside."""
        self._inside.close()
        self._look()

    def _look(self) -> None:
        self.stats, self.bound = self._inside.stats, self._inside.bound
