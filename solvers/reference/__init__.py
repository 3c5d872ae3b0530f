"""The searches of the articles, mirrored call by call: the baselines."""

from .engine import Reference

__all__ = ["Reference"]
