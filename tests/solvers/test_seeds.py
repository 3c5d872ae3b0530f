"""What engines say of their search threads and of reshuffled puzzles."""

from __future__ import annotations

import pytest
from plumbench.solvers.registry import ENGINES, get


@pytest.mark.parametrize("name", ENGINES)
def test_plain_engines_use_one_thread(name: str) -> None:
    """A plain name is a single-threaded engine."""
    assert get(name).workers == 1


def test_workers_tell_their_number() -> None:
    """A variant with more threads says how many."""
    assert get("cpsat:lazy:workers3").workers == 3


def test_engines_whose_order_is_their_meaning_take_no_seeds() -> None:
    """The articles' searches and brute force are asked about the puzzle as it is given."""
    assert [name for name in ENGINES if not get(name).capabilities.seeds] == ["reference", "brute"]
