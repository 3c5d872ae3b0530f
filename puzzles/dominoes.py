"""Domino chains (article 003): tiles laid end to end, equal pips together.

Pips are vertices, tiles are edges, a double is a loop; a chain is a trail of the multigraph.
Rules: *chain* (all tiles in one chain), *closed* (all in one chain whose ends meet), *subchain*
and *subclosed* (such a chain of some of the tiles, or none). A solution says which tiles are
used; ``decode`` lays them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from math import factorial, prod
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from . import chains
from .chain_count import count_chains
from .errors import InvalidPuzzle, UsageError
from .instance import ExactCount, Instance, Objective, Source
from .model import EVEN, Counts, Domain, Puzzle, Rules, Solution, Table, joined_edges
from .relabel import canonical_form
from .values import every_digit, rows, whole

if TYPE_CHECKING:
    from .edge_list import EdgeList

SUB = {"chain": "subchain", "closed": "subclosed"}
"""The rules on all tiles, and what some of them may do."""
DOMINO_RULES = (*SUB, *SUB.values())
MAX_PIP = 2**31
MOST_FAULTS = 1000
MAX_COST = 2**53
START, END = Table(1, (1,)), Counts(frozenset({1}))
ENDS = Counts(frozenset({0, 2}))


@dataclass(frozen=True)
class Dominoes(Instance):
    """A set of tiles.

    - ``tiles``: pairs of pips, numbers from 0; doubles and equal tiles are legal, and a tile is
      known by its index;
    - ``start``: the pip that the chain begins with, None for any.

    Raises InvalidPuzzle for anything that is no pair of pips, UsageError for other rules.
    """

    family: ClassVar[str] = "dominoes"
    rules_offered: ClassVar[tuple[str, ...]] = DOMINO_RULES
    objectives: ClassVar[tuple[str, ...]] = ("length", "weight", "length,weight")

    tiles: tuple[tuple[int, int], ...]
    start: int | None = None
    rules: str = "chain"
    name: str = "dominoes"
    source: Source = field(default_factory=Source, compare=False)
    objective: Objective | None = None

    def __post_init__(self) -> None:
        tiles = [(_pip(a), _pip(b)) for a, b in rows(self.tiles, 2, "tiles")]
        object.__setattr__(self, "tiles", tuple(tiles))
        if self.start is not None:
            object.__setattr__(self, "start", _pip(self.start))
        if self.rules not in DOMINO_RULES:
            raise UsageError(f"rules {self.rules!r}: dominoes know {', '.join(DOMINO_RULES)}")

    @property
    def every(self) -> bool:
        """Whether all tiles must be used."""
        return self.rules in SUB

    @property
    def closed(self) -> bool:
        """Whether the chain's ends must meet."""
        return self.rules in ("closed", "subclosed")

    @cached_property
    def pips(self) -> tuple[int, ...]:
        """The pips that occur, increasing: the first vertices of the puzzle."""
        seen = {pip for tile in self.tiles for pip in tile}
        return tuple(sorted(seen if self.start is None else seen | {self.start}))

    @property
    def extra(self) -> tuple[str, ...]:
        """The pips, and what stands behind them."""
        behind = () if self.closed else ("the chain's end",)
        if behind and self.start is not None:
            behind = ("the chain's start", *behind)
        return (*(f"pip {pip}" for pip in self.pips), *behind)

    @cached_property
    def _vertex(self) -> dict[int, int]:
        return {pip: vertex for vertex, pip in enumerate(self.pips)}

    def build(self) -> Puzzle:
        """Vertices are the pips, then what the chain's ends are joined to; edges are the tiles by
        their index, then those of the ends.

        An open chain ends at a dummy with two open ports, or none if its ends meet; one with a
        start begins at a vertex of one open port and ends at another. With every tile used a pip
        opens all its ports, and is joined to the dummy if they are odd in number.
        """
        degree = [0] * len(self.pips)
        edges: list[tuple[int, int, int, int]] = []

        def port(vertex: int) -> int:
            degree[vertex] += 1
            return degree[vertex] - 1

        def join(u: int, v: int) -> None:
            edges.append((u, port(u), v, port(v)))

        for a, b in self.tiles:
            join(self._vertex[a], self._vertex[b])
        dummies: list[Domain] = []
        if not self.closed:
            if self.start is not None:
                dummies.append(START)
                degree.append(0)
                join(self._vertex[self.start], len(self.pips))
            dummies.append(ENDS if self.start is None else END)
            degree.append(0)
        must = degree[: len(self.pips)]
        if not self.closed:
            for vertex, number in enumerate(must):
                if not self.every or number % 2:
                    join(vertex, len(degree) - 1)
        domains: list[Domain] = [
            Counts(frozenset({number + number % 2})) if self.every else EVEN for number in must
        ]
        needed = (self._vertex[self.start],) if self.closed and self.start is not None else ()
        prices = None
        if self.objective is not None:
            prices = [*self._prices(), *[0] * (len(edges) - len(self.tiles))]
        return Puzzle.build(
            list(zip(degree, [*domains, *dummies], strict=True)),
            edges,
            rules=Rules(connect="used", needed=needed),
            edge_costs=prices,
            maximise=self.objective is not None and self.objective.maximise,
        )

    @property
    def scale(self) -> int:
        """What a tile counts where the number of tiles goes before their weight."""
        return sum(a + b for a, b in self.tiles) + 1

    def _prices(self) -> list[int]:
        assert self.objective is not None
        what = self.objective.what
        tile = {"length": 1, "weight": 0, "length,weight": self.scale}[what]
        weight = 0 if what == "length" else 1
        prices = [tile + weight * (a + b) for a, b in self.tiles]
        if sum(prices) > MAX_COST:
            raise UsageError(f"optimise {what}: the pips add up to more than {MAX_COST}")
        return prices

    def with_rules(self, name: str) -> Self:
        """The same tiles under another rule."""
        if name not in DOMINO_RULES:
            raise UsageError(f"rules {name!r}: dominoes know {', '.join(DOMINO_RULES)}")
        return replace(self, rules=name)

    def with_objective(self, objective: Objective) -> Self:
        """The longest or heaviest chain: of some of the tiles, since there is nothing to choose
        where all are used.
        """
        found = super().with_objective(objective)
        return replace(found, rules=SUB.get(self.rules, self.rules))

    def used(self, solution: Solution) -> list[int]:
        """The tiles that a solution uses."""
        joined = joined_edges(self.puzzle, solution)[: len(self.tiles)]
        return np.flatnonzero(joined).tolist()

    def decode(self, solution: Solution) -> list[list[Any]]:
        """``[tile, flipped]`` in the order of one chain; by index if they form none."""
        used = self.used(solution)
        chain = chains.lay(self.tiles, used, self.start)
        return [[tile, flipped] for tile, flipped in chain or [(tile, False) for tile in used]]

    def encode(self, answer: Any) -> Solution:
        """From ``[tile, flipped]`` or the pips ``[1, 2]`` of each tile as it lies. What the order
        of a chain gets wrong, ``objections`` says.
        """
        chain, _ = chains.read_chain(self.tiles, answer)
        solution = np.zeros(self.puzzle.ports, dtype=np.bool_)
        ports = self.puzzle.edge_ports
        for tile, _ in chain:
            solution[ports[tile]] = True
        if self.closed:
            return solution
        lie = chains.laid(self.tiles, chain)
        ends = [lie[0][0], lie[-1][1]] if lie else []
        if self.start is not None:
            solution[ports[len(self.tiles)]] = True
            ends = [ends[1] if ends else self.start]
        elif ends and ends[0] == ends[1]:
            ends = []
        for edge in range(len(self.tiles) + (self.start is not None), len(ports)):
            if self.pips[int(self.puzzle.edge_vertices[edge].min())] in ends:
                solution[ports[edge]] = True
        return solution

    def objections(self, answer: Any) -> tuple[str, ...]:
        """What is wrong with a chain, tile by tile."""
        chain, unknown = chains.read_chain(self.tiles, answer)
        said = chains.faults(
            self.tiles, chain, every=self.every, closed=self.closed, start=self.start
        )
        return (*unknown[:MOST_FAULTS], *islice(said, MOST_FAULTS))

    def count_exactly(self, seconds: float | None = None) -> ExactCount | None:
        """The number of directed chains of all tiles; None under the other rules. Raises
        TimeoutError after so many seconds.
        """
        if not self.every:
            return None
        value = count_chains(self.tiles, closed=self.closed, start=self.start, tick=_clock(seconds))
        alike = prod(map(factorial, Counter((min(t), max(t)) for t in self.tiles).values()))
        with every_digit():
            note = f"{value // alike} if equal tiles are not told apart" if alike > 1 else ""
        return ExactCount(value, "directed chains", "by eliminating pips", note)

    def graph(self) -> EdgeList:
        """Pips and tiles."""
        from .edge_list import EdgeList

        ends = [[self._vertex[a], self._vertex[b]] for a, b in self.tiles]
        pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
        return EdgeList(tuple(map(str, self.pips)), pairs)

    def canonical(self) -> object:
        """Equal for sets that differ in the pips' names and the tiles' order (where the start and
        so much symmetry allow to see it); what is heaviest may differ.
        """
        beside: list[dict[int, int]] = [{} for _ in self.pips]
        for a, b in self.tiles:
            for u, v in {(self._vertex[a], self._vertex[b]), (self._vertex[b], self._vertex[a])}:
                beside[u][v] = beside[u].get(v, 0) + 1
        starts = [int(pip == self.start) for pip in self.pips]
        form = canonical_form(beside, starts, leaves=20 + 7000 // (len(starts) + 1))
        if form is None:
            return (self.rules, self.start, tuple(sorted((min(t), max(t)) for t in self.tiles)))
        return (self.rules, self.start is not None, form)

    def draw(
        self,
        solution: Solution | None = None,
        *,
        marked: frozenset[int] = frozenset(),
        colour: bool = False,
    ) -> str:
        """``0|1 1|2 2|2``: the chain, or the set as it was given; with an objective also its
        number of tiles and its weight.
        """
        stars = {pip for vertex, pip in enumerate(self.pips) if vertex in marked}
        if solution is None:
            return chains.text(self.tiles, stars)
        lie = chains.laid(self.tiles, [(tile, flip) for tile, flip in self.decode(solution)])
        picture = chains.text(lie, stars)
        if self.objective is None:
            return picture
        return f"{picture}\nlength {len(lie)}, weight {sum(map(sum, lie))}"


def _pip(value: object) -> int:
    pip = whole(value, "pip")
    if not 0 <= pip <= MAX_PIP:
        raise InvalidPuzzle(f"pip {pip}: expected 0 to {MAX_PIP}")
    return pip


def _clock(seconds: float | None) -> Callable[[], None]:
    """Raises TimeoutError once so many seconds have passed since now."""
    end = None if seconds is None else monotonic() + seconds

    def tick() -> None:
        if end is not None and monotonic() >= end:
            raise TimeoutError

    return tick
