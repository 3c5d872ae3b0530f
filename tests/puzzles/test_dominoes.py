"""Sets of dominoes as puzzles: what their solutions are, how they are read and shown."""

from __future__ import annotations

import json
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import domino_oracle as oracle
import plumbench.puzzles.library
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbench.puzzles.check import check
from plumbench.puzzles.dominoes import DOMINO_RULES, Dominoes
from plumbench.puzzles.errors import InputError, InvalidPuzzle, UsageError
from plumbench.puzzles.formats import load
from plumbench.puzzles.generators import make, options
from plumbench.puzzles.generators.dominoes import java_dominoes
from plumbench.puzzles.instance import ExactCount, Objective
from plumbench.puzzles.terms import terms_of
from plumbench.solvers.run import optimise, solutions, solve
from strategies import tile_lists

RULES = st.sampled_from(DOMINO_RULES)
STARTS = st.sampled_from([None, None, 0, 1, 3])


def dominoes(*tiles: tuple[int, int], **options: Any) -> Dominoes:
    """A set of these tiles."""
    return Dominoes(tiles, **options)


@settings(max_examples=150)
@given(tile_lists(max_tiles=5), RULES, STARTS)
def test_solutions_are_the_tile_sets(
    tiles: list[tuple[int, int]], rules: str, start: int | None
) -> None:
    """Under each rule, from any pip or one, the model has one solution for each set of tiles that
    the enumerated chains use, and decodes it to one of those chains.
    """
    instance = dominoes(*tiles, rules=rules, start=start)
    every, closed = instance.every, instance.closed
    chains = set(oracle.chains(tiles, every=every, closed=closed, start=start))
    found = []
    for solution in solutions(instance.puzzle, "brute"):
        chain = instance.decode(solution)
        found.append(frozenset(tile for tile, _ in chain))
        lie = tuple((t, *(reversed(tiles[t]) if flip else tiles[t])) for t, flip in chain)
        assert lie in chains
        assert (instance.encode(chain) == solution).all()
        assert instance.objections(chain) == ()
    assert len(found) == len(set(found))
    assert set(found) == oracle.tile_sets(tiles, every=every, closed=closed, start=start)


@settings(max_examples=200)
@given(tile_lists(min_tiles=1, max_tiles=4), RULES, STARTS, st.data())
def test_wrong_chains_are_refused(
    tiles: list[tuple[int, int]], rules: str, start: int | None, data: st.DataObject
) -> None:
    """Whatever is laid, if no objection is raised the solution made of it is right; and what is
    wrong with a solution is objected to.
    """
    instance = dominoes(*tiles, rules=rules, start=start)
    step = st.tuples(st.integers(0, len(tiles) - 1), st.booleans()).map(list)
    answer = data.draw(st.lists(step, max_size=len(tiles)))
    solution = instance.encode(answer)
    if not instance.objections(answer):
        assert check(instance.puzzle, solution).ok


def test_golden_sets_by_parity(shared) -> None:
    """All 134 golden sets: the engine finds a chain of all tiles exactly where there is one, as
    networkx says, too, and each chain is a permutation of the tiles (case X05).
    """
    sets = json.loads(shared("golden", "003_dominoes.json").read_text())["sets"]
    assert len(sets) == 134
    for facts in sets:
        tiles = [(a, b) for a, b in facts["tiles"]]
        instance = dominoes(*tiles)
        answer = solve(instance.puzzle, "propagation")
        assert (answer.solution is not None) == facts["all_in_one_chain"]
        assert oracle.is_chain(tiles) == facts["all_in_one_chain"]
        if answer.solution is not None:
            chain = instance.decode(answer.solution)
            assert sorted(tile for tile, _ in chain) == list(range(len(tiles)))
            assert instance.objections(chain) == ()


def test_closed_chains(shared) -> None:
    """Cases D01, D02 and D06: which lists close, the empty list and lone doubles included; and
    D05: the answer [1,2] is refused everywhere.
    """
    d01 = json.loads(shared("cases", "inputs", "D01.json").read_text())["items"]
    d06 = json.loads(shared("cases", "inputs", "D06.json").read_text())["cases"]
    d02 = json.loads(shared("cases", "inputs", "D02.json").read_text())
    own = [{"tiles": [], "closed": True}, {"tiles": [[1, 1], [2, 2]], "closed": False}]
    for facts in [*d01, *d06, d02, *own]:
        tiles = [(a, b) for a, b in facts["tiles"]]
        instance = dominoes(*tiles, rules="closed")
        answer = solve(instance.puzzle, "propagation")
        assert (answer.solution is not None) == facts["closed"] == oracle.is_closed_chain(tiles)
        assert instance.objections([[1, 2]])


def test_a_tile_lies_one_way() -> None:
    """Case D04: every two of the tiles share a pip, yet they make no chain; longest two."""
    star = dominoes((1, 2), (1, 3), (1, 4))
    assert solve(star.puzzle, "propagation").solution is None
    best = star.with_objective(Objective("length", maximise=True))
    assert optimise(best.puzzle, "brute").cost == 2
    for answer in ([[1, 2], [1, 3], [1, 4]], [[2, 1], [1, 3], [1, 4]]):
        assert star.objections(answer)
        assert not check(star.puzzle, star.encode(answer)).ok


def test_bridges(shared) -> None:
    """Case D09: 11 chains from 0, each of its own tiles (12 with the empty one); the strongest,
    the longest and then strongest; without a start 7 tiles.
    """
    facts = json.loads(shared("cases", "inputs", "D09.json").read_text())
    tiles = [(a, b) for a, b in facts["tiles"]]
    instance = dominoes(*tiles, start=facts["start"], rules="subchain")
    assert len(list(solutions(instance.puzzle, "brute"))) == facts["n_bridges"] + 1
    strongest = instance.with_objective(Objective("weight", maximise=True))
    assert optimise(strongest.puzzle, "brute").cost == facts["strongest"]
    longest = instance.with_objective(Objective("length,weight", maximise=True))
    best = optimise(longest.puzzle, "brute")
    assert best.cost is not None
    assert list(divmod(best.cost, longest.scale)) == facts["longest"]
    assert longest.draw(best.solution).endswith("\nlength 4, weight 19")
    anywhere = dominoes(*tiles).with_objective(Objective("length", maximise=True))
    assert optimise(anywhere.puzzle, "brute").cost == facts["longest_free_start"]


def test_an_objective_is_about_some_tiles() -> None:
    """Asked for the longest, all tiles need not be used: the rule says so. What dominoes do not
    offer is refused, and so are weights too large to add.
    """
    length = Objective("length", maximise=True)
    assert dominoes((1, 2)).with_objective(length).rules == "subchain"
    assert dominoes((1, 2), rules="closed").with_objective(length).rules == "subclosed"
    with pytest.raises(UsageError, match="offers length, weight, length,weight"):
        dominoes((1, 2)).with_objective(Objective("rotations"))
    heavy = dominoes(*[(2**31, 2**31)] * 2000)
    with pytest.raises(UsageError, match="add up to more"):
        _ = heavy.with_objective(Objective("length,weight", maximise=True)).puzzle


def test_what_is_no_set() -> None:
    """Numbers below 0 or too large, fractions, triples, unknown rules."""
    for tiles in ([(0, -1)], [(0, 2**31 + 1)], [(0, 0.5)], [(0, 1, 2)], [(0,)], "12", [("0", 1)]):
        with pytest.raises(InvalidPuzzle):
            Dominoes(tiles)  # pyright: ignore[reportArgumentType]
    with pytest.raises(InvalidPuzzle):
        dominoes((0, 1), start=-1)
    for make_one in (lambda: dominoes(rules="tree"), lambda: dominoes().with_rules("match")):
        with pytest.raises(UsageError, match="chain, closed, subchain, subclosed"):
            make_one()
    with pytest.raises(InputError):
        dominoes((0, 1)).encode("0|1")


def test_counts_itself() -> None:
    """Chains of all tiles are counted, with and without telling equal tiles apart; chains of some
    are not; the count ends at its limit.
    """
    pair = dominoes((0, 1), (1, 0), (1, 1))
    found = pair.count_exactly()
    assert found == ExactCount(
        6, "directed chains", "by eliminating pips", "3 if equal tiles are not told apart"
    )
    assert pair.with_rules("closed").count_exactly() == found
    assert dominoes((0, 1), start=1).count_exactly().value == 1  # pyright: ignore
    assert pair.with_rules("subchain").count_exactly() is None
    with pytest.raises(TimeoutError):
        dominoes(*combinations_with_replacement(range(21), 2)).count_exactly(0.1)


def test_shown_and_named() -> None:
    """The chain as it lies, differing pips marked, the set as given; faults speak of pips."""
    instance = dominoes((2, 1), (0, 1))
    solution = instance.encode([[2, 1], [1, 0]])
    assert instance.draw(solution) == "0|1 1|2"
    assert instance.draw(solution, marked=frozenset({1})) == "0|1* 1*|2"
    assert instance.draw() == "2|1 0|1"
    assert dominoes().draw(solve(dominoes().puzzle, "brute").solution) == "(no tile)"
    wrong = check(instance.puzzle, instance.encode([[2, 1]]), terms_of(instance)).reasons
    assert wrong[0] == "pip 0: 0 open ports, expected 2"
    started = dominoes((0, 1), start=0)
    assert started.extra == ("pip 0", "pip 1", "the chain's start", "the chain's end")


@settings(max_examples=100)
@given(tile_lists(max_tiles=6), st.permutations(range(4)), st.randoms())
def test_canonical(tiles: list[tuple[int, int]], names: list[int], random: Any) -> None:
    """Equal for the same set with other pips, in another order and with tiles turned."""
    other = [(names[b], names[a]) if random.random() < 0.5 else (names[a], names[b])
             for a, b in tiles]  # fmt: skip
    random.shuffle(other)
    assert dominoes(*tiles).canonical() == dominoes(*other).canonical()


def test_canonical_tells_apart() -> None:
    """The 3-pip sets of up to 3 tiles fall into as many classes as there are multigraphs with
    loops, without isolated vertices, of at most 3 vertices; starts are told apart, too.
    """
    pairs = list(combinations_with_replacement(range(3), 2))
    sets = [c for n in range(4) for c in combinations_with_replacement(pairs, n)]
    by_key = {dominoes(*tiles).canonical(): tiles for tiles in sets}
    pictures = set()
    for tiles in sets:
        renamed = []
        for names in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
            renamed.append(tuple(sorted(tuple(sorted((names[a], names[b]))) for a, b in tiles)))
        pictures.add(min(renamed))
    assert len(by_key) == len(pictures)
    path = ((0, 1), (1, 2))
    keys = {dominoes(*path, start=start).canonical() for start in (None, 0, 1, 2)}
    assert len(keys) == 3


def test_symmetric_sets_have_keys_at_once() -> None:
    """Forty equal parts, which no refinement tells apart, still have a key, by their tiles."""
    tiles = [(2 * i, 2 * i + 1) for i in range(40)]
    assert dominoes(*tiles).canonical() == dominoes(*tiles[::-1]).canonical()


def test_generator() -> None:
    """Sets of the asked size: the same from a seed, without doubles or equal tiles, in one part,
    or one chain where asked; settings that contradict each other or the size are refused.
    """
    assert set(options("dominoes")) == {"doubles", "equal", "connected", "chain"}
    for seed in range(20):
        plain = make("dominoes", 7, 15, seed)
        assert isinstance(plain, Dominoes)
        assert plain == make("dominoes", 7, 15, seed)
        assert len(plain.tiles) == 15
        assert set(plain.pips) <= set(range(7))
        single: Any = make("dominoes", 5, 15, seed, equal="no")
        assert {(min(t), max(t)) for t in single.tiles} == set(
            combinations_with_replacement(range(5), 2)
        )
        loose: Any = make("dominoes", 4, 9, seed, doubles="no")
        assert all(a != b for a, b in loose.tiles)
        joined: Any = make("dominoes", 9, 12, seed, connected="yes")
        graph = oracle.graph_of(joined.tiles)
        assert oracle.nx.is_connected(graph)
        walk: Any = make("dominoes", 9, 12, seed, chain="yes")
        assert oracle.is_chain(walk.tiles)
    drawn = {make("dominoes", 7, 15, seed).canonical() for seed in range(50)}
    assert len(drawn) == 50
    wrong: list[tuple[int, int, dict[str, Any]]] = [
        (7, 15, {"doubles": "maybe"}),
        (7, 15, {"chain": "yes", "equal": "no"}),
        (0, 1, {}),
        (3, 7, {"equal": "no"}),
        (1, 1, {"doubles": "no"}),
    ]
    for pips, tiles, settings_ in wrong:
        with pytest.raises(UsageError):
            make("dominoes", pips, tiles, 1, **settings_)


def test_the_articles_random_sets(shared) -> None:
    """Its generator's tiles, number for number, are those of the golden sets drawn by Java."""
    sets = json.loads(shared("golden", "003_dominoes.json").read_text())["sets"]
    drawn = [facts for facts in sets if facts["name"].startswith("javarandom")]
    assert len(drawn) == 60
    for facts in drawn:
        seed = int(facts["name"].partition("seed")[2])
        tiles = java_dominoes(facts["n"], seed).tiles
        assert list(map(list, tiles)) == facts["tiles"]


def test_the_library_holds_its_demonstrations() -> None:
    """The full set, a random one and the circuit: chainable or not, as they are."""
    sets = load(Path(plumbench.puzzles.library.__file__).parent / "dominoes.txt")
    found = {one.name: solve(one.puzzle, "propagation").solution is not None for one in sets}
    assert found == {"double-six": True, "java-15-0": False, "circuit": True}
    assert [one.rules for one in sets] == ["chain", "chain", "closed"]
