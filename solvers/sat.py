"""The engine ``sat``: clauses from prime implicates, connectivity by lazy cuts, the best
solution by cores. See docs/sat.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from ..encodings.cnf import encode
from ..puzzles.errors import UsageError
from ..puzzles.model import Puzzle, Solution
from .contract import Capabilities, Engine, Limits, Reason, Search, Variant
from .pysat_backend import BACK_ENDS, require
from .sat_objective import SatBest
from .sat_rounds import Rounds

DEFAULT = "glucose4"

COUNTERS = {
    "variables": "variables of the formula at the start, auxiliaries included",
    "clauses": "clauses at the start",
    "rounds": "calls of the back end",
    "cuts": "clauses added because a model was disconnected, dry or had a cycle",
    "cores": "of a search for the best: sets of costs of which one was proved to be due",
    "conflicts": "conflicts over all rounds, as the back end counts them",
    "decisions": "decisions over all rounds, as the back end counts them",
    "propagations": "propagated literals over all rounds, as the back end counts them",
    "restarts": "restarts over all rounds, as the back end counts them",
}
OWN_COUNTERS = ("variables", "clauses", "rounds", "cuts", "cores")


class Sat(Engine):
    """SAT through python-sat. Options: the name of a back end (``BACK_ENDS``; glucose4 if none
    is given) and ``no-precuts``. A node of its limits is a conflict.
    """

    name: ClassVar[str] = "sat"
    capabilities = Capabilities(
        leaks=frozenset({"forbidden", "sealed", "allowed"}),
        connect=frozenset({"none", "used", "reach"}),
        objective=True,
        interrupt=True,
        counters=COUNTERS,
    )

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self.back_end, self.precuts = _options(variant)
        require(str(variant), self.back_end)
        traits = BACK_ENDS[self.back_end]
        # What a variant can do depends on its back end, hence one table per object.
        self.capabilities = replace(
            self.capabilities,
            interrupt=traits.interrupt,
            objective=traits.cores,
            counters={k: COUNTERS[k] for k in (*OWN_COUNTERS, *traits.counters)},
        )

    def versions(self) -> dict[str, str]:
        """The version of python-sat, which carries the sources of its back ends."""
        from importlib.metadata import version

        return {"python-sat": version("python-sat")}

    def start(self, puzzle: Puzzle, limits: Limits, *, many: bool) -> Search:
        """Encode the puzzle; raises UsageError for a node limit the back end cannot keep."""
        self._require_budget(limits)
        return SatSearch(puzzle, limits, self.back_end, precuts=self.precuts)

    def improve(self, puzzle: Puzzle, limits: Limits) -> Search:
        """Encode the puzzle and its costs; raises as ``start`` does."""
        self._require_budget(limits)
        return SatBest(puzzle, limits, self.back_end, precuts=self.precuts)

    def _require_budget(self, limits: Limits) -> None:
        if limits.nodes is not None and not BACK_ENDS[self.back_end].budget:
            raise UsageError(f"solver {str(self.variant)!r} cannot keep a node limit")


def _options(variant: Variant) -> tuple[str, bool]:
    """The back end and whether pre-cuts are wanted; raises UsageError."""
    if variant.borrowed:
        raise UsageError(f"solver {str(variant)!r}: sat borrows from no other engine")
    names = [option for option in variant.options if option != "no-precuts"]
    for name in names:
        if name not in BACK_ENDS:
            accepted = ", ".join(("no-precuts", *BACK_ENDS))
            raise UsageError(f"solver {str(variant)!r}: expected an option of {accepted}")
    if len(names) > 1 or len(set(variant.options)) < len(variant.options):
        raise UsageError(f"solver {str(variant)!r}: expected at most one back end, no repeats")
    return (names[0] if names else DEFAULT), "no-precuts" not in variant.options


class SatSearch(Search):
    """Solutions one by one; one found is excluded before the next is looked for."""

    def __init__(self, puzzle: Puzzle, limits: Limits, back_end: str, *, precuts: bool) -> None:
        super().__init__()
        self._cnf = encode(puzzle)
        self._rounds = Rounds(puzzle, self._cnf, limits, back_end, self.stats, precuts=precuts)
        self._pending: list[int] | None = None

    def next(self) -> Solution | Reason | None:
        """See ``Search.next``."""
        if self._pending is not None:
            self._rounds.add(self._pending)
            self._pending = None
        found = self._rounds.find()
        if found is not None and not isinstance(found, Reason):
            self._pending = self._cnf.blocking(found)
        return found

    def close(self) -> None:
        """Delete the back end's solver."""
        self._rounds.close()
