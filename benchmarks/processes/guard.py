"""A small process beside each child that kills what the child has started if the harness dies.

The kernel kills the child itself when the harness dies, but not what its engine has forked. The
guard waits on a pipe whose other end only the harness holds; when that closes without a word,
the harness is dead. It is a shell, which starts in about a millisecond.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

TAG = "PLUMBENCH_RUN"
"""Environment variable that marks a child and all it starts, whatever session they move to."""

_SCRIPT = """
read -r line && exit 0
kill -KILL -- "-$1"
for round in 1 2; do
    [ -z "$3" ] || while read -r pid; do
        [ "$pid" = 0 ] || kill -KILL "$pid"
    done <"$3/cgroup.procs"
    for file in $(grep -ls "$2" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        kill -KILL "${pid%/environ}"
    done
done
[ -z "$3" ] || rmdir "$3" || { sleep 0.2; rmdir "$3"; }
"""


class Guard:
    """Watches over the process group ``leader``, everything tagged ``tag`` and a control group."""

    def __init__(self, leader: int, tag: str, group: Path | None) -> None:
        environment = {name: value for name, value in os.environ.items() if name != TAG}
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "plumbench-guard", str(leader), tag, str(group or "")],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=environment,
        )

    def release(self) -> None:
        """The child is gone, and all it started: nothing is left to do."""
        stdin = self._process.stdin
        assert stdin is not None
        with contextlib.suppress(OSError):
            stdin.write(b"done\n")
            stdin.flush()
        with contextlib.suppress(OSError):
            stdin.close()
        self._process.wait()


def tagged(tag: str) -> list[int]:
    """The processes that carry the tag, as far as this user may see (Linux)."""
    found: list[int] = []
    for name in filter(str.isdigit, _listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
            if tag.encode() in file.read():
                found.append(int(name))
    return found


def _listdir(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
