"""Chains of dominoes as people lay them: from a set of tiles, and judged tile by tile.

A chain is a list of (tile, flipped): the tile's index in its set, and whether it lies with its
second pip first. Tiles are (first pip, second pip).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from .errors import InputError
from .euler import euler

Tiles = Sequence[tuple[int, int]]
Chain = list[tuple[int, bool]]


def lay(tiles: Tiles, chosen: Sequence[int], start: int | None = None) -> Chain | None:
    """The chosen tiles as one chain, beginning with the pip ``start`` if given; None if there is
    none. Linear (Hierholzer's algorithm).
    """
    if not chosen:
        return []
    names = sorted({pip for tile in chosen for pip in tiles[tile]})
    place = {pip: i for i, pip in enumerate(names)}
    if start is not None and start not in place:
        return None
    ends = [[place[a], place[b]] for a, b in (tiles[tile] for tile in chosen)]
    found = euler(ends, len(names), start=None if start is None else place[start])
    if not found.found:
        return None
    walked = zip(found.edges, found.vertices, strict=False)
    return [(chosen[e], tiles[chosen[e]][0] != names[v]) for e, v in walked]


def laid(tiles: Tiles, chain: Chain) -> list[tuple[int, int]]:
    """The pips of each tile as it lies."""
    return [(tiles[t][1], tiles[t][0]) if flipped else tiles[t] for t, flipped in chain]


def text(pairs: Sequence[tuple[int, int]], marked: Collection[int] = ()) -> str:
    """``0|1 1|2``: tiles as they lie; pips of ``marked`` have a star."""

    def pip(number: int) -> str:
        return f"{number}*" if number in marked else str(number)

    return " ".join(f"{pip(a)}|{pip(b)}" for a, b in pairs) or "(no tile)"


def read_chain(tiles: Tiles, answer: Any) -> tuple[Chain, list[str]]:
    """A chain from ``[tile, flipped]`` pairs, or from the pips of its tiles, ``[1, 2]``, as they
    lie; and what of it is no tile of the set.

    Of equal tiles the one with the lowest index that is left is taken. Raises InputError for
    anything else.
    """
    if not isinstance(answer, list):
        raise InputError(type(answer).__name__, "a list of [tile, flipped] or of [pip, pip]")
    for item in answer:
        if not isinstance(item, list) or len(item) != 2 or type(item[0]) is not int:
            raise InputError(repr(item), "[tile, flipped] or [pip, pip]")
    if all(type(second) is bool for _, second in answer):
        for tile, _ in answer:
            if not 0 <= tile < len(tiles):
                raise InputError(f"tile {tile}", f"an index below {len(tiles)}, the set's size")
        return [(tile, flipped) for tile, flipped in answer], []
    if not all(type(second) is int for _, second in answer):
        raise InputError(repr(answer[0]), "[tile, flipped] or [pip, pip] throughout")
    return _matched(tiles, [(a, b) for a, b in answer])


def _matched(tiles: Tiles, pairs: list[tuple[int, int]]) -> tuple[Chain, list[str]]:
    """The tiles of the set that pairs of pips stand for; those left over are faults."""
    stock: dict[tuple[int, int], list[int]] = {}
    for index in reversed(range(len(tiles))):
        stock.setdefault(_key(tiles[index]), []).append(index)
    chain, faults = [], []
    for number, pair in enumerate(pairs, 1):
        left = stock.get(_key(pair))
        if left:
            tile = left.pop()
            chain.append((tile, tiles[tile] != pair))
        else:
            why = "no such tile is in the set" if left is None else "no such tile is left"
            faults.append(f"place {number}: {pair[0]}|{pair[1]}, but {why}")
    return chain, faults


def _key(tile: tuple[int, int]) -> tuple[int, int]:
    return min(tile), max(tile)


def faults(
    tiles: Tiles, chain: Chain, *, every: bool, closed: bool, start: int | None
) -> Iterator[str]:
    """What is wrong with a chain, from what a chain is alone: tiles laid twice or (``every``)
    not at all, pips that do not meet, a wrong beginning, ends that do not meet (``closed``).
    """
    times: dict[int, int] = {}
    for tile, _ in chain:
        times[tile] = times.get(tile, 0) + 1
    for tile, number in times.items():
        if number > 1:
            yield f"tile {tile} ({text([tiles[tile]])}) is laid {number} times"
    if every:
        for tile in range(len(tiles)):
            if tile not in times:
                yield f"tile {tile} ({text([tiles[tile]])}) is not laid"
    lie = laid(tiles, chain)
    for number in range(1, len(lie)):
        (_, left), (right, _) = lie[number - 1], lie[number]
        if left != right:
            yield (
                f"places {number} and {number + 1}: {text(lie[number - 1 : number + 1])}, "
                f"{left} and {right} are different"
            )
    if not lie:
        return
    first, last = lie[0][0], lie[-1][1]
    if start is not None and first != start:
        yield f"the chain begins with {first}, not with {start}"
    if closed and first != last:
        yield f"the chain is not closed: it begins with {first} and ends with {last}"
