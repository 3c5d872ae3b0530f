"""Euler trails: verdicts against networkx, the article's trails, what the verifier refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbench.puzzles.edge_list import parse_edges, read_edges
from plumbench.puzzles.errors import InputError, InvalidPuzzle
from plumbench.puzzles.euler import Kind, euler, joined, trail, verify_trail
from plumbench.puzzles.model import ports_from_masks
from strategies import letters

X01 = [(1, 2), (2, 1), (2, 3), (3, 4), (4, 3)]
X04 = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (0, 3), (4, 8), (3, 4)]
Edges = list[tuple[int, int]]


@st.composite
def graphs(draw: st.DrawFn) -> Edges:
    """Small multigraphs with loops and parallel edges; half of them are walks, so have a trail."""
    vertex = st.integers(0, draw(st.integers(0, 6)))
    if draw(st.booleans()):
        return draw(st.lists(st.tuples(vertex, vertex), max_size=12))
    walk = draw(st.lists(vertex, min_size=1, max_size=14))
    return draw(st.permutations(list(pairwise(walk))))


def oracle(edges: Edges, directed: bool, start: int | None = None) -> Kind:
    """What networkx says of a graph with edges."""
    graph: Any = nx.MultiDiGraph(edges) if directed else nx.MultiGraph(edges)
    if nx.is_eulerian(graph):
        return Kind.CIRCUIT
    return Kind.PATH if nx.has_eulerian_path(graph, start) else Kind.NEITHER


@given(edges=graphs(), directed=st.booleans())
def test_verdicts_are_those_of_networkx(edges: Edges, directed: bool) -> None:
    """Circuit, path or neither as networkx says; a trail is verified, none has a reason."""
    found = euler(edges, 8, directed=directed)
    if edges:
        assert found.kind is oracle(edges, directed)
        graph = nx.MultiGraph(edges)
        assert found.parts == nx.number_connected_components(graph)
        degrees: Any = graph.degree()
        if not directed:
            assert list(found.odd) == sorted(v for v, degree in degrees if degree % 2)
    assert found.found == (found.kind is not Kind.NEITHER)
    assert found.found == (not found.reasons())
    if found.found:
        assert verify_trail(edges, found.vertices, found.edges, directed=directed) == ()
        assert (found.vertices[0] == found.vertices[-1]) == (found.kind is Kind.CIRCUIT)


@given(edges=graphs(), directed=st.booleans(), start=st.integers(0, 7))
def test_a_given_start_is_kept_or_refused(edges: Edges, directed: bool, start: int) -> None:
    """A trail from a given vertex exists exactly if that of networkx does, and starts there."""
    found = euler(edges, 8, directed=directed, start=start)
    anywhere = euler(edges, 8, directed=directed)
    assert found.kind is anywhere.kind
    if edges:
        ends = [u for u, _ in edges] if directed else [v for edge in edges for v in edge]
        # An added edge that must come first forces the start.
        forced = [*edges, (8, start)]
        graph: Any = nx.MultiDiGraph(forced) if directed else nx.MultiGraph(forced)
        assert found.found == (start in ends and nx.has_eulerian_path(graph, 8))
    if found.found:
        assert found.vertices[0] == start
        assert verify_trail(edges, found.vertices, found.edges, directed=directed) == ()
    else:
        assert found.reasons()
        assert found.vertices == found.edges == ()


def test_x01_a_start_without_a_trail() -> None:
    """Case X01: from nothing given or 2 the one trail; from 4 none, instead of a made-up edge."""
    for start in (None, 2):
        found = euler(X01, directed=True, start=start)
        assert (found.kind, found.vertices) == (Kind.PATH, (2, 1, 2, 3, 4, 3))
    for start in (1, 3, 4):
        found = euler(X01, directed=True, start=start)
        assert not found.found
        assert found.reasons() == ("every trail starts at 2",)
    assert verify_trail(X01, [4, 3, 4, 2, 1, 2], [4, 3, 2, 1, 0], directed=True)


def test_x04_a_doubled_edge_is_walked_twice() -> None:
    """Case X04: 11 edges, two between 3 and 4, are a circuit of 11; the same one twice is not."""
    found = euler(X04)
    assert (found.kind, len(found.edges)) == (Kind.CIRCUIT, 11)
    assert sorted(found.edges) == list(range(11))
    once = [3 if edge == 10 else edge for edge in found.edges]
    assert verify_trail(X04, found.vertices, once) == (
        "edge 3 is used 2 times",
        "edge 10 is not used",
    )


def test_x05_parallel_edges_keep_their_identity() -> None:
    """Case X05: a trail over parallel edges and loops is a permutation of their numbers."""
    edges = [(0, 1), (0, 1), (1, 0), (0, 1), (1, 1), (1, 1), (0, 0)]
    for directed in (False, True):
        found = euler(edges if not directed else [(0, 1), (0, 1), (1, 0), (1, 1), (1, 1)],
                      directed=directed)  # fmt: skip
        assert sorted(found.edges) == list(range(len(found.ends)))


def golden(shared: Callable[..., Path]) -> Iterator[tuple[list[str], list[int], dict[str, Any]]]:
    """Rows, masks without leaks and the article's trail of each golden board."""
    boards = json.loads(shared("golden", "000_boards.json").read_text())
    listed = [b for name, some in boards.items() if name != "note" for b in some]
    listed += json.loads(shared("golden", "000_gen30_5x5.json").read_text())["boards"]
    listed.append(json.loads(shared("golden", "000_two_tee.json").read_text())["board"])
    for board in listed:
        for masks, facts in zip(board.get("masks_leakfree", ()), board["euler"], strict=False):
            yield board["rows"], masks, facts


def test_the_articles_trails(shared: Callable[..., Path]) -> None:
    """On every golden board the article's trail, vertex by vertex, where it is one; else none."""
    trails = 0
    for rows, masks, facts in golden(shared):
        puzzle = letters(*rows).puzzle
        found = trail(puzzle, ports_from_masks(puzzle, masks), facts["start"])
        assert (len(found.ends), len(found.odd)) == (facts["edges"], facts["odd"])
        assert found.found == facts["valid_trail"]
        if found.found:
            trails += 1
            assert list(found.vertices) == facts["trail"]
            assert len(found.vertices) == facts["trail_len"]
            assert verify_trail(found.ends, found.vertices, found.edges) == ()
        elif facts["len_is_E_plus_1"]:
            # The article's stack returns the right number of vertices, with jumps between them.
            assert verify_trail(found.ends, facts["trail"], range(facts["edges"]))
    assert trails == 108


def test_joined_edges_name_the_puzzles_edges() -> None:
    """The numbers lead back to the puzzle's own edges, on a torus with parallel edges, too."""
    board = letters("XX", "XX", wrap=True)
    solution = ports_from_masks(board.puzzle, [15] * 4)
    numbers = joined(board.puzzle, solution)
    assert sorted(numbers.tolist()) == list(range(8))
    found = trail(board.puzzle, solution)
    assert found.kind is Kind.CIRCUIT
    ends = board.puzzle.edge_vertices[numbers]
    assert verify_trail(ends, found.vertices, found.edges) == ()


@pytest.mark.parametrize(
    ("vertices", "edges", "fault"),
    [
        ([0, 1, 2], [0, 1, 2], "3 vertices and 3 edges"),
        ([0, 1, 2], [0, 1], "edge 2 is not used"),
        ([0, 1, 2, 1], [0, 1, 1], "edge 1 is used 2 times"),
        ([0, 1, 2, 0], [0, 1, 3], "edge 3 does not exist"),
        ([0, 1, 2, 0], [0, 1, -1], "edge -1 does not exist"),
        ([0, 1, 2, 0], [0, 2, 1], "step 2: edge 2 "),
        ([0, 1, 2, 1], [0, 1, 2], "step 3: edge 2 "),
        ([5, 1, 2, 0], [0, 1, 2], "step 1: edge 0 "),
        ([], [], "0 vertices"),
    ],
)
@pytest.mark.parametrize("directed", [False, True])
def test_wrong_trails_are_refused(
    vertices: list[int], edges: list[int], fault: str, directed: bool
) -> None:
    """Each kind of wrong trail over a triangle is named."""
    triangle = [(0, 1), (1, 2), (2, 0)]
    assert verify_trail(triangle, [0, 1, 2, 0], [0, 1, 2], directed=directed) == ()
    faults = verify_trail(triangle, vertices, edges, directed=directed)
    assert any(fault in text for text in faults), faults


def test_direction_matters() -> None:
    """A trail against the edges' direction is right only where they have none."""
    triangle = [(0, 1), (1, 2), (2, 0)]
    assert verify_trail(triangle, [0, 2, 1, 0], [2, 1, 0]) == ()
    faults = verify_trail(triangle, [0, 2, 1, 0], [2, 1, 0], directed=True)
    assert faults[0] == "step 1: edge 2 leads from 2 to 0, not 0 and 2"


def test_degenerate_graphs() -> None:
    """No vertices, no edges, one loop, two loops, two edges head to head."""
    assert (euler([]).found, euler([]).vertices) == (True, ())
    assert euler([], 3, start=2).vertices == (2,)
    for directed in (False, True):
        loop = euler([(1, 1)], directed=directed)
        assert (loop.kind, loop.vertices, loop.edges) == (Kind.CIRCUIT, (1, 1), (0,))
        assert euler([(1, 1)], 3, directed=directed, start=0).reasons() == (
            "no trail starts at 0: no edge is there",
        )
        two = euler([(0, 0), (0, 0)], directed=directed)
        assert (two.kind, two.vertices, two.edges) == (Kind.CIRCUIT, (0, 0, 0), (0, 1))
        apart = euler([(0, 0), (1, 1)], directed=directed)
        assert (apart.kind, apart.parts) == (Kind.NEITHER, 2)
        assert apart.reasons() == ("the edges form 2 separate parts",)
    assert euler([(0, 1), (2, 1)], directed=True).kind is Kind.NEITHER
    assert euler([(0, 1), (0, 1)], directed=True).excess == (2, -2)
    star = euler([(0, 1), (0, 2), (0, 3), (4, 5)])
    assert star.reasons() == (
        "the edges form 2 separate parts",
        "6 vertices are odd, at most 2 may be",
    )


def test_long_trails_do_not_recurse() -> None:
    """A path of 100,000 edges, walked back and forth, is one trail."""
    number = 100_000
    path = [(i, i + 1) for i in range(number)]
    found = euler(path + path)
    assert (found.kind, len(found.edges)) == (Kind.CIRCUIT, 2 * number)
    assert verify_trail(path + path, found.vertices, found.edges) == ()


@pytest.mark.parametrize(
    "edges", [[(0, -1)], [(0, 1, 2)], [0, 1], [(0.5, 1)], "ab", [(0,), (1, 2)]]
)
def test_what_is_no_graph_is_refused(edges: Any) -> None:
    """Edges that are not two whole numbers from 0 each."""
    with pytest.raises(InvalidPuzzle):
        euler(edges)


def test_vertices_out_of_range() -> None:
    """An end or a start beyond the vertices."""
    with pytest.raises(InvalidPuzzle, match="below 2"):
        euler([(0, 2)], 2)
    with pytest.raises(InvalidPuzzle, match="start 5"):
        euler([(0, 1)], start=5)


def test_edge_lists(tmp_path: Path) -> None:
    """Names in the order of mention, comments and blank lines skipped, places of errors."""
    graph = parse_edges("# a figure\nb a\n\na c/d  # parallel\r\nb a\n")
    assert graph.names == ("b", "a", "c/d")
    assert graph.ends.tolist() == [[0, 1], [1, 2], [0, 1]]
    assert read_edges("x y/y x").ends.tolist() == [[0, 1], [1, 0]]
    assert parse_edges("").ends.shape == (0, 2)
    file = tmp_path / "edges.txt"
    file.write_text("a b\na\n")
    with pytest.raises(InputError, match=r"edges.txt, line 2, column 1: found 'a', expected two"):
        read_edges(str(file))
    with pytest.raises(InputError, match="there is no file"):
        read_edges("edges.text")
