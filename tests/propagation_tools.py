"""What the tests of the engine propagation share: brute force and random puzzles.

Not from hypothesis: a seed gives the same puzzles to every variant, thousands a second.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

import numpy as np
from plumbench.puzzles.model import EVEN, Connect, Counts, Domain, Leaks, Puzzle, Rules, Table
from plumbench.puzzles.topology import Square, rotate
from plumbench.solvers.contract import Limits
from plumbench.solvers.registry import get

LEAKY: tuple[Leaks, ...] = ("allowed", "sealed", "sealed")
Ports = tuple[bool, ...]


def brute(puzzle: Puzzle) -> set[Ports]:
    """All solutions, by the engine brute."""
    search, found = get("brute").start(puzzle, Limits(), many=True), set()
    while isinstance(solution := search.next(), np.ndarray):
        found.add(tuple(solution.tolist()))
    return found


# ---- random puzzles --------------------------------------------------------------------------


def random_puzzles(seed: int, number: int) -> Iterator[Puzzle]:
    """Small multigraphs and boards of every kind the engine supports."""
    draw = random.Random(seed)
    for _ in range(number):
        yield random_multigraph(draw) if draw.random() < 0.6 else random_board(draw)


def random_rules(draw: random.Random, vertices: int, *, leaky: bool) -> Rules:
    """Any connection, cyclic or not, sometimes with needed vertices; any leaks if ``leaky``."""
    choices: list[Connect] = ["none", "used", "used", "reach"]
    connect, acyclic = draw.choice(choices), draw.random() < 0.4
    some = [tuple(draw.sample(range(vertices), min(vertices, 2))) for _ in range(2)]
    leaks: Leaks = "allowed" if leaky else "forbidden"
    if connect == "reach":
        leaks = draw.choice(LEAKY) if leaky else "forbidden"
        return Rules(leaks, connect, acyclic, sources=some[0][1:] or some[0], sinks=some[1])
    needed = some[0] if connect == "used" and draw.random() < 0.3 else ()
    return Rules(leaks, connect, acyclic, needed=needed)


def random_multigraph(draw: random.Random) -> Puzzle:
    """Loops, parallel edges, free and closed stubs, tables with and without 0, counts."""
    degrees = [draw.choice([0, 1, 2, 2, 3, 3, 4, 4, 5]) for _ in range(draw.randint(1, 6))]
    ports = [(v, i) for v, degree in enumerate(degrees) for i in range(degree)]
    draw.shuffle(ports)
    edges = min(len(ports) // 2, draw.randint(0, 8))
    pairs = [(*ports[2 * k], *ports[2 * k + 1]) for k in range(edges)]
    chance = draw.choice([0, 0.3, 0.7])
    free = [port for port in ports[2 * edges :] if draw.random() < chance]
    fixed, leaky = draw.random() < 0.3, draw.random() < 0.3
    make = few_masks if leaky else partial(random_domain, fixed=fixed)
    vertices = [(degree, make(draw, degree)) for degree in degrees]
    rules = random_rules(draw, len(degrees), leaky=leaky)
    return Puzzle.build(vertices, pairs, free=free, rules=rules)


def random_domain(draw: random.Random, degree: int, *, fixed: bool) -> Domain:
    """EVEN, counts, or a table; ``fixed`` tables hold all masks of one number of openings."""
    kind = draw.random()
    if kind < 0.15:
        return EVEN
    if kind < 0.35:
        return Counts(
            frozenset(draw.sample(range(degree + 2), draw.randint(1, min(3, degree + 2))))
        )
    masks = range(1 << degree)
    if fixed:
        number = draw.randint(0, degree)
        return Table(degree, tuple(m for m in masks if m.bit_count() == number))
    chosen = set(draw.sample(masks, draw.randint(1, 1 << degree)))
    return Table(degree, tuple(sorted(chosen | ({0} if draw.random() < 0.3 else set()))))


def few_masks(draw: random.Random, degree: int) -> Domain:
    """A table of at most four masks: where ports may leak, solutions are many."""
    masks = draw.sample(range(1 << degree), draw.randint(1, min(4, 1 << degree)))
    return Table(degree, tuple(sorted(masks)))


def random_board(draw: random.Random) -> Puzzle:
    """Turned pieces on a grid or torus, most from a planted filling, some optional."""
    width, height, wrap = draw.randint(1, 4), draw.randint(1, 3), draw.random() < 0.5
    cells = width * height
    neighbours = Square(width, height, wrap).neighbours().tolist()
    edges = [
        (cell, d, neighbours[cell][d], d + 2)
        for cell in range(cells)
        for d in (0, 1)
        if neighbours[cell][d] >= 0 and draw.random() < 0.95
    ]
    pieces = [draw.choice([0, 1, 3, 3, 5, 5, 7, 15]) for _ in range(cells)]
    if draw.random() < 0.7:
        pieces, density = [0] * cells, draw.choice([0.4, 0.6, 0.8])
        for u, i, v, j in edges:
            if draw.random() < density:
                pieces[u] |= 1 << i
                pieces[v] |= 1 << j
    optional, leaks = draw.choice([0, 0.1, 0.5]), 0.3 if cells < 6 else 0
    vertices = []
    for piece in pieces:
        turned = {rotate(piece, k, 4) for k in range(4)}
        turned |= {0} if draw.random() < optional else set()
        vertices.append((4, Table(4, tuple(sorted(turned)))))
    return Puzzle.build(
        vertices, edges, rules=random_rules(draw, cells, leaky=draw.random() < leaks)
    )
