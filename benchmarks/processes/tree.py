"""A worker process and everything it starts: spawned, watched and killed as one."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from typing import Any

from .cgroup import MemoryGroup, new_group
from .cores import bound
from .guard import TAG, Guard, tagged
from .meter import Meter, snapshot, usage_of

GONE_SECONDS = 10.0
"""How long the kernel may take to end what was killed."""


class ProcessTree:
    """The leader has a session of its own. ``group`` is its control group, None where there is
    none; ``spawned`` the moment it was started, on the monotonic clock.
    """

    def __init__(self, write_end: int, cores: Collection[int] | None) -> None:
        tag = secrets.token_hex(16)
        self._tag = f"{TAG}={tag}"
        self._guard: Guard | None = None
        self._dead = False
        self.group: MemoryGroup | None = new_group()
        try:
            self.spawned = time.monotonic()
            with bound(cores):
                self.process = _spawn(write_end, tag)
        except BaseException:
            self._remove_group()
            raise
        self.pid = self.process.pid
        self.meter = Meter(self.pid)
        try:
            self._admit()
            self._guard = Guard(self.pid, self._tag, self.group and self.group.folder)
        except BaseException:
            self.kill()
            raise

    def _admit(self) -> None:
        if self.group is not None:
            try:
                self.group.admit(self.pid)
            except OSError:
                self._remove_group()

    def _remove_group(self) -> None:
        if self.group is not None:
            self.group.remove()
            self.group = None

    def limit_memory(self, size: int | None) -> None:
        """Let the kernel keep a limit in bytes, as far as it can: in a group, and not below what
        is in use. (Therefore the harness looks too, see ``meter.py``.)
        """
        if self.group is not None:
            self.group.limit(size)

    def killed_by_kernel(self) -> bool:
        """Whether a process was killed because of the kernel's limit."""
        return self.group is not None and self.group.kills() > 0

    def ended(self) -> Any:
        """How the leader ended (an ``os.waitid_result``), None as long as it runs. It is left to
        be waited for by ``kill``: its number stays ours until then.
        """
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)

    def terminate(self) -> None:
        """Ask the leader's process group to end."""
        self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def kill(self, *, alone: bool = False) -> None:
        """Kill all of it and return when it is gone; safe to call twice. ``alone`` says that the
        leader is known to have no children.
        """
        if self._dead:
            return
        self._dead = True
        strays = set() if alone else self._strays()
        self._signal(signal.SIGKILL)
        if self.group is not None:
            self.group.kill()
        if not alone:  # a root's processes can leave their group
            self._hunt({pid for pid in strays if _runs(pid)})
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=GONE_SECONDS)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._remove_group()
        if self._guard is not None:
            self._guard.release()

    def _strays(self) -> set[int]:
        """What the leader has started, whatever group it moved to; of a dead leader what was
        seen before, or carries its tag.
        """
        found = {*snapshot(self.pid), *self.meter.strays(), *tagged(self._tag)}
        return found - {self.pid, os.getpid()}

    def _hunt(self, strays: set[int]) -> None:
        """Kill strays, and what they start meanwhile, until none is left."""
        end = time.monotonic() + GONE_SECONDS
        while strays and time.monotonic() < end:
            for pid in strays:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.005)
            strays = {pid for pid in strays | self._strays() if _runs(pid)}


def _runs(pid: int) -> bool:
    """Whether a process is there and no zombie; elsewhere than on Linux whether it is there."""
    if sys.platform != "linux":
        return usage_of(pid) is not None
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def _spawn(write_end: int, tag: str) -> subprocess.Popen[bytes]:
    """-P: a module in the user's folder must not stand in for one of ours."""
    module = f"{__package__}.worker"
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, str(os.getpid()), str(write_end)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=(write_end,),
        start_new_session=True,
        bufsize=0,
        env={**os.environ, "PYTHONFAULTHANDLER": "1", TAG: tag},
    )
