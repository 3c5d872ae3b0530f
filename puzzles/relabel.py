"""Multigraphs up to the names of their vertices: colour refinement and a form without names.

A graph is a list ``beside`` with a dictionary per vertex, neighbour to number of edges; a loop is
listed once, under the vertex itself. Used to merge states that differ in names only and to tell
puzzles apart.
"""

from __future__ import annotations

from collections.abc import Sequence

Beside = Sequence[dict[int, int]]
Form = tuple[tuple[int, int, int], ...]
"""Edges (u, v, number) with u <= v, sorted."""


def refined(beside: Beside, colours: list[int]) -> list[int]:
    """The coarsest refinement of the colours in which vertices of one colour have equally many
    edges to each colour. Colours are ranks, and depend on no names.
    """
    number = len(set(colours))
    while True:
        signs = [
            (colours[v], sorted((colours[u], k) for u, k in row.items() if u != v), row.get(v, 0))
            for v, row in enumerate(beside)
        ]
        ranked = sorted(range(len(beside)), key=signs.__getitem__)
        rank, fresh = -1, [0] * len(beside)
        for place, v in enumerate(ranked):
            if not place or signs[v] != signs[ranked[place - 1]]:
                rank = place
            fresh[v] = rank
        colours = fresh
        if len(set(colours)) == number:
            return colours
        number = len(set(colours))


def form_of(beside: Beside) -> Form:
    """The graph as it is named."""
    return tuple(
        sorted((v, u, k) for v, row in enumerate(beside) for u, k in row.items() if v <= u)
    )


def first_form(beside: Beside, colours: list[int] | None = None) -> Form:
    """A form in which most graphs that differ in names only are equal: where refinement leaves
    several vertices of a colour, one is taken that just comes first.
    """
    colours = refined(beside, colours or [0] * len(beside))
    while (cell := _cell(colours)) is not None:
        colours = refined(beside, _singled(colours, cell[0]))
    return _renamed(beside, colours)


def canonical_form(
    beside: Beside, colours: list[int] | None = None, *, leaves: int = 1000
) -> Form | None:
    """The form that is equal for exactly those graphs that differ in names only (and have the
    same colours); None if that would need more than so many ``leaves`` of the search.

    Individualisation and refinement (B. D. McKay 1981) without its use of automorphisms: the
    least of the forms over all choices.
    """
    waiting = [refined(beside, colours or [0] * len(beside))]
    best: Form | None = None
    steps = 0
    while waiting:
        colours = waiting.pop()
        cell = _cell(colours)
        if cell is None:
            form = _renamed(beside, colours)
            best = form if best is None else min(best, form)
            continue
        steps += len(cell)
        if steps > leaves:
            return None
        waiting += [refined(beside, _singled(colours, v)) for v in cell]
    return best


def _cell(colours: list[int]) -> list[int] | None:
    """The vertices of the first colour that several have."""
    seen: dict[int, list[int]] = {}
    for v, colour in enumerate(colours):
        seen.setdefault(colour, []).append(v)
    return min((c for c in seen.items() if len(c[1]) > 1), default=(0, None))[1]


def _singled(colours: list[int], vertex: int) -> list[int]:
    """The vertex set before the others of its colour."""
    return [2 * c + (c == colours[vertex] and v != vertex) for v, c in enumerate(colours)]


def _renamed(beside: Beside, colours: list[int]) -> Form:
    place = {v: i for i, v in enumerate(sorted(range(len(colours)), key=colours.__getitem__))}
    return form_of([{place[u]: k for u, k in beside[v].items()} for v in place])
