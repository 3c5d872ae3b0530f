"""java.util.Random and the generators of article 000, number for number."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from plumbench.puzzles.board import Board
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import GenerationFailed, UsageError
from plumbench.puzzles.generators import JavaGenerator, JavaRandom, java_assembly, plant
from plumbench.puzzles.model import ports_from_masks
from strategies import PIECES

LETTER_OF = {mask: letter for letter, mask in PIECES.items()}

# One string per board, rows divided by blanks.
SMALL = [".", "LL LL", "LL. LXL .LL", "LIIL LLLL LLLL LIIL"]
NEGATIVE = ["LLLL IIII ILLI LIIL", ".LL. LXL. LXL. .LL.", "LL.. II.. II.. LL.."]
ASSEMBLY = ["LLLLI IXXLX I.ILI .LIIL II.XL", "ILXIX IXXXL IILXX LXLXI IILLL"]


def rows(board: Board) -> list[str]:
    """The board's letters."""
    text = "".join(LETTER_OF[piece] for piece in board.pieces.tolist())
    return [text[i : i + board.width] for i in range(0, len(text), board.width)]


def test_next_int() -> None:
    """Numbers of new Random(42) and new Random(0) as a Java VM prints them."""
    random = JavaRandom(42)
    assert [random.next_int(100) for _ in range(5)] == [30, 63, 48, 84, 70]
    random = JavaRandom(0)
    assert [random.next_int(10) for _ in range(5)] == [0, 8, 9, 7, 5]


def test_next_int_refuses() -> None:
    """Bounds just above 2**30, where one draw in two is refused: numbers of a Java VM."""
    random = JavaRandom(5)
    drawn = [random.next_int((1 << 30) + 1 + i * 50_000_000) for i in range(6)]
    assert drawn == [379250092, 189533474, 1049914506, 991787854, 963357722, 918177321]


def test_power_of_two() -> None:
    """Powers of two take the high bits: seed 42 starts with nextInt(16) = 11."""
    whole, sixteenth = JavaRandom(42), JavaRandom(42)
    assert [sixteenth.next_int(16) for _ in range(20)] == [
        whole.next_int(1 << 30) >> 26 for _ in range(20)
    ]
    assert JavaRandom(42).next_int(16) == 11


def test_next_double() -> None:
    """The first doubles of new Random(42), to the last bit."""
    random = JavaRandom(42)
    assert [random.next_double() for _ in range(3)] == [
        0.7275636800328681,
        0.6832234717598454,
        0.30871945533265976,
    ]


def test_seeds_use_48_bits() -> None:
    """A negative seed and one beyond 48 bits count by their lower 48 bits."""
    for seed, same in ((-7, (1 << 48) - 7), (1 << 50 | 3, 3)):
        assert JavaRandom(seed).next_double() == JavaRandom(same).next_double()
    with pytest.raises(UsageError, match="integer"):
        JavaRandom(1.5)  # pyright: ignore[reportArgumentType]
    with pytest.raises(UsageError, match="bound 0"):
        JavaRandom(1).next_int(0)


def test_the_articles_thirty_boards(shared: Callable[..., Path]) -> None:
    """One generator called thirty times gives the article's boards and their solutions."""
    boards = json.loads(shared("golden", "000_gen30_5x5.json").read_text())["boards"]
    generator = JavaGenerator(20261026)
    for facts in boards:
        made = generator.generate(5)
        assert rows(made.board) == facts["rows"]
        assert made.masks is not None
        assert [made.masks.tolist()] == facts["masks_leakfree"]


def test_small_java_boards() -> None:
    """Sizes 1 to 4 of seed 2 as a Java VM prints them: no cycle fits on 1x1."""
    assert [" ".join(rows(JavaGenerator(2).generate(n).board)) for n in (1, 2, 3, 4)] == SMALL
    generator = JavaGenerator(-7)
    assert [" ".join(rows(generator.generate(4).board)) for _ in range(3)] == NEGATIVE


def test_assembly() -> None:
    """The random assembly of new Random(1): its first 5x5 boards as a Java VM prints them."""
    random = JavaRandom(1)
    assert [" ".join(rows(java_assembly(random, 5).board)) for _ in range(2)] == ASSEMBLY


def test_budget() -> None:
    """From 6x6 up the article's search may hang; here it stops with a message."""
    ends = [_end(seed) for seed in range(20)]
    assert any("entered 2000 cells without an end" in end for end in ends)
    assert ends == [_end(seed) for seed in range(20)]


def _end(seed: int) -> str:
    try:
        return " ".join(rows(plant("java", 8, 8, seed, budget=2000).board))
    except GenerationFailed as error:
        return str(error)


def test_by_name() -> None:
    """plant("java") is the first board of the seed and brings its solution."""
    made = plant("java", 5, 5, 20261026)
    assert rows(made.board) == rows(JavaGenerator(20261026).generate(5).board)
    assert made.masks is not None
    puzzle = made.board.puzzle
    assert check(puzzle, ports_from_masks(puzzle, made.masks.tolist())).ok
    assert not made.board.oriented
    assert np.all(made.board.pieces <= 15)
    with pytest.raises(UsageError, match="square without wrap"):
        plant("java", 5, 4, 1)
    with pytest.raises(UsageError, match="square without wrap"):
        plant("java", 5, 5, 1, wrap=True)
