"""Commands about turning and locking: ``check --locks`` and ``solve --minimise rotations``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_tools import kept_children, plumbench

pytestmark = pytest.mark.usefixtures("kept_children")
_ = plumbench, kept_children

RIGHT = "rules: match\n┏! ┏\n└ ┘"
WRONG = "rules: match\n┌ ┐!\n└ └!"
TORUS = """\
rules: match
torus: yes
┗! ┗! ┓! ┗!
┏! ┏! ┛! ┏!"""
NO_WAY = "rules: match\n┌! └ ┌"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Four boards with locks: right, wrong with one solution, contradictory, unsolvable."""
    path = tmp_path / "locked.txt"
    path.write_text("\n\n".join([RIGHT, WRONG, TORUS, NO_WAY]) + "\n")
    return path


def test_verdicts_in_words(plumbench, tmp_path: Path) -> None:
    """The only solution beside the marked locks, and what to turn."""
    (tmp_path / "a.txt").write_text(WRONG)
    result = plumbench("check", tmp_path / "a.txt", "--locks")
    assert result.code == 1
    assert result.out.splitlines() == [
        "wrong under the rule match, by propagation: "
        "the only solution differs in 1 of the 2 cells locked",
        "locks, marked   the solution",
        " ┌───┓          ┌─┓",
        " └─╴[┗]         └─┛",
        "turning these is enough: row 2, column 2 from up-right to up-left",
    ]


@pytest.mark.parametrize("solver", ["propagation", "sat"])
def test_verdicts_in_json(plumbench, file: Path, solver: str) -> None:
    """Consistent, wrong with the difference, wrong with a least core, unsolvable; exit code 1."""
    result = plumbench("check", file, "--locks", "--json", "--solver", solver)
    assert result.code == 1
    right, wrong, torus, no_way = result.records
    assert (right["verdict"], right["status"], right["verified"]) == (
        "consistent", "satisfiable", True,
    )  # fmt: skip
    assert right["solution"] == [[6, 12], [3, 9]]
    assert (wrong["verdict"], wrong["unique"], wrong["wrong"]) == ("wrong", True, [[1, 1]])
    assert (wrong["solution"], wrong["nearest"]) == (None, [[6, 12], [3, 9]])
    assert (torus["verdict"], torus["unique"], torus["wrong"]) == ("wrong", False, None)
    assert torus["core_minimal"]
    assert len(torus["core"]) == 2
    assert (no_way["verdict"], no_way["status"]) == ("unsolvable", "unsatisfiable")


def test_exit_codes(plumbench, tmp_path: Path) -> None:
    """0 if all locks can stay, 3 if a limit came first, 2 for what is no question."""
    (tmp_path / "a.txt").write_text(RIGHT)
    assert plumbench("check", tmp_path / "a.txt", "--locks").code == 0
    stopped = plumbench("check", tmp_path / "a.txt", "--locks", "--time-limit", "0.0000001s")
    assert (stopped.code, stopped.out) == (
        3, "unknown under the rule match, by propagation: stopped by the limit of time\n",
    )  # fmt: skip
    for arguments, said in (
        (["LIL", "--locks"], "at least one locked cell"),
        (["LIL"], "either --solution or --locks"),
        (["LIL", "--locks", "--solution", "LIL"], "either --solution or --locks"),
        (["LIL", "--solution", "LIL", "--solver", "sat"], "--solver belongs to --locks"),
        (["LIL", "--locks", "--jobs", "2"], "--jobs does not belong to check"),
        (["LIL", "--locks", "--solver", "nobody"], "nobody"),
    ):
        result = plumbench("check", *arguments)
        assert result.code == 2
        assert result.is_one_error_line()
        assert said in result.err


def test_fewest_rotations(plumbench) -> None:
    """The cost is the number of turns, in the way that --turns says, and listed per cell."""
    least = {}
    for turns in ("clockwise", "anticlockwise", "both"):
        result = plumbench(
            "solve", "2x1:12", "--minimise", "rotations", "--turns", turns, "--solver", "brute",
            "--json",
        )  # fmt: skip
        (record,) = result.records
        assert (result.code, record["status"]) == (0, "optimal")
        assert record["cost"] == sum(abs(turn) for row in record["turns"] for turn in row)
        least[turns] = (record["cost"], record["turns"])
    assert least == {"clockwise": (3, [[0, 3]]), "anticlockwise": (1, [[0, -1]]),
                     "both": (1, [[0, -1]])}  # fmt: skip


def test_turns_of_the_file_count(plumbench) -> None:
    """Without --turns a board says itself how its pieces turn."""
    board = {"pieces": [[2, 1]], "oriented": True, "turns": [["none", "both"]]}
    arguments = ("solve", json.dumps(board), "--minimise", "rotations", "--solver", "brute")
    (record,) = plumbench(*arguments, "--json").records
    assert (record["cost"], record["turns"]) == (1, [[0, -1]])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["LIL", "--minimise", "rotations"], "does not say how its pieces lie"),
        (["2x1:12", "--minimise", "length"], "a board offers rotations"),
        (["2x1:12", "--turns", "both"], "--turns needs --minimise rotations"),
        (["2x1:12", "--turns", "left", "--minimise", "rotations"], "left"),
        (['{"vertices": []}', "--turns", "both", "--minimise", "cost"], "no pieces to turn"),
    ],
)
def test_what_cannot_be_turned(plumbench, arguments: list[str], said: str) -> None:
    """One line and exit code 2."""
    result = plumbench("solve", *arguments)
    assert result.code == 2
    assert result.is_one_error_line()
    assert said in result.err
