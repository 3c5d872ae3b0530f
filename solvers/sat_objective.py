"""The best solution by SAT: cores raise a lower bound until a solution meets it.

Every soft literal is assumed to be false. As long as the assumptions contradict each other, a
core, a few of them that cannot hold together, proves that one more must be paid for; a totalizer
over it then asks for no more than one. This is OLL (Andres, Kaufmann, Matheis, Schaub 2012;
Morgado, Dodaro, Marques-Silva 2014, of which RC2 is an implementation), with weight-aware core
extraction (Berg and Järvisalo 2017), strata and hardening (Ansótegui, Bonet, Gabàs, Levy 2012).
Cuts are hard clauses that come late: they make no core wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..encodings.cnf import encode
from ..encodings.soft import soften
from ..encodings.totals import Totalizer
from ..puzzles.model import Puzzle, Solution
from .contract import Limits, Reason, Search
from .sat_rounds import Rounds

TRIMS = 5
"""So often a core is replaced by one of itself, if that is smaller."""

EFFORT = 200
"""Conflicts spent on whether a core can do without one of its members, or on one more step of
its sum.
"""

DIVERSITY = 1.25
"""A stratum has at least so many literals for each weight in it."""


class SatBest(Search):
    """Solutions, each better than the one before, and a bound on all.

    Sums of weights of true literals, called values, run along these invariants:

    - the value of any solution that is still wanted (better than ``_best``) is at least
      ``_lower`` plus the weights of true literals in ``_active`` and ``_waiting``;
    - ``_sums`` says of an output of a totalizer which it is, so that the next can follow it;
    - ``_waiting`` are sums from cores found since the last model: (totalizer, number, weight);
    - assumed are the active literals of weight ``_threshold`` or more, none at first.
    """

    def __init__(self, puzzle: Puzzle, limits: Limits, back_end: str, *, precuts: bool) -> None:
        super().__init__()
        assert puzzle.costs is not None
        self._cnf = encode(puzzle)
        self._soft = soften(puzzle, self._cnf, puzzle.costs)
        self._active = dict(self._soft.weights)
        self._sums: dict[int, tuple[Totalizer, int]] = {}
        self._waiting: list[tuple[Totalizer, int, int]] = []
        self._threshold = max(self._active.values(), default=0) + 1
        self._lower = 0
        self._best: int | None = None
        self.bound = self._soft.cost(0)
        self._rounds = Rounds(puzzle, self._cnf, limits, back_end, self.stats, precuts=precuts)
        self._rounds.prefer([-x for x in self._active])

    def next(self) -> Solution | Reason | None:
        """See ``Search.next``."""
        while not self._rounds.exhausted and (self._best is None or self._lower < self._best):
            found = self._rounds.find(self._assumed())
            if isinstance(found, Reason):
                return found
            if found is None:
                self._learn(self._rounds.core())
                continue
            value = self._soft.value(self._rounds.model())
            better = self._best is None or value < self._best
            if better:
                self._best = value
            self._go_on()
            if better:
                return found
        return None

    def close(self) -> None:
        """Delete the back end's solver."""
        self._rounds.close()

    def _assumed(self) -> list[int]:
        return [-x for x, weight in self._active.items() if weight >= self._threshold]

    def _raise(self, weight: int) -> None:
        self._lower += weight
        known = self._lower if self._best is None else min(self._lower, self._best)
        self.bound = self._soft.cost(known)

    def _learn(self, core: Sequence[int]) -> None:
        """One of the literals of a core must be paid for; that only one must is hoped for."""
        literals = [-x for x in self._smaller(core)]
        if self._rounds.exhausted:
            return  # nothing is better, whatever is assumed
        weight = min(self._active[x] for x in literals)
        self.stats["cores"] = int(self.stats["cores"]) + 1
        self._raise(weight)
        self._rounds.add(literals)
        for x in literals:
            self._active[x] -= weight
            if not self._active[x]:
                del self._active[x]
            if x in self._sums:
                total, number = self._sums[x]
                self._wait(total, number + 1, weight)
        if len(literals) > 1:
            self._wait(Totalizer(literals), 2, weight)

    def _wait(self, total: Totalizer, number: int, weight: int) -> None:
        if number <= total.size:
            self._waiting.append((total, number, weight))

    def _smaller(self, core: Sequence[int]) -> list[int]:
        """A core within a core: what the back end makes of it, and without members that it
        proves, in a short time, not to be needed.
        """
        kept = list(core)
        for _ in range(TRIMS):
            if not self._rounds.refutes(kept, EFFORT):
                break
            again = self._rounds.core()
            if len(again) == len(kept):
                break
            kept = again
        for x in sorted(kept, key=lambda x: self._active[-x]):
            rest = [y for y in kept if y != x]
            if x in kept and rest and self._rounds.refutes(rest, EFFORT):
                kept = self._rounds.core()
        return kept

    def _go_on(self) -> None:
        """After a model: ask for the sums that wait, or for the next stratum."""
        waiting, self._waiting = self._waiting, []
        for total, number, weight in waiting:
            self._ask(total, number, weight)
        self._harden()
        if not waiting:
            self._threshold = self._next_stratum()

    def _ask(self, total: Totalizer, number: int, weight: int) -> None:
        """Assume that the sum is below this number, or the first one that is not refuted."""
        while number <= total.size:
            output, clauses = total.at_least(number, self._cnf.new_variable)
            for clause in clauses:
                self._rounds.add(clause)
            if not self._rounds.refutes([-output], EFFORT):
                self._sums[output] = (total, number)
                self._active[output] = self._active.get(output, 0) + weight
                return
            if self._rounds.exhausted:
                return
            self._rounds.add([output])
            self._raise(weight)
            number += 1

    def _harden(self) -> None:
        """No literal that costs the whole gap is true in a better solution."""
        assert self._best is not None
        gap = self._best - self._lower
        for x in [x for x, weight in self._active.items() if weight >= gap]:
            self._rounds.add([-x])
            del self._active[x]

    def _next_stratum(self) -> int:
        """The greatest weight below the threshold from which on there are enough literals for
        each weight, or the least weight.
        """
        weights = sorted(self._active.values(), reverse=True)
        kinds, chosen = 0, self._threshold
        for number, weight in enumerate(weights, 1):
            last = number == len(weights)
            if last or weights[number] != weight:
                kinds += 1
                if weight < self._threshold:
                    chosen = weight
                    if number >= DIVERSITY * kinds:
                        break
        return chosen
