"""The report of a campaign as plain text: agreement, times, counters, ratios.

Decisions, conflicts, branches and calls are different things: each engine's counters stand
under its own name, and only times are compared between engines. Runs cut off by a limit are
censored: they are counted beside every figure and never enter one as a time.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from .campaign.store import Row
from .judging.agreement import Judgement, answer_time
from .processes.jobs import Outcome, Result
from .tables import Cell, duration, table

LEAST_TIME = 1e-6
"""Seconds; shorter times count as this in a ratio."""

SEARCH_COUNTERS = ("nodes", "calls", "branches", "decisions", "conflicts")
"""Names of search counters, in order of choice where one engine has several."""


@dataclass(frozen=True)
class Campaign:
    """What a report is made of.

    ``rows`` of one campaign, resumed ones included; ``judgements`` by fingerprint;
    ``counters`` is what each solver's statistics mean.
    """

    solvers: Sequence[str]
    rows: Sequence[Row]
    judgements: Mapping[str, Judgement]
    counters: Mapping[str, Mapping[str, str]]

    def valid(self, solver: str, task: str) -> dict[str, Result]:
        """The runs of a solver that answered and were not disqualified, by fingerprint."""
        return {
            row.key.fingerprint: row.result
            for row in self.rows
            if (row.key.solver, row.key.task) == (solver, task)
            and row.result.decided
            and solver not in self.judgements[row.key.fingerprint].disqualified
        }


def report(campaign: Campaign) -> str:
    """All sections."""
    sections = [
        agreement(campaign),
        boards(campaign),
        engines(campaign),
        counters(campaign),
        ratios(campaign),
    ]
    return "\n\n".join(section for section in sections if section)


def agreement(campaign: Campaign) -> str:
    """How many puzzles the engines agree on, and who is wrong where."""
    names = {row.key.fingerprint: row.name for row in campaign.rows}
    tally: Counter[str] = Counter()
    complaints = []
    for fingerprint, judgement in campaign.judgements.items():
        tally[judgement.status.value] += 1
        complaints += [f"  {names[fingerprint]}: {line}" for line in judgement.complaints()]
    bad = sum(not judgement.agreed for judgement in campaign.judgements.values())
    total = len(campaign.judgements)
    head = f"Agreement: {total - bad} of {total} puzzles; " + ", ".join(
        f"{number} {status}" for status, number in sorted(tally.items())
    )
    failed = [
        f"  {row.name}: {row.key.solver} {row.key.task} {row.result.outcome.value}: {_last(row)}"
        for row in campaign.rows
        if row.result.outcome in (Outcome.ERROR, Outcome.CRASHED, Outcome.MEMOUT)
    ]
    lines = [head]
    if complaints:
        lines += ["DISAGREEMENT", *complaints]
    if failed:
        lines += ["Runs that failed", *failed]
    return "\n".join(lines)


def _last(row: Row) -> str:
    return (row.result.message.strip().splitlines() or ["no message"])[-1]


def boards(campaign: Campaign) -> str:
    """One line per puzzle: the verdict, each engine's time, its first counter under its name."""
    solving = {s: campaign.valid(s, "solve") for s in campaign.solvers}
    shown = [s for s in campaign.solvers if solving[s]]
    main = {s: _main_counter(campaign.counters.get(s, {})) for s in shown}
    outcomes = {
        (row.key.fingerprint, row.key.solver): row.result.outcome
        for row in campaign.rows
        if row.key.task == "solve"
    }
    rows: list[list[Cell]] = []
    for fingerprint, row in {row.key.fingerprint: row for row in campaign.rows}.items():
        line: list[Cell] = [row.name, row.rules, _verdict(campaign.judgements[fingerprint])]
        for solver in shown:
            result = solving[solver].get(fingerprint)
            outcome = outcomes.get((fingerprint, solver))
            wrong = solver in campaign.judgements[fingerprint].disqualified
            word = "WRONG" if wrong else _SHORT.get(outcome, "-") if outcome else "-"
            line.append(duration(answer_time(result)) if result else word)
            if main[solver] is not None:
                line.append(result.stats.get(main[solver] or "") if result else None)
        rows.append(line)
    head = ["puzzle", "rules", "verdict"]
    for solver in shown:
        head += [solver] + ([f"{main[solver]}"] if main[solver] is not None else [])
    return (
        "Puzzles (time of encode + solve for the first answer, then the engine's own counter)\n"
        + table(head, rows, left=3)
    )


def _main_counter(meaning: Mapping[str, str]) -> str | None:
    """The one that says best how much the engine searched."""
    return next((name for name in SEARCH_COUNTERS if name in meaning), next(iter(meaning), None))


_SHORT = {
    Outcome.TIMEOUT: "timeout",
    Outcome.MEMOUT: "memout",
    Outcome.CRASHED: "crashed",
    Outcome.UNSUPPORTED: "-",
    Outcome.MISSING: "missing",
    Outcome.ERROR: "error",
    Outcome.WRONG: "WRONG",
    Outcome.ANSWERED: "unknown",
}


def _verdict(judgement: Judgement) -> str:
    if not judgement.agreed:
        return "DISAGREEMENT"
    if judgement.count == 0:
        return judgement.status.value
    if judgement.count == 1 and not judgement.exact:
        return "solvable"
    if judgement.exact:
        return "unique" if judgement.count == 1 else f"{judgement.count} solutions"
    return f"{judgement.count} or more"


_ENDS = ("solved", "timeout", "unsupported", "missing", "failed", "wrong")


def engines(campaign: Campaign) -> str:
    """Per engine and question: how runs ended, and the median time where it can be compared."""
    rows: list[list[Cell]] = []
    notes: list[str] = []
    for task in ("solve", "count"):
        tally = {solver: _tally(campaign, solver, task) for solver in campaign.solvers}
        if not any(t.total() for t in tally.values()):
            continue
        asked = [s for s in campaign.solvers if tally[s].total()]
        full = [s for s in asked if not (tally[s]["unsupported"] or tally[s]["missing"])]
        base = full or [s for s in campaign.solvers if tally[s]["solved"]]
        valid = {solver: campaign.valid(solver, task) for solver in campaign.solvers}
        common = set.intersection(*(set(valid[s]) for s in base)) if base else set()
        notes.append(f"{task}: {len(common)} puzzles answered by all of {', '.join(base)}")
        for solver in campaign.solvers:
            t = tally[solver]
            if not t.total():
                continue
            here = [
                time
                for f in common & set(valid[solver])
                if (time := answer_time(valid[solver][f])) is not None
            ]
            ends = [t[how] for how in _ENDS]
            median = duration(statistics.median(here)) if here else "-"
            rows.append([solver, task, t.total(), *ends, median, len(here)])
    head = ["engine", "question", "runs", *_ENDS, "median", "over"]
    return "\n".join(
        [
            "Engines (median of encode + solve over commonly answered puzzles, with their number)",
            table(head, rows, left=2),
            *notes,
        ]
    )


def _tally(campaign: Campaign, solver: str, task: str) -> Counter[str]:
    tally: Counter[str] = Counter()
    for row in campaign.rows:
        if (row.key.solver, row.key.task) != (solver, task):
            continue
        outcome = row.result.outcome
        if solver in campaign.judgements[row.key.fingerprint].disqualified:
            tally["wrong"] += 1
        elif row.result.decided:
            tally["solved"] += 1
        elif outcome in (Outcome.TIMEOUT, Outcome.UNSUPPORTED, Outcome.MISSING):
            tally[outcome.value] += 1
        else:
            tally["failed"] += 1
    return tally


def counters(campaign: Campaign) -> str:
    """A table of its own for each engine, with what each of its counters is."""
    blocks = []
    for solver in campaign.solvers:
        results = list(campaign.valid(solver, "solve").values())
        meaning = campaign.counters.get(solver, {})
        rows: list[list[Cell]] = []
        silent: list[str] = []
        for name in meaning:
            values = [r.stats[name] for r in results if name in r.stats]
            numbers = [float(v) for v in values if not isinstance(v, str)]
            if not any(numbers):
                silent.append(name)
                continue
            middle, most = statistics.median(numbers), max(numbers)
            rows.append([name, meaning[name], len(numbers), _whole(middle), _whole(most)])
        if rows:
            head = [f"{solver} counter", "what it counts", "runs", "median", "largest"]
            always = f"\n0 in every run: {', '.join(silent)}" if silent else ""
            blocks.append(table(head, rows, left=2) + always)
    if not blocks:
        return ""
    return "Counters of solve, not comparable between engines\n" + "\n\n".join(blocks)


def _whole(value: float) -> Cell:
    return int(value) if value.is_integer() else value


def ratios(campaign: Campaign) -> str:
    """Geometric means of the time ratios of each two engines, with what is censored beside."""
    rows: list[list[Cell]] = []
    for task in ("solve", "count"):
        valid = {s: campaign.valid(s, task) for s in campaign.solvers}
        able = [s for s in campaign.solvers if valid[s]]
        for first, second in combinations(able, 2):
            mean, n = geometric_ratio(valid[first], valid[second])
            if n:
                asked = _asked(campaign, first, task) & _asked(campaign, second, task)
                only_first = len(asked & set(valid[first]) - set(valid[second]))
                only_second = len(asked & set(valid[second]) - set(valid[first]))
                rows.append([f"{second} / {first}", task, mean, n, only_first, only_second])
    if not rows:
        return ""
    head = ["time of", "question", "ratio", "puzzles", "only the second", "only the first"]
    return (
        "Ratios of encode + solve (geometric mean over the puzzles both answered; beside, the\n"
        "puzzles that only one of the two answered: they are censored, not in the mean)\n"
        + table(head, rows, left=2)
    )


def geometric_ratio(first: Mapping[str, Result], second: Mapping[str, Result]) -> tuple[float, int]:
    """The geometric mean of second / first over the puzzles of both, and their number."""
    logs = []
    for fingerprint in first.keys() & second.keys():
        a, b = answer_time(first[fingerprint]), answer_time(second[fingerprint])
        if a is not None and b is not None:
            logs.append(math.log(max(b, LEAST_TIME) / max(a, LEAST_TIME)))
    return (math.exp(math.fsum(logs) / len(logs)), len(logs)) if logs else (math.nan, 0)


def _asked(campaign: Campaign, solver: str, task: str) -> set[str]:
    """The puzzles that the engine could be asked: neither refused nor disqualified."""
    return {
        row.key.fingerprint
        for row in campaign.rows
        if (row.key.solver, row.key.task) == (solver, task)
        and row.result.outcome not in (Outcome.UNSUPPORTED, Outcome.MISSING)
        and solver not in campaign.judgements[row.key.fingerprint].disqualified
    }
