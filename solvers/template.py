"""The smallest complete engine, to start a new one from; docs/adding-an-engine.md explains it.

It tries the edges one after the other, joined or not. A real engine would hand the puzzle to
a library in ``start`` and ask it in ``next``; everything else would look the same. It is not
in the registry, but the conformance suite runs it like any other.
"""

from __future__ import annotations

from typing import ClassVar

import networkx as nx
import numpy as np

from ..puzzles.errors import UsageError
from ..puzzles.model import Puzzle, Solution, Table
from .contract import Capabilities, Deadline, Engine, Limits, Reason, Search, Variant

VERSION = "1"
"""Raise it with every change: runs of another version are other runs, see ``bench --resume``."""


class Template(Engine):
    """Leaks forbidden; connect none or used; cycles allowed or not."""

    name: ClassVar[str] = "template"

    # What is not listed here is refused by ``require`` before ``start`` is ever called, so
    # say no more than is true. Every key that goes into ``Search.stats`` is explained.
    capabilities = Capabilities(
        leaks=frozenset({"forbidden"}),
        connect=frozenset({"none", "used"}),
        interrupt=True,
        max_ports=48,
        counters={"decisions": "edges and free stubs that were set to open or closed"},
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        # ``variant`` is the parsed name: "template:fast+root" has options ("fast",) and
        # borrowed ("root",). Refuse what you do not know; import your library here and raise
        # MissingBackend if that fails.
        if variant.options or variant.borrowed:
            raise UsageError(f"solver {str(variant)!r}: template takes no options")

    def versions(self) -> dict[str, str]:
        """What does the solving, for the records of a benchmark."""
        return {"template": VERSION, "networkx": nx.__version__}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Encoding belongs here: its time is recorded apart from that of solving."""
        return TemplateSearch(puzzle, limits)


class TemplateSearch(Search):
    """One run. It owns all that changes, so that two runs of an engine never meet."""

    def __init__(self, puzzle: Puzzle, limits: Limits) -> None:
        super().__init__()
        self.decisions = 0
        self.stats["decisions"] = 0
        self.puzzle, self.limits, self.deadline = puzzle, limits, Deadline(limits)

        # A variable is a group of ports that are open together: the two of an edge, or one
        # free stub. Closed stubs have none and stay closed. Sorted by their last vertex, so
        # that vertices are complete early.
        self.variables = [pair.tolist() for pair in puzzle.edge_ports]
        self.variables += [[port] for port in np.flatnonzero(puzzle.free).tolist()]
        self.variables.sort(key=lambda ports: max(puzzle.owner[ports]))

        # A vertex can be judged as soon as its last variable is set; ``ready[n]`` are those
        # that are complete with the first n variables.
        last = [0] * puzzle.vertices
        for number, ports in enumerate(self.variables, 1):
            for port in ports:
                last[puzzle.owner[port]] = number
        self.ready: list[list[int]] = [[] for _ in range(len(self.variables) + 1)]
        for vertex, number in enumerate(last):
            self.ready[number].append(vertex)

        # The choices still to be followed, each a tuple of truth values for the first
        # variables. Different tuples never meet again: no solution can come twice.
        self.todo: list[tuple[bool, ...]] = [()]

    def next(self) -> Solution | Reason | None:
        """The contract's one method: a further solution, a reason to stop, or None for "that
        was all". What is left to do stays in ``self``, so that it can be called again.
        """
        while self.todo:
            # Look at the limits often enough; None would claim a proof, so give the reason.
            if self.deadline.passed():
                return Reason.TIME
            if self.limits.nodes is not None and self.decisions >= self.limits.nodes:
                return Reason.NODES
            values = self.todo.pop()
            ports = self._ports(values)
            if not all(self._fits(vertex, ports) for vertex in self.ready[len(values)]):
                continue
            if len(values) < len(self.variables):
                self.decisions += 1
                self.stats["decisions"] = self.decisions
                self.todo += [(*values, False), (*values, True)]
            elif self._hangs_together(ports):
                return ports
        return None

    def _ports(self, values: tuple[bool, ...]) -> Solution:
        """A solution is an array of truth values, one per port."""
        ports = np.zeros(self.puzzle.ports, dtype=np.bool_)
        for group, value in zip(self.variables, values, strict=False):
            ports[group] = value
        return ports

    def _fits(self, vertex: int, ports: Solution) -> bool:
        """Whether the vertex's open ports lie in its domain, be it a table or counts."""
        first = self.puzzle.first_port
        own = ports[first[vertex] : first[vertex + 1]].tolist()
        domain = self.puzzle.domain(vertex)
        if isinstance(domain, Table):
            return sum(1 << i for i, is_open in enumerate(own) if is_open) in domain.masks
        return sum(own) in domain.numbers(len(own))

    def _hangs_together(self, ports: Solution) -> bool:
        """The rules on the graph of joined edges, parallel edges and loops included."""
        puzzle, rules = self.puzzle, self.puzzle.rules
        graph = nx.MultiGraph()
        graph.add_nodes_from(puzzle.owner[ports].tolist())
        graph.add_nodes_from(rules.needed)
        graph.add_edges_from(puzzle.edge_vertices[ports[puzzle.edge_ports[:, 0]]].tolist())
        parts = nx.number_connected_components(graph)
        if rules.connect == "used" and parts > 1:
            return False
        return not rules.acyclic or len(graph.edges) == len(graph) - parts
