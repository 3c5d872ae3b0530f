"""DIMACS text keeps the number of variables, and complains about headers that are wrong."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbench.encodings.dimacs import Formula, export, read, write
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import InputError, Unsupported
from plumbench.puzzles.model import EVEN, Costs, Puzzle, Rules
from strategies import assignments, letters, small_multigraph

CLAUSE = st.lists(st.integers(1, 9).flatmap(lambda v: st.sampled_from([v, -v])), max_size=5)


def count_models(formula: Formula) -> int:
    """Models over all variables of the formula, by trying all assignments of those used."""
    used = sorted({abs(x) for clause in formula.clauses for x in clause})
    number = 0
    for bits in range(1 << len(used)):
        true = {v if bits >> i & 1 else -v for i, v in enumerate(used)}
        number += all(any(x in true for x in clause) for clause in formula.clauses)
    return number << formula.variables - len(used)


@given(clauses=st.lists(CLAUSE, max_size=6), unused=st.integers(0, 3))
def test_what_is_written_is_read(clauses: list[list[int]], unused: int) -> None:
    """Clauses (empty ones, too) and the number of variables survive, without a warning."""
    variables = max((abs(x) for c in clauses for x in c), default=0) + unused
    text = write(variables, clauses, ["a comment"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(text) == Formula(variables, tuple(map(tuple, clauses)))


def test_a_header_with_more_variables_is_believed() -> None:
    """Case P03: 50 variables announced, 4 used up to 19: counts would be off by 2 to the 31."""
    text = "p cnf 50 91\n4 -18 19 0\n3 18 -5 0\n"
    with pytest.warns(UserWarning, match="announces 91 clauses, found 2"):
        formula = read(text)
    assert formula == Formula(50, ((4, -18, 19), (3, 18, -5)))
    again = read(write(formula.variables, formula.clauses))
    assert count_models(again) == count_models(Formula(19, formula.clauses)) << 31


def test_a_header_with_fewer_variables_is_corrected() -> None:
    """Every variable of a clause counts, and the header is complained about."""
    with pytest.warns(UserWarning, match="announces 1 variables, found variable 3"):
        assert read("p cnf 1 1\n1 -3 0\n").variables == 3


def test_clauses_may_span_lines_and_share_them() -> None:
    """Only the zeros matter; comments and SATLIB's last lines are passed over."""
    text = "c first\np cnf 3 3\n1\n-2 0 3 0\nc between\n0\n%\n0\n"
    assert read(text) == Formula(3, ((1, -2), (3,), ()))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found no header"),
        ("1 2 0\n", "line 1: found '1 2 0'"),
        ("p sat 3 1\n1 0\n", "line 1: found 'p sat 3 1'"),
        ("p cnf 3 x\n", "line 1"),
        ("c\np cnf 3 1\n1 two 0\n", "line 3: found 'two'"),
        ("p cnf 3 1\n1 2\n", "unfinished clause"),
        ("p cnf 3 1\n1 ² 0\n", "line 2: found '²'"),
    ],
)
def test_malformed_text_is_an_error_with_its_line(text: str, message: str) -> None:
    """One InputError that says where and what was expected."""
    with pytest.raises(InputError, match=message):
        read(text, "board.cnf")


@pytest.mark.parametrize(
    "puzzle",
    [
        letters("LL", "LL", rules="match").puzzle,
        letters(".EE", "TLI", rules="match").puzzle,
        small_multigraph(),
        Puzzle.build([(7, EVEN)], free=[(0, i) for i in range(7)]),
        letters("EL", rules="match").puzzle.with_rules(Rules("allowed")),
    ],
    ids=["ring", "blank", "multigraph", "parity", "leaks allowed"],
)
def test_an_exported_puzzle_has_as_many_models_as_solutions(puzzle: Puzzle) -> None:
    """Auxiliaries and unused variables do not change the count."""
    right = sum(check(puzzle, s).ok for s in assignments(puzzle))
    assert count_models(read(export(puzzle))) == right


def test_an_export_names_the_variable_of_each_port() -> None:
    """The two ports of the one edge share variable 1; border ports have none."""
    lines = export(letters("EE", rules="match").puzzle).splitlines()
    assert [line for line in lines if line.startswith("c port")] == [
        "c port 1 variable 1",
        "c port 7 variable 1",
    ]


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        (Rules(connect="used"), "connect used"),
        (Rules(acyclic=True), "acyclic"),
        (Rules("sealed", "reach", sources=(0,)), "connect reach"),
    ],
)
def test_what_clauses_cannot_say_is_not_exported(rules: Rules, what: str) -> None:
    """Leaving a rule out of a file silently would change the answer."""
    with pytest.raises(Unsupported, match=what):
        export(letters("EE").puzzle.with_rules(rules))


def test_costs_are_not_dropped_silently() -> None:
    """Clauses have no objective."""
    costs = Costs(((),), np.zeros(2, np.int64), np.ones(1, np.int64))
    with pytest.raises(Unsupported, match="objective"):
        export(replace(letters("EE", rules="match").puzzle, costs=costs))
