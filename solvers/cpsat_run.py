"""One call of CP-SAT: limits, statistics, Ctrl-C and what its statuses mean.

CP-SAT starts from nothing at every call, so the counters of several calls are added up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from .contract import Deadline, Limits, Reason, Stat

Values = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a variant sets: ``workers`` (search threads) and ``linearization`` (how much of the
    model the linear relaxation holds, 0 to 2) and ``seed`` (of CP-SAT's own random choices);
    None leaves CP-SAT's own default.
    """

    workers: int = 1
    linearization: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Optimum:
    """How a search for the best value ended: ``reason`` is None if that value is proved best;
    no solution of the model beats ``bound``.
    """

    reason: Reason | None
    bound: float


@dataclass
class Calls:
    """The calls made so far, under one set of limits. ``limits.nodes`` bounds conflicts."""

    parameters: Parameters
    limits: Limits
    stats: dict[str, Stat]
    deadline: Deadline = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = Deadline(self.limits)
        for name in ("branches", "conflicts", "boolean_propagations", "integer_propagations"):
            self.stats[name] = 0
        self.stats |= {"booleans": 0, "rounds": 0, "cuts": 0}
        self.stats["workers"] = self.parameters.workers

    def cut(self, number: int) -> None:
        """Note that so many cuts were added."""
        self.stats["cuts"] = int(self.stats["cuts"]) + number

    def solve(
        self, model: cp_model.CpModel, variables: Sequence[cp_model.IntVar]
    ) -> Values | Reason | None:
        """The values of the variables in a solution, None if there is none, or why it is not
        known.
        """
        solver = self._solver()
        if isinstance(solver, Reason):
            return solver
        status = self._call(solver, model, None)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return tuple(int(solver.boolean_value(x)) for x in variables)
        return None if status == cp_model.INFEASIBLE else self._why()

    def enumerate(
        self,
        model: cp_model.CpModel,
        variables: Sequence[cp_model.IntVar],
        take: Callable[[Values], bool],
    ) -> Reason | bool:
        """Hand each solution, projected on the variables, to ``take`` until it returns False.

        The same projection may come more than once. Returns True if every solution was handed
        over, False if ``take`` stopped it, else why it ended early. Always one worker: with
        more CP-SAT does not promise each solution. Without an objective its linear relaxation
        triples the time, so it is off unless the variant asks for it.
        """
        solver = self._solver()
        if isinstance(solver, Reason):
            return solver
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        if self.parameters.linearization is None:
            solver.parameters.linearization_level = 0
        callback = _Callback(variables, take)
        status = self._call(solver, model, callback)
        if callback.error is not None:
            raise callback.error
        if callback.stopped:
            return False
        # FEASIBLE: some were found, but a limit came before the last.
        return True if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) else self._why()

    def optimise(
        self,
        model: cp_model.CpModel,
        variables: Sequence[cp_model.IntVar],
        cost: cp_model.LinearExpr,
        take: Callable[[Values, int], None],
    ) -> Optimum | Reason | None:
        """Look for the best value of the model's objective. Each solution on the way is handed
        to ``take`` with its ``cost``. None if there is no solution; a Reason alone if nothing at
        all could be proved.
        """
        solver = self._solver()
        if isinstance(solver, Reason):
            return solver

        def see(values: Values) -> bool:
            take(values[:-1], values[-1])
            return True

        callback = _Callback([*variables, cost], see)
        status = self._call(solver, model, callback)
        if callback.error is not None:
            raise callback.error
        if status == cp_model.INFEASIBLE:
            return None
        reason = None if status == cp_model.OPTIMAL else self._why()
        if status == cp_model.UNKNOWN and reason and solver.best_objective_bound == 0:
            return reason  # stopped before it had a bound, it says 0, too
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            take(
                tuple(int(solver.boolean_value(x)) for x in variables),
                solver.value(cost),
            )
        return Optimum(reason, solver.best_objective_bound)

    def _solver(self) -> cp_model.CpSolver | Reason:
        if self.deadline.passed():
            return Reason.TIME
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = self.parameters.workers
        # Its own handler would swallow Ctrl-C and leave the default one behind.
        parameters.catch_sigint_signal = False
        if self.parameters.linearization is not None:
            parameters.linearization_level = self.parameters.linearization
        if self.parameters.seed is not None:
            parameters.random_seed = self.parameters.seed
        seconds = self.deadline.left()
        if seconds is not None:
            parameters.max_time_in_seconds = seconds
        if self.limits.nodes is not None:
            left = self.limits.nodes - int(self.stats["conflicts"])
            if left <= 0:
                return Reason.NODES
            parameters.max_number_of_conflicts = left
        return solver

    def _call(
        self, solver: cp_model.CpSolver, model: cp_model.CpModel, callback: _Callback | None
    ) -> cp_model.CpSolverStatus:
        status = _interruptible(solver, model, callback)
        if status == cp_model.MODEL_INVALID:
            raise RuntimeError(f"CP-SAT refuses the model: {model.validate()}")
        for name, value in (
            ("branches", solver.num_branches),
            ("conflicts", solver.num_conflicts),
            ("boolean_propagations", solver.num_binary_propagations),
            ("integer_propagations", solver.num_integer_propagations),
            ("rounds", 1),
        ):
            self.stats[name] = int(self.stats[name]) + value
        self.stats["booleans"] = max(int(self.stats["booleans"]), solver.num_booleans)
        return status

    def _why(self) -> Reason:
        """Why a call ended without a verdict."""
        left = self.deadline.left()
        nodes = self.limits.nodes
        if nodes is not None and int(self.stats["conflicts"]) >= nodes:
            return Reason.NODES
        if left is not None:
            return Reason.TIME
        return Reason.NODES if nodes is not None else Reason.MEMORY  # its own cap on memory


def _interruptible(
    solver: cp_model.CpSolver, model: cp_model.CpModel, callback: _Callback | None
) -> cp_model.CpSolverStatus:
    """Solve in a thread, so that Ctrl-C reaches the waiting one; stop the search before it
    goes on.
    """
    with ThreadPoolExecutor(1) as pool:
        future: Future[cp_model.CpSolverStatus] = pool.submit(solver.solve, model, callback)
        try:
            return future.result()
        except BaseException:
            # Repeated, for a search that has not begun yet cannot be stopped.
            while not future.done():
                solver.stop_search()
                _wait(future, 0.02)
            raise


def _wait(future: Future[cp_model.CpSolverStatus], seconds: float) -> None:
    try:
        future.exception(timeout=seconds)
    except TimeoutError:
        return


class _Callback(cp_model.CpSolverSolutionCallback):
    """Hands solutions on. An exception must not pass through CP-SAT: it is kept in ``error``."""

    def __init__(
        self, variables: Sequence[cp_model.LinearExprT], take: Callable[[Values], bool]
    ) -> None:
        super().__init__()
        self.variables, self.take = variables, take
        self.stopped = False
        self.error: BaseException | None = None

    def on_solution_callback(self) -> None:
        """Called by CP-SAT, in its thread, for each solution."""
        if self.stopped:
            return
        try:
            more = self.take(tuple(self.value(x) for x in self.variables))
        except BaseException as error:
            self.error, more = error, False
        if not more:
            self.stopped = True
            self.stop_search()
