"""Components are found alike in small graphs and in large ones."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles import graph
from plumbench.puzzles.graph import label_components

place = st.integers(0, 11)


@settings(max_examples=200)
@given(edges=st.lists(st.tuples(place, place), max_size=16))
def test_components_are_numbered_by_their_first_vertices(edges: list[tuple[int, int]]) -> None:
    """The union-find of small graphs and the library call of large ones give the same numbers,
    those of another library's components.
    """
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    plain = nx.Graph(edges)
    plain.add_nodes_from(range(12))
    expected = np.zeros(12, dtype=np.int64)
    for number, part in enumerate(sorted(nx.connected_components(plain), key=min)):
        expected[list(part)] = number
    assert label_components(12, ends).tolist() == expected.tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph, "SMALL", 0)
        assert label_components(12, ends).tolist() == expected.tolist()


def test_graphs_without_edges_or_vertices() -> None:
    """Every vertex is alone, if there is any."""
    none = np.zeros((0, 2), dtype=np.int64)
    assert label_components(3, none).tolist() == [0, 1, 2]
    assert label_components(0, none).tolist() == []
