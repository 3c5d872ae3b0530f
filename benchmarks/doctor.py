"""What is installed here, what is missing, and whether the parts work together."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..puzzles.board import Board
from ..puzzles.check import check
from ..puzzles.errors import MissingBackend, PlumbenchError
from ..puzzles.topology import Square
from ..solvers.contract import Capabilities, Status
from ..solvers.registry import ENGINES, extra_engines, get
from .processes import host
from .processes.jobs import Job, Outcome
from .processes.runner import run_one
from .processes.software import package_version
from .tables import size, table

SELF_TEST_SECONDS = 20.0
PACKAGES = {
    "numpy": None,
    "scipy": None,
    "networkx": None,
    "click": None,
    "rich": None,
    "msgspec": None,
    "psutil": None,
    "jsonschema": None,
    "jinja2": None,
    "pandas": None,
    "python-sat": "sat",
    "ortools": "cpsat",
    "highspy": "milp",
    "matplotlib": "plots",
    "distributed": "dask",
}
"""What plumbench uses, and the extra that brings it (None: always there)."""

OWN_FINDINGS = ("python", "packages")
"""Facts that have findings of their own."""

ABILITIES = (
    "acyclic", "counts", "free_stubs", "objective", "enumeration", "interrupt", "proof", "seeds",
)  # fmt: skip
"""The fields of Capabilities that are yes or no."""


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """One engine: there with its versions and capabilities, or missing with the reason."""

    name: str
    versions: dict[str, str]
    capabilities: Capabilities | None
    missing: str | None = None

    def record(self) -> dict[str, Any]:
        """As plain values for JSON."""
        can = self.capabilities
        data: dict[str, Any] = {
            "engine": self.name,
            "available": self.missing is None,
            "missing": self.missing,
            "versions": self.versions,
        }
        if can is not None:
            data |= {
                "leaks": sorted(can.leaks),
                "connect": sorted(can.connect),
                **{name: getattr(can, name) for name in ABILITIES},
                "max_ports": can.max_ports,
                "counters": can.counters,
            }
        return data


def engine_table(found: Sequence[EngineInfo]) -> str:
    """The engines as a table, then the missing ones with the reason."""
    rows, missing = [], []
    for info in found:
        can = info.capabilities
        if can is None:
            missing.append(f"{info.name} is missing: {info.missing}")
            continue
        versions = ", ".join(f"{name} {number}" for name, number in info.versions.items())
        yes = ["yes" if getattr(can, name) else "no" for name in ABILITIES]
        kinds = ["/".join(sorted(can.leaks)), "/".join(sorted(can.connect))]
        rows.append([info.name, versions or "-", *kinds, *yes, can.max_ports])
    head = ["engine", "versions", "leaks", "connect", *ABILITIES, "max_ports"]
    return "\n".join([table([h.replace("_", " ") for h in head], rows, left=4), *missing])


def counters_text(found: Sequence[EngineInfo]) -> str:
    """What each engine's own statistics mean; never compare them across engines."""
    lines = []
    for info in found:
        if info.capabilities is not None:
            lines.append(info.name)
            lines += [f"  {name}: {words}" for name, words in info.capabilities.counters.items()]
    return "\n".join(lines)


def engines() -> Iterator[EngineInfo]:
    """Every engine of the registry, loaded or with the reason why it cannot be."""
    for name in (*ENGINES, *extra_engines()):
        try:
            engine = get(name)
        except MissingBackend as error:
            yield EngineInfo(name, {}, None, error.why)
        else:
            yield EngineInfo(name, engine.versions(), engine.capabilities)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: ``ok`` False is a fault, None something optional that is absent.
    A ``warning`` is no fault, but may spoil measurements.
    """

    what: str
    ok: bool | None
    detail: str
    warning: bool = False

    def __str__(self) -> str:
        sign = {True: "ok", False: "FAULT", None: "absent"}[self.ok]
        sign = "warn" if self.warning else sign
        return f"{sign:7}{self.what}: {self.detail}"


def findings() -> Iterator[Finding]:
    """Look at everything, one finding at a time."""
    version = platform.python_version()
    yield Finding("Python", sys.version_info >= (3, 11), f"{version}, needed: 3.11 or newer")
    yield from machine_findings(host.facts())
    yield Finding(
        "plumbench", True, package_version("plumbench") or "not installed, run from a folder"
    )
    for package, extra in PACKAGES.items():
        yield _package(package, extra)
    yield _guarded("checker", _checker_works)
    for info in engines():
        if info.missing is None:
            yield _guarded(f"engine {info.name} in a child process", _engine_works(info.name))
        else:
            yield Finding(f"engine {info.name}", None, info.missing)


def machine_findings(facts: dict[str, Any]) -> Iterator[Finding]:
    """The facts of the machine that change measurements, and what may spoil those here."""
    for what, value in _flat({name: facts[name] for name in facts if name not in OWN_FINDINGS}):
        yield Finding(what, True if value is not None else None, _shown(what, value))
    for warning in host.warnings(facts):
        yield Finding("measuring here", True, warning, warning=True)


def _flat(facts: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}, ")
        else:
            yield above + name, value


def _shown(what: str, value: Any) -> str:
    if value is None:
        return "not told"
    if "memory" in what and isinstance(value, int):
        return size(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def _package(package: str, extra: str | None) -> Finding:
    version = package_version(package)
    if version is not None:
        return Finding(package, True, version)
    wanted = "plumbench" if extra is None else f"plumbench[{extra}]"
    detail = f"missing: pip install '{wanted}'"
    return Finding(package, None if extra else False, detail)


def _guarded(what: str, test: Callable[[], str]) -> Finding:
    try:
        return Finding(what, True, test())
    except (PlumbenchError, RuntimeError, OSError) as error:
        return Finding(what, False, " ".join(str(error).split()))


def _ring() -> Board:
    """Four elbows: their one solution is a ring."""
    return Board(Square(2, 2), np.full(4, 3))


def _checker_works() -> str:
    board = _ring()
    if not check(board.puzzle, board.encode([[6, 12], [3, 9]])).ok:
        raise RuntimeError("it refuses a right answer")
    if check(board.puzzle, board.encode([[6, 12], [3, 3]])).ok:
        raise RuntimeError("it accepts a wrong answer")
    return "accepts a right answer, refuses a wrong one"


def _engine_works(name: str) -> Callable[[], str]:
    def test() -> str:
        result = run_one(Job(_ring().puzzle, name, seconds=SELF_TEST_SECONDS))
        if result.outcome is not Outcome.ANSWERED or result.status is not Status.SATISFIABLE:
            said = result.message.strip().splitlines()[-1:] or [result.status.value]
            raise RuntimeError(f"{result.outcome.value}: {said[0]}")
        return "solves a ring of four elbows"

    return test
