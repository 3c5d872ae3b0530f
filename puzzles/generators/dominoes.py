"""Random sets of dominoes."""

from __future__ import annotations

from ..dominoes import Dominoes
from ..errors import UsageError
from ..instance import Source
from .java_random import JavaRandom
from .stream import Stream

MAX_TILES = 4_000_000


def make_dominoes(
    width: int,
    height: int,
    seed: int,
    *,
    doubles: str = "yes",
    equal: str = "yes",
    connected: str = "no",
    chain: str = "no",
) -> Dominoes:
    """A set of ``height`` random tiles with pips below ``width``; each option is yes or no.

    Without ``doubles`` there are none, without ``equal`` no two tiles are the same; ``connected``:
    each tile has a pip in common with those before; ``chain``: the tiles of a random walk, in
    random order. Raises UsageError for other values, and where there are not so many tiles.
    """
    given = {"doubles": doubles, "equal": equal, "connected": connected, "chain": chain}
    for name, value in given.items():
        if value not in ("yes", "no"):
            raise UsageError(f"option {name} {value!r} of generator 'dominoes': expected yes or no")
    if width < 1 or not 0 <= height <= MAX_TILES:
        raise UsageError(f"size {width}x{height}: expected pips x tiles, from 1x0")
    if chain == "yes" and equal == "no":
        raise UsageError(
            "options chain=yes, equal=no of generator 'dominoes': expected one of them"
        )
    most = width * (width - 1) // 2 + (width if doubles == "yes" else 0)
    if height > most and (equal == "no" or not most):
        raise UsageError(f"{height} tiles: there are {most} with pips below {width} as asked for")
    stream = Stream(seed)
    taken: set[tuple[int, int]] = set()
    tiles: list[tuple[int, int]] = []
    known = [stream.below(width)]
    while len(tiles) < height:
        a = stream.below(width)
        if chain == "yes":
            a = known[-1]
        elif connected == "yes":
            a = stream.pick(known)
        b = stream.below(width)
        key = (min(a, b), max(a, b))
        if (a == b and doubles == "no") or (equal == "no" and key in taken):
            continue
        taken.add(key)
        tiles.append((a, b))
        known.append(b)
    if chain == "yes":
        stream.shuffle(tiles)
        tiles = [(b, a) if stream.below(2) else (a, b) for a, b in tiles]
    name = f"dominoes-{width}x{height}-{seed}"
    return Dominoes(tuple(tiles), name=name, source=Source("generator"))


def java_dominoes(number: int, seed: int) -> Dominoes:
    """The tiles of article 003's ``generateRandom(number)`` with ``new Random(seed)``, which it
    leaves to chance: pips 0 to 6, the lower one first.
    """
    java = JavaRandom(seed)
    drawn = [sorted((java.next_int(7), java.next_int(7))) for _ in range(number)]
    tiles = tuple((low, high) for low, high in drawn)
    return Dominoes(tiles, name=f"java-{number}-{seed}", source=Source("generator"))
