"""Plumber maps with a planted path, and when two maps are the same."""

from __future__ import annotations

import numpy as np

from ..errors import GenerationFailed, UsageError
from ..instance import Source
from ..path import PlumberPath
from ..topology import LEFT, RIGHT, Square
from .planted import probability
from .stream import Stream

_STEPS, _STEPS_PER_CELL = 5_000_000, 100
_CLASS_OF_CODE = np.array([0, 1, 1, 1, 1, 2, 2, 3])


def make_path(
    width: int,
    height: int,
    seed: int,
    *,
    obstacles: float = 0.1,
    straights: float = 0.5,
    planted: str = "yes",
) -> PlumberPath:
    """A map with the article's inlet and outlet and at least one path (``planted`` no: or none).

    The path is a loop-erased random walk (the path of a uniform spanning tree, Wilson 1996); of
    the cells beside it the share ``obstacles`` is blocked, of the others the share ``straights``
    is straight, the rest elbows. Raises UsageError for a bad size or share, GenerationFailed
    for a walk of over 5,000,000 + 100 per cell steps.
    """
    if width < 1 or height < 1:
        raise UsageError(f"size {width}x{height}: expected at least 1x1")
    probability("obstacles", obstacles)
    probability("straights", straights)
    if planted not in ("yes", "no"):
        raise UsageError(f"option planted {planted!r} of generator 'path': expected yes or no")
    stream = Stream(seed)
    cells = width * height
    codes = np.where(
        stream.uniform(cells) < straights,
        5 + stream.integers(2, cells),
        1 + stream.integers(4, cells),
    )
    codes[stream.uniform(cells) < obstacles] = 0
    turns = stream.integers(4, cells)
    path = _pieces(_walk(width, height, stream), width) if planted == "yes" else []
    for cell, is_straight in path:
        codes[cell] = 5 + turns[cell] % 2 if is_straight else 1 + turns[cell]
    return PlumberPath(
        codes.reshape(height, width),
        name=f"path-{width}x{height}-{seed}",
        source=Source("generator"),
    )


def _walk(width: int, height: int, stream: Stream) -> list[int]:
    """The cells of a random self-avoiding path from the first cell to the last."""
    there = Square(width, height).neighbours().tolist()
    last = width * height - 1
    walked, place = [0], {0: 0}
    for _ in range(_STEPS + _STEPS_PER_CELL * (last + 1)):
        if walked[-1] == last:
            return walked
        ways = [cell for cell in there[walked[-1]] if cell >= 0]
        cell = ways[int(stream.real() * len(ways))]
        if cell in place:
            for erased in walked[place[cell] + 1 :]:
                del place[erased]
            del walked[place[cell] + 1 :]
        else:
            place[cell] = len(walked)
            walked.append(cell)
    raise GenerationFailed(f"path {width}x{height}: the random walk did not arrive")


def _pieces(walked: list[int], width: int) -> list[tuple[int, bool]]:
    """The cells of a path from left to right of the map, and whether each runs straight on."""
    places = [divmod(cell, width) for cell in walked]
    (top, left), (bottom, right) = places[0], places[-1]
    around = [(top, left - 1), *places, (bottom, right + 1)]
    return [
        (cell, before[0] == after[0] or before[1] == after[1])
        for cell, before, after in zip(walked, around, around[2:], strict=False)
    ]


Key = tuple[int, int, bytes, tuple[tuple[int, int], ...]]


def canonical(given: PlumberPath) -> Key:
    """A key that two maps share exactly if one of the 8 symmetries of the square turns one into
    the other, whichever of the two openings is the inlet: same classes of pieces, whatever
    their codes, and the same openings.
    """
    classes = _CLASS_OF_CODE[given.codes].astype(np.uint8)
    openings = np.zeros((*given.codes.shape, 4), dtype=np.uint8)
    for cell, side in given.openings:
        openings[*divmod(cell, given.width), side] = 1
    keys = []
    for _ in range(4):
        keys += [_key(classes, openings)]
        mirrored = openings[:, ::-1].copy()
        mirrored[..., [RIGHT, LEFT]] = mirrored[..., [LEFT, RIGHT]]
        keys += [_key(classes[:, ::-1], mirrored)]
        # A quarter turn clockwise: what looked up looks right.
        classes = np.rot90(classes, -1)
        openings = np.roll(np.rot90(openings, -1), 1, axis=-1)
    return min(keys)


def _key(classes: np.ndarray, openings: np.ndarray) -> Key:
    height, width = classes.shape
    found = np.argwhere(openings)
    places = tuple((int(row * width + column), int(side)) for row, column, side in found)
    return height, width, classes.tobytes(), places
