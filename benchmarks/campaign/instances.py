"""The puzzles of a suite: read from files or generated, each once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from ...puzzles.errors import InputError, PlumbenchError, UsageError
from ...puzzles.formats import read
from ...puzzles.instance import Instance
from ..selection import Wish, ended, select
from .suite_files import LIBRARY
from .suites import Puzzles, Suite

LIBRARY_FOLDER = Path(__file__).resolve().parents[2] / "puzzles" / "library"
PUZZLE_FILES = (".txt", ".json", ".jsonl")
JUDGING_SECONDS = 10.0
"""How long a generated board may take to be judged unique."""

Labelled = tuple[str, Instance]
"""The group that a suite counts a puzzle to, and the puzzle."""


def load_instances(suite: Suite, bad: list[InputError] | None = None) -> list[Labelled]:
    """(group, puzzle) of all puzzles of a suite; of equal ones the first.

    Puzzles that cannot be read go to ``bad``. Without it they are an InputError that names them
    all, for a campaign must not change silently. Raises InputError if there is no puzzle,
    UsageError for rules or settings that do not fit, GenerationFailed.
    """
    wrong: list[InputError] = []
    found: dict[str, Labelled] = {}
    for puzzles in suite.instances:
        for group, instance in _generated(puzzles) if puzzles.generate else _read(puzzles, wrong):
            found.setdefault(instance.puzzle.fingerprint, (group, instance))
    if bad is not None:
        bad += wrong
    elif wrong:
        raise _refusal(wrong)
    if not found:
        raise InputError("no puzzles", "at least one, for a suite", file=suite.name)
    return list(found.values())


def _refusal(wrong: list[InputError]) -> InputError:
    if len(wrong) == 1:
        only = wrong[0]
        expected = f"{only.expected} (--skip-bad leaves it out)"
        return InputError(only.found, expected, file=only.file, line=only.line, column=only.column)
    named = "; ".join(str(error) for error in wrong)
    return InputError(
        f"{len(wrong)} puzzles that cannot be read ({named})",
        "puzzles, or --skip-bad, which leaves them out",
        file="suite",
    )


def _read(puzzles: Puzzles, wrong: list[InputError]) -> Iterator[Labelled]:
    for path in _paths(puzzles):
        group = puzzles.group or Path(path).stem
        for item in read(path):
            if isinstance(item, InputError):
                wrong.append(item)
                continue
            try:
                ruled = item if puzzles.rules is None else item.with_rules(puzzles.rules)
                _ = ruled.puzzle
            except InputError as error:
                wrong.append(error)
            except PlumbenchError as error:
                place = item.source
                wrong.append(
                    InputError(str(error), "a puzzle that fits", file=place.file, line=place.line)
                )
            else:
                yield group, ruled


def _paths(puzzles: Puzzles) -> list[str]:
    """The files, in order; puzzle files only of a pattern that matches others too."""
    if puzzles.file is not None:
        path = _at_home(puzzles.file)
        if not os.path.isfile(path):
            raise InputError("no such file", "a file of puzzles", file=puzzles.file)
        return [path]
    assert puzzles.glob is not None
    matches = sorted(filter(os.path.isfile, glob(_at_home(puzzles.glob), recursive=True)))
    found = [path for path in matches if path.endswith(PUZZLE_FILES)]
    if not found:
        raise InputError("no puzzles", "files of puzzles", file=puzzles.glob)
    return found


def _at_home(place: str) -> str:
    if not place.startswith(LIBRARY):
        return place
    return os.fspath(LIBRARY_FOLDER / place.removeprefix(LIBRARY))


def _generated(puzzles: Puzzles) -> Iterator[Labelled]:
    assert puzzles.generate is not None
    for width, height in puzzles.sizes:
        wish = Wish(
            puzzles.generate,
            width,
            height,
            seed=puzzles.seed,
            number=puzzles.number,
            wrap=puzzles.wrap,
            rules=puzzles.rules,
            settings=dict(puzzles.settings),
            max_solutions=1 if puzzles.unique else None,
            seconds=JUDGING_SECONDS,
        )
        group = f"{puzzles.group or puzzles.generate} {width}x{height}" + "w" * bool(puzzles.wrap)
        try:
            with ended(select(wish)) as boards:
                for board in boards:
                    yield group, board
        except UsageError as error:
            raise UsageError(f"instances {group}: {error}") from error
