"""What a reader looks up: machine, versions, settings, counters, columns, the commands."""

from __future__ import annotations

import shlex
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..campaign.columns import COLUMNS
from ..tables import Cell, size
from .content import Content
from .document import Paragraph, Section, Table
from .toml_text import toml


def environment(content: Content) -> Section:
    """All that is known of the machine, the packages and the source."""
    host = [[name, value] for name, value in _flat(content.info.host)]
    places = [row.result.where for row in content.rows if row.result.where is not None]
    machines = sorted({where.host for where in places if where.host})
    bound = sum(where.cores is not None for where in places)
    loads = [where.load for where in places if where.load is not None]
    paragraphs = []
    if machines:
        paragraphs.append(Paragraph(f"Runs were made on {', '.join(machines)}."))
    if places:
        paragraphs.append(
            Paragraph(
                f"{bound} of {len(content.rows)} runs were bound to processors of their own"
                + (
                    f"; load average while they ran: {statistics.median(loads):.1f} in the middle, "
                    f"{max(loads):.1f} at most."
                    if loads
                    else "."
                )
            )
        )
    versions: dict[str, dict[str, None]] = {}
    for row in content.rows:
        for package, version in row.key.versions:
            versions.setdefault(package, {})[version] = None
    packages = [[name, ", ".join(found)] for name, found in sorted(versions.items())]
    return Section(
        "environment",
        "Machine and versions",
        paragraphs,
        [
            Table("Machine", ("what", "found"), host, left=2),
            Table("Versions", ("package", "version"), packages, left=2),
        ],
        folded=True,
    )


def settings(content: Content) -> Section:
    """The suite and the campaign's settings as they were."""
    plain = {k: v for k, v in content.settings.items() if k not in ("counters", "capabilities")}
    rows: list[Sequence[Cell]] = [[name, value] for name, value in _flat(plain)]
    info = content.info
    rows += [["campaign", info.id], ["identity", info.uuid]]
    rows += [["started", info.started], ["ended", info.ended or "no: it runs, or was killed"]]
    return Section(
        "settings",
        "Suite and settings",
        tables=[Table("Settings", ("what", "value"), rows, left=2)],
        folded=True,
    )


def counters(content: Content) -> Section:
    """A table for each engine: what its counters are, and their values where it answered."""
    tables = []
    for solver in content.solvers:
        results = [
            row.result
            for row in content.rows
            if (row.key.solver, row.key.task) == (solver, "solve")
            and row.result.decided
            and solver not in content.judgements[row.key.fingerprint].disqualified
        ]
        rows: list[Sequence[Cell]] = []
        silent: list[str] = []
        for name, meaning in content.counters[solver].items():
            found = [r.stats[name] for r in results if name in r.stats]
            numbers = [float(v) for v in found if not isinstance(v, str)]
            if not any(numbers):
                silent.append(name)
                continue
            middle, most = statistics.median(numbers), max(numbers)
            rows.append([name, meaning, len(numbers), _whole(middle), _whole(most)])
        if rows:
            head = (f"{solver} counter", "what it counts", "runs", "median", "largest")
            notes = [f"0 in every run: {', '.join(silent)}"] if silent else []
            tables.append(Table(f"Counters of {solver}", head, rows, left=2, notes=notes))
    said = "Of runs that solve. They are different things: never compared between engines."
    return Section("counters", "Counters", [Paragraph(said)] if tables else [], tables)


def _whole(value: float) -> Cell:
    return int(value) if value.is_integer() else value


def columns(_: Content) -> Section:
    """The dictionary of the store's columns, which are those of the CSV too."""
    rows = [[column.name, column.kind.expected, column.means] for column in COLUMNS]
    table = Table("Columns of a run", ("column", "values", "meaning"), rows, left=3)
    return Section("columns", "Dictionary of columns", tables=[table], folded=True)


def reproduce(content: Content) -> Section:
    """The commands that make these figures again."""
    info, suite = content.info, content.settings.get("suite")
    store = shlex.quote(content.path.name)
    name = "suite.toml" if suite else shlex.quote(info.suite)
    lines = [
        ("measure", f"plumbench bench {name} --store again.sqlite"),
        ("go on where it stopped", f"plumbench bench {name} --store again.sqlite --resume"),
        ("compare with this one", f"plumbench report {store} again.sqlite"),
        ("this page", f"plumbench report {store} --campaign {info.id} -o report"),
        ("its figures as files", f"plumbench report {store} --figures figures --format pdf"),
        ("all runs as CSV", f"plumbench export {store} --campaign {info.id} -o runs.csv"),
    ]
    source = info.host.get("git")
    words = []
    if isinstance(source, Mapping) and source.get("commit"):
        changed = " with changes that are in no commit" if source.get("dirty") else ""
        words.append(Paragraph(f"Source: commit {source['commit']}{changed}."))
    wide = max(len(command) for _, command in lines)
    words.append(Paragraph("\n".join(f"{c.ljust(wide)}  # {what}" for what, c in lines), code=True))
    if suite:
        words.append(Paragraph("suite.toml, with all that was given on the command line:"))
        words.append(Paragraph(toml(suite), code=True))
    return Section("reproduce", "How to reproduce", words, folded=True)


def _flat(found: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Cell]]:
    """Nested facts as lines; sizes of memory as such."""
    for name, value in found.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name} ")
        elif isinstance(value, list | tuple):
            plain = all(not isinstance(v, dict | list) for v in value)
            shown = ", ".join(map(str, value)) if plain else f"{len(value)}, see below"
            yield f"{prefix}{name}", shown or "none"
        elif "memory" in name and isinstance(value, int) and value > 10**6:
            yield f"{prefix}{name}", size(value)
        elif isinstance(value, bool) or value is None:
            yield f"{prefix}{name}", {True: "yes", False: "no", None: "-"}[value]
        else:
            yield f"{prefix}{name}", str(value)
