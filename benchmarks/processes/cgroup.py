"""A memory limit that the kernel keeps: a control group of its own for each child process.

Used where this process may make such groups (often as root in a container, or where systemd has
delegated them). No process can leave its group by a fork or a new session, so that killing the
group leaves none. Elsewhere the harness polls (``meter.py``).

A group's name is held by a lock of the harness that made it: the kernel drops the lock when the
harness dies, however it dies, and the next harness clears away what is left.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import itertools
import os
import signal
import time
from pathlib import Path

PREFIX = "plumbench-"
GONE_SECONDS = 5.0
"""How long killed processes may take to leave their group."""

_numbers = itertools.count()


class MemoryGroup:
    """A group below ``parent``; subclasses say what its files are called. Raises OSError if it
    cannot be made.
    """

    version = 0
    limit_file = ""
    events_file = ""

    def __init__(self, parent: Path) -> None:
        self.folder = parent / f"{PREFIX}{os.getpid()}-{next(_numbers)}"
        self._lock = self._make()

    def _make(self) -> int:
        """Make the folder and lock it; again if a harness that clears away was in between."""
        for _ in range(10):
            self.folder.mkdir(exist_ok=True)
            lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if self.folder.exists() and os.path.samestat(os.fstat(lock), self.folder.stat()):
                    return lock
            except BaseException:
                os.close(lock)
                raise
            os.close(lock)
        raise OSError(f"{self.folder} does not stay")

    def admit(self, pid: int) -> None:
        """Move a process, and what it will start, into the group."""
        (self.folder / "cgroup.procs").write_text(str(pid))

    def limit(self, size: int | None) -> bool:
        """Set the limit in bytes, None for none; False if the kernel refuses."""
        try:
            for name in (self.limit_file, *self.swap_files()):
                (self.folder / name).write_text(self.no_limit if size is None else str(size))
        except OSError:
            return False
        return True

    no_limit = "max"

    def swap_files(self) -> list[str]:
        """Files that take the same limit, so that swapping is no way around it."""
        return []

    def kills(self) -> int:
        """How many processes of the group the kernel has killed because of its limit."""
        with contextlib.suppress(OSError), open(self.folder / self.events_file) as file:
            for line in file:
                name, _, number = line.partition(" ")
                if name == "oom_kill":
                    return int(number)
        return 0

    def kill(self) -> None:
        """Kill all processes of the group, and wait until they are gone."""
        kill_all(self.folder)

    def remove(self) -> None:
        """Kill what is left and take the group away; safe to call twice."""
        if self._lock < 0:
            return
        try:
            clear(self.folder)
        finally:
            os.close(self._lock)
            self._lock = -1


class GroupV1(MemoryGroup):
    """Of the old hierarchy of the memory controller."""

    version = 1
    limit_file = "memory.limit_in_bytes"
    events_file = "memory.oom_control"
    no_limit = "-1"

    def swap_files(self) -> list[str]:
        """Memory and swap together."""
        name = "memory.memsw.limit_in_bytes"
        return [name] if (self.folder / name).exists() else []

    def limit(self, size: int | None) -> bool:
        """Memory may never be allowed more than memory and swap together: first the larger."""
        for name in self.swap_files():
            with contextlib.suppress(OSError):
                (self.folder / name).write_text(self.no_limit)
        return super().limit(size)


class GroupV2(MemoryGroup):
    """Of the unified hierarchy."""

    version = 2
    limit_file = "memory.max"
    events_file = "memory.events"

    def __init__(self, parent: Path) -> None:
        super().__init__(parent)
        for name, value in (("memory.oom.group", "1"), ("memory.swap.max", "0")):
            with contextlib.suppress(OSError):
                (self.folder / name).write_text(value)


def members(folder: Path) -> list[int]:
    """The processes of a group, none if there is no such group. (Those of other namespaces are
    listed as 0, which to ``kill`` would mean ourselves.)
    """
    return [int(pid) for pid in _read(folder / "cgroup.procs").split() if pid != "0"]


def kill_all(folder: Path) -> None:
    """Kill the processes of a group again and again until it is empty: one that forks meanwhile
    has children here too.
    """
    end = time.monotonic() + GONE_SECONDS
    with contextlib.suppress(OSError):
        (folder / "cgroup.kill").write_text("1")
    while (pids := members(folder)) and time.monotonic() < end:
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)


def clear(folder: Path) -> None:
    """Kill what is in a group and remove it; a process on its way out may hold it for a moment."""
    kill_all(folder)
    end = time.monotonic() + GONE_SECONDS
    while folder.exists():
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > end:
                return
            time.sleep(0.002)


def clear_stale(parent: Path) -> None:
    """Remove the groups whose harness is dead."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                clear(folder)
            finally:
                os.close(lock)


def new_group() -> MemoryGroup | None:
    """A group for one child process, None where this process can make none."""
    place = find()
    if place is None:
        return None
    kind, parent = place
    try:
        return kind(parent)
    except OSError:
        return None


@functools.cache
def find() -> tuple[type[MemoryGroup], Path] | None:
    """Where this process can make memory groups; clears away what dead harnesses left there."""
    for kind, parent in _candidates():
        if _usable(kind, parent):
            clear_stale(parent)
            return kind, parent
    return None


def _usable(kind: type[MemoryGroup], parent: Path) -> bool:
    """Whether a group can be made there, has a limit, and takes a process."""
    try:
        group = kind(parent)
    except OSError:
        return False
    try:
        return group.limit(1 << 30) and os.access(group.folder / "cgroup.procs", os.W_OK)
    finally:
        group.remove()


def _candidates() -> list[tuple[type[MemoryGroup], Path]]:
    """The group of this process in the hierarchy of the memory controller. In the unified one a
    group that holds processes has no groups with limits below it, so there also the groups
    above, as far up as nothing in between has a limit that would be lost.
    """
    mounts, own = _mounts(), _own_groups()
    found: list[tuple[type[MemoryGroup], Path]] = []
    if "memory" in own and "memory" in mounts:
        found.append((GroupV1, mounts["memory"] / own["memory"].lstrip("/")))
    if "" in own and "" in mounts:
        parent = mounts[""] / own[""].lstrip("/")
        while parent != mounts[""].parent:
            if _controls_memory(parent) and os.access(parent / "cgroup.procs", os.W_OK):
                found.append((GroupV2, parent))
            if _read(parent / "memory.max") not in ("max", ""):
                break
            parent = parent.parent
    return found


def _controls_memory(folder: Path) -> bool:
    return "memory" in _read(folder / "cgroup.subtree_control").split()


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def _own_groups() -> dict[str, str]:
    """Controller to group of this process; the unified hierarchy under the empty name."""
    own: dict[str, str] = {}
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        own |= dict.fromkeys(controllers.split(","), path)
    return own


def _mounts() -> dict[str, Path]:
    """Controller to where its hierarchy is mounted; the unified one under the empty name."""
    mounts: dict[str, Path] = {}
    for line in _read(Path("/proc/self/mounts")).splitlines():
        _, place, kind, options, *_ = line.split()
        if kind == "cgroup2":
            mounts.setdefault("", Path(place))
        elif kind == "cgroup" and "memory" in options.split(","):
            mounts.setdefault("memory", Path(place))
    return mounts


def enforcement() -> str:
    """How limits are enforced here, in words for the report."""
    if os.name != "posix":
        return "limits enforced by polling the process tree"
    place = find()
    if place is None:
        return "limits enforced by polling the process tree (no memory cgroup can be made here)"
    kind = f"cgroup v{place[0].version}"
    return f"limits enforced by polling the process tree, those of memory also by {kind}"
