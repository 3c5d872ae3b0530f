"""Plumber maps and pipe mazes on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_tools import Plumbench, kept_children, plumbench
from plumbench.puzzles.formats import loads
from plumbench.puzzles.path import PlumberPath
from plumbench.solvers import run

pytestmark = pytest.mark.usefixtures("kept_children")
_ = plumbench, kept_children

TWO = "3 4/1 1 1 1/1 1 1 1/1 1 1 1"
"""A map with two paths of 8 cells."""
MAZE = ".../.S7/.LJ"


def test_solution_of_json(plumbench: Plumbench) -> None:
    """``solve --json`` gives cells with the article's orientations, which ``check`` accepts."""
    found = plumbench("solve", TWO, "--json")
    [record] = found.records
    assert (record["family"], record["rules"], record["verified"]) == ("path", "path", True)
    assert record["solution"][0] == [0, 0, 3]
    assert plumbench("check", TWO, "--solution", json.dumps(record["solution"])).code == 0
    wrong = plumbench("check", TWO, "--solution", json.dumps(record["solution"][:-1]))
    assert wrong.code == 1
    assert "the outlet leaks: row 3, column 4 does not open towards it" in wrong.out
    bad = plumbench("check", TWO, "--solution", "[[0, 0, 9]]")
    assert bad.code == 2
    assert "orientation 9" in bad.err


def test_two_paths(plumbench: Plumbench) -> None:
    """``solutions`` and ``unique`` show both; the cells counted are those of the map."""
    both = plumbench("solutions", TWO, "--json")
    assert sorted(map(len, both.records[0]["solutions"])) == [8, 8]
    judged = plumbench("unique", TWO)
    assert judged.code == 5
    assert "forced, the same in all solutions: 6 of 12 cells" in judged.out
    [record] = plumbench("unique", TWO, "--json").records
    assert record["forced"][-2:] == ["the inlet", "the outlet"]
    assert all(isinstance(cell, list) for cell in record["differing"])


def test_objective(plumbench: Plumbench) -> None:
    """The longest path has its length as cost; another objective is refused."""
    [record] = plumbench(
        "solve", TWO, "--maximise", "length", "--solver", "brute", "--json"
    ).records
    assert (record["status"], record["cost"], record["bound"]) == ("optimal", 8, 8)
    assert plumbench("solve", TWO, "--minimise", "rotations").is_one_error_line()
    assert plumbench("solve", TWO, "--rules", "tree").is_one_error_line()


def test_many_maps(plumbench: Plumbench, tmp_path: Path) -> None:
    """Maps, mazes and boards in one file; a bad map does not stop the rest."""
    file = tmp_path / "maps.txt"
    text = f"1 1\n5\n1 1\n1\n\n1 2\n5 9\n\n{MAZE}\n\n[[5, 5, 5]]\nLL/LL\n"
    file.write_text(text)
    found = plumbench("count", file)
    assert found.code == 2
    assert f"{file}, line 7, column 3: found '9', expected a code from 0 to 7" in found.err
    lines = [line for line in found.out.splitlines() if "under the rule" in line]
    rules = [line.split("under the rule ")[1].split(",")[0] for line in lines]
    assert rules == ["path", "path", "loop", "path", "connected"]
    assert ["no solution" in line for line in lines] == [False, True, False, False, False]


def test_convert(plumbench: Plumbench) -> None:
    """Maps become text, number maps and JSON, and what a format cannot hold is an error."""
    text = plumbench("convert", TWO, "--to", "number-map")
    assert text.out == TWO.replace("/", "\n") + "\n"
    again = plumbench(
        "convert", plumbench("convert", TWO, "--to", "json").out, "--to", "number-map"
    )
    assert again.out == text.out
    other = '{"map": [[1]], "inlet": [0, 0, "up"]}'
    assert plumbench("convert", other, "--to", "number-map").is_one_error_line()
    assert plumbench("convert", MAZE, "--to", "text").is_one_error_line()
    assert json.loads(plumbench("convert", MAZE, "--to", "json").out)["maze"] == MAZE.split("/")
    assert plumbench("convert", TWO, "--to", "net-id").is_one_error_line()


def test_generate(plumbench: Plumbench) -> None:
    """Unique maps are unique by two engines, none twice; the same seed gives the same maps."""
    asked = ("generate", "path", "--size", "5x4", "-n", "12", "--unique", "--seed", "5")
    made = plumbench(*asked)
    maps = loads(made.out)
    assert len(maps) == 12
    for given in maps:
        assert isinstance(given, PlumberPath)
        assert (given.width, given.height) == (5, 4)
        assert [run.count(given.puzzle, name).value for name in ("propagation", "sat")] == [1, 1]
    assert len({given.canonical() for given in maps}) == 12
    assert plumbench(*asked).out == made.out
    few = plumbench("generate", "path", "--size", "1x2", "-n", "9", "--tries", "30")
    assert few.code == 3
    assert "of 9 path boards found" in few.err
    assert plumbench("generate", "path", "--size", "3x3", "--wrap").is_one_error_line()
