"""Engines that take more than they should: memory, processor time, processes, the result pipe."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from fake_engines import Honest, HonestSearch, Misbehaving, candidates, note_pid
from plumbench.puzzles.model import Puzzle
from plumbench.solvers.contract import Limits, Search

NAMES = {
    "where": "WhereAmI", "eater": "Eater", "eater_child": "EaterChild", "slow_eater": "SlowEater",
    "burner": "Burner", "burner_child": "BurnerChild", "garbage": "Garbage",
    "garbage_silent": "GarbageSilent", "absurd": "Absurd", "damaged": "Damaged",
    "unreadable": "Unreadable", "fugitive": "Fugitive", "sleepy_import": "SleepyImport",
    "late": "Late", "clockwork": "Clockwork", "sharer": "Sharer", "unsharer": "Unsharer",
    "backwards": "Backwards",
}  # fmt: skip
EXTRA = ",".join(f"{name}={__name__}:{class_name}" for name, class_name in NAMES.items())


class WhereAmI(Honest):
    """Tells the processors that each of its threads may use, as a statistic."""

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The search with the affinity."""
        search = HonestSearch(puzzle)
        threads = map(int, os.listdir("/proc/self/task"))
        may_use = set().union(*(os.sched_getaffinity(thread) for thread in threads))
        search.stats["affinity"] = str(sorted(may_use))
        return search


def eat(per_second: float, most: float) -> None:
    """Fill memory at a rate in bytes a second, in steps of a hundredth of a second."""
    kept, begin = [], time.monotonic()
    while len(kept) * 1_000_000 < most:
        due = (time.monotonic() - begin) * per_second
        while len(kept) * 1_000_000 < min(due, most):
            kept.append(b"x" * 1_000_000)
        time.sleep(0.01)
    time.sleep(1000)


class Eater(Misbehaving):
    """Grows by 500 MB a second, to 3 GB at most."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Eat."""
        note_pid()
        eat(5e8, 3e9)


class SlowEater(Misbehaving):
    """Grows by 100 MB a second, to 400 MB at most: enough to be seen."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Eat."""
        note_pid()
        eat(1e8, 4e8)


class EaterChild(Misbehaving):
    """A child of its grows by 500 MB a second, in a session of its own; itself waits for it."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Fork, eat."""
        note_pid()
        if os.fork() == 0:
            os.setsid()
            note_pid()
            eat(5e8, 3e9)
        os.wait()
        return NotImplemented


class Unsharer(Misbehaving):
    """Holds 200 MB that three forks share with it at first, and then write to."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Fork, wait, write."""
        note_pid()
        held = bytearray(200_000_000)
        held[::4096] = b"x" * len(held[::4096])
        for _ in range(3):
            if os.fork() == 0:
                time.sleep(0.5)
                held[::4096] = b"y" * len(held[::4096])
                time.sleep(1000)
        time.sleep(1000)


class Sharer(Misbehaving):
    """Holds 200 MB that eight forks share with it, then answers."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Fork and wait."""
        held = b"x" * 200_000_000
        children = []
        for _ in range(8):
            child = os.fork()
            if child == 0:
                time.sleep(1.0)
                os._exit(len(held) == 0)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)
        return NotImplemented


def burn() -> None:
    """Use a processor for ever."""
    while True:
        pass


class Burner(Misbehaving):
    """Uses a processor for ever."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Burn."""
        note_pid()
        burn()


class BurnerChild(Misbehaving):
    """A child of its uses a processor for ever; itself sleeps."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Fork, burn."""
        note_pid()
        if os.fork() == 0:
            note_pid()
            burn()
        time.sleep(1000)


def result_pipe() -> int:
    """The descriptor on which the worker sends its messages."""
    return int(sys.argv[2])


class Garbage(Misbehaving):
    """Writes garbage on the pipe for records, then answers."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Write."""
        os.write(result_pipe(), b"solved it! " * 100)
        return NotImplemented


class GarbageSilent(Misbehaving):
    """Writes garbage on standard output and on the pipe for records, leaves with exit code 0."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Write and leave."""
        print('{"outcome": "answered"}', flush=True)
        os.write(result_pipe(), b"\x00" * 4000)
        os._exit(0)


class Absurd(Misbehaving):
    """Announces a message of a million terabytes, and sends what it has of it."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Announce."""
        from plumbench.benchmarks.processes.frames import HEADER, MAGIC

        os.write(result_pipe(), HEADER.pack(MAGIC, 0, 10**18))
        time.sleep(1000)


class Damaged(Misbehaving):
    """Sends a message whose bytes were changed on the way."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Send."""
        from plumbench.benchmarks.processes.frames import frame

        whole = frame(b"a body of a message")
        os.write(result_pipe(), whole[:-1] + b"x")
        time.sleep(1000)


class Unreadable(Misbehaving):
    """Sends a message that cannot be unpickled."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Send."""
        from plumbench.benchmarks.processes.frames import frame

        os.write(result_pipe(), frame(b"cno_such_module\nThing\n."))
        time.sleep(1000)


class Fugitive(Misbehaving):
    """Orphans a sleeper in a session of its own, then dies by a signal."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Fork twice, die."""
        done, tell = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                note_pid()
                os.write(tell, b".")
                time.sleep(1000)
            os._exit(0)
        os.read(done, 1)
        os.abort()


class SleepyImport(Honest):
    """Hangs while it is imported."""

    def __init__(self, variant) -> None:
        super().__init__(variant)
        note_pid()
        time.sleep(1000)


class Late(Misbehaving):
    """Ignores TERM and answers a little after its limit, before it would be killed."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Sleep over the limit."""
        assert limits.seconds is not None
        time.sleep(limits.seconds + 0.02)
        return NotImplemented


class Backwards(Honest):
    """Honest; finds the last solution first."""

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The search that walks backwards."""
        search = HonestSearch(puzzle)
        search.walk = (solution for solution in reversed(list(candidates(puzzle))))
        return search


class Clockwork(Misbehaving):
    """Answers after 0.3 s, in which the clock on the wall is set back by an hour; the file named
    in ``FAKE_CLOCK`` tells the parent to set back its own.
    """

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Set the clock."""
        wall = time.time
        time.sleep(0.15)
        time.time = lambda: wall() - 3600
        Path(os.environ["FAKE_CLOCK"]).touch()
        time.sleep(0.15)
        return NotImplemented
