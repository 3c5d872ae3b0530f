"""Suites: which puzzles, which engines, which questions, which limits.

A suite is a TOML file; its keys are the fields of the structures below. The suites that come
along stand in the folder ``suites``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...puzzles.errors import MissingBackend, UsageError
from ...puzzles.generators import options as settings_of
from ...solvers.registry import get, parse
from ..units import grid, memory_text, span_text

FOLDER = Path(__file__).resolve().parent / "suites"
QUICK = "quick"
MOST_REPEATS = 10_000
MOST = 2**63
"""What a store can hold of seeds and limits."""
GIVEN = "given"
"""The seed of a run that gets the puzzle as it is given."""


class Seconds(float):
    """A span of time; text such as ``10s`` in TOML."""


class Bytes(int):
    """A size of memory; text such as ``1GB`` in TOML."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each run may use: ``wall`` time, ``cpu`` time of all its processes, ``memory`` they
    have resident together. Enforced from outside; None is no limit.
    """

    wall: Seconds | None = None
    cpu: Seconds | None = None
    memory: Bytes | None = None


class Puzzles(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table ``[[instances]]``: puzzles of a ``file``, of all files of a ``glob``, or of the
    generator ``generate``.

    ``library:`` before a file or pattern means the puzzles that come along; others are relative
    to the suite's file. ``rules`` replaces what the puzzles say. ``group`` is what the report
    calls them together (else the file's stem or the generator). Generated are ``number`` boards
    of each ``size`` (8, "8x5", or a list), from ``seed`` on; ``settings`` are the generator's;
    ``unique`` keeps boards with one solution.
    """

    file: str | None = None
    glob: str | None = None
    generate: str | None = None
    group: str | None = None
    rules: str | None = None
    size: int | str | tuple[int | str, ...] = ()
    seed: int = 1
    number: int = 1
    wrap: bool | None = None
    settings: dict[str, int | float | str] = {}
    unique: bool = False

    def __post_init__(self) -> None:
        ways = [n for n in ("file", "glob", "generate") if getattr(self, n) is not None]
        if len(ways) != 1:
            raise ValueError(f"found {' and '.join(ways) or 'none'} of file, glob and generate, "
                             "expected one of them")  # fmt: skip
        if self.generate is None:
            odd = [n for n in ("size", "wrap", "settings", "unique") if getattr(self, n)]
            if odd:
                raise ValueError(f"found {odd[0]} of a {ways[0]}, expected it with generate only")
            return
        known = settings_of(self.generate)
        for name in self.settings:
            if name not in known:
                raise ValueError(f"found setting {name!r}, expected {', '.join(known) or 'none'}")
        if not self.sizes:
            raise ValueError('found no size, expected size = "8x5", 8 or a list of sizes')
        if self.number < 1:
            raise ValueError(f"found number {self.number}, expected at least 1")

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """(width, height) of each size."""
        given = self.size if isinstance(self.size, tuple) else (self.size,)
        return [grid(str(one)) for one in given]


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table ``[[questions]]``: what is asked of which engines about which puzzles.

    - ``task``: solve, count (up to ``limit`` solutions), or optimise by the ``objective``
      ("minimise rotations"; without one, that of the puzzle itself);
    - ``engines``: else all of the suite; ``groups``: else all puzzles; ``most_vertices``: larger
      puzzles are left out. Puzzles without the objective are left out too.
    """

    task: Literal["solve", "count", "optimise"] = "solve"
    objective: str | None = None
    engines: tuple[str, ...] | None = None
    limit: int | None = None
    most_vertices: int | None = None
    groups: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.objective is not None:
            if self.task != "optimise":
                raise ValueError(f"found an objective of {self.task}, expected task optimise")
            if len(words := self.objective.split()) != 2 or words[0] not in (
                "minimise", "maximise",
            ):  # fmt: skip
                raise ValueError(
                    f"found objective {self.objective!r}, expected such as 'minimise rotations'"
                )
        if self.limit is not None and (self.task != "count" or not 1 <= self.limit < MOST):
            raise ValueError(f"found limit {self.limit} of {self.task}, expected task count "
                             "and at least 1, at most 64 bits")  # fmt: skip

        if self.most_vertices is not None and self.most_vertices < 1:
            raise ValueError(f"found most_vertices {self.most_vertices}, expected at least 1")

    def __str__(self) -> str:
        limit = "" if self.limit is None else f" up to {self.limit}"
        return f"{self.task}{limit}" if self.objective is None else self.objective


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A suite. ``engines`` are variants; every question is asked ``repeats`` times with each of
    the ``seeds``: "given" is the puzzle as it is, a number a reshuffling of it. ``shuffle`` is
    the seed of the order of the runs; ``warmup`` starts with a run of each engine that does not
    count; after ``budget`` no further run is started.
    """

    engines: tuple[str, ...]
    instances: tuple[Puzzles, ...]
    questions: tuple[Question, ...] = (Question(),)
    name: str = ""
    about: str = ""
    limits: Limits = Limits()
    repeats: int = 1
    seeds: tuple[int | Literal["given"], ...] = (GIVEN,)
    shuffle: int = 1
    warmup: bool = True
    budget: Seconds | None = None

    def __post_init__(self) -> None:
        asked = [name for q in self.questions for name in q.engines or ()]
        for given, what in ((self.engines, "engine"), (self.instances, "instances"),
                            (self.questions, "question"), (self.seeds, "seed")):  # fmt: skip
            if not given:
                raise ValueError(f"found no {what}, expected at least one")
        for name in (*self.engines, *asked):
            check_engine(name)
        if len(set(self.engines)) < len(self.engines) or len(set(self.seeds)) < len(self.seeds):
            raise ValueError("found an engine or a seed twice, expected each once")
        if not 1 <= self.repeats <= MOST_REPEATS:
            raise ValueError(f"found repeats {self.repeats}, expected 1 to {MOST_REPEATS}")
        if self.shuffle < 0:
            raise ValueError(f"found shuffle {self.shuffle}, expected at least 0")
        for seed in self.seeds:
            if seed != GIVEN and not 0 <= int(seed) < MOST:
                raise ValueError(f"found seed {seed}, expected one from 0 to {MOST - 1}")

    @property
    def all_engines(self) -> tuple[str, ...]:
        """Those of the suite, and those that a question alone names."""
        asked = (name for q in self.questions for name in q.engines or ())
        return tuple(dict.fromkeys((*self.engines, *asked)))

    def plain(self) -> dict[str, Any]:
        """As plain data for JSON; defaults included."""
        return msgspec.to_builtins(self, enc_hook=_plain)


def _plain(value: Any) -> Any:
    return span_text(value) if isinstance(value, Seconds) else memory_text(value)


def check_engine(name: str) -> None:
    """Raises UsageError for an unknown engine or option. A library that is not installed is no
    fault of the suite: its runs are recorded as missing.
    """
    variant = parse(name)
    if variant.options or variant.borrowed:
        with suppress(MissingBackend):
            get(variant)


def shipped() -> list[str]:
    """The names of the suites that come along."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find_suite(name: str) -> Suite:
    """A suite by name, of a TOML file, or the questions of ``quick``, without its budget, about
    the puzzles of a file or folder.

    Raises UsageError if it is none of these, InputError for a TOML file that is no suite.
    """
    from .suite_files import read_suite

    if name in shipped():
        return read_suite(FOLDER / f"{name}.toml")
    path = Path(name)
    if not name or not path.exists():
        raise UsageError(
            f"suite {name!r}: expected {', '.join(shipped())}, a suite's .toml file, "
            "or a puzzle file or folder"
        )
    if path.suffix == ".toml" and path.is_file():
        return read_suite(path)
    what = Puzzles(glob=os.path.join(name, "*")) if path.is_dir() else Puzzles(file=name)
    quick = read_suite(FOLDER / f"{QUICK}.toml")
    return msgspec.structs.replace(
        quick, name=name, about=f"the puzzles of {name}", instances=(what,), budget=None
    )
