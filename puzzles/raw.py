"""A puzzle of the model as such, of no family: what test files and exports hold."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from .errors import InputError, UsageError
from .instance import Instance, Objective, Source
from .model import Puzzle, Solution, joined_edges, masks_of, ports_from_masks


@dataclass(frozen=True, eq=False)
class RawPuzzle(Instance):
    """A ``Puzzle`` with a name. Its rules are the puzzle's own and called ``given``."""

    family: ClassVar[str] = "puzzle"
    rules_offered: ClassVar[tuple[str, ...]] = ("given",)
    objectives: ClassVar[tuple[str, ...]] = ("cost",)

    model: Puzzle
    name: str = "puzzle"
    source: Source = field(default_factory=Source)
    rules: str = "given"
    objective: Objective | None = None

    def __post_init__(self) -> None:
        if self.rules != "given":
            raise UsageError(f"rules {self.rules!r}: a raw puzzle knows only its own, 'given'")

    def build(self) -> Puzzle:
        """The model itself, its costs turned to the objective's direction if there is one."""
        costs = self.model.costs
        if costs is None or self.objective is None or costs.maximise == self.objective.maximise:
            return self.model
        return replace(self.model, costs=replace(costs, maximise=self.objective.maximise))

    def with_rules(self, name: str) -> Self:
        """Itself; raises UsageError for anything but ``given``."""
        if name != "given":
            raise UsageError(f"rules {name!r}: a raw puzzle knows only its own, 'given'")
        return self

    def with_objective(self, objective: Objective) -> Self:
        """Least or most cost; raises UsageError for a puzzle without costs."""
        if self.model.costs is None:
            raise UsageError("the puzzle has no costs: there is nothing to optimise")
        return super().with_objective(objective)

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
