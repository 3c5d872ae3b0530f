"""Spans of time, sizes of memory and of boards as people write them: ``10s``, ``1GB``, ``8x5``."""

from __future__ import annotations

import re

SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}
BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
MOST_SECONDS, MOST_BYTES, MOST_CELLS = 1e9, 2**53, 4_000_000


def span(text: str) -> float:
    """Seconds of ``10s``, ``500ms``, ``2m``, ``1.5h`` or ``3`` (seconds). Raises ValueError for
    anything else, 0 included.
    """
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+) ?(ms|s|m|h|)", text, re.ASCII)
    seconds = float(match[1]) * SECONDS[match[2]] if match else 0.0
    if not 0 < seconds < MOST_SECONDS:
        raise ValueError(f"found {text!r}, expected a time such as 10s, 500ms or 2m")
    return seconds


def memory(text: str) -> int:
    """Bytes of ``1GB``, ``512MiB`` or ``800000B``; a unit must be named. Raises ValueError."""
    match = re.fullmatch(rf"(\d+(?:\.\d*)?|\.\d+) ?({'|'.join(BYTES)})", text, re.ASCII)
    number = round(float(match[1]) * BYTES[match[2]]) if match else 0
    if not 0 < number < MOST_BYTES:
        raise ValueError(f"found {text!r}, expected a size such as 500MB, 1GB or 2GiB")
    return number


def grid(text: str) -> tuple[int, int]:
    """(width, height) of ``8x5``, or of ``8`` for a square. Raises ValueError."""
    match = re.fullmatch(r"(\d{1,6})(?:x(\d{1,6}))?", text, re.ASCII)
    if not match:
        raise ValueError(f"found {text!r}, expected WxH such as 8x5")
    size = int(match[1]), int(match[2] or match[1])
    if min(size) < 1 or size[0] * size[1] > MOST_CELLS:
        raise ValueError(f"found {text!r}, expected 1 to {MOST_CELLS:,} cells")
    return size


def span_text(seconds: float) -> str:
    """The inverse of ``span``, in whole units where it can be: ``90s``, ``500ms``, ``2m``."""
    for unit, factor in (("h", 3600.0), ("m", 60.0)):
        if seconds >= factor and seconds % factor == 0:
            return f"{seconds / factor:.0f}{unit}"
    if seconds < 1 and round(seconds * 1000, 6).is_integer():
        return f"{seconds * 1000:.0f}ms"
    return f"{seconds:g}s"


def memory_text(number: int) -> str:
    """The inverse of ``memory``: ``1GB``, ``2GiB``, ``800001B``."""
    for unit in ("GiB", "GB", "MiB", "MB", "KiB", "kB"):
        if number % BYTES[unit] == 0:
            return f"{number // BYTES[unit]}{unit}"
    return f"{number}B"
