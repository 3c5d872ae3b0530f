"""The command line's objectives: --minimise and --maximise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_tools import Plumbench, plumbench

__all__ = ["plumbench"]

ENDS = json.dumps(
    {
        "vertices": [{"ports": 1, "domain": {"table": [0, 1]}}] * 2,
        "edges": [[0, 0, 1, 0]],
        "edge_costs": [5],
        "mask_costs": [[[0, 1]], [[0, 1]]],
    }
)


def test_least_and_most(plumbench: Plumbench) -> None:
    """Solve gives the optimum in words and as JSON, in both directions."""
    least = plumbench("solve", ENDS, "--solver", "brute", "--minimise", "cost")
    assert (least.code, least.out.split(" under")[0]) == (0, "optimal at cost 2")
    most = plumbench("solve", ENDS, "--solver", "brute", "--maximise", "cost", "--json")
    record = json.loads(most.out)
    assert (record["status"], record["cost"], record["bound"]) == ("optimal", 5, 5)
    assert (record["solution"], record["verified"]) == ([1, 1], True)


def test_at_a_limit(plumbench: Plumbench, tmp_path: Path) -> None:
    """A best solution that is not proved best is printed with its cost, and exits 3."""
    result = plumbench(
        "solve", ENDS, "--solver", "brute", "--maximise", "cost", "--node-limit", "2"
    )
    assert result.code == 3
    assert "satisfiable at cost 2 (nothing proved, stopped: nodes)" in result.out


def test_compare(plumbench: Plumbench) -> None:
    """Compare judges optima."""
    arguments = ("compare", ENDS, "--solvers", "brute", "--minimise", "cost")
    result = plumbench(*arguments)
    assert (result.code, "optimal 2" in result.out) == (0, True)
    record = json.loads(plumbench(*arguments, "--json").out)
    assert (record["status"], record["cost"], record["runs"][0]["cost"]) == ("optimal", 2, 2)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("solve", ENDS, "--minimise", "cost", "--maximise", "cost"), "expected one of them"),
        (("solve", ENDS, "--minimise", "beauty"), "offers cost"),
        (("solve", ENDS, "--minimise", ""), "offers cost"),
        (("compare", ENDS, "--count", "--minimise", "cost"), "drop one of them"),
        (("solve", '{"vertices": []}', "--minimise", "cost"), "nothing to optimise"),
    ],
)
def test_what_cannot_be_optimised(
    plumbench: Plumbench, arguments: tuple[str, ...], complaint: str
) -> None:
    """One line that says what is wrong, exit code 2."""
    result = plumbench(*arguments)
    assert (result.code, complaint in result.err) == (2, True)
    assert "Traceback" not in result.err
