"""Boards as users get them: solvable examples (N07), sets without repeats (N08), requests that end
(N14), and sets of unique boards whose uniqueness two engines confirm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import plumbench.puzzles.library
import pytest
from cli_tools import kept_children
from plumbench.benchmarks.selection import Wish, select
from plumbench.puzzles.board import Board
from plumbench.puzzles.errors import GenerationFailed, InputError
from plumbench.puzzles.formats import dumps, load, loads
from plumbench.puzzles.generators import canonical
from plumbench.puzzles.instance import Instance
from plumbench.puzzles.library.recipe import FAMILIES
from plumbench.puzzles.model import Solution, masks_of
from plumbench.solvers.contract import Status
from plumbench.solvers.run import count, solutions, solve

pytestmark = pytest.mark.usefixtures("kept_children")
_ = kept_children

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARY = Path(plumbench.puzzles.library.__file__).parent


# ---- examples (N07) ----------------------------------------------------------------------------

DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
PRINTED = re.compile(r"\b\d+x\d+w?:[0-9a-fvh]+\b|(?<![\w/])[.EILTX]+(?:/[.EILTX]+)+(?![\w/])")
NAMED = re.compile(r"^```text (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MEANT_TO_FAIL = {"LLL/LLL/LLL", "2x2:111", "stuck.txt"}
"""Boards and files that the documents show because they are unsolvable, or no board."""


def printed() -> Iterator[tuple[str, Instance]]:
    """Every board that a document prints, under the rules of the command it stands in."""
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for line in text.splitlines():
            rules = re.search(r"--rules (\w+)", line)
            for literal in set(PRINTED.findall(line)) - MEANT_TO_FAIL:
                (board,) = loads(literal)
                assert isinstance(board, Instance), f"{document.name}: {literal}"
                yield f"{document.name}: {line}", board.with_rules(rules[1]) if rules else board
        for name, block in NAMED.findall(text):
            if name not in MEANT_TO_FAIL:
                yield from ((f"{document.name}: {name}", board) for board in _boards(block))


def _boards(block: str) -> Iterator[Board]:
    """The boards of a file that a document shows, but those that are meant to fail."""
    failing = {canonical(b) for b in loads("LLL/LLL/LLL") if isinstance(b, Board)}
    try:
        found = loads(block)
    except InputError:
        return  # another kind of file, such as a list of edges
    for board in found:
        if isinstance(board, Board) and canonical(board) not in failing:
            yield board


def test_every_printed_board_is_solvable() -> None:
    """Every board in the documents has a solution by two engines, but those said to have none."""
    seen = 0
    for where, board in printed():
        seen += 1
        for solver in ("propagation", "sat"):
            assert solve(board.puzzle, solver).status is Status.SATISFIABLE, where
    assert seen >= 15


def test_library_boards_are_solvable() -> None:
    """Every board of the library has a solution but those said to have none; cycle unions have
    exactly one by two engines.
    """
    without = {"mut-4", "mut-6", "mut-8", "two-rings"}
    for family in FAMILIES:
        for board in load(LIBRARY / family.file):
            if family.file == "unsolvable.txt" or board.name in without:
                continue
            assert solve(board.puzzle, "propagation").status is Status.SATISFIABLE, board.name
            if family.file == "cycles.txt":
                matched = board.with_rules("match").puzzle
                assert [count(matched, s, limit=2).value for s in ("propagation", "sat")] == [1, 1]


# ---- no repeats (N08) --------------------------------------------------------------------------


def test_two_hundred_boards_of_consecutive_seeds() -> None:
    """The 6x6 boards of seeds 1 to 200 are 200 different ones up to symmetry: none is dropped."""
    boards = list(select(Wish("net", 6, 6, seed=1, number=200)))
    assert [board.name for board in boards] == [f"net-6x6-{seed}" for seed in range(1, 201)]
    assert len({board.canonical() for board in boards}) == 200


def test_a_thousand_small_boards_do_not_exist() -> None:
    """1000 boards of 3x3: all that were found, none twice, then an end that says how many."""
    found: list[Instance] = []
    with pytest.raises(GenerationFailed) as caught:
        take(select(Wish("net", 3, 3, number=1000, tries=300)), found)
    assert len({board.canonical() for board in found}) == len(found)
    assert 20 < len(found) < 192
    assert str(caught.value).startswith(f"{len(found)} of 1000 net boards found, then 300 tries")


def take(boards: Iterator[Instance], found: list[Instance]) -> None:
    """Put boards into the list until they end or fail."""
    for board in boards:
        found.append(board)


# ---- requests that end (N14) -------------------------------------------------------------------

THIN = [(2, n) for n in range(3, 11)] + [(1, n) for n in (1, 2, 5, 8)]
TORI = [(1, 5), (2, 2), (2, 5), (3, 3), (4, 6)]
SLOW = ((2, 7, 1), (2, 9, 1), (2, 10, 1), (2, 4, 6))
"""Sizes and seeds at which the public generator of N14 hung."""


def outcome(kind: str, width: int, height: int, seed: int, wrap: bool) -> str:
    """The unique board as text, or why there is none; never anything else."""
    wish = Wish(kind, width, height, seed, wrap=wrap, max_solutions=1, tries=30, seconds=5)
    found: list[Instance] = []
    try:
        take(select(wish), found)
    except GenerationFailed as error:
        return str(error)
    (board,) = found
    assert count(board.puzzle, "sat", limit=2).value == 1
    return dumps(board, "text")


def ends(kind: str, width: int, height: int, seed: int, wrap: bool) -> bool:
    """The request ends the same way twice; whether with a board."""
    first = outcome(kind, width, height, seed, wrap)
    assert first == outcome(kind, width, height, seed, wrap)
    made = first.startswith("name: ")
    assert made or first.startswith(f"0 of 1 {kind} boards found, then 30 tries in a row")
    return made


def test_thin_boards_and_tori_end() -> None:
    """Unique boards of 2xN, 1xN and tori: a board or a clear message, the same each time."""
    asked = [("net", 2, n, seed, False) for _, n, seed in SLOW]
    asked += [("net", w, h, 1, False) for w, h in ((2, 3), (2, 6), (1, 1), (1, 2), (1, 8), (8, 1))]
    asked += [("net", w, h, 1, True) for w, h in TORI] + [("dense", 2, 5, 1, True)]
    verdicts = [ends(*request) for request in asked]
    assert all(verdicts[: len(SLOW)])
    assert not ends("elbow-torus", 4, 4, 1, True)


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", ["net", "dfs", "kruskal", "dense", "partial", "cycles", "faces"])
@pytest.mark.parametrize("wrap", [False, True])
def test_many_thin_boards_end(kind: str, wrap: bool) -> None:
    """50 seeds of every thin size (and its transpose) and of some tori."""
    for width, height in TORI if wrap else [*THIN, *((h, w) for w, h in THIN)]:
        for seed in range(1, 51):
            ends(kind, width, height, seed, wrap)


# ---- unique by two engines ---------------------------------------------------------------------

UNIQUE_KINDS = ("net", "dfs", "kruskal", "cycles", "faces", "dense", "partial")
SETS = [(kind, size, wrap) for kind in UNIQUE_KINDS for size in (5, 8) for wrap in (False, True)]
SETS += [("java", 5, False)]
"""The article's own generator is practical up to 5x5 (docs/generators.md)."""


def confirmed(kind: str, size: int, wrap: bool, number: int) -> None:
    """So many boards, none twice, each with the one solution that both engines find."""
    wish = Wish(kind, size, size, number=number, wrap=wrap, max_solutions=1)
    boards = list(select(wish))
    assert len({board.canonical() for board in boards}) == number
    for board in boards:
        first, second = (_only(board, solver) for solver in ("propagation", "sat"))
        assert masks_of(board.puzzle, first) == masks_of(board.puzzle, second)


def _only(board: Instance, solver: str) -> Solution:
    (solution,) = solutions(board.puzzle, solver, limit=2)
    return solution


@pytest.mark.parametrize(("kind", "size"), [(k, s) for k, s, wrap in SETS if not wrap])
def test_unique_boards_are_unique_by_two_engines(kind: str, size: int) -> None:
    """20 boards of every family and size."""
    confirmed(kind, size, False, 20)


@pytest.mark.fuzz
@pytest.mark.parametrize(("kind", "size", "wrap"), SETS)
def test_two_hundred_unique_boards(kind: str, size: int, wrap: bool) -> None:
    """200 boards of every family and size."""
    confirmed(kind, size, wrap, 200)


OTHER_FAMILIES = [
    *[("flow", size, rules, {"locked": 0.5}) for size in (4, 5) for rules in ("sealed", "strict")],
    ("flow", 4, "article", {"locked": 0.6}),
    *[("path", size, None, {}) for size in (5, 8)],
]


def others_confirmed(
    kind: str, size: int, rules: str | None, settings: dict[str, float], number: int
) -> None:
    """So many puzzles of another family, none twice, each unique by both engines."""
    wish = Wish(
        kind, size, size, number=number, rules=rules, settings=settings, max_solutions=1, tries=5000
    )
    made = list(select(wish))
    assert len({puzzle.canonical() for puzzle in made}) == number
    for puzzle in made:
        answers = [puzzle.decode(_only(puzzle, solver)) for solver in ("propagation", "sat")]
        assert answers[0] == answers[1]


@pytest.mark.parametrize(("kind", "size", "rules", "settings"), OTHER_FAMILIES)
def test_unique_puzzles_of_other_families(
    kind: str, size: int, rules: str | None, settings: dict[str, float]
) -> None:
    """5 flow boards or plumber maps of every rule and size are unique by two engines."""
    others_confirmed(kind, size, rules, settings, 5)


@pytest.mark.fuzz
@pytest.mark.parametrize(("kind", "size", "rules", "settings"), OTHER_FAMILIES)
def test_two_hundred_unique_puzzles_of_other_families(
    kind: str, size: int, rules: str | None, settings: dict[str, float]
) -> None:
    """200 flow boards or plumber maps of every rule and size are unique by two engines."""
    others_confirmed(kind, size, rules, settings, 200)
