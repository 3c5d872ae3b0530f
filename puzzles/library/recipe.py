"""How the library's files are made: ``make_library()`` gives their text, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..board import Board
from ..dominoes import Dominoes
from ..formats import dumps
from ..generators import JavaGenerator, generate
from ..generators.dominoes import java_dominoes
from ..generators.planted import SIX_PIECES
from ..instance import Instance
from ..topology import Square

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Family:
    """One file of the library; ``about`` lines head it as comments."""

    file: str
    about: tuple[str, ...]
    boards: Callable[[], Iterator[Instance]]


def _trees() -> Iterator[Board]:
    for size, seed in ((5, 1), (10, 1), (20, 1), (40, 1)):
        yield generate("net", size, size, seed)
    yield generate("dfs", 20, 20, 1)
    yield generate("kruskal", 16, 10, 1)


def _tori() -> Iterator[Board]:
    for size in (5, 11, 20):
        yield generate("net", size, size, 1, wrap=True)


def _walls() -> Iterator[Board]:
    for wrap, size, walls in ((False, 10, 0.3), (True, 15, 0.5)):
        board = generate("net", size, size, 2, wrap=wrap, walls=walls)
        yield replace(board, name=f"walls-{round(100 * walls)}-{board.name}")


def _cycles() -> Iterator[Board]:
    yield generate("cycles", 8, 8, 1)
    yield generate("cycles", 20, 20, 1)
    yield generate("faces", 8, 8, 1)
    yield generate("faces", 30, 30, 1)


def _many() -> Iterator[Board]:
    yield generate("dense", 6, 6, 2, wrap=True, x=0.3)
    yield generate("dense", 12, 12, 4, x=0.2)
    yield generate("dense", 16, 16, 3, x=0.15)


def _unsolvable() -> Iterator[Board]:
    yield generate("near-miss", 8, 8, 1)
    yield generate("near-miss", 12, 12, 1, base="net")
    yield generate("random", 5, 5, 1)
    yield generate("random", 8, 8, 1, pieces="EILT")


def _hard() -> Iterator[Board]:
    for k in (4, 6, 8):
        yield generate("mut", 2 * k + 3, k + 2, 0)
    for n, c in ((6, 1), (8, 2), (12, 3)):
        yield generate("ec", n, n, 1, c=c)
    for n in (6, 8):
        yield generate("elbow-torus", n, n, 0)


def _article() -> Iterator[Board]:
    java = JavaGenerator(20261026)
    for _ in range(2):
        yield java.generate(5).board
    yield _letters("two-tees", "LIL/TIT/LIL")
    yield _letters("two-rings", "LLLL/LLLL")
    yield _letters("two-solutions", "ELE/LXL/ELE", rules="tree")


def _letters(name: str, text: str, rules: str = "connected") -> Board:
    rows = text.split("/")
    pieces = np.array([SIX_PIECES[letter] for row in rows for letter in row])
    return Board(Square(len(rows[0]), len(rows)), pieces, rules=rules, name=name)


def _dominoes() -> Iterator[Dominoes]:
    double_six = tuple((a, b) for a in range(7) for b in range(a, 7))
    yield Dominoes(double_six, name="double-six")
    yield java_dominoes(15, 0)
    yield Dominoes(((0, 1), (1, 2), (2, 3), (0, 3)), rules="closed", name="circuit")


FAMILIES = (
    Family("trees.txt", ("Random spanning trees: uniform, depth-first, Kruskal.",), _trees),
    Family("tori.txt", ("Uniform spanning trees of tori.",), _tori),
    Family("walls.txt", ("Trees with 30 and 50 % of the unused borders walled.",), _walls),
    Family("cycles.txt", ("Unions of cycles and of faces: one match solution each.",), _cycles),
    Family("many.txt", ("Trees with extra edges: connected boards with many solutions.",), _many),
    Family(
        "unsolvable.txt",
        ("Near misses and random assemblies: not even a match solution.",),
        _unsolvable,
    ),
    Family(
        "hard.txt",
        (
            "mut: unsolvable by counting colours, exponential for search and clause learning.",
            "ec and elbow tori: connectivity decides.",
        ),
        _hard,
    ),
    Family(
        "article.txt",
        (
            "Article 000: the first two boards of its generator (seed 20261026), its board with",
            "two tees, two rings that do not connect; last a tree board with two solutions.",
        ),
        _article,
    ),
)

OTHERS = (
    Family(
        "dominoes.txt",
        (
            "The demonstration sets of article 003: the full set, 15 random tiles (which it leaves",
            "to chance; here new Random(0)) and four that close.",
        ),
        _dominoes,
    ),
)
"""Files of other families than boards."""


def make_library() -> dict[str, str]:
    """File name to text of every puzzle file of the library."""
    return {family.file: _text(family) for family in (*FAMILIES, *OTHERS)}


def write_library(folder: Path = FOLDER) -> None:
    """Write the files; ``python -m plumbench.puzzles.library.recipe`` does this."""
    for name, text in make_library().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _text(family: Family) -> str:
    head = "".join(f"# {line}\n" for line in family.about)
    return head + "".join(f"\n{dumps(board, 'text')}\n" for board in family.boards())


if __name__ == "__main__":
    write_library()
