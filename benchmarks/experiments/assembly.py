"""Experiment ``assembly``: how likely is a board of random pieces to be solvable?

A bordered board of straights, elbows, crosses and blanks has at most one match solution, which
is an even subgraph of the grid. So the chance that random pieces are solvable is the sum, over
the connected even subgraphs, of the chance that they are just the pieces of that subgraph.
"""

from __future__ import annotations

import numpy as np

from ...puzzles.generators import JavaRandom, java_assembly
from ...solvers.run import solve
from ..report.document import Table
from ..statistics.estimates import proportion
from . import Progress
from .article import SEED
from .report import Claim, Report
from .subgraphs import cells_used, components, even_subgraphs

BLANK = 0.08
"""The chance of a blank; straights, elbows and crosses share the rest evenly."""

LARGEST = 5
ARTICLE_SIZES, ARTICLE_SAMPLE = (4, 5, 6), 300
FULL, QUICK = {2: 20_000, 3: 10_000}, {2: 2_000, 3: 1_000}
"""Random assemblies solved at each size, where solvable ones may turn up at all."""

NOTES = (
    "Solved means: the article's solver finds a connected solution; a board of blanks alone "
    "counts as solved, as in the article.",
    "The exact probability is the sum over all connected even subgraphs; with tees or ends "
    "among the pieces this argument fails.",
)


def probability(size: int, *, connected: bool = True) -> float:
    """The exact chance that a random assembly of size x size cells is solvable."""
    masks = even_subgraphs(size, size)
    fits = components(masks, size) <= 1 if connected else np.ones(len(masks), dtype=bool)
    used = cells_used(masks)[fits]
    return float(np.sum(BLANK ** (size * size - used) * ((1 - BLANK) / 3) ** used))


def solved(size: int, sample: int, seed: int) -> int:
    """How many of so many random assemblies have a connected solution."""
    random = JavaRandom(seed)
    known: dict[bytes, bool] = {}
    hits = 0
    for _ in range(sample):
        board = java_assembly(random, size).board
        pieces = board.pieces.tobytes()
        if pieces not in known:
            answer = solve(board.with_rules("connected").puzzle, "propagation")
            known[pieces] = answer.solution is not None
        hits += known[pieces]
    return hits


def _row(size: int, sample: int) -> list[str | int | float | None]:
    exact = probability(size) if size <= LARGEST else None
    hits = solved(size, sample, SEED + size)
    share = proportion(hits, sample)
    inside = None
    if exact is not None:
        inside = "inside" if share.low <= exact <= share.high else "outside"
    return [f"{size}x{size}", exact, hits, sample, share.low, share.high, inside]


def run(*, quick: bool, progress: Progress) -> Report:
    """Exact probabilities beside random samples."""
    samples = {**(QUICK if quick else FULL), **dict.fromkeys(ARTICLE_SIZES, ARTICLE_SAMPLE)}
    rows = []
    for size, sample in samples.items():
        progress(f"random assemblies {size}x{size}")
        rows.append(_row(size, sample))
    claims = []
    for size, row in zip(samples, rows, strict=True):
        if size in ARTICLE_SIZES:
            exact = "not enumerated" if row[1] is None else f"exactly {row[1]:.4g}"
            claims.append(
                Claim(
                    f"solvable among {ARTICLE_SAMPLE} random {row[0]} boards",
                    f"0 of {ARTICLE_SAMPLE}",
                    f"{row[2]} of {row[3]}; probability {exact}",
                    f"{row[4]:.2g} to {row[5]:.2g} (of the share)",
                    f"{row[3]} boards, seed {SEED + size}",
                    "holds, and says little" if row[2] == 0 else "does not hold",
                )
            )
    exact_rows = [
        [
            f"{n}x{n}",
            len(even_subgraphs(n, n)),
            int((components(even_subgraphs(n, n), n) <= 1).sum()),
            probability(n, connected=False),
            probability(n),
        ]
        for n in range(1, LARGEST + 1)
    ]
    return Report(
        "assembly",
        "Random assemblies (article 000)",
        NOTES,
        claims,
        [
            Table(
                "Exact probabilities",
                ("boards", "even subgraphs", "connected or empty", "P(match)", "P(connected)"),
                exact_rows,
                "assembly_exact",
            ),
            Table(
                "Random samples (95 % Clopper-Pearson intervals)",
                ("boards", "P exact", "solvable", "sample", "low", "high", "exact P is"),
                rows,
                "assembly_sampled",
            ),
        ],
        [],
    )
