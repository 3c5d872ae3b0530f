"""Experiment ``flow``: what article 001 says of its examples, its prunings and its speed.

Its three examples under every rule, counted by an engine that shares nothing with its search;
what each pruning is worth, in calls of that search; and its claim for small boards with many
locked pieces, restated as a budget of calls.
"""

from __future__ import annotations

import numpy as np

from ...puzzles.board import Board
from ...puzzles.errors import Unsupported
from ...puzzles.flow import Flow
from ...puzzles.formats import loads
from ...puzzles.generators import make
from ...puzzles.topology import orientations
from ...solvers.contract import Limits
from ...solvers.run import count, solve
from ..report.document import Table
from ..statistics.estimates import proportion
from . import Progress
from .report import Claim, Report

EXAMPLES = {
    "example 1": "sources: 1,1\nsinks: 3,3\n┌ ─ ┐\n│ ┼! │\n└ ─ ┘",
    "example 2": "sources: 1,1\nsinks: 4,4\n┌ ┬ ─ ┐\n│ ┼ ┘ │\n└ ─ ┴ ┐\n─ ┘ │ └",
    "example 3": "sources: 1,1\nsinks: 3,3\n┌! ─! ┐!\n│! ┼! │!\n└! ─! ┘!",
}
RULES = ("reach", "article", "sealed", "strict")
VARIANTS = (
    "reference", "reference:no-border", "reference:no-conflict", "reference:connectivity",
    "reference:astar",
)  # fmt: skip
BUDGET = 10_000
FULL, QUICK = 50, 10
LOCKED = 0.3
QUICK_LAYOUTS = 500
"""Where counting the examples' layouts stops in a quick run."""

NOTES = (
    "The article never says which leaks are allowed. Its program's own rule is: no cell that may "
    "turn opens off the board or towards a fixed piece that does not open back, and the water "
    "reaches the sink.",
    "A call is one call of its recursive search, what it calls a node.",
    f"'In milliseconds' is restated as a budget: at most {BUDGET} calls. 'Cut off': the budget "
    "was spent before the search knew.",
)


def example(name: str) -> Flow:
    """One of the article's boards, under its program's own rule."""
    [found] = loads(EXAMPLES[name], rules="article")
    assert isinstance(found, Flow)
    return found


def layouts(board: Flow, rules: str, limit: int | None = None) -> str:
    """The number of layouts under a rule, ``at least`` where counting stopped at a limit."""
    found = count(board.with_rules(rules).puzzle, "propagation", limit=limit)
    return str(found.value) if found.exact else f"at least {found.value}"


def calls(board: Flow, variant: str = "reference") -> tuple[int, bool]:
    """Calls of a variant of the article's search until its first solution or its end, and
    whether it found one; at most the budget.
    """
    answer = solve(board.puzzle, variant, Limits(nodes=BUDGET))
    return int(answer.stats["calls"]), answer.solution is not None


def _reached_as_given(board: Flow) -> bool:
    """Whether the layout as it was drawn is one that reach accepts."""
    pieces = board.board.pieces
    locked = np.ones(board.board.cells, dtype=np.bool_)
    given = Board(board.board.topology, pieces, oriented=True, locked=locked)
    fixed = Flow(given, board.sources, board.sinks)
    return solve(fixed.puzzle, "brute").solution is not None


def _example_claims(as_given: str) -> list[Claim]:
    """``as_given``: the number of layouts of example 2 under plain reach."""
    one, two, three = (example(name) for name in EXAMPLES)
    nodes, _ = calls(one)
    searched, solved = calls(two)
    return [
        Claim(
            "example 1: calls of the search",
            "12; (2,2) must turn",
            f"{nodes}; the layout as given {'is' if _reached_as_given(one) else 'is not'} a "
            "solution already",
            "exact",
            "example 1",
            "holds" if nodes == 12 else "does not hold",
        ),
        Claim(
            "example 2: the sink is reached",
            "no solution",
            f"search: {'solved' if solved else 'none'} after {searched} calls; under plain reach "
            f"{as_given} layouts, the given one "
            f"{'among' if _reached_as_given(two) else 'not among'} them",
            "exact",
            "example 2",
            "holds only under the program's own rule",
        ),
        Claim(
            "example 3: the sink is reached",
            "yes",
            "yes" if _reached_as_given(three) else "no",
            "exact",
            "example 3",
            "holds" if _reached_as_given(three) else "does not hold",
        ),
    ]


def _rotation_claim() -> Claim:
    saved = {
        name: 1 - len(orientations(mask, 4)) / 4
        for name, mask in (("elbow", 3), ("tee", 7), ("straight", 5), ("cross", 15))
    }
    told = ", ".join(f"{name} {100 * share:g} %" for name, share in saved.items())
    return Claim(
        "distinct rotations cut the search space by",
        "25 to 75 %",
        told,
        "exact",
        "per piece",
        "does not hold as worded",
    )


def _small_boards(sample: int, progress: Progress) -> tuple[list[list], Claim]:
    rows, within, asked = [], 0, 0
    for size in (3, 4, 5):
        progress(f"flow boards {size}x{size}, {LOCKED:.0%} locked")
        needed = []
        for seed in range(1, sample + 1):
            board = make("flow", size, size, seed, locked=LOCKED).with_rules("article")
            assert isinstance(board, Flow)
            number, found = calls(board)
            needed.append(number)
            within += found
            asked += 1
        rows.append([f"{size}x{size}", sample, float(np.median(needed)), max(needed),
                     sum(n >= BUDGET for n in needed)])  # fmt: skip
    share = proportion(within, asked)
    return rows, Claim(
        "up to 5x5 with at least 30 % locked: solved in milliseconds",
        "yes",
        f"{within} of {asked} within {BUDGET} calls",
        share.interval(),
        f"{asked} boards, 3x3 to 5x5, seeds 1 to {sample}",
        "holds" if within == asked else "does not hold for all",
    )


def _ablation(sample: int, progress: Progress) -> list[list]:
    rows = []
    for size in (3, 4):
        boards = [
            make("flow", size, size, seed, locked=LOCKED).with_rules("article")
            for seed in range(1, sample + 1)
        ]
        for variant in VARIANTS:
            progress(f"flow boards {size}x{size}: {variant}")
            needed = [calls(board, variant)[0] for board in boards if isinstance(board, Flow)]
            rows.append([f"{size}x{size}", variant, sample, float(np.median(needed)),
                         float(np.mean(needed)), max(needed),
                         sum(n >= BUDGET for n in needed)])  # fmt: skip
    return rows


def run(*, quick: bool, progress: Progress) -> Report:
    """Examples, prunings, small boards."""
    sample = QUICK if quick else FULL
    progress("the article's examples")
    most = QUICK_LAYOUTS if quick else None
    counts = [[name, *(layouts(example(name), rule, most) for rule in RULES)] for name in EXAMPLES]
    by_variant = []
    for name in EXAMPLES:
        for variant in VARIANTS:
            try:
                number, found = calls(example(name), variant)
            except Unsupported:
                continue
            ended = "yes" if found else "cut off" if number >= BUDGET else "no"
            by_variant.append([name, variant, number, ended])
    small, claim = _small_boards(sample, progress)
    claims = [*_example_claims(counts[1][1]), _connectivity_claim(), _rotation_claim(), claim]
    tables = [
        Table("Layouts of the examples by rule", ("board", *RULES), counts, "flow_counts"),
        Table("Calls on the examples", ("board", "variant", "calls", "solved"), by_variant,
              "flow_examples"),
        Table("Small boards, 30 % locked", ("size", "n", "median calls", "most", "cut off"),
              small, "flow_small"),
        Table("Prunings", ("size", "variant", "n", "median calls", "mean", "most", "cut off"),
              _ablation(sample, progress), "flow_prunings"),
    ]  # fmt: skip
    return Report("flow", "Water flow (article 001)", NOTES, claims, tables, [])


def _connectivity_claim() -> Claim:
    plain = calls(example("example 2"))[0]
    pruned = calls(example("example 2"), "reference:connectivity")[0]
    return Claim(
        "connectivity prunes during the search",
        "yes",
        f"tested at leaves only; tested before every call it would leave {pruned} of {plain} "
        "calls on example 2",
        "exact",
        "example 2",
        "does not hold of the program",
    )
