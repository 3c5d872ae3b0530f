"""The model: what it derives, and that it refuses what does not fit together."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from plumbench.puzzles.errors import InvalidPuzzle
from plumbench.puzzles.model import (
    EVEN,
    Costs,
    Counts,
    Puzzle,
    Rules,
    Table,
    joined_edges,
    masks_of,
    ports_from_masks,
)
from strategies import assignments, multigraphs, small_multigraph

ANY2 = Table(2, (0, 1, 2, 3))
PAIR = Puzzle.build([(2, ANY2)] * 2, [(0, 1, 1, 0)], free=[(0, 0)])


def test_derived_arrays_of_a_small_puzzle() -> None:
    """Degrees, owners, twins, edges of ports and ends of edges are those of the lists given."""
    puzzle = Puzzle.build(
        [(3, Table(3, (0, 3))), (1, EVEN), (0, Table(0, (0,)))],
        [(0, 0, 0, 2), (0, 1, 1, 0)],
    )
    assert (puzzle.vertices, puzzle.ports, puzzle.edges) == (3, 4, 2)
    assert puzzle.degree.tolist() == [3, 1, 0]
    assert puzzle.owner.tolist() == [0, 0, 0, 1]
    assert puzzle.twin.tolist() == [2, 3, 0, 1]
    assert puzzle.edge_of.tolist() == [0, 1, 0, 1]
    assert puzzle.edge_vertices.tolist() == [[0, 0], [0, 1]]
    assert puzzle.blank.tolist() == [False, False, True]
    assert PAIR.twin.tolist() == [-1, 2, 1, -1]
    assert PAIR.edge_of.tolist() == [-1, 0, 0, -1]


@settings(max_examples=200)
@given(multigraphs(all_rules=True))
def test_twins_and_edges_fit_together(puzzle: Puzzle) -> None:
    """A twin's twin is the port itself; both lie on the same edge; stubs have neither."""
    for port, twin in enumerate(puzzle.twin.tolist()):
        if twin < 0:
            assert puzzle.edge_of[port] == -1
        else:
            assert twin != port
            assert puzzle.twin[twin] == port
            edge = puzzle.edge_of[port]
            assert edge == puzzle.edge_of[twin]
            assert {port, twin} == set(puzzle.edge_ports[edge].tolist())


@settings(max_examples=100)
@given(multigraphs())
def test_masks_there_and_back(puzzle: Puzzle) -> None:
    """Solutions become masks and masks the same solutions; joined edges have two open ports."""
    for solution, _ in zip(assignments(puzzle), range(30), strict=False):
        masks = masks_of(puzzle, solution)
        assert np.array_equal(ports_from_masks(puzzle, masks), solution)
        assert sum(mask.bit_count() for mask in masks) == np.count_nonzero(solution)
        joined = joined_edges(puzzle, solution)
        assert joined.tolist() == [bool(solution[p] and solution[q]) for p, q in puzzle.edge_ports]


def test_masks_have_no_bound() -> None:
    """A vertex of 100 ports has masks beyond 64 bits, exact in both directions."""
    puzzle = Puzzle.build([(100, EVEN), (1, Table(1, (0, 1)))])
    mask = (1 << 99) | (1 << 64) | 1
    solution = ports_from_masks(puzzle, [mask, 1])
    assert np.flatnonzero(solution).tolist() == [0, 64, 99, 100]
    assert masks_of(puzzle, solution) == [mask, 1]


def test_masks_of_the_empty_puzzle() -> None:
    """No vertices: no masks, and no ports from none."""
    empty = Puzzle.build([])
    assert (empty.vertices, empty.ports, empty.edges) == (0, 0, 0)
    assert masks_of(empty, np.zeros(0, dtype=bool)) == []
    assert ports_from_masks(empty, []).shape == (0,)


def test_wrong_masks_are_refused() -> None:
    """Too few masks, negative ones and bits beyond the ports raise InvalidPuzzle."""
    for masks in ([1], [1, 1, 1], [4, 0], [0, -1]):
        with pytest.raises(InvalidPuzzle):
            ports_from_masks(PAIR, masks)


def test_arrays_are_read_only_copies() -> None:
    """The puzzle neither changes nor follows changes of the arrays it was built from."""
    edges = np.array([[1, 2]])
    free = np.zeros(4, dtype=bool)
    puzzle = Puzzle(np.array([0, 2, 4]), (ANY2,), np.array([0, 0]), edges, free, Rules())
    edges[0, 0], free[0] = 3, True
    assert puzzle.edge_ports.tolist() == [[1, 2]]
    assert not puzzle.free.any()
    for name in ("first_port", "domain_of", "edge_ports", "free", "twin", "owner", "degree"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(puzzle, name)[...] = 0


@pytest.mark.parametrize(
    ("degree", "masks"),
    [(2, ()), (2, (1, 1)), (2, (2, 1)), (2, (4,)), (2, (-1,)), (9, (0,)), (-1, (0,))],
)
def test_wrong_tables_are_refused(degree: int, masks: tuple[int, ...]) -> None:
    """Empty, unsorted, repeated or too large masks, and degrees that no table has."""
    with pytest.raises(InvalidPuzzle):
        Table(degree, masks)


@pytest.mark.parametrize(
    "change",
    [
        {"first_port": [0, 1.5, 4]},
        {"first_port": ["a", "b", "c"]},
        {"first_port": None},
        {"first_port": [[0], [2, 4]]},
        {"first_port": [0, 2, 2**70]},
        {"domain_of": 0},
        {"domain_of": [[0], [0]]},
        {"domain_of": [0, 0.7]},
        {"edge_ports": [[1, 2.9]]},
        {"edge_ports": "ab"},
        {"edge_ports": [[False, True]]},
        {"free": ["", "", "", ""]},
        {"free": [5, 0, 0, 0]},
        {"domains": None},
        {"domains": ("x",)},
        {"rules": None},
        {"rules": "tree"},
        {"costs": 5},
    ],
)
def test_values_that_are_no_part_of_a_puzzle_are_refused(change: dict[str, Any]) -> None:
    """Nothing is rounded or passed on to numpy: InvalidPuzzle, whatever is given."""
    with pytest.raises(InvalidPuzzle):
        replace(PAIR, **change)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Table(2, ("a",)),  # pyright: ignore[reportArgumentType]
        lambda: Table(2, (1.0,)),  # pyright: ignore[reportArgumentType]
        lambda: Table(2.0, (1,)),  # pyright: ignore[reportArgumentType]
        lambda: Table(2, 3),  # pyright: ignore[reportArgumentType]
        lambda: Counts(frozenset({1.5})),  # pyright: ignore[reportArgumentType]
        lambda: Counts(3),  # pyright: ignore[reportArgumentType]
        lambda: Rules(connect="used", needed="ab"),  # pyright: ignore[reportArgumentType]
        lambda: Rules(connect="used", needed=(0.5,)),  # pyright: ignore[reportArgumentType]
        lambda: Rules(acyclic="no"),  # pyright: ignore[reportArgumentType]
        lambda: Costs((((1, 2.5),),), [0], [0]),  # pyright: ignore[reportArgumentType]
        lambda: Costs((((1, 2), (1, 3)),), [0], [0]),  # pyright: ignore[reportArgumentType]
        lambda: Costs((), [], [0.5]),  # pyright: ignore[reportArgumentType]
        lambda: Puzzle.build([(-1, EVEN)]),
        lambda: Puzzle.build([(1.5, EVEN)]),  # pyright: ignore[reportArgumentType]
        lambda: Puzzle.build([3]),  # pyright: ignore[reportArgumentType]
        lambda: Puzzle.build([(1, "x")]),  # pyright: ignore[reportArgumentType]
        lambda: Puzzle.build([(2, EVEN)], [(0, 0, 0)]),  # pyright: ignore[reportArgumentType]
        lambda: Puzzle.build([(2, EVEN)], [(0, 0.5, 0, 1)]),  # pyright: ignore[reportArgumentType]
        lambda: Puzzle.build([(2, EVEN)], mask_costs=[[1]]),  # pyright: ignore[reportArgumentType]
        lambda: Puzzle.build([(2, EVEN)], [(0, 0, 0, 1)], edge_costs=[2**80]),
        lambda: ports_from_masks(PAIR, [1, "a"]),  # pyright: ignore[reportArgumentType]
    ],
)
def test_wrong_kinds_of_values_are_refused(make: Callable[[], object]) -> None:
    """Texts, fractions and lists of a wrong width raise InvalidPuzzle where they are given."""
    with pytest.raises(InvalidPuzzle):
        make()


def test_numbers_of_numpy_are_numbers() -> None:
    """A puzzle made of numpy's integers and of lists equals that of Python's and of tuples."""
    one, two = np.int64(1), np.int64(2)
    masks: Any = list(np.arange(3))
    rules = Rules(connect="used", needed=[one])  # pyright: ignore[reportArgumentType]
    puzzle = Puzzle.build([(two, Table(two, masks))] * 2, [(0, one, one, 0)], rules=rules)  # pyright: ignore[reportArgumentType]
    plain = Rules(connect="used", needed=(1,))
    same = Puzzle.build([(2, Table(2, (0, 1, 2)))] * 2, [(0, 1, 1, 0)], rules=plain)
    assert (puzzle.domains, puzzle.rules) == (same.domains, same.rules)
    assert puzzle.fingerprint == same.fingerprint


@pytest.mark.parametrize("again", [lambda p: pickle.loads(pickle.dumps(p)), copy.deepcopy])
def test_copies_are_read_only_too(again: Callable[[Puzzle], Puzzle]) -> None:
    """A puzzle that went through pickle or deepcopy is the same and as immutable."""
    puzzle = replace(PAIR, costs=Costs(((),), np.array([0, 0]), np.array([7])))
    assert puzzle.twin.size
    other = again(puzzle)
    assert other.fingerprint == puzzle.fingerprint
    assert other.costs is not None
    arrays = [*vars(other).values(), *vars(other.costs).values()]
    found = [a for a in arrays if isinstance(a, np.ndarray)]
    assert len(found) >= 7
    assert not any(a.flags.writeable for a in found)


def test_counts_say_their_numbers() -> None:
    """Numbers beyond the degree drop out; EVEN goes up to the degree; nonsense is refused."""
    assert Counts(frozenset({0, 2, 9})).numbers(4) == (0, 2)
    assert EVEN.numbers(5) == (0, 2, 4)
    assert EVEN.numbers(0) == (0,)
    assert Counts(frozenset({3})).numbers(2) == ()
    for wrong in (frozenset(), frozenset({-1, 2})):
        with pytest.raises(InvalidPuzzle):
            Counts(wrong)


@pytest.mark.parametrize(
    "rules",
    [
        {"leaks": "never"},
        {"connect": "all"},
        {"leaks": "sealed"},
        {"leaks": "sealed", "connect": "used"},
        {"needed": (0,)},
        {"connect": "reach", "needed": (0,)},
        {"sources": (0,)},
        {"connect": "used", "sinks": (0,)},
    ],
)
def test_rules_that_mean_nothing_are_refused(rules: dict[str, Any]) -> None:
    """Unknown words, and vertices listed for a rule that is not in force."""
    with pytest.raises(InvalidPuzzle):
        Rules(**rules)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first_port": [1, 2, 4]}, "first_port"),
        ({"first_port": [0, 2]}, "first_port"),
        ({"first_port": [0, 4, 2]}, "first_port"),
        ({"domain_of": [0, 1]}, "domain_of"),
        ({"domain_of": [0, -1]}, "domain_of"),
        ({"free": [False] * 3}, "free"),
        ({"edge_ports": [[1, 4]]}, "edge_ports"),
        ({"edge_ports": [[-1, 2]]}, "edge_ports"),
        ({"edge_ports": [[1, 2, 3]]}, "edge_ports"),
        ({"edge_ports": [[1, 2], [2, 3]]}, "port 2 stands on more than one edge"),
        ({"edge_ports": [[1, 1]]}, "port 1 stands on more than one edge"),
        ({"edge_ports": [[0, 2]]}, "port 0 is on an edge and free"),
        ({"domains": (Table(3, (0,)),)}, "vertex 0 has 2 ports, its table is for 3"),
        ({"rules": Rules(connect="used", needed=(2,))}, "needed: there is no vertex 2"),
        ({"rules": Rules(connect="reach", sources=(-1,))}, "sources: there is no vertex -1"),
        ({"rules": Rules(connect="reach", sinks=(5,))}, "sinks: there is no vertex 5"),
        ({"domains": (EVEN,), "rules": Rules("allowed")}, "vertex 0: counts need leaks forbidden"),
        ({"costs": Costs(((),), np.array([0]), np.array([0]))}, "costs"),
        ({"costs": Costs(((),), np.array([0, 1]), np.array([0]))}, "costs: expected rows below 1"),
        ({"costs": Costs(((),), np.array([0, 0]), np.array([]))}, "costs"),
    ],
)
def test_puzzles_that_do_not_fit_together_are_refused(change: dict[str, Any], message: str) -> None:
    """Each part that contradicts another raises InvalidPuzzle and names the place."""
    with pytest.raises(InvalidPuzzle, match=message):
        replace(PAIR, **change)


def test_build_refuses_ports_that_do_not_exist() -> None:
    """An edge or a free stub on a missing vertex or port is named."""
    for edge in ((0, 2, 1, 0), (0, 0, 2, 0), (0, -1, 1, 0), (-1, 0, 1, 0)):
        with pytest.raises(InvalidPuzzle, match="does not exist"):
            Puzzle.build([(2, ANY2)] * 2, [edge])
    with pytest.raises(InvalidPuzzle, match="vertex 0 port 7 does not exist"):
        Puzzle.build([(2, ANY2)], free=[(0, 7)])


def test_domains_are_interned() -> None:
    """Equal domains are kept once, so that a large board is a few arrays."""
    puzzle = Puzzle.build([(2, ANY2), (1, EVEN), (2, Table(2, (0, 1, 2, 3))), (3, EVEN)])
    assert puzzle.domains == (ANY2, EVEN)
    assert puzzle.domain_of.tolist() == [0, 1, 0, 1]
    assert puzzle.domain(2) is puzzle.domain(0)


def test_fingerprints_tell_puzzles_apart() -> None:
    """Equal puzzles have equal digests; a change of any part changes the digest."""
    same = Puzzle.build([(2, ANY2)] * 2, [(0, 1, 1, 0)], free=[(0, 0)])
    assert same.fingerprint == PAIR.fingerprint
    others = [
        PAIR.with_rules(Rules(acyclic=True)),
        replace(PAIR, free=np.zeros(4, dtype=bool)),
        replace(PAIR, edge_ports=np.array([[1, 3]])),
        replace(PAIR, domains=(Table(2, (0, 1, 2)),)),
        replace(PAIR, costs=Costs(((),), np.array([0, 0]), np.array([7]))),
        replace(PAIR, costs=Costs(((),), np.array([0, 0]), np.array([7]), maximise=True)),
        replace(PAIR, costs=Costs((((1, 5),),), np.array([0, 0]), np.array([7]))),
    ]
    digests = {PAIR.fingerprint, *(other.fingerprint for other in others)}
    assert len(digests) == len(others) + 1


def test_fingerprints_do_not_depend_on_the_order_of_lists() -> None:
    """Vertices of a rule in another order or twice, costs interned otherwise: the same puzzle."""
    needed = [(0, 1), (1, 0), (1, 0, 1)]
    rules = [Rules(connect="used", needed=some) for some in needed]
    assert len({PAIR.with_rules(r).fingerprint for r in rules}) == 1
    costs = [
        Costs((((1, 2), (2, 1)), ()), np.array([0, 1]), np.array([3])),
        Costs(((), ((2, 1), (1, 2))), np.array([1, 0]), np.array([3])),
        Costs((((9, 9),), (), ((1, 2), (2, 1))), np.array([2, 1]), np.array([3])),
    ]
    assert len({replace(PAIR, costs=some).fingerprint for some in costs}) == 1


def test_other_rules_keep_the_rest() -> None:
    """``with_rules`` changes the rules alone."""
    puzzle = small_multigraph()
    other = puzzle.with_rules(Rules(connect="used"))
    assert other.rules == Rules(connect="used")
    assert other.domains == puzzle.domains
    assert np.array_equal(other.edge_ports, puzzle.edge_ports)
