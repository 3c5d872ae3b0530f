"""Control groups: found, limited, emptied, removed; never another's, never left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from harness import alive
from plumbench.benchmarks.processes import cgroup

SLEEP = [sys.executable, "-c", "import time; print(flush=True); time.sleep(1000)"]


@pytest.fixture
def group():
    """A group of this machine; skips the test where none can be made."""
    made = cgroup.new_group()
    if made is None:
        pytest.skip("no memory cgroup can be made here")
    yield made
    made.remove()
    assert not made.folder.exists()


def hierarchy(root: Path, own: str, controllers: dict[str, str]) -> None:
    """Files as of a unified hierarchy: what each group lets the groups below control."""
    (root / own).mkdir(parents=True)
    for name, allowed in controllers.items():
        (root / name / "cgroup.subtree_control").write_text(allowed)
        (root / name / "cgroup.procs").write_text("")
        if name:
            (root / name / "memory.max").write_text("max\n")


def test_a_group_holds_limits_and_kills(group):
    """A process moved there is a member, the limit is what was asked for, the kill empties it."""
    with subprocess.Popen(SLEEP, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        group.admit(process.pid)
        assert cgroup.members(group.folder) == [process.pid]
        assert group.limit(200_000_000)
        value = int((group.folder / group.limit_file).read_text())
        assert abs(value - 200_000_000) < 1 << 16
        assert group.limit(None)
        assert group.kills() == 0
        group.kill()
        assert cgroup.members(group.folder) == []
        assert not alive([process.pid])


def test_groups_of_the_dead_are_cleared_and_those_of_the_living_are_not(group, tmp_path):
    """What a harness left behind is removed with its processes; a group in use stays."""
    stale = group.folder.with_name(f"{cgroup.PREFIX}1-stale")
    stale.mkdir()
    with subprocess.Popen(SLEEP, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        (stale / "cgroup.procs").write_text(str(process.pid))
        cgroup.clear_stale(group.folder.parent)
        assert not alive([process.pid])
    assert not stale.exists()
    assert group.folder.exists()


def test_members_of_other_namespaces_are_left_alone(tmp_path):
    """Processes that are listed as 0 are not ours to kill: 0 would mean ourselves."""
    (tmp_path / "cgroup.procs").write_text("0\n17\n0\n")
    assert cgroup.members(tmp_path) == [17]


def test_the_unified_hierarchy_is_used_where_it_was_delegated(tmp_path, monkeypatch):
    """Groups are made at the nearest group above that lets groups below it limit memory, unless
    a limit in between would be lost.
    """
    hierarchy(tmp_path, "user/apps/shell", {"": "", "user": "memory", "user/apps": "cpu memory"})
    (tmp_path / "user/apps/shell/memory.max").write_text("max\n")
    (tmp_path / "user/apps/shell/cgroup.subtree_control").write_text("")
    monkeypatch.setattr(cgroup, "_mounts", lambda: {"": tmp_path})
    monkeypatch.setattr(cgroup, "_own_groups", lambda: {"": "/user/apps/shell"})
    user, apps = (cgroup.GroupV2, tmp_path / "user"), (cgroup.GroupV2, tmp_path / "user/apps")
    assert cgroup._candidates() == [apps, user]
    (tmp_path / "user/apps/memory.max").write_text("1000000\n")
    assert cgroup._candidates() == [apps]
    (tmp_path / "user/apps/shell/memory.max").write_text("1000000\n")
    assert cgroup._candidates() == []


def test_a_unified_group_writes_the_kernels_files(tmp_path, monkeypatch):
    """Limit, whole-group kill and no swap; kills are read from the group's events."""
    monkeypatch.setattr(cgroup, "clear", lambda folder: None)
    made = cgroup.GroupV2(tmp_path)
    assert made.limit(5_000_000)
    assert (made.folder / "memory.max").read_text() == "5000000"
    assert (made.folder / "memory.oom.group").read_text() == "1"
    assert (made.folder / "memory.swap.max").read_text() == "0"
    assert made.limit(None)
    assert (made.folder / "memory.max").read_text() == "max"
    assert made.kills() == 0
    (made.folder / "memory.events").write_text("low 0\noom 3\noom_kill 2\noom_group_kill 1\n")
    assert made.kills() == 2
    made.remove()


def test_the_kernels_unified_hierarchy_kills_a_group(monkeypatch):
    """On a real one, with or without the memory controller, kill and removal work."""
    place = cgroup._mounts().get("")
    if place is None or not os.access(place, os.W_OK):
        pytest.skip("no unified hierarchy to write to")
    own = place / cgroup._own_groups().get("", "/").lstrip("/")
    try:
        made = cgroup.GroupV2(own)
    except OSError as error:
        pytest.skip(str(error))
    with subprocess.Popen(SLEEP, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        made.admit(process.pid)
        begin = time.monotonic()
        made.remove()
        assert time.monotonic() - begin < 60
        assert not alive([process.pid])
    assert not made.folder.exists()


def test_what_enforces_limits_is_said(monkeypatch):
    """The words name the kind of group, or that there is none."""
    monkeypatch.setattr(cgroup, "find", lambda: None)
    assert "polling" in cgroup.enforcement()
    monkeypatch.setattr(cgroup, "find", lambda: (cgroup.GroupV2, Path("/")))
    assert "cgroup v2" in cgroup.enforcement()
