"""Public bug reports, judge problems and integer sequences, through the engines.

The letters and numbers in the tests' docstrings name the cases.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plumbench.puzzles.board import Board
from plumbench.puzzles.check import check
from plumbench.puzzles.model import Puzzle, Rules, masks_of, ports_from_masks
from plumbench.puzzles.topology import Hexagonal, Square
from plumbench.solvers.registry import ENGINES
from plumbench.solvers.run import count, solutions, solve
from strategies import any_piece, letters, net

GENERAL = ("propagation", "sat", "cpsat")
general = pytest.mark.parametrize("name", GENERAL)
every_engine = pytest.mark.parametrize("name", list(ENGINES))

TREE = Rules(connect="used", acyclic=True)
CONNECTED = Rules(connect="used")
MATCH = Rules()


def number(name: str, puzzle: Puzzle) -> int:
    """The exact number of solutions."""
    found = count(puzzle, name)
    assert found.exact
    return found.value


def three(name: str, board: Board) -> tuple[int, ...]:
    """The numbers of solutions under match, connected and tree."""
    return tuple(number(name, board.with_rules(r).puzzle) for r in ("match", "connected", "tree"))


Read = Callable[[str], Any]


@pytest.fixture
def case(shared: Callable[..., Path]) -> Read:
    """The inputs of a case, by name."""
    return lambda name: json.loads(shared("cases", "inputs", f"{name}.json").read_text())


N01 = "7x11:4212952dbeda2c5147a96836b7941abbd591eee1913c1edd9a839d8a49da76242c29d295a5bd1"
N01_SOLUTION = "8888954b77ea1ca81ea9623cb76815ebd561d7e294968bd7ca836b4a23d57c28161cb43555774"


@general
def test_uniqueness_is_judged_with_connectivity(name: str) -> None:
    """N01: four match solutions, of which one hangs together: the official one."""
    board = net(N01)
    assert three(name, board) == (4, 1, 1)
    solution = solve(board.puzzle, name).solution
    assert solution is not None
    assert masks_of(board.puzzle, solution) == net(f"7x11:{N01_SOLUTION}").pieces.tolist()


@general
def test_the_four_states_are_the_match_solutions(name: str, case: Read) -> None:
    """N03: the states told apart in the report are exactly what match allows."""
    puzzle = net(N01, "match").puzzle
    states = {tuple(net(f"7x11:{s['state']}").pieces.tolist()) for s in case("N03")["states"]}
    assert {tuple(masks_of(puzzle, s)) for s in solutions(puzzle, name)} == states


def hexagonal(item: dict[str, Any], key: str) -> Board:
    """A board of the hexagonal torus."""
    grid = Hexagonal(item["width"], item["height"], True)
    return Board(grid, np.array(item[key]), rules="tree")


@general
def test_the_skewed_hexagonal_torus(name: str, case: Read) -> None:
    """N04: two solutions before the fix, one after it; the same under all three rules."""
    item = case("N04")
    assert three(name, hexagonal(item, "before")) == (2, 2, 2)
    assert three(name, hexagonal(item, "after")) == (1, 1, 1)


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("propagation", 6),
        ("sat", 6),
        ("cpsat", 16),
        *(pytest.param(name, 1, marks=pytest.mark.fuzz) for name in GENERAL),
    ],
)
def test_ambiguous_hexagonal_puzzles(name: str, step: int, case: Read) -> None:
    """N05: every shipped puzzle has 2 to 4 tree solutions, every corrected one has 1."""
    items = case("N05")["items"][::step]
    assert len(items) >= 10
    for item in items:
        assert number(name, hexagonal(item, "before").puzzle) == item["n_before"], item["file"]
        assert number(name, hexagonal(item, "after").puzzle) == item["n_after"] == 1, item["file"]


@every_engine
def test_every_solution_of_an_ambiguous_board_is_accepted(name: str) -> None:
    """N09: the one ambiguous 3x3 tree board has these two solutions, both right."""
    board = net("3x3:1313f3131")
    stated = {tuple(net(f"3x3:{text}").pieces.tolist()) for text in ("1c89f6234", "8943fc162")}
    for masks in stated:
        assert check(board.puzzle, ports_from_masks(board.puzzle, masks)).ok
    assert {tuple(masks_of(board.puzzle, s)) for s in solutions(board.puzzle, name)} == stated


@every_engine
@pytest.mark.parametrize(
    ("text", "match", "tree"),
    [
        ("1x8:1aaaaaa8", 1, 1),
        ("1x8:1aaaaaa4", 1, 1),
        ("8x1:25555551", 1, 1),
        ("8x1:25555558", 1, 1),
        ("1x5w:2aaa2", 2, 1),
        ("1x5w:22aaa", 2, 1),
    ],
)
def test_boards_one_cell_wide(name: str, text: str, match: int, tree: int) -> None:
    """N15: a cell joined to itself is a loop, right under match and never in a tree."""
    assert number(name, net(text, "match").puzzle) == match
    assert number(name, net(text).puzzle) == tree


@general
def test_generated_boards_with_official_solutions(name: str, case: Read) -> None:
    """N17: the counts under the three rules, and the official solution is among those found."""
    for item in case("N17")["items"]:
        board = net(item["game_id"])
        size = item["game_id"].split(":")[0]
        official = net(f"{size}:{item['official_solution']}").pieces.tolist()
        found = [masks_of(board.puzzle, s) for s in solutions(board.puzzle, name)]
        assert len(found) == item["n_tree"], item["seed_id"]
        assert official in found
        for rules in ("match", "connected"):
            if item[f"n_{rules}"] is not None:
                puzzle = board.with_rules(rules).puzzle
                assert number(name, puzzle) == item[f"n_{rules}"], item["seed_id"]


@general
def test_boards_with_walls(name: str, case: Read) -> None:
    """N18: the counts with walls; taking the walls away never lowers a count."""
    for item in case("N18")["boards"]:
        board = net(item["game_id"])
        counts = (item["n_match"], item["n_connected"], item["n_tree"])
        assert three(name, board) == counts
        bare = net(item["game_id"].replace("v", "").replace("h", ""))
        assert number(name, bare.puzzle) >= item["n_tree"]


@general
def test_infinity_loop_boards(name: str, case: Read) -> None:
    """N20: no leaks is a goal of its own; most of these boards cannot hang together."""
    for item in case("N20")["boards"].values():
        rows = item["rows"]
        pieces = np.array([int(digit, 16) for row in rows for digit in row])
        board = Board(Square(len(rows[0]), len(rows)), pieces)
        assert three(name, board) == (item["n_match"], item["n_connected"], item["n_tree"])


@general
def test_blank_cells_need_not_be_connected(name: str, case: Read) -> None:
    """N22: daily boards with blank cells have one tree solution and hundreds of match ones."""
    for item in case("N22")["items"]:
        size = f"{item['width']}x{item['height']}"
        board = net(f"{size}:" + "".join(f"{tile:x}" for tile in item["tiles"]))
        assert number(name, board.puzzle) == item["n_tree"] == 1
        assert count(board.with_rules("match").puzzle, name, limit=20).value == 20


@pytest.mark.fuzz
@general
def test_match_solutions_of_boards_with_blanks(name: str, case: Read) -> None:
    """N22: the hundreds of match solutions, counted up to the report's cap of 500."""
    for item in case("N22")["items"]:
        board = net("16x16:" + "".join(f"{tile:x}" for tile in item["tiles"]), "match")
        assert count(board.puzzle, name, limit=500).value == item["n_match"]


@every_engine
@pytest.mark.parametrize(
    ("rows", "match", "connected"),
    [
        (("CC", "CC"), 1, 1),
        (("CC", "CB"), 0, 0),
        (("CCC", "CCC", "CCC"), 0, 0),
        (("CBCA", "BCDC", "CCCC"), 1, 1),
        (("CC", "CC", "AA", "CC", "CC"), 1, 0),
        (("AA", "AA"), 1, 1),
    ],
)
def test_pipe_rotation_samples(
    name: str, rows: tuple[str, ...], match: int, connected: int
) -> None:
    """J01 and, in the last line, C11: a board of blanks has one solution."""
    board = letters(*("".join(".ILX"["ABCD".index(c)] for c in row) for row in rows))
    assert number(name, board.with_rules("match").puzzle) == match
    assert number(name, board.puzzle) == connected


@general
def test_a_limit_of_two_stops_at_two(name: str) -> None:
    """C12: a 10x10 torus of tees has a vast number of solutions; "at least 2" comes at once."""
    board = letters(*["T" * 10] * 10, rules="match", wrap=True)
    found = count(board.puzzle, name, limit=2)
    assert (found.value, found.exact, found.reason) == (2, False, None)


# ---- integer sequences: any piece may stand on any cell ---------------------------------------

ANY = tuple(range(16))
USED = ANY[1:]
PAIRS = tuple(m for m in ANY if m.bit_count() == 2)
EVENS = tuple(m for m in ANY if m.bit_count() % 2 == 0)

# case, width, height, torus, masks, rules, number of solutions
SEQUENCES = [
    ("O02 spanning trees of the torus", 1, 2, True, USED, TREE, 2),
    ("O02 spanning trees of the torus", 1, 3, True, USED, TREE, 3),
    ("O02 spanning trees of the torus", 2, 2, True, USED, TREE, 32),
    ("O02 spanning trees of the torus", 2, 3, True, USED, TREE, 294),
    ("O03 simple cycles, and none", 2, 2, False, (0, *PAIRS), CONNECTED, 1 + 1),
    ("O03 simple cycles, and none", 2, 3, False, (0, *PAIRS), CONNECTED, 3 + 1),
    ("O03 simple cycles, and none", 3, 3, False, (0, *PAIRS), CONNECTED, 13 + 1),
    ("O03 simple cycles, and none", 3, 4, False, (0, *PAIRS), CONNECTED, 40 + 1),
    ("O03 simple cycles, and none", 4, 4, False, (0, *PAIRS), CONNECTED, 213 + 1),
    ("O06 2-factors", 4, 1, False, PAIRS, MATCH, 0),
    ("O06 2-factors", 4, 2, False, PAIRS, MATCH, 2),
    ("O06 2-factors", 4, 3, False, PAIRS, MATCH, 3),
    ("O06 2-factors", 4, 4, False, PAIRS, MATCH, 18),
    ("O06 2-factors", 4, 5, False, PAIRS, MATCH, 54),
    ("O06 2-factors", 4, 6, False, PAIRS, MATCH, 222),
    ("O08 connected spanning subgraphs", 2, 2, False, USED, CONNECTED, 5),
    ("O08 connected spanning subgraphs", 2, 3, False, USED, CONNECTED, 23),
    ("O08 connected spanning subgraphs", 2, 4, False, USED, CONNECTED, 105),
    ("O08 connected spanning subgraphs", 3, 3, False, USED, CONNECTED, 431),
    ("O16 even subgraphs", 2, 2, False, EVENS, MATCH, 2),
    ("O16 even subgraphs", 3, 3, False, EVENS, MATCH, 16),
    ("O16 even subgraphs", 4, 4, False, EVENS, MATCH, 512),
    ("O16 even subgraphs of the torus", 2, 2, True, EVENS, MATCH, 32),
    ("O16 even connected subgraphs, and none", 3, 3, False, EVENS, CONNECTED, 15 + 1),
    ("O16 even spanning connected subgraphs", 3, 3, False, EVENS[1:], CONNECTED, 0),
    ("O16 even spanning connected subgraphs", 4, 4, False, EVENS[1:], CONNECTED, 11),
    ("O17 all matching boards of the torus", 2, 2, True, ANY, MATCH, 256),
]
LONG = [
    ("O02 spanning trees of the torus", 2, 4, True, USED, TREE, 2304),
    ("O03 simple cycles, and none", 4, 5, False, (0, *PAIRS), CONNECTED, 1049 + 1),
    ("O06 2-factors", 4, 8, False, PAIRS, MATCH, 2953),
    ("O16 even subgraphs of the torus", 3, 3, True, EVENS, MATCH, 1024),
    ("O16 even connected subgraphs, and none", 4, 4, False, EVENS, CONNECTED, 387 + 1),
    ("O17 all matching boards", 3, 3, False, ANY, MATCH, 4096),
]


@every_engine
@pytest.mark.parametrize(
    ("what", "width", "height", "wrap", "masks", "rules", "expected"),
    [*SEQUENCES, *(pytest.param(*line, marks=pytest.mark.fuzz) for line in LONG)],
)
def test_integer_sequences(
    name: str,
    what: str,
    width: int,
    height: int,
    wrap: bool,
    masks: tuple[int, ...],
    rules: Rules,
    expected: int,
) -> None:
    """Free pieces make the count a known number of subgraphs of the grid or torus."""
    if name == "milp" and expected > 200:
        pytest.skip("each solution costs milp a search of its own")
    puzzle = any_piece(Square(width, height, wrap), masks, rules)
    assert number(name, puzzle) == expected, what
