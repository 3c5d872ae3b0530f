"""Mutated inputs: each is read or refused with an error of our own, never a traceback."""

from __future__ import annotations

import io
import random
import sys

import pytest
from plumbench.puzzles.errors import PlumbenchError
from plumbench.puzzles.formats import dumps, loads, read
from plumbench.puzzles.instance import Instance
from plumbench.puzzles.raw import RawPuzzle
from strategies import letters, small_multigraph, tiny_hexagonal

SAVE = """SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
GAME    :3:Net
CPARAMS :4:2x2w
DESC    :5:12v48
NSTATES :1:4
STATEPOS:1:3
MOVE    :4:C0,0
SOLVE   :10:S;L1,1;A0,1
MOVE    :4:F1,1
"""

SEEDS = [
    "3x3:1313f3131 # a comment\n2x2w:1v2hb8vh\n4:1111222248441111\n",
    "LIL\nTIT\nLIL\n\nE.E/XIX\n",
    "┌ ─ ┐\n├ ─ ┤\n└ ─ ┘\n\n╭──┓\n╰┬┴┛\n",
    'name: "x"\nrules: tree\ntorus: yes\nsize: 3x2\nL|I_X!\n┌! . E\n',
    dumps(tiny_hexagonal("tee torus", "tree").with_locked(0, 3), "text"),
    dumps(letters("LIL", "TIT").with_locked(0, 6), "json"),
    dumps(RawPuzzle(small_multigraph()), "json") + '\n[{"pieces": [[4], [1]]}]\n',
    '{"tiles": [1, 4], "width": 2, "height": 1, "grid": "square", "wrap": true}\n',
    SAVE.replace(":10:S", ":15:S"),
]

TOKENS = [
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n\n", b"#", b" # ", b"/", b":", b"{", b"[" * 3000,
    b"NaN", b"-1", b"1e999", b"99999999", b"9" * 5000, b"true", b"null", b'"', b"\\ud800", b",",
    "┼".encode(), "║".encode(), "\u2028".encode(), "٣".encode(), b"\x0b", b"\x85", b"!", b"|", b"_",
    b"v", b"h", b"F", b"w", b"x", b"SAVEFILE:", b"rules: ", b"torus: no", b"topology: hexagonal\n",
]  # fmt: skip


def mutated(rng: random.Random) -> bytes:
    """A seed with a few bytes or stretches changed, lost, doubled or put in from elsewhere."""
    data = bytearray(rng.choice(SEEDS).encode())
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.choice((1, 1, 2, 5, 30)))
        kind = rng.randrange(6)
        if kind == 0:
            data[at:to] = b""
        elif kind == 1:
            data[at:at] = data[at:to] * rng.choice((1, 1, 2, 50))
        elif kind == 2:
            data[at:to] = rng.choice(TOKENS)
        elif kind == 3:
            data[at:at] = rng.choice(TOKENS)
        elif kind == 4:
            data[at:to] = bytes(rng.randrange(256) for _ in range(to - at))
        else:
            other = rng.choice(SEEDS).encode()
            start = rng.randrange(len(other))
            data[at:to] = other[start : start + rng.choice((1, 5, 40))]
    return bytes(data)


def survive(data: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How many good and bad puzzles ``data`` holds; good ones are built, drawn and written."""
    good = bad = 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    for item in read("-"):
        if isinstance(item, PlumbenchError):
            bad += 1
            assert "\n" not in str(item)
            continue
        good += 1
        assert isinstance(item, Instance)
        assert item.draw() is not None
        (again,) = loads(dumps(item, "json"))
        assert again.puzzle.fingerprint == item.puzzle.fingerprint
    assert good + bad > 0
    return good, bad


def run(number: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fuzz with so many inputs; both outcomes must be common, or the fuzz tests little."""
    rng = random.Random(seed)
    good = bad = 0
    for _ in range(number):
        data = mutated(rng)
        try:
            more_good, more_bad = survive(data, monkeypatch)
        except Exception as error:
            raise AssertionError(f"input {data!r}") from error
        good, bad = good + more_good, bad + more_bad
    assert good > number // 4
    assert bad > number // 4


def test_two_thousand_mutated_inputs(monkeypatch: pytest.MonkeyPatch):
    """The quick version."""
    run(2_000, 1, monkeypatch)


@pytest.mark.fuzz
def test_ten_thousand_mutated_inputs(monkeypatch: pytest.MonkeyPatch):
    """The thorough version, other inputs than the quick one's."""
    run(10_000, 2, monkeypatch)
