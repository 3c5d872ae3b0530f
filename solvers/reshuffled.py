"""An engine at work on a reshuffled puzzle; its solutions come back in the order that was given."""

from __future__ import annotations

from ..puzzles.errors import Unsupported
from ..puzzles.model import Puzzle, Solution
from ..puzzles.shuffle import Shuffled
from .contract import Engine, Limits, Reason, Search


class Reshuffled(Engine):
    """``engine`` that is given a reshuffled ``copy`` when it is asked about ``copy.given``.

    The copy is made before, so that shuffling is no part of what is measured. What the engine
    finds is restored before anyone sees it: the checker judges it by the puzzle as given. Raises
    Unsupported if the engine takes no reshuffled puzzles.
    """

    def __init__(self, engine: Engine, copy: Shuffled) -> None:
        if not engine.capabilities.seeds:
            raise Unsupported(str(engine.variant), "a seed: its order is what it stands for")
        super().__init__(engine.variant)
        self.capabilities, self.workers = engine.capabilities, engine.workers
        self._engine, self._copy = engine, copy

    def versions(self) -> dict[str, str]:
        """Those of the engine."""
        return self._engine.versions()

    def require(self, puzzle: Puzzle, *, many: bool, objective: bool = False) -> None:
        """As the engine does."""
        self._engine.require(puzzle, many=many, objective=objective)

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The engine's search of the reshuffled puzzle."""
        return _Restoring(self._engine.start(self._other(puzzle), limits, many=many), self._copy)

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """The engine's search for the best solution of the reshuffled puzzle."""
        return _Restoring(self._engine.improve(self._other(puzzle), limits), self._copy)

    def _other(self, puzzle: Puzzle) -> Puzzle:
        if puzzle is not self._copy.given:
            raise ValueError("reshuffled for another puzzle")
        return self._copy.puzzle


class _Restoring(Search):
    """A search whose solutions are restored, and whose findings are those of the one inside."""

    def __init__(self, inside: Search, copy: Shuffled) -> None:
        super().__init__()
        self._inside, self._copy = inside, copy
        self._look()

    def next(self) -> Solution | Reason | None:
        """See ``Search``."""
        try:
            found = self._inside.next()
        finally:
            self._look()
        if found is None or isinstance(found, Reason):
            return found
        return self._copy.restore(found)

    def close(self) -> None:
        """Close the search inside."""
        self._inside.close()
        self._look()

    def _look(self) -> None:
        self.stats, self.bound = self._inside.stats, self._inside.bound
