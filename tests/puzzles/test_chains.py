"""Chains laid from sets of tiles, judged, and counted."""

from __future__ import annotations

import json
import time
from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import domino_oracle as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.chain_count import count_chains, count_circuits
from plumbench.puzzles.chains import faults, laid, lay, read_chain, text
from plumbench.puzzles.errors import InputError
from strategies import tile_lists

STARTS = st.sampled_from([None, None, 0, 1, 3])


def full_set(most: int) -> list[tuple[int, int]]:
    """All tiles with pips up to ``most``, each once."""
    return list(combinations_with_replacement(range(most + 1), 2))


@settings(max_examples=150)
@given(tile_lists(max_tiles=5), st.booleans(), STARTS)
def test_count_is_that_of_enumeration(
    tiles: list[tuple[int, int]], closed: bool, start: int | None
) -> None:
    """Directed chains of all tiles, open or closed, from any pip or one, equal tiles told apart."""
    found = len(list(oracle.chains(tiles, every=True, closed=closed, start=start)))
    assert count_chains(tiles, closed=closed, start=start) == found


@settings(max_examples=60)
@given(st.integers(2, 5), st.data())
def test_circuits_by_the_best_theorem(vertices: int, data: st.DataObject) -> None:
    """Taking out pips counts as many circuits as orientations and arborescences do."""
    pairs = list(combinations(range(vertices), 2))
    numbers = data.draw(st.lists(st.integers(0, 2), min_size=len(pairs), max_size=len(pairs)))
    edges = [pair for pair, number in zip(pairs, numbers, strict=True) for _ in range(number)][:9]
    if len(edges) < 2 or any(d % 2 for d in Counter(v for e in edges for v in e).values()):
        return
    # A circuit and its reverse are two directed ones.
    assert 2 * count_circuits(range(vertices), Counter(edges)) == oracle.circuits(vertices, edges)


def test_complete_graphs(shared) -> None:
    """K5, K7 and K9 have the known numbers of Euler circuits, K7 also by the BEST theorem, and
    K9 within seconds.
    """
    known = json.loads(shared("golden", "003_dominoes.json").read_text())["double_six"]
    seven = list(combinations(range(7), 2))
    assert 2 * count_circuits(range(7), Counter(seven)) == known["K7_directed_euler_circuits"]
    assert oracle.circuits(7, seven) == known["K7_directed_euler_circuits"]
    for size, number in ((5, 264), (9, 911520057021235200)):
        edges = Counter(combinations(range(size), 2))
        assert 2 * count_circuits(range(size), edges) == number


def test_full_sets(shared) -> None:
    """Case O13: the sets up to double two, four and six; closed chains without a first tile; and
    chains from one pip.
    """
    facts = json.loads(shared("cases", "inputs", "O13.json").read_text())
    sets = [full_set(most) for most in (2, 4, 6)]
    assert [count_chains(tiles) for tiles in sets] == facts["values"]
    assert [count_chains(tiles) // 2 for tiles in sets[:2]] == facts["undirected"]
    for tiles, number in zip(sets, facts["closed"], strict=False):
        assert divmod(count_chains(tiles, closed=True), len(tiles)) == (number, 0)
    known = json.loads(shared("golden", "003_dominoes.json").read_text())["double_six"]
    assert count_chains(sets[2]) == known["linear_arrangements_directed"]
    assert count_chains(sets[2], start=0) == known["trails_from_vertex_0"]


def test_small_full_sets_by_enumeration() -> None:
    """The set up to double two has 12 chains, up to double three none of all its tiles."""
    for most, number in ((2, 12), (3, 0)):
        tiles = full_set(most)
        found = oracle.chains(tiles, every=True, closed=False, start=None)
        assert len(list(found)) == count_chains(tiles) == number


def test_equal_tiles_are_told_apart() -> None:
    """Five doubles have 5! chains; of tiles of which k are the same, each arrangement that looks
    different counts k! times.
    """
    assert count_chains([(1, 1)] * 5) == 120
    tiles = [(0, 1), (1, 0), (1, 2), (1, 2), (1, 2), (2, 2)]
    looks = {
        tuple((left, right) for _, left, right in chain)
        for chain in oracle.chains(tiles, every=True, closed=False, start=None)
    }
    alike = Counter(tuple(sorted(tile)) for tile in tiles).values()
    assert count_chains(tiles) == len(looks) * prod(map(factorial, alike)) > 0


def test_long_and_thin() -> None:
    """Where pips have few neighbours, counting hundreds of tiles needs no time to speak of: a
    ring of 100 double edges, whose number follows from one pip after the other.
    """
    ring = [(i, (i + 1) % 100) for i in range(100)] * 2
    # At one pip, two ways of three join both neighbours twice, which leaves a ring of n - 1 pips;
    # the third cuts the ring open, and then every other pip has two ways.
    small = [count_chains([(i, (i + 1) % n) for i in range(n)] * 2) for n in (3, 4, 5)]
    listed = [(i, (i + 1) % 3) for i in range(3)] * 2
    assert small[0] == len(list(oracle.chains(listed, every=True, closed=False, start=None)))
    circuits = [count // (2 * 2 * n) for count, n in zip(small, (3, 4, 5), strict=True)]
    assert circuits[2] == 2 * circuits[1] + 2**4 == 2 * (2 * circuits[0] + 2**3) + 2**4
    expected = circuits[0]
    for n in range(4, 101):
        expected = 2 * expected + 2 ** (n - 1)
    assert count_chains(ring) == expected * 2 * 200


def test_counting_can_be_stopped() -> None:
    """What ``tick`` raises ends a count that would take for ever."""
    end = time.monotonic() + 0.2

    def tick() -> None:
        if time.monotonic() > end:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        count_chains(full_set(20), tick=tick)


@settings(max_examples=150)
@given(tile_lists(max_tiles=6), st.data())
def test_laid_where_there_is_a_chain(tiles: list[tuple[int, int]], data: st.DataObject) -> None:
    """``lay`` finds a chain of the chosen tiles exactly where there is one, from the asked pip if
    one is asked, and it has no fault.
    """
    chosen = sorted(data.draw(st.sets(st.sampled_from(range(len(tiles) or 1)))) if tiles else ())
    start = data.draw(STARTS)
    sets = oracle.tile_sets(tiles, every=False, closed=False, start=start)
    chain = lay(tiles, chosen, start)
    assert (chain is not None) == (frozenset(chosen) in sets)
    if chain is not None:
        assert sorted(tile for tile, _ in chain) == chosen
        assert not list(faults(tiles, chain, every=False, closed=False, start=start))


@settings(max_examples=200)
@given(tile_lists(min_tiles=1, max_tiles=4), st.booleans(), st.booleans(), STARTS, st.data())
def test_faults_are_those_of_no_chain(
    tiles: list[tuple[int, int]],
    every: bool,
    closed: bool,
    start: int | None,
    data: st.DataObject,
) -> None:
    """A sequence of laid tiles has a fault if and only if it is none of the enumerated chains."""
    step = st.tuples(st.integers(0, len(tiles) - 1), st.booleans())
    chain = data.draw(st.lists(step, max_size=len(tiles)))
    if data.draw(st.booleans()):
        chain = lay(tiles, sorted({tile for tile, _ in chain})) or chain
    lie = tuple((t, a, b) for (t, _), (a, b) in zip(chain, laid(tiles, chain), strict=True))
    right = set(oracle.chains(tiles, every=every, closed=closed, start=start))
    said = list(faults(tiles, chain, every=every, closed=closed, start=start))
    assert (not said) == (lie in right)


def test_faults_say_what_and_where() -> None:
    """Each fault names tiles, places and pips."""
    tiles = [(1, 2), (1, 3), (1, 4)]
    said = faults(tiles, [(0, False), (1, False), (0, True)], every=True, closed=True, start=3)
    assert list(said) == [
        "tile 0 (1|2) is laid 2 times",
        "tile 2 (1|4) is not laid",
        "places 1 and 2: 1|2 1|3, 2 and 1 are different",
        "places 2 and 3: 1|3 2|1, 3 and 2 are different",
        "the chain begins with 1, not with 3",
    ]
    open_chain = faults(tiles, [(0, True), (1, False)], every=False, closed=True, start=None)
    assert list(open_chain) == ["the chain is not closed: it begins with 2 and ends with 3"]


def test_read_by_index_or_pips() -> None:
    """``[tile, flipped]`` or the pips as they lie; of equal tiles the first that is left; what is
    no tile of the set is said (case D05).
    """
    tiles = [(1, 2), (2, 1), (3, 3)]
    assert read_chain(tiles, [[2, False], [0, True]]) == ([(2, False), (0, True)], [])
    assert read_chain(tiles, [[2, 1], [1, 2]]) == ([(0, True), (1, True)], [])
    chain, said = read_chain(tiles, [[1, 2], [1, 2], [2, 1], [4, 4]])
    assert chain == [(0, False), (1, True)]
    assert said == [
        "place 3: 2|1, but no such tile is left",
        "place 4: 4|4, but no such tile is in the set",
    ]
    for bad in (None, [1], [[1]], [[3, False]], [[-1, True]], [[0, False], [1, 2]], [[0, 1.0]]):
        with pytest.raises(InputError):
            read_chain(tiles, bad)


def test_text() -> None:
    """Tiles as they lie, marked pips with a star; no tile is said."""
    assert text([(0, 1), (1, 1)]) == "0|1 1|1"
    assert text([(0, 1), (1, 10)], {1}) == "0|1* 1*|10"
    assert text([]) == "(no tile)"
