"""Puzzles in and outputs out, in the same order: what all commands of the command line share."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TypeVar

import click

from . import cli_render as render
from .benchmarks.progress import Progress
from .cli_render import Item, Output
from .puzzles.errors import InputError, PlumbenchError
from .puzzles.instance import Instance, Objective

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Options:
    """What commands have in common."""

    solver: str = "propagation"
    rules: str | None = None
    seconds: float | None = None
    nodes: int | None = None
    workers: int = 1
    json: bool = False
    objective: Objective | None = None
    turns: int | None = None


def items(
    arguments: Iterable[str],
    rules: str | None,
    objective: Objective | None = None,
    turns: int | None = None,
) -> Iterator[Item]:
    """Every puzzle of every argument, in order, lazily; a bad one is an item with its error."""
    from .puzzles.formats import read

    for argument in arguments:
        try:
            for found in read(argument):
                yield _item(argument, found, rules, objective, turns)
        except PlumbenchError as error:
            yield Item(argument, None, error)


def _item(
    argument: str,
    found: Instance | InputError,
    rules: str | None,
    objective: Objective | None,
    turns: int | None,
) -> Item:
    if isinstance(found, InputError):
        return Item(_label(argument, found.file, found.line), None, found)
    label = _label(argument, found.source.file, found.source.line)
    try:
        instance = found if rules is None else found.with_rules(rules)
        instance = instance if turns is None else instance.with_turns(turns)
        instance = instance if objective is None else instance.with_objective(objective)
        _ = instance.puzzle
    except PlumbenchError as error:
        return Item(label, found, error)
    return Item(label, instance)


def _label(argument: str, file: str | None, line: int | None) -> str:
    """Where a puzzle stands; a literal is its own name."""
    return argument if line is None or file in (None, "literal") else f"{file}:{line}"


@dataclass
class Printer:
    """Prints outputs in input order as soon as their turn comes, and keeps their codes."""

    progress: Progress = field(default_factory=Progress)
    codes: set[int] = field(default_factory=set)
    waiting: dict[int, Output] = field(default_factory=dict)
    turn: int = 0

    def add(self, index: int, output: Output) -> None:
        """Take the output of puzzle ``index``."""
        self.waiting[index] = output
        while self.turn in self.waiting:
            self.show(self.waiting.pop(self.turn))
            self.turn += 1
        self.progress.say(f"{self.turn} done")

    def __enter__(self) -> Printer:
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.clear()

    def show(self, output: Output) -> None:
        """Print now."""
        self.progress.clear()
        self.codes.add(output.code)
        if output.text:
            click.echo(output.text)
        if output.trouble:
            complain(output.trouble)

    def early(self, text: str) -> None:
        """Print part of what the puzzle whose turn it is has to say, before its end."""
        self.progress.clear()
        click.echo(text)

    @property
    def code(self) -> int:
        """The exit code of all of them."""
        return render.worst(self.codes)


def complain(message: object) -> None:
    """One line on standard error."""
    sys.stdout.flush()
    click.echo(f"plumbench: {render.one_line(message)}", err=True)


def peek(source: Iterator[T]) -> tuple[bool, Iterator[T]]:
    """Whether there is more than one, and all of them."""
    first = list(islice(source, 2))
    return len(first) > 1, chain(first, source)
