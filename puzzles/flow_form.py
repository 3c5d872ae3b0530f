"""A flow board as a puzzle of the model, each layout of its cells being one solution.

Cells are the first vertices, their sides the first ports. *All sinks* is the model's own rule.
*Any sink* needs more: where leaks are forbidden or free to happen, the sinks are chained by
edges that are always joined, so that the first of them is reached if any is. Where only wet
leaks are forbidden, such a chain would wet the dry sinks. There each sink opens a port towards a
probe, a vertex that must be reached: by the sink, which must then be wet, or by a source of its
own, the tally, which can only be if the sink is dry, since the probe is then shut towards it. A
tally's ports are open exactly for dry sinks, and not all of them may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .domains import Table
from .flow_tables import SIDES, Tables, opened
from .model import BoolArray, Costs, IntArray, Leaks, Puzzle, Rules
from .turns import turn_costs

if TYPE_CHECKING:
    from .flow import Flow

LEAKS: dict[str, Leaks] = {
    "reach": "allowed",
    "article": "allowed",
    "sealed": "sealed",
    "strict": "forbidden",
}
"""The rules offered, and what of leaks they say to the model."""

_TALLIED = 6
"""Sinks counted by one tally; the other two ports of its table chain the tallies."""


@dataclass(eq=False)
class Helpers:
    """Vertices behind the cells, and ports behind a cell's sides.

    ``ports`` (cells,) counts a cell's helper ports; ``edges`` are (vertex, port, vertex, port).
    """

    cells: int
    ports: IntArray
    domains: list[Table] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    edges: list[tuple[int, int, int, int]] = field(default_factory=list)

    def port(self, cell: int) -> int:
        """A new port of a cell, always open."""
        self.ports[cell] += 1
        return SIDES + int(self.ports[cell]) - 1

    def vertex(self, domain: Table, name: str) -> int:
        """A new vertex."""
        self.domains.append(domain)
        self.names.append(name)
        return self.cells + len(self.domains) - 1


class PlainForm:
    """The puzzle of a flow board whose water is one: any or all of the sinks, or pairs that all
    hang together.
    """

    def __init__(self, flow: Flow, sources: Sequence[int], sinks: Sequence[int]) -> None:
        self.flow = flow
        board = flow.board
        self.tables = Tables.of(board, article=flow.rules == "article")
        self.helpers = Helpers(board.cells, np.zeros(board.cells, dtype=np.int64))
        self.sources, self.sinks = list(sources), list(sinks)
        self.probes: list[tuple[int, int]] = []
        self.tallies: list[list[int]] = []
        if flow.wish == "any" and len(sinks) > 1:
            if flow.rules == "sealed":
                self._probe()
            else:
                self._chain()
        if self.tables.impossible.any():
            self.sinks.append(self.helpers.vertex(Table(0, (0,)), "a cell without a way to lie"))

    @property
    def extra(self) -> tuple[str, ...]:
        """The names of the vertices behind the cells."""
        return tuple(self.helpers.names)

    def _chain(self) -> None:
        helpers = self.helpers
        for one, other in zip(self.sinks, self.sinks[1:], strict=False):
            helpers.edges.append((one, helpers.port(one), other, helpers.port(other)))
        del self.sinks[1:]

    def _probe(self) -> None:
        """A probe for each sink: port 0 to the sink, port 1 to a tally."""
        helpers = self.helpers
        for sink in self.sinks:
            probe = helpers.vertex(Table(2, (1, 2)), "the probe of a sink")
            helpers.edges.append((sink, helpers.port(sink), probe, 0))
            self.probes.append((sink, probe))
        self.sinks = [probe for _, probe in self.probes]
        before = -1
        for at in range(0, len(self.probes), _TALLIED):
            before = self._tally([p for _, p in self.probes[at : at + _TALLIED]], before, at)

    def _tally(self, probes: list[int], before: int, at: int) -> int:
        """A source that counts these probes: a port for each, then one back to the tally before
        (are all of its sinks dry?) and one on to the next; the last must not have all open.
        """
        number, last = len(probes), at + len(probes) == len(self.probes)
        heard = number + (before >= 0)
        degree, full = heard + (not last), (1 << heard) - 1
        masks = list(range(full)) + ([] if last else [full | 1 << heard])
        tally = self.helpers.vertex(Table(degree, tuple(masks)), "the tally of the sinks")
        self.helpers.edges += [(probe, 1, tally, i) for i, probe in enumerate(probes)]
        if before >= 0:
            onward = self.helpers.domains[before - self.helpers.cells].degree - 1
            self.helpers.edges.append((before, onward, tally, number))
        self.sources.append(tally)
        self.tallies.append([tally, before, *probes])
        return tally

    def build(self) -> Puzzle:
        """Cells, then helpers; the cells' own edges first."""
        flow, helpers = self.flow, self.helpers
        degrees = np.concatenate([SIDES + helpers.ports, [d.degree for d in helpers.domains]])
        first = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
        tables, domain_of = self.tables.widened(helpers.ports)
        own = [len(tables) + i for i in range(len(helpers.domains))]
        plain = flow.board.puzzle.edge_ports
        cells, sides = np.divmod(plain, SIDES)
        more = [(first[u] + i, first[v] + j) for u, i, v, j in helpers.edges]
        edges = [first[cells] + sides, np.array(more, dtype=np.int64).reshape(-1, 2)]
        free = np.zeros(int(first[-1]), dtype=np.bool_)
        where, side = np.nonzero(rim_openings(flow))
        free[first[where] + side] = True
        number = len(plain) + len(more)
        still = flow.board.locked | (flow.board.pieces == 0)
        return Puzzle(
            first,
            (*tables, *helpers.domains),
            np.concatenate([domain_of, np.array(own, dtype=np.int64)]),
            np.concatenate(edges),
            free,
            Rules(LEAKS[flow.rules], "reach", False, (), tuple(self.sources), tuple(self.sinks)),
            rotation_costs(flow, helpers.ports, len(own), number),
            self.tables.pieces(helpers.ports, still, len(own)),
        )

    def complete(self, masks: Sequence[int]) -> list[int]:
        """The masks of all vertices that go with those of the cells."""
        ports = self.helpers.ports.tolist()
        found = [opened(mask, more) for mask, more in zip(masks, ports, strict=True)]
        found += [0] * len(self.helpers.domains)
        wet = self.flow.wet(masks) if self.probes else set()
        for sink, probe in self.probes:
            found[probe] = 1 if sink in wet else 2
        for tally, before, *probes in self.tallies:
            heard = [found[probe] == 2 for probe in probes]
            if before >= 0:
                degree = self.helpers.domains[before - self.helpers.cells].degree
                heard.append(bool(found[before] >> (degree - 1) & 1))
            mask = sum(is_dry << i for i, is_dry in enumerate(heard))
            onward = self.helpers.domains[tally - self.helpers.cells].degree > len(heard)
            found[tally] = mask | (all(heard) and onward) << len(heard)
        return found


def rim_openings(flow: Flow) -> BoolArray:
    """The sides off the board that may be open without leaking, shape (cells, sides)."""
    board = flow.board
    off = board.neighbours < 0
    if flow.rules in ("reach", "article") or flow.border == "closed":
        return np.zeros_like(off)
    if flow.border == "terminals":
        terminal = np.zeros(board.cells, dtype=np.bool_)
        terminal[[*flow.sources, *flow.sinks]] = True
        off = off & terminal[:, None]
    return off


def rotation_costs(flow: Flow, ports: IntArray, others: int, edges: int) -> Costs | None:
    """What turning costs, on cells with so many helper ports (cells,) and vertices behind them;
    None if rotations are not to be counted.
    """
    if flow.objective is None:
        return None
    board = flow.board
    costs = turn_costs(board.pieces, board.turns, SIDES, edges, maximise=flow.objective.maximise)
    kinds, index = np.unique(costs.row_of * 16 + ports, return_inverse=True)
    rows = [
        tuple((opened(mask, more), cost) for mask, cost in costs.rows[row])
        for row, more in (divmod(kind, 16) for kind in kinds.tolist())
    ]
    row_of = np.concatenate([index, np.full(others, len(rows), dtype=np.int64)])
    return Costs((*rows, ()), row_of, costs.edge, costs.maximise)
