"""What one article's search takes, offers and does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...puzzles.model import Puzzle
from ..contract import Limits, Search


@dataclass(frozen=True, slots=True)
class Kind:
    """One article's search.

    - ``name``: what it searches, for messages;
    - ``takes``: whether a puzzle is of its form;
    - ``options``: the names of its variants;
    - ``start``: the search before its first call, with these options;
    - ``improve``: the same for the best by the puzzle's costs; None if the article has none;
    - ``optimises``: whether it knows costs such as this puzzle's.
    """

    name: str
    takes: Callable[[Puzzle], bool]
    options: tuple[str, ...]
    start: Callable[[Puzzle, Limits, frozenset[str]], Search]
    improve: Callable[[Puzzle, Limits, frozenset[str]], Search] | None = None
    optimises: Callable[[Puzzle], bool] = lambda _: False
