"""The engine ``milp``: an integer linear model, HiGHS, connectivity by lazy cuts.

Each round solves what is known so far; a solution whose pipes fall apart, or close a cycle
where none may be, gives rows for the next round. One model lives through all rounds and all
solutions, but HiGHS begins each search from its start. See docs/milp.md.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from importlib.metadata import version
from threading import Event
from typing import Any, ClassVar

import numpy as np
from highspy import (
    HighsLp,
    HighsModelStatus,
    HighsStatus,
    HighsVarType,
    MatrixFormat,
    SolutionStatus,
    cb,
)
from highspy._core import _Highs

from ..encodings.cuts import Cut, connectivity_cuts, cycle_cuts
from ..encodings.milp import LinearModel, MilpEncoding
from ..puzzles.errors import UsageError
from ..puzzles.model import IntArray, Puzzle, Solution
from .contract import Capabilities, Deadline, Engine, Limits, Reason, Search, Variant

COUNTERS = {
    "nodes": "branch-and-bound nodes, summed over the rounds (0: presolve was enough)",
    "simplex_iterations": "iterations of HiGHS's simplex method, summed over the rounds",
    "rounds": "searches of HiGHS; each begins from its start",
    "cuts": "rows added because a solution did not hang together or had a cycle",
    "rows": "rows of the model now, cuts and excluded solutions included",
    "columns": "columns of the model now",
}
STOPPED = {
    HighsModelStatus.kTimeLimit: Reason.TIME,
    HighsModelStatus.kSolutionLimit: Reason.NODES,
    HighsModelStatus.kIterationLimit: Reason.NODES,
    HighsModelStatus.kInterrupt: Reason.INTERRUPTED,
    HighsModelStatus.kMemoryLimit: Reason.MEMORY,
}
"""Statuses that are no verdict, and why. All not named here are errors."""
POLL = 0.05
"""Seconds between looks at whether an interrupted search has stopped."""
FEASIBLE = int(SolutionStatus.kSolutionStatusFeasible)


class Milp(Engine):
    """HiGHS with leaks forbidden and connect none or used. It has no options. A node of its
    limits is a node of branch and bound.
    """

    name: ClassVar[str] = "milp"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden"}),
        connect=frozenset({"none", "used"}),
        interrupt=True,
        counters=COUNTERS,
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        if variant.options or variant.borrowed:
            raise UsageError(f"solver {str(variant)!r}: milp has no options and borrows nothing")

    def versions(self) -> dict[str, str]:
        """The version of highspy, which carries HiGHS."""
        return {"highspy": version("highspy")}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Build the model."""
        return MilpSearch(puzzle, limits)


class MilpSearch(Search):
    """Rounds of solving and cutting; a solution found is excluded before the next one."""

    def __init__(self, puzzle: Puzzle, limits: Limits) -> None:
        super().__init__()
        self.puzzle, self.limits, self.deadline = puzzle, limits, Deadline(limits)
        self.encoding = MilpEncoding(puzzle)
        self.highs: LiveModel | None = LiveModel()
        self.exhausted = False
        self.stats.update(dict.fromkeys(COUNTERS, 0))
        self._measure()

    def next(self) -> Solution | Reason | None:
        """See ``Search``."""
        while not self.exhausted:
            if self.highs is None:
                return Reason.INTERRUPTED  # closed
            values = self._round(self.highs)
            if isinstance(values, Reason):
                return values
            if values is None:
                break
            solution = self.encoding.solution(values)
            cuts = self._cuts(solution)
            if not cuts:
                self.encoding.block(solution)
                return solution
            before = self.encoding.cuts
            for cut in cuts:
                self.encoding.add_cut(cut)
            if self.encoding.cuts == before:
                raise RuntimeError("HiGHS returned a solution that an earlier cut excludes")
        self.exhausted = True
        return None

    def close(self) -> None:
        """Free HiGHS's model and its thread."""
        if self.highs is not None:
            self.highs.close()
            self.highs = None

    def _round(self, highs: LiveModel) -> IntArray | Reason | None:
        """A solution of the model as it stands, None if there is none, or why it is open."""
        model, nodes = self.encoding.model, self.limits.nodes
        if self.deadline.passed():
            return Reason.TIME
        left = None if nodes is None else nodes - int(self.stats["nodes"])
        if left is not None and left <= 0:
            return Reason.NODES
        if model.impossible:
            return None
        self.stats["rounds"] = int(self.stats["rounds"]) + 1
        try:
            return highs.solve(model, self.deadline.left(), left)
        finally:
            self.stats["nodes"] = highs.nodes
            self.stats["simplex_iterations"] = highs.iterations
            self._measure()

    def _measure(self) -> None:
        model = self.encoding.model
        self.stats.update(rows=model.rows, columns=model.columns, cuts=self.encoding.cuts)

    def _cuts(self, solution: Solution) -> list[Cut] | list[tuple[int, ...]]:
        """What forbids this solution; nothing if it is right."""
        rules = self.puzzle.rules
        if rules.connect == "used":
            # Their number makes connected edges a tree where the rules ask for one.
            return connectivity_cuts(self.puzzle, solution)
        return cycle_cuts(self.puzzle, solution) if rules.acyclic else []


class LiveModel:
    """HiGHS holding as much of a model as it was sent; ``solve`` sends what is new.

    ``nodes`` and ``iterations`` are sums over all searches. The class behind highspy's own
    ``Highs`` is used, because that one prints a banner before it can be silenced.
    """

    def __init__(self) -> None:
        self.nodes = self.iterations = 0
        self._columns = self._rows = 0
        self._stop = Event()
        self._pool = ThreadPoolExecutor(1)
        self._highs = _Highs()
        for name, value in (("output_flag", False), ("threads", 1)):
            _succeed(self._highs.setOptionValue(name, value))
        _succeed(self._highs.setCallback(_stopper(self._stop), None))
        for kind in ("kCallbackSimplexInterrupt", "kCallbackMipInterrupt"):
            _succeed(self._highs.startCallback(getattr(cb.HighsCallbackType, kind)))

    def close(self) -> None:
        """Free the model."""
        self._pool.shutdown()
        self._highs.clear()

    def solve(
        self, model: LinearModel, seconds: float | None, nodes: int | None
    ) -> IntArray | Reason | None:
        """Values of all columns that keep every bound and row, None if HiGHS proved that there
        are none, or why that is open. A point found before a limit struck counts as found.
        """
        if not model.columns:
            return np.zeros(0, dtype=np.int64)  # rows without columns were judged when made
        self._send(model)
        highs = self._highs
        highs.setOptionValue("time_limit", float("inf") if seconds is None else seconds)
        highs.setOptionValue("mip_max_nodes", 2**31 - 1 if nodes is None else nodes)
        _succeed(self._run())
        status, info = highs.getModelStatus(), highs.getInfo()
        self.nodes += max(0, int(info.mip_node_count))
        self.iterations += max(0, int(info.simplex_iteration_count))
        if status == HighsModelStatus.kInfeasible:
            return None
        if status != HighsModelStatus.kOptimal:
            if status not in STOPPED:
                raise RuntimeError(f"HiGHS ended with {highs.modelStatusToString(status)!r}")
            if info.primal_solution_status != FEASIBLE:
                return STOPPED[status]
        values = np.rint(np.array(highs.getSolution().col_value)).astype(np.int64)
        if not model.holds(values):
            raise RuntimeError("HiGHS's solution, rounded, breaks a row of the model")
        return values

    def _send(self, model: LinearModel) -> None:
        """Hand over the columns and rows that are new."""
        if not self._columns:
            self._send_all(model)
        none = np.zeros(0, dtype=np.int32)
        for column in range(self._columns, model.columns):
            lower, upper = model.lower[column], model.upper[column]
            _succeed(self._highs.addCol(0.0, lower, upper, 0, none, np.zeros(0)))
            _succeed(self._highs.changeColIntegrality(column, HighsVarType.kInteger))
        for row in range(self._rows, model.rows):
            part = slice(model.start[row], model.start[row + 1])
            index = np.array(model.index[part], dtype=np.int32)
            value = np.array(model.value[part], dtype=np.float64)
            least, most = model.least[row], model.most[row]
            _succeed(self._highs.addRow(least, most, len(index), index, value))
        self._columns, self._rows = model.columns, model.rows

    def _send_all(self, model: LinearModel) -> None:
        """Begin with the model as it stands."""
        lp = HighsLp()
        lp.num_col_, lp.num_row_ = model.columns, model.rows
        lp.col_cost_ = np.zeros(model.columns)
        lp.col_lower_ = np.array(model.lower, dtype=np.float64)
        lp.col_upper_ = np.array(model.upper, dtype=np.float64)
        lp.integrality_ = [HighsVarType.kInteger] * model.columns
        lp.row_lower_, lp.row_upper_ = np.array(model.least), np.array(model.most)
        matrix: Any = lp.a_matrix_
        matrix.format_ = MatrixFormat.kRowwise
        matrix.start_ = np.array(model.start, dtype=np.int32)
        matrix.index_ = np.array(model.index, dtype=np.int32)
        matrix.value_ = np.array(model.value, dtype=np.float64)
        _succeed(self._highs.passModel(lp))
        self._columns, self._rows = model.columns, model.rows

    def _run(self) -> HighsStatus:
        """Search in a thread, so that Ctrl-C reaches the waiting one; stop before it goes on."""
        self._stop.clear()
        future: Future[HighsStatus] = self._pool.submit(self._highs.run)
        try:
            return future.result()
        except BaseException:
            self._stop.set()
            while not future.done():
                wait_for([future], POLL)
            raise


def _stopper(stop: Event) -> Callable[..., None]:
    """What HiGHS calls now and then to ask whether to go on."""

    def ask(kind: int, message: str, out: Any, answer: Any, data: Any) -> None:
        if stop.is_set() and answer is not None:
            answer.user_interrupt = True

    return ask


def _succeed(status: HighsStatus) -> None:
    """Raises RuntimeError if HiGHS refused something; a warning (a limit, say) is no refusal."""
    if status == HighsStatus.kError:
        raise RuntimeError("HiGHS refuses the model or an option")
