"""Two campaigns: what changed from the first to the second, beyond noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..statistics.changes import Changes, Flip, Pace, changes, differences
from ..tables import Cell, Shown, Tone, time_cell
from .content import Content
from .document import Document, Paragraph, Section, Table
from .terms import question_text, times
from .verdicts import agreement, banner

IGNORED = frozenset({"counters", "capabilities", "load", "loads", "available memory", "planned",
                     "resumed", "swap memory in use", "megahertz now"})  # fmt: skip
"""Facts that differ between any two campaigns, or are shown elsewhere."""


ALIKE = 1.05
"""A change of every engine by more than this factor, the same way, is remarked on."""

_TONES: dict[str, Tone] = {"slower": "bad", "faster": "good", "-": ""}


def comparison(before: Content, after: Content) -> Document:
    """The document of what changed."""
    found = changes(before.frame, after.frame)
    sections = [
        _words(found),
        Section("answers", "Answers", tables=_answers(found), brief=True),
        Section("flips", "Solved or lost", tables=_flips(found), brief=True),
        Section("paces", "Faster or slower", tables=_paces(found), brief=True),
        Section("work", "Counters", tables=_counters(found), brief=True),
        Section("sides", "Only on one side", tables=_sides(found), brief=True),
        Section("terms", "How they were measured", tables=_terms(before, after), brief=True),
        *_agreements(before, after),
    ]
    title = f"plumbench: {_name(before)} and {_name(after)}"
    return Document(title, _verdict(before, after, found), [s for s in sections if not s.empty])


def _name(content: Content) -> str:
    return f"{content.path.name} campaign {content.info.id}"


def _verdict(before: Content, after: Content, found: Changes) -> Paragraph:
    red = [_name(content) for content in (before, after) if not content.agreed]
    if red:
        return Paragraph(f"DISAGREEMENT in {' and in '.join(red)}.", "bad")
    if found.answers:
        return Paragraph("DISAGREEMENT: engines contradict what they said before.", "bad")
    if found.any:
        return Paragraph("Something changed beyond noise.", "warn")
    return Paragraph("Nothing changed beyond noise.", "good")


def agreed(before: Content, after: Content, document: Document) -> bool:
    """Whether no side has a disagreement, and no engine contradicts its earlier self."""
    return before.agreed and after.agreed and document.verdict.tone != "bad"


def _agreements(before: Content, after: Content) -> Iterator[Section]:
    for side, content in (("before", before), ("after", after)):
        if not content.agreed:
            of = agreement(content)
            yield Section(
                f"agreement-{side}", f"Agreement {side}", [banner(content), *of.paragraphs],
                of.tables, tone="bad", brief=True,
            )  # fmt: skip


def _words(found: Changes) -> Section:
    said = [Paragraph(line) for line in _sentences(found)]
    said += [Paragraph(f"Mind: {note}", "warn") for note in (*found.notes, *_alike(found))]
    return Section("words", "In words", said, brief=True)


def _sentences(found: Changes) -> Iterator[str]:
    for one in found.answers:
        yield f"{one.solver} contradicts itself on {one.name}: {one.why}."
    for pace in found.paces:
        if pace.beyond and pace.ratio.value is not None:
            what = question_text(pace.question)
            yield f"{pace.series} takes {_pace_words(pace)} for {what}."
    lost = _counted(found, "solved", True).items()
    won = _counted(found, "solved", False).items()
    yield from (f"{series} no longer solves {number} that it did." for series, number in lost)
    yield from (f"{series} now solves {number} that it did not." for series, number in won)
    for one in found.counters:
        if one.same_versions:
            yield (
                f"{one.solver} counts other {one.counter} with the same software, on "
                f"{one.changed} of {one.n} puzzles: it is not as reproducible as it should be."
            )


def _alike(found: Changes) -> Iterator[str]:
    """All engines slower, or all faster, is rather the machine's doing than theirs."""
    ratios = [pace.ratio.value for pace in found.paces if pace.ratio.value is not None]
    if len({pace.series for pace in found.paces}) < 2:
        return
    for word, way in (("slower", 1), ("faster", -1)):
        if all(value**way > ALIKE for value in ratios):
            yield f"every engine became {word}: the machine, or its load, may be the cause."


def _pace_words(pace: Pace) -> str:
    value, low, high = pace.ratio.value or 1.0, pace.ratio.low, pace.ratio.high
    shown = "" if low is None or high is None else f" ({times(low)} to {times(high)})"
    return f"{times(value)} times as long as before{shown}"


def _counted(found: Changes, end: str, before: bool) -> dict[str, int]:
    tally: dict[str, int] = {}
    for flip in found.flips:
        if (flip.before if before else flip.after) == end and not flip.near:
            tally[flip.series] = tally.get(flip.series, 0) + 1
    return tally


def _answers(found: Changes) -> list[Table]:
    rows = [[one.solver, one.name, Shown(None, one.why, "bad")] for one in found.answers]
    head = ("engine", "puzzle", "contradiction")
    return [Table("Claims that contradict each other", head, rows, "answers", left=3)] * bool(rows)


def _flips(found: Changes) -> list[Table]:
    rows = [_flip(flip) for flip in found.flips]
    return [
        Table(
            "Units that ended otherwise",
            ("engine", "question", "puzzle", "seed", "before", "after", "time", "noise?"),
            rows,
            "flips",
            left=7,
            hints={
                "time": "of the side that solved it",
                "noise?": "near: so close to the limit that noise may move it over",
            },
        )
    ] * bool(rows)


def _flip(flip: Flip) -> list[Cell]:
    bad = flip.before == "solved" and not flip.near
    return [
        flip.series,
        str(flip.question),
        flip.unit.name,
        flip.unit.seed,
        flip.before.value,
        Shown(None, flip.after.value, "bad" if bad else ""),
        time_cell(flip.time),
        "near" if flip.near else "-",
    ]


def _paces(found: Changes) -> list[Table]:
    rows: list[list[Cell]] = []
    for pace in found.paces:
        value = pace.ratio.value
        verdict = "-" if not pace.beyond else "slower" if (value or 1.0) > 1 else "faster"
        rows.append(
            [
                pace.series,
                str(pace.question),
                Shown(value, "-" if value is None else times(value)),
                pace.ratio.interval(),
                pace.ratio.n,
                f"{100 * pace.noise:.3g} %" + ("" if pace.measured else " (assumed)"),
                Shown(None, verdict, _TONES[verdict]),
            ]
        )
    return [
        Table(
            "Time after / time before",
            ("engine", "question", "ratio", "95 % interval", "units", "noise", "beyond noise"),
            rows,
            "paces",
            left=2,
            hints={
                "units": "solved in both campaigns",
                "noise": "of a run, from repeats; assumed where there are none",
            },
            notes=[
                "Beyond noise: the whole interval lies on one side of 1 by more than the noise."
            ],
        )
    ] * bool(rows)


def _counters(found: Changes) -> list[Table]:
    rows = [
        [c.solver, str(c.question), c.counter, c.changed, c.n, c.before, c.after, c.example,
         "same" if c.same_versions else "other"]
        for c in found.counters
    ]  # fmt: skip
    head = ("engine", "question", "counter", "changed on", "of", "sum before", "sum after",
            "such as", "versions")  # fmt: skip
    notes = ["Of engines with one thread that count the same in every repeat of a campaign."]
    title = "Counters that changed"
    return [Table(title, head, rows, "counters", left=3, notes=notes)] * bool(rows)


def _sides(found: Changes) -> list[Table]:
    rows = [[*one, "before"] for one in found.gone] + [[*one, "after"] for one in found.new]
    head = ("what", "name", "only")
    return [Table("Only on one side", head, rows, "sides", left=3)] * bool(rows)


def _terms(before: Content, after: Content) -> list[Table]:
    rows: list[Sequence[Cell]] = []
    for what, a, b in (
        ("setting", before.settings, after.settings),
        ("machine", before.info.host, after.info.host),
        ("version", _versions(before), _versions(after)),
    ):
        rows += [[what, name, _said(x), _said(y)] for name, x, y in differences(a, b, IGNORED)]
    head = ("kind", "what", "before", "after")
    return [Table("What differs", head, rows, "terms", left=4)] * bool(rows)


def _versions(content: Content) -> dict[str, str]:
    found: dict[str, dict[str, None]] = {}
    for row in content.rows:
        for package, version in row.key.versions:
            found.setdefault(package, {})[version] = None
    return {package: ", ".join(versions) for package, versions in sorted(found.items())}


def _said(value: Any) -> str:
    text = "-" if value is None else str(value)
    if isinstance(value, list | tuple):
        text = "; ".join(map(str, value)) or "none"
    return text if len(text) <= 60 else f"{text[:57]}..."
