"""Engines that take more than they should: memory, processor time, processes, the result pipe."""

from __future__ import annotations

import os

from fake_engines import Honest, HonestSearch
from plumbench.puzzles.model import Puzzle
from plumbench.solvers.contract import Limits, Search

NAMES = {"where": "WhereAmI"}
EXTRA = ",".join(f"{name}={__name__}:{class_name}" for name, class_name in NAMES.items())


class WhereAmI(Honest):
    """Tells the processors that each of its threads may use, as a statistic."""

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The search with the affinity."""
        search = HonestSearch(puzzle)
        threads = map(int, os.listdir("/proc/self/task"))
        may_use = set().union(*(os.sched_getaffinity(thread) for thread in threads))
        search.stats["affinity"] = str(sorted(may_use))
        return search
