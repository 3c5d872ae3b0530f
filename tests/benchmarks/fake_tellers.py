"""Engines that say of themselves what is not so, or what nobody can keep, and others that step out
of line in ways of their own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from fake_engines import ANYTHING, Honest, HonestSearch, Misbehaving, note_pid
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.model import Puzzle
from plumbench.solvers.contract import Limits, Reason, Search

NAMES = {
    "odd": "Odd", "no_threads": "NoThreads", "odd_bound": "OddBound", "sigint": "Sigint",
    "claims_sigint": "ClaimsSigint", "blames_caller": "BlamesCaller",
    "forged_record": "ForgedRecord", "forged_start": "ForgedStart", "deserter": "Deserter",
    "unawaited": "Unawaited",
}  # fmt: skip
EXTRA = ",".join(f"{name}={__name__}:{class_name}" for name, class_name in NAMES.items())


class Odd(Honest):
    """Counts what no store can keep as it is, has versions and meanings that are no texts, and a
    Python of its own.
    """

    capabilities = replace(ANYTHING, counters={"tried": 3, 2: None})  # type: ignore[dict-item]

    def versions(self) -> Any:
        """Numbers and half a character."""
        return {"fake": 1, 2: "x", "half": "\ud800", "python": "2.7"}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """The search with its counters."""
        search = HonestSearch(puzzle)
        odd: dict[Any, Any] = {
            "huge": 10**6000, "half": "\ud800", "none": None, "list": [1], 7: np.int64(7),
            "nan": np.float32("nan"), None: np.arange(3),
        }  # fmt: skip
        search.stats.update(odd)
        return search


class NoThreads(Honest):
    """Uses less than no thread."""

    workers = -3


class OddBound(Honest):
    """Knows no whole number as a bound; stops before its first solution."""

    capabilities: ClassVar = replace(ANYTHING, objective=True)

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """A search that gives up at once."""
        search = HonestSearch(puzzle)
        search.next = lambda: Reason.NODES  # type: ignore[method-assign]
        search.bound = float("nan")  # type: ignore[assignment]
        return search


class Sigint(Misbehaving):
    """Raises what Ctrl-C raises."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Raise."""
        raise KeyboardInterrupt


class ClaimsSigint(Misbehaving):
    """Says that it was interrupted."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Claim."""
        return Reason.INTERRUPTED


class BlamesCaller(Misbehaving):
    """Says in the middle of a run that it should not have been asked."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Raise."""
        raise UsageError("use me otherwise")


def _send(*message: Any) -> None:
    from plumbench.benchmarks.processes.frames import send

    send(int(sys.argv[2]), message)


class ForgedRecord(Misbehaving):
    """Sends a record that is none."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Send."""
        _send("done", "all is well", True)
        time.sleep(1000)


class ForgedStart(Misbehaving):
    """Says that its clock starts in a million seconds."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Send."""
        _send("started", time.monotonic() + 1e6, 0.0, 0.0, {})
        time.sleep(1000)


class Deserter(Misbehaving):
    """Its child leaves the session and, where it may, the control group; then it answers."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Fork, leave."""
        done, tell = os.pipe()
        if os.fork() == 0:
            os.setsid()
            for kind in ("", "memory/", "unified/"):
                with contextlib.suppress(OSError):
                    Path(f"/sys/fs/cgroup/{kind}cgroup.procs").write_text(str(os.getpid()))
            note_pid()
            os.write(tell, b".")
            time.sleep(1000)
        os.read(done, 1)
        os.close(done)
        os.close(tell)
        return NotImplemented


class Unawaited(Misbehaving):
    """Three children, one after another, burn 0.3 s each; the kernel is told to forget them."""

    def act(self, puzzle: Puzzle, limits: Limits) -> Any:
        """Fork, burn."""
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(3):
            child = os.fork()
            if child == 0:
                while time.process_time() < 0.3:
                    pass
                os._exit(0)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        return NotImplemented
