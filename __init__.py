"""plumbench: one puzzle model, unlike solvers, and a harness that checks they agree.

The public names below are loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .benchmarks.judging.agreement import compare as compare
    from .puzzles.board import Board as Board
    from .puzzles.check import check as check
    from .puzzles.formats import load as load
    from .puzzles.formats import loads as loads
    from .puzzles.model import Puzzle as Puzzle
    from .solvers.api import count as count
    from .solvers.api import optimise as optimise
    from .solvers.api import solutions as solutions
    from .solvers.api import solve as solve
    from .solvers.api import unique as unique

__version__ = "0.1.0"

_WHERE = {
    "Board": "puzzles.board",
    "Puzzle": "puzzles.model",
    "check": "puzzles.check",
    "compare": "benchmarks.judging.agreement",
    "count": "solvers.api",
    "load": "puzzles.formats",
    "loads": "puzzles.formats",
    "optimise": "solvers.api",
    "solutions": "solvers.api",
    "solve": "solvers.api",
    "unique": "solvers.api",
}

__all__ = ["__version__", *sorted(_WHERE)]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
