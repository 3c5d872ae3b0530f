"""HiGHS holding a linear model that grows: rounds of solving, limits, Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager
from math import ceil, inf, isfinite
from threading import Event
from types import MappingProxyType
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
from numpy.typing import NDArray

from ..encodings.linear import LinearModel, Term
from ..puzzles.model import IntArray
from .contract import Reason

FloatArray = NDArray[np.float64]
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
BETTER = cb.HighsCallbackType.kCallbackMipImprovingSolution
CALLBACKS = (
    BETTER,
    cb.HighsCallbackType.kCallbackSimplexInterrupt,
    cb.HighsCallbackType.kCallbackMipInterrupt,
)
DOUBT = 1e-3
"""A bound is trusted to that much, or so much of a millionth of it."""
FEASIBLE = int(SolutionStatus.kSolutionStatusFeasible)


class LiveModel:
    """HiGHS holding as much of a model as it was sent; ``solve`` sends what is new.

    ``least`` is what no solution of the model, as it was solved last, is proved to undercut;
    None if nothing is proved. ``seen`` are the points, best last, that it met on its way, as
    HiGHS gave them. ``nodes`` and ``iterations`` are sums over all searches.

    The class behind highspy's own ``Highs`` is used, because that one prints a banner before it
    can be silenced.
    """

    def __init__(self, seed: int | None = None) -> None:
        """``seed`` of HiGHS's own choices; None leaves its default."""
        self.nodes = self.iterations = 0
        self.least: int | None = None
        self.seen: list[FloatArray] = []
        self._columns = self._rows = 0
        self._priced = True
        self._stop = Event()
        self._pool = ThreadPoolExecutor(1)
        self._highs = _Highs()
        seeded = () if seed is None else (("random_seed", seed),)
        for name, value in (*OPTIONS, *seeded):
            _succeed(self._highs.setOptionValue(name, value))
        _succeed(self._highs.setCallback(_listener(self._stop, self.seen), None))
        for kind in CALLBACKS:
            _succeed(self._highs.startCallback(kind))

    def close(self) -> None:
        """Free the model."""
        self._pool.shutdown()
        self._highs.clear()

    def solve(
        self,
        model: LinearModel,
        seconds: float | None = None,
        nodes: int | None = None,
        *,
        fixed: Mapping[int, int] = MappingProxyType({}),
        other: tuple[list[Term], int] | None = None,
        priced: bool = True,
    ) -> IntArray | Reason | None:
        """Values of all columns that keep every bound and row and cost least, None if HiGHS
        proved that there are none, or why that is open. A point found before a limit struck
        counts as found, whatever it costs; so does any point where costs are not ``priced``.

        For this once some columns are ``fixed``, and terms of an ``other`` row sum to so much
        at least.
        """
        self.least = None
        if other is not None and not other[0]:
            return None
        if not model.columns:
            self.least = model.offset
            return np.zeros(0, dtype=np.int64)  # rows without columns were judged when made
        self._send(model)
        self._charge(model, priced)
        self._highs.setOptionValue("time_limit", inf if seconds is None else seconds)
        self._highs.setOptionValue("mip_max_nodes", 2**31 - 1 if nodes is None else nodes)
        with self._for_once(model, fixed, other):
            _succeed(self._run())
            values = self._result(model)
        if isinstance(values, np.ndarray) and not _keeps(values, fixed, other):
            raise RuntimeError("HiGHS's solution is none of those that were asked for")
        return values

    @contextmanager
    def _for_once(
        self, model: LinearModel, fixed: Mapping[int, int], other: tuple[list[Term], int] | None
    ) -> Iterator[None]:
        """A smaller model, that is as it was afterwards."""
        highs = self._highs
        for column, value in fixed.items():
            _succeed(highs.changeColBounds(column, value, value))
        if other is not None:
            index, value = zip(*other[0], strict=True)
            self._add_row(other[1], inf, index, value)
        try:
            yield
        finally:
            for column in fixed:
                _succeed(highs.changeColBounds(column, model.lower[column], model.upper[column]))
            if other is not None:
                _succeed(highs.deleteRows(1, np.array([self._rows], dtype=np.int32)))

    def _result(self, model: LinearModel) -> IntArray | Reason | None:
        """What the search that has ended says."""
        highs = self._highs
        status, info = highs.getModelStatus(), highs.getInfo()
        self.nodes += max(0, int(info.mip_node_count))
        self.iterations += max(0, int(info.simplex_iteration_count))
        if status == HighsModelStatus.kInfeasible:
            return None
        if status != HighsModelStatus.kOptimal and status not in STOPPED:
            raise RuntimeError(f"HiGHS ended with {highs.modelStatusToString(status)!r}")
        if self._priced:
            self.least = _least(model, info.mip_dual_bound)
        if status != HighsModelStatus.kOptimal and info.primal_solution_status != FEASIBLE:
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
            least, most = model.least[row], model.most[row]
            self._add_row(least, most, model.index[part], model.value[part])
        self._columns, self._rows = model.columns, model.rows

    def _charge(self, model: LinearModel, priced: bool) -> None:
        """Let HiGHS's costs be the model's, or nothing."""
        if priced != self._priced:
            columns, costs = np.arange(model.columns, dtype=np.int32), _costs(model)
            costs = costs if priced else np.zeros(model.columns)
            _succeed(self._highs.changeColsCost(model.columns, columns, costs))
            self._priced = priced

    def _add_row(
        self, least: float, most: float, index: Sequence[int], value: Sequence[int]
    ) -> None:
        columns, numbers = np.array(index, dtype=np.int32), np.array(value, dtype=np.float64)
        _succeed(self._highs.addRow(least, most, len(columns), columns, numbers))

    def _send_all(self, model: LinearModel) -> None:
        """Begin with the model as it stands."""
        lp = HighsLp()
        lp.num_col_, lp.num_row_ = model.columns, model.rows
        lp.col_cost_ = _costs(model)
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
        self.seen.clear()
        future: Future[HighsStatus] = self._pool.submit(self._highs.run)
        try:
            return future.result()
        except BaseException:
            self._stop.set()
            while not future.done():
                wait_for([future], POLL)
            raise


def _listener(stop: Event, seen: list[FloatArray]) -> Callable[..., None]:
    """What HiGHS calls now and then to ask whether to go on, and with every better point."""

    def listen(kind: int, message: str, out: Any, answer: Any, data: Any) -> None:
        if kind == BETTER:
            seen.append(np.array(out.mip_solution))
        elif stop.is_set() and answer is not None:
            answer.user_interrupt = True

    return listen


def _costs(model: LinearModel) -> FloatArray:
    return np.array(model.cost, dtype=np.float64) / (model.step or 1)


def _keeps(
    values: IntArray, fixed: Mapping[int, int], other: tuple[list[Term], int] | None
) -> bool:
    if any(values[column] != value for column, value in fixed.items()):
        return False
    return other is None or sum(int(values[c]) * a for c, a in other[0]) >= other[1]


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
