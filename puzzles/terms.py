"""Faults of a solution in words: in the model's terms, or in those of a grid."""

from __future__ import annotations

from collections.abc import Sequence

from .instance import Instance
from .model import Puzzle, Table

MOST_LISTED = 20
"""Vertices, components or masks spelled out in one sentence."""


def listed(items: Sequence[object], joint: str = ", ") -> str:
    """The first ``MOST_LISTED`` of the items, and how many there are if that is not all."""
    shown = joint.join(str(item) for item in items[:MOST_LISTED])
    return shown if len(items) <= MOST_LISTED else f"{shown}{joint}... ({len(items)} in all)"


class Terms:
    """The model's own terms: ports and edges by number, vertices by number or name."""

    def __init__(self, puzzle: Puzzle, names: Sequence[str] = ()) -> None:
        self.puzzle, self.names = puzzle, names

    def vertex(self, vertex: int) -> str:
        """A vertex."""
        return self.names[vertex] if self.names else f"vertex {vertex}"

    def port(self, port: int) -> str:
        """A port."""
        vertex, place = self.place(port)
        return f"port {place} of vertex {vertex}"

    def place(self, port: int) -> tuple[int, int]:
        """A port's vertex, and its number there."""
        vertex = int(self.puzzle.owner[port])
        return vertex, port - int(self.puzzle.first_port[vertex])

    def wrong_mask(self, vertex: int, mask: int) -> str:
        """A mask that is not in the domain."""
        domain = self.puzzle.domain(vertex)
        allowed = listed(domain.masks) if isinstance(domain, Table) else "counts"
        return f"{self.vertex(vertex)}: mask {mask} is not in its domain {{{allowed}}}"

    def leak_at_stub(self, port: int) -> str:
        """An open port that is a closed stub."""
        return f"{self.port(port)} leaks: it is open on a closed stub"

    def leak_at_edge(self, port: int, far: int) -> str:
        """An open port whose edge's other port is closed."""
        edge = self.puzzle.edge_of[port]
        return f"{self.port(port)} leaks: across edge {edge}, {self.port(far)} is closed"

    def dry(self, sink: int, size: int) -> str:
        """A sink in a component of so many vertices without a source."""
        return f"sink {sink} is dry: no source among the {size} vertices of its component"

    def split(self, parts: Sequence[tuple[int, int]]) -> str:
        """Several components, as their sizes with one vertex of each."""
        sizes = listed([f"{size} (with {self.vertex(first)})" for size, first in parts])
        return f"what must hang together lies in {len(parts)} components of sizes {sizes}"

    def cycle(self, around: Sequence[int], crossed: Sequence[int], number: int) -> str:
        """One cycle of a component that has so many independent ones."""
        return (
            f"cycle: vertices {listed(around)} along edges {listed(crossed)}"
            f" ({number} independent cycles in this component)"
        )

    def loop(self, vertex: int, edge: int) -> str:
        """A joined edge from a vertex to itself."""
        return f"cycle: edge {edge} is a loop on {self.vertex(vertex)}"


class GridTerms(Terms):
    """The terms of a grid of cells: rows and columns from 1, and sides."""

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance.puzzle)
        assert instance.columns is not None
        self.columns, self.sides, self.locked = (
            instance.columns,
            instance.sides,
            instance.is_locked,
        )
        self.extra = instance.extra
        self.cells = self.puzzle.vertices - len(self.extra)

    def vertex(self, vertex: int) -> str:
        """A cell, or what stands behind the cells."""
        if vertex >= self.cells:
            return self.extra[vertex - self.cells]
        row, column = divmod(vertex, self.columns)
        return f"row {row + 1}, column {column + 1}"

    def port(self, port: int) -> str:
        """A side of a cell."""
        vertex, _ = self.place(port)
        return f"{self.vertex(vertex)}{self.side(port)}"

    def side(self, port: int) -> str:
        """The port's direction behind a space; empty for what is no cell or no side."""
        vertex, place = self.place(port)
        is_side = vertex < self.cells and place < len(self.sides)
        return f" {self.sides[place]}" if is_side else ""

    def openings(self, mask: int) -> str:
        """The sides that are open."""
        return "-".join(s for i, s in enumerate(self.sides) if mask >> i & 1) or "nowhere"

    def wrong_mask(self, vertex: int, mask: int) -> str:
        """Another piece than the puzzle's, or a locked one that was turned."""
        domain = self.puzzle.domain(vertex)
        masks = domain.masks if isinstance(domain, Table) else ()
        wish = listed([self.openings(m) for m in masks], " or ")
        piece = "the locked piece" if self.locked(vertex) else "the puzzle's piece there"
        return f"{self.vertex(vertex)} opens {self.openings(mask)}, {piece} opens {wish}"

    def leak_at_stub(self, port: int) -> str:
        """An opening at the border or at a wall."""
        return self._leak(port, "the border or a wall is there")

    def leak_at_edge(self, port: int, far: int) -> str:
        """An opening that meets none."""
        return self._leak(port, f"{self.vertex(self.place(far)[0])} does not open towards it")

    def _leak(self, port: int, why: str) -> str:
        vertex, _ = self.place(port)
        return f"{self.vertex(vertex)} leaks{self.side(port)}: {why}"

    def dry(self, sink: int, size: int) -> str:
        """A sink that no water reaches."""
        return f"{self.vertex(sink)} is dry: no water reaches it"

    def split(self, parts: Sequence[tuple[int, int]]) -> str:
        """Several parts, as their sizes with one cell of each."""
        sizes = listed([f"{size} (with {self.vertex(first)})" for size, first in parts], "; ")
        return f"the pieces form {len(parts)} separate parts, in cells: {sizes}"

    def cycle(self, around: Sequence[int], crossed: Sequence[int], number: int) -> str:
        """One cycle; the edges go without saying."""
        more = f" ({number} independent cycles in this part)" if number > 1 else ""
        return f"cycle: {listed([self.vertex(v) for v in around], '; ')}{more}"

    def loop(self, vertex: int, edge: int) -> str:
        """A cell joined to itself around a torus."""
        return f"cycle: {self.vertex(vertex)} is joined to itself"


def terms_of(instance: Instance) -> Terms:
    """The terms in which people see this instance."""
    if instance.columns is None:
        return Terms(instance.puzzle, instance.extra)
    return GridTerms(instance)
