"""Claims of an optimum: what is refuted, what stands, how it is stored and compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from plumbench.benchmarks.campaign.store import JobKey, Row, Store
from plumbench.benchmarks.judging.agreement import compare, judge
from plumbench.benchmarks.processes.jobs import Job, Outcome, Result
from plumbench.benchmarks.processes.runner import run_one
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.model import Puzzle, Table
from plumbench.solvers.contract import Reason, Status

ENDS = Puzzle.build([(1, Table(1, (0, 1))), (1, Table(1, (0, 1)))], [(0, 0, 1, 0)], edge_costs=[5])
"""Two ends: joined they cost 5, apart nothing."""
APART, JOINED = np.zeros(2, dtype=np.bool_), np.ones(2, dtype=np.bool_)


def result(solution: np.ndarray, cost: int, status: str = "optimal", **more: object) -> Result:
    """A record of an optimisation."""
    made = Result(Outcome.ANSWERED, Status(status), solutions=(solution,), cost=cost)
    return replace(made, **more)


def test_a_run_in_a_child_brings_cost_and_bound() -> None:
    """The record of an optimisation holds its best solution alone, its cost and the bound."""
    found = run_one(Job(ENDS, "brute", "optimise"))
    assert (found.outcome, found.status) == (Outcome.ANSWERED, Status.OPTIMAL)
    assert (found.cost, found.bound, len(found.solutions)) == (0, 0, 1)
    most = replace(ENDS, costs=replace(ENDS.costs, maximise=True))  # pyright: ignore
    assert run_one(Job(most, "brute", "optimise")).cost == 5


@pytest.mark.parametrize(
    ("liar", "why"),
    [
        (result(JOINED, 5), "calls 5 optimal, but a solution of cost 0"),
        (result(APART, 5), "reports cost 5, but its solution costs 0"),
        (result(JOINED, 5, "satisfiable", bound=3), "gives the bound 3, but a solution of cost 0"),
        (Result(Outcome.ANSWERED, Status.UNSATISFIABLE), "unsatisfiable, but 1 solution passed"),
    ],
)
def test_a_refuted_claim_is_wrong(liar: Result, why: str) -> None:
    """A false optimum, cost, bound or unsatisfiable is wrong beside a better solution."""
    judged = judge(ENDS, [("honest", result(APART, 0)), ("liar", liar)])
    assert judged.disqualified == {"liar"}
    assert why in judged.complaints()[0]
    assert (judged.cost, judged.optimal) == (0, True)


def test_a_plain_solution_refutes_an_optimum() -> None:
    """Evidence counts whoever found it: also a run that only solved."""
    solved = Result(Outcome.ANSWERED, Status.SATISFIABLE, solutions=(APART,))
    judged = judge(ENDS, [("solver", solved), ("liar", result(JOINED, 5))])
    assert judged.disqualified == {"liar"}
    assert (judged.status, judged.cost, judged.optimal) == (Status.SATISFIABLE, 0, False)


def test_stopped_runs_agree_with_the_optimum() -> None:
    """A worse solution with an honest bound contradicts nothing."""
    late = result(JOINED, 5, "satisfiable", bound=-1, reason=Reason.TIME, outcome=Outcome.TIMEOUT)
    judged = judge(ENDS, [("honest", result(APART, 0)), ("slow", late)])
    assert judged.agreed
    assert (judged.status, judged.cost) == (Status.OPTIMAL, 0)


def test_compare_prints_the_costs() -> None:
    """Comparing optimisers shows costs and the optimum they agree on."""
    found = compare(ENDS, ["brute"], optimise=True)
    assert found.verdict() == "1 of 1 answered and agree: optimal, optimal 0"
    assert "cost" in str(found).splitlines()[1]
    with pytest.raises(UsageError, match="optimise"):
        compare(replace(ENDS, costs=None), ["brute"], optimise=True)


def test_the_store_keeps_costs(tmp_path: Path) -> None:
    """Costs and bounds come back from a store, of any size."""
    key = JobKey.of(Job(ENDS, "brute", "optimise"), {})
    run = result(APART, 0, bound=-(2**70))
    with Store(tmp_path / "runs.sqlite") as store:
        store.add(store.begin_campaign("s", {}, {}), Row(key, "ends", "puzzle", "given", "", run))
        [row] = store.rows()
    assert (row.result.cost, row.result.bound) == (0, -(2**70))
