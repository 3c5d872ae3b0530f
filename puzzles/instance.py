"""What files hold and people see: a puzzle with its family, name, source and drawing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from .model import Puzzle, Solution


@dataclass(frozen=True, slots=True)
class Source:
    """Where an instance was read: a file (or ``literal``, ``-``, a generator) and a line."""

    file: str = "literal"
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Instance(ABC):
    """A member of a puzzle family. Solvers take its ``puzzle``; people take the instance."""

    family: ClassVar[str]
    rules_offered: ClassVar[tuple[str, ...]]
    name: str
    source: Source
    rules: str

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

    @abstractmethod
    def decode(self, solution: Solution) -> Any:
        """The solution as plain lists for JSON, in the family's own terms."""

    @abstractmethod
    def encode(self, answer: Any) -> Solution:
        """The inverse of decode; raises InputError for anything that is no answer."""

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
