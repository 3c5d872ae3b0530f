"""Sets of dominoes from and to their JSON records."""

from __future__ import annotations

from typing import Any

from ..dominoes import Dominoes
from . import records
from .page import Line


def is_bare(value: Any) -> bool:
    """Whether a JSON value is a list of pairs of numbers: tiles without anything else."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(pair, list) and len(pair) == 2 for pair in value)
        and all(type(pip) is int for pair in value for pip in pair)
    )


def dominoes(line: Line, record: records.Dominoes) -> Dominoes:
    """The set of a record."""
    return Dominoes(
        tuple(record.tiles),
        record.start,
        record.rules,
        line.given_name(record.name, "dominoes"),
        line.source,
    )


def record(given: Dominoes) -> records.Dominoes:
    """The record of a set."""
    return records.Dominoes(
        family="dominoes",
        tiles=list(given.tiles),
        name=given.name,
        rules=given.rules,  # pyright: ignore[reportArgumentType]
        start=given.start,
    )
