"""The JSON Schema that ships, and JSON that is refused."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from plumbench.puzzles.board import Board
from plumbench.puzzles.errors import InputError
from plumbench.puzzles.formats import dumps, loads, records
from plumbench.puzzles.model import Puzzle
from plumbench.puzzles.raw import RawPuzzle
from strategies import boards, multigraphs

SCHEMA = json.loads(files("plumbench.puzzles.formats").joinpath("schema.json").read_text("utf-8"))


def test_the_schema_is_that_of_the_records():
    """``schema.json`` is what the types in ``records.py`` say, and a valid schema."""
    assert records.schema() == SCHEMA
    Draft202012Validator.check_schema(SCHEMA)


@settings(max_examples=30)
@given(st.one_of(boards(), boards(hexagonal=True)), multigraphs(all_rules=True))
def test_what_is_written_obeys_the_schema(board: Board, puzzle: Puzzle):
    """Boards and raw puzzles, alone and in a list."""
    written = [json.loads(dumps(i, "json")) for i in (board, RawPuzzle(puzzle))]
    for value in (*written, written):
        Draft202012Validator(SCHEMA).validate(value)


BAD = [
    ('{"pieces": [[1, true]]}', "$.pieces[0][1]"),
    ('{"pieces": [[1.0]]}', "$.pieces[0][0]"),
    ('{"pieces": [[1e0]]}', "$.pieces[0][0]"),
    ('{"pieces": [[-1]]}', "$.pieces[0][0]"),
    ('{"pieces": [[16]]}', "$.pieces row 0 column 0"),
    ('{"topology": "hexagonal", "pieces": [[64]]}', "$.pieces[0][0]"),
    ('{"pieces": [[1, 1], [1]]}', "$.pieces[1]"),
    ('{"pieces": []}', "0x0"),
    ('{"pieces": [[]]}', "0x1"),
    ('{"pieces": [[1]], "lockd": [[0, 0]]}', "lockd"),
    ('{"pieces": [[1]], "locked": [[0, 1]]}', "$.locked[0]"),
    ('{"pieces": [[1]], "walls": [[0, 0, "NE"]]}', "$.walls[0]"),
    ('{"pieces": [[1]], "walls": [[0, 0]]}', "$.walls[0]"),
    ('{"pieces": [[1]], "rules": "oak"}', "$.rules"),
    ('{"pieces": [[1]], "family": "puzzle"}', "$.family"),
    ('{"pieces": [[1]], "name": "\\ud800"}', "name"),
    ('{"pieces": [[1]], "\\ud800": 1}', "half a character"),
    ('{"pieces": [[1]], "rules": "\\ud800"}', "half a character"),
    ('{"\\ud800": 1}', "'\\ud800'"),
    ('{"pieces": [[1]], "pieces": [[1]]}', "'pieces' twice"),
    ('{"pieces": [[NaN]]}', "NaN"),
    ('{"pieces": [[-Infinity]]}', "-Infinity"),
    ('{"pieces": [[' + "1" * 5000 + "]]}", "5000 digits"),
    ('{"pieces": [[1]]', "the end"),
    ('{"pieces": [[1]]} {"pieces": [[1]]}', "column 18"),
    ("{'pieces': [[1]]}", "column 2"),
    ('{"pieces": [[1],]}', "line 1, column 17"),
    ("[" * 100_000, "literal, line 1"),
    ('{"tiles": [1], "width": 1, "height": 2, "grid": "square"}', "$.tiles"),
    ('{"tiles": [], "width": 99999999, "height": 99999999, "grid": "square"}', "at most"),
    ('{"tiles": [1], "width": 1, "height": 1, "grid": "cube"}', "$.grid"),
    ('{"tiles": [16], "width": 1, "height": 1, "grid": "square"}', "$.tiles"),
    ('{"vertices": [{"ports": 1, "domain": {}}]}', "$.vertices[0].domain"),
    ('{"vertices": [{"ports": 1, "domain": {"table": [0], "counts": [0]}}]}', "two domains"),
    ('{"vertices": [{"ports": 1, "domain": {"table": []}}]}', "empty table"),
    ('{"vertices": [{"ports": 99999999, "domain": {"counts": "even"}}]}', "$.vertices[0].ports"),
    ('{"vertices": [{"ports": 1, "domain": {"table": [0]}}], "edges": [[0, 0, 1, 0]]}', "vertex 1"),
    ('{"vertices": [{"ports": 1, "domain": {"table": [0]}}], "free_stubs": [[0, 1]]}', "port 1"),
    ('{"vertices": [{"ports": 1, "domain": {"table": [0]}}], "closed_stubs": []}', "[0, 0]"),
    ('{"vertices": [], "rules": {"leaks": "sealed"}}', "sealed"),
    ('{"vertices": [], "rules": {"connect": "reach", "sources": [0]}}', "no vertex 0"),
    ('{"vertices": [], "edge_costs": [1]}', "$.edge_costs"),
    ('{"vertices": [], "mask_costs": [[]]}', "$.mask_costs"),
    ("[3]", "$[0]"),
    ("{}", "no fields"),
    ("[]", "an empty list"),
    ('[{"map": [[1, 9]]}]', "found 9 at $[0].map[0][1]"),
    ("[[0, 1], [1, -2]]", "found -2 at $.tiles[1][1]"),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_bad_json_is_refused(text: str, said: str):
    """One error that says where: line and column of broken JSON, else the path."""
    with pytest.raises(InputError) as caught:
        loads(text)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


def test_json_may_span_lines_and_blank_lines():
    """Pretty-printed values; the error of a broken one says where it began."""
    (found,) = loads('{\n "pieces":\n\n [[4],\n\n [1]]\n}\n')
    assert found.puzzle.vertices == 2
    with pytest.raises(InputError, match=r"line 3, column 3.*begins on line 1"):
        loads('{\n "pieces":\n  x}\n')
