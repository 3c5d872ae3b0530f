"""Experiment ``correlation``: do more pieces, or more crosses, mean more solutions?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..report.document import Table
from ..statistics.estimates import Estimate, pearson, spearman
from . import Progress
from .article import BOARDS, SEED, Measured, measured
from .counts import RULES, WHY, raw
from .report import Claim, Report, Scatter
from .varying import FULL, QUICK, Settings, Varied, groups, varied

PIECES = ("pieces", "ends", "tees", "crosses")
CLAIMED = {"pieces": 0.62, "crosses": -0.03}

INFERENCE = (
    "The article's figures (7 to 21, r = 0.62) resemble those of search calls, not of solutions; "
    "that it mixed the two up is an inference, not something its text says."
)

POOLED = (
    "The rows of all sizes mix small boards with large ones, so that whatever grows with size "
    "correlates there; the rows of one size do not."
)


def _verdict(estimate: Estimate, claimed: float) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "undefined: the count is constant"
    inside = estimate.low <= claimed <= estimate.high
    return f"the claimed number is {'inside' if inside else 'outside'} the interval"


def _article_claims(rows: Sequence[Measured]) -> list[Claim]:
    sample = f"{len(rows)} boards, seed {SEED}"
    claims = []
    for outcome, label in (("connected", "solutions"), ("calls", "calls of the search")):
        for piece, claimed in CLAIMED.items():
            found = pearson([getattr(r, piece) for r in rows], [getattr(r, outcome) for r in rows])
            said = f"{claimed:.2f}" if outcome == "connected" else f"({claimed:.2f}, of solutions)"
            claims.append(
                Claim(
                    f"r({piece}, {label})",
                    said,
                    found.text(3),
                    found.interval(),
                    sample,
                    _verdict(found, claimed),
                )
            )
    return claims


def _correlation_rows(rows: Sequence[Varied], group: str) -> list[list[str | int | float | None]]:
    body = []
    for rule in RULES:
        logs = np.log10([r.value(rule) for r in rows])
        cut = sum(not r.exact(rule) for r in rows)
        for piece in PIECES:
            x = [getattr(r, piece) for r in rows]
            r, rho = pearson(x, logs), spearman(x, logs)
            body.append(
                [
                    group,
                    rule,
                    piece,
                    r.text(),
                    r.interval(),
                    rho.text(),
                    rho.interval(),
                    len(rows),
                    cut,
                ]
            )
    return body


def _tables(rows: Sequence[Varied], settings: Settings) -> list[Table]:
    header = (
        "boards", "rules", "x", "r(x, log10 count)", "95 %", "Spearman", "95 %", "n", "cut off",
    )  # fmt: skip
    shown = _correlation_rows(rows, "all sizes")
    for grid in dict.fromkeys(group.grid for group in groups(settings)):
        shown += _correlation_rows([r for r in rows if r.group.grid == grid], grid)
    fine = []
    for group in groups(settings):
        fine += _correlation_rows([r for r in rows if r.group == group], str(group))
    title = (
        "Boards with ends and tees: correlations with the number of solutions "
        f"(counts cut off at {settings.limit} enter as that number)"
    )
    return [
        Table(title, header, shown, "correlation"),
        Table(f"{title}, by density", header, fine, "correlation_by_density", False),
    ]


def _note(estimate: Estimate, r: str = "r") -> str:
    return (
        f"{r} = {estimate.text()} ({estimate.interval()})"
        if estimate.value is not None
        else f"{r} undefined"
    )


def _article_figure(rows: Sequence[Measured]) -> Scatter:
    series, labels = {}, {}
    for piece in CLAIMED:
        for y, label in (("connected", "solutions"), ("calls", "search calls")):
            name = f"{piece} and {label}"
            series[name] = ([getattr(r, piece) for r in rows], [getattr(r, y) for r in rows])
            labels[name] = (piece, label)
    notes = {name: _note(pearson(x, y)) for name, (x, y) in series.items()}
    return Scatter(
        "correlation_article",
        "Article 000: 100 boards 5x5",
        labels,
        series,
        notes,
    )


def _varying_figure(rows: Sequence[Varied], limit: int) -> Scatter:
    series, notes, labels = {}, {}, {}
    for piece in ("pieces", "crosses"):
        for wrap, kind in ((False, "bordered"), (True, "torus")):
            here = [r for r in rows if r.wrap == wrap]
            x, y = [getattr(r, piece) for r in here], [r.connected for r in here]
            name = f"{piece}, {kind}, all sizes"
            series[name], labels[name] = (x, y), (piece, f"solutions (at most {limit})")
            notes[name] = _note(pearson(x, np.log10(y)), "r with log10")
    return Scatter(
        "correlation_varying",
        "Boards with ends and tees: connected solutions",
        labels,
        series,
        notes,
        log_y=True,
    )


def run(*, quick: bool, progress: Progress) -> Report:
    """Correlate on the article's boards and on boards whose counts vary."""
    settings = QUICK if quick else FULL
    progress(f"the article's {BOARDS} boards")
    rows = measured()
    others = varied(settings, progress)
    return Report(
        "correlation",
        "Correlations with the number of solutions (article 000)",
        [WHY, INFERENCE, POOLED],
        _article_claims(rows),
        [
            *_tables(others, settings),
            raw(rows, "The article's boards", "correlation_article"),
            raw(others, "Boards with ends and tees", "correlation_varying"),
        ],
        [_article_figure(rows), _varying_figure(others, settings.limit)],
    )
