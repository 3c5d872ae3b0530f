"""Every generator: planted solutions hold, seeds fix the board, every size ends, bad input."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pytest
from plumbench.puzzles.check import check
from plumbench.puzzles.errors import GenerationFailed, PlumbenchError, UsageError
from plumbench.puzzles.generators import (
    GENERATORS,
    PLANTERS,
    Planted,
    generate,
    options,
    plant,
)
from plumbench.puzzles.generators import trees as trees_module
from plumbench.puzzles.generators.planted import PIECE_OF, Grid
from plumbench.puzzles.generators.stream import Stream
from plumbench.puzzles.generators.trees import wilson
from plumbench.puzzles.model import ports_from_masks

TREES = ("net", "dfs", "kruskal")
PLANTING = (*TREES, "cycles", "faces", "dense", "partial")
SIZES = [(1, 1), (1, 7), (7, 1), (2, 2), (2, 9), (9, 2), (3, 3), (5, 4), (12, 12)]


def holds(made: Planted) -> bool:
    """Whether the planted solution passes the checker under the board's rules and its pieces
    are those of the board.
    """
    assert made.masks is not None
    puzzle = made.board.puzzle
    return check(puzzle, ports_from_masks(puzzle, made.masks.tolist())).ok


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("kind", PLANTING)
def test_planted_solution_holds(kind: str, wrap: bool) -> None:
    """At every size, 1- and 2-wide and torus too, a board comes with a right solution, or the
    generator says why there is none.
    """
    for (width, height), seed in itertools.product(SIZES, range(3)):
        if impossible(kind, width, height, wrap):
            with pytest.raises(GenerationFailed, match=f"{kind} {width}x{height}"):
                plant(kind, width, height, seed, wrap=wrap)
            continue
        planted = plant(kind, width, height, seed, wrap=wrap)
        assert holds(planted), (kind, width, height, seed)
        assert planted.board.rules == ("tree" if kind in TREES else "connected")
        assert planted.board.oriented
        assert (planted.board.width, planted.board.height) == (width, height)


def impossible(kind: str, width: int, height: int, wrap: bool) -> bool:
    """Whether the grid has no cycle or no face; on a 1x1 torus the sides of a face cancel."""
    thin = kind in {"cycles", "faces"} and min(width, height) == 1 and not wrap
    return thin or (kind == "faces" and (width, height) == (1, 1))


@pytest.mark.parametrize("kind", TREES)
def test_trees_span(kind: str) -> None:
    """A tree board on more than one cell uses all cells and one edge fewer than cells."""
    for wrap in (False, True):
        masks = plant(kind, 9, 6, 4, wrap=wrap).masks
        assert masks is not None
        assert np.all(masks > 0)
        assert sum(mask.bit_count() for mask in masks.tolist()) == 2 * (54 - 1)


@pytest.mark.parametrize(
    ("kind", "digest"),
    [
        ("net", "452c19802f9a"),
        ("dfs", "15e4219d8dcd"),
        ("kruskal", "d8149fb08a8e"),
        ("cycles", "a4f49de0a0fa"),
        ("faces", "0891ae302c5f"),
        ("dense", "a4c383453e4b"),
        ("partial", "2fc1770943ec"),
        ("near-miss", "ca55763f63eb"),
        ("random", "2cd0a2b0d6c6"),
        ("ec", "de6e72465b2b"),
    ],
)
def test_same_seed_same_board(kind: str, digest: str) -> None:
    """A seed means the same board on every machine and in every version: digests of 16x16."""
    board = generate(kind, 16, 16, 20)
    assert np.array_equal(board.pieces, generate(kind, 16, 16, 20).pieces)
    assert not np.array_equal(board.pieces, generate(kind, 16, 16, 21).pieces)
    text = "".join(f"{piece:x}" for piece in board.pieces.tolist())
    assert hashlib.sha256(text.encode()).hexdigest()[:12] == digest


def test_net_is_uniform() -> None:
    """Each of the 32 spanning trees of the 2x2 torus (parallel edges tell) comes equally often:
    chi-squared within its 99.99 % bound, and kinds of trees exist that other walks favour.
    """
    grid, stream = Grid(2, 2, True), Stream(1)
    draws = 6400
    tally: dict[bytes, int] = {}
    for _ in range(draws):
        key = wilson(grid, stream).tobytes()
        tally[key] = tally.get(key, 0) + 1
    assert len(tally) == 32
    mean = draws / 32
    assert sum((n - mean) ** 2 / mean for n in tally.values()) < 68.3


def test_walls_spare_the_solution() -> None:
    """Walls stand on the share of borders that the tree leaves unused, and only there."""
    for wrap, unused in ((False, 180 - 99), (True, 200 - 99)):
        for share in (0.0, 0.25, 1.0):
            planted = plant("net", 10, 10, 3, wrap=wrap, walls=share)
            assert holds(planted)
            assert planted.board.walls.sum() == 2 * round(share * unused)


def test_dense_extremes() -> None:
    """X = 0 is a tree, x = 1 opens every border; between, edges are added in proportion."""
    counts = []
    for x in (0.0, 0.5, 1.0):
        masks = plant("dense", 30, 30, 5, x=x).masks
        assert masks is not None
        counts.append(sum(mask.bit_count() for mask in masks.tolist()) // 2)
    assert counts[0] == 899
    assert counts[2] == 2 * 30 * 29
    assert abs(counts[1] - (899 + 841 / 2)) < 60


@pytest.mark.parametrize("kind", ["cycles", "faces"])
def test_even_boards(kind: str) -> None:
    """Unions of cycles and of faces have straights, elbows, crosses and blanks only."""
    for seed, wrap in itertools.product(range(5), (False, True)):
        pieces = PIECE_OF[generate(kind, 9, 8, seed, wrap=wrap).pieces]
        assert set(pieces.tolist()) <= {0, 3, 5, 15}


def test_cycles_cover() -> None:
    """Big cycle unions reach the coverage asked for, and not much more."""
    for coverage in (0.2, 0.6):
        masks = plant("cycles", 60, 60, 1, coverage=coverage).masks
        assert masks is not None
        assert coverage <= np.mean(masks > 0) < coverage + 0.2


def test_near_miss_swaps_one_pair() -> None:
    """Two cells of one colour have each other's different pieces; the rest is as in the base."""
    for base, seed in itertools.product(("faces", "net", "dense"), range(4)):
        board = generate("near-miss", 10, 8, seed, base=base)
        before = generate(base, 10, 8, seed)
        old, new = PIECE_OF[before.pieces], PIECE_OF[board.pieces]
        changed = np.flatnonzero(old != new)
        assert len(changed) == 2
        first, second = changed.tolist()
        assert (old[first], old[second]) == (new[second], new[first])
        assert (sum(divmod(first, 10)) - sum(divmod(second, 10))) % 2 == 0
        assert board.rules == before.rules
    with pytest.raises(GenerationFailed, match="no colour"):
        generate("near-miss", 1, 2, 1, base="net")


def test_random_assembly() -> None:
    """Blanks and pieces come in the shares asked for; repeated letters weigh double."""
    pieces = generate("random", 100, 100, 3, blank=0.3, pieces="EEX").pieces
    share = {piece: float(np.mean(pieces == piece)) for piece in (0, 1, 15)}
    assert sum(share.values()) == pytest.approx(1)
    assert share[0] == pytest.approx(0.3, abs=0.02)
    assert share[1] == pytest.approx(2 * share[15], abs=0.04)
    assert set(generate("random", 9, 9, 1, blank=0).pieces.tolist()) <= {3, 5, 15}
    assert not generate("random", 9, 9, 1, blank=1).pieces.any()


@pytest.mark.parametrize(("width", "height"), [(1, 700), (700, 1), (2, 300), (300, 2), (100, 100)])
def test_long_and_large_sizes_end(width: int, height: int) -> None:
    """Thin and large boards, torus or not, come to an end for every planting family."""
    for kind, wrap in itertools.product(PLANTING, (False, True)):
        if not impossible(kind, width, height, wrap):
            assert holds(plant(kind, width, height, 1, wrap=wrap)), (kind, wrap)


def test_net_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the random walk would need too long, net says so and names what is quick."""
    monkeypatch.setattr(trees_module, "PATIENCE", 0)
    with pytest.raises(GenerationFailed, match="dfs and kruskal"):
        generate("net", 1, 2000, 1, wrap=True)


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ("nets", {}, "expected one of net, dfs"),
        ("net", {"x": 1}, "option 'x' of generator 'net': expected walls"),
        ("net", {"walls": 1.5}, "walls 1.5: expected a number from 0 to 1"),
        ("net", {"walls": "much"}, "walls 'much'"),
        ("net", {"walls": float("nan")}, "walls nan"),
        ("net", {"seed": -1}, "seed -1: expected an integer from 0"),
        ("net", {"seed": "a"}, "seed 'a'"),
        ("net", {"width": 0}, "size 0x5: expected at least 1x1"),
        ("faces", {"p": -0.1}, "p -0.1"),
        ("cycles", {"coverage": 2}, "coverage 2"),
        ("dense", {"x": True}, "x True"),
        ("random", {"pieces": "ILQ"}, "pieces 'ILQ': expected letters"),
        ("random", {"pieces": ""}, "pieces ''"),
        ("random", {"blank": 1.1}, "blank 1.1"),
        ("near-miss", {"base": "mut"}, "base 'mut': expected one of"),
        ("mut", {}, r"mut 5x5: expected \(2k \+ 3\)x\(k \+ 2\) with even k"),
        ("mut", {"width": 5, "height": 3}, "even k"),
        ("mut", {"width": 7, "height": 4, "wrap": True}, "no wrap"),
        ("ec", {}, "expected a square with an even side"),
        ("ec", {"width": 6, "height": 6, "c": 4}, "c 4: expected 0 to 3"),
        ("elbow-torus", {}, "expected even sides"),
        ("java", {"height": 4}, "expected a square"),
    ],
)
def test_bad_input(kind: str, given: dict, message: str) -> None:
    """Each wrong name, size, seed or option is one clear UsageError."""
    arguments = {"width": 5, "height": 5, "seed": 1, **given}
    with pytest.raises(UsageError, match=message):
        generate(kind, **arguments)


def test_impossible_grids() -> None:
    """A grid without a cycle or a face, and draws that stay empty, end with the reason."""
    with pytest.raises(GenerationFailed, match="this grid has no cycle"):
        generate("cycles", 1, 9, 1)
    with pytest.raises(GenerationFailed, match="this grid has no face"):
        generate("faces", 9, 1, 1)
    with pytest.raises(GenerationFailed, match="all empty"):
        generate("faces", 5, 5, 1, p=0)


def test_registry() -> None:
    """Both tables name the same generators, and options tells what each accepts."""
    assert list(GENERATORS) == list(PLANTERS)
    assert options("net") == {"walls": 0.0}
    assert options("ec") == {"c": 1}
    assert options("random") == {"blank": 0.08, "pieces": "ILX"}
    assert options("mut") == {}
    board = GENERATORS["net"](4, 5, 6)
    assert (board.width, board.height, board.name) == (4, 5, "net-4x5-6")
    assert issubclass(GenerationFailed, PlumbenchError)


def test_stream() -> None:
    """The raw numbers behind everything: known values of PCG64, order and shuffle permute."""
    assert (
        Stream(0).uniform(3).tolist() == np.random.Generator(np.random.PCG64(0)).random(3).tolist()
    )
    assert Stream(0).uniform(2).tolist() == [0.6369616873214543, 0.2697867137638703]
    from_numpy = np.arange(4)[3]
    assert Stream(from_numpy).uniform(2).tolist() == Stream(3).uniform(2).tolist()
    stream = Stream(7)
    assert sorted(stream.order(50).tolist()) == list(range(50))
    items = list(range(50))
    stream.shuffle(items)
    assert sorted(items) == list(range(50)) != items
    assert {stream.below(3) for _ in range(100)} == {0, 1, 2}
