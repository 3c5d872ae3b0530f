"""``generate``: repeatable, no board twice, uniqueness proved, budgets that end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_tools import Plumbench, kept_children, plumbench
from click.testing import CliRunner
from plumbench.benchmarks.selection import Wish, select
from plumbench.cli import cli
from plumbench.puzzles.board import Board
from plumbench.puzzles.errors import GenerationFailed
from plumbench.puzzles.formats import loads
from plumbench.puzzles.generators import GENERATORS, JavaGenerator, canonical
from plumbench.puzzles.instance import Instance
from plumbench.solvers import run

pytestmark = pytest.mark.usefixtures("kept_children")
_ = plumbench, kept_children

SIZES = {"mut": "7x4", "ec": "6x6", "elbow-torus": "4x4"}


@pytest.mark.parametrize("kind", sorted(GENERATORS))
def test_every_kind(plumbench: Plumbench, kind: str) -> None:
    """Every generator's board comes out, reads back, and is the same the next time."""
    arguments = ("generate", kind, "--size", SIZES.get(kind, "5x5"), "--seed", "7")
    result = plumbench(*arguments)
    assert result.code == 0
    (board,) = loads(result.out)
    assert isinstance(board, Board)
    assert plumbench(*arguments).out == result.out
    as_json = plumbench(*arguments, "--to", "json").out
    assert loads(as_json)[0].puzzle.fingerprint == board.puzzle.fingerprint


def boards_of(text: str) -> list[Board]:
    """The boards in a command's output."""
    return [board for board in loads(text) if isinstance(board, Board)]


def test_help_names_every_kind_and_settings_show() -> None:
    """The kinds are written into the help, which must load no generator: none is forgotten."""
    shown = CliRunner().invoke(cli, ["generate", "--help"]).output
    assert {kind for kind in GENERATORS if kind not in shown} == set()


def test_settings(plumbench: Plumbench) -> None:
    """--settings lists what --set takes; a setting changes the board."""
    assert plumbench("generate", "dense", "--size", "5x5", "--settings").out == "x=0.3\n"
    tree = plumbench("generate", "dense", "--size", "5x5", "--set", "x=0")
    full = plumbench("generate", "dense", "--size", "5x5", "--set", "x=1")
    assert tree.code == full.code == 0
    degrees = [sum(map(int.bit_count, boards_of(r.out)[0].pieces.tolist())) for r in (tree, full)]
    assert degrees == [48, 80]
    bad = plumbench("generate", "dense", "--size", "5x5", "--set", "x=2")
    assert bad.code == 2
    assert bad.is_one_error_line()


def test_unique_boards_are_unique(plumbench: Plumbench) -> None:
    """What --unique gives out has one solution by an engine that did not judge it, and the
    same boards come with more workers.
    """
    arguments = ("generate", "net", "--size", "3x3", "-n", "10", "--unique", "--to", "net-id")
    result = plumbench(*arguments)
    assert result.code == 0
    boards = loads(result.out)
    assert len(boards) == 10
    assert all(run.count(b.puzzle, "brute", limit=2).value == 1 for b in boards)
    assert plumbench(*arguments, "--jobs", "3").out == result.out


def collect(boards: Iterator[Instance], keys: set) -> None:
    """Add the keys of boards until they end or fail."""
    for board in boards:
        keys.add(board.canonical())


def test_the_ambiguous_3x3_board_is_never_unique() -> None:
    """Case N09: among all 3x3 nets found before the budget ends, the one board with two
    solutions is there without --unique and never with it.
    """
    forbidden = canonical(boards_of("3x3:1313f3131")[0])

    def all_of(most: int | None) -> set:
        keys: set = set()
        wish = Wish("net", 3, 3, number=1000, max_solutions=most, tries=800)
        with pytest.raises(GenerationFailed, match="of 1000 net boards found"):
            collect(select(wish), keys)
        return keys

    every, unique = all_of(None), all_of(1)
    assert forbidden in every
    assert forbidden not in unique
    assert unique < every


def test_max_solutions(plumbench: Plumbench) -> None:
    """Boards with 1 to K solutions under the rule asked for, no more and none without."""
    result = plumbench(
        "generate", "dense", "--size", "3x3", "-n", "8", "--max-solutions", "3", "--rules",
        "match", "--set", "x=0.4",
    )  # fmt: skip
    assert result.code == 0
    counts = [run.count(b.puzzle, "brute").value for b in loads(result.out)]
    assert len(counts) == 8
    assert all(1 <= c <= 3 for c in counts)


def test_no_board_twice_up_to_symmetry(plumbench: Plumbench) -> None:
    """Case N08: 200 boards are 200 different ones; where fewer exist it says so, exit 3."""
    result = plumbench("generate", "net", "--size", "6x6", "-n", "200", "--to", "net-id")
    assert result.code == 0
    assert len({canonical(board) for board in boards_of(result.out)}) == 200
    few = plumbench(
        "generate", "net", "--size", "2x2", "-n", "50", "--tries", "40", "--to", "net-id"
    )
    assert few.code == 3
    made = boards_of(few.out)
    assert len({canonical(board) for board in made}) == len(made) < 50
    assert f"{len(made)} of 50 net boards found" in few.err
    assert "repeats up to symmetry" in few.err
    assert few.err.count("\n") == 1


def test_a_budget_that_runs_out(plumbench: Plumbench) -> None:
    """Case N14: no such board, so a clean end with exit 3 that says what was dropped."""
    result = plumbench("generate", "elbow-torus", "--size", "4x4", "--unique", "--tries", "3")
    assert result.code == 3
    assert result.out == ""
    assert "0 of 1 elbow-torus boards found" in result.err
    thin = plumbench("generate", "net", "--size", "2x9", "--unique", "--tries", "60")
    assert thin.code in (0, 3)


def test_java_follows_one_stream(plumbench: Plumbench) -> None:
    """The article's boards come in the article's order from one stream of random numbers."""
    generator = JavaGenerator(20261026)
    wanted = [generator.generate(5).board.pieces.tolist() for _ in range(12)]
    result = plumbench(
        "generate", "java", "--size", "5x5", "--seed", "20261026", "-n", "12", "--to", "json"
    )
    assert result.code == 0
    assert [board.pieces.tolist() for board in boards_of(result.out)] == wanted
    assert plumbench("generate", "java", "--size", "5x4").is_one_error_line()
    assert plumbench("generate", "java", "--size", "5x5", "--wrap").is_one_error_line()


def test_generate_to_a_file_then_judge(plumbench: Plumbench, tmp_path: Path) -> None:
    """What generate writes, unique reads."""
    file = tmp_path / "made.txt"
    made = plumbench(
        "generate", "faces", "--size", "4x4", "-n", "4", "--unique", "-o", file, "--no-wrap"
    )
    assert (made.code, made.out) == (0, "")
    judged = plumbench("unique", file)
    assert judged.code == 0
    assert judged.out.count(": unique under the rule connected") == 4


def test_generate_takes_a_node_limit(plumbench: Plumbench) -> None:
    """The limit reaches the engine that judges: brute decides no board within one node."""
    result = plumbench(
        "generate", "net", "--size", "3x3", "--unique", "--solver", "brute", "--node-limit", "1",
        "--tries", "3",
    )  # fmt: skip
    assert result.code == 3
    assert "undecided within the limit" in result.err
