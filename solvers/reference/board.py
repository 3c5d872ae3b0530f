"""The Java solver of article 000, mirrored call by call: the baseline.

It decides the vertex with the fewest raw candidates (those that could meet an opening of every
neighbour, whatever is decided), forces a neighbour where one requirement leaves it a single
orientation, and looks at connectivity only once everything is decided. On the article's boards
its ``calls`` are Java's node counts. The same search runs on any puzzle of tables with leaks
forbidden: what the rules say of the whole graph is tested at the leaf.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...puzzles.model import Puzzle, Solution, Table, ports_from_masks
from ...puzzles.topology import rotate
from ..contract import Limits
from .calls import CallSearch
from .kind import Kind
from .leaf import Leaf

_NONE, _SEVERAL = -1, -2


def article_order(table: Table) -> tuple[int, ...]:
    """The masks in the order in which the article tries them.

    For a piece: its smallest mask turned by 0, 1, 2... steps, without repeats. For a table that
    is no piece in all its orientations (a locked cell, a piece that may rest): increasing.
    """
    turned = [rotate(table.masks[0], k, table.degree) for k in range(table.degree)]
    order = tuple(dict.fromkeys(turned))
    return order if sorted(order) == list(table.masks) else table.masks


class _Layout:
    """The puzzle as flat lists, and all that does not change during the search.

    - ``beside``, ``back``: per port the vertex and the port's bit at the other end, -1 for a
      stub or where the neighbour is blank; ``first``: per vertex its first port;
    - ``candidates``: per vertex the masks that pass the article's ``matchable``;
    - ``may_open``: per vertex the ports which the neighbour could meet, as a mask;
    - ``forced``: per domain, bit and need the only mask that has the bit as needed, or _NONE or
      _SEVERAL;
    - ``ranking``: the vertices in the order in which the article decides them. Candidates do
      not depend on what is decided, so its scan always stops at the first open vertex of this
      list: those with none or one in index order, then by number and index.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        tables = [d for d in puzzle.domains if isinstance(d, Table)]
        self.order = [article_order(table) for table in tables]
        self.domain_of = puzzle.domain_of.tolist()
        self.first = puzzle.first_port.tolist()
        self.owner = puzzle.owner.tolist()
        self.piece = (~puzzle.blank).tolist()
        self.forced = [self._forced(t) for t in tables]
        self._neighbours()
        self.may_open = self._may_open([_union(t) for t in tables])
        self.candidates = self._candidates()
        number = [len(c) for c in self.candidates]
        pieces = [v for v in range(puzzle.vertices) if self.piece[v]]
        self.ranking = sorted(pieces, key=lambda v: (number[v] if number[v] > 1 else 1, v))

    def _neighbours(self) -> None:
        first, owner = self.first, self.owner
        self.beside = [-1] * self.puzzle.ports
        self.back = [-1] * self.puzzle.ports
        for port, twin in enumerate(self.puzzle.twin.tolist()):
            if twin >= 0 and self.piece[owner[twin]]:
                self.beside[port] = owner[twin]
                self.back[port] = twin - first[owner[twin]]

    @staticmethod
    def _forced(table: Table) -> list[int]:
        found = []
        for bit in range(table.degree):
            for need in (0, 1):
                masks = [m for m in article_order(table) if m >> bit & 1 == need]
                found.append(masks[0] if len(masks) == 1 else _SEVERAL if masks else _NONE)
        return found

    def _may_open(self, reach: list[int]) -> list[int]:
        free, may = self.puzzle.free.tolist(), []
        for vertex in range(self.puzzle.vertices):
            start = self.first[vertex]
            mask = 0
            for port in range(start, self.first[vertex + 1]):
                there = self.beside[port]
                met = there >= 0 and reach[self.domain_of[there]] >> self.back[port] & 1
                mask |= (1 if met or free[port] else 0) << (port - start)
            may.append(mask)
        return may

    def _candidates(self) -> list[tuple[int, ...]]:
        known: dict[tuple[int, int], tuple[int, ...]] = {}
        found = []
        for key in zip(self.domain_of, self.may_open, strict=True):
            if key not in known:
                known[key] = tuple(m for m in self.order[key[0]] if not m & ~key[1])
            found.append(known[key])
        return found


def _union(table: Table) -> int:
    reach = 0
    for mask in table.masks:
        reach |= mask
    return reach


@dataclass(slots=True)
class _Frame:
    """A decided vertex: the next candidate to try, how long the trail was before, and where in
    the ranking the vertices behind it begin.
    """

    vertex: int
    next: int
    trail: int
    rank: int


class BoardSearch(CallSearch):
    """Depth first over the vertices; ``mask`` is -1 for one that is not decided."""

    def __init__(self, puzzle: Puzzle, limits: Limits) -> None:
        super().__init__(limits)
        self.layout = _Layout(puzzle)
        self.leaf = Leaf(puzzle)
        # A blank's mask is 0 from the start.
        self.mask = [-1 if piece else 0 for piece in self.layout.piece]
        self.trail: list[int] = []
        self.frames: list[_Frame] = []

    def _call(self) -> bool:
        """Choose the vertex to decide; at a leaf, whether it is a solution."""
        ranking, mask = self.layout.ranking, self.mask
        rank = self.frames[-1].rank if self.frames else 0
        while rank < len(ranking) and mask[ranking[rank]] >= 0:
            rank += 1
        if rank == len(ranking):
            return self.leaf.holds(mask)
        if self.layout.candidates[ranking[rank]]:
            self.frames.append(_Frame(ranking[rank], 0, len(self.trail), rank + 1))
        return False

    def _solution(self) -> Solution:
        return ports_from_masks(self.layout.puzzle, self.mask)

    def _go_on(self) -> bool:
        if self.frames:
            self.calling = self._try_candidate()
            return True
        return False

    def _try_candidate(self) -> bool:
        """Take back the top frame's last candidate and try its next; whether a call is due."""
        frame = self.frames[-1]
        for vertex in self.trail[frame.trail :]:
            self.mask[vertex] = -1
        del self.trail[frame.trail :]
        candidates = self.layout.candidates[frame.vertex]
        if frame.next == len(candidates):
            self.frames.pop()
            return False
        self._decide(frame.vertex, candidates[frame.next])
        frame.next += 1
        return self._propagate(frame.vertex)

    def _decide(self, vertex: int, mask: int) -> None:
        self.mask[vertex] = mask
        self.trail.append(vertex)

    def _propagate(self, start: int) -> bool:
        """What a decided vertex asks of each neighbour, last decided first; False on conflict."""
        layout, decided = self.layout, self.mask
        stack = [start]
        while stack:
            vertex = stack.pop()
            mask, first = decided[vertex], layout.first[vertex]
            for bit in range(layout.first[vertex + 1] - first):
                there = layout.beside[first + bit]
                if there < 0:
                    continue
                need, back = mask >> bit & 1, layout.back[first + bit]
                if decided[there] >= 0:
                    if decided[there] >> back & 1 != need:
                        return False
                    continue
                chosen = layout.forced[layout.domain_of[there]][2 * back + need]
                if chosen == _NONE:
                    return False
                if chosen != _SEVERAL:
                    if chosen & ~layout.may_open[there]:
                        return False
                    self._decide(there, chosen)
                    stack.append(there)
        return True


def _takes(puzzle: Puzzle) -> bool:
    tables = all(isinstance(domain, Table) for domain in puzzle.domains)
    return tables and puzzle.rules.leaks == "forbidden"


BOARD = Kind(
    "boards without leaks (article 000)",
    _takes,
    (),
    lambda puzzle, limits, _: BoardSearch(puzzle, limits),
)
