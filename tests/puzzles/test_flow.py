"""Flow boards: terminals, groups, formats, answers in words, pictures, sameness, the generator."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flow_tools import flow_of, layouts, right
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from plumbench.puzzles.answers import answers, fit
from plumbench.puzzles.errors import InputError, InvalidPuzzle, UsageError
from plumbench.puzzles.flow import Flow
from plumbench.puzzles.formats import dumps, loads, records
from plumbench.puzzles.generators import make
from plumbench.puzzles.generators.flow import canonical
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.model import joined_edges
from plumbench.puzzles.topology import rotate
from plumbench.solvers.run import solve
from plumbench.solvers.unique import Verdict, judge
from strategies import flows, letters

SCHEMA = Draft202012Validator(records.schema())
SQUARE = "┌ ┐\n└ ┘"


def same(one: Flow, other: Flow) -> bool:
    """Whether two boards say the same, but for where they were read."""
    boards = [(f.board.pieces.tolist(), f.board.locked.tolist()) for f in (one, other)]
    walls = [(f.board.walls.tolist(), f.board.topology, f.board.oriented) for f in (one, other)]
    facts = [(f.sources, f.sinks, f.wish, f.border, f.rules, f.name) for f in (one, other)]
    turns = [f.board.turns.tolist() for f in (one, other)]
    return all(a == b for a, b in (boards, walls, facts, turns))


@settings(max_examples=25)
@given(flow=flows(), way=st.sampled_from([1, 2, 3]))
def test_formats_round_trip(flow: Flow, way: int) -> None:
    """Text and JSON keep all that a flow board says; the JSON obeys the schema."""
    flow = flow.with_turns(way)
    text, record = dumps(flow, "text"), dumps(flow, "json")
    SCHEMA.validate(json.loads(record))
    for written in (text, record):
        [found] = loads(written)
        assert isinstance(found, Flow)
        assert same(found, flow)


@pytest.mark.parametrize(
    ("text", "line", "column", "found"),
    [
        ("sources: 1,1\n┌ ┐", 1, None, "a flow without sinks"),
        ("wish: any\n┌ ┐", 1, None, "a flow without sources"),
        ("sources: 1,1\nsinks: 1,x\n┌ ┐", 2, 8, "'1,x'"),
        ("sources: 1,1\nsinks: 1,2 2,1\n┌ ┐", 2, 12, "'2,1'"),
        ("sources: 0,1\nsinks: 1,2\n┌ ┐", 1, 10, "'0,1'"),
        ("sources: 1,1 1,2\nsinks: 1,2\nwish: paired\n┌ ┐", 2, 8, "'1,2'"),
        ("sources: 1,1\nsinks: 1,2\nwish: most\n┌ ┐", 3, 7, "'most'"),
        ("sources: 1,1\nsinks: 1,2\nborder: wet\n┌ ┐", 3, 9, "'wet'"),
        ("rules: tree\nsources: 1,1\nsinks: 1,2\n┌ ┐", 1, 8, "'tree'"),
        ("sources:\nsinks: 1,2\n┌ ┐", 1, 9, "no cell"),
        ("topology: hexagonal\nsources: 1,1\nsinks: 1,2\n01 02", 1, None, "flow: expected a board"),
        ('{"pieces": [[1]], "sources": [[0, 1]], "sinks": [[0, 0]]}', 1, None, "$.sources[0]"),
        ('{"pieces": [[1]], "sources": [[0, 0]]}', 1, None, "missing required field `sinks`"),
        ('{"pieces": [[1]], "sources": [[0, 0]], "sinks": []}', 1, None, "no sinks"),
    ],
)
def test_bad_input(text: str, line: int, column: int | None, found: str) -> None:
    """One error with its place and what was found."""
    with pytest.raises(InputError) as caught:
        loads(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert found.replace("`", "") in str(caught.value)


def test_bad_arguments() -> None:
    """Unknown words, cells that are not there and lists that do not fit are refused."""
    board = letters("LL", "LL")
    unknown: list[dict[str, Any]] = [{"wish": "most"}, {"border": "open"}, {"rules": "tree"}]
    for more in unknown:
        with pytest.raises(UsageError, match="a flow board knows"):
            Flow(board, (0,), (1,), **more)
    for sources, sinks in (((4,), (1,)), ((0,), (-1,)), ((), (1,)), ((0,), ())):
        with pytest.raises(InvalidPuzzle):
            Flow(board, sources, sinks)
    with pytest.raises(InvalidPuzzle, match="expected as many"):
        Flow(board, (0, 1), (2,), wish="paired")
    with pytest.raises(UsageError, match="does not say how its pieces lie"):
        Flow(board, (0,), (1,)).with_objective(Objective("rotations"))
    with pytest.raises(UsageError, match="a flow board offers rotations"):
        Flow(board, (0,), (1,)).with_objective(Objective("length"))


def test_pairs_that_share_a_cell_are_one_group() -> None:
    """Hanging together is transitive, so chained pairs make one set, with one water."""
    flow = flow_of(SQUARE, sources="1,1 1,2", sinks="1,2 2,2", wish="paired")
    assert flow.groups == [[0, 1, 3]]
    assert flow.puzzle.vertices == 4
    apart = flow_of(SQUARE, sources="1,1 1,2", sinks="2,1 2,2", wish="paired")
    assert apart.groups == [[0, 2], [1, 3]]
    assert apart.puzzle.vertices > 8


def reasons(flow: Flow, answer: str) -> tuple[str, ...]:
    """What is wrong with an answer."""
    [given] = answers(answer)
    return fit(flow, given)[1].reasons


def test_faults_in_words() -> None:
    """Wrong layouts are judged in the terms of the board."""
    flow = flow_of(SQUARE, sources="1,1", sinks="2,2", rules="strict")
    assert reasons(flow, "[[6, 12], [3, 9]]") == ()
    assert reasons(flow, "┌─┐\n└─┘") == ()
    assert "row 2, column 2 is dry: no water reaches it" in reasons(flow, "[[6, 9], [3, 6]]")
    assert "row 1, column 1 leaks up: the border or a wall is there" in reasons(
        flow, "[[9, 12], [3, 9]]"
    )
    [wrong] = reasons(flow.with_rules("reach"), "[[6, 12], [3, 5]]")
    assert wrong.startswith("row 2, column 2 opens up-down, the puzzle's piece there opens")
    any_sink = flow_of(SQUARE, sources="1,1", sinks="2,2 1,2", wish="any", rules="reach")
    assert reasons(any_sink, "[[6, 9], [3, 9]]") == ()
    assert reasons(any_sink, "[[9, 9], [3, 9]]") == ("no sink is reached",)
    pairs = flow_of(SQUARE, sources="1,1 1,2", sinks="2,1 2,2", wish="paired", rules="sealed")
    assert reasons(pairs, "[[6, 12], [3, 9]]") == ()
    found = reasons(pairs, "[[6, 12], [3, 6]]")
    assert "row 2, column 2 does not hang together with row 1, column 2" in found
    assert not any("copy" in reason for reason in found)


@settings(max_examples=30)
@given(flow=flows(), data=st.data())
def test_objections_agree(flow: Flow, data: st.DataObject) -> None:
    """An answer is objected to, or refused by the checker, exactly if it is wrong."""
    masks = data.draw(st.sampled_from(list(layouts(flow))))
    width = flow.board.width
    answer = [list(masks[at : at + width]) for at in range(0, len(masks), width)]
    assert fit(flow, answer)[1].ok == right(flow, masks)
    assert not (right(flow, masks) and flow.objections(answer))


def test_euler_walks_the_board() -> None:
    """Trails run over the joints of the board, not over helpers."""
    pairs = flow_of(SQUARE, sources="1,1 1,2", sinks="2,1 2,2", wish="paired", rules="sealed")
    solution = pairs.encode([[6, 12], [3, 9]])
    puzzle, plain = pairs.joints(solution)
    assert (puzzle.vertices, int(joined_edges(puzzle, plain).sum())) == (4, 4)


def test_pictures() -> None:
    """Sources and sinks stand before their cells, wet pieces are heavy, the legend says so."""
    flow = flow_of("┌ ┐\n└! E", sources="1,1", sinks="2,1 1,1", wish="any")
    legend = "# sink, @ source and sink, heavy: locked, any sink will do"
    assert flow.draw() == f"@L L\n#┗╴E\n{legend}"
    oriented = flow_of(SQUARE, sources="1,1", sinks="2,2")
    solution = oriented.encode([[6, 12], [12, 9]])
    assert oriented.draw(solution) == "*┏━┓\n╶┐#┛\n* source, # sink, heavy: wet"
    marked = oriented.draw(solution, marked=frozenset({1, 99}))
    assert marked.splitlines()[0] == "* ┏ ━[┓]"


def test_details() -> None:
    """JSON tells the wet cells, and the turns where rotations count."""
    flow = flow_of("└ ┐\n└ ┘", sources="1,1", sinks="1,2")
    solution = flow.encode([[6, 12], [3, 9]])
    assert flow.details(solution)["wet"] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    priced = flow.with_objective(Objective("rotations"))
    assert priced.details(solution)["turns"] == [[1, 0], [0, 0]]


def turned(flow: Flow) -> Flow:
    """The board a quarter turn clockwise."""
    board, width, height = flow.board, flow.board.width, flow.board.height
    place = [column * height + height - 1 - row for row in range(height) for column in range(width)]
    old = np.argsort(place)
    pieces = np.array([rotate(mask, 1, 4) for mask in board.pieces[old].tolist()])
    topology = replace(board.topology, width=height, height=width)
    moved = replace(
        board,
        topology=topology,
        pieces=pieces,
        locked=board.locked[old],
        walls=np.roll(board.walls[old], 1, axis=1),
        turns=board.turns[old],
    )
    terminals = [tuple(place[cell] for cell in cells) for cells in (flow.sources, flow.sinks)]
    return replace(flow, board=moved, sources=terminals[0], sinks=terminals[1])


@settings(max_examples=20)
@given(flows())
def test_sameness(flow: Flow) -> None:
    """A turned board is the same, has as many solutions, and one with a further terminal or
    another rule is another.
    """
    around = turned(flow)
    assert canonical(around) == canonical(flow)
    numbers = [sum(right(f, masks) for masks in layouts(f)) for f in (flow, around)]
    assert numbers[0] == numbers[1]
    for more in ({"rules": "strict" if flow.rules == "reach" else "reach"},
                 {"border": "free" if flow.border == "closed" else "closed"}):  # fmt: skip
        assert canonical(replace(flow, **more)) != canonical(flow)
    unused = sorted(set(range(flow.board.cells)) - set(flow.sinks))
    if unused and flow.wish != "paired":
        assert canonical(replace(flow, sinks=(*flow.sinks, unused[0]))) != canonical(flow)


@pytest.mark.parametrize("others", ["tight", "random", "blank"])
def test_generated_boards(others: str) -> None:
    """The same seed gives the same board, which is solvable as its setting promises."""
    rules = ["reach", "sealed"] if others == "random" else list(Flow.rules_offered)
    for seed in range(12):
        size = [(1, 1), (1, 6), (5, 2), (4, 4)][seed % 4]
        ends: dict[str, Any] = {} if size == (1, 1) else {"sources": 2, "sinks": 2}
        made = make("flow", *size, seed, others=others, wish="paired", **ends)
        assert isinstance(made, Flow)
        again = make("flow", *size, seed, others=others, wish="paired", **ends)
        assert dumps(made, "json") == dumps(again, "json")
        for rule in rules:
            answer = solve(made.with_rules(rule).puzzle, "propagation")
            assert answer.solution is not None, (made.draw(), rule)


def test_generator_refuses() -> None:
    """Too many terminals and unknown settings are refused."""
    with pytest.raises(UsageError, match="no more than the 4 cells"):
        make("flow", 2, 2, 1, sources=3, sinks=2)
    with pytest.raises(UsageError, match="others 'all'"):
        make("flow", 2, 2, 1, others="all")
    with pytest.raises(UsageError, match="wish 'most'"):
        make("flow", 2, 2, 1, wish="most")


def test_uniqueness_speaks_of_cells() -> None:
    """Whatever helper vertices a wish takes, what differs and what is forced are cells."""
    flow = flow_of("┐ ┐\n└! ┘", sources="1,1 1,2", sinks="2,1 2,2", wish="paired", rules="article")
    found = judge(flow.puzzle, "propagation")
    number = sum(right(flow, masks) for masks in layouts(flow))
    assert found.verdict is (Verdict.UNIQUE if number == 1 else Verdict.AMBIGUOUS)
    listed = [*found.differing, *found.alike, *(found.forced or ())]
    assert listed
    assert max(listed) < 4
