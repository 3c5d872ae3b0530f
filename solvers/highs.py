"""HiGHS holding a linear model that grows: rounds of solving, limits, Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from math import ceil, isfinite
from threading import Event
from typing import Any

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

from ..encodings.linear import LinearModel
from ..puzzles.model import IntArray
from .contract import Reason

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
OPTIONS = (
    ("output_flag", False),
    ("threads", 1),
    ("mip_rel_gap", 0.0),
    ("mip_abs_gap", 0.0),
)
DOUBT = 1e-3
"""A bound is trusted to that much, or so much of a millionth of it."""
FEASIBLE = int(SolutionStatus.kSolutionStatusFeasible)


class LiveModel:
    """HiGHS holding as much of a model as it was sent; ``solve`` sends what is new.

    ``least`` is what no solution of the model, as it was solved last, is proved to undercut;
    None if nothing is proved. ``nodes`` and ``iterations`` are sums over all searches.
    The class behind highspy's own ``Highs`` is used, because that one prints a banner before it
    can be silenced.
    """

    def __init__(self) -> None:
        self.nodes = self.iterations = 0
        self.least: int | None = None
        self._columns = self._rows = 0
        self._stop = Event()
        self._pool = ThreadPoolExecutor(1)
        self._highs = _Highs()
        for name, value in OPTIONS:
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
        """Values of all columns that keep every bound and row and cost least, None if HiGHS
        proved that there are none, or why that is open. A point found before a limit struck
        counts as found, whatever it costs.
        """
        self.least = None
        if not model.columns:
            self.least = model.offset
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
                self.least = _least(model, info.mip_dual_bound)
                return STOPPED[status]
        self.least = _least(model, info.mip_dual_bound)
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
        lp.col_cost_ = np.array(model.cost, dtype=np.float64) / (model.step or 1)
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


def _least(model: LinearModel, bound: float) -> int | None:
    """HiGHS's bound in the model's costs, which are whole steps from the offset; rounded so that
    its errors do not count.
    """
    if not isfinite(bound):
        return None
    doubt = DOUBT * max(1.0, abs(bound) * 1e-6)
    return model.offset + model.step * ceil(bound - doubt)


def _succeed(status: HighsStatus) -> None:
    """Raises RuntimeError if HiGHS refused something; a warning (a limit, say) is no refusal."""
    if status == HighsStatus.kError:
        raise RuntimeError("HiGHS refuses the model or an option")
