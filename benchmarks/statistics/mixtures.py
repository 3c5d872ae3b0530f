"""What was put together in one series although it is not quite alike: to be told, not refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame


def mixtures(frame: DataFrame) -> list[str]:
    """One sentence for each mixture: several machines behind the times, several versions of the
    same packages, units with fewer repeats than others.
    """
    hosts: set[str] = set()
    versions: defaultdict[str, set[str]] = defaultdict(set)
    repeats: Counter[tuple] = Counter()
    for record in frame.to_dict("records"):
        if record["host"]:
            hosts.add(record["host"])
        for package, version in record["versions"].items():
            versions[package].add(version)
        names = ("series", "task", "limit", "fingerprint", "seed")
        repeats[tuple(record[name] for name in names)] += 1
    found = []
    if len(hosts) > 1:
        found.append(f"runs of {len(hosts)} machines are put together: {', '.join(sorted(hosts))}")
    for package, known in sorted(versions.items()):
        if len(known) > 1:
            told = ", ".join(sorted(known))
            found.append(f"runs under several versions of {package} are put together: {told}")
    most = max(repeats.values(), default=0)
    short = sum(number < most for number in repeats.values())
    if short:
        found.append(f"{short} of {len(repeats)} units have fewer than {most} repeats")
    return found
