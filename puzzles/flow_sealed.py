"""Pairs under the rule sealed: copies of what each pair's water wets.

Of what is dry the model cannot tell how it lies, since dry pieces leak as they like. So a copy
holds the wet cells of one pair alone: each of its cells is *on*, lying as the board's cell, or
*off*, open to nothing but its switch. All of it is asked for by the model's own means: sources
are wet and must not leak, sinks must be wet.

- The board itself, with all sources; behind its sides a cell tells the bits of its mask's number.
- A *reader* for each bit (a sink) opens to the cell if the bit is 1 and the cell is wet, for a
  dry cell would leave it dry; else to a *well*, a source, and on to the copies' followers.
- In each copy a cell is a sink: on it must be reached by the pair's water, off by its *switch*,
  a source that opens to its cell and followers if the cell is off. The pair's cells are on.
- A *follower* for each bit and copy (a sink) opens to its cell, if that is on with the bit 1;
  else, the cell on, it must hear from the reader, which tells the bit 0; if the cell is off, it
  opens to the switch, whatever it hears. It passes on what it hears to the next copy's.

By induction along the water a copy's wet cells lie as the board's, which are wet, too; what is
wet leaks nowhere, so the water is the same. Reader and follower open to a cell only where they
open to nothing else: no water leaves the board or a copy through them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .domains import Table
from .flow_copies import Copies, Role
from .flow_tables import SIDES
from .model import Puzzle, Rules

if TYPE_CHECKING:
    from .flow import Flow


class SealedForm(Copies):
    """Copies of the wet cells; ``groups`` of a single source need none."""

    def __init__(self, flow: Flow, groups: list[list[int]]) -> None:
        super().__init__(flow, groups)
        board = [self._cell(cell) for cell in self.cells]
        self._borders(board)
        self.sources += [board[cell] for cell in dict.fromkeys(flow.sources)]
        heard = {
            (cell, bit): self._reader(board[cell], cell, bit)
            for cell in self.cells
            for bit in range(self.bits[cell])
        }
        paired = [copy for copy, group in enumerate(groups) if len(group) > 1]
        for copy in paired:
            self._copy(copy, groups[copy], heard, last=copy == paired[-1])

    def _cell(self, cell: int) -> int:
        """A cell of the board: sides, then the bits of its mask's number."""
        masks = [m | self.number(cell, m) << SIDES for m in self.tables.masks(cell)]
        table = Table(SIDES + self.bits[cell], tuple(sorted(masks)))
        return self.parts.add(table, ("cell", cell, -1, 0))

    def _borders(self, vertices: list[int] | dict[int, int]) -> None:
        """Edges between these cells; where one is not there, the other's side is a closed stub."""
        there = vertices if isinstance(vertices, dict) else dict(enumerate(vertices))
        for u, i, v, j in self.borders:
            if u in there and v in there:
                self.parts.join(there[u], i, there[v], j)
        for cell, vertex in there.items():
            self.parts.free += [(vertex, d) for d in range(SIDES) if self.rim[cell, d]]

    def _reader(self, vertex: int, cell: int, bit: int) -> tuple[int, int]:
        """Ports: the cell, the well, on. Gives the vertex and port that the next one hears."""
        reader = self.parts.add(Table(3, (1, 6)), ("reader", cell, -1, bit))
        well = self.parts.add(Table(1, (0, 1)), ("well", cell, -1, bit))
        self.parts.join(vertex, SIDES + bit, reader, 0)
        self.parts.join(reader, 1, well, 0)
        self.sinks.append(reader)
        self.sources.append(well)
        return reader, 2

    def _copy(
        self, copy: int, group: list[int], heard: dict[tuple[int, int], tuple[int, int]], last: bool
    ) -> None:
        cells: dict[int, int] = {}
        for cell in self.cells:
            if cell in group or self.tables.masks(cell) != (0,):
                cells[cell] = self._copied(cell, copy, on=cell in group)
        self._borders(cells)
        self.sources.append(cells[group[0]])
        for cell, vertex in cells.items():
            bits = self.bits[cell]
            full = (1 << bits + 1) - 1
            switch = self.parts.add(Table(bits + 1, (0, full)), ("switch", cell, copy, 0))
            self.parts.join(vertex, SIDES + bits, switch, bits)
            self.sources.append(switch)
            for bit in range(bits):
                follower = self._follower(cell, copy, bit, last)
                self.parts.join(vertex, SIDES + bit, follower, 0)
                self.parts.join(*heard[cell, bit], follower, 1)
                self.parts.join(switch, bit, follower, 2)
                heard[cell, bit] = follower, 3

    def _copied(self, cell: int, copy: int, *, on: bool) -> int:
        """A cell of a copy: sides, bits, switch."""
        masks = [m | self.number(cell, m) << SIDES for m in self.tables.masks(cell)]
        if not on:
            masks.append(1 << SIDES + self.bits[cell])
        vertex = self.parts.add(
            Table(SIDES + self.bits[cell] + 1, tuple(sorted(masks))), ("copy", cell, copy, 0)
        )
        self.sinks.append(vertex)
        return vertex

    def _follower(self, cell: int, copy: int, bit: int, last: bool) -> int:
        """Ports: cell, what it hears, switch, on (the last copy's has none)."""
        on = 0 if last else 8
        masks = (1, 2 | on, 4, 6 | on)
        table = Table(3 if last else 4, tuple(sorted(masks)))
        follower = self.parts.add(table, ("follower", cell, copy, bit + (0 if last else 8)))
        self.sinks.append(follower)
        return follower

    def build(self) -> Puzzle:
        """The board's cells are the first vertices."""
        rules = Rules("sealed", "reach", False, (), tuple(self.sources), tuple(self.sinks))
        return self.finished(rules)

    def complete(self, masks: Sequence[int]) -> list[int]:
        """The masks of all vertices that go with those of the cells."""
        wet = self.flow.wet(masks)
        water = [self.flow.wet(masks, group[:1]) for group in self.groups]
        for group, reached in zip(self.groups, water, strict=True):
            reached.update(group)
        return [self._mask(role, masks, wet, water) for role in self.parts.roles]

    def _mask(self, role: Role, masks: Sequence[int], wet: set[int], water: list[set[int]]) -> int:
        word, cell, copy, at = role
        bits, lies = self.bits[cell], masks[cell] | self.number(cell, masks[cell]) << SIDES
        told = cell in wet and bool(self.bit(cell, masks[cell], at & 7))
        on = copy >= 0 and cell in water[copy]
        match word:
            case "cell":
                return lies
            case "reader":
                return 1 if told else 6
            case "well":
                return 0 if told else 1
            case "copy":
                return lies if on else 1 << SIDES + bits
            case "switch":
                return 0 if on else (1 << bits + 1) - 1
            case _:
                hears = 0 if told else 2 | (at & 8)
                return (1 if told else hears) if on else hears | 4
