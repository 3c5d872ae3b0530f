"""The search of article 004: every path through a plumber map, mirrored call by call.

Depth first from the inlet along the pieces; it goes on after a path, so it lists them all. A
call is one step of the water, also one off the map, into an obstacle or onto a piece in use. The
article knows no wild pieces: they run straight on first, then turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...puzzles.model import Puzzle, Solution, Table, ports_from_masks
from ...puzzles.topology import DOWN, LEFT, RIGHT, UP
from ...puzzles.track import ELBOW, STRAIGHT, WILD
from ..contract import Limits
from .calls import CallSearch
from .kind import Kind

TURNS = {LEFT: (DOWN, UP), UP: (RIGHT, LEFT), RIGHT: (UP, DOWN), DOWN: (RIGHT, LEFT)}
"""Where the article lets an elbow lead water that comes in by this side, in its order."""
AHEAD = {side: ((side + 2) % 4,) for side in TURNS}
EXITS: dict[tuple[int, ...], dict[int, tuple[int, ...]]] = {
    (0,): dict.fromkeys(TURNS, ()),
    ELBOW: TURNS,
    STRAIGHT: AHEAD,
    WILD: {side: AHEAD[side] + TURNS[side] for side in TURNS},
}
"""By the masks of a piece and the side by which water comes in."""


def takes(puzzle: Puzzle) -> bool:
    """Whether the puzzle is a plumber map: pieces that may rest, an inlet and an outlet."""
    rules = puzzle.rules
    if rules.leaks != "forbidden" or rules.connect != "used" or rules.acyclic:
        return False
    if len(rules.needed) != 2 or rules.needed[0] == rules.needed[1] or puzzle.free.any():
        return False
    for vertex in range(puzzle.vertices):
        domain = puzzle.domain(vertex)
        if not isinstance(domain, Table):
            return False
        if vertex in rules.needed:
            if domain != Table(1, (1,)) or puzzle.twin[puzzle.first_port[vertex]] < 0:
                return False
        elif domain.degree != 4 or domain.masks not in EXITS:
            return False
    return _is_grid(puzzle)


def _is_grid(puzzle: Puzzle) -> bool:
    """Whether edges between cells join opposite sides, and inlet and outlet meet cells."""
    side = puzzle.edge_ports - puzzle.first_port[puzzle.edge_vertices]
    mouth = (puzzle.degree[puzzle.edge_vertices] == 1).sum(axis=1)
    opposite = (side[:, 0] + 2) % 4 == side[:, 1]
    return bool(((mouth == 1) | (opposite & (mouth == 0))).all())


@dataclass(slots=True)
class _Frame:
    """A call on a piece: its vertex, the side the water came in by, the exits, which is next."""

    vertex: int
    side: int
    exits: tuple[int, ...]
    next: int = 0


class PathSearch(CallSearch):
    """Depth first along the pieces. ``port`` is the one by which the water leaves towards the call
    that is due; ``used`` is the article's ``book``.
    """

    calls_per_clock = 256

    def __init__(self, puzzle: Puzzle, limits: Limits) -> None:
        super().__init__(limits)
        self.puzzle = puzzle
        self.inlet, self.outlet = puzzle.rules.needed
        self.first, self.owner = puzzle.first_port.tolist(), puzzle.owner.tolist()
        self.twin = puzzle.twin.tolist()
        tables = [EXITS.get(d.masks) if isinstance(d, Table) else None for d in puzzle.domains]
        self.exits = [tables[index] for index in puzzle.domain_of.tolist()]
        self.used = [False] * puzzle.vertices
        self.frames: list[_Frame] = []
        self.port = self.first[self.inlet]

    def _go_on(self) -> bool:
        """The top frame's next exit, or its return."""
        if not self.frames:
            return False
        frame = self.frames[-1]
        if frame.next == len(frame.exits):
            self.used[frame.vertex] = False
            self.frames.pop()
            return True
        self.port = self.first[frame.vertex] + frame.exits[frame.next]
        frame.next += 1
        self.calling = True
        return True

    def _call(self) -> bool:
        """One step of the water; whether it came out at the outlet."""
        there = self.twin[self.port]
        if there < 0:
            return False
        vertex = self.owner[there]
        if vertex == self.outlet:
            return True
        exits = self.exits[vertex]
        if exits is None or self.used[vertex]:
            return False
        self.used[vertex] = True
        side = there - self.first[vertex]
        self.frames.append(_Frame(vertex, side, exits[side]))
        return False

    def _solution(self) -> Solution:
        masks = [0] * self.puzzle.vertices
        masks[self.inlet] = masks[self.outlet] = 1
        for frame in self.frames:
            masks[frame.vertex] = 1 << frame.side | 1 << frame.exits[frame.next - 1]
        return ports_from_masks(self.puzzle, masks)


PATH = Kind("a plumber map", takes, (), lambda puzzle, limits, _: PathSearch(puzzle, limits))
