"""Experiment ``counts``: article 000's numbers of solutions and of search nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields

import numpy as np

from ..report.document import Table
from ..statistics.estimates import mean
from . import Progress
from .article import BOARDS, SEED, Measured, calls_over_seeds, measured
from .report import Claim, Histogram, Report
from .varying import FULL, QUICK, Group, Settings, Varied, groups, varied

SEEDS_FULL, SEEDS_QUICK = 20, 2
RULES = ("match", "connected")

WHY = (
    "Every bordered board of straights, elbows, crosses and blanks has at most one match "
    "solution: going through the cells row by row, the openings above and to the left are "
    "known, and each of these pieces is then forced."
)


def _range(values: list[int]) -> str:
    low, high = min(values), max(values)
    return f"constant {low}" if low == high else f"{low} to {high}"


def _holds(truth: bool) -> str:
    return "holds" if truth else "does not hold"


def _article_claims(rows: Sequence[Measured], seeds: list[list[int]]) -> list[Claim]:
    sample = f"{len(rows)} boards, seed {SEED}"
    nodes = [r.calls for r in rows]
    of_seeds = mean([c for one in seeds for c in one])
    node_mean, pieces, edges = (
        mean(nodes),
        mean([r.pieces for r in rows]),
        mean([r.edges for r in rows]),
    )
    claims = []
    for rule, values in (
        ("match", [r.match for r in rows]),
        ("connected", [r.connected for r in rows]),
    ):
        truth = (min(values), max(values), np.median(values)) == (7, 21, 14)
        claims.append(
            Claim(
                f"solutions, {rule}",
                "7 to 21, median 14",
                _range(values),
                "-",
                sample,
                _holds(truth),
            )
        )
    claims += [
        Claim(
            "calls of the search, mean",
            "about 13",
            node_mean.text(),
            node_mean.interval(),
            sample,
            _holds(abs((node_mean.value or 0) - 13) < 1),
        ),
        Claim(
            "calls of the search, median and range",
            "not given",
            f"{np.median(nodes):g}, {_range(nodes)}",
            "-",
            sample,
            "measured only",
        ),
        Claim(
            "calls of the search, mean over seeds",
            "about 13",
            of_seeds.text(),
            of_seeds.interval(),
            f"{of_seeds.n} boards, {len(seeds)} seeds from {SEED}",
            _holds(abs((of_seeds.value or 0) - 13) < 1),
        ),
        Claim(
            "variables (pieces) of a 5x5 board, mean",
            "21",
            f"{pieces.text()}, {_range([r.pieces for r in rows])}",
            pieces.interval(),
            sample,
            _holds(abs((pieces.value or 0) - 21) < 0.5),
        ),
        Claim(
            "pipe edges, mean", "not given", edges.text(), edges.interval(), sample, "measured only"
        ),
    ]
    return claims


def _spread_row(rows: Sequence[Varied], group: Group, rule: str) -> list[str | int | float]:
    here = [r for r in rows if r.group == group]
    values = np.array([r.value(rule) for r in here])
    exact = np.array([r.exact(rule) for r in here])
    low, middle, high = np.percentile(values, [25, 50, 75])
    return [
        group.grid,
        group.density,
        rule,
        len(here),
        float(np.mean((values == 1) & exact)),
        float(low),
        float(middle),
        float(high),
        int(values.max()),
        int((~exact).sum()),
    ]


def _spread(rows: Sequence[Varied], settings: Settings) -> Table:
    header = (
        "boards", "density", "rules", "n", "share unique",
        "q1", "median", "q3", "largest", "cut off",
    )  # fmt: skip
    body = [_spread_row(rows, group, rule) for group in groups(settings) for rule in RULES]
    title = f"Boards with ends and tees: numbers of solutions (counting stops at {settings.limit})"
    return Table(title, header, body, "counts_spread")


def raw(rows: Sequence[Measured | Varied], title: str, file: str) -> Table:
    """Every measured board, for the CSV file only."""
    return Table(title, [f.name for f in fields(rows[0])], [astuple(r) for r in rows], file, False)


def _figures(rows: Sequence[Measured], others: list[Varied], limit: int) -> list[Histogram]:
    series: dict[str, list[int]] = {}
    for row in others:
        series.setdefault(row.group.grid, []).append(row.connected)
    return [
        Histogram(
            "counts_article",
            "Article 000: 100 boards 5x5",
            {"solutions (connected)": "solutions", "calls of the article's search": "calls"},
            {
                "solutions (connected)": [r.connected for r in rows],
                "calls of the article's search": [r.calls for r in rows],
            },
        ),
        Histogram(
            "counts_varying",
            "Boards with ends and tees: connected solutions",
            dict.fromkeys(series, f"solutions (counting stops at {limit})"),
            series,
            log=True,
        ),
    ]


def run(*, quick: bool, progress: Progress) -> Report:
    """Measure the article's boards and the boards that it should have taken."""
    settings = QUICK if quick else FULL
    progress(f"the article's {BOARDS} boards")
    rows = measured()
    seeds = calls_over_seeds(SEEDS_QUICK if quick else SEEDS_FULL, progress)
    others = varied(settings, progress)
    return Report(
        "counts",
        "Numbers of solutions (article 000)",
        [WHY],
        _article_claims(rows, seeds),
        [
            _spread(others, settings),
            raw(rows, "The article's boards", "counts_article"),
            raw(others, "Boards with ends and tees", "counts_varying"),
        ],
        _figures(rows, others, settings.limit),
    )
