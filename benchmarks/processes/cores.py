"""Processors: which may be used, which share a physical core, and binding a run to some."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...puzzles.errors import UsageError

SYSTEM = Path("/sys/devices/system/cpu")


def usable_processors() -> frozenset[int]:
    """The logical processors that this thread may use, all of the machine where the system does
    not say.
    """
    if sys.platform == "linux":
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))


def physical_cores(system: Path = SYSTEM) -> list[frozenset[int]]:
    """The usable logical processors, grouped by physical core, in ascending order.

    Hardware threads of one core share its caches and units: two runs on them disturb each other.
    Where the topology is unknown each processor is a core.
    """
    usable = usable_processors()
    cores = {_siblings(system, number) & usable for number in usable}
    return sorted(cores, key=min)


def _siblings(system: Path, number: int) -> frozenset[int]:
    for name in ("core_cpus_list", "thread_siblings_list"):  # of new kernels, of old ones
        try:
            listed = (system / f"cpu{number}" / "topology" / name).read_text()
            return parse_list(listed) | {number}
        except (OSError, ValueError):
            continue
    return frozenset({number})


def parse_list(text: str) -> frozenset[int]:
    """Numbers from the kernel's notation ``0,4-6``; raises ValueError."""
    numbers: set[int] = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return frozenset(numbers)


@contextmanager
def bound(cores: Collection[int] | None) -> Iterator[None]:
    """Processes started by this thread meanwhile begin on these logical processors and never
    leave them: the binding is inherited, so that no thread of theirs can be earlier than it.

    None binds to none in particular, as does a system that cannot bind. Raises UsageError for
    processors that there are not.
    """
    if cores is None or sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, cores)
    except (OSError, ValueError) as error:
        have = ", ".join(map(str, sorted(before)))
        raise UsageError(f"cores {sorted(cores)}: {error}; usable are {have}") from error
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
