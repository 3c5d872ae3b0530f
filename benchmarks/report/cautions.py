"""What a reader must know before trusting a figure."""

from __future__ import annotations

from collections.abc import Iterator

from ..processes import host
from ..processes.jobs import Outcome
from ..statistics.mixtures import mixtures
from ..units import memory_text, span_text
from .content import Content
from .document import Paragraph
from .terms import number


def cautions(content: Content) -> list[Paragraph]:
    """One line each; none is good."""
    found = [*_incomplete(content), *_mixed(content), *_kept(content), *_machine(content)]
    return [Paragraph(f"Mind: {line}.", "warn") for line in found]


def _incomplete(content: Content) -> Iterator[str]:
    settings = content.settings
    planned = settings.get("planned")
    left = planned - len(content.rows) - len(content.bad) if isinstance(planned, int) else 0
    if left > 0:
        budget = settings.get("budget")
        why = "the campaign runs or was killed"
        if content.info.ended is not None:
            why = f"the budget of {span_text(budget)} was spent, or" if budget else ""
            why = f"{why} it was interrupted".strip()
        yield f"{left} of {number(planned or 0, 'planned run')} {_are(left)} missing ({why})"
    if content.bad:
        bad = len(content.bad)
        yield f"{number(bad, 'run')} of the store cannot be read and {_are(bad)} in no figure"
    if content.unread:
        unread = number(len(content.unread), "puzzle")
        yield f"{unread} could not be checked again: the answers are claims"
    absent = [s for s, rows in _by_solver(content).items() if rows == {Outcome.MISSING}]
    if absent:
        yield f"not there, so not measured: {', '.join(absent)}"
    for error in settings.get("skipped") or ():
        yield f"left out: {error}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _by_solver(content: Content) -> dict[str, set[Outcome]]:
    """How the runs of each engine ended."""
    found: dict[str, set[Outcome]] = {}
    for row in content.rows:
        found.setdefault(row.key.solver, set()).add(row.result.outcome)
    return found


def _kept(content: Content) -> Iterator[str]:
    """Runs of earlier campaigns whose source may have been another, under the same versions."""
    source = content.info.host.get("git")
    other = {n for n, info in content.earlier.items() if info.host.get("git") != source}
    if (source or {}).get("dirty"):
        other = set(content.earlier)
    kept = sum(row.campaign in other for row in content.rows)
    if kept:
        was = "was" if kept == 1 else "were"
        yield (
            f"{kept} of {number(len(content.rows), 'run')} {was} kept from campaigns of another "
            "commit, or of changes that are in none: an engine may have changed since"
        )


def _mixed(content: Content) -> Iterator[str]:
    """Runs that were not made under the same terms."""
    keys = [row.key for row in content.rows]
    for what, values in (
        ("limits of wall time", (_said(k.seconds, span_text) for k in keys)),
        ("limits of processor time", (_said(k.cpu, span_text) for k in keys)),
        ("limits of memory", (_said(k.memory, memory_text) for k in keys)),
    ):
        different = sorted(set(values))
        if len(different) > 1:
            yield f"{what} differ: {', '.join(different)}"
    yield from mixtures(content.frame)


def _said(value: float | int | None, text) -> str:
    return "none" if value is None else text(value)


def _machine(content: Content) -> Iterator[str]:
    jobs, memory = content.settings.get("jobs"), content.settings.get("memory")
    yield from host.warnings(content.info.host, jobs or 1, memory)
    loads = [r.result.where.load for r in content.rows if r.result.where is not None]
    known = [load for load in loads if load is not None]
    threads = (content.info.host.get("processors") or {}).get("usable logical")
    if known and threads:
        busy = sum(load > threads + 0.5 for load in known)
        if busy > len(known) / 10:
            yield (
                f"the machine was busy during {busy} of {number(len(known), 'run')}: more runnable "
                f"processes than its {threads} processors"
            )
