"""Engine names to engines, loaded only when used."""

from __future__ import annotations

import os
import re
from importlib import import_module

from ..puzzles.errors import MissingBackend, UsageError
from .contract import Engine, Variant

ENGINES: dict[str, str] = {
    "propagation": "propagation:Propagation",
    "sat": "sat:Sat",
    "cpsat": "cpsat:CpSat",
    "milp": "milp:Milp",
    "reference": "reference:Reference",
    "brute": "brute:Brute",
}

OPTIONAL = ("sat", "cpsat", "milp")
"""Engines whose library comes with the extra of the same name: ``plumbench[sat]``."""

EXTRA = "PLUMBENCH_EXTRA_ENGINES"
"""Environment variable that names engines outside the package: ``name=module:Class``, several
separated by commas. Child processes inherit it.
"""

_NAME = re.compile(r"[a-z]\w*(:[\w.=-]+)*(\+[\w.=-]+)*", re.ASCII)


def extra_engines() -> dict[str, str]:
    """The engines that the environment adds, name to ``module:Class``; raises UsageError."""
    extra: dict[str, str] = {}
    for item in filter(None, os.environ.get(EXTRA, "").split(",")):
        name, _, place = item.strip().partition("=")
        if not _NAME.fullmatch(name) or place.count(":") != 1:
            raise UsageError(f"{EXTRA}: found {item!r}, expected name=module:Class")
        if name in ENGINES:
            raise UsageError(f"{EXTRA}: {name!r} is an engine of plumbench itself")
        extra[name] = place
    return extra


def parse(name: str) -> Variant:
    """Split ``engine(:option)*(+borrowed)*``; raises UsageError."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"solver {name!r}: expected engine(:option)*(+borrowed)*")
    main, *borrowed = name.split("+")
    engine, *options = main.split(":")
    known = {**ENGINES, **extra_engines()}
    if engine not in known:
        raise UsageError(
            f"solver {engine!r}: expected one of {', '.join(known)}, or one that {EXTRA} names"
        )
    return Variant(engine, tuple(options), tuple(borrowed))


def engine_class(name: str) -> type[Engine]:
    """The class behind a plain engine name; raises MissingBackend if it cannot be imported."""
    place = ENGINES.get(name)
    if place is None:
        return _extra_class(name, extra_engines()[name])
    module, attribute = place.split(":")
    try:
        return getattr(import_module(f".{module}", __package__), attribute)
    except ImportError as error:
        extra = f"; install plumbench[{name}]" if name in OPTIONAL else ""
        raise MissingBackend(name, f"{error}{extra}") from error


def _extra_class(name: str, place: str) -> type[Engine]:
    """Of an engine outside the package, whose module may do anything when it is imported."""
    module, attribute = place.split(":")
    try:
        return getattr(import_module(module), attribute)
    except Exception as error:
        why = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise MissingBackend(name, f"{why} ({EXTRA}: {place})") from error


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
