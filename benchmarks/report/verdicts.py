"""Who agrees, who is wrong, what failed: the sections that no figure may hide."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ...puzzles.values import every_digit
from ..judging.agreement import Judgement
from ..processes.jobs import Outcome
from ..tables import Cell, Shown
from .comparing import matrix
from .content import Content
from .document import Paragraph, Section, Table
from .terms import number

NAMED = 5
"""Puzzles named in a sentence."""

FAILED = (Outcome.CRASHED, Outcome.MEMOUT, Outcome.ERROR, Outcome.WRONG, Outcome.INTERRUPTED)


def banner(content: Content) -> Paragraph:
    """The one line above everything."""
    total, bad = len(content.judgements), _disputed(content)
    if bad:
        wrong = sorted({s for j in content.judgements.values() for s in j.disqualified})
        who = f"; wrong: {', '.join(wrong)}" if wrong else ""
        return Paragraph(
            f"DISAGREEMENT on {number(len(bad), 'puzzle')} of {total}{who}. "
            "No figure holds a time of a wrong answer.",
            "bad",
        )
    if not total:
        return Paragraph("No run was made: there is nothing to compare.", "warn")
    if all(_deciders(content, fingerprint) == 0 for fingerprint in content.judgements):
        asked = number(total, "puzzle")
        return Paragraph(f"Nothing to compare: no engine answered any of {asked}.", "warn")
    alone = sum(_deciders(content, fingerprint) == 1 for fingerprint in content.judgements)
    open_ = sum(_deciders(content, fingerprint) == 0 for fingerprint in content.judgements)
    more = [f"{alone} answered by one engine alone"] * bool(alone)
    more += [f"{open_} by none"] * bool(open_)
    beside = f" ({', '.join(more)})" if more else ""
    return Paragraph(
        f"All engines agree on {number(total, 'puzzle')}{beside}; every solution was checked."
        if not content.unread
        else f"All engines agree on {number(total, 'puzzle')}{beside}; solutions of "
        f"{number(len(content.unread), 'puzzle')} could not be checked again.",
        "warn" if content.unread else "good",
    )


def agreement(content: Content) -> Section:
    """How many puzzles the engines agree on, and who is wrong where."""
    total, bad = len(content.judgements), _disputed(content)
    tally = Counter(judgement.status.value for judgement in content.judgements.values())
    statuses = ", ".join(f"{number} {status}" for status, number in sorted(tally.items()))
    paragraphs = [
        Paragraph(
            f"Agreement: {total - len(bad)} of {number(total, 'puzzle')}; {statuses or 'none'}"
        )
    ]
    for fingerprint, judgement in bad.items():
        name = content.names[fingerprint]
        kept = content.evidence(fingerprint)
        where = f" (both sides: {kept})" if kept else ""
        paragraphs += [
            Paragraph(f"{name}: {line}{where}", "bad") for line in judgement.complaints()
        ]
        paragraphs += _smallest(kept)
    if bad:
        paragraphs.insert(1, Paragraph("DISAGREEMENT", "bad"))
    paragraphs += _unchecked(content)
    tone = "bad" if bad else "good"
    table = matrix(content)
    tables = [] if table is None else [table]
    return Section("agreement", "Agreement", paragraphs, tables, tone=tone, brief=True)


def _unchecked(content: Content) -> Iterator[Paragraph]:
    """The puzzles whose solutions were not checked again, those with one reason together."""
    reasons: dict[str, list[str]] = {}
    for fingerprint, why in content.unread.items():
        reasons.setdefault(why, []).append(content.names[fingerprint])
    for why, names in reasons.items():
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        yield Paragraph(f"{', '.join(names[:NAMED])}{more}: not checked again: {why}", "warn")


def _smallest(kept: Path | None) -> list[Paragraph]:
    """The smallest puzzle that still shows a disagreement, if its file holds one."""
    try:
        record = json.loads(kept.read_text(encoding="utf-8")) if kept is not None else {}
        found = record.get("smallest") or {}
        words = [Paragraph(str(found["note"]))] if found.get("note") else []
        picture = "\n".join(found.get("where") or found.get("drawing") or ())
    except (OSError, ValueError, AttributeError, TypeError):
        return []  # evidence is kept beside the store, and may be lost or damaged
    return words + ([Paragraph(picture, code=True)] if picture else [])


def failures(content: Content) -> Section:
    """Every run that ended as none should, with its last words; and rows that are unreadable."""
    rows: list[list[Cell]] = [
        [
            row.name,
            row.key.solver,
            row.key.task,
            row.key.seed,
            row.result.outcome.value,
            last_words(row.result.message),
        ]
        for row in content.rows
        if row.result.outcome in FAILED
    ]
    tables = []
    if rows:
        head = ("puzzle", "engine", "question", "seed", "outcome", "last words")
        tables.append(Table("Runs that failed", head, rows, "failures", left=6))
    if content.bad:
        head = ("row of the store", "why it cannot be read")
        lines: list[list[Cell]] = [[bad.id, bad.why] for bad in content.bad]
        tables.append(Table("Runs that cannot be read, in no figure", head, lines, left=2))
    if content.suspect:
        head = ("row of the store", "measurement that makes no sense")
        lines = [[bad.id, bad.why] for bad in content.suspect]
        tables.append(Table("Measurements left out", head, lines, left=2))
    missing = {
        row.key.solver: last_words(row.result.message)
        for row in content.rows
        if row.result.outcome is Outcome.MISSING
    }
    paragraphs = [
        Paragraph(f"engine {solver} is not there: {why}", "warn") for solver, why in missing.items()
    ]
    return Section("failures", "What failed", paragraphs, tables, brief=True)


def last_words(message: str) -> str:
    """The last line of a message."""
    return (message.strip().splitlines() or ["no message"])[-1]


def verdict(judgement: Judgement, checked: bool = True) -> Shown:
    """What is known of a puzzle, in a word or two."""
    with every_digit():
        return _verdict(judgement, checked)


def _verdict(judgement: Judgement, checked: bool) -> Shown:
    if not judgement.agreed:
        return Shown(None, "DISAGREEMENT", "bad")
    if judgement.optimal:
        return Shown(None, f"optimum {judgement.cost}")
    if judgement.count == 0:
        return Shown(None, judgement.status.value)
    if judgement.exact:
        known = "unique" if judgement.count == 1 else f"{judgement.count} solutions"
    else:
        known = "solvable" if judgement.count == 1 else f"{judgement.count} or more"
    return Shown(None, known if checked else f"{known} (claimed)", "" if checked else "warn")


def _disputed(content: Content) -> dict[str, Judgement]:
    return {f: j for f, j in content.judgements.items() if not j.agreed}


def _deciders(content: Content, fingerprint: str) -> int:
    return len({r.key.solver for r in content.by_puzzle[fingerprint] if r.result.decided})
