"""Article 001's search: its node counts, its behaviour, and its variants."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flow_tools import flow_of, golden_flows
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.errors import Unsupported, UsageError
from plumbench.puzzles.flow import Flow
from plumbench.solvers.contract import Limits, Reason, Status
from plumbench.solvers.registry import get
from plumbench.solvers.run import count, solutions, solve
from strategies import flows

Shared = Callable[..., Path]
VARIANTS = ("no-border", "no-conflict", "no-border:no-conflict", "connectivity", "astar")


def calls(flow: Flow, name: str = "reference") -> int:
    """The calls of the whole search."""
    found = count(flow.puzzle, name).stats["calls"]
    assert isinstance(found, int)
    return found


def test_node_counts(shared: Shared) -> None:
    """On the 13 boards, verdict and calls are the article's, to the first solution and to all;
    9 and 231 on its examples.
    """
    seen = {}
    for flow, facts in golden_flows(shared("golden", "001_boards.json")):
        ruled = flow.with_rules("article")
        answer = solve(ruled.puzzle, "reference")
        assert (answer.status is Status.SATISFIABLE) == facts["seed_solved"]
        assert answer.stats["calls"] == facts["seed_nodes_first"], flow.name
        assert calls(ruled) == facts["seed_nodes_enumerate_all"], flow.name
        seen[flow.name] = answer.stats["calls"]
    assert (seen["example1"], seen["example2"], len(seen)) == (9, 231, 13)


def test_example_2_contradicts_itself(shared: Shared) -> None:
    """Its layout as given reaches the exit, yet the article's rule leaves it no solution."""
    flow = golden_flows(shared("golden", "001_boards.json"))[1][0]
    assert solve(flow.with_rules("article").puzzle, "reference").status is Status.UNSATISFIABLE
    given_layout = flow.board.pieces.reshape(4, 4).tolist()
    reached = solve(flow.puzzle, "reference")
    assert reached.status is Status.SATISFIABLE
    assert reached.solution is not None
    assert flow.decode(reached.solution) == given_layout
    assert reached.stats["calls"] == 17


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=10)
@given(data=st.data())
def test_variants_find_the_same(variant: str, data: st.DataObject) -> None:
    """Every variant finds the plain search's solutions; without its prunings it calls as often
    or more, with the connectivity pruning as often or less.
    """
    flow = data.draw(flows(wish=data.draw(st.sampled_from(["all", "any"])), rules="article"))
    plain = {s.tobytes() for s in solutions(flow.puzzle, "reference")}
    name = f"reference:{variant}"
    assert {s.tobytes() for s in solutions(flow.puzzle, name)} == plain
    if variant.startswith("no-"):
        assert calls(flow, name) >= calls(flow)
    if variant == "connectivity":
        assert calls(flow, name) <= calls(flow)


def test_ablation() -> None:
    """What each pruning saves on a board with a locked straight."""
    flow = flow_of("┌ ┐ ┐\n│ ─! │\n└ ─ ┘", sources="1,1", sinks="3,3", rules="article")
    found = {v: calls(flow, f"reference:{v}") for v in VARIANTS}
    assert found["no-border:no-conflict"] > found["no-border"] > calls(flow)
    assert found["no-border:no-conflict"] > found["no-conflict"] >= calls(flow)
    assert found["connectivity"] <= calls(flow)


def test_the_order_is_that_of_turning() -> None:
    """Masks are tried as given first, then clockwise; so the first solution is the layout as
    given where that is one.
    """
    flow = flow_of("┐ ┌\n└ ┘", sources="1,1", sinks="1,2")
    answer = solve(flow.puzzle, "reference")
    assert answer.solution is not None
    assert flow.decode(answer.solution) == [[12, 6], [3, 9]]
    assert answer.stats["calls"] == 5


def test_options() -> None:
    """Options are refused by name on puzzles of another search, and unknown ones at once."""
    flow = flow_of("╶ ╴", sources="1,1", sinks="1,2", rules="strict")
    with pytest.raises(Unsupported, match="option 'connectivity' in the search for boards without"):
        solve(flow.puzzle, "reference:connectivity")
    with pytest.raises(UsageError, match="option 'greedy'"):
        get("reference:greedy")


def test_limits() -> None:
    """A node limit stops the search with its reason; called again it goes on."""
    flow = flow_of("┐ ┌\n└ ┘", sources="1,1", sinks="1,2")
    search = get("reference").start(flow.puzzle, Limits(nodes=3), many=False)
    assert search.next() is Reason.NODES
    assert not isinstance(search.next(), Reason)
    stopped = get("reference").start(flow.puzzle, Limits(seconds=1e-9), many=False)
    assert stopped.next() is Reason.TIME


def test_no_recursion() -> None:
    """A board far larger than Python's recursion limit is no trouble."""
    flow = flow_of(" ".join("╶" + "─" * 2998 + "╴"), sources="1,1", sinks="1,3000")
    assert solve(flow.puzzle, "reference").status is Status.SATISFIABLE
