"""What the engine can deduce, and the named variants that do without one deduction.

``propagation:no-seal`` is the engine without the deduction ``seal``; several options may be
given. Every variant stays complete: a leaf is judged by the rules, whatever was deduced.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...puzzles.errors import UsageError
from ..contract import Variant

# Reasons on the trail; REASONS says what the "where" beside each of them is.
DECIDED, REFUTED, STUB, COPY, DOMAIN, SEAL, EXTEND, OUTSIDE, LOOP, REACH, SEALED, COST = range(12)

REASONS: dict[int, tuple[str, str]] = {
    DECIDED: ("decided", "the vertex that was branched on"),
    REFUTED: ("refuted", "the vertex that was branched on"),
    STUB: ("stub", "the vertex of the closed stub"),
    COPY: ("copy", "the port at the other end of the edge"),
    DOMAIN: ("domain", "the vertex whose domain left no choice"),
    SEAL: ("seal", "the vertex at the last open end of the component"),
    EXTEND: ("extend", "the vertex at the last open end of the component"),
    OUTSIDE: ("outside", "a vertex of the component that holds everything"),
    LOOP: ("loops", "a vertex of the component in which the edge would close a cycle"),
    REACH: ("root", "a vertex of the part that must be in use"),
    COST: ("costs", "the vertex at which the other value would cost too much"),
    SEALED: ("sealed", "the vertex that must not leak, or the port that faces this one"),
}


ASTAR = "astar"


@dataclass(frozen=True, slots=True)
class Switch:
    """A part of the search that a variant can do without."""

    name: str
    says: str
    why: str


SWITCHES: tuple[Switch, ...] = (
    Switch(
        "gac",
        "a port that has one value in all remaining masks of its vertex gets it",
        "without it a vertex only fails when no mask is left",
    ),
    Switch(
        "closed",
        "a component without open ends that misses a used vertex is a conflict",
        "without it connectivity is judged at leaves only",
    ),
    Switch(
        "outside",
        "a component without open ends that holds all used vertices: the rest is unused",
        "matters only where a vertex may stay unused",
    ),
    Switch(
        "seal",
        "an edge that would close a component too early is off",
        "two ends that face each other, at any size of their components",
    ),
    Switch(
        "extend",
        "the last way out of a component that must grow is on",
        "matters where domains leave the number of openings open",
    ),
    Switch(
        "loops",
        "an edge inside a component is off once the budget of independent cycles is spent",
        "0 when acyclic, E - V + 1 when connected with a fixed number of openings",
    ),
    Switch(
        "sinks",
        "leaks sealed: a component with a sink leaks no more than one with a source",
        "without it only components known to hold a source are kept from leaking",
    ),
    Switch(
        "water",
        "a sink, or a needed vertex, that no water can reach any more is a conflict",
        "looked at after conflicts; where leaks are allowed also says what to decide first",
    ),
    Switch(
        "root",
        "at the root: sums of openings by parity and by colour, parts that cannot be reached",
        "refutes boards that no local deduction refutes; once, hence cheap",
    ),
    Switch(
        "costs",
        "with an objective: a value that would cost more than the best solution is ruled out",
        "without it the bound only cuts off whole nodes",
    ),
    Switch(
        "parity",
        "with an objective: parities say what must be given up (a least T-join)",
        "proves longest chains of dominoes, and shows the way to them",
    ),
    Switch(
        "mrv",
        "branch on a vertex with the fewest remaining masks",
        "without it on the vertex touched last",
    ),
    Switch(
        "last-conflict",
        "after a conflict branch on the vertex that failed first",
        "keeps the search at the place that has no solution (Lecoutre et al. 2009)",
    ),
    Switch(
        "weights",
        "vertices at which conflicts occurred are preferred (dom/wdeg)",
        "finds the hard part of big boards (Boussemart et al. 2004)",
    ),
)


def switched_off(variant: Variant) -> frozenset[str]:
    """The names a variant does without; raises UsageError for anything it does not know."""
    known = {f"no-{s.name}": s.name for s in SWITCHES}
    for option in variant.options:
        if option not in known and option != ASTAR:
            raise UsageError(
                f"solver {variant}: unknown option {option!r}, "
                f"expected one of {ASTAR}, {', '.join(known)}"
            )
    if variant.borrowed:
        raise UsageError(f"solver {variant}: propagation borrows nothing (+{variant.borrowed[0]})")
    return frozenset(known[option] for option in variant.options if option != ASTAR)
