"""Components of a graph given by its edges' ends. The checker has its own way to find them."""

from __future__ import annotations

import numpy as np

from .model import IntArray

SMALL = 200
"""Up to so many vertices and edges a plain union-find beats setting up a sparse matrix."""


def label_components(vertices: int, ends: IntArray) -> IntArray:
    """The component of each vertex, numbered from 0 by their first vertices; shape (vertices,).

    ``ends``: the edges, loops and parallel ones among them, shape (edges, 2).
    """
    if max(vertices, len(ends)) > SMALL:
        # Loaded here: it takes longer to import than most small puzzles take to solve.
        import scipy.sparse as sparse
        from scipy.sparse.csgraph import connected_components

        ones = np.ones(len(ends), dtype=np.int8)
        graph = sparse.coo_array((ones, (ends[:, 0], ends[:, 1])), shape=(vertices, vertices))
        return connected_components(graph, directed=False)[1].astype(np.int64)
    # No vertex comes before its parent, so that a root is the first of its component.
    parent = list(range(vertices))
    for u, v in ends.tolist():
        while parent[u] != u:
            parent[u] = u = parent[parent[u]]
        while parent[v] != v:
            parent[v] = v = parent[parent[v]]
        if u < v:
            parent[v] = u
        else:
            parent[u] = v
    label, number = [0] * vertices, 0
    for vertex, up in enumerate(parent):
        if up == vertex:
            label[vertex], number = number, number + 1
        else:
            label[vertex] = label[up]
    return np.array(label, dtype=np.int64)
