"""Puzzle files and literals: ``load``, ``loads``, ``read`` (a stream), ``dumps``."""

from .reading import dumps, load, loads, read

__all__ = ["dumps", "load", "loads", "read"]
