"""Reads as a de Bruijn graph: an Euler trail spells the sequence they came from."""

from __future__ import annotations

from pathlib import Path

import plumbench.puzzles.library
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbench.puzzles.edge_list import read_edges
from plumbench.puzzles.errors import UsageError
from plumbench.puzzles.euler import Kind, euler, verify_trail
from plumbench.puzzles.formats import load
from plumbench.puzzles.library.worked_recipe import READS, make_worked
from plumbench.puzzles.reads import assemble, de_bruijn, kmers

WORKED = Path(plumbench.puzzles.library.__file__).parent / "worked"
SEQUENCE = "ATGGCGTGCAATCCTG"


@given(st.text("ACGT", min_size=4, max_size=40), st.integers(2, 4))
def test_every_k_mer_once(sequence: str, k: int) -> None:
    """From all k-mers of a sequence, repeats counted, comes a sequence with the same k-mers."""
    mers = kmers([sequence], k, repeats=True)
    found = assemble(mers, k, repeats=True)
    assert found.sequence is not None
    assert len(found.sequence) == len(sequence)
    assert sorted(kmers([found.sequence], k, repeats=True)) == sorted(mers)
    trail = found.trail
    assert not verify_trail(found.graph.ends, trail.vertices, trail.edges, directed=True)


def test_overlapping_reads() -> None:
    """The example's reads give their sequence back where no part of it repeats; shorter k-mers
    leave a choice, and what comes out has the same ones.
    """
    assert assemble(READS, 4).sequence == SEQUENCE
    short = assemble(READS, 3)
    assert short.sequence is not None
    assert set(kmers([short.sequence], 3)) == set(kmers([SEQUENCE], 3))
    assert sorted(assemble(reversed(READS), 4).sequence or "") == sorted(SEQUENCE)


def test_reads_with_a_gap() -> None:
    """Reads that do not overlap have no trail, and the reason is told."""
    found = assemble(["AACC", "GGTT"], 3)
    assert found.sequence is None
    assert "2 separate parts" in found.trail.reasons()[0]


def test_the_graph() -> None:
    """An edge leads from a k-mer's first letters to its last; no k-mers are no edges."""
    graph = de_bruijn(["AAC", "ACA", "CAA"])
    assert graph.names == ("AA", "AC", "CA")
    assert graph.ends.tolist() == [[0, 1], [1, 2], [2, 0]]
    assert assemble([], 3).sequence is None
    assert de_bruijn(["AAA"]).ends.tolist() == [[0, 0]]


def test_bad_reads() -> None:
    """Short k, short reads and mixed k-mers are refused."""
    with pytest.raises(UsageError, match="at least 2"):
        kmers(["ACGT"], 1)
    with pytest.raises(UsageError, match="read 2 has 2 letters"):
        kmers(["ACGT", "AC"], 3)
    for mers in (["AC", "ACG"], ["A"]):
        with pytest.raises(UsageError, match="same number of letters"):
            de_bruijn(mers)


def test_worked_files() -> None:
    """The shipped examples are what their recipe writes, byte for byte, and can be read."""
    shipped = {path.name: path.read_bytes() for path in WORKED.iterdir()}
    assert {name: text.encode() for name, text in make_worked().items()} == shipped
    for path in WORKED.iterdir():
        if path.suffix == ".json":
            assert len(load(path)) == 1
        else:
            assert len(read_edges(str(path)).ends)


def test_one_stroke_figures() -> None:
    """The envelope is drawn in one stroke; the seven bridges cannot be walked."""
    envelope = read_edges(str(WORKED / "envelope.edges"))
    assert euler(envelope.ends).kind is Kind.PATH
    assert sorted(envelope.names[v] for v in euler(envelope.ends).odd) == ["a", "b"]
    bridges = read_edges(str(WORKED / "koenigsberg.edges"))
    verdict = euler(bridges.ends)
    assert (verdict.kind, len(verdict.odd)) == (Kind.NEITHER, 4)
