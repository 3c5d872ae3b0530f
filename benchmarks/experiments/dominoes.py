"""Experiment ``dominoes``: what article 003 says of Euler paths and longest chains.

Claims in seconds are restated as budgets of calls of its search; each result stands beside the
proved optimum, which an engine that shares nothing with that search finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from ...puzzles.dominoes import Dominoes
from ...puzzles.euler import Kind, euler
from ...puzzles.generators.dominoes import java_dominoes
from ...puzzles.instance import Objective
from ...solvers.contract import Limits, Status
from ...solvers.run import optimise
from ..report.document import Table
from ..statistics.estimates import proportion
from . import Progress
from .report import Claim, Report

PIPS = 7
LENGTH = Objective("length", maximise=True)
PROVER = "sat"
VARIANTS = (
    "reference", "reference:subsets", "reference:rich", "reference:both-ends",
    "reference:odd-start", "reference:components",
)  # fmt: skip
SIZES = (15, 20, 25, 30)
FULL, QUICK = (20, 3000, (1_000, 10_000, 100_000)), (6, 1000, (1_000, 10_000))
"""Sets per size, sets for the Euler verdict, budgets of calls."""

NOTES = (
    "A call is one call of the article's depth-first search, corrected: doubles count two, the "
    "chain keeps its start, tiles keep their identity.",
    "Random sets are those of the article's program: pips uniform from 0 to 6, equal tiles "
    "allowed, from java.util.Random.",
    "The longest chain by theory: take away the fewest tiles that leave one component with at "
    "most two odd pips. The engine that proves it here knows nothing of that.",
    "'Proved': the search ended within its budget, so that its longest chain is known to be the "
    "longest; 'longest found': that chain was found, with or without a proof.",
)

Tiles = list[tuple[int, int]]


def double_set(most: int) -> Tiles:
    """The full set with pips 0 to ``most``."""
    return list(combinations_with_replacement(range(most + 1), 2))


def random_tiles(number: int, seed: int) -> Tiles:
    """A random set as the article's program draws it."""
    return list(java_dominoes(number, seed).tiles)


def article_verdict(tiles: Tiles) -> bool:
    """Whether the article's program finds an Euler path: a double adds one to its pip."""
    degree = [0] * PIPS
    for a, b in tiles:
        degree[a] += 1
        degree[b] += a != b
    return _connected(tiles) and sum(d % 2 for d in degree) in (0, 2)


def _connected(tiles: Tiles) -> bool:
    return not tiles or euler(tiles, PIPS).parts == 1


def true_verdict(tiles: Tiles) -> bool:
    """Whether all tiles make one chain."""
    return not tiles or euler(tiles, PIPS).kind is not Kind.NEITHER


def longest(tiles: Sequence[tuple[int, int]], solver: str, nodes: int | None = None):
    """The answer of an engine to: the longest chain."""
    instance = Dominoes(tuple(tiles), rules="subchain").with_objective(LENGTH)
    return optimise(instance.puzzle, solver, Limits(nodes=nodes))


def proved(tiles: Sequence[tuple[int, int]]) -> int:
    """The length of the longest chain, proved."""
    answer = longest(tiles, PROVER)
    assert answer.status is Status.OPTIMAL
    assert answer.cost is not None
    return answer.cost


def _verdicts(sample: int) -> tuple[int, int]:
    """How often the program's verdict is wrongly negative, wrongly positive."""
    negative = positive = 0
    for seed in range(sample):
        tiles = random_tiles(15, seed)
        said, true = article_verdict(tiles), true_verdict(tiles)
        negative += true and not said
        positive += said and not true
    return negative, positive


def _budget_rows(
    number: int, budgets: Sequence[int], progress: Progress
) -> tuple[list[list], list[Claim]]:
    rows, claims = [], []
    for size in SIZES:
        sets = [random_tiles(size, seed) for seed in range(number)]
        best = [proved(tiles) for tiles in sets]
        for budget in budgets:
            progress(f"dominoes: {size} tiles, {budget} calls")
            answers = [longest(tiles, "reference", budget) for tiles in sets]
            done = sum(a.status is Status.OPTIMAL for a in answers)
            right = sum(a.cost == b for a, b in zip(answers, best, strict=True))
            share = proportion(done, number)
            rows.append([size, budget, number, done, share.interval(), right])
        if size >= 20:
            claims.append(_seconds_claim(rows[-1]))
    return rows, claims


def _seconds_claim(row: list) -> Claim:
    size, budget, number, done, _, right = row
    share = proportion(done, number)
    return Claim(
        f"{size} tiles: the search proves the longest chain within seconds",
        "yes, up to 30 tiles",
        f"{share.hits} of {share.n} proved within {budget} calls; a longest chain found in {right}",
        share.interval(),
        f"{share.n} random sets, seeds from 0",
        _budget_verdict(share.hits, share.n),
    )


def _budget_verdict(hits: int, number: int) -> str:
    if hits == number:
        return "holds within this budget"
    return "does not hold for all" if hits else "does not hold within this budget"


def _variant_rows(number: int, budget: int, progress: Progress) -> list[list]:
    rows = []
    sets = [random_tiles(15, seed) for seed in range(number)]
    best = [proved(tiles) for tiles in sets]
    for variant in VARIANTS:
        progress(f"dominoes: {variant}")
        answers = [longest(tiles, variant, budget) for tiles in sets]
        done = sum(a.status is Status.OPTIMAL for a in answers)
        found = sum(a.cost == b for a, b in zip(answers, best, strict=True))
        calls = sum(int(a.stats["calls"]) for a in answers)
        rows.append([variant, number, done, found, calls])
    return rows


def _splice_claim() -> Claim:
    """Two components: the longest chain is the longer of theirs, not their sum."""
    left, right = [(0, 1), (1, 2), (2, 0)], [(3, 4), (4, 5)]
    both = proved([*left, *right])
    return Claim(
        "the longest chains of separate components can be spliced",
        "yes",
        f"components of 3 and 2 tiles: longest chain {both}",
        "exact",
        "0|1 1|2 2|0 3|4 4|5",
        "does not hold" if both == 3 else "holds",
    )


def _double_six_claims() -> list[Claim]:
    tiles = double_set(6)
    degrees = {sum((a == v) + (b == v) for a, b in tiles) for v in range(PIPS)}
    chains = Dominoes(tuple(tiles)).count_exactly()
    plain = [t for t in tiles if t[0] != t[1]]
    circuits = Dominoes(tuple(plain), rules="closed").count_exactly()
    assert chains is not None
    assert circuits is not None
    return [
        Claim(
            "double-six set: an Euler path exists",
            "no (the program's output)",
            f"every degree is {', '.join(map(str, degrees))}: "
            f"{'a circuit' if true_verdict(tiles) else 'none'}; longest chain {proved(tiles)}",
            "exact",
            "28 tiles",
            "does not hold" if true_verdict(tiles) else "holds",
        ),
        Claim(
            "directed chains of the double-six set",
            "not given; known: 7,959,229,931,520",
            f"{chains.value:,}; {chains.value // 2:,} up to reversal",
            "exact",
            "28 tiles",
            "holds" if chains.value == 7_959_229_931_520 else "does not hold",
        ),
        Claim(
            "directed Euler circuits of K7, the complete graph on 7 vertices",
            "not given; known: 129,976,320",
            f"{circuits.value // len(plain):,}",
            "exact",
            "21 tiles without doubles, rotations alike",
            "holds" if circuits.value == 129_976_320 * len(plain) else "does not hold",
        ),
    ]


def _verdict_claims(sample: int) -> list[Claim]:
    negative, positive = _verdicts(sample)
    return [
        Claim(
            f"the program's Euler verdict is right whenever it says {said}",
            "always",
            f"{said} is said wrongly of {wrong} of {sample} sets",
            proportion(wrong, sample).interval(),
            f"{sample} sets of 15 tiles, seeds from 0",
            "holds" if not wrong else "does not hold",
        )
        for said, wrong in (("'no chain'", negative), ("'a chain'", positive))
    ]


def run(*, quick: bool, progress: Progress) -> Report:
    """Verdicts, constants, budgets, ideas."""
    number, verdicts, budgets = QUICK if quick else FULL
    progress("dominoes: the double-six set")
    claims = [*_double_six_claims(), *_verdict_claims(verdicts), _splice_claim()]
    rows, more = _budget_rows(number, budgets, progress)
    header = ("tiles", "budget of calls", "sets", "proved", "95 %", "longest found")
    ideas = ("variant", "sets", "proved", "longest found", "calls in all")
    tables = [
        Table("The article's search by budget", header, rows, "dominoes_budgets"),
        Table(f"Its ideas, 15 tiles, {budgets[-1]} calls each", ideas,
              _variant_rows(number, budgets[-1], progress), "dominoes_ideas"),
    ]  # fmt: skip
    return Report("dominoes", "Domino chains (article 003)", NOTES, [*claims, *more], tables, [])
