"""All even subgraphs of a small grid, counted at once.

The even subgraphs of a bordered grid are the sums modulo 2 of its unit faces, one for each of
the 2^((rows - 1)(columns - 1)) sets of faces (the cycle space; Diestel, Graph Theory, 1.9).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

MOST_FACES = 16


@cache
def even_subgraphs(rows: int, columns: int) -> NDArray[np.int8]:
    """The masks of every even subgraph, shape (subgraphs, rows * columns); up 1, right 2, down
    4, left 8. Raises ValueError beyond 16 faces.
    """
    faces = (rows - 1) * (columns - 1)
    if faces > MOST_FACES:
        raise ValueError(f"{faces} faces: expected at most {MOST_FACES}")
    numbers = np.arange(1 << faces)
    taken = np.zeros((len(numbers), rows + 1, columns + 1), dtype=bool)
    for face in range(faces):
        r, c = divmod(face, columns - 1)
        taken[:, r + 1, c + 1] = numbers >> face & 1
    # A border between two faces is in the sum if just one of them is taken.
    across = taken[:, 1:, :] ^ taken[:, :-1, :]  # row r, between columns c - 1 and c
    along = taken[:, :, 1:] ^ taken[:, :, :-1]  # column c, between rows r - 1 and r
    masks = (
        along[:, :-1, :] * 1 + across[:, :, 1:] * 2 + along[:, 1:, :] * 4 + across[:, :, :-1] * 8
    )
    return masks.reshape(len(numbers), rows * columns).astype(np.int8)


def components(masks: NDArray[np.int8], columns: int) -> NDArray[np.int64]:
    """The number of components with an edge of each subgraph, shape (subgraphs,)."""
    cells = masks.shape[1]
    label = np.broadcast_to(np.arange(cells), masks.shape).copy()
    right, down = (masks & 2) > 0, (masks & 4) > 0
    while True:
        before = label.copy()
        for on, step in ((right, 1), (down, columns)):
            here, there = label[:, : cells - step], label[:, step:]
            joined = on[:, : cells - step]
            np.minimum(here, there, out=here, where=joined)
            np.minimum(there, here, out=there, where=joined)
        if (label == before).all():
            break
    roots = (label == np.arange(cells)) & (masks > 0)
    return roots.sum(axis=1)


def cells_used(masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """The number of cells with an edge of each subgraph, shape (subgraphs,)."""
    return (masks > 0).sum(axis=1)
