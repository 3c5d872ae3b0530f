"""Claims of physical cores: no two runs share one, and a run waits until enough are free.

``OwnCores`` divides the cores among the threads of one process, ``MachineCores`` among all
processes of a user on one machine (several dask workers, for example).
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from .cores import physical_cores

Processors = frozenset[int]
"""Numbers of logical processors."""

POLL_SECONDS = 0.02


class Stopped(Exception):
    """The claim was given up because the caller was told to stop."""


class Claims(Protocol):
    """What hands out cores."""

    def claim(
        self, number: int, stop: threading.Event
    ) -> AbstractContextManager[Processors | None]:
        """The processors of ``number`` whole cores, or of all if there are fewer, for as long as
        the context lasts; None: no binding. Waits until they are free; raises Stopped once
        ``stop`` is set.
        """
        ...


class Unbound:
    """Hands out nothing: as many runs as asked for share the machine."""

    @contextmanager
    def claim(self, number: int, stop: threading.Event) -> Iterator[Processors | None]:
        """No binding, at once."""
        if stop.is_set():
            raise Stopped
        yield None


class OwnCores:
    """Cores for the threads of this process. First come, first served: a run that needs many
    cores cannot be overtaken for ever by runs that need one.
    """

    def __init__(self, cores: Sequence[Processors]) -> None:
        self._all = len(cores)
        self._free = list(cores)
        self._queue: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def claim(self, number: int, stop: threading.Event) -> Iterator[Processors | None]:
        """See ``Claims``."""
        taken = self._take(min(number, self._all), stop)
        try:
            yield frozenset().union(*taken)
        finally:
            with self._changed:
                self._free += taken
                self._changed.notify_all()

    def _take(self, number: int, stop: threading.Event) -> list[Processors]:
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                while self._queue[0] is not ticket or len(self._free) < number:
                    if stop.is_set():
                        raise Stopped
                    self._changed.wait(POLL_SECONDS)
                if stop.is_set():
                    raise Stopped
                taken, self._free = self._free[:number], self._free[number:]
                return taken
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()


class MachineCores:
    """Cores of this machine among all processes of this user.

    A claim is an abstract Unix socket named after the processor: the kernel gives each name to
    one process and takes it back when that process dies, however it dies. The gate lets one
    claimant at a time gather its cores, so that two that need several cannot wait for each
    other. Without such sockets (elsewhere than on Linux) runs are not bound.
    """

    @contextmanager
    def claim(self, number: int, stop: threading.Event) -> Iterator[Processors | None]:
        """See ``Claims``."""
        if sys.platform != "linux":
            with Unbound().claim(number, stop) as nothing:
                yield nothing
            return
        cores = physical_cores()
        taken: dict[Processors, list[socket.socket]] = {}
        try:
            gate = _wait_for(["gate"], stop)
            try:
                while len(taken) < min(number, len(cores)):
                    for core in cores:
                        if core not in taken and len(taken) < number:
                            held = _hold(map(str, sorted(core)))
                            if held:
                                taken[core] = held
                    if len(taken) < min(number, len(cores)):
                        _pause(stop)
            finally:
                _release(gate)
            yield frozenset().union(*taken)
        finally:
            for held in taken.values():
                _release(held)


def _hold(names: Iterator[str] | Sequence[str]) -> list[socket.socket]:
    """A socket for each name, or none at all if one of them is taken."""
    held: list[socket.socket] = []
    for name in names:
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind(f"\0plumbench/{os.getuid()}/{name}")
        except OSError:
            claim.close()
            _release(held)
            return []
        held.append(claim)
    return held


def _wait_for(names: Sequence[str], stop: threading.Event) -> list[socket.socket]:
    while not (held := _hold(names)):
        _pause(stop)
    return held


def _release(held: Sequence[socket.socket]) -> None:
    for claim in held:
        claim.close()


def _pause(stop: threading.Event) -> None:
    if stop.is_set():
        raise Stopped
    time.sleep(POLL_SECONDS)
