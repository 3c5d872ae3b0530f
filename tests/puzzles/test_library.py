"""The library that ships with the package: made by its recipe, and as hard as it says."""

from __future__ import annotations

from pathlib import Path

import plumbench.puzzles.library
import pytest
from plumbench.puzzles.board import Board
from plumbench.puzzles.formats import load
from plumbench.puzzles.generators import canonical
from plumbench.puzzles.library.recipe import FAMILIES, make_library, write_library
from plumbench.solvers.run import count
from sweep import match_count

FOLDER = Path(plumbench.puzzles.library.__file__).parent


def boards(file: str) -> list[Board]:
    """The boards of one file."""
    found = []
    for instance in load(FOLDER / file):
        assert isinstance(instance, Board)
        found.append(instance)
    return found


def test_made_by_the_recipe(tmp_path: Path) -> None:
    """The shipped files are what the recipe writes, byte for byte, and there are no others."""
    write_library(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    shipped = {path.name: path.read_bytes() for path in FOLDER.glob("*.txt")}
    assert made == shipped
    assert {name: text.encode() for name, text in make_library().items()} == shipped


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.file)
def test_reads_back(family) -> None:
    """Loading a file gives the very puzzles, names and orientations that were written."""
    read = boards(family.file)
    for board, again in zip(family.boards(), read, strict=True):
        assert again.puzzle.fingerprint == board.puzzle.fingerprint
        assert (again.name, again.rules) == (board.name, board.rules)
        assert again.oriented == board.oriented
        if board.oriented:
            assert again.pieces.tolist() == board.pieces.tolist()


def test_suite_size() -> None:
    """25 to 35 different boards from 5x5 to 40x40, with torus and walls, each with a name
    of its own.
    """
    all_boards = [board for family in FAMILIES for board in boards(family.file)]
    assert 25 <= len(all_boards) <= 35
    assert len({canonical(board) for board in all_boards}) == len(all_boards)
    assert len({board.name for board in all_boards}) == len(all_boards)
    assert max(board.cells for board in all_boards) == 1600
    assert any(board.topology.wrap for board in all_boards)
    assert any(board.walls.any() for board in all_boards)


def test_unsolvable_boards() -> None:
    """The boards said to be unsolvable have no match solution, by a sweep of its own."""
    mutilated = [board for board in boards("hard.txt") if board.name.startswith("mut")]
    assert len(mutilated) == 3
    for board in boards("unsolvable.txt") + mutilated:
        assert match_count(board) == 0, board.name


def test_one_match_solution() -> None:
    """Cycle and face unions have exactly one match solution (the small ones are swept)."""
    small = [board for board in boards("cycles.txt") if board.width <= 10]
    assert small
    assert [match_count(board) for board in small] == [1] * len(small)


def test_hand_made_boards() -> None:
    """Two tees: one solution; two rings: match only; the 3x3 tree board has two (case N09)."""
    by_name = {board.name: board for board in boards("article.txt")}
    assert match_count(by_name["two-tees"]) == match_count(by_name["two-rings"]) == 1
    counts = {name: count(board.puzzle, "brute").value for name, board in by_name.items()}
    assert counts["two-tees"] == 1
    assert counts["two-rings"] == 0
    assert counts["two-solutions"] == 2
