"""Running command lines inside the test process, and keeping engines' processes between runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import pytest
from plumbench.benchmarks.processes import child, runner
from plumbench.cli import run


@dataclass(frozen=True)
class Out:
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    def is_one_error_line(self) -> bool:
        """Exactly one line on standard error, no traceback, nothing on standard output."""
        line = self.err.removesuffix("\n")
        return self.out == "" and line.startswith("plumbench: ") and "\n" not in line


Plumbench = Callable[..., Out]


@pytest.fixture
def plumbench(capsys: pytest.CaptureFixture[str]) -> Plumbench:
    """Run a command line in this process; its engines run in real children."""

    def call(*arguments: object) -> Out:
        code = run([str(a) for a in arguments])
        captured = capsys.readouterr()
        return Out(code, captured.out, captured.err)

    return call


@pytest.fixture(scope="module")
def kept_children() -> Iterator[None]:
    """Healthy children are parked instead of killed and serve the next command: starting an
    interpreter for each of some hundred commands would take most of the time.
    """
    parked: list[child.Child] = []
    kill = child.Child.kill

    def park(self: child.Child) -> None:
        if self.busy or not self.reusable:
            kill(self)
        elif self not in parked:
            parked.append(self)

    def take(cores: Collection[int] | None = None) -> child.Child:
        return parked.pop() if parked and cores is None else child.Child(cores)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(child.Child, "kill", park)
        patch.setattr(runner, "Child", take)
        yield
    for one in parked:
        one.kill()
