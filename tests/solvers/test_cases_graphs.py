"""Public cases about graphs: multigraphs keep their parallel edges, symmetric boards their counts.

The letters and numbers in the tests' docstrings name the cases.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
from engines import EVERY_RULE, GENERAL
from plumbench.puzzles.board import Board
from plumbench.puzzles.formats import loads
from plumbench.puzzles.model import Counts, Puzzle, Rules
from plumbench.puzzles.topology import Square
from plumbench.puzzles.worked import graph_puzzle
from plumbench.solvers.contract import Status
from plumbench.solvers.run import count, solve
from strategies import any_piece, net

TREE = Rules(connect="used", acyclic=True)


def spanning_trees(vertices: int, edges: list[list[int]]) -> Puzzle:
    """Every vertex is used, nothing closes a cycle."""
    numbers = [Counts(frozenset(range(1, 2 * len(edges) + 1)))] * vertices
    return graph_puzzle(vertices, edges, numbers, TREE)


@pytest.mark.parametrize("name", [*GENERAL, "brute"])
def test_spanning_trees_of_multigraphs(name: str, shared) -> None:
    """X06: a triangle has 3 spanning trees; doubled edges are different trees, loops none."""
    case = json.loads(shared("cases", "inputs", "X06.json").read_text())
    assert count(spanning_trees(3, case["edges"]), name).value == case["n"] == 3
    assert count(spanning_trees(3, [*case["edges"], [0, 1], [2, 2]]), name).value == 5


@pytest.mark.parametrize("name", [*GENERAL, "brute"])
def test_the_smallest_torus_is_no_simple_graph(name: str, shared) -> None:
    """X08: the 2x2 torus has 8 borders and 32 spanning trees; as a simple graph 4 of each."""
    case = json.loads(shared("cases", "inputs", "X08.json").read_text())
    torus = any_piece(Square(case["w"], case["h"], True), tuple(range(1, 16)), TREE)
    assert torus.edges == case["edges"]
    assert count(torus, name).value == case["trees"]
    multigraph = nx.MultiGraph(torus.edge_vertices.tolist())
    assert round(nx.number_of_spanning_trees(multigraph)) == case["trees"]
    simple = [list(edge) for edge in nx.Graph(multigraph).edges]
    assert len(simple) == case["simple_edges"]
    assert count(spanning_trees(4, simple), name).value == case["simple_trees"]


def symmetric(board: Board) -> Iterator[Board]:
    """The board in its 8 positions."""
    pieces = board.pieces.reshape(board.height, board.width)
    for turned in (np.rot90(pieces, quarter) for quarter in range(4)):
        for cells in (turned, turned[:, ::-1]):
            height, width = cells.shape
            grid = Square(width, height, board.topology.wrap)
            yield Board(grid, cells.ravel(), rules=board.rules)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("propagation", 49),
        pytest.param("propagation", 150, marks=pytest.mark.fuzz),
        pytest.param("sat", 81, marks=pytest.mark.fuzz),
    ],
)
def test_symmetric_boards_have_the_same_counts(name: str, most: int, shared) -> None:
    """X10: turning and mirroring the boards of N17 changes no count under any rule."""
    items = json.loads(shared("cases", "inputs", "N17.json").read_text())["items"]
    boards = [(net(item["game_id"]), item) for item in items]
    small = [(board, item) for board, item in boards if board.cells <= most]
    assert len(small) >= 2
    for board, item in small:
        for rule in ("tree", "connected", "match"):
            counts = {
                count(other.with_rules(rule).puzzle, name).value for other in symmetric(board)
            }
            assert counts == {item[f"n_{rule}"]}, (item["seed_id"], rule)


@pytest.mark.parametrize("name", [*EVERY_RULE, "reference"])
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("../..", ("match", "connected", "tree")),
        ("sources: 1,1\nsinks: 1,1\n. .\n. .", ("reach", "article", "sealed", "strict")),
        ("chain:", ("chain", "closed", "subchain", "subclosed")),
    ],
)
def test_nothing_to_use_is_one_solution(name: str, text: str, rules: tuple[str, ...]) -> None:
    """C04: all blank, or no tile at all, is feasible in every family, also where the engine has
    a node or a flow for what is used.
    """
    for rule in rules:
        (given,) = loads(text, rules=rule)
        assert count(given.puzzle, name).value == 1
        assert solve(given.puzzle, name).status is Status.SATISFIABLE
