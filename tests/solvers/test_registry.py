"""Names of engines, and engines outside the package."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbench.puzzles.errors import MissingBackend, UsageError
from plumbench.solvers.registry import EXTRA, engine_class, parse


@pytest.mark.parametrize(
    ("text", "attribute", "why"),
    [
        ("x = 1\n", "Nope", "no attribute 'Nope'"),
        ("def x(:\n", "X", "SyntaxError"),
        ("1 / 0\n", "X", "ZeroDivisionError"),
        ("import not_a_module_at_all\n", "X", "No module named 'not_a_module_at_all'"),
    ],
)
def test_an_engine_of_ones_own_that_cannot_be_imported_is_missing(
    text: str, attribute: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its module does: one line that says what happened and where it was named."""
    name = f"own_engine_{attribute}_{len(text)}"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(EXTRA, f"own={name}:{attribute}")
    with pytest.raises(MissingBackend, match=why) as caught:
        engine_class("own")
    assert EXTRA in str(caught.value)


def test_an_unknown_engine_is_told_how_to_become_known() -> None:
    """The message names the engines that there are and the variable that adds others."""
    with pytest.raises(UsageError, match=f"'mine': expected one of propagation.*{EXTRA}"):
        parse("mine")
