"""Engine names to engines, loaded only when used."""

from __future__ import annotations

import re
from importlib import import_module

from ..puzzles.errors import MissingBackend, UsageError
from .contract import Engine, Variant

ENGINES: dict[str, str] = {
    "propagation": "propagation:Propagation",
    "sat": "sat:Sat",
    "cpsat": "cpsat:CpSat",
    "reference": "reference:Reference",
    "brute": "brute:Brute",
}

_NAME = re.compile(r"[a-z]\w*(:[\w.=-]+)*(\+[\w.=-]+)*", re.ASCII)


def parse(name: str) -> Variant:
    """Split ``engine(:option)*(+borrowed)*``; raises UsageError."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"solver {name!r}: expected engine(:option)*(+borrowed)*")
    main, *borrowed = name.split("+")
    engine, *options = main.split(":")
    if engine not in ENGINES:
        raise UsageError(f"solver {engine!r}: expected one of {', '.join(ENGINES)}")
    return Variant(engine, tuple(options), tuple(borrowed))


def engine_class(name: str) -> type[Engine]:
    """The class behind a plain engine name; raises MissingBackend if it cannot be imported."""
    module, attribute = ENGINES[name].split(":")
    try:
        return getattr(import_module(f".{module}", __package__), attribute)
    except ImportError as error:
        raise MissingBackend(name, str(error)) from error


def get(name: str | Variant) -> Engine:
    """The engine of that name, ready; raises UsageError or MissingBackend."""
    variant = parse(name) if isinstance(name, str) else name
    return engine_class(variant.engine)(variant)


def missing() -> dict[str, str]:
    """The engines that cannot be used here, and why."""
    lacking: dict[str, str] = {}
    for name in ENGINES:
        try:
            get(name)
        except MissingBackend as error:
            lacking[name] = error.why
    return lacking
