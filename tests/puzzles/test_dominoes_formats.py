"""Domino lists and JSON records: what is read, what is written, what is refused."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from plumbench.puzzles.dominoes import DOMINO_RULES, Dominoes
from plumbench.puzzles.errors import InputError, UsageError
from plumbench.puzzles.formats import dumps, loads
from strategies import tile_lists

SCHEMA = json.loads(files("plumbench.puzzles.formats").joinpath("schema.json").read_text("utf-8"))
SETS = st.builds(
    lambda tiles, start, rules, name: Dominoes(tuple(tiles), start, rules, name),
    tile_lists(max_pip=12),
    st.none() | st.integers(0, 20),
    st.sampled_from(DOMINO_RULES),
    st.sampled_from(["dominoes", "a # b", "#", "4 x 4: ünïcode", "0|1 1|2"]),
)


def sets(text: str) -> list[Dominoes]:
    """The sets of a text."""
    found = []
    for instance in loads(text):
        assert isinstance(instance, Dominoes)
        found.append(instance)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "0|1 1|2 10|2", "0-1 1-2 10-2", "0/1 1/2 10/2", "[0|1] -> [1|2] -> [10|2]",
        "0|1,1|2, 10|2", "  0|1\t1|2   10|2  # name", "0|1→1|2→10|2", "chain: 0|1 1|2 10|2",
        "0/1\n1/2\n10/2", "0|1\n# between\n1|2\n10|2\n", "[[0, 1], [1, 2], [10, 2]]",
        '{"family": "dominoes", "tiles": [[0, 1], [1, 2], [10, 2]]}',
    ],
)  # fmt: skip
def test_ways_to_write_a_set(text: str) -> None:
    """The same three tiles in every notation, in their order and as they lie."""
    (found,) = sets(text)
    assert (found.tiles, found.start, found.rules) == (((0, 1), (1, 2), (10, 2)), None, "chain")


def test_many_sets() -> None:
    """One set a line, single tiles among them; lines of single tiles alone are one set; blank
    lines separate; lists of lists in JSON.
    """
    text = "0|1 1|2  # first\n3|3\n4|4 4|5\n\n6|6\n6|7\n\nsubchain from 2: 2|2\nclosed:\n"
    found = sets(text)
    assert [len(one.tiles) for one in found] == [2, 1, 2, 2, 1, 0]
    assert found[0].name == "first"
    assert (found[4].rules, found[4].start, found[5].rules) == ("subchain", 2, "closed")
    assert [one.source.line for one in found] == [1, 2, 3, 5, 8, 9]
    assert [one.tiles for one in sets("[[[0, 1]], [[1, 2], [2, 3]]]")] == [
        ((0, 1),),
        ((1, 2), (2, 3)),
    ]


@settings(max_examples=100)
@given(st.lists(SETS, min_size=1, max_size=3), st.sampled_from(["text", "dominoes", "json"]))
def test_written_and_read_again(given_sets: list[Dominoes], to: str) -> None:
    """What is written reads back as the same sets, one a line, and JSON obeys the schema."""
    written = [dumps(one, to) for one in given_sets]
    assert all("\n" not in text for text in written)
    assert sets("\n".join(written)) == given_sets
    if to == "json":
        for text in written:
            Draft202012Validator(SCHEMA).validate(json.loads(text))


def test_bare_pairs_obey_the_schema() -> None:
    """Tiles alone, large pips included, and a list of such."""
    for value in ([[0, 1], [9, 100]], [[[0, 1]], [[9, 9]]]):
        Draft202012Validator(SCHEMA).validate(value)


@pytest.mark.parametrize(
    ("text", "line", "column", "found"),
    [
        ("0|x 1|2", 1, 1, "'0|x'"),
        ("0|1 1|", 1, 5, "'1|'"),
        ("0|1 x", 1, 5, "'x'"),
        ("0|1,", 1, 5, "the end"),
        ("0|1 1|2\n0|1 1|2|3", 2, 5, "'1|2|3'"),
        ("1-2-3", 1, 4, "'-3'"),
        ("0|99999999999", 1, 3, "the pip"),
        ("from 99999999999: 0|1", 1, 6, "the pip"),
        ("0|1 1|2 -> ", 1, 11, "the end"),
        ("[[0, -1]]", 1, None, "$.tiles[0][1]"),
        ('{"family": "dominoes", "tiles": [[0, true]]}', 1, None, "bool at $.tiles[0][1]"),
        ('{"family": "dominoes", "tiles": [[0]]}', 1, None, "$.tiles[0]"),
        ('{"family": "dominoes", "tiles": [], "rules": "tree"}', 1, None, "$.rules"),
        ('{"family": "dominoes", "tiles": [], "begin": 1}', 1, None, "begin"),
    ],
)
def test_refused(text: str, line: int, column: int | None, found: str) -> None:
    """What is no tile is refused with its place."""
    with pytest.raises(InputError) as error:
        loads(text)
    assert (error.value.line, error.value.column) == (line, column)
    assert found in str(error.value)


def test_a_bad_line_does_not_hide_others() -> None:
    """Sets around a bad line are read, and lines of other formats in between, too."""
    from plumbench.puzzles.formats.page import Page
    from plumbench.puzzles.formats.reading import _puzzles

    page = Page("0|1 1|2\n0|1 x\n5x5:1115337157375775157135131\n2|2 2|3\n", "sets.txt")
    kinds = [type(item).__name__ for item in _puzzles(page)]
    assert kinds == ["Dominoes", "InputError", "Board", "Dominoes"]


def test_names_that_no_comment_holds() -> None:
    """Text refuses no name, or one with a line break or space around it; JSON keeps it."""
    for name in ("", "a\nb", " a"):
        instance = Dominoes(((0, 1),), name=name)
        with pytest.raises(UsageError, match="the name"):
            dumps(instance, "text")
        assert sets(dumps(instance, "json")) == [instance]
