"""Who is right when engines disagree: the side with a checked solution, never the majority."""

from __future__ import annotations

import json

import numpy as np
import plumbench
import pytest
from harness import parallel
from plumbench.benchmarks.judging.agreement import compare, judge
from plumbench.benchmarks.judging.evidence import keep_evidence
from plumbench.benchmarks.processes.jobs import Outcome, Result
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.instance import Objective
from plumbench.puzzles.model import EVEN, Counts, Puzzle, Rules, Table, ports_from_masks
from plumbench.solvers.contract import Reason, Status

SAT, UNSAT, UNKNOWN = Status.SATISFIABLE, Status.UNSATISFIABLE, Status.UNKNOWN


def solutions(puzzle: Puzzle, number: int):
    """The first solutions of a ``parallel`` puzzle."""
    return tuple(ports_from_masks(puzzle, [1 << i, 1 << i]) for i in range(number))


def counted(puzzle: Puzzle, value: int, exact: bool = True) -> Result:
    """An honest record of a count."""
    status = SAT if value else UNSAT
    return Result(
        Outcome.ANSWERED, status, solutions=solutions(puzzle, value), count=value, exact=exact
    )


def test_two_liars_do_not_outvote_a_witness(fakes, tmp_path):
    """Case H17: two say unsatisfiable, one shows a valid board: it is right, the run fails."""
    puzzle = parallel(2)
    solvers = ["liar_unsat", "liar_unsat:again", "honest"]
    result = compare(puzzle, solvers, seconds=60, evidence=tmp_path / "kept")
    judgement = result.judgement
    assert judgement.status is SAT
    assert judgement.disqualified == {"liar_unsat", "liar_unsat:again"}
    assert not judgement.unresolved
    assert result.exit_code == 4
    assert "DISAGREEMENT: liar_unsat is wrong" in str(result)
    (file,) = (tmp_path / "kept").iterdir()
    kept = json.loads(file.read_text())
    assert kept["fingerprint"] == puzzle.fingerprint
    assert [run["solver"] for run in kept["runs"]] == solvers
    assert [run["status"] for run in kept["runs"]] == ["unsatisfiable"] * 2 + ["satisfiable"]
    assert kept["runs"][2]["solutions"] == [[1, 1]]


def test_evidence_holds_the_whole_model(tmp_path):
    """The file says every domain, edge and rule: the puzzle can be read back from it."""
    puzzle = Puzzle.build(
        [(2, Table(2, (1, 2))), (2, EVEN), (2, Counts(frozenset({2, 0})))],
        [(0, 0, 1, 0), (1, 1, 2, 0)],
        rules=Rules(connect="used", needed=(0,)),
    )
    kept = json.loads(keep_evidence(tmp_path, puzzle, ["x"], []).read_text())
    assert kept["complaints"] == ["x"]
    (back,) = plumbench.loads(json.dumps(kept["puzzle"]))
    assert back.puzzle.fingerprint == puzzle.fingerprint


def test_evidence_names_the_objective(tmp_path):
    """The file says what was to be least or most, null where nothing was."""
    (tiles,) = plumbench.loads("0|1 1|2")
    for given, said in (
        (tiles, None),
        (tiles.with_objective(Objective("weight", maximise=True)), "maximise weight"),
        (tiles.with_objective(Objective("length")), "minimise length"),
    ):
        kept = json.loads(keep_evidence(tmp_path, given, ["x"], []).read_text())
        assert kept["objective"] == said


def test_a_false_infeasible_is_flagged(fakes):
    """Case C08: one engine, told to use more workers, says infeasible; its other self has a
    witness, which stands.
    """
    result = compare(parallel(1), ["honest", "liar_unsat:workers=8"], seconds=60, jobs=2)
    assert result.judgement.status is SAT
    assert result.judgement.disqualified == {"liar_unsat:workers=8"}
    assert result.exit_code == 4


def test_an_invalid_solution_is_wrong(fakes):
    """A board that the checker refuses disqualifies its engine and leaves the others alone."""
    result = compare(parallel(2), ["liar_board", "honest"], seconds=60)
    assert result.runs[0][1].outcome is Outcome.WRONG
    assert result.judgement.disqualified == {"liar_board"}
    assert result.judgement.status is SAT
    assert result.exit_code == 4


def test_a_forger_behind_a_broken_checker_is_caught(fakes):
    """Solutions are checked again in this process, whatever the child says of them."""
    result = compare(parallel(2), ["forger"], seconds=60)
    assert result.runs[0][1].outcome is Outcome.ANSWERED
    assert result.judgement.disqualified == {"forger"}
    assert result.judgement.status is UNKNOWN


def test_a_false_count_is_refuted_by_solutions(fakes):
    """One says exactly 1, the other shows 3 different solutions."""
    result = compare(parallel(3), ["liar_count", "honest"], count=True, seconds=60)
    assert result.judgement.disqualified == {"liar_count"}
    assert (result.judgement.count, result.judgement.exact) == (3, True)


def test_honest_engines_agree(fakes):
    """Agreement names status and count; the table shows each engine's own counters."""
    result = plumbench.compare(parallel(3), ("honest", "picky"), count=True, seconds=60)
    assert result.judgement.agreed
    assert result.exit_code == 0
    assert "agree: satisfiable, exactly 3" in result.verdict()
    assert "tried 9" in str(result)
    assert "unsupported" in str(result)
    unsolvable = compare(parallel(3, solvable=False), ["honest"])
    assert (unsolvable.judgement.status, unsolvable.exit_code) == (UNSAT, 1)


def test_no_verdict_has_an_exit_code_of_its_own(fakes):
    """Nobody able: 2; nobody in time: 3; an engine that fails inside: 70."""
    assert compare(parallel(2), ["picky", "absent"]).exit_code == 2
    assert compare(parallel(2), ["picky", "hang"], seconds=0.3).exit_code == 3
    assert compare(parallel(2), ["honest", "raiser"]).exit_code == 70


def test_wrong_names_are_errors():
    """No solvers, or an unknown one, is the caller's mistake."""
    with pytest.raises(UsageError):
        compare(parallel(2), [])
    with pytest.raises(UsageError):
        compare(parallel(2), ["nonsense"])


def test_an_at_least_count_agrees_with_a_larger_exact_one():
    """At least 2 and exactly 3 do not contradict each other."""
    puzzle = parallel(3)
    judgement = judge(puzzle, [("a", counted(puzzle, 2, exact=False)), ("b", counted(puzzle, 3))])
    assert judgement.agreed
    assert (judgement.count, judgement.exact) == (3, True)
    judgement = judge(puzzle, [("a", counted(puzzle, 2, exact=False))])
    assert (judgement.count, judgement.exact) == (2, False)


def test_different_solutions_of_different_engines_add_up():
    """Two engines that say "exactly 1" and show two different solutions are both wrong."""
    puzzle = parallel(3)
    first, second = solutions(puzzle, 2)
    runs = [
        (name, Result(Outcome.ANSWERED, SAT, solutions=(s,), count=1, exact=True))
        for name, s in (("a", first), ("b", second))
    ]
    judgement = judge(puzzle, runs)
    assert judgement.disqualified == {"a", "b"}
    assert (judgement.status, judgement.count, judgement.exact) == (SAT, 2, False)


def test_claims_without_evidence_stay_unresolved():
    """Unsatisfiable against satisfiable without a solution: nobody is believed, it fails."""
    puzzle = parallel(3, solvable=False)
    none = Result(Outcome.ANSWERED, UNSAT)
    bare = Result(Outcome.ANSWERED, SAT)
    judgement = judge(puzzle, [("a", none), ("b", none), ("c", bare)])
    assert not judgement.agreed
    assert not judgement.wrong
    assert (judgement.status, judgement.count, judgement.exact) == (UNKNOWN, 0, False)
    assert "a says unsatisfiable" in judgement.unresolved
    assert "c says at least 1" in judgement.unresolved


def test_a_high_count_beyond_what_is_kept_is_unresolved_not_voted():
    """Exact counts that differ beyond the solutions at hand contradict, nobody is named."""
    puzzle = parallel(3)
    shown = solutions(puzzle, 2)
    runs = [
        (name, Result(Outcome.ANSWERED, SAT, solutions=shown, count=n, exact=True))
        for name, n in (("a", 1000), ("b", 1000), ("c", 999))
    ]
    judgement = judge(puzzle, runs)
    assert judgement.unresolved
    assert not judgement.wrong
    assert (judgement.count, judgement.exact) == (2, False)


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not Outcome.ANSWERED])
def test_only_answers_can_say_no(outcome):
    """A run that did not end by itself never claims "none" or "exactly"."""
    puzzle = parallel(2)
    broken = Result(outcome, UNSAT, Reason.TIME, count=0, exact=True)
    judgement = judge(puzzle, [("a", counted(puzzle, 2)), ("b", broken)])
    assert judgement.disqualified == ({"b"} if outcome is Outcome.WRONG else set())
    assert (judgement.status, judgement.count) == (SAT, 2)
    assert judge(puzzle, [("b", broken)]).status is UNKNOWN


def test_a_witness_counts_even_if_its_run_was_killed():
    """What a killed run had found refutes "unsatisfiable"."""
    puzzle = parallel(2)
    killed = Result(Outcome.TIMEOUT, SAT, solutions=solutions(puzzle, 1), count=1, exact=False)
    judgement = judge(puzzle, [("a", Result(Outcome.ANSWERED, UNSAT)), ("b", killed)])
    assert judgement.disqualified == {"a"}


def test_malformed_solutions_are_wrong_not_fatal():
    """A solution of a wrong shape disqualifies its engine and is kept as evidence."""
    puzzle = parallel(2)
    odd = Result(Outcome.ANSWERED, SAT, solutions=(np.ones(3, dtype=np.bool_),))
    judgement = judge(puzzle, [("a", odd)])
    assert judgement.disqualified == {"a"}
    assert judgement.status is UNKNOWN


def test_of_a_lost_puzzle_claims_are_compared():
    """Without the puzzle nothing is checked and nobody is believed: contradictions of numbers or
    optima are unresolved, agreeing claims agree.
    """
    yes = Result(Outcome.ANSWERED, Status.SATISFIABLE, solutions=(np.ones(4, dtype=np.bool_),))
    no = Result(Outcome.ANSWERED, Status.UNSATISFIABLE)
    assert judge(None, [("a", yes), ("b", yes)]).agreed
    assert judge(None, [("a", yes)]).status is Status.UNKNOWN
    found = judge(None, [("a", yes), ("b", no)])
    assert found.unresolved == "b says unsatisfiable; a says at least 1"
    assert not found.wrong
    four, five = (Result(Outcome.ANSWERED, Status.OPTIMAL, cost=c) for c in (4, 5))
    assert judge(None, [("a", four), ("b", four)]).agreed
    assert judge(None, [("a", four), ("b", five)]).unresolved == (
        "a calls 4 optimal; b calls 5 optimal"
    )


def test_contradictions_of_numbers_of_any_length_are_told():
    """Counts that Python does not print by itself contradict each other like small ones."""
    huge = 10**5000
    runs = [
        (name, Result(Outcome.ANSWERED, SAT, count=value, exact=True))
        for name, value in (("a", huge), ("b", huge + 1))
    ]
    told = judge(None, runs).unresolved
    assert told.startswith("a says exactly 10000")
    assert told.endswith("0001")
