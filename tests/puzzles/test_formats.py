"""The loader and its stream; the data beside the project."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from format_tools import board
from plumbench.puzzles.board import Board
from plumbench.puzzles.errors import InputError, UsageError
from plumbench.puzzles.formats import dumps, load, loads, read
from plumbench.puzzles.formats.page import Page
from plumbench.puzzles.formats.table import FORMATS, recognise
from plumbench.puzzles.raw import RawPuzzle
from strategies import golden_puzzles

SAVE = """SAVEFILE:1:x
GAME    :3:Net
PARAMS  :3:1x2
DESC    :2:12
NSTATES :1:1
STATEPOS:1:1
"""


def test_many_puzzles_of_many_formats(tmp_path: Path):
    """One file may hold them all; comments and blank lines separate, names and lines are kept."""
    text = (
        "# a heading\n3x3:1313f3131 # ambiguous\n1x2:11\r\n\r\nLIL\nTIT\nLIL\n\n"
        'name: own\nEE\n\n{"pieces":\n [[4], [1]]}\n{"tiles": [1, 4], "width": 2, "height": 1,'
        ' "grid": "square"}\n[{"pieces": [[0]]}, {"vertices": []}]\n┌ ┐\n└ ┘\n' + SAVE
    ).replace("└ ┘\n", "└ ┘\n\n")
    path = tmp_path / "mixed.txt"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    found = load(path)
    assert [i.name for i in found][:4] == ["ambiguous", "mixed:3", "mixed:5", "own"]
    assert [i.source.line for i in found] == [2, 3, 5, 9, 12, 14, 15, 15, 16, 19]
    assert [i.family for i in found] == ["board"] * 7 + ["puzzle"] + ["board"] * 2
    assert str(found[1].source) == f"{path}:3"


def test_a_bad_puzzle_does_not_stop_the_rest(tmp_path: Path):
    """``read`` gives its error in its place and goes on."""
    path = tmp_path / "some.txt"
    path.write_text(
        '1x2:11\n1x2:1\nqqq\nrrr\n\n{"pieces": [[1,\n{"pieces": [[4], [1]]}\n'
        '[{"pieces": [[16]]}, {"pieces": [[1]]}]\nEE\n'
    )
    found = list(read(str(path)))
    good = [not isinstance(item, InputError) for item in found]
    assert good == [True, False, False, False, True, False, True, True]
    assert [item.line for item in found if isinstance(item, InputError)] == [2, 3, 8, 8]
    with pytest.raises(InputError, match=r"some\.txt, line 2, column 6"):
        load(path)


def test_files_win_over_literals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A file of that name is read; without it the argument is the puzzle."""
    monkeypatch.chdir(tmp_path)
    assert next(read("EE")).source.file == "literal"  # pyright: ignore[reportAttributeAccessIssue]
    Path("EE").write_text("1x2:11")
    (found,) = read("EE")
    assert isinstance(found, Board)
    assert found.height == 2


def test_standard_input(monkeypatch: pytest.MonkeyPatch):
    """``-`` reads it."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1x2:11\n1x3:1a1\n")))
    assert [i.puzzle.vertices for i in read("-") if isinstance(i, Board)] == [2, 3]


@pytest.mark.parametrize("argument", ["no/such/file.txt", "boards.txt", "BOARDS.TXT", "", "CC/CC"])
def test_what_is_neither_file_nor_literal_says_so(argument: str):
    """One error that names both readings."""
    (found,) = read(argument)
    assert isinstance(found, InputError)
    assert "there is no file" in str(found)


def test_unreadable_files(tmp_path: Path):
    """Directories, other encodings, NUL bytes, empty files: an InputError with the place."""
    (error,) = read(str(tmp_path))
    assert isinstance(error, InputError)
    assert error.found == "a directory"
    for data, line, column in (
        (b"1x2:11\n1x2:\xff1", 2, 5),
        (b"1x2:11\n\n1x\x002:11", 3, 3),
        (b"", None, None),
        (b"# nothing\n\n", None, None),
        ("1x2:11".encode("utf-16"), 1, 1),
    ):
        path = tmp_path / "bad.txt"
        path.write_bytes(data)
        with pytest.raises(InputError) as caught:
            load(path)
        assert (caught.value.line, caught.value.column) == (line, column)
        assert caught.value.file == str(path)
    with pytest.raises(InputError, match="no such file"):
        load(tmp_path / "none.txt")


def test_rules_are_the_callers_else_the_files():
    """A Net ID means tree, a bare grid connected, a caller's wish goes before both."""
    assert [i.rules for i in loads("1x2:11\nEE\n\nrules: match\nEE")] == [
        "tree",
        "connected",
        "match",
    ]
    assert {i.rules for i in loads("1x2:11\nEE", rules="match")} == {"match"}
    with pytest.raises(UsageError, match="oak"):
        loads("EE", rules="oak")


def test_every_format_is_recognised_by_its_own_example():
    """The table's examples go to the format that gives them."""
    for form in FORMATS:
        if form.name != "net-save":
            line = Page(form.example, "example").peek()
            assert line is not None
            assert recognise(line) is form
            (_found,) = loads(form.example + ("\nEE" if form.name == "text" else ""))


def test_infinity_loop_digits_are_no_format():
    """Rows of hex digits have other bits elsewhere, so they are not guessed."""
    for text in ("31\n31", "ff\n1f"):
        with pytest.raises(InputError):
            loads(text)


def test_all_instances_load(shared: Callable[..., Path]):
    """All boards of the instances but the largest load; the counts file's bad lines do not."""
    for path in sorted(shared("instances").glob("*/*")):
        if path.name not in ("expected_counts.txt", "siers_level6.txt"):
            assert load(path), path


def test_expected_counts_ids(shared: Callable[..., Path]):
    """Each ID of the counts file parses unless it is listed as a parse error or cut short."""
    for line in shared("instances", "edge", "expected_counts.txt").read_text().splitlines():
        text, _, rest = line.partition(" ")
        if rest.startswith("PARSE-ERROR") or rest.startswith("big"):
            with pytest.raises(InputError):
                loads(text)
        else:
            assert isinstance(board(text), Board)


def test_the_golden_puzzles_are_raw_puzzles(shared: Callable[..., Path]):
    """All 800 load as the model has them, and JSON keeps every one."""
    path = shared("golden", "model_puzzles.jsonl")
    found = load(path)
    assert len(found) == 800
    for item, (puzzle, _) in zip(found, golden_puzzles(path), strict=True):
        assert isinstance(item, RawPuzzle)
        assert item.puzzle.fingerprint == puzzle.fingerprint
        (again,) = loads(dumps(item, "json"))
        assert again.puzzle.fingerprint == puzzle.fingerprint


def test_hexagonal_tiles(shared: Callable[..., Path]):
    """The hexapipes sample: 120 hexagonal boards, five of them wrapped, under tree."""
    found = load(shared("instances", "public", "hexapipes_sample.jsonl"))
    first = json.loads(
        shared("instances", "public", "hexapipes_sample.jsonl").read_text().splitlines()[0]
    )
    assert len(found) == 120
    assert isinstance(found[0], Board)
    assert found[0].pieces.tolist() == first["tiles"]
    assert sum(isinstance(b, Board) and b.topology.wrap for b in found) == 5
    assert {b.rules for b in found} == {"tree"}
