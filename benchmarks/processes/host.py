"""What a reader needs to judge absolute times, and what may have spoilt them."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from typing import Any

from ..tables import size
from . import machine, software
from .cgroup import enforcement
from .machine import load, processor, usable_cores
from .software import versions

__all__ = ["facts", "load", "processor", "usable_cores", "versions", "warnings"]

IDLE = 0.3
"""A load up to this is an idle machine's own."""
LITTLE = 500_000_000
"""Bytes of available memory per run under which runs may have to wait for the disk."""
SLOW = ("powersave", "conservative", "userspace")
"""Governors that may keep the clock low while runs are measured."""
OWN_SCALING = ("intel_pstate", "amd-pstate-epp")
"""Drivers under which ``powersave`` only means that the processor itself sets its clock."""


def facts() -> dict[str, Any]:
    """All facts; every value fits JSON, None where the system does not tell. Nothing in it names
    a person, a folder or the machine.
    """
    averages = machine.loads()
    return {
        "processor": processor(),
        "cores": usable_cores(),
        "processors": machine.processors(),
        "frequency": machine.frequency(),
        "memory": machine.memory(),
        **machine.memory_state(),
        "quota": machine.quota(),
        "container": machine.container(),
        "virtual machine": machine.virtual_machine(),
        "power": machine.power(),
        "load": None if averages is None else averages[0],
        "loads": averages,
        "clock": machine.clock(),
        "limits": enforcement(),
        "platform": platform.platform(),
        "kernel": machine.kernel(),
        "system": machine.system(),
        "libc": machine.libc(),
        "python": platform.python_version(),
        "python build": software.python(),
        "packages": software.packages(),
        "git": software.git(),
        "variables": software.variables(),
    }


def warnings(facts: dict[str, Any], jobs: int = 1, memory: int | None = None) -> list[str]:
    """What may spoil a measurement of ``jobs`` runs at once, ``memory`` bytes each at most, on a
    machine with these facts; best looked for before the first run. Facts that are missing warn
    of nothing.
    """
    return [*_crowd(facts, jobs), *_speed(facts), *_room(facts, jobs, memory), *_source(facts)]


def _crowd(facts: dict[str, Any], jobs: int) -> Iterator[str]:
    """Who else uses the processors."""
    found = facts.get("processors") or {}
    cores = found.get("usable physical") or facts.get("cores")
    load = facts.get("load")
    if cores and load is not None and load > max(IDLE, cores - jobs):
        yield (
            f"the machine is busy: load {load:.1f} before the first run, on {_many(cores, 'core')}"
            f" for {_many(jobs, 'run')} at once"
        )
    threads = found.get("usable logical") or facts.get("cores")
    if cores and jobs > cores:
        paired = threads is not None and jobs <= threads
        shared = "some share a core as its hardware threads" if paired else "they take turns"
        yield f"{_many(jobs, 'run')} at once on {_many(cores, 'physical core')}: {shared}"
    others = found.get("shared with others")
    if others:
        yield (
            f"hardware threads are shared: {_listed(others)} lie on cores whose other threads "
            "are not ours"
        )
    quota = (facts.get("quota") or {}).get("cpu")
    if quota is not None and quota < (threads or jobs):
        yield f"a quota allows {quota:g} processors' worth of time: runs are halted beyond it"


def _speed(facts: dict[str, Any]) -> Iterator[str]:
    """What changes the clock."""
    frequency = facts.get("frequency") or {}
    slow = [name for name in frequency.get("governors") or () if name in SLOW]
    if slow and frequency.get("driver") not in OWN_SCALING:
        yield f"the frequency governor is {' and '.join(slow)}: the clock may stay low"
    if (facts.get("power") or {}).get("plugged in") is False:
        yield "the machine runs on battery"
    build = facts.get("python build") or {}
    if build.get("debug"):
        yield "this Python is a debug build"


def _room(facts: dict[str, Any], jobs: int, memory: int | None) -> Iterator[str]:
    """Whether the runs fit into memory."""
    available, quota = facts.get("available memory"), (facts.get("quota") or {}).get("memory")
    free = min((bytes for bytes in (available, quota) if bytes is not None), default=None)
    wanted = jobs * (memory or LITTLE)
    if free is not None and free < wanted:
        what = "they may use" if memory else "they may need"
        yield (
            f"little free memory: {size(free)} for {_many(jobs, 'run')} at once; "
            f"{what} {size(wanted)}"
        )


def _source(facts: dict[str, Any]) -> Iterator[str]:
    if (facts.get("git") or {}).get("dirty"):
        yield "the checkout has changes that are in no commit: nobody can repeat this exactly"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _listed(numbers: list[int]) -> str:
    word = "processor" if len(numbers) == 1 else "processors"
    shown = ", ".join(map(str, numbers[:8]))
    return f"{word} {shown}{' and more' if len(numbers) > 8 else ''}"
