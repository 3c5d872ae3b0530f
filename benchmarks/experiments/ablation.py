"""Experiment ``ablation``: what each deduction of the hand-written search is worth.

Work is counted in nodes, since those do not depend on the machine: the plain engine beside the
engine without one deduction at a time, on the same boards, all solutions up to two asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from ...puzzles.board import Board
from ...puzzles.generators import generate
from ...solvers.contract import Limits
from ...solvers.propagation.variants import SWITCHES
from ...solvers.run import count
from ..report.document import Table
from . import Progress
from .report import Report

MOST_NODES = 1_000
FULL, QUICK = 10, 2
IDLE = ("outside", "sinks", "water", "costs", "parity")
"""Deductions that never come up here: every piece is in use, nothing is sealed, no water runs,
nothing costs.
"""

USED = tuple(switch for switch in SWITCHES if switch.name not in IDLE)

NOTES = (
    "Each board is counted up to two solutions, that is, judged for uniqueness.",
    f"A run that needs more than {MOST_NODES} nodes enters as {MOST_NODES}; 'cut off' says how "
    "many did, and the factor is then a lower bound.",
    "The factor is the geometric mean, over the boards, of (nodes + 1) without the deduction "
    "over (nodes + 1) with all.",
    "A w behind the size stands for a torus. Deductions for unused vertices, water, leaks and "
    "objectives are not listed, since these boards have none of them.",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A family of boards: ``kind`` of generator, size, torus or not, rules; square unless
    ``height`` is given.
    """

    kind: str
    width: int
    wrap: bool
    rules: str
    height: int = 0

    def __str__(self) -> str:
        wrap = "w" if self.wrap else ""
        return f"{self.kind} {self.width}x{self.height or self.width}{wrap}, {self.rules}"

    def boards(self, number: int) -> list[Board]:
        """So many boards, from seeds 1 on."""
        made = (
            generate(self.kind, self.width, self.height or self.width, seed, wrap=self.wrap)
            for seed in range(1, number + 1)
        )
        if self.kind == "mut":  # its boards do not depend on a seed
            made = islice(made, 1)
        return [board.with_rules(self.rules) for board in made]


SAMPLES = (
    Sample("net", 24, True, "tree"),
    Sample("dfs", 24, False, "tree"),
    Sample("kruskal", 24, False, "tree"),
    Sample("dense", 16, True, "connected"),
    Sample("partial", 16, True, "connected"),
    Sample("near-miss", 16, True, "connected"),
    Sample("elbow-torus", 8, True, "connected"),
    Sample("ec", 10, True, "connected"),
    Sample("mut", 7, False, "connected", 4),
    Sample("mut", 11, False, "connected", 6),
)


def nodes(board: Board, variant: str) -> int:
    """Nodes of a variant until it knows whether there are two solutions, at most the limit."""
    found = count(board.puzzle, variant, Limits(nodes=MOST_NODES), limit=2)
    return int(found.stats["nodes"]) if found.reason is None else MOST_NODES


def run(*, quick: bool, progress: Progress) -> Report:
    """Every deduction left out, on every family."""
    number = QUICK if quick else FULL
    rows: list[list[str | int | float | None]] = []
    for sample in SAMPLES:
        boards = sample.boards(number)
        progress(f"ablation: {sample}")
        plain = np.array([nodes(board, "propagation") for board in boards])
        rows.append(_row(sample, "(plain)", plain, plain))
        for switch in USED:
            variant = f"propagation:no-{switch.name}"
            without = np.array([nodes(board, variant) for board in boards])
            rows.append(_row(sample, f"no-{switch.name}", without, plain))
    header = ("boards", "variant", "n", "median nodes", "most", "factor", "cut off")
    meaning = [[f"no-{s.name}", s.says, s.why] for s in USED]
    return Report(
        "ablation",
        "Deductions of the hand-written search, left out one by one",
        NOTES,
        [],
        [
            Table("Nodes by variant", header, rows, "ablation"),
            Table("What is left out", ("variant", "the deduction", "its worth"), meaning),
        ],
        [],
    )


def _row(
    sample: Sample, variant: str, found: np.ndarray, plain: np.ndarray
) -> list[str | int | float | None]:
    factor = float(np.exp(np.mean(np.log(found + 1) - np.log(plain + 1))))
    cut = int((found >= MOST_NODES).sum())
    return [
        str(sample), variant, len(found), float(np.median(found)), int(found.max()), factor, cut,
    ]  # fmt: skip
