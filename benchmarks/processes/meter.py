"""Processor time and resident memory of a process and all its descendants, by looking.

On Linux from ``/proc``: the kernel's lists of children where it keeps them, else one pass over
all processes; psutil elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

LOOK_SECONDS = 0.02
"""Between two looks while a limit depends on them."""

GLANCE_SECONDS = 0.25
"""Between two looks otherwise: for the memory of children, which they alone would know."""

SHARE = 0.05
"""Part of the time that looking may take, unless that would be too late for a limit: looks are
never more than ``PATIENCE`` times their usual distance apart.
"""

PATIENCE = 4.0

STEP = 1.1
"""Growth after which the memory that processes share is measured again, which takes longer."""

STALE_SECONDS = 0.2
"""After which it is measured again in any case: a process that writes to what it shared makes it
its own.
"""

TRIES = 3
"""How often what is shared is measured if processes come and go meanwhile."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Of one process: when it was started (tells it from a later one of the same number), the
    seconds it and the children it has waited for used, the bytes it has resident, the seconds
    it used ``alone``.
    """

    started: float
    cpu: float
    resident: int
    alone: float = 0.0


Tree = dict[int, Usage]


class Meter:
    """Looks at a process tree; ``cpu`` (seconds) and ``peak`` (bytes) of a run only ever grow.

    A process that nobody waits for takes its processor time with it when it ends; what was seen
    of it counts. ``several`` says whether there was more than the process itself since
    ``begin``. Memory that several processes share is counted once (as proportional set size).
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.cpu = 0.0
        self.peak = 0
        self.several = False
        self.seen: Tree = {}
        self._alone: dict[tuple[int, float], float] = {}
        self._next = 0.0
        self._period = GLANCE_SECONDS
        self._memory = float("inf")
        self._once, self._shared, self._sharing = 0, 0, frozenset[int]()
        self._measured = 0.0

    def begin(self, *, often: bool, memory: int | None) -> None:
        """A run begins: forget the one before, look often or now and then. ``memory`` is the
        limit in bytes that the looks must keep.
        """
        self.cpu, self._alone = 0.0, {}
        self.peak, self.several, self._once = 0, False, 0
        self._memory = float("inf") if memory is None else memory
        self._period = LOOK_SECONDS if often else GLANCE_SECONDS
        self._next = time.monotonic() + self._period

    @property
    def due(self) -> float:
        """When to look next, on the monotonic clock."""
        return self._next

    def look(self) -> None:
        """Measure now."""
        begin = time.monotonic()
        tree = snapshot(self.pid)
        self.seen |= tree
        self.several = self.several or len(tree) > 1
        self._alone |= {(pid, usage.started): usage.alone for pid, usage in tree.items()}
        waited_for = sum(usage.cpu for usage in tree.values())
        self.cpu = max(self.cpu, waited_for, sum(self._alone.values()))
        resident = sum(usage.resident for usage in tree.values())
        if len(tree) > 1 and resident > self.peak:
            resident = self._counted_once(tree, resident)
        self.peak = max(self.peak, resident)
        now = time.monotonic()
        pause = min((now - begin) / SHARE, self._period * PATIENCE)
        self._next = now + max(self._period, pause)

    def _counted_once(self, tree: Tree, total: int) -> int:
        """Resident bytes without what was counted more than once: as measured before, and
        measured anew if the processes are others, have grown, seem to be over the limit, or that
        was a while ago.
        """
        resident = total - self._shared
        fresh = time.monotonic() - self._measured < STALE_SECONDS
        little = resident <= min(self._once * STEP, self._memory)
        if fresh and little and tree.keys() == self._sharing:
            return resident
        self._sharing = frozenset(tree)
        resident = min(total, self._shares(tree))
        self._once, self._shared, self._measured = resident, total - resident, time.monotonic()
        return resident

    def _shares(self, tree: Tree) -> int:
        """The fair shares of all processes. Shares move from a process that ends to the others,
        so that they are right only if none did meanwhile; of several tries the least.
        """
        least = sys.maxsize
        for _ in range(TRIES):
            shares = [_fair_share(pid, usage) for pid, usage in tree.items()]
            least = min(least, sum(share or 0 for share in shares))
            after = snapshot(self.pid)
            if None not in shares and all(
                pid in after and after[pid].resident >= usage.resident / STEP
                for pid, usage in tree.items()
            ):
                break
            tree = after
        return least

    def strays(self) -> list[int]:
        """Descendants, without the process itself, that were ever seen and still run."""
        return [
            pid
            for pid, usage in self.seen.items()
            if pid != self.pid and (now := usage_of(pid)) and now.started == usage.started
        ]


def _linux_usage(pid: int) -> tuple[int, Usage] | None:
    """The parent of a process and its usage."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    alone, ticks = (sum(map(int, fields[11:end])) for end in (13, 15))
    started, resident = int(fields[19]) / _TICKS, max(0, int(fields[21])) * _PAGE
    return int(fields[1]), Usage(started, ticks / _TICKS, resident, alone / _TICKS)


def _by_children(pid: int) -> Tree:
    """Down the kernel's lists of children, which every thread has for itself."""
    tree: Tree = {}
    to_see = [pid]
    while to_see:
        one = to_see.pop()
        found = _linux_usage(one)
        if found is None or one in tree:
            continue
        tree[one] = found[1]
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{one}/task"):
                with (
                    contextlib.suppress(OSError),
                    open(f"/proc/{one}/task/{thread}/children", "rb") as file,
                ):
                    to_see += map(int, file.read().split())
    return tree


def _by_scan(pid: int) -> Tree:
    """One pass over all processes, for kernels that keep no lists of children."""
    found = {int(name): _linux_usage(int(name)) for name in os.listdir("/proc") if name.isdigit()}
    children: dict[int, list[int]] = {}
    for one, entry in found.items():
        if entry is not None:
            children.setdefault(entry[0], []).append(one)
    tree: Tree = {}
    to_see = [pid]
    while to_see:
        one = to_see.pop()
        entry = found.get(one)
        if entry is not None and one not in tree:
            tree[one] = entry[1]
            to_see += children.get(one, [])
    return tree


def _psutil_usage(process: psutil.Process) -> Usage:
    cpu = process.cpu_times()
    alone = cpu.user + cpu.system
    waited_for = getattr(cpu, "children_user", 0.0) + getattr(cpu, "children_system", 0.0)
    resident = process.memory_info().rss
    return Usage(process.create_time(), alone + waited_for, resident, alone)


def _by_psutil(pid: int) -> Tree:
    tree: Tree = {}
    with contextlib.suppress(psutil.Error):
        leader = psutil.Process(pid)
        for process in [leader, *leader.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                tree[process.pid] = _psutil_usage(process)
    return tree


def usage_of(pid: int) -> Usage | None:
    """Of one process alone; None if there is no such process."""
    if sys.platform == "linux":
        found = _linux_usage(pid)
        return None if found is None else found[1]
    try:
        return _psutil_usage(psutil.Process(pid))
    except psutil.Error:
        return None


def _fair_share(pid: int, usage: Usage) -> int | None:
    """Resident bytes, of those shared with others only a part each; None of a process that has
    just ended. All that is resident where the system does not say.
    """
    if not _SHARES or usage.resident == 0:
        return usage.resident
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return next((int(x.split()[1]) * 1024 for x in file if x.startswith(b"Pss:")), None)
    except PermissionError:
        return usage.resident
    except OSError:
        return None


def _way_to_look() -> Callable[[int], Tree]:
    if sys.platform != "linux":
        return _by_psutil
    me = os.getpid()
    return _by_children if Path(f"/proc/{me}/task/{me}/children").exists() else _by_scan


_SHARES = Path("/proc/self/smaps_rollup").exists()
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
snapshot: Callable[[int], Tree] = _way_to_look()
"""The process and its descendants, as they are now; empty if it is gone."""
