"""How the files in ``worked/`` are made: small examples of other kinds than boards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..formats import dumps
from ..raw import RawPuzzle
from ..reads import de_bruijn, kmers
from ..worked import travelling_salesman, wiring

FOLDER = Path(__file__).resolve().parent / "worked"

ENVELOPE = "a b/b c/c d/d a/a c/b d/d top/top c"
KOENIGSBERG = (
    "north island/north island/south island/south island/north east/south east/island east"
)
READS = ("ATGGCGT", "GCGTGCA", "TGCAATC", "AATCCTG")
"""Reads of ATGGCGTGCAATCCTG; each overlaps the one before."""
CITIES = ((0, 0), (1, 5), (2, 2), (4, 6), (5, 1), (7, 4), (8, 0))
PINS, BLOCKED = (0, 4, 17, 24), (7, 12)


def distances() -> list[list[int]]:
    """Steps between the cities, along rows and columns."""
    return [[abs(x - u) + abs(y - v) for u, v in CITIES] for x, y in CITIES]


def make_worked() -> dict[str, str]:
    """File name to text."""
    mers = kmers(READS, 3)
    reads = [f"{mer[:-1]} {mer[1:]}" for mer in mers]
    assert len(de_bruijn(mers).ends) == len(reads)
    salesman = RawPuzzle(travelling_salesman(distances()), "seven cities")
    wire = RawPuzzle(wiring(5, 5, PINS, BLOCKED), "four pins")
    return {
        "envelope.edges": _edges("The envelope that is drawn in one stroke.", ENVELOPE.split("/")),
        "koenigsberg.edges": _edges("The seven bridges of Koenigsberg.", KOENIGSBERG.split("/")),
        "reads.edges": _edges("The 3-mers of some reads, directed.", reads),
        "salesman.json": dumps(salesman, "json") + "\n",
        "wiring.json": dumps(wire, "json") + "\n",
    }


def _edges(about: str, lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in (f"# {about}", *lines))


def write_worked(folder: Path = FOLDER) -> None:
    """Write the files; ``python -m plumbench.puzzles.library.worked_recipe`` does this."""
    folder.mkdir(exist_ok=True)
    for name, text in make_worked().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_worked()
