"""A suite as the TOML text that makes it again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def toml(suite: Mapping[str, Any]) -> str:
    """The TOML of plain data: numbers, texts, lists of them, tables, lists of tables. What is
    None or empty is left out, as what was not given.
    """
    plain = {key: value for key, value in suite.items() if not _nothing(value)}
    heads = [f"{key} = {_value(value)}" for key, value in plain.items() if not _tables(value)]
    for key, value in plain.items():
        for table in value if _tables(value) else ():
            lines = [f"{k} = {_value(v)}" for k, v in table.items() if not _nothing(v)]
            heads += ["", f"[[{key}]]", *lines]
    return "\n".join(heads)


def _nothing(value: Any) -> bool:
    return value is None or value in ("", [], (), {})


def _tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = [f"{json.dumps(k)} = {_value(v)}" for k, v in value.items() if not _nothing(v)]
        return "{ " + ", ".join(inside) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    # JSON's numbers, truth values and texts are TOML's too, but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
