"""The backtracking of article 001, mirrored call by call: turn each free cell, test the flow last.

Cells that are not fixed are decided row by row; a mask that opens off the board (the border
pruning) or towards a fixed neighbour that does not open back (the conflict pruning) is passed
over, and only a complete layout is tested for the flow. Under the rule *article* its ``calls``
are the article's node counts. Both prunings are that rule itself, so its domains hold what they
leave: ``no-border`` and ``no-conflict`` try the masks they would drop all the same, and refuse
them at the leaf. Under other rules with leaks there is nothing to prune.

``connectivity`` is the pruning that the article describes and does not have: before a call,
water that may run through all that is still undecided must reach every sink. ``astar`` takes,
in place of the next cell of the row, the undecided cell at the water's edge with the least g + h
(g steps from a source, h steps, by edges alone, to the nearest dry sink: on a grid the Manhattan
distance), tries masks that lead nearer first, and gives up where the water has nowhere to go.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from ...puzzles.model import Puzzle, Solution, Table, ports_from_masks
from ..contract import Limits
from .calls import CallSearch
from .kind import Kind
from .leaf import Leaf

_UNDECIDED = -1
_FAR = 1 << 60


class _Board:
    """The puzzle as flat lists, and all that does not change during the search.

    - ``beside``: per port the vertex at the other end, -1 for a stub; ``back`` the bit there;
    - ``candidates``: per vertex the masks to try, in order; ``right``: those of its domain;
    - ``reach``: per vertex the ports that some candidate opens, as a mask;
    - ``start``: per vertex its mask where that is not to be tried, else -1;
    - ``variables``: the others, in the order of their numbers.
    """

    def __init__(self, puzzle: Puzzle, options: frozenset[str]) -> None:
        self.puzzle, self.options = puzzle, options
        self.first: list[int] = puzzle.first_port.tolist()
        owner, twin = puzzle.owner.tolist(), puzzle.twin.tolist()
        self.beside = [owner[t] if t >= 0 else -1 for t in twin]
        self.back = [t - self.first[owner[t]] if t >= 0 else 0 for t in twin]
        self.tables = [d.masks if isinstance(d, Table) else () for d in puzzle.domains]
        self.domain_of: list[int] = puzzle.domain_of.tolist()
        self.fixed = self._fixed()
        self.start = [
            self.right(v)[0] if fixed else _UNDECIDED for v, fixed in enumerate(self.fixed)
        ]
        self.variables = [v for v, fixed in enumerate(self.fixed) if not fixed]
        self.candidates = [self._candidates(v) for v in range(puzzle.vertices)]
        self.reach = [self._union(masks) for masks in self.candidates]

    def right(self, vertex: int) -> tuple[int, ...]:
        """The masks that the vertex's domain allows."""
        return self.tables[self.domain_of[vertex]]

    def _fixed(self) -> list[bool]:
        """Vertices that are not tried; where no pieces are known, those with a single mask."""
        single = [len(self.right(v)) == 1 for v in range(self.puzzle.vertices)]
        if self.puzzle.pieces is None:
            return single
        fixed = self.puzzle.pieces.fixed.tolist()
        return [f and s for f, s in zip(fixed, single, strict=True)]

    def _candidates(self, vertex: int) -> tuple[int, ...]:
        right = self.right(vertex)
        pieces = self.puzzle.pieces
        if self.fixed[vertex] or pieces is None:
            return right
        row = pieces.rows[int(pieces.row_of[vertex])]
        if not row:
            return right
        return tuple(m for m in row if m in right or self._kept(vertex, m))

    def _kept(self, vertex: int, mask: int) -> bool:
        """Whether a mask outside the domain is tried: only prunings that are off would drop it."""
        start, border, conflict = self.first[vertex], False, False
        for port in range(start, self.first[vertex + 1]):
            if mask >> (port - start) & 1:
                there = self.beside[port]
                border |= there < 0
                conflict |= (
                    there >= 0
                    and self.start[there] > 0
                    and not self.start[there] >> self.back[port] & 1
                )
        if not border and not conflict:
            return False
        return not (border and "no-border" not in self.options) and not (
            conflict and "no-conflict" not in self.options
        )

    @staticmethod
    def _union(masks: tuple[int, ...]) -> int:
        union = 0
        for mask in masks:
            union |= mask
        return union

    def water(self, mask: list[int]) -> list[int]:
        """Steps from the nearest source by which water may reach each vertex, -1 where it
        cannot: undecided vertices let through whatever a candidate would.
        """
        return self._flood(mask, through=True)

    def wet(self, mask: list[int]) -> list[int]:
        """The same through decided vertices alone; undecided ones at their edge are reached,
        but pass nothing on.
        """
        return self._flood(mask, through=False)

    def _flood(self, mask: list[int], *, through: bool) -> list[int]:
        steps = [-1] * len(mask)
        waiting = deque(self.puzzle.rules.sources)
        for source in waiting:
            steps[source] = 0
        while waiting:
            here = waiting.popleft()
            if mask[here] == _UNDECIDED and not through:
                continue
            opens = self.reach[here] if mask[here] == _UNDECIDED else mask[here]
            for port in range(self.first[here], self.first[here + 1]):
                there = self.beside[port]
                if there < 0 or steps[there] >= 0 or not opens >> (port - self.first[here]) & 1:
                    continue
                meets = self.reach[there] if mask[there] == _UNDECIDED else mask[there]
                if meets >> self.back[port] & 1:
                    steps[there] = steps[here] + 1
                    waiting.append(there)
        return steps

    def distances(self, target: int) -> list[int]:
        """Steps along edges from every vertex to one of them, whatever is open."""
        steps = [_FAR] * self.puzzle.vertices
        steps[target], waiting = 0, deque([target])
        while waiting:
            here = waiting.popleft()
            for port in range(self.first[here], self.first[here + 1]):
                there = self.beside[port]
                if there >= 0 and steps[there] == _FAR:
                    steps[there] = steps[here] + 1
                    waiting.append(there)
        return steps


@dataclass(slots=True)
class _Frame:
    """A variable being decided: its candidates, and which is next."""

    vertex: int
    candidates: tuple[int, ...]
    next: int = 0


class FlowSearch(CallSearch):
    """Depth first over the cells; ``mask`` is -1 for a vertex that is not decided."""

    def __init__(self, puzzle: Puzzle, limits: Limits, options: frozenset[str]) -> None:
        super().__init__(limits)
        self.board, self.leaf = _Board(puzzle, options), Leaf(puzzle)
        self.sinks = puzzle.rules.sinks
        self.connectivity, self.astar = "connectivity" in options, "astar" in options
        self.to_sink = {s: self.board.distances(s) for s in self.sinks} if self.astar else {}
        self.mask = list(self.board.start)
        self.frames: list[_Frame] = []

    def _call(self) -> bool:
        """Choose the cell to decide; at a leaf, whether it is a solution."""
        if len(self.frames) == len(self.board.variables):
            return self._right() and self.leaf.holds(self.mask)
        frame = self._nearest() if self.astar else self._in_order()
        if frame is not None:
            self.frames.append(frame)
        return False

    def _right(self) -> bool:
        """Whether every mask is in its domain: those that a pruning drops are not."""
        return all(self.mask[v] in self.board.right(v) for v in self.board.variables)

    def _in_order(self) -> _Frame:
        vertex = self.board.variables[len(self.frames)]
        return _Frame(vertex, self.board.candidates[vertex])

    def _nearest(self) -> _Frame | None:
        """The cell at the water's edge with the least g + h; None if the water is shut in. Once
        all sinks are wet, the rest in order.
        """
        board, steps = self.board, self.board.wet(self.mask)
        dry = [s for s in self.sinks if steps[s] < 0 or self.mask[s] == _UNDECIDED]
        if all(steps[s] >= 0 for s in self.sinks):
            vertex = next(v for v in board.variables if self.mask[v] == _UNDECIDED)
            return _Frame(vertex, board.candidates[vertex])
        edge = [v for v in board.variables if self.mask[v] == _UNDECIDED and steps[v] >= 0]
        if not edge:
            return None

        def left(vertex: int) -> int:
            return min(self.to_sink[s][vertex] for s in dry)

        vertex = min(edge, key=lambda v: (steps[v] + left(v), left(v), v))

        def ahead(mask: int) -> int:
            start = board.first[vertex]
            ends = [
                left(board.beside[port])
                for port in range(start, board.first[vertex + 1])
                if mask >> (port - start) & 1 and board.beside[port] >= 0
            ]
            return min(ends, default=_FAR)

        return _Frame(vertex, tuple(sorted(board.candidates[vertex], key=ahead)))

    def _solution(self) -> Solution:
        return ports_from_masks(self.board.puzzle, self.mask)

    def _go_on(self) -> bool:
        if self.frames:
            self.calling = self._try_candidate()
            return True
        return False

    def _try_candidate(self) -> bool:
        """Take back the top frame's last candidate and try its next; whether a call is due."""
        frame = self.frames[-1]
        if frame.next == len(frame.candidates):
            self.mask[frame.vertex] = _UNDECIDED
            self.frames.pop()
            return False
        self.mask[frame.vertex] = frame.candidates[frame.next]
        frame.next += 1
        if not self.connectivity:
            return True
        steps = self.board.water(self.mask)
        return all(steps[s] >= 0 for s in self.sinks)


def _takes(puzzle: Puzzle) -> bool:
    return puzzle.rules.leaks != "forbidden"


FLOW = Kind(
    "boards with leaks (article 001)",
    _takes,
    ("no-border", "no-conflict", "connectivity", "astar"),
    FlowSearch,
)
