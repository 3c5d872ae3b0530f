"""What is captured of the machine and the software, and what is warned of."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from plumbench.benchmarks import doctor
from plumbench.benchmarks.processes import host, machine, software

Tree = Callable[[dict[str, str]], Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Makes a system's files from their contents; gives the root."""

    def make(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n")
        return tmp_path

    return make


# ---- facts -----------------------------------------------------------------------------------


def test_facts_fit_json_and_tell_what_matters() -> None:
    """The facts of this machine survive JSON and hold what a report asks for."""
    facts = json.loads(json.dumps(host.facts(), allow_nan=False))
    assert facts["processor"]
    assert facts["cores"] == len(facts["processors"]["affinity"])
    assert facts["memory"] > 10**8
    assert facts["python"] == platform.python_version()
    assert facts["packages"]["numpy"]
    assert facts["clock"]["resolution"] > 0


def test_facts_name_no_person_and_no_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No user, no home and no node name is in them, though variables hold such things."""
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.setenv("PLUMBENCH_SOMETHING", "/home/somebody/lib/mine.so")
    monkeypatch.setenv("PYTHONPATH", "/home/somebody")
    text = json.dumps(host.facts())
    assert "mine.so" in text
    assert "somebody" not in text
    assert str(Path.home()) not in text or str(Path.home()) == "/"
    if len(platform.node()) > 4:
        assert platform.node() not in text


def test_a_system_that_tells_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without its files and answers every fact is there, as None, and nothing is raised."""

    def fails(*_: object, **__: object) -> Any:
        raise OSError("not here")

    for name in ("cpu_count", "cpu_freq", "swap_memory", "sensors_battery"):
        monkeypatch.setattr(psutil, name, fails, raising=False)
    monkeypatch.setattr(os, "getloadavg", fails)
    monkeypatch.setattr(subprocess, "run", fails)
    assert machine.loads() is machine.load() is machine.power() is software.git() is None
    assert machine.processors(tmp_path)["physical"] is None
    assert machine.processors(tmp_path)["threads per core"] is None
    assert set(machine.frequency(tmp_path).values()) == {None}
    assert machine.container(tmp_path) is machine.virtual_machine(tmp_path) is None
    assert machine.quota(tmp_path) == {"cpu": None, "memory": None}
    assert machine.processor(tmp_path)
    facts = host.facts()
    assert host.warnings({**facts, "processors": machine.processors(tmp_path)}) == []
    assert host.warnings({}, jobs=8) == []


def test_the_processor(tree: Tree) -> None:
    """The first model name, and a hypervisor's flag."""
    root = tree(
        {
            "proc/cpuinfo": "processor : 0\nmodel name\t: Fast One @ 3: x\nflags : fpu hypervisor"
            "\n\nprocessor : 1\nmodel name : Other",
            "sys/class/dmi/id/product_name": "KVM",
        }
    )
    assert machine.processor(root) == "Fast One @ 3: x"
    assert machine.virtual_machine(root) == "KVM"


def test_cores_shared_with_others(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processors 0 and 2 are two threads of one core; bound to 0 and 1 we share one of them."""
    cpu = "sys/devices/system/cpu"
    root = tree(
        {f"{cpu}/cpu{n}/topology/core_cpus_list": f"{n % 2},{n % 2 + 2}" for n in range(4)}
        | {f"{cpu}/cpu1/topology/core_cpus_list": "1"}
    )
    monkeypatch.setattr(machine, "usable_processors", lambda: frozenset({0, 1}))
    found = machine.processors(root)
    assert found["affinity"] == [0, 1]
    assert found["shared with others"] == [0]
    assert found["threads per core"] == 2


def test_frequency(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """The governors of the usable processors alone; turbo by either driver's file."""
    monkeypatch.setattr(machine, "usable_processors", lambda: frozenset({0, 1}))
    cpu = "sys/devices/system/cpu"
    governors = ("powersave", "performance", "ondemand")
    files = {f"{cpu}/cpu{n}/cpufreq/scaling_governor": g for n, g in enumerate(governors)}
    root = tree({**files, f"{cpu}/cpu0/cpufreq/scaling_driver": "acpi-cpufreq"})
    found = machine.frequency(root)
    assert found["governors"] == ["performance", "powersave"]
    assert found["driver"] == "acpi-cpufreq"
    assert found["turbo"] is None
    assert machine.turbo(tree({f"{cpu}/cpufreq/boost": "1"})) is True
    assert machine.turbo(tree({f"{cpu}/intel_pstate/no_turbo": "1"})) is False


@pytest.mark.parametrize(
    ("files", "cpu", "memory"),
    [
        (
            {
                "proc/self/cgroup": "0::/a/b",
                "sys/fs/cgroup/a/cpu.max": "150000 100000",
                "sys/fs/cgroup/a/b/cpu.max": "max 100000",
                "sys/fs/cgroup/a/memory.max": "4000000000",
                "sys/fs/cgroup/a/b/memory.max": "3000000000",
            },
            1.5,
            3_000_000_000,
        ),
        (
            {
                "proc/self/cgroup": "4:memory:/x\n2:cpu,cpuacct:/y\n0::/",
                "sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_quota_us": "50000",
                "sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_period_us": "100000",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "2000000000",
                "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "9223372036854771712",
            },
            0.5,
            2_000_000_000,
        ),
        (
            {
                "proc/self/cgroup": "2:cpu:/y\n0::/",
                "sys/fs/cgroup/cpu/y/cpu.cfs_quota_us": "-1",
                "sys/fs/cgroup/cpu/y/cpu.cfs_period_us": "100000",
                "sys/fs/cgroup/cpu.max": "nonsense",
                "sys/fs/cgroup/memory.max": "max",
            },
            None,
            None,
        ),
    ],
)
def test_quotas(tree: Tree, files: dict[str, str], cpu: float | None, memory: int | None) -> None:
    """The narrowest limit of a group or one above it, by either version of control groups."""
    assert machine.quota(tree(files)) == {"cpu": cpu, "memory": memory}


def test_containers(tree: Tree) -> None:
    """Told by a mark, or by the groups of the first process."""
    assert machine.container(tree({"proc/1/cgroup": "1:cpu:/kubepods/x"})) == "kubepods"
    assert machine.container(tree({"run/.containerenv": ""})) == "podman"
    assert machine.container(tree({".dockerenv": ""})) == "docker"


def test_git_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No checkout: None, even inside another one; a commit; changes and new files are dirt."""

    def git(*words: str) -> None:
        names = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", "-C", str(tmp_path), *names, *words], check=True, timeout=30)

    assert software.git(tmp_path) is None
    git("init", "-q")
    assert software.git(tmp_path) is None  # no commit yet
    (tmp_path / "file").write_text("one")
    git("add", "file")
    git("commit", "-q", "-m", "one")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    state = software.git(tmp_path)
    assert state is not None
    assert len(state["commit"]) == 40
    assert state["dirty"] is False
    (tmp_path / "inside").mkdir()
    assert software.git(tmp_path / "inside") is None
    (tmp_path / "new").write_text("two")
    assert software.git(tmp_path) == {**state, "dirty": True}


def test_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that change speed, no others."""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    monkeypatch.setenv("SECRET_TOKEN", "x")
    found = software.variables()
    assert (found["OMP_NUM_THREADS"], found["PYTHONHASHSEED"]) == ("3", "0")
    assert "SECRET_TOKEN" not in found


# ---- warnings --------------------------------------------------------------------------------

FINE: dict[str, Any] = {
    "cores": 8,
    "processors": {"usable logical": 8, "usable physical": 4, "shared with others": []},
    "load": 0.1,
    "quota": {"cpu": None, "memory": None},
    "frequency": {"governors": ["performance"], "driver": "acpi-cpufreq"},
    "power": {"plugged in": True, "percent": 50},
    "available memory": 16 * 10**9,
    "git": {"commit": "0" * 40, "dirty": False},
    "python build": {"debug": False},
}


def test_a_quiet_machine_warns_of_nothing() -> None:
    """Up to one run per physical core."""
    assert host.warnings(FINE) == host.warnings(FINE, jobs=4) == []


@pytest.mark.parametrize(
    ("changed", "jobs", "said"),
    [
        ({"load": 3.5}, 1, "busy: load 3.5 before the first run, on 4 cores for 1 run at once"),
        ({"load": 1.5}, 3, "the machine is busy"),
        ({}, 6, "6 runs at once on 4 physical cores: some share a core as its hardware threads"),
        ({}, 9, "9 runs at once on 4 physical cores: they take turns"),
        (
            {"processors": {**FINE["processors"], "shared with others": [3]}},
            1,
            "hardware threads are shared: processor 3",
        ),
        ({"power": {"plugged in": False, "percent": 9}}, 1, "on battery"),
        ({"frequency": {"governors": ["powersave"], "driver": None}}, 1, "governor is powersave"),
        ({"quota": {"cpu": 1.5, "memory": None}}, 1, "quota allows 1.5 processors"),
        ({"quota": {"cpu": None, "memory": 10**9}}, 4, "little free memory: 1000 MB for 4 runs"),
        ({"available memory": 10**8}, 1, "little free memory: 100 MB for 1 run at once"),
        ({"git": {"commit": "0", "dirty": True}}, 1, "in no commit"),
        ({"python build": {"debug": True}}, 1, "debug build"),
    ],
)
def test_each_warning(changed: dict[str, Any], jobs: int, said: str) -> None:
    """Each trouble gives one line that names it."""
    found = host.warnings({**FINE, **changed}, jobs)
    assert len(found) == 1
    assert said in found[0]


def test_no_warning_where_none_is_due() -> None:
    """A load that leaves cores free, a driver that scales by itself, a quota beyond the cores, a
    limit of memory that fits.
    """
    scaled = {"governors": ["powersave"], "driver": "intel_pstate"}
    fine = {**FINE, "load": 2.9, "frequency": scaled, "quota": {"cpu": 8.0, "memory": 10**11}}
    assert host.warnings(fine, 1, memory=10**9) == []
    assert len(host.warnings(fine, 1, memory=10**11)) == 1


def test_doctor_shows_facts_and_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fact is a line, a missing one no fault, a warning neither."""
    battery = SimpleNamespace(percent=40.2, power_plugged=False)
    monkeypatch.setattr(psutil, "sensors_battery", lambda: battery, raising=False)
    lines = [str(found) for found in doctor.machine_findings(host.facts())]
    assert "warn   measuring here: the machine runs on battery" in lines
    assert "ok     power, percent: 40" in lines
    assert any(line.startswith("ok     processor: ") for line in lines)
    assert all(found.ok is not False for found in doctor.machine_findings(host.facts()))
