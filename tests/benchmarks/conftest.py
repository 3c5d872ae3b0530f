"""Puts this folder on the path, for the fake engines; shares the ``fakes`` fixture."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import fakes

__all__ = ["fakes"]
