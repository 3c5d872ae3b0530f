"""Facts of the machine a campaign runs on, each from one small function."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from typing import Any

import psutil


def facts() -> dict[str, Any]:
    """What a reader needs to judge absolute times; all values fit JSON."""
    return {
        "processor": processor(),
        "cores": usable_cores(),
        "memory": psutil.virtual_memory().total,
        "platform": platform.platform(),
        "python": platform.python_version(),
        "load": load(),
    }


def processor() -> str:
    """The model's name, or what the platform calls itself."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def usable_cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def load() -> float | None:
    """Runnable processes, averaged over the last minute; None where unknown."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return None


def versions() -> dict[str, str]:
    """Those every run depends on, whatever its engine."""
    try:
        own = metadata.version("plumbench")
    except metadata.PackageNotFoundError:
        own = "unknown"
    return {"python": platform.python_version(), "plumbench": own}
