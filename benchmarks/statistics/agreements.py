"""Who agrees with whom: status, number of solutions and optimum, never the solution found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from ...puzzles.values import every_digit

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(slots=True)
class Claims:
    """What all runs of a solver on a puzzle say together, whatever they were asked.

    At least ``low`` solutions, at most ``high`` (None: nothing said); the cost of the best of all
    is one of ``optima``; there is one of each cost in ``costs``.
    """

    low: int = 0
    high: int | None = None
    optima: set[int] = field(default_factory=set)
    costs: set[int] = field(default_factory=set)

    @property
    def any(self) -> bool:
        """Whether anything is said."""
        return self.low > 0 or self.high is not None

    def add(self, record: Mapping[str, Any]) -> None:
        """One run more."""
        self.low = max(self.low, record["low"])
        if record["high"] is not None:
            self.high = record["high"] if self.high is None else min(self.high, record["high"])
        if record["cost"] is not None:
            self.costs.add(record["cost"])
            if record["status"] == "optimal" and record["outcome"] == "answered":
                self.optima.add(record["cost"])


@dataclass(frozen=True, slots=True)
class Pair:
    """Two solvers; of one with itself, whether its own runs agree. ``common`` puzzles on which
    both claim something, ``agreeing`` those on which nothing contradicts; ``contradicting`` names
    the others, with why.
    """

    common: int
    agreeing: int
    contradicting: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Agreements:
    """The matrix: ``pairs`` by (first, second) in the order of ``solvers``, also with itself."""

    solvers: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Pair]

    def pair(self, first: str, second: str) -> Pair:
        """In either order."""
        return self.pairs[(first, second) if (first, second) in self.pairs else (second, first)]

    @property
    def agreed(self) -> bool:
        """Whether nothing contradicts anything."""
        return not any(pair.contradicting for pair in self.pairs.values())


def agreements(frame: DataFrame, solvers: Sequence[str] | None = None) -> Agreements:
    """The matrix of all ``solvers`` (by default those of the runs, sorted).

    A count up to its limit is "at least" and contradicts no larger number. Every run counts,
    under whatever seed, limit or number of threads, for all are about the same puzzle; and also
    those of a disqualified engine: here one sees whom it contradicts. A cost is set against an
    optimum where the table says which way the puzzle is optimised.
    """
    claims: dict[str, dict[str, Claims]] = {}
    names: dict[str, tuple[str, str | None]] = {}
    for record in frame.to_dict("records"):
        fingerprint = record["fingerprint"]
        names[fingerprint] = record["name"], record["objective"]
        of = claims.setdefault(record["solver"], {})
        of.setdefault(fingerprint, Claims()).add(record)
    shown = tuple(sorted(claims) if solvers is None else solvers)
    pairs = {}
    for first, second in combinations_with_replacement(shown, 2):
        mine, theirs = claims.get(first, {}), claims.get(second, {})
        common, against = 0, []
        for fingerprint in mine.keys() & theirs.keys():
            a, b = mine[fingerprint], theirs[fingerprint]
            if a.any and b.any:
                common += 1
                name, objective = names[fingerprint]
                why = contradiction((first, a), (second, b), objective)
                if why:
                    against.append((name, why))
        pairs[first, second] = Pair(common, common - len(against), tuple(sorted(against)))
    return Agreements(shown, pairs)


def contradiction(
    first: tuple[str, Claims], second: tuple[str, Claims], objective: str | None = None
) -> str:
    """How the claims of two (solver, claims) contradict each other; empty if they do not."""
    with every_digit():  # a number of solutions may have thousands
        return _contradiction(first, second, objective)


def _contradiction(
    first: tuple[str, Claims], second: tuple[str, Claims], objective: str | None
) -> str:
    for (name, a), (other, b) in ((first, second), (second, first)):
        if a.high is not None and a.high < b.low:
            what = "none" if a.high == 0 else f"at most {a.high}"
            return f"{name} says {what}, {other} at least {b.low}"
    optima = first[1].optima | second[1].optima
    if len(optima) > 1:
        told = dict.fromkeys(
            f"{name} calls {' and '.join(map(str, sorted(claims.optima)))} optimal"
            for name, claims in (first, second)
            if claims.optima
        )
        return ", ".join(told)
    if optima and objective is not None:
        [optimum], most = optima, objective.startswith("most")
        for name, claims in (first, second):
            for cost in sorted(claims.costs, reverse=most)[:1]:
                if cost > optimum if most else cost < optimum:
                    return f"{optimum} is called optimal, {name} found {cost}"
    return ""
