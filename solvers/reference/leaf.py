"""What the rules say of the whole graph, judged once every vertex has its mask."""

from __future__ import annotations

from ...puzzles.model import Puzzle


class Leaf:
    """The rules of one puzzle as a test of complete masks; domains are the search's business.

    ``reaches`` is the flow test of article 001, extended to several sources and sinks.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.rules = puzzle.rules
        self.first: list[int] = puzzle.first_port.tolist()
        self.owner: list[int] = puzzle.owner.tolist()
        self.edges: list[list[int]] = puzzle.edge_ports.tolist()
        free, twin = puzzle.free.tolist(), puzzle.twin.tolist()
        self.shut = [p for p in range(puzzle.ports) if twin[p] < 0 and not free[p]]

    def holds(self, masks: list[int]) -> bool:
        """Whether connect, acyclic and leaks sealed hold; leaks forbidden is not asked.

        Article 000 counts a board of blanks as connected. A vertex at rest (mask 0) counts only
        if it is needed.
        """
        rules = self.rules
        if rules.connect == "none" and not rules.acyclic:
            return True
        parent = list(range(len(masks)))

        def root(vertex: int) -> int:
            while parent[vertex] != vertex:
                parent[vertex] = vertex = parent[parent[vertex]]
            return vertex

        for one, other in self.edges:
            if not (self._open(masks, one) and self._open(masks, other)):
                continue
            ru, rv = root(self.owner[one]), root(self.owner[other])
            if ru == rv and rules.acyclic:
                return False
            parent[ru] = rv
        if rules.connect == "used":
            used = {root(v) for v, mask in enumerate(masks) if mask}
            return len(used | {root(v) for v in rules.needed}) <= 1
        wet = {root(v) for v in rules.sources}
        if not all(root(v) in wet for v in rules.sinks):
            return False
        return rules.leaks != "sealed" or all(
            root(self.owner[port]) not in wet for port in self._leaking(masks)
        )

    def _open(self, masks: list[int], port: int) -> bool:
        vertex = self.owner[port]
        return bool(masks[vertex] >> (port - self.first[vertex]) & 1)

    def _leaking(self, masks: list[int]) -> list[int]:
        """The open ports that meet none."""
        found = [port for port in self.shut if self._open(masks, port)]
        for one, other in self.edges:
            if self._open(masks, one) != self._open(masks, other):
                found.append(one if self._open(masks, one) else other)
        return found
