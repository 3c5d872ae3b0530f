"""The SAT back ends of python-sat behind one adapter, and a table of what each can do.

Everything in the table was measured on python-sat 1.9; a back end that is missing in an
installation is found out when it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from ..puzzles.errors import MissingBackend, UsageError
from .contract import Deadline, Reason

ALL_COUNTERS = ("conflicts", "decisions", "propagations", "restarts")
NOT_PROPAGATIONS = ("conflicts", "decisions", "restarts")

SLICE = 10_000
"""Conflicts between two looks at the clock, where a back end cannot be interrupted."""

PATIENCE = 0.5
"""Seconds before an interrupt is repeated: one sent too early can be missed."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What a back end can do.

    - ``incremental``: clauses may be added after a call of solve; else every call gets a fresh
      solver;
    - ``interrupt``: a running call can be stopped from another thread;
    - ``budget``: a call can be limited to a number of conflicts;
    - ``cores``: it solves under assumptions, names some that cannot hold together, and takes
      clauses on them afterwards;
    - ``counters``: the statistics it keeps (some report a constant 0 for others).
    """

    incremental: bool = True
    interrupt: bool = True
    budget: bool = True
    cores: bool = True
    counters: tuple[str, ...] = ALL_COUNTERS


BACK_ENDS: dict[str, Traits] = {
    "cadical103": Traits(interrupt=False),
    "cadical153": Traits(interrupt=False),
    "cadical195": Traits(interrupt=False),
    "cadical300": Traits(interrupt=False),
    "cryptosat": Traits(interrupt=False, budget=False, cores=False, counters=()),
    "ergo": Traits(),
    "gluecard3": Traits(),
    "gluecard4": Traits(),
    "glucose3": Traits(),
    "glucose4": Traits(),
    "glucose42": Traits(),
    "kissat404": Traits(incremental=False, interrupt=False, budget=False, cores=False, counters=()),
    "lingeling": Traits(interrupt=False, budget=False, cores=False, counters=()),
    "maplechrono": Traits(),
    "maplecm": Traits(counters=NOT_PROPAGATIONS),
    "maplesat": Traits(counters=NOT_PROPAGATIONS),
    "mergesat3": Traits(),
    "minicard": Traits(),
    "minisat-gh": Traits(),
    "minisat22": Traits(),
    "minisatep": Traits(),
}
"""By python-sat's own names."""


def require(engine: str, name: str) -> None:
    """Raises MissingBackend unless python-sat, and what this back end needs besides, is here."""
    try:
        from pysat import solvers
    except ImportError as error:
        raise MissingBackend(engine, f"{error}; install plumbench[sat]") from error
    if name == "cryptosat" and not solvers.cms_present:
        raise MissingBackend(engine, "the package pycryptosat is not installed")
    if not any(name in names for key, names in vars(solvers.SolverNames).items() if key[0] != "_"):
        raise MissingBackend(engine, f"python-sat {version('python-sat')} has no {name}")


class SatSolver:
    """Clauses that can be solved and added to, whatever the back end.

    Every call of a back end runs in a thread of its own. The interruptible ones let Python run,
    so the caller's thread keeps hearing Ctrl-C and the clock; with the others both are heard
    between two slices, or at the end of the call where there are none. Never in the main thread:
    there python-sat answers Ctrl-C by a jump out of the back end, which may hold the lock of the
    heap (the process then hangs) and which leaves SIGINT blocked.
    """

    def __init__(self, name: str, clauses: Iterable[Sequence[int]]) -> None:
        from pysat.solvers import Solver

        self.traits = BACK_ENDS[name]
        self._name, self._make = name, Solver
        self._clauses = list(clauses)
        self._solver: Any = None
        self._thread: ThreadPoolExecutor | None = None
        if self.traits.incremental:
            self._solver = self._fresh()
            self._clauses = []

    def _fresh(self) -> Any:
        # An empty formula makes maplesat crash; a tautology does not.
        return self._make(name=self._name, bootstrap_with=self._clauses or [[1, -1]])

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause, which must not be empty."""
        if self.traits.incremental:
            self._solver.add_clause(list(clause))
        else:
            self._clauses.append(clause)

    def prefer(self, literals: Sequence[int]) -> None:
        """Values that decisions try first; a back end that cannot do so goes without."""
        if self.traits.incremental and literals:
            with suppress(NotImplementedError):
                self._solver.set_phases(list(literals))

    def solve(
        self,
        deadline: Deadline,
        conflicts: int | None = None,
        assumptions: Sequence[int] = (),
    ) -> bool | Reason:
        """Whether the clauses have a model in which the assumptions hold, or why that is not
        known. Assumptions need a back end with ``cores``.

        ``conflicts`` bounds this call (some back ends look only at their next restart); raises
        UsageError if the back end does not count them.
        """
        if conflicts is not None and not self.traits.budget:
            raise UsageError(f"{self._name} has no node limit")
        if conflicts is not None and conflicts <= 0:
            return Reason.NODES
        if deadline.passed():
            return Reason.TIME
        if self.traits.interrupt:
            return self._solve_in_thread(deadline, conflicts, assumptions)
        if self.traits.budget:
            return self._solve_in_slices(deadline, conflicts, assumptions)
        return self._solve_once(assumptions)

    def _solve_once(self, assumptions: Sequence[int]) -> bool:
        if not self.traits.incremental:
            self.close()
            self._solver = self._fresh()
        return bool(self._called(self._solver.solve, assumptions=assumptions))

    def _solve_in_slices(
        self, deadline: Deadline, conflicts: int | None, assumptions: Sequence[int]
    ) -> bool | Reason:
        while True:
            budget = SLICE if conflicts is None else min(SLICE, conflicts)
            self._solver.conf_budget(budget)
            verdict = self._called(self._solver.solve_limited, assumptions=assumptions)
            if verdict is not None:
                return bool(verdict)
            if conflicts is not None:
                conflicts -= budget
                if conflicts <= 0:
                    return Reason.NODES
            if deadline.passed():
                return Reason.TIME

    def _submit(self, call: Callable[..., Any], **options: Any) -> Future[Any]:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix=self._name)
        return self._thread.submit(call, **options)

    def _called(self, call: Callable[..., Any], **options: Any) -> Any:
        """The call's result; Ctrl-C is raised once the call has ended."""
        future = self._submit(call, **options)
        try:
            return future.result()
        finally:
            wait([future])

    def _solve_in_thread(
        self, deadline: Deadline, conflicts: int | None, assumptions: Sequence[int]
    ) -> bool | Reason:
        solver = self._solver
        solver.clear_interrupt()
        solver.conf_budget(-1 if conflicts is None else conflicts)
        call = self._submit(solver.solve_limited, assumptions=assumptions, expect_interrupt=True)
        stopped = False
        try:
            wait([call], deadline.left())
            stopped = not call.done()
        finally:  # on Ctrl-C, too, the solver must not be left running
            while not call.done():
                solver.interrupt()
                wait([call], PATIENCE)
        verdict = call.result()
        if verdict is not None:
            return bool(verdict)
        return Reason.TIME if stopped else Reason.NODES

    def model(self) -> list[int]:
        """The literals of the model just found; variables in no clause may be missing."""
        return self._solver.get_model() or []

    def core(self) -> list[int]:
        """After a call that found no model: assumptions of which not all can hold, or none if
        the clauses alone have no model.
        """
        return self._solver.get_core() or []

    def counters(self) -> dict[str, int]:
        """What the back end has counted so far, over all calls."""
        if self._solver is None or not self.traits.counters:
            return {}
        counted = self._solver.accum_stats()
        return {name: counted[name] for name in self.traits.counters}

    def close(self) -> None:
        """Delete the back end's solver; its memory is not given back otherwise."""
        if self._thread is not None:
            if self.traits.interrupt:
                self._solver.interrupt()
            self._thread.shutdown()
            self._thread = None
        if self._solver is not None:
            self._solver.delete()
            self._solver = None
