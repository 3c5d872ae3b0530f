"""Reads put together: an Euler trail of their de Bruijn graph spells the sequence.

Every k-mer (k letters in a row) of the reads is an edge from its first k - 1 letters to its last
k - 1 (Pevzner, Tang and Waterman 2001). A walk that uses each edge once spells a sequence with
exactly those k-mers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .edge_list import EdgeList
from .errors import UsageError
from .euler import Euler, euler
from .values import integers


@dataclass(frozen=True, eq=False)
class Assembly:
    """What reads come to: the directed ``graph``, the verdict on it, and the ``sequence`` that
    its trail spells, None without a trail.
    """

    graph: EdgeList
    trail: Euler
    sequence: str | None


def kmers(reads: Iterable[str], k: int, *, repeats: bool = False) -> list[str]:
    """The k-mers of the reads in the order in which they come, each once; with ``repeats`` as
    often as they come (right where every k-mer of the sequence is read exactly once).

    Raises UsageError for k below 2 or a read shorter than k.
    """
    if k < 2:
        raise UsageError(f"k {k}: expected at least 2")
    found = []
    for number, read in enumerate(reads, 1):
        if len(read) < k:
            raise UsageError(f"read {number} has {len(read)} letters, expected at least {k}")
        found += [read[at : at + k] for at in range(len(read) - k + 1)]
    return found if repeats else list(dict.fromkeys(found))


def de_bruijn(mers: Sequence[str]) -> EdgeList:
    """The graph of some k-mers, one directed edge each, in their order.

    Raises UsageError for k-mers of different lengths or below 2 letters.
    """
    for mer in mers:
        if len(mer) != len(mers[0]) or len(mer) < 2:
            raise UsageError(f"k-mer {mer!r}: expected the same number of letters, at least 2")
    numbers: dict[str, int] = {}
    ends = [
        [numbers.setdefault(part, len(numbers)) for part in (mer[:-1], mer[1:])] for mer in mers
    ]
    return EdgeList(tuple(numbers), integers(ends, "edges").reshape(-1, 2))


def assemble(reads: Iterable[str], k: int, *, repeats: bool = False) -> Assembly:
    """The shortest sequence that has the reads' k-mers and no others, each once: several may
    have, and this is the one of the first trail. Raises UsageError as ``kmers`` does.
    """
    graph = de_bruijn(kmers(reads, k, repeats=repeats))
    trail = euler(graph.ends, len(graph.names), directed=True)
    return Assembly(graph, trail, spelled(graph, trail) if trail.vertices else None)


def spelled(graph: EdgeList, trail: Euler) -> str:
    """The letters of a trail: all of its first vertex, the last of each other."""
    first, *rest = [graph.names[vertex] for vertex in trail.vertices]
    return first + "".join(name[-1] for name in rest)
