"""Pipe boards: a piece on each cell of a grid, to be turned until nothing leaks.

Rules: *match* (every opening meets one), *connected* (match, and all pieces hang together),
*tree* (connected without cycles). Article 000 plays connected, the Net game plays tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from .draw import draw_board
from .errors import InputError, InvalidPuzzle, UsageError
from .instance import Instance, Objective, Source
from .model import (
    BoolArray,
    Costs,
    Domain,
    IntArray,
    Puzzle,
    Rules,
    Solution,
    Table,
    masks_of,
    ports_from_masks,
)
from .topology import Topology, opposite, orientations
from .turns import CLOCKWISE, LOCKED, permissions, turn_costs, turns_taken
from .values import Frozen, flags, frozen, integers

BOARD_RULES: dict[str, Rules] = {
    "match": Rules(),
    "connected": Rules(connect="used"),
    "tree": Rules(connect="used", acyclic=True),
}


def _none_given() -> BoolArray:
    return np.zeros(0, dtype=np.bool_)


def _no_turns_given() -> IntArray:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Board(Frozen, Instance):
    """A pipe board.

    - ``pieces`` (cells,): a mask per cell, 0 for a blank; any orientation of the piece;
    - ``oriented``: whether those orientations were given (a Net ID gives them, letters do not);
    - ``locked`` (cells,): cells whose mask in ``pieces`` is final;
    - ``walls`` (cells, directions): sides that nothing crosses; made symmetric here;
    - ``turns`` (cells,): how each piece may turn, see ``turns``; a piece that may not is locked
      here. They only tell what turning costs, which counts if the ``objective`` is rotations.

    ``locked``, ``walls`` and ``turns`` (clockwise) may be left out.

    Raises InvalidPuzzle for wrong shapes or masks beyond the directions, UsageError for unknown
    rules, and for an objective if it is unknown how the pieces lie.
    """

    family: ClassVar[str] = "board"
    rules_offered: ClassVar[tuple[str, ...]] = tuple(BOARD_RULES)
    objectives: ClassVar[tuple[str, ...]] = ("rotations",)

    topology: Topology
    pieces: IntArray
    oriented: bool = False
    locked: BoolArray = field(default_factory=_none_given)
    walls: BoolArray = field(default_factory=_none_given)
    rules: str = "connected"
    name: str = "board"
    source: Source = field(default_factory=Source)
    turns: IntArray = field(default_factory=_no_turns_given)
    objective: Objective | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.topology, Topology):
            raise InvalidPuzzle(f"topology: {self.topology!r}, expected a Topology")
        cells, directions = self.cells, self.topology.directions
        pieces = integers(self.pieces, "pieces")
        if pieces.shape != (cells,):
            raise InvalidPuzzle(f"pieces: found shape {pieces.shape}, expected ({cells},)")
        if cells and not 0 <= pieces.min() <= pieces.max() < 1 << directions:
            raise InvalidPuzzle(f"pieces: expected masks below {1 << directions}")
        locked = flags(self.locked, "locked")
        locked = locked if locked.size else frozen(np.zeros(cells, dtype=np.bool_))
        if locked.shape != (cells,):
            raise InvalidPuzzle(f"locked: found shape {locked.shape}, expected ({cells},)")
        if self.rules not in BOARD_RULES:
            raise UsageError(f"rules {self.rules!r}: expected one of {', '.join(BOARD_RULES)}")
        walls = frozen(self._symmetric_walls(flags(self.walls, "walls")))
        turns = permissions(self.turns, cells)
        locked = frozen(locked | (turns == LOCKED))
        turns = frozen(np.where(locked, CLOCKWISE, turns))
        for name, array in (("pieces", pieces), ("locked", locked), ("walls", walls)):
            object.__setattr__(self, name, array)
        object.__setattr__(self, "turns", turns)
        self._check_objective()

    def _check_objective(self) -> None:
        if self.objective is None:
            return
        if self.objective.what not in self.objectives:
            raise UsageError(f"optimise {self.objective.what!r}: a board offers rotations")
        directions = self.topology.directions
        loose = [] if self.oriented else np.unique(self.pieces[~self.locked]).tolist()
        if any(len(orientations(mask, directions)) > 1 for mask in loose):
            raise UsageError(
                "optimise rotations: the board does not say how its pieces lie "
                "(a Net ID, box characters and JSON with oriented do)"
            )

    def _symmetric_walls(self, walls: BoolArray) -> BoolArray:
        cells, directions = self.cells, self.topology.directions
        if not walls.size:
            return np.zeros((cells, directions), dtype=np.bool_)
        if walls.shape != (cells, directions):
            raise InvalidPuzzle(
                f"walls: found shape {walls.shape}, expected ({cells}, {directions})"
            )
        both = walls.copy()
        for d in range(directions):
            there = self.neighbours[:, d]
            inside = there >= 0
            both[there[inside], opposite(self.topology, d)] |= walls[inside, d]
        return both

    @property
    def width(self) -> int:
        """Columns."""
        return self.topology.width

    @property
    def height(self) -> int:
        """Rows."""
        return self.topology.height

    @property
    def cells(self) -> int:
        """Number of cells, blanks included."""
        return self.topology.width * self.topology.height

    @property
    def columns(self) -> int:
        """Cells in a row."""
        return self.width

    @property
    def sides(self) -> tuple[str, ...]:
        """The directions, in the order of a cell's ports."""
        return self.topology.sides

    def is_locked(self, vertex: int) -> bool:
        """Whether the cell is locked."""
        return bool(self.locked[vertex])

    def canonical(self) -> object:
        """Equal for boards that a turn or a mirror makes the same."""
        from .generators.distinct import canonical

        return canonical(self) if self.topology.kind == "square" else super().canonical()

    @cached_property
    def neighbours(self) -> IntArray:
        """Shape (cells, directions): the neighbour in each direction, walls ignored."""
        return frozen(self.topology.neighbours())

    def build(self) -> Puzzle:
        """Vertices are cells, port ``cell * directions + d`` faces direction d."""
        directions = self.topology.directions
        edges = []
        for d in range(directions // 2):
            there = self.neighbours[:, d]
            joined = np.flatnonzero((there >= 0) & ~self.walls[:, d])
            back = there[joined] * directions + opposite(self.topology, d)
            edges.append(np.stack([joined * directions + d, back], axis=1))
        domains, domain_of = self._domains()
        return Puzzle(
            np.arange(self.cells + 1) * directions,
            domains,
            domain_of,
            np.concatenate(edges),
            np.zeros(self.cells * directions, dtype=np.bool_),
            BOARD_RULES[self.rules],
            self._costs(sum(map(len, edges))),
        )

    def _costs(self, edges: int) -> Costs | None:
        if self.objective is None:
            return None
        return turn_costs(
            self.pieces,
            self.turns,
            self.topology.directions,
            edges,
            maximise=self.objective.maximise,
        )

    def _domains(self) -> tuple[tuple[Domain, ...], IntArray]:
        directions = self.topology.directions
        keys = self.pieces * 2 + self.locked
        interned: dict[Table, int] = {}
        index_of = {}
        for key in np.unique(keys).tolist():
            mask, lock = divmod(key, 2)
            masks = (mask,) if lock else orientations(mask, directions)
            index_of[key] = interned.setdefault(Table(directions, masks), len(interned))
        lookup = np.zeros(max(index_of, default=0) + 1, dtype=np.int64)
        for key, index in index_of.items():
            lookup[key] = index
        return tuple(interned), lookup[keys]

    def with_rules(self, name: str) -> Self:
        """The same board under match, connected or tree."""
        if name not in BOARD_RULES:
            raise UsageError(f"rules {name!r}: a board knows {', '.join(BOARD_RULES)}")
        return replace(self, rules=name)

    def with_turns(self, permission: int) -> Self:
        """The same board, all its pieces (but the locked ones) free to turn that way."""
        return replace(self, turns=np.full(self.cells, permission, dtype=np.int64))

    def with_locked(self, cell: int, mask: int) -> Self:
        """The same board with one cell fixed to this orientation."""
        pieces, locked = self.pieces.copy(), np.array(self.locked)
        pieces[cell], locked[cell] = mask, True
        return replace(self, pieces=pieces, locked=locked)

    def decode(self, solution: Solution) -> list[list[int]]:
        """Rows of masks."""
        masks = masks_of(self.puzzle, solution)
        return [masks[r * self.width : (r + 1) * self.width] for r in range(self.height)]

    def details(self, solution: Solution) -> dict[str, Any]:
        """If rotations count: ``turns``, rows of the turns each cell takes, see ``turns_taken``."""
        if self.objective is None:
            return {}
        wanted, directions = masks_of(self.puzzle, solution), self.topology.directions
        cells = zip(self.pieces.tolist(), wanted, self.turns.tolist(), strict=True)
        taken = [turns_taken(*cell, directions) for cell in cells]
        rows = range(0, self.cells, self.width)
        return {"turns": [taken[at : at + self.width] for at in rows]}

    def encode(self, answer: Any) -> Solution:
        """From rows of masks."""
        if not isinstance(answer, list) or not all(isinstance(row, list) for row in answer):
            raise InputError(type(answer).__name__, "rows of masks")
        masks = [mask for row in answer for mask in row]
        if len(answer) != self.height:
            raise InputError(f"{len(answer)} rows", f"{self.height} rows of {self.width} masks")
        for number, row in enumerate(answer, 1):
            if len(row) != self.width:
                raise InputError(f"{len(row)} masks in row {number}", f"{self.width}")
        limit = 1 << self.topology.directions
        for mask in masks:
            if type(mask) is not int or not 0 <= mask < limit:
                raise InputError(repr(mask), f"a mask from 0 to {limit - 1}")
        return ports_from_masks(self.puzzle, masks)

    def draw(
        self,
        solution: Solution | None = None,
        *,
        marked: frozenset[int] = frozenset(),
        colour: bool = False,
    ) -> str:
        """Box characters for squares, see ``draw``."""
        masks = self.pieces.tolist() if solution is None else masks_of(self.puzzle, solution)
        return draw_board(self, masks, oriented=solution is not None, marked=marked, colour=colour)
