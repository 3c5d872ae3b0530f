"""What files hold and people see: a puzzle with its family, name, source and drawing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from .errors import UsageError
from .model import Puzzle, Solution

if TYPE_CHECKING:
    from .edge_list import EdgeList

NOUNS = {
    "board": "a board",
    "flow": "a flow board",
    "path": "a plumber map",
    "loop": "a pipe maze",
    "dominoes": "a set of dominoes",
    "puzzle": "a raw puzzle",
}
"""What messages call an instance of a family."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where an instance was read: a file (or ``literal``, ``-``, a generator) and a line."""

    file: str = "literal"
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Objective:
    """What a best solution has least of, or most: one of the family's ``objectives``."""

    what: str
    maximise: bool = False

    def __str__(self) -> str:
        return f"{'most' if self.maximise else 'least'} {self.what}"


@dataclass(frozen=True, slots=True)
class ExactCount:
    """A number that a family counts itself: of ``what``, by which ``method``, and a ``note``."""

    value: int
    what: str
    method: str
    note: str = ""


class Instance(ABC):
    """A member of a puzzle family. Solvers take its ``puzzle``; people take the instance.

    With an ``objective`` the puzzle has costs. Where vertices are the cells of a grid,
    ``columns`` says how many stand in a row, and ``sides`` names a vertex's ports.
    """

    family: ClassVar[str]
    rules_offered: ClassVar[tuple[str, ...]]
    objectives: ClassVar[tuple[str, ...]] = ()
    loose_rules: ClassVar[tuple[str, ...]] = ()
    """Rules under which nothing holds most pieces, so that few solutions cannot be asked for."""
    name: str
    source: Source
    rules: str
    objective: Objective | None = None

    @property
    def columns(self) -> int | None:
        """Cells in a row, None where vertices are no cells."""
        return None

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of a vertex's ports, in their order; empty where they have none."""
        return ()

    @property
    def extra(self) -> tuple[str, ...]:
        """The names of the last vertices: of those behind a grid's cells, or, without a grid,
        of all.
        """
        return ()

    @cached_property
    def puzzle(self) -> Puzzle:
        """The model's form; built once."""
        return self.build()

    @abstractmethod
    def build(self) -> Puzzle:
        """Make the model's form."""

    @abstractmethod
    def with_rules(self, name: str) -> Self:
        """The same instance under another of ``rules_offered``; raises UsageError."""

    def is_locked(self, vertex: int) -> bool:
        """Whether the puzzle fixes this vertex's mask by a lock."""
        return False

    def with_objective(self, objective: Objective) -> Self:
        """The same instance, to be optimised; raises UsageError for what its family or its
        data do not offer.
        """
        if objective.what not in self.objectives:
            offered = ", ".join(self.objectives) or "nothing"
            raise UsageError(f"optimise {objective.what!r}: {NOUNS[self.family]} offers {offered}")
        return replace(cast(Any, self), objective=objective)

    def with_turns(self, permission: int) -> Self:
        """The same instance, all its pieces free to turn that way: see ``turns``. Raises
        UsageError for a family that turns nothing.
        """
        raise UsageError(f"turns: there are no pieces to turn in {NOUNS[self.family]}")

    def canonical(self) -> object:
        """A hashable key, equal for two instances that a generator must not give both."""
        return self.puzzle.fingerprint

    def count_exactly(self, seconds: float | None = None) -> ExactCount | None:
        """What people count where that is not the model's solutions; None where it is. Raises
        TimeoutError after so many seconds.
        """
        return None

    def graph(self) -> EdgeList | None:
        """The graph that the instance itself is, if it is one, for Euler trails."""
        return None

    def joints(self, solution: Solution) -> tuple[Puzzle, Solution]:
        """A puzzle whose joined edges are the joints that people see, for Euler trails."""
        return self.puzzle, solution

    @abstractmethod
    def decode(self, solution: Solution) -> Any:
        """The solution as plain lists for JSON, in the family's own terms."""

    def details(self, solution: Solution) -> dict[str, Any]:
        """What else JSON says of a solution: field name to plain value."""
        return {}

    @abstractmethod
    def encode(self, answer: Any) -> Solution:
        """The inverse of decode; raises InputError for anything that is no answer."""

    def objections(self, answer: Any) -> tuple[str, ...]:
        """What is wrong with an answer, in the form that ``encode`` takes, that the solution made
        of it might not show (an order, say); empty if nothing is.
        """
        return ()

    @abstractmethod
    def draw(
        self,
        solution: Solution | None = None,
        *,
        marked: frozenset[int] = frozenset(),
        colour: bool = False,
    ) -> str:
        """A picture in characters; ``marked`` vertices are shown marked, with
        ``colour`` by terminal codes.
        """
