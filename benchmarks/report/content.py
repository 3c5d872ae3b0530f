"""What a report is made of: a campaign's runs, its puzzles, and every puzzle judged anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...puzzles.errors import PlumbenchError, UsageError
from ...puzzles.instance import Instance
from ..campaign.store import BadRow, CampaignInfo, InstanceInfo, Row, Store
from ..judging.agreement import Judgement, judge

if TYPE_CHECKING:
    from pandas import DataFrame

    from ..statistics.units import Question, Units


@dataclass(frozen=True)
class Content:
    """One campaign of a store.

    - ``rows``: its own and those it kept of earlier ones; ``bad``: those that cannot be read;
    - ``puzzles`` by fingerprint, those that can be read; ``unread``: why the others cannot, so
      that their solutions were not checked again;
    - ``judgements`` by fingerprint, from the stored solutions, whoever wrote them;
    - ``earlier`` by number, the campaigns that made the runs which this one kept.
    """

    path: Path
    info: CampaignInfo
    rows: Sequence[Row]
    bad: Sequence[BadRow]
    infos: Mapping[str, InstanceInfo]
    puzzles: Mapping[str, Instance]
    unread: Mapping[str, str]
    judgements: Mapping[str, Judgement]
    earlier: Mapping[int, CampaignInfo]

    @property
    def agreed(self) -> bool:
        """Whether no answer is wrong and none contradicts another."""
        return all(judgement.agreed for judgement in self.judgements.values())

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the campaign; older stores lack some."""
        return self.info.settings

    @cached_property
    def solvers(self) -> list[str]:
        """All engines, in the order of the suite, then those it does not name."""
        named = [str(name) for name in self.settings.get("solvers", [])]
        return list(dict.fromkeys([*named, *(row.key.solver for row in self.rows)]))

    @cached_property
    def series(self) -> list[str]:
        """All series of the statistics, in the order of ``solvers``."""
        of = dict(zip(self.frame["series"], self.frame["solver"], strict=True))
        return sorted(of, key=lambda name: (self.solvers.index(of[name]), name))

    @cached_property
    def names(self) -> dict[str, str]:
        """What each puzzle is called, in the order in which they were first run."""
        return {row.key.fingerprint: row.name for row in self.rows}

    @cached_property
    def by_puzzle(self) -> dict[str, list[Row]]:
        """The runs on each puzzle."""
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.key.fingerprint, []).append(row)
        return found

    @cached_property
    def counters(self) -> dict[str, Mapping[str, str]]:
        """What each engine's statistics mean, under its own names."""
        told = self.settings.get("counters", {})
        return {solver: told.get(solver, {}) for solver in self.solvers}

    @cached_property
    def _framed(self) -> tuple[DataFrame, list[BadRow]]:
        from ..statistics.frame import frame

        bad: list[BadRow] = []
        made = frame(self.rows, self.judgements, self.infos, bad=bad, seedless=self._seedless())
        return made, bad

    def _seedless(self) -> set[str] | None:
        """The engines that take no seeds; None where that was not noted. Without seeds it is of
        no interest.
        """
        if all(row.key.seed is None for row in self.rows):
            return set()
        told = self.settings.get("capabilities")
        return told and {solver for solver, what in told.items() if what.get("seeds") is False}

    @property
    def frame(self) -> DataFrame:
        """One line per run; see ``statistics.frame``."""
        return self._framed[0]

    @property
    def suspect(self) -> list[BadRow]:
        """Runs with a measurement that makes no sense; it is in no figure."""
        return self._framed[1]

    @cached_property
    def units(self) -> dict[Question, Units | str]:
        """The units of each question, or why its runs cannot be put together."""
        from ..statistics.units import MixedLimits, questions, units

        found: dict[Question, Units | str] = {}
        for question in questions(self.frame):
            try:
                found[question] = units(self.frame, question)
            except MixedLimits as error:
                found[question] = str(error)
        return found

    def evidence(self, fingerprint: str) -> Path | None:
        """The file that holds both sides of a disagreement, if it was kept."""
        folder = self.path.with_name(self.path.name + ".disagreements")
        return next(iter(sorted(folder.glob(f"*-{fingerprint[:12]}.json"))), None)


def load(store: Store, campaign: int | None = None) -> Content:
    """A campaign of a store, by default the last. Raises UsageError if there is no such one.

    A run or puzzle that cannot be read is named and does not hide the others.
    """
    every = {info.id: info for info in store.campaigns()}
    if not every:
        raise UsageError(f"store {store.path}: no campaign; expected at least one to report")
    info = every[max(every)] if campaign is None else store.campaign(campaign)
    bad: list[BadRow] = []
    rows = list(store.rows(info.id, bad))
    infos = store.instances()
    fingerprints = dict.fromkeys(row.key.fingerprint for row in rows)
    puzzles, unread = _read(fingerprints, infos)
    by_puzzle: dict[str, list[Row]] = {}
    for row in rows:
        by_puzzle.setdefault(row.key.fingerprint, []).append(row)
    judgements = {
        fingerprint: judge(
            puzzles[fingerprint].puzzle if fingerprint in puzzles else None,
            [(row.key.solver, row.result) for row in runs],
        )
        for fingerprint, runs in by_puzzle.items()
    }
    earlier = {row.campaign: every[row.campaign] for row in rows if row.campaign != info.id}
    return Content(store.path, info, rows, bad, infos, puzzles, unread, judgements, earlier)


def _read(
    fingerprints: Mapping[str, None], infos: Mapping[str, InstanceInfo]
) -> tuple[dict[str, Instance], dict[str, str]]:
    puzzles: dict[str, Instance] = {}
    unread: dict[str, str] = {}
    for fingerprint in fingerprints:
        if fingerprint not in infos:
            unread[fingerprint] = "the store does not hold the puzzle"
            continue
        try:
            puzzles[fingerprint] = infos[fingerprint].instance()
        except PlumbenchError as error:
            unread[fingerprint] = " ".join(str(error).split())
    return puzzles, unread
