"""A puzzle of the model as such, of no family: what test files and exports hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from .errors import InputError, UsageError
from .instance import Instance, Source
from .model import Puzzle, Solution, joined_edges, masks_of, ports_from_masks


@dataclass(frozen=True, eq=False)
class RawPuzzle(Instance):
    """A ``Puzzle`` with a name. Its rules are the puzzle's own and called ``given``."""

    family: ClassVar[str] = "puzzle"
    rules_offered: ClassVar[tuple[str, ...]] = ("given",)

    model: Puzzle
    name: str = "puzzle"
    source: Source = field(default_factory=Source)
    rules: str = "given"

    def __post_init__(self) -> None:
        if self.rules != "given":
            raise UsageError(f"rules {self.rules!r}: a raw puzzle knows only its own, 'given'")

    def build(self) -> Puzzle:
        """The model itself."""
        return self.model

    def with_rules(self, name: str) -> Self:
        """Itself; raises UsageError for anything but ``given``."""
        if name != "given":
            raise UsageError(f"rules {name!r}: a raw puzzle knows only its own, 'given'")
        return self

    def decode(self, solution: Solution) -> list[int]:
        """One mask per vertex."""
        return masks_of(self.model, solution)

    def encode(self, answer: Any) -> Solution:
        """From one mask per vertex."""
        if not isinstance(answer, list):
            raise InputError(type(answer).__name__, "a list of masks")
        if len(answer) != self.model.vertices:
            raise InputError(f"{len(answer)} masks", f"{self.model.vertices}, one per vertex")
        for vertex, (mask, degree) in enumerate(
            zip(answer, self.model.degree.tolist(), strict=True)
        ):
            if type(mask) is not int or mask < 0 or mask >> degree:
                raise InputError(f"{mask!r} for vertex {vertex}", f"a mask of its {degree} ports")
        return ports_from_masks(self.model, answer)

    def draw(
        self,
        solution: Solution | None = None,
        *,
        marked: frozenset[int] = frozenset(),
        colour: bool = False,
    ) -> str:
        """A line per vertex: its neighbours, ``=`` where joined, ``-`` where not."""
        return "\n".join(_lines(self.model, solution, marked))


def _lines(puzzle: Puzzle, solution: Solution | None, marked: frozenset[int]) -> list[str]:
    first, twin, owner = puzzle.first_port.tolist(), puzzle.twin.tolist(), puzzle.owner.tolist()
    free = puzzle.free.tolist()
    is_open = [False] * puzzle.ports if solution is None else solution.tolist()
    joined = (
        set()
        if solution is None
        else set(puzzle.edge_ports[joined_edges(puzzle, solution)].ravel().tolist())
    )
    width = len(str(max(puzzle.vertices - 1, 0)))
    lines = []
    for vertex in range(puzzle.vertices):
        ports = []
        for port in range(first[vertex], first[vertex + 1]):
            stub = "free" if free[port] else "closed"
            end = owner[twin[port]] if twin[port] >= 0 else stub
            sign = "=" if port in joined else ">" if is_open[port] else "-"
            ports.append(f"{sign}{end}")
        mark = "*" if vertex in marked else " "
        lines.append(f"{mark}{vertex:>{width}}: {' '.join(ports)}".rstrip())
    return lines
