"""Facts of the machine: processor, clock frequency, memory, power, and what confines us to a part
of it. One small function each; what a system does not tell is None. ``root`` is where its files
hang, for tests.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import psutil

from .cores import parse_list, physical_cores, usable_processors

ROOT = Path("/")
CPU = "sys/devices/system/cpu"
UNLIMITED = 1 << 60
"""The first version of control groups says "no limit" by a number beyond this."""
MOST_LINES = 20_000
Found = TypeVar("Found")


def read(path: Path) -> str | None:
    """What a file of the system says, without blanks around it; None if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def asked(question: Callable[[], Found]) -> Found | None:
    """The answer, None where the system has none (psutil raises all kinds of errors)."""
    try:
        return question()
    except (AttributeError, NotImplementedError, OSError, RuntimeError, ValueError, psutil.Error):
        return None


def processor(root: Path = ROOT) -> str:
    """The model's name, or what the platform calls itself."""
    lines = _cpuinfo(root)
    return lines.get("model name") or platform.processor() or platform.machine()


def _cpuinfo(root: Path) -> dict[str, str]:
    """The first processor's lines of ``/proc/cpuinfo``."""
    found: dict[str, str] = {}
    for line in (read(root / "proc/cpuinfo") or "").splitlines()[:MOST_LINES]:
        key, colon, value = line.partition(":")
        if colon:
            found.setdefault(key.strip(), value.strip())
    return found


def usable_cores() -> int:
    """Logical processors that this process may use."""
    return len(usable_processors())


def processors(root: Path = ROOT) -> dict[str, Any]:
    """How many processors there are, how many physical cores this process may use, which
    processors it is bound to (``affinity``), and which share a core with one outside of those.
    """
    usable = usable_processors()
    return {
        "logical": os.cpu_count(),
        "physical": asked(lambda: psutil.cpu_count(logical=False)),
        "usable logical": len(usable),
        "usable physical": len(physical_cores(root / CPU)),
        "affinity": sorted(usable),
        "threads per core": _threads(usable, root),
        "shared with others": sorted(n for n in usable if _siblings(n, root) - usable),
    }


def _siblings(number: int, root: Path) -> frozenset[int]:
    """The hardware threads of that processor's core."""
    for name in ("core_cpus_list", "thread_siblings_list"):
        listed = read(root / CPU / f"cpu{number}" / "topology" / name)
        if listed is not None:
            return asked(lambda listed=listed: parse_list(listed)) or frozenset({number})
    return frozenset({number})


def _threads(usable: frozenset[int], root: Path) -> int | None:
    if not (root / CPU / "cpu0" / "topology").exists():
        return None
    return max(len(_siblings(number, root)) for number in usable)


def frequency(root: Path = ROOT) -> dict[str, Any]:
    """Governors of the processors, megahertz now and at most, and whether turbo is on."""
    folders = [root / CPU / f"cpu{number}" / "cpufreq" for number in sorted(usable_processors())]
    governors = {read(folder / "scaling_governor") for folder in folders} - {None}
    now = asked(psutil.cpu_freq) if root == ROOT else None
    return {
        "governors": sorted(filter(None, governors)) or None,
        "driver": read(folders[0] / "scaling_driver") if folders else None,
        "megahertz now": round(now.current) if now and now.current else None,
        "megahertz most": round(now.max) if now and now.max else None,
        "turbo": turbo(root),
    }


def turbo(root: Path = ROOT) -> bool | None:
    """Whether the clock may exceed its nominal frequency."""
    off = read(root / CPU / "intel_pstate/no_turbo")
    if off is not None:
        return off == "0"
    on = read(root / CPU / "cpufreq/boost")
    return None if on is None else on == "1"


def memory() -> int:
    """Bytes of main memory."""
    return psutil.virtual_memory().total


def memory_state() -> dict[str, int | None]:
    """Bytes that are available now, and of swap: all, and in use."""
    swap = asked(psutil.swap_memory)
    return {
        "available memory": asked(lambda: psutil.virtual_memory().available),
        "swap memory": None if swap is None else swap.total,
        "swap memory in use": None if swap is None else swap.used,
    }


def load() -> float | None:
    """Runnable processes, averaged over the last minute; None where unknown."""
    averages = loads()
    return None if averages is None else averages[0]


def loads() -> list[float] | None:
    """That over one, five and fifteen minutes."""
    found = asked(os.getloadavg)
    return None if found is None else [round(average, 2) for average in found]


def power() -> dict[str, Any] | None:
    """Whether mains power feeds the machine, and percent of its battery; None without one."""
    battery = asked(lambda: psutil.sensors_battery())
    if battery is None:
        return None
    return {"plugged in": battery.power_plugged, "percent": round(battery.percent)}


def clock() -> dict[str, Any]:
    """The clock that measures: what the system calls it, and its resolution in seconds."""
    info = time.get_clock_info("perf_counter")
    return {"source": info.implementation, "resolution": info.resolution}


def kernel() -> str:
    """Name and version of the kernel, without the machine's name."""
    return f"{platform.system()} {platform.release()} {platform.machine()}".strip()


def system(root: Path = ROOT) -> str | None:
    """The distribution's name and version."""
    for line in (read(root / "etc/os-release") or "").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip("\"'") or None
    return platform.mac_ver()[0] or None


def libc() -> str | None:
    """Name and version of the C library."""
    return " ".join(platform.libc_ver()).strip() or None


def container(root: Path = ROOT) -> str | None:
    """What kind of container this is; None if it does not look like one."""
    if (root / ".dockerenv").exists():
        return "docker"
    if (root / "run/.containerenv").exists():
        return "podman"
    groups = read(root / "proc/1/cgroup") or ""
    return next((k for k in ("kubepods", "docker", "lxc", "libpod") if k in groups), None)


def virtual_machine(root: Path = ROOT) -> str | None:
    """The hypervisor's name, "yes" where only its presence is known, None if there is none."""
    product = read(root / "sys/class/dmi/id/product_name")
    if "microsoft" in (read(root / "proc/sys/kernel/osrelease") or "").lower():
        return "WSL"
    if "hypervisor" not in _cpuinfo(root).get("flags", "").split():
        return None
    return product or "yes"


def quota(root: Path = ROOT) -> dict[str, float | int | None]:
    """Limits that control groups set to this process: processors' worth of time (``cpu``) and
    bytes of ``memory``; the narrowest of its group and all above it, None without one.
    """
    cpu = [float(part) for part in _cpu_quotas(root)]
    memory = list(_memory_limits(root))
    return {"cpu": min(cpu, default=None), "memory": min(memory, default=None)}


def _folders(controller: str, root: Path) -> Iterator[Path]:
    """The folders of this process's groups, up to the topmost. ``controller`` empty: version 2."""
    for line in (read(root / "proc/self/cgroup") or "").splitlines():
        _, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        if controller not in names.split(","):
            continue
        mount = root / "sys/fs/cgroup"
        if controller:
            mount = next((m for m in (mount / names, mount / controller) if m.exists()), mount)
        group = mount / path.strip("/")
        yield from [group, *group.parents[: len(group.parts) - len(mount.parts)]]


def _cpu_quotas(root: Path) -> Iterator[float]:
    for folder in _folders("", root):
        words = (read(folder / "cpu.max") or "").split()
        if len(words) == 2 and words[0].isdigit() and words[1].isdigit():
            yield int(words[0]) / int(words[1])
    for folder in _folders("cpu", root):
        share, period = (read(folder / f"cpu.cfs_{what}_us") for what in ("quota", "period"))
        if share and period and share.isdigit() and period.isdigit():
            yield int(share) / int(period)


def _memory_limits(root: Path) -> Iterator[int]:
    for controller, name in (("", "memory.max"), ("memory", "memory.limit_in_bytes")):
        for folder in _folders(controller, root):
            text = read(folder / name)
            if text is not None and text.isdigit() and int(text) < UNLIMITED:
                yield int(text)
