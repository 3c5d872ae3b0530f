"""The layout check: what stands where, which way imports point, how long modules are."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOP_FOLDERS = {".ci", "puzzles", "encodings", "solvers", "benchmarks", "tests", "docs"}
TOP_FILES = {
    "pyproject.toml", "setup.py", "Makefile", "README.md", "CONTRIBUTING.md", "CHANGELOG.md",
    "LICENSE", "constraints.txt", "py.typed", ".gitignore",
    "__init__.py", "__main__.py", "cli.py", "cli_bench.py", "cli_euler.py", "cli_family.py",
    "cli_items.py", "cli_jobs.py", "cli_locks.py", "cli_options.py", "cli_render.py",
    "cli_report.py", "cli_store.py", "cli_streams.py",
}  # fmt: skip
LEVEL = {"puzzles": 0, "encodings": 1, "solvers": 2, "benchmarks": 3}
MAX_LINES = 400
BACKENDS = {"pysat", "ortools", "highspy", "matplotlib", "dask", "distributed", "pandas"}
MAY_IMPORT_BACKENDS = {"encodings", "solvers"}


def tracked() -> list[str]:
    """Files in git or about to be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [f for f in out.splitlines() if (ROOT / f).exists()]


def places(files: list[str]) -> list[str]:
    """Complaints about files that stand where nothing should."""
    bad = []
    for file in files:
        top, *rest = file.split("/")
        if rest and top not in TOP_FOLDERS:
            bad.append(f"{file}: no such top-level folder in the design")
        if not rest and top not in TOP_FILES:
            bad.append(f"{file}: not one of the root files")
    if "encodings/__init__.py" in files:
        bad.append("encodings/__init__.py: with it PYTHONPATH=. breaks the interpreter")
    return bad


def packages(files: list[str]) -> list[str]:
    """Complaints about package folders that pyproject.toml does not list, and the reverse."""
    listed = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    )
    here = {"plumbench"}
    for file in files:
        folder, _, name = file.rpartition("/")
        if name.endswith(".py") and folder.split("/")[0] in LEVEL:
            here.add("plumbench." + folder.replace("/", "."))
    return [f"{name}: in the tree or in pyproject.toml, not both" for name in sorted(listed ^ here)]


def imports(file: str) -> list[str]:
    """Complaints about imports that point upwards, are absolute, or load a back end early."""
    bad, tree, top = [], ast.parse((ROOT / file).read_text()), file.split("/")[0]
    depth = file.count("/")
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            if node.level <= depth or not node.module:
                continue
            target = node.module.split(".")[0]
            if LEVEL.get(target, -1) > LEVEL.get(top, 9):
                bad.append(f"{file}:{node.lineno}: {top} must not import {target}")
            if top in LEVEL and target not in LEVEL:
                bad.append(f"{file}:{node.lineno}: {top} must not import {target}")
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
            if any(n and n.split(".")[0] == "plumbench" for n in names):
                bad.append(f"{file}:{node.lineno}: imports inside the package are relative")
    if top not in MAY_IMPORT_BACKENDS:
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = (
                    [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
                )
                if any(n and n.split(".")[0] in BACKENDS for n in names):
                    bad.append(f"{file}:{node.lineno}: load this back end where it is used")
    return bad


def main() -> int:
    """Print every complaint; exit 1 if there is any."""
    files = tracked()
    complaints = places(files) + packages(files)
    for file in files:
        if not file.endswith(".py"):
            continue
        lines = len((ROOT / file).read_text().splitlines())
        if lines > MAX_LINES:
            complaints.append(f"{file}: {lines} lines, at most {MAX_LINES}")
        if file.split("/")[0] not in {"tests", ".ci"} and file != "setup.py":
            complaints += imports(file)
    print("\n".join(complaints) if complaints else "layout as designed")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
