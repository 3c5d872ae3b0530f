"""Plumber maps: what they are as a puzzle, their formats, answers, pictures and generator."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import InputError, InvalidPuzzle, UsageError
from plumbench.puzzles.formats import dumps, loads, records
from plumbench.puzzles.generators import make
from plumbench.puzzles.generators.path import canonical, make_path
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.path import PlumberPath
from plumbench.puzzles.terms import terms_of
from plumbench.puzzles.topology import DOWN, LEFT, RIGHT, UP
from plumbench.solvers.run import count, solve
from strategies import plumber_maps

SCHEMA = Draft202012Validator(records.schema())
J04 = "5 4\n5 3 5 3\n1 5 3 0\n2 3 5 1\n6 1 1 5\n1 5 5 4\n"
J04_PATH = [[0, 0, 5], [0, 1, 3], [1, 1, 6], [2, 1, 1], [2, 2, 5], [2, 3, 3], [3, 3, 6], [4, 3, 1]]
J04_LINE = "(1, 1) (1, 2) (2, 2) (3, 2) (3, 3) (3, 4) (4, 4) (5, 4)"


def plumber(text: str) -> PlumberPath:
    """The one map of a text."""
    (found,) = loads(text)
    assert isinstance(found, PlumberPath)
    return found


def test_the_article_s_map() -> None:
    """J04: one path, in the article's coordinates and orientations."""
    given = plumber(J04)
    assert count(given.puzzle, "brute").value == 1
    solution = solve(given.puzzle, "brute").solution
    assert solution is not None
    assert given.decode(solution) == J04_PATH
    assert given.article_line(solution) == J04_LINE
    assert given.draw(solution).splitlines() == [
        "───┐ · ·",
        " · │ · #",
        " · └───┐",
        " · · · │",
        " · · · └─",
        J04_LINE,
    ]
    assert given.draw().splitlines()[1] == " L I L #"


def test_openings_anywhere_at_the_rim() -> None:
    """Inlet and outlet may be at any side of the border, even at one cell; the picture shows
    them.
    """
    given = PlumberPath(np.array([[5, 1]]), inlet=(1, UP), outlet=(0, LEFT))
    solution = solve(given.puzzle, "brute").solution
    assert solution is not None
    assert given.decode(solution) == [[0, 1, 4], [0, 0, 5]]
    assert given.draw(solution) == "   │\n───┘\n(1, 2) (1, 1)"
    corner = PlumberPath(np.array([[2]]), inlet=(0, DOWN), outlet=(0, RIGHT))
    solution = solve(corner.puzzle, "brute").solution
    assert solution is not None
    assert corner.decode(solution) == [[0, 0, 2]]


@pytest.mark.parametrize(
    ("openings", "why"),
    [
        ({"inlet": (0, RIGHT)}, "is no border"),
        ({"inlet": (4, LEFT)}, "a cell and a direction"),
        ({"outlet": (0, 4)}, "a cell and a direction"),
        ({"inlet": (3, RIGHT)}, "it is the inlet"),
        ({"inlet": (3,)}, "a cell and a direction"),
    ],
)
def test_openings_that_cannot_be(openings, why: str) -> None:
    """Openings inside the map, of no cell, or twice the same are refused."""
    with pytest.raises(InvalidPuzzle, match=why):
        PlumberPath(np.ones((2, 2), dtype=np.int64), **openings)


def test_codes_that_cannot_be() -> None:
    """Codes beyond 7, no cells and a flat list are refused, as are other rules."""
    for codes in ([[8]], [[-1]], [], [1, 2], [[]]):
        with pytest.raises(InvalidPuzzle, match="codes"):
            PlumberPath(np.array(codes, dtype=np.int64))
    with pytest.raises(UsageError, match="only 'path'"):
        plumber(J04).with_rules("tree")
    with pytest.raises(UsageError, match="offers length"):
        plumber(J04).with_objective(Objective("rotations"))


def test_formats_say_the_same() -> None:
    """A number map, the bare JSON rows and the JSON object are one map; text keeps the name."""
    first = plumber(J04)
    rows = json.dumps(first.codes.tolist())
    for text in (rows, f'{{"family": "path", "map": {rows}}}', J04.strip().replace("\n", "/")):
        assert plumber(text).puzzle.fingerprint == first.puzzle.fingerprint
        assert plumber(text).codes.tolist() == first.codes.tolist()
    named = make_path(4, 3, 5)
    again = plumber(dumps(named, "text"))
    assert (again.name, again.codes.tolist()) == (named.name, named.codes.tolist())
    assert len(loads(J04 + J04 + "\n" + rows + "\n" + f"[{rows}, {rows}]")) == 5


@given(plumber_maps())
def test_json_holds_everything(given: PlumberPath) -> None:
    """Codes, inlet, outlet and name survive JSON, which obeys the schema."""
    text = dumps(given, "json")
    SCHEMA.validate(json.loads(text))
    again = plumber(text)
    assert again.codes.tolist() == given.codes.tolist()
    assert (again.openings, again.name) == (given.openings, given.name)
    if not given.has_default_openings:
        with pytest.raises(UsageError, match="inlet and outlet"):
            dumps(given, "number-map")
    else:
        assert plumber(dumps(given, "number-map")).codes.tolist() == given.codes.tolist()


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ("2 2\n5 5", 1, None, "2"),
        ("2 2\n5 9\n1 1", 2, 3, "a code from 0 to 7"),
        ("2 2\n5 5 5\n1 1", 2, 1, "2, as the size says"),
        ("2 2/5 5/1 x", 1, 11, "a code from 0 to 7"),
        ("0 0", 1, 1, "at least 1x1"),
        ("1 1\n1\n1 2 3", 3, 1, "the size: rows columns"),
        ("9999999 9999999\n1", 1, 1, "at most 4000000 cells"),
        ("[[1, 2], [3]]", 1, None, "2 as in the first row"),
        ('{"map": [[1]], "inlet": [0, 1, "up"]}', 1, None, "a column below 1"),
        ('{"map": [[1]], "inlet": [0, 0, "NE"]}', 1, None, "what schema.json allows"),
        ('{"map": [[5]], "outlet": [0, 0, "left"]}', 1, None, "a plumber map"),
        ('{"map": []}', 1, 1, "at least 1x1"),
    ],
)
def test_bad_maps(text: str, line: int, column: int | None, expected: str) -> None:
    """Bad text is refused with its place and what is expected."""
    with pytest.raises(InputError) as caught:
        loads(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert expected in caught.value.expected


def test_answers() -> None:
    """Decoding and encoding are inverse; any order of the cells will do."""
    given = plumber(J04)
    assert check(given.puzzle, given.encode(J04_PATH)).ok
    assert given.decode(given.encode(J04_PATH[::-1])) == J04_PATH
    report = check(given.puzzle, given.encode(J04_PATH[:-1]), terms_of(given))
    assert not report.ok
    assert any("the outlet leaks" in reason for reason in report.reasons)
    turned = [[0, 0, 6], *J04_PATH[1:]]
    assert sorted(given.decode(given.encode(turned))) == sorted(turned)
    assert not check(given.puzzle, given.encode(turned)).ok


@pytest.mark.parametrize(
    "answer",
    [None, {}, [1], [[0, 0]], [[0, 0, 7]], [[0, 0, 0]], [[5, 0, 1]], [[0, -1, 1]], [[0, 0, 5]] * 2,
     [[0, 0, True]], [[0, 0, 1.0]], ["abc"]],
)  # fmt: skip
def test_what_is_no_answer(answer) -> None:
    """Anything but cells of the map with an orientation, each once, is refused."""
    with pytest.raises(InputError):
        plumber(J04).encode(answer)


def test_marked_cells() -> None:
    """Marked cells stand in brackets, or in colour."""
    given = plumber("2 2/5 1/1 1")
    picture = given.draw(given.encode([[0, 0, 5], [0, 1, 3], [1, 1, 1]]), marked=frozenset({0, 2}))
    assert picture.splitlines()[:2] == ["─[─]──┐", " [·]  └──"]
    assert "\x1b[7mL\x1b[0m" in given.draw(marked=frozenset({2}), colour=True)


# ---- generator -------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6), st.floats(0, 1))
def test_made_maps_have_a_path(width: int, height: int, seed: int, share: float) -> None:
    """Every map has a path, whatever its size and its obstacles; the same seed, the same map."""
    made = make_path(width, height, seed, obstacles=share)
    assert solve(made.puzzle, "propagation").status == "satisfiable"
    again = make("path", width, height, seed, obstacles=share)
    assert again.puzzle.fingerprint == made.puzzle.fingerprint


def test_shares_of_the_generator() -> None:
    """Beside the path: no obstacles or nothing else, elbows or straights, as asked."""
    bare = make_path(6, 6, 1, obstacles=1.0)
    assert count(bare.puzzle, "propagation").value == 1
    full = make_path(6, 6, 1, obstacles=0.0, straights=1.0)
    assert (full.codes > 0).all()
    for bad in (2.0, -1, True):
        with pytest.raises(UsageError, match="from 0 to 1"):
            make_path(3, 3, 1, obstacles=bad)
        with pytest.raises(UsageError, match="from 0 to 1"):
            make_path(3, 3, 1, straights=bad)
    with pytest.raises(UsageError, match="yes or no"):
        make_path(3, 3, 1, planted="perhaps")
    with pytest.raises(UsageError, match="at least 1x1"):
        make_path(0, 3, 1)


def test_a_large_map() -> None:
    """A map of 40x40 is made and solved; one of 200x200 is made."""
    assert solve(make_path(40, 40, 1).puzzle, "sat").status == "satisfiable"
    assert make_path(200, 200, 1).cells == 40_000


def turned(given: PlumberPath) -> PlumberPath:
    """The map a quarter turn clockwise, openings too."""
    places = np.arange(given.cells).reshape(given.codes.shape)
    new_place = np.empty(given.cells, dtype=np.int64)
    new_place[np.rot90(places, -1).ravel()] = np.arange(given.cells)
    (a, s), (b, t) = given.openings
    return PlumberPath(
        np.rot90(given.codes, -1),
        (int(new_place[a]), (s + 1) % 4),
        (int(new_place[b]), (t + 1) % 4),
    )


def mirrored(given: PlumberPath) -> PlumberPath:
    """The map with left and right exchanged, openings too."""
    swap = {LEFT: RIGHT, RIGHT: LEFT, UP: UP, DOWN: DOWN}
    openings = []
    for cell, side in given.openings:
        row, column = divmod(cell, given.width)
        openings.append((row * given.width + given.width - 1 - column, swap[side]))
    return PlumberPath(given.codes[:, ::-1], *openings)


@given(plumber_maps())
def test_symmetric_maps_are_the_same(given: PlumberPath) -> None:
    """Turned, mirrored or run backwards a map has the same key and as many paths."""
    number = count(given.puzzle, "brute").value
    backwards = PlumberPath(given.codes, given.outlet, given.inlet)
    for other in (turned(given), mirrored(given), turned(turned(mirrored(given))), backwards):
        assert canonical(other) == canonical(given)
        assert count(other.puzzle, "brute").value == number


def test_other_maps_are_not_the_same() -> None:
    """Another class of piece or another outlet is another map; another code of it is not."""
    first = plumber("2 3/1 5 0/3 1 5")
    assert canonical(plumber("2 3/4 6 0/1 2 6")) == canonical(first) == first.canonical()
    assert canonical(plumber("2 3/1 1 0/3 1 5")) != canonical(first)
    moved = PlumberPath(first.codes, outlet=(2, RIGHT))
    assert canonical(moved) != canonical(first)
