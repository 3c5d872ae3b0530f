"""The kinds of values in a store: how each looks in Python, in SQLite and in a CSV cell.

A kind turns a Python value into what SQLite keeps (``dump``) and back (``load``), and that into
a cell of text (``cell``) and back (``value``). ``load`` and ``value`` raise ValueError for
anything that ``dump`` and ``cell`` would not have written: a duration "True", a NaN, half a
solution. Other programs can write to such files, disks fail, and a wrong figure is worse than
a missing one.
"""

from __future__ import annotations

import json
import math
import re
import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from ...puzzles.model import Solution

_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)", re.ASCII)
_REAL = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?", re.ASCII | re.IGNORECASE)
_DECIMAL_BITS = 13_000
"""Python refuses decimal numbers of more than 4300 digits; longer ones are kept in base 16."""


class Kind:
    """Any text."""

    sql: ClassVar[str] = "TEXT"
    expected: str = "UTF-8 text"

    def dump(self, value: Any) -> Any:
        """What SQLite keeps. Text that is not Unicode (lone surrogates) is escaped."""
        return value.encode("utf-8", "backslashreplace").decode("utf-8")

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        if not isinstance(value, str):
            raise ValueError
        value.encode("utf-8")  # UnicodeEncodeError, a ValueError: bytes that are no UTF-8
        return value

    def cell(self, value: Any) -> str:
        """The text of a CSV cell."""
        return str(value)

    def value(self, text: str) -> Any:
        """The inverse of cell."""
        return text


class Word(Kind):
    """Text that is not empty."""

    expected = "a name"

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        if value == "":
            raise ValueError
        return super().load(value)


class Choice(Kind):
    """One word of a list."""

    def __init__(self, words: tuple[str, ...] | type[StrEnum]) -> None:
        self._known = {str(word): word for word in words}
        self.expected = "one of " + ", ".join(self._known)

    def dump(self, value: Any) -> Any:
        """What SQLite keeps."""
        return str(value)

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        if value not in self._known:
            raise ValueError
        return self._known[value]


class Real(Kind):
    """A finite number that is not negative."""

    sql = "REAL"
    expected = "a number, 0 or more"

    def dump(self, value: Any) -> Any:
        """What SQLite keeps."""
        return float(value)

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        if not isinstance(value, float) or not 0 <= value < math.inf:
            raise ValueError
        return value

    def cell(self, value: Any) -> str:
        """All digits that tell this number from its neighbours."""
        return repr(value)

    def value(self, text: str) -> Any:
        """The inverse of cell."""
        if not _REAL.fullmatch(text):
            raise ValueError
        return float(text)


class Whole(Kind):
    """A whole number of at most 64 bits, from ``least`` on."""

    sql = "INTEGER"

    def __init__(self, least: int = 0) -> None:
        self._least = least
        self.expected = "a whole number" + (f" from {least} on" if least > -(2**63) else "")

    def dump(self, value: Any) -> Any:
        """What SQLite keeps."""
        return int(value)

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        if not isinstance(value, int) or not self._least <= value < 2**63:
            raise ValueError
        return value

    def value(self, text: str) -> Any:
        """The inverse of cell."""
        if not _INTEGER.fullmatch(text):
            raise ValueError
        return int(text)


class Flag(Whole):
    """Yes or no, as 1 or 0."""

    def __init__(self) -> None:
        super().__init__()
        self.expected = "0 or 1"

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        if super().load(value) > 1:
            raise ValueError
        return bool(value)


class Big(Kind):
    """A whole number of any size: counts outgrow SQLite's 64 bits, so it is kept as text."""

    expected = "a whole number"

    def dump(self, value: Any) -> Any:
        """What SQLite keeps."""
        value = int(value)
        return str(value) if value.bit_length() < _DECIMAL_BITS else hex(value)

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        if not isinstance(value, str):
            raise ValueError
        if _INTEGER.fullmatch(value):
            return int(value)
        if re.fullmatch("-?0x[0-9a-f]+", value):
            return int(value, 16)
        raise ValueError


class Instant(Kind):
    """A time of the calendar."""

    expected = "a time as in ISO 8601"

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        datetime.fromisoformat(super().load(value))
        return value


class Identity(Kind):
    """A UUID as its text."""

    expected = "a UUID"

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        if str(uuid.UUID(super().load(value))) != value:
            raise ValueError
        return value


class Identities(Identity):
    """UUIDs with a space between any two, sorted; a tuple in Python."""

    expected = "UUIDs with spaces between"

    def dump(self, value: Any) -> Any:
        """The text."""
        return " ".join(sorted(value))

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        return tuple(super(Identities, self).load(part) for part in value.split())


class Object(Kind):
    """A flat JSON object: text to number or text, or text to text only.

    JSON knows no infinity and no NaN: they are written as 1e999, which readers take for infinite,
    and null.
    """

    def __init__(self, *, numbers: bool) -> None:
        self._numbers = numbers
        self.expected = "a JSON object of " + ("numbers and texts" if numbers else "texts")

    def dump(self, value: Any) -> Any:
        """What SQLite keeps."""
        return "{" + ", ".join(f"{json.dumps(str(k))}: {_json(v)}" for k, v in value.items()) + "}"

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        found = json.loads(super().load(value), parse_constant=_refuse)
        if not isinstance(found, dict):
            raise ValueError
        for name, item in found.items():
            if item is None and self._numbers:
                found[name] = math.nan
            elif not isinstance(item, (int, float, str) if self._numbers else str):
                raise ValueError
        return found


class Processors(Kind):
    """Numbers of processors, as a JSON list; a tuple in Python."""

    expected = "a JSON list of whole numbers"

    def dump(self, value: Any) -> Any:
        """What SQLite keeps."""
        return json.dumps([int(n) for n in value])

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        found = json.loads(super().load(value))
        if not isinstance(found, list) or not all(type(n) is int and n >= 0 for n in found):
            raise ValueError
        return tuple(found)


class Solutions(Kind):
    """Solutions, each as ``PORTS:HEX``: the number of its ports and these as packed bits, the
    first port highest, the last byte filled with zeros. Spaces between.
    """

    expected = "solutions as PORTS:HEX, spaces between"

    def dump(self, value: Any) -> Any:
        """What SQLite keeps."""
        return " ".join(f"{s.size}:{np.packbits(s).tobytes().hex()}" for s in value)

    def load(self, value: Any) -> Any:
        """The inverse of dump."""
        text = super().load(value)
        return tuple(_solution(part) for part in text.split(" ")) if text else ()


def _solution(text: str) -> Solution:
    found = re.fullmatch("(0|[1-9][0-9]{0,11}):((?:[0-9a-f]{2})*)", text)
    if found is None:
        raise ValueError
    ports, data = int(found[1]), np.frombuffer(bytes.fromhex(found[2]), dtype=np.uint8)
    if data.size != (ports + 7) // 8:
        raise ValueError
    bits = np.unpackbits(data)
    if bits[ports:].any():
        raise ValueError
    return bits[:ports].astype(np.bool_)


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _json(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, float) or math.isfinite(value):
        return json.dumps(value if isinstance(value, int | float) else str(value))
    return "null" if math.isnan(value) else f"{'-' * (value < 0)}1e999"
