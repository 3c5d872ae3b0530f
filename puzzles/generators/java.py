"""The generators of article 000, board for board: cycles laid over each other, and assembly.

The article's cycle search backtracks without a limit and hangs from 6x6 up; here it has a
budget. Only the drawn pieces matter, the article gives no orientations.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import GenerationFailed, UsageError
from .java_random import JavaRandom
from .planted import SIX_PIECES, Grid, Planted, unplanted

BUDGET = 1_000_000


def plant_java(
    width: int, height: int, seed: int, *, wrap: bool = False, budget: int = BUDGET
) -> Planted:
    """The first board of ``new PuzzleGenerator(seed).generate(n)``, with its solution.

    Raises UsageError unless the board is a square without wrap; GenerationFailed when the cycle
    search enters more than ``budget`` cells.
    """
    if width != height or wrap:
        raise UsageError(f"java {width}x{height}: expected a square without wrap")
    return JavaGenerator(seed).generate(width, budget=budget)


class JavaGenerator:
    """The article's ``PuzzleGenerator``: call ``generate`` again for the next board."""

    ROUNDS = 300

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = JavaRandom(seed)
        self.made = 0

    def generate(self, n: int, *, budget: int = BUDGET) -> Planted:
        """The next n x n board: cycles that share a cell with what is there but no edge, until
        60 % of the cells are in use or 300 tries are over.

        Raises GenerationFailed when the cycle search enters more than ``budget`` cells; the
        stream of random numbers is then not where Java's would be.
        """
        grid = Grid(n, n, False)
        masks = [0] * grid.cells
        used = 0
        target = max(4, int(n * n * 0.6))
        search = _CycleSearch(grid, self.random, budget)
        for _ in range(self.ROUNDS):
            if used >= target:
                break
            cycle = search.from_cell(self.random.next_int(grid.cells))
            if not self._fits(cycle, masks, used):
                continue
            for cell, way in cycle:
                masks[cell] |= 1 << way
                masks[grid.neighbours[cell, way]] |= 1 << (way + 2) % 4
            used = sum(mask > 0 for mask in masks)
        name = f"java-{n}x{n}-{self.seed}-{self.made}"
        self.made += 1
        solution = np.array(masks, dtype=np.int64)
        return Planted(unplanted(grid, solution, name=name).board, solution)

    @staticmethod
    def _fits(cycle: list[tuple[int, int]], masks: list[int], used: int) -> bool:
        # An edge in use is in use on both its cells, so the port that leaves tells.
        if not cycle or any(masks[cell] >> way & 1 for cell, way in cycle):
            return False
        return used == 0 or any(masks[cell] for cell, _ in cycle)


class _CycleSearch:
    """Depth-first search for a simple cycle through a cell, neighbours in shuffled order.

    Random numbers are drawn on entering a cell, as the article's recursion does; an explicit
    stack replaces it.
    """

    # The article lists neighbours in the order in which its loops meet the edges.
    ORDER = (0, 3, 1, 2)

    def __init__(self, grid: Grid, random: JavaRandom, budget: int) -> None:
        self.grid, self.random = grid, random
        self.budget = self.left = budget
        beside = grid.neighbours.tolist()
        self.ways = [[(d, b[d]) for d in self.ORDER if b[d] >= 0] for b in beside]

    def from_cell(self, start: int) -> list[tuple[int, int]]:
        """A cycle of at least four cells as (cell, way out) pairs; empty if there is none."""
        on_path = {start}
        path = [start]
        leaving = [-1]
        untried = [self._enter(start)]
        while untried:
            for way, there in untried[-1]:
                if there == start and len(path) >= 4:
                    leaving[-1] = way
                    return list(zip(path, leaving, strict=True))
                if there not in on_path:
                    leaving[-1] = way
                    on_path.add(there)
                    path.append(there)
                    leaving.append(-1)
                    untried.append(self._enter(there))
                    break
            else:
                untried.pop()
                leaving.pop()
                on_path.discard(path.pop())
        return []

    def _enter(self, cell: int) -> Iterator[tuple[int, int]]:
        if not self.left:
            raise GenerationFailed(
                f"java {self.grid.size}: the article's cycle search entered {self.budget} cells "
                "without an end; it is practical up to 5x5, 'cycles' makes such boards at any size"
            )
        self.left -= 1
        ways = list(self.ways[cell])
        self.random.shuffle(ways)
        return iter(ways)


def java_assembly(random: JavaRandom, n: int) -> Planted:
    """The article's random assembly: a cell is blank with probability 0.08, else a straight, an
    elbow or a cross. Mostly unsolvable. Call it again with the same ``random`` for the next.
    """
    grid = Grid(n, n, False)
    pieces = np.zeros(grid.cells, dtype=np.int64)
    for cell in range(grid.cells):
        if random.next_double() >= 0.08:
            pieces[cell] = SIX_PIECES["ILX"[random.next_int(3)]]
    return unplanted(grid, pieces, name=f"java-assembly-{grid.size}")
