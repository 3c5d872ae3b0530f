"""The hand-written engine: propagation, depth-first search, an undo trail with reasons."""

from .engine import Propagation

__all__ = ["Propagation"]
