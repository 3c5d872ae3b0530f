"""``euler``: boards, answers, edge lists, exit codes, JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import Plumbench, kept_children, plumbench
from plumbench import cli_euler

pytestmark = pytest.mark.usefixtures("kept_children")
_ = plumbench, kept_children

TEES = "LIL/TIT/LIL"
ARCS = "1 2/2 1/2 3/3 4/4 3"
FLOW = "sources: 1,1\nsinks: 2,2\nrules: strict\nL L\nL L"
LOOP = '{"vertices": [{"ports": 2, "domain": {"table": [3]}}], "edges": [[0, 0, 0, 1]]}'


def test_a_board(plumbench: Plumbench) -> None:
    """The article's board with two tees: its trail of eleven cells, rows and columns from 1."""
    result = plumbench("euler", TEES)
    assert result.code == 0
    assert result.out.splitlines() == [
        "path under the rule connected, by propagation: 10 edges, each used once, verified",
        "odd vertices: (2,1) (2,3)",
        "vertices: (2,1) (1,1) (1,2) (1,3) (2,3) (2,2) (2,1) (3,1) (3,2) (3,3) (2,3)",
        "edges: 2 1 3 4 7 5 6 9 10 8",
    ]
    assert plumbench("euler", TEES, "--solver", "sat").out.count("by sat") == 1
    assert (
        plumbench("euler", TEES, "--start", "(2,3)")
        .out.splitlines()[2]
        .startswith("vertices: (2,3) ")
    )


def test_a_given_solution(plumbench: Plumbench) -> None:
    """The answer's own joints are walked; a wrong answer is bad input, not "no trail"."""
    result = plumbench("euler", "LL/LL", "--solution", "[[6, 12], [3, 9]]")
    assert result.code == 0
    assert result.out.startswith("circuit under the rule connected: 4 edges")
    wrong = plumbench("euler", "LL/LL", "--solution", "[[6, 12], [3, 3]]")
    assert wrong.code == 2
    assert wrong.is_one_error_line()
    assert "the solution is wrong: row 2" in wrong.err


@pytest.mark.parametrize(
    ("puzzle", "start", "first"),
    [
        (FLOW, "2,2", "(2,2)"),
        ("F7/SJ", "1,2", "(1,2)"),
        (LOOP, "0", "0"),
    ],
)
def test_starts_of_every_family(plumbench: Plumbench, puzzle: str, start: str, first: str) -> None:
    """Boards with water and mazes start at a cell, too, a bare puzzle at the number of a vertex."""
    result = plumbench("euler", puzzle, "--start", start)
    assert result.code == 0
    assert f"vertices: {first} " in result.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("LLLL/LLLL", "--rules", "match"), "neither circuit nor path under the rule match"),
        (("LLLL/LLLL", "--rules", "match"), "8 edges; the edges form 2 separate parts"),
        ((TEES, "--start", "1,1"), "10 edges; every trail starts at (2,1) or (2,3)"),
        (("LL./LL.", "--start", "1,3"), "no trail starts at (1,3): no edge is there"),
        (("LLL/LLL/LLL",), "unsatisfiable under the rule connected"),
        (("--edges", "a b/a c/a d"), "3 edges; 4 vertices are odd, at most 2 may be"),
        (("--directed", ARCS, "--start", "4"), "path, but none from 4: 5 edges; every trail"),
        (("--directed", "a b/c b"), "3 vertices have not as many edges out as in"),
    ],
)
def test_no_trail(plumbench: Plumbench, arguments: tuple[str, ...], words: str) -> None:
    """Where no trail exists the exit code is 1 and the reason is given."""
    result = plumbench("euler", *arguments)
    assert (result.code, result.err) == (1, "")
    assert words in result.out


def test_edge_lists(plumbench: Plumbench, tmp_path: Path) -> None:
    """Files and literals; names are words; loops and parallel edges; no edges at all."""
    file = tmp_path / "figure.txt"
    file.write_text("# two ways and a loop\nhome shop\nshop home\nhome home\n")
    result = plumbench("euler", "--edges", file)
    assert result.code == 0
    assert result.out.splitlines()[2:] == ["vertices: home shop home home", "edges: 1 2 3"]
    arcs = plumbench("euler", "--directed", ARCS)
    assert arcs.out.splitlines()[1:] == [
        "unbalanced vertices: 2 (1 more out), 3 (1 more in)",
        "vertices: 2 1 2 3 4 3",
        "edges: 2 1 3 4 5",
    ]
    file.write_text("")
    assert plumbench("euler", "--edges", file).out.startswith("circuit: 0 edges")
    assert plumbench("euler", "...", "--rules", "match").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        (TEES, "--start", "4,1"),
        (TEES, "--start", "0,1"),
        (TEES, "--start", "a"),
        (FLOW, "--start", "2,3"),
        ("1 2/5 5", "--start", "2,1"),
        (LOOP, "--start", "1"),
        ("--edges", "a b", "--start", "c"),
        ("--edges", "a b c"),
        ("--edges", "nothing.txt"),
        ("--edges", "a b", "--solution", "[[1]]"),
        ("--edges", "a b", "--rules", "tree"),
        ("--directed", "a b", "--solver", "sat"),
        ("--edges", "a b", "--time-limit", "3s"),
        ("a b/b c",),
        (TEES, "--solver", "nobody"),
    ],
)
def test_bad_input(plumbench: Plumbench, arguments: tuple[str, ...]) -> None:
    """Bad starts, lists and options: exit 2 and one line."""
    result = plumbench("euler", *arguments)
    assert result.code == 2
    assert result.is_one_error_line()


def test_many(plumbench: Plumbench) -> None:
    """Several graphs are labelled; the worst code counts; a bad one does not stop the rest."""
    result = plumbench("euler", "--edges", "a b", "a", "a a/b b")
    assert result.code == 2
    assert [line for line in result.out.splitlines() if ": " in line and "/" in line] == [
        "a a/b b: neither circuit nor path: 2 edges; the edges form 2 separate parts"
    ]
    assert result.err.count("\n") == 1
    assert plumbench("euler", TEES, "LLL/LLL/LLL").code == 1


def test_json(plumbench: Plumbench) -> None:
    """Everything counts from 0; the trail's edge numbers are places in ``edges``."""
    for arguments in ((TEES,), ("--edges", "a b/b c/c a/a a"), ("--directed", ARCS)):
        (record,) = plumbench("euler", *arguments, "--json").records
        assert record["verified"] is True
        trail, edges = record["trail"], record["edges"]
        assert sorted(record["trail_edges"]) == list(range(len(edges)))
        for here, there, edge in zip(trail, trail[1:], record["trail_edges"], strict=False):
            assert edges[edge] in ([here, there], [there, here])
    (record,) = plumbench("euler", "--edges", "a b/c d", "--json").records
    assert (record["euler"], record["trail"], record["parts"]) == ("neither", None, 2)
    assert record["odd"] == ["a", "b", "c", "d"]
    (record,) = plumbench("euler", "LLLL/LLLL", "--rules", "match", "--json").records
    assert (record["status"], record["euler"]) == ("satisfiable", "neither")


def test_a_wrong_trail_is_never_shown(
    plumbench: Plumbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the verifier refuses a trail the exit code is 4."""
    monkeypatch.setattr(cli_euler, "verify_trail", lambda *_, **__: ("edge 0 is not used",))
    result = plumbench("euler", "--edges", "a b")
    assert result.code == 4
    assert result.is_one_error_line()
