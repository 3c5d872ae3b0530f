"""How many chains of all tiles there are: Euler trails of a multigraph, counted exactly.

At each pip a trail joins the halves of tiles there in pairs. So a closed trail is a choice of
pairs at every pip (a transition system) that leaves one circuit, not several. Pips are taken out
one after the other: each way to pair the halves at a pip leaves a graph on the other pips, in
which two tiles joined there are one edge; a pairing that would close a circuit too early is none.
Graphs that differ in names only are counted together, with big integers. The same number is, by
the BEST theorem (van Aardenne-Ehrenfest and de Bruijn 1951; Smith and Tutte 1941), the sum over
Eulerian orientations of arborescences times the product of (out-degree - 1)!; tests compare both.

Counting Euler trails is #P-complete (Brightwell and Winkler 2005), so large dense sets take too
long: ``tick`` is called often, and may raise to stop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import factorial, prod

from .relabel import Form, first_form, form_of

Tiles = Sequence[tuple[int, int]]
FEW = 16
"""So many graphs are not worth comparing up to names."""


def count_chains(
    tiles: Tiles,
    *,
    closed: bool = False,
    start: int | None = None,
    tick: Callable[[], None] = lambda: None,
) -> int:
    """The number of directed chains of all the tiles: sequences of laid tiles, where equal tiles
    are told apart, and the mirrored chain is another one. A double lies one way only.

    ``closed``: only chains that end with the pip they begin with; ``start``: only chains that
    begin with this pip. No tiles make one chain, the empty one.
    """
    if not tiles:
        return 1
    degree: dict[int, int] = defaultdict(int)
    doubles: dict[int, int] = defaultdict(int)
    edges: dict[tuple[int, int], int] = defaultdict(int)
    for a, b in tiles:
        degree[a] += 1
        degree[b] += 1
        if a == b:
            doubles[a] += 1
        else:
            edges[min(a, b), max(a, b)] += 1
    odd = [pip for pip, number in degree.items() if number % 2]
    if len(odd) > 2 or (closed and odd) or (start is not None and start not in (odd or degree)):
        return 0
    if odd:
        # One more edge between the ends makes the chain a circuit.
        edges[min(odd), max(odd)] += 1
        degree[odd[0]] += 1
        degree[odd[1]] += 1
    passages = {pip: number // 2 for pip, number in degree.items()}
    if len(passages) == 1 and not edges:
        return factorial(len(tiles))
    circuits = count_circuits(list(passages), edges, tick)
    for pip, number in doubles.items():
        # Each further double goes in at any passage of its pip.
        free = passages[pip] - number
        circuits *= prod(range(free, free + number))
    if odd:
        return circuits * (2 if start is None else 1)
    return circuits * 2 * (len(tiles) if start is None else passages[start])


def count_circuits(
    pips: Sequence[int],
    edges: dict[tuple[int, int], int],
    tick: Callable[[], None] = lambda: None,
) -> int:
    """The number of circuits through every edge, without direction or starting point, edges
    told apart. ``edges``: number by pair of different pips, every degree even; 0 if some pip has
    no edge or the graph is not connected.
    """
    place = {pip: i for i, pip in enumerate(pips)}
    beside: list[dict[int, int]] = [{} for _ in pips]
    for (u, v), number in edges.items():
        beside[place[u]][place[v]] = beside[place[v]][place[u]] = number
    layer: dict[Form, int] = {form_of(beside): 1}
    for left in range(len(pips), 1, -1):
        smaller: dict[Form, int] = defaultdict(int)
        for form, weight in layer.items():
            for rest, ways in _without_a_pip(form, left, tick):
                smaller[rest] += weight * ways
        layer = smaller if len(smaller) <= FEW else _merged(smaller, left - 1, tick)
    return sum(w * _of_loops(sum(k for _, _, k in form)) for form, w in layer.items())


def _merged(layer: dict[Form, int], size: int, tick: Callable[[], None]) -> dict[Form, int]:
    """The graphs of a layer, those together that differ in names only (most of them)."""
    merged: dict[Form, int] = defaultdict(int)
    for form, weight in layer.items():
        tick()
        merged[first_form(_beside(form, size))] += weight
    return merged


def _beside(form: Form, size: int) -> list[dict[int, int]]:
    beside: list[dict[int, int]] = [{} for _ in range(size)]
    for u, v, number in form:
        beside[u][v] = beside[v][u] = number
    return beside


def _of_loops(number: int) -> int:
    """Circuits of so many loops at one pip: the first lies one way, each other in both."""
    return prod(range(2, 2 * number, 2)) if number else 0


def _without_a_pip(form: Form, size: int, tick: Callable[[], None]) -> Iterator[tuple[Form, int]]:
    """Every graph that pairing the halves at one pip leaves, and the number of those pairings."""
    beside = _beside(form, size)
    gone = min(range(size), key=lambda v: (len(beside[v]), sum(beside[v].values()), v))
    loops = beside[gone].pop(gone, 0)
    ends = sorted(beside[gone].items())
    if not ends:
        return
    passages = sum(number for _, number in ends) // 2
    inserted = prod(2 * (passages + i) for i in range(loops))
    rest = [
        {u - (u > gone): k for u, k in row.items() if u != gone}
        for v, row in enumerate(beside)
        if v != gone
    ]
    for joints, ways in _pairings([number for _, number in ends], tick):
        graph = [dict(row) for row in rest]
        for i, j, number in joints:
            u, v = (end - (end > gone) for end in (ends[i][0], ends[j][0]))
            graph[u][v] = graph[u].get(v, 0) + number
            if u != v:
                graph[v][u] = graph[u][v]
        yield form_of(graph), ways * inserted


def _pairings(
    halves: list[int], tick: Callable[[], None]
) -> Iterator[tuple[list[tuple[int, int, int]], int]]:
    """All ways to pair halves of several kinds, ``halves[i]`` of kind i, gathered by how many
    pairs (i, j, number) join which kinds; with the number of pairings of each gathering.
    """
    total = prod(map(factorial, halves))
    kinds = len(halves)
    waiting: list[tuple[int, int, list[int], list[tuple[int, int, int]], int]] = [
        (0, 0, halves, [], 1)
    ]
    while waiting:
        i, j, left, joints, same = waiting.pop()
        if i == kinds:
            tick()
            yield joints, total // same
            continue
        if j == kinds:
            if not left[i]:
                waiting.append((i + 1, i + 1, left, joints, same))
            continue
        most = left[i] // 2 if i == j else min(left[i], left[j])
        for number in range(most + 1):
            after = list(left)
            after[i] -= number
            after[j] -= number
            more = [*joints, (i, j, number)] if number else joints
            alike = factorial(number) * (2**number if i == j else 1)
            waiting.append((i, j + 1, after, more, same * alike))
