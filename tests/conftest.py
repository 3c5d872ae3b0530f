"""Shared fixtures; puts this folder on the path so that tests can import ``strategies``."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

settings.register_profile(
    "plumbench", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("plumbench")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's background jobs ignore Ctrl-C, and so would every command that a test interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Heavy tests run only when asked for by ``-m fuzz``; the longest, of the documents, first, so
    that none runs on alone at the end.
    """
    items.sort(key=lambda item: item.path.name != "test_docs.py")
    if "fuzz" in (config.option.markexpr or ""):
        return
    kept = [item for item in items if "fuzz" not in item.keywords]
    dropped = [item for item in items if "fuzz" in item.keywords]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept


@pytest.fixture(scope="session")
def shared() -> Callable[..., Path]:
    """The path of a file of the data beside the project; skips the test where it is absent."""

    def path(*parts: str) -> Path:
        found = HERE.parent.parent.joinpath("shared", *parts)
        if not found.exists():
            pytest.skip("the data beside the project is absent")
        return found

    return path
