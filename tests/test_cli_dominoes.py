"""Domino chains on the command line, and what a family answers without an engine."""

from __future__ import annotations

import json
from pathlib import Path

import plumbench as pb
import pytest
from cli_tools import Plumbench, kept_children, plumbench
from click.testing import CliRunner
from plumbench.cli import cli
from plumbench.puzzles.dominoes import Dominoes
from plumbench.puzzles.formats import loads
from plumbench.solvers.contract import Reason

pytestmark = pytest.mark.usefixtures("kept_children")
_ = plumbench, kept_children

FULL = " ".join(f"{a}|{b}" for a in range(7) for b in range(a, 7))


def test_counts_are_of_chains(plumbench: Plumbench) -> None:
    """``count`` says what it counted and how, without a solver: the double-six set."""
    result = plumbench("count", FULL)
    assert result.code == 0
    assert result.out == (
        "exactly 7959229931520 directed chains under the rule chain, counted by eliminating pips\n"
    )
    (record,) = plumbench("count", FULL, "--json").records
    assert (record["count"], record["count_exact"]) == (7959229931520, True)
    assert (record["solver"], record["counted"]) == (None, "directed chains")
    assert record["status"] == "satisfiable"


def test_counts_of_any_length(plumbench: Plumbench) -> None:
    """A number of more digits than Python turns into text by itself is printed in full."""
    tiles = " ".join(["0|0"] * 1600)
    result = plumbench("count", tiles)
    assert result.code == 0
    digits = result.out.removeprefix("exactly ").split()[0]
    assert len(digits) == 4434
    assert "1 if equal tiles are not told apart" in result.out
    assert digits in plumbench("count", tiles, "--json").out


def test_counts_beside_each_other(plumbench: Plumbench, tmp_path: Path) -> None:
    """In a file the chains of sets and the solutions of boards and of chains of some tiles are
    each counted in their way; none is exit code 1; equal tiles have a line of their own.
    """
    file = tmp_path / "sets.txt"
    file.write_text("0|1 0|1\n0|1 2|3\nsubchain: 0|1 1|2\n\nLIL/TIT/LIL\n")
    result = plumbench("count", file, "--solver", "brute")
    assert result.code == 2
    result = plumbench("count", file)
    assert result.code == 1
    lines = [line for line in result.out.splitlines() if not line.startswith("propagation:")]
    assert lines[0].endswith("exactly 4 directed chains under the rule chain, "
                             "counted by eliminating pips")  # fmt: skip
    assert lines[1] == "2 if equal tiles are not told apart"
    assert "no directed chains under the rule chain" in lines[2]
    assert "exactly 4 solutions under the rule subchain, by propagation" in lines[3]
    assert "exactly 1 solution under the rule connected" in lines[4]


def test_sets_of_tiles_by_an_engine(plumbench: Plumbench) -> None:
    """--model counts the model's solutions by the solver; a solver without it is refused."""
    result = plumbench("count", "0|1 1|2", "--model", "--solver", "brute")
    assert result.out.startswith("exactly 1 solution under the rule chain, by brute")
    refused = plumbench("count", "0|1 1|2", "--solver", "brute")
    assert refused.code == 2
    assert refused.is_one_error_line()
    assert "--model counts its solutions" in refused.err


def test_limits_of_counts(plumbench: Plumbench) -> None:
    """--limit gives "at least"; a count that takes too long is unknown, exit code 3."""
    assert plumbench("count", FULL, "--limit", 5).out.startswith("at least 5 directed chains")
    large = " ".join(f"{a}|{b}" for a in range(21) for b in range(a, 21))
    for more in ((), ("--json",)):
        result = plumbench("count", large, "--time-limit", "200ms", *more)
        assert result.code == 3
        if more:
            assert result.records[0]["reason"] == "time"
        else:
            assert result.out == "unknown under the rule chain: stopped by the limit of time\n"


def test_counts_from_python() -> None:
    """``count`` of the library: the family's, or the model's if asked for."""
    full: Dominoes
    (full,) = loads(FULL)  # pyright: ignore[reportAssignmentType]
    assert pb.count(full).value == 7959229931520
    assert pb.count(full).stats["counted"] == "directed chains"
    assert (pb.count(full, limit=2).value, pb.count(full, limit=2).exact) == (2, False)
    assert pb.count(full, model=True).value == 1
    large = Dominoes(tuple((a, b) for a in range(21) for b in range(a, 21)))
    assert pb.count(large, seconds=0.2).reason is Reason.TIME


def test_longest_and_heaviest(plumbench: Plumbench) -> None:
    """Case D09: longest, strongest, and the longest's strongest, as chains from 0."""
    tiles = "from 0: 0/2 2/2 2/3 3/4 3/5 0/1 10/1 9/10"
    for what, shown in (
        ("weight", "length 3, weight 31"),
        ("length,weight", "length 4, weight 19"),
    ):
        result = plumbench("solve", tiles, "--maximise", what, "--solver", "brute")
        assert result.code == 0
        assert result.out.startswith("optimal at cost ")
        assert "under the rule subchain, by brute, verified" in result.out
        assert shown in result.out.splitlines()


def test_somebodys_chain(plumbench: Plumbench, tmp_path: Path) -> None:
    """``check`` judges a chain as laid: by pips, by tiles, or what ``solve --json`` printed; a
    wrong one is exit code 1 with the places (cases D04, D05), no chain at all bad input.
    """
    tiles = "0|1 1|2 2|2"
    solved = tmp_path / "solved.json"
    solved.write_text(plumbench("solve", tiles, "--json", "--solver", "brute").out)
    for right in (
        solved,
        "2|2 2|1 1|0",
        "[[0, 1], [1, 2], [2, 2]]",
        "[[2,false],[1,true],[0,true]]",
    ):
        result = plumbench("check", tiles, "--solution", right)
        assert (result.code, result.out) == (0, "right under the rule chain\n")
    wrong = plumbench("check", tiles, "--solution", "0|1 2|2 2|1")
    assert wrong.code == 1
    assert wrong.out == (
        "wrong under the rule chain\n  places 1 and 2: 0|1 2|2, 1 and 2 are different\n"
    )
    (record,) = plumbench("check", tiles, "--solution", "[[0, 1]]", "--json").records
    assert record["verified"] is False
    assert record["reasons"] == ["tile 1 (1|2) is not laid", "tile 2 (2|2) is not laid"]
    for bad in ("[[0, false], [1, 2]]", "[[7, false]]", "LIL/TIT/LIL", "[1]"):
        result = plumbench("check", tiles, "--solution", bad)
        assert result.code == 2
        assert result.is_one_error_line()


def test_trails_over_tiles(plumbench: Plumbench) -> None:
    """``euler`` of a set needs no solver: doubles count two, the trail is one of tiles."""
    circuit = plumbench("euler", "0|1 1|2 2|0 2|2")
    assert circuit.code == 0
    assert circuit.out.splitlines() == [
        "circuit: 4 edges, each used once, verified",
        "odd vertices: none",
        "vertices: 0 1 2 2 0",
        "edges: 1 2 4 3",
    ]
    neither = plumbench("euler", "0|1 1|2 1|3 2|2", "--json")
    assert neither.code == 1
    (record,) = neither.records
    assert (record["euler"], record["odd"]) == ("neither", ["0", "1", "2", "3"])
    assert (record["family"], record["solver"], record["status"]) == (
        "dominoes", None, "unsatisfiable",
    )  # fmt: skip
    assert plumbench("euler", FULL).out.startswith("circuit: 28 edges")
    assert plumbench("euler", "0|1 1|2", "--start", "1").code == 1
    for arguments in (("--start", "7"), ("--solution", "0|1 1|2")):
        refused = plumbench("euler", "0|1 1|2", *arguments)
        assert refused.code == 2
        assert refused.is_one_error_line()


def test_generated(plumbench: Plumbench) -> None:
    """``generate`` writes sets that read back, none twice; its help names the kind."""
    result = plumbench("generate", "dominoes", "--size", "5x8", "--seed", 3, "-n", 4,
                       "--set", "chain=yes")  # fmt: skip
    assert result.code == 0
    sets = loads(result.out)
    assert len({one.canonical() for one in sets}) == 4
    assert plumbench("euler", sets[0].draw()).code == 0
    shown = CliRunner().invoke(cli, ["generate", "--help"]).output
    assert "dominoes" in shown
    as_json = plumbench("convert", "0|1 1|2", "--to", "json").out
    assert json.loads(as_json)["tiles"] == [[0, 1], [1, 2]]
