"""Engines that misbehave, and a small honest one: found by the children through PYTHONPATH."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from plumbench.puzzles.check import check
from plumbench.puzzles.model import Puzzle, Solution, Table, ports_from_masks
from plumbench.solvers.contract import Capabilities, Engine, Limits, Reason, Search

NAMES = {
    "honest": "Honest", "hang": "Hang", "deaf": "Deaf", "forker": "Forker", "stray": "Stray",
    "segv": "Segv", "silent": "Silent", "flood": "Flood", "raiser": "Raiser", "glutton": "Glutton",
    "liar-unsat": "LiarUnsat", "liar-board": "LiarBoard", "liar-count": "LiarCount",
    "drip": "Drip", "absent": "Absent", "picky": "Picky", "slow": "Slow", "quitter": "Quitter",
    "liar-cross": "LiarCross", "liar-once": "LiarOnce", "liar-best": "LiarBest",
    "polite": "Polite", "pidfile": "PidFile", "forger": "Forger",
    "nap": "Nap", "patricide": "Patricide",
}  # fmt: skip
EXTRA = ",".join(
    f"{name.replace('-', '_')}={__name__}:{class_name}" for name, class_name in NAMES.items()
)
ANYTHING = Capabilities(
    leaks=frozenset({"forbidden", "sealed", "allowed"}),
    connect=frozenset({"none", "used", "reach"}),
    interrupt=True,
    counters={"tried": "assignments looked at"},
)


def candidates(puzzle: Puzzle):
    """Every assignment of masks of a puzzle of tables."""
    tables = [
        d.masks if isinstance(d, Table) else () for d in map(puzzle.domain, range(puzzle.vertices))
    ]
    for masks in itertools.product(*tables):
        yield ports_from_masks(puzzle, masks)


class Honest(Engine):
    """Generate and test."""

    name: ClassVar[str] = "honest"
    capabilities = ANYTHING

    def versions(self) -> dict[str, str]:
        """Fixed."""
        return {"fake": "1"}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The search."""
        return HonestSearch(puzzle)


class HonestSearch(Search):
    """Walks all assignments."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__()
        self.puzzle, self.walk = puzzle, candidates(puzzle)
        self.stats["tried"] = 0

    def next(self) -> Solution | Reason | None:
        """The next assignment that the checker accepts."""
        for solution in self.walk:
            self.stats["tried"] = int(self.stats["tried"]) + 1
            if check(self.puzzle, solution).ok:
                return solution
        return None


class Misbehaving(Honest):
    """Calls ``act`` in place of the first search step; if that returns, it is honest."""

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The search with the misdeed in front."""
        search, act = HonestSearch(puzzle), self.act
        honest_next = search.next

        def next_() -> Solution | Reason | None:
            handled = act(puzzle, limits)
            return honest_next() if handled is NotImplemented else handled

        search.next = next_  # type: ignore[method-assign]
        return search

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """What is done instead."""
        return NotImplemented


def note_pid() -> None:
    """Write this process's number where the test looks for it."""
    folder = os.environ.get("FAKE_PIDS")
    if folder:
        Path(folder, str(os.getpid())).touch()


class Hang(Misbehaving):
    """Never comes back; says that it uses three threads."""

    workers = 3

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Sleep."""
        note_pid()
        time.sleep(1000)


class PidFile(Misbehaving):
    """Honest, but leaves its process number."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Note."""
        note_pid()
        return NotImplemented


class Nap(Misbehaving):
    """Honest after half a second; leaves its process number."""

    rested = False

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Nap, once."""
        if not self.rested:
            note_pid()
            time.sleep(0.5)
            self.rested = True
        return NotImplemented


class Patricide(Misbehaving):
    """Kills the process that started it."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Kill."""
        note_pid()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)


class Deaf(Misbehaving):
    """Never comes back and ignores TERM and INT."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Sleep on."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        note_pid()
        while True:
            time.sleep(10)


class Forker(Misbehaving):
    """Forks a deaf sleeper that holds all pipes, then answers."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Fork."""
        if os.fork() == 0:
            note_pid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                time.sleep(10)
        return NotImplemented


class Stray(Misbehaving):
    """Starts a grandchild in a session of its own, orphaned, then hangs."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Fork twice."""
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                note_pid()
                time.sleep(1000)
            os._exit(0)
        note_pid()
        time.sleep(1000)


class Segv(Misbehaving):
    """Dies by a segmentation fault, with a sleeper left behind that holds the pipes."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Crash."""
        if os.fork() == 0:
            note_pid()
            time.sleep(1000)
        os.kill(os.getpid(), signal.SIGSEGV)


class Silent(Misbehaving):
    """Leaves with exit code 0 and no record."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Leave."""
        print("all is well", flush=True)
        os._exit(0)


class Quitter(Misbehaving):
    """Calls sys.exit."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Leave."""
        sys.exit(0)


class Flood(Misbehaving):
    """Prints megabytes to both streams, then answers."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Print."""
        for _ in range(200):
            sys.stdout.write("x" * 100_000)
            sys.stderr.write("y" * 100_000)
        subprocess.run(["echo", "from a child"], check=True)
        return NotImplemented


class Raiser(Misbehaving):
    """Raises an exception of its own."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Raise."""
        raise ZeroDivisionError("a bug of the engine")


class Glutton(Misbehaving):
    """Runs out of memory."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Raise."""
        raise MemoryError("too much")


class LiarUnsat(Misbehaving):
    """Says that there is no solution."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Lie."""
        return


class LiarCross(Misbehaving):
    """Says that there is no solution wherever there is a cross."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Lie about crosses."""
        cross = Table(4, (15,))
        return None if cross in map(puzzle.domain, range(puzzle.vertices)) else NotImplemented


class LiarOnce(Misbehaving):
    """Lies the first time, never again."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Lie if no one has."""
        mark = Path(os.environ["FAKE_PIDS"]).with_name("lied")
        if mark.exists():
            return NotImplemented
        mark.touch()
        return None


class LiarBest(Honest):
    """Calls the first solution that it finds the best."""

    capabilities = replace(ANYTHING, objective=True)

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """A search that ends early."""
        search = HonestSearch(puzzle)
        answers = iter([search.next(), None])
        search.next = lambda: next(answers)  # type: ignore[method-assign]
        return search


class LiarBoard(Misbehaving):
    """Gives a board that is no solution."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Lie."""
        return np.ones(puzzle.ports, dtype=np.bool_)


class LiarCount(Honest):
    """Stops after the first solution and says that it is the only one."""

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """A search that ends early."""
        search = HonestSearch(puzzle)
        answers = iter([search.next(), None])
        search.next = lambda: next(answers)  # type: ignore[method-assign]
        return search


class Drip(Misbehaving):
    """Finds one solution, then hangs."""

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """A search that gets stuck."""
        search = HonestSearch(puzzle)
        first = iter([search.next()])

        def next_():
            for solution in first:
                return solution
            time.sleep(1000)

        search.next = next_  # type: ignore[method-assign]
        return search


class Absent(Honest):
    """Its library is not installed."""

    def __init__(self, variant) -> None:
        from plumbench.puzzles.errors import MissingBackend

        raise MissingBackend("absent", "no module named nothing")


class Picky(Honest):
    """Can do nothing but reach, and knows no options."""

    capabilities = Capabilities(frozenset({"sealed"}), frozenset({"reach"}))

    def __init__(self, variant) -> None:
        from plumbench.puzzles.errors import UsageError

        super().__init__(variant)
        if variant.options:
            raise UsageError(f"picky: option {variant.options[0]!r}: expected none")


class Slow(Misbehaving):
    """Takes a while, longer to import than to solve."""

    def __init__(self, variant) -> None:
        super().__init__(variant)
        time.sleep(1.0)


class Polite(Misbehaving):
    """Keeps its time limit by itself."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Wait for the limit."""
        time.sleep(limits.seconds or 0.0)
        return Reason.TIME


class Forger(Honest):
    """Gets the checker out of the way and passes off a board that is no solution."""

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Lie behind a broken checker."""
        from plumbench.puzzles.check import Report
        from plumbench.solvers import run

        run.check = lambda puzzle, solution: Report(True)  # type: ignore[assignment]
        search = HonestSearch(puzzle)
        search.next = lambda: np.ones(puzzle.ports, dtype=np.bool_)  # type: ignore[method-assign]
        return search
