"""Seeds: reshuffled puzzles for every engine, and the back ends' own."""

from __future__ import annotations

from functools import partial

import engines
import numpy as np
import pytest
from engines import GENERAL, engine, every_engine
from hypothesis import strategies as st
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import Unsupported, WrongAnswer
from plumbench.puzzles.model import Puzzle, Solution
from plumbench.puzzles.shuffle import shuffled
from plumbench.solvers.contract import Engine, Limits, Reason, Search, Status, Variant
from plumbench.solvers.registry import ENGINES, get
from plumbench.solvers.reshuffled import Reshuffled
from plumbench.solvers.run import count, optimise, solutions, solve
from plumbench.solvers.template import Template
from strategies import letters, multigraphs, small_multigraph, with_costs

SEEDED = st.tuples(multigraphs(all_rules=True), st.integers(0, 2**32))
PRICED = st.tuples(with_costs(multigraphs(all_rules=True)), st.integers(0, 2**32))


@pytest.mark.parametrize("name", ENGINES)
def test_plain_engines_use_one_thread(name: str) -> None:
    """A plain name is a single-threaded engine."""
    assert get(name).workers == 1


def test_workers_tell_their_number() -> None:
    """A variant with more threads says how many, reshuffled or not."""
    three = get("cpsat:lazy:workers3")
    assert three.workers == 3
    assert Reshuffled(three, shuffled(small_multigraph(), 1)).workers == 3


def test_engines_whose_order_is_their_meaning_take_no_seeds() -> None:
    """The articles' searches and brute force are asked about the puzzle as it is given."""
    unseeded = [name for name in ENGINES if not get(name).capabilities.seeds]
    assert unseeded == ["reference", "brute"]
    for name in unseeded:
        with pytest.raises(Unsupported, match="a seed"):
            Reshuffled(get(name), shuffled(small_multigraph(), 1))


# ---- reshuffled ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GENERAL)
def test_reshuffled_engines_find_the_same_solutions(name: str) -> None:
    """All solutions of random multigraphs, in the order of ports that was given."""

    def test(example: tuple[Puzzle, int]) -> None:
        puzzle, seed = example
        seeded = Reshuffled(engine(name), shuffled(puzzle, seed))
        found = {solution.tobytes() for solution in solutions(puzzle, seeded)}
        assert found == {solution.tobytes() for solution in solutions(puzzle, "brute")}

    engines.each(name, SEEDED, 60, test)


@pytest.mark.parametrize("name", GENERAL)
def test_reshuffled_engines_find_the_same_optimum(name: str) -> None:
    """The best cost of random multigraphs, with its proof."""

    def test(example: tuple[Puzzle, int]) -> None:
        puzzle, seed = example
        best = optimise(puzzle, "brute").cost
        engines.optimises(Reshuffled(engine(name), shuffled(puzzle, seed)), puzzle, best)

    engines.each(name, PRICED, 40, test)


@every_engine
def test_a_seed_changes_the_work_alone(name: str) -> None:
    """Engines that take seeds find the same number on a board; counters come through."""
    puzzle = letters("LIL", "TIT", "LIL").puzzle
    plain = engine(name)
    if not plain.capabilities.seeds:
        return
    found = count(puzzle, Reshuffled(plain, shuffled(puzzle, 5)))
    assert (found.value, found.exact) == (count(puzzle, plain).value, True)
    assert found.stats.keys() == count(puzzle, plain).stats.keys()


def test_reshuffling_changes_the_course_of_a_search() -> None:
    """Over some seeds the work differs, and a seed repeats itself exactly."""
    puzzle = letters(*["L" * 8] * 8, rules="connected", wrap=True).puzzle
    runs = [solve(puzzle, Reshuffled(get("sat"), shuffled(puzzle, seed))) for seed in (1, 2, 3, 1)]
    assert len({run.stats["propagations"] for run in runs[:3]}) > 1
    assert runs[0].stats == runs[3].stats
    assert np.array_equal(np.asarray(runs[0].solution), np.asarray(runs[3].solution))


class Liar(Template):
    """Gives a solution of the puzzle as if it had not been reshuffled, or any shape."""

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Lie."""
        search = super().start(puzzle, limits, many=many)
        search.next = lambda: np.ones(puzzle.ports + 1, dtype=np.bool_)  # type: ignore[method-assign]
        return search


def test_a_wrong_answer_stays_wrong() -> None:
    """What has no right shape is handed to the checker as it is, which refuses it."""
    puzzle = small_multigraph()
    with pytest.raises(WrongAnswer):
        solve(puzzle, Reshuffled(Liar(Variant("template")), shuffled(puzzle, 1)))


def test_a_reason_and_a_bound_come_through() -> None:
    """A search that stops says why, and what it has proved of the costs."""
    puzzle = letters(*["L" * 8] * 8, rules="connected", wrap=True).puzzle
    seeded = Reshuffled(get("propagation"), shuffled(puzzle, 1))
    stopped = count(puzzle, seeded, Limits(nodes=3))
    assert (stopped.exact, stopped.reason) == (False, Reason.NODES)
    assert stopped.stats


def test_only_the_puzzle_it_was_made_for() -> None:
    """Solutions of another puzzle could not be restored."""
    seeded: Engine = Reshuffled(get("sat"), shuffled(small_multigraph(), 1))
    with pytest.raises(ValueError, match="another puzzle"):
        solve(small_multigraph(), seeded)


# ---- the back ends' own ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cpsat:seed7", "cpsat:lazy:seed0", "milp:seed7"])
def test_own_seeds_change_no_answer(name: str) -> None:
    """Under its own seed an engine is as right as without."""
    board = letters("LIL", "TIT", "LIL")
    assert count(board.puzzle, name).value == count(board.puzzle, "brute").value
    puzzle = letters("LI", "LL").puzzle
    assert solve(puzzle, name).status == solve(puzzle, "brute").status
    found = solve(board.puzzle, name)
    assert found.status == Status.SATISFIABLE
    assert _right(board.puzzle, found.solution)


def _right(puzzle: Puzzle, solution: Solution | None) -> bool:
    return solution is not None and check(puzzle, solution).ok


def test_own_seeds_reach_the_back_ends() -> None:
    """CP-SAT's work differs by seed and repeats itself; HiGHS holds the option."""
    from plumbench.solvers.highs import LiveModel

    puzzle = letters(*["L" * 6] * 6, rules="connected", wrap=True).puzzle
    run = partial(solve, puzzle)
    one, two, again = (run(f"cpsat:seed{n}").stats for n in (1, 2, 1))
    assert one == again
    assert one != two
    model = LiveModel(9)
    assert model._highs.getOptionValue("random_seed")[1] == 9
    model.close()
