"""Pairs of terminals that need not all hang together: a copy of the board for each set of them.

The model knows one water. So each set of cells that must hang together (``Flow.groups``) gets a
copy of the board with a source of its own, and all copies lie alike: signals carry the number of
each cell's mask, bit by bit, from copy to copy. A joined edge would also carry water; so a signal
passes two inverters, vertices that open on one side or on the other, of which one is always shut.

This is the form for the rules reach, article and strict, with leaks forbidden in the model: where
the rule lets pieces leak, a junction with all four masks stands on the border of two cells, and
an opening off the board is free. The rule sealed has a form of its own, in ``flow_sealed``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .domains import Table
from .flow_form import rim_openings, rotation_costs
from .flow_tables import SIDES, Tables
from .model import Puzzle, Rules
from .pieces import Pieces

if TYPE_CHECKING:
    from .flow import Flow

Role = tuple[str, int, int, int]
"""What a vertex is: a word, its cell, its copy, and which bit or side of the cell it serves."""

_INVERTER = Table(2, (1, 2))
_JUNCTION = Table(2, (0, 1, 2, 3))


class Parts:
    """Vertices, edges and free stubs on their way to a puzzle."""

    def __init__(self) -> None:
        self.vertices: list[tuple[int, Table]] = []
        self.roles: list[Role] = []
        self.edges: list[tuple[int, int, int, int]] = []
        self.free: list[tuple[int, int]] = []

    def add(self, table: Table, role: Role) -> int:
        """A new vertex."""
        self.vertices.append((table.degree, table))
        self.roles.append(role)
        return len(self.vertices) - 1

    def join(self, one: int, port: int, other: int, back: int) -> None:
        """A new edge."""
        self.edges.append((one, port, other, back))


class Copies:
    """What both forms with copies share: the board's facts, and the numbering of masks."""

    def __init__(self, flow: Flow, groups: list[list[int]]) -> None:
        self.flow, self.groups, self.parts = flow, groups, Parts()
        board = flow.board
        self.cells = range(board.cells)
        self.tables = Tables.of(board, article=flow.rules == "article")
        self.bits = [(len(self.tables.masks(c)) - 1).bit_length() for c in self.cells]
        self.rim = rim_openings(flow)
        cells, sides = np.divmod(board.puzzle.edge_ports, SIDES)
        self.borders: list[tuple[int, int, int, int]] = [
            (u, i, v, j) for (u, v), (i, j) in zip(cells.tolist(), sides.tolist(), strict=True)
        ]
        self.sources: list[int] = []
        self.sinks: list[int] = []

    @property
    def extra(self) -> tuple[str, ...]:
        """The names of the vertices behind the cells."""
        found = []
        for word, cell, copy, _ in self.parts.roles[len(self.cells) :]:
            row, column = divmod(cell, self.flow.board.width)
            where = f" of row {row + 1}, column {column + 1}" if cell >= 0 else ""
            found.append(f"the {word}{where}" + (f" for pair {copy + 1}" if copy >= 0 else ""))
        return tuple(found)

    def number(self, cell: int, mask: int) -> int:
        """The mask's number among the cell's; 0 for one that is not its own."""
        masks = self.tables.masks(cell)
        return masks.index(mask) if mask in masks else 0

    def bit(self, cell: int, mask: int, bit: int) -> int:
        """One bit of that number."""
        return self.number(cell, mask) >> bit & 1

    def finished(self, rules: Rules) -> Puzzle:
        """The puzzle of the parts; rotations are counted on the cells of the first copy."""
        parts, objective = self.parts, self.flow.objective
        listed: list[list[tuple[int, int]]] | None = None
        if objective is not None:
            none = np.zeros(len(self.cells), dtype=np.int64)
            costs = rotation_costs(self.flow, none, 0, 0)
            assert costs is not None
            listed = [[] for _ in parts.vertices]
            for cell, row in enumerate(costs.row_of.tolist()):
                price = dict(costs.rows[row])
                masks = parts.vertices[cell][1].masks
                listed[cell] = [(m, price[m & 15]) for m in masks if m & 15 in price]
        puzzle = Puzzle.build(
            parts.vertices,
            parts.edges,
            free=parts.free,
            rules=rules,
            mask_costs=listed,
            maximise=objective is not None and objective.maximise,
        )
        return replace(puzzle, pieces=self._pieces())

    def _pieces(self) -> Pieces:
        """The cells of the first copy; all others are helpers."""
        board, others = self.flow.board, len(self.parts.vertices) - len(self.cells)
        rows = []
        for cell in self.cells:
            masks = {mask & 15: mask for mask in self.parts.vertices[cell][1].masks}
            turned = self.tables.turned[int(self.tables.row_of[cell])]
            rows.append(tuple(masks[mask] for mask in turned if mask in masks) or (0,))
        row_of = [*range(len(rows)), *[len(rows)] * others]
        fixed = [*(board.locked | (board.pieces == 0)).tolist(), *[True] * others]
        return Pieces((*rows, ()), np.array(row_of), np.array(fixed, dtype=np.bool_))


class CopiesForm(Copies):
    """Copies with leaks forbidden; see the module."""

    def __init__(self, flow: Flow, groups: list[list[int]]) -> None:
        super().__init__(flow, groups)
        self.leaky = flow.rules != "strict"
        first: list[int] = []
        for copy, group in enumerate(groups):
            cells = [self._cell(cell, copy) for cell in self.cells]
            if copy:
                for cell in self.cells:
                    self._signals(first[cell], cells[cell], cell, copy)
            self._borders(cells, copy)
            self.sources.append(cells[group[0]])
            self.sinks += [cells[cell] for cell in group[1:]]
            first = cells
        if self.tables.impossible.any():
            role = ("cell without a way to lie", -1, -1, 0)
            self.sinks.append(self.parts.add(Table(0, (0,)), role))

    def _cell(self, cell: int, copy: int) -> int:
        """Sides, then the signals that come, then those that go on to the next copy."""
        bits = self.bits[cell]
        signals = bits * ((copy > 0) + (copy + 1 < len(self.groups)))
        masks = [self._cell_mask(cell, copy, m) for m in self.tables.masks(cell)]
        table = Table(SIDES + signals, tuple(sorted(masks)))
        return self.parts.add(table, ("copy", cell, copy, 0))

    def _cell_mask(self, cell: int, copy: int, mask: int) -> int:
        bits, number, place = self.bits[cell], self.number(cell, mask), SIDES
        for there in (copy > 0, copy + 1 < len(self.groups)):
            if there:
                mask |= number << place
                place += bits
        return mask

    def _signals(self, one: int, other: int, cell: int, copy: int) -> None:
        bits = self.bits[cell]
        start = SIDES + (bits if copy > 1 else 0)
        for bit in range(bits):
            going = self.parts.add(_INVERTER, ("inverter", cell, copy, bit))
            coming = self.parts.add(_INVERTER, ("second inverter", cell, copy, bit))
            self.parts.join(one, start + bit, going, 0)
            self.parts.join(going, 1, coming, 0)
            self.parts.join(coming, 1, other, SIDES + bit)

    def _borders(self, cells: list[int], copy: int) -> None:
        parts = self.parts
        stub = set(zip(*np.nonzero(np.ones_like(self.rim)), strict=True))
        for index, (u, i, v, j) in enumerate(self.borders):
            stub -= {(u, i), (v, j)}
            if not self.leaky:
                parts.join(cells[u], i, cells[v], j)
            elif self._opens(u, i) and self._opens(v, j):
                junction = parts.add(_JUNCTION, ("junction", -1, copy, index))
                parts.join(cells[u], i, junction, 0)
                parts.join(cells[v], j, junction, 1)
            else:
                parts.free += [(cells[u], i), (cells[v], j)]
        for cell, side in sorted(stub):
            if self.leaky or self.rim[cell, side]:
                parts.free.append((cells[cell], int(side)))

    def _opens(self, cell: int, side: int) -> bool:
        """Whether some mask of the cell opens there."""
        return any(mask >> side & 1 for mask in self.tables.masks(cell))

    def build(self) -> Puzzle:
        """The cells of the first copy are the first vertices."""
        rules = Rules("forbidden", "reach", False, (), tuple(self.sources), tuple(self.sinks))
        return self.finished(rules)

    def complete(self, masks: Sequence[int]) -> list[int]:
        """The masks of all vertices that go with those of the cells."""
        return [self._mask(role, masks) for role in self.parts.roles]

    def _mask(self, role: Role, masks: Sequence[int]) -> int:
        word, cell, copy, at = role
        match word:
            case "copy":
                return self._cell_mask(cell, copy, masks[cell])
            case "inverter":
                return 1 if self.bit(cell, masks[cell], at) else 2
            case "second inverter":
                return 2 if self.bit(cell, masks[cell], at) else 1
            case "junction":
                u, i, v, j = self.borders[at]
                return (masks[u] >> i & 1) | (masks[v] >> j & 1) << 1
            case _:
                return 0
