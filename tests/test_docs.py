"""The documents: every command shown is run, and must print what stands under it.

A ```console block holds ``$ command`` lines, each followed by its output; ``...`` stands for
anything. A ```text NAME block is the file NAME. A ```python block with ``>>>`` is run as a
doctest. The blocks of one document share a folder, in order, so that a file made by one is there
for the next.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(
    str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
)
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHECKER = doctest.OutputChecker()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass
class Step:
    """A command and the output that the document shows for it."""

    command: str
    expected: str


def console_steps(block: str) -> list[Step]:
    """The commands of a console block."""
    steps: list[Step] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append(Step(line[2:], ""))
        elif steps:
            steps[-1].expected += line + "\n"
    return steps


def run_console(block: str, folder: Path) -> None:
    """Run a console block and compare; ``echo $?`` sees the exit code of the step before."""
    code = 0
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "100"}
    for step in console_steps(block):
        done = subprocess.run(
            ["bash", "-c", f"(exit {code}); {step.command}"],
            cwd=folder,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=300,
        )
        code = done.returncode
        assert CHECKER.check_output(step.expected, done.stdout, FLAGS), (
            f"$ {step.command}\nprinted\n{done.stdout}\nthe document shows\n{step.expected}"
        )


def run_python(block: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a ``>>>`` block as a doctest in that folder."""
    monkeypatch.chdir(folder)
    test = doctest.DocTestParser().get_doctest(block, {}, "document", None, None)
    out: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test, out=out.append)
    assert runner.failures == 0, "".join(out)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_document(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every console and python block of the document does what it shows."""
    for kind, name, block in BLOCK.findall((ROOT / document).read_text(encoding="utf-8")):
        if name:
            (tmp_path / name).write_text(block, encoding="utf-8")
        elif kind == "console":
            run_console(block, tmp_path)
        elif kind == "python" and ">>>" in block:
            run_python(block, tmp_path, monkeypatch)


def test_the_test_notices(tmp_path: Path) -> None:
    """A document that shows another output than the command prints is refused."""
    with pytest.raises(AssertionError):
        run_console("$ echo right\nwrong\n", tmp_path)


def test_encodings_does_not_shadow_the_standard_library() -> None:
    """``PYTHONPATH=.`` in the checkout leaves the interpreter able to start."""
    subprocess.run(
        [sys.executable, "-c", "pass"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "."},
        check=True,
    )
    assert not (ROOT / "encodings" / "__init__.py").exists()
