"""What the command ``euler`` does: trails of solved boards and of edge lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from . import cli_render as render
from .benchmarks.processes.jobs import Result
from .cli_items import Options, Printer
from .cli_jobs import run_answers, run_jobs
from .cli_render import Item, Output, Style
from .puzzles.check import Report
from .puzzles.edge_list import EdgeList, read_edges
from .puzzles.errors import PlumbenchError, UsageError, WrongAnswer
from .puzzles.euler import Euler, Kind, euler, trail, verify_trail
from .puzzles.instance import Instance
from .puzzles.model import Solution
from .puzzles.terms import listed
from .solvers import show
from .solvers.contract import Status


def boards(
    arguments: Sequence[str], options: Options, solution: str | None, start: str | None
) -> int:
    """Trails of boards, solved first or as an answer turns them."""
    if solution is not None:
        return run_answers(arguments, options, solution, partial(_given, start))
    return run_jobs(
        arguments,
        options,
        lambda _: ("solve", None),
        partial(_solved, start),
        direct=partial(_graph, start),
    )


def edge_lists(
    arguments: Sequence[str], options: Options, directed: bool, start: str | None
) -> int:
    """Trails of edge lists, each argument one."""
    style = Style(json=options.json, many=len(arguments) > 1)
    with Printer() as printer:
        for argument in arguments:
            item = Item(argument)
            try:
                output = _edges(item, style, read_edges(argument), directed, start)
            except PlumbenchError as error:
                output = render.failed(replace(item, error=error), style)
            printer.show(output)
        return printer.code


def _edges(item: Item, style: Style, graph: EdgeList, directed: bool, start: str | None) -> Output:
    """The trail of a graph whose vertices have names."""
    first = None if start is None else _named(graph, start)
    found = euler(graph.ends, len(graph.names), directed=directed, start=first)
    text = _text(found, "", lambda v: render.one_line(graph.names[v]))
    status = Status.SATISFIABLE if found.found else Status.UNSATISFIABLE
    more = {
        "family": "edges" if item.instance is None else item.instance.family,
        "status": status.value,
        "verified": True if found.found else None,
        "directed": directed,
        **_record(found, graph.names.__getitem__),
    }
    return _output(item, style, found, text, None, more)


def _graph(start: str | None, item: Item, style: Style) -> Output | None:
    """The trail of an instance that is a graph itself, without an engine; None of another."""
    graph = None if item.instance is None else item.instance.graph()
    if graph is None:
        return None
    try:
        return _edges(item, replace(style, solver=""), graph, False, start)
    except PlumbenchError as error:
        return render.failed(replace(item, error=error), style)


def _named(graph: EdgeList, name: str) -> int:
    try:
        return graph.names.index(name)
    except ValueError:
        raise UsageError(f"--start {name}: no edge has an end of that name") from None


def _solved(start: str | None, item: Item, style: Style, result: Result) -> Output:
    """The trail of what an engine found."""
    if not result.solutions:
        return render.solved(item, style, result)
    return _board(item, style, result.solutions[0], start, result)


def _given(
    start: str | None, item: Item, style: Style, solution: Solution, report: Report
) -> Output:
    """The trail of an answer that somebody brought; a wrong one is bad input."""
    if not report.ok:
        error = UsageError(f"the solution is wrong: {report.reasons[0]} (see plumbench check)")
        return render.failed(replace(item, error=error), style)
    return _board(item, style, solution, start, None)


def _board(
    item: Item, style: Style, solution: Solution, start: str | None, result: Result | None
) -> Output:
    instance = item.instance
    assert instance is not None
    try:
        if instance.graph() is not None:
            raise UsageError(f"--solution belongs to boards: {instance.family} need none")
        first = None if start is None else _vertex(instance, start)
        found = trail(*instance.joints(solution), first)
    except PlumbenchError as error:
        return render.failed(replace(item, error=error), style)
    text = _text(found, show.under(instance, style.solver), partial(_cell, instance))
    more = _record(found, partial(show.cell, instance))
    more.update(solution=instance.decode(solution), verified=True)
    return _output(item, style, found, text, result, more)


def _vertex(instance: Instance, start: str) -> int:
    """A cell as ROW,COLUMN from 1; without a grid the number of a vertex."""
    columns, vertices = instance.columns, instance.puzzle.vertices
    if columns is None:
        if not re.fullmatch(r"\d{1,9}", start, re.ASCII) or int(start) >= vertices:
            raise UsageError(f"--start {start}: expected a vertex below {vertices}")
        return int(start)
    match = re.fullmatch(r"\(?(\d{1,7}), ?(\d{1,7})\)?", start, re.ASCII)
    if not match:
        raise UsageError(f"--start {start}: expected ROW,COLUMN, such as 2,1")
    row, column = int(match[1]), int(match[2])
    rows = (vertices - len(instance.extra)) // columns
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise UsageError(f"--start {start}: the board has {rows} rows, {columns} columns")
    return (row - 1) * columns + column - 1


def _cell(instance: Instance, vertex: int) -> str:
    """``(2,1)``: row and column from 1."""
    where = show.cell(instance, vertex)
    return f"({where[0] + 1},{where[1] + 1})" if isinstance(where, list) else str(where)


def _output(
    item: Item,
    style: Style,
    found: Euler,
    lines: list[str],
    result: Result | None,
    more: dict[str, Any],
) -> Output:
    """Verify the trail, then print; 0 with a trail, 1 without."""
    if found.found and (
        faults := verify_trail(found.ends, found.vertices, found.edges, directed=found.directed)
    ):
        raise WrongAnswer("euler", faults)
    code = render.ANSWERED if found.found else render.UNSOLVABLE
    if style.json:
        return Output(code, render.record(item, style, result, **more))
    return Output(code, "\n".join([render.heading(item, style, lines[0]), *lines[1:]]))


def _text(found: Euler, under: str, name: Callable[[int], str]) -> list[str]:
    """The verdict, the odd vertices, the trail; edges are numbered from 1."""
    kind = "neither circuit nor path" if found.kind is Kind.NEITHER else found.kind.value
    number = len(found.ends)
    edges = f"{number} edge{'' if number == 1 else 's'}"
    if found.found:
        lines = [f"{kind}{under}: {edges}, each used once, verified"]
    else:
        asked = found.kind is not Kind.NEITHER and found.start is not None
        but = f", but none from {name(found.start or 0)}" if asked else ""
        lines = [f"{kind}{but}{under}: {edges}; {'; '.join(found.reasons(name))}"]
    if found.directed:
        odd = [
            f"{name(v)} ({abs(more)} more {'out' if more > 0 else 'in'})"
            for v, more in zip(found.odd, found.excess, strict=True)
        ]
        lines.append(f"unbalanced vertices: {listed(odd) if odd else 'none'}")
    else:
        odd = [name(v) for v in found.odd]
        lines.append(f"odd vertices: {listed(odd, ' ') if odd else 'none'}")
    if found.found:
        lines.append(f"vertices: {' '.join(map(name, found.vertices))}".rstrip())
        lines.append(f"edges: {' '.join(str(e + 1) for e in found.edges)}".rstrip())
    return lines


def _record(found: Euler, name: Callable[[int], Any]) -> dict[str, Any]:
    """The fields of JSON; edges are numbered from 0."""
    return {
        "euler": found.kind.value,
        "odd": [name(v) for v in found.odd],
        "parts": found.parts,
        "reasons": list(found.reasons(lambda v: str(name(v)))),
        "edges": [[name(u), name(v)] for u, v in found.ends.tolist()],
        "trail": [name(v) for v in found.vertices] if found.found else None,
        "trail_edges": list(found.edges) if found.found else None,
    }
