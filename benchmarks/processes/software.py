"""Facts of the software: Python, packages, the checkout, settings that change speed."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGES = (
    "plumbench", "numpy", "scipy", "networkx", "pandas", "msgspec", "psutil", "python-sat",
    "pycryptosat", "ortools", "highspy", "distributed", "matplotlib",
)  # fmt: skip
"""Those that runs or figures depend on."""
CHECKOUT = Path(__file__).resolve().parents[2]
GIT_SECONDS = 10.0
VARIABLES = (
    "OMP_", "OPENBLAS_", "GOTO_", "MKL_", "BLIS_", "KMP_", "NUMEXPR_", "VECLIB_", "MALLOC_",
    "GLIBC_TUNABLES", "LD_PRELOAD", "PYTHONHASHSEED", "PYTHONOPTIMIZE", "PYTHONDEVMODE",
    "PYTHONMALLOC", "PYTHONTRACEMALLOC", "PYTHONPROFILEIMPORTTIME", "PYTHONDONTWRITEBYTECODE",
    "PYTHON_GIL", "PYTHON_JIT", "PLUMBENCH_",
)  # fmt: skip
"""Beginnings of the names of environment variables that change what runs, or how fast."""


def versions() -> dict[str, str]:
    """Those every run depends on, whatever its engine."""
    own = package_version("plumbench")
    return {"python": platform.python_version(), "plumbench": own or "unknown"}


def package_version(package: str) -> str | None:
    """The installed version; None if it is not there."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def packages() -> dict[str, str | None]:
    """The versions of the packages that matter."""
    return {package: package_version(package) for package in PACKAGES}


def python() -> dict[str, Any]:
    """How this Python was made: implementation, build, compiler; whether for debugging, whether
    without its global lock.
    """
    return {
        "implementation": platform.python_implementation(),
        "build": " ".join(platform.python_build()),
        "compiler": platform.python_compiler(),
        "debug": hasattr(sys, "gettotalrefcount"),
        "free threading": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    }


def git(checkout: Path = CHECKOUT) -> dict[str, Any] | None:
    """The commit of the checkout, and whether it is ``dirty``: files differ from it, or are
    unknown to it. None where this is no checkout, or git is not there.
    """
    if not (checkout / ".git").exists():
        return None
    commit = _git(checkout, "rev-parse", "HEAD")
    changes = _git(checkout, "status", "--porcelain")
    if commit is None or changes is None:
        return None
    return {"commit": commit, "dirty": bool(changes)}


def _git(folder: Path, *words: str) -> str | None:
    # Without variables such as GIT_DIR, which would lead to another repository.
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words],
            capture_output=True,
            text=True,
            timeout=GIT_SECONDS,
            env={**clean, "GIT_OPTIONAL_LOCKS": "0"},
            check=True,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout.strip()


def variables() -> dict[str, str]:
    """The environment variables that change speed. Of paths only the last part, for the rest of
    one may name a person.
    """
    return {
        name: " ".join(part.rpartition("/")[2] for part in value.split())
        for name, value in sorted(os.environ.items())
        if name.startswith(VARIABLES)
    }
