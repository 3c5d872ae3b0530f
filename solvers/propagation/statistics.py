"""What a run counts, and how long it goes on before it looks at the clock."""

from __future__ import annotations

from ..contract import Stat
from .state import State
from .variants import REASONS

SLICE = 4096  # steps between looks at the clock: some milliseconds
NO_LIMIT = 1 << 62

COUNTERS = {
    "nodes": "decisions: ports given a value by choice",
    "conflicts": "dead ends, each refuting a decision or the root; leaves left after a solution "
    "are not counted",
    "propagations": "assigned ports taken from the queue, and vertices looked at first",
    "solutions": "solutions handed out",
    "max_depth": "most decisions standing at once",
    "joins": "least T-joins worked out for the parity bound",
    "waters": "times it was worked out where water can still run, to sinks or needed vertices",
    **{f"made_{name}": f"ports assigned for the reason {name}" for name, _ in REASONS.values()},
}


def counted(s: State) -> dict[str, Stat]:
    """The counters of a state; no run without costs works out T-joins."""
    found: dict[str, Stat] = {
        "nodes": s.nodes,
        "conflicts": s.conflicts,
        "propagations": s.steps,
        "solutions": s.solutions,
        "max_depth": s.depth,
        "joins": s.parity.computed if s.parity is not None else 0,
        "waters": s.water.runs if s.water is not None else 0,
    }
    for reason, (name, _) in REASONS.items():
        found[f"made_{name}"] = s.made[reason]
    return found
