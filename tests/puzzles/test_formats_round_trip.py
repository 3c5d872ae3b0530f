"""What is written is read back as it was; what a format cannot hold is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbench.puzzles.board import Board
from plumbench.puzzles.errors import InputError, UsageError
from plumbench.puzzles.formats import dumps, loads
from plumbench.puzzles.formats.picture import read_masks
from plumbench.puzzles.instance import Instance
from plumbench.puzzles.model import Puzzle
from plumbench.puzzles.raw import RawPuzzle
from strategies import boards, letters, multigraphs, net, small_multigraph, tiny_hexagonal

any_text = st.text(st.characters(exclude_categories=["Cs"]))
names = st.one_of(any_text, st.sampled_from(["a # b", '"']))
all_boards = st.one_of(boards(), boards(hexagonal=True))


def again(instance: Instance, to: str) -> Instance:
    """The instance written and read."""
    (found,) = loads(dumps(instance, to))
    return found


def assert_same(found: Instance, board: Board, *, exact: bool = True) -> None:
    """The same board; ``exact`` asks for the same masks, not only the same pieces."""
    assert isinstance(found, Board)
    assert found.topology == board.topology
    assert found.rules == board.rules
    assert found.puzzle.edge_ports.tolist() == board.puzzle.edge_ports.tolist()
    assert all(found.puzzle.domain(v) == board.puzzle.domain(v) for v in range(board.cells))
    assert found.locked.tolist() == board.locked.tolist()
    if exact:
        assert found.puzzle.fingerprint == board.puzzle.fingerprint
        assert found.pieces.tolist() == board.pieces.tolist()
        assert found.oriented == board.oriented


@given(all_boards, names, st.booleans())
def test_text_keeps_boards(board: Board, name: str, oriented: bool):
    """Topology, torus, rules, name, walls, locks, orientations and pieces."""
    board = replace(board, name=name, oriented=oriented)
    found = again(board, "text")
    assert_same(found, board, exact=oriented or board.topology.kind == "hexagonal")
    assert isinstance(found, Board)
    assert (found.name, found.oriented) == (name, oriented)
    assert dumps(found, "text") == dumps(board, "text")


@given(all_boards, names, st.booleans())
def test_json_keeps_boards(board: Board, name: str, oriented: bool):
    """Everything, the masks of pieces without orientation too."""
    board = replace(board, name=name, oriented=oriented)
    found = again(board, "json")
    assert_same(found, board)
    assert found.name == name


@given(boards(rules="tree"))
def test_net_ids_keep_unlocked_boards(board: Board):
    """Pieces, walls and torus; read by a second reader, too."""
    board = replace(board, locked=np.zeros(board.cells, dtype=np.bool_))
    assert_same(again(board, "net-id"), board)
    assert_same(net(dumps(board, "net-id")), board)


@given(multigraphs(all_rules=True), names, st.booleans(), st.data())
def test_json_keeps_raw_puzzles(puzzle: Puzzle, name: str, maximise: bool, data: st.DataObject):
    """Domains, loops, parallel edges, stubs, rules and costs."""
    if data.draw(st.booleans()):
        costs = st.integers(-(2**53), 2**53)
        edge_costs = data.draw(st.lists(costs, min_size=puzzle.edges, max_size=puzzle.edges))
        rows = [[(0, data.draw(costs))] for _ in range(puzzle.vertices)]
        puzzle = _with_costs(puzzle, rows, edge_costs, maximise)
    found = again(RawPuzzle(puzzle, name), "json")
    assert found.puzzle.fingerprint == puzzle.fingerprint
    assert found.name == name


def _with_costs(
    puzzle: Puzzle, rows: list[list[tuple[int, int]]], edge_costs: list[int], maximise: bool
) -> Puzzle:
    first, owner = puzzle.first_port.tolist(), puzzle.owner.tolist()
    return Puzzle.build(
        [(d, puzzle.domain(v)) for v, d in enumerate(puzzle.degree.tolist())],
        [
            (owner[a], a - first[owner[a]], owner[b], b - first[owner[b]])
            for a, b in puzzle.edge_ports.tolist()
        ],
        free=[(owner[p], p - first[owner[p]]) for p in np.flatnonzero(puzzle.free).tolist()],
        rules=puzzle.rules,
        mask_costs=rows,
        edge_costs=edge_costs,
        maximise=maximise,
    )


@given(boards())
def test_drawings_are_read_where_the_size_is_known(board: Board):
    """``read_masks`` understands plumbench's own drawing of a board without walls or rim."""
    plain = replace(board, topology=type(board.topology)(board.width, board.height))
    plain = replace(plain, walls=np.zeros(0, dtype=np.bool_), oriented=True)
    rows = plain.pieces.reshape(board.height, board.width).tolist()
    assert read_masks(plain.draw(), board.width, board.height) == rows


@given(boards())
def test_a_drawing_is_never_taken_for_another_board(board: Board):
    """Pasted back without its size, a drawing is refused or read as it was meant."""
    oriented = replace(board, oriented=True, locked=np.zeros(board.cells, dtype=np.bool_))
    try:
        found = loads(oriented.draw())
    except InputError:
        return
    for item in found:
        assert isinstance(item, Board)
        assert item.pieces.tolist() == oriented.pieces.tolist()


def test_what_a_net_id_would_lose_is_named():
    """Locks, other rules than tree, hexagonal cells, other families; unknown turns are fine."""
    board = letters("LIL", "TIT", "LIL", rules="tree")
    assert_same(again(board, "net-id"), board, exact=False)
    with pytest.raises(UsageError, match="1 locked cells"):
        dumps(board.with_locked(0, 6), "net-id")
    with pytest.raises(UsageError, match="rules match"):
        dumps(board.with_rules("match"), "net-id")
    with pytest.raises(UsageError, match="hexagonal cells"):
        dumps(tiny_hexagonal("flower", "tree"), "net-id")
    with pytest.raises(UsageError, match="cannot hold a raw puzzle"):
        dumps(RawPuzzle(small_multigraph()), "net-id")
    with pytest.raises(UsageError, match="cannot hold a raw puzzle"):
        dumps(RawPuzzle(small_multigraph()), "text")
    with pytest.raises(UsageError, match="json, net-id, number-map, text"):
        dumps(board, "dot")


def test_many_written_are_many_read(tmp_path: Path):
    """Texts joined by blank lines, JSON and IDs joined by line ends, are files of many."""
    some = [letters("EE", rules="tree"), letters("L.L", "LIL", rules="tree")]
    for to, between in (("text", "\n\n"), ("json", "\n"), ("net-id", "\n")):
        found = loads(between.join(dumps(b, to) for b in some))
        assert [f.puzzle.fingerprint for f in found] == [b.puzzle.fingerprint for b in some]


def test_raw_puzzles_decode_and_encode():
    """A list of masks both ways; anything else is an InputError."""
    raw = RawPuzzle(small_multigraph())
    solution = raw.encode([3, 5, 3, 1, 0])
    assert raw.decode(solution) == [3, 5, 3, 1, 0]
    tails = ([], [4], [True], [-1], ["0"], [0, 0])
    for bad in (None, "35310", *([3, 5, 3, 1, *tail] for tail in tails)):
        with pytest.raises(InputError):
            raw.encode(bad)
    assert raw.with_rules("given") is raw
    with pytest.raises(UsageError):
        raw.with_rules("tree")


def test_raw_puzzles_are_drawn_by_vertex():
    """``=`` joined, ``>`` open alone, ``-`` shut; the end of each port; a star for marks."""
    raw = RawPuzzle(small_multigraph())
    assert raw.draw(raw.encode([3, 0, 8, 0, 0]), marked=frozenset({2})).split("\n") == [
        " 0: =0 =0 -1 -2",
        " 1: -0 -2 -2",
        "*2: -0 -1 -1 >3",
        " 3: -2 -4 -closed",
        " 4: -3 -free",
    ]
