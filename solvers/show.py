"""Answers in words and characters, for people: used by ``print`` and by the command line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .contract import Answer, Stat
from .unique import Uniqueness, Verdict

if TYPE_CHECKING:
    from ..puzzles.instance import Instance
    from ..puzzles.model import Solution

_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def under(instance: Instance | None, solver: str = "") -> str:
    """``under the rule tree, by sat``: what a verdict always says with it."""
    rule = f" under the rule {instance.rules}" if instance is not None else ""
    return rule + (f", by {solver}" if solver else "")


def place(instance: Instance | None, vertex: int) -> str:
    """Where a vertex is, in people's words: rows and columns count from 1."""
    if instance is not None and (name := _extra(instance, vertex)):
        return name
    if instance is not None and instance.columns is not None:
        row, column = divmod(vertex, instance.columns)
        return f"row {row + 1}, column {column + 1}"
    return f"vertex {vertex}"


def cell(instance: Instance | None, vertex: int) -> list[int] | int | str:
    """Where a vertex is, for JSON: [row, column] from 0 on a grid, else its number or, of a
    vertex behind the cells, its name.
    """
    if instance is not None and (name := _extra(instance, vertex)):
        return name
    columns = None if instance is None else instance.columns
    return vertex if columns is None else list(divmod(vertex, columns))


def _extra(instance: Instance, vertex: int) -> str:
    behind = vertex - (instance.puzzle.vertices - len(instance.extra))
    return instance.extra[behind] if behind >= 0 else ""


def _real(instance: Instance | None, vertices: tuple[int, ...]) -> tuple[int, ...]:
    """The vertices without those behind the cells."""
    return tuple(v for v in vertices if instance is None or not _extra(instance, v))


def openings(instance: Instance | None, mask: int) -> str:
    """A mask as the sides it opens to."""
    sides = () if instance is None else instance.sides
    names = [name for bit, name in enumerate(sides) if mask >> bit & 1]
    return "-".join(names) if names else f"mask {mask}"


def drawing(
    instance: Instance | None,
    solution: Solution,
    marked: frozenset[int] = frozenset(),
    *,
    colour: bool = False,
) -> str:
    """The solution as a picture, or as open ports where nothing is known but the model."""
    if instance is None:
        return "open ports: " + " ".join(str(port) for port in solution.nonzero()[0].tolist())
    return instance.draw(solution, marked=marked, colour=colour).rstrip("\n")


def answer_text(answer: Answer, instance: Instance | None, solver: str = "") -> str:
    """Status, rule and solver in a line, then the board."""
    line = answer.status + priced(answer.cost, answer.bound, answer.reason)
    line += under(instance, solver)
    if answer.solution is None:
        return line + (f" (stopped: {answer.reason})" if answer.reason else "")
    return f"{line}, verified\n{drawing(instance, answer.solution)}"


def priced(cost: int | None, bound: int | None, reason: str | None) -> str:
    """`` at cost 12``, with what is proved where the optimum is not; empty without a cost."""
    if cost is None:
        return ""
    proved = "nothing proved" if bound is None else f"proved bound {bound}"
    return f" at cost {cost}" + (f" ({proved}, stopped: {reason})" if reason else "")


def uniqueness_text(
    found: Uniqueness,
    instance: Instance | None,
    solver: str = "",
    *,
    width: int = 80,
    colour: bool = False,
) -> str:
    """The verdict with everything that shows it, ``width`` columns at most where it can be."""
    lines = [verdict_line(found, instance, solver)]
    if found.verdict is Verdict.AMBIGUOUS:
        lines += _evidence(found, instance, width, colour)
    elif found.solutions:
        lines.append(drawing(instance, found.solutions[0]))
    return "\n".join(lines)


def verdict_line(found: Uniqueness, instance: Instance | None, solver: str = "") -> str:
    """The verdict in one line."""
    rule = under(instance, solver)
    match found.verdict:
        case Verdict.UNIQUE:
            return f"unique{rule}: exactly one solution, verified"
        case Verdict.UNSOLVABLE:
            return f"unsolvable{rule}: no solution"
        case Verdict.UNKNOWN:
            known = "one solution found, verified; " if found.solutions else ""
            return f"unknown{rule}: {known}stopped by the limit of {found.reason}"
        case Verdict.AMBIGUOUS:
            number = f"exactly {found.count}" if found.exact else f"at least {found.count}"
            differ = f"the two shown differ in {cells(instance, len(found.differing))}"
            return f"ambiguous{rule}: {number} solutions, verified; {differ}"


def cells(instance: Instance | None, number: int) -> str:
    """``1 cell``, ``2 cells``, or vertices where there is no grid."""
    columns = None if instance is None else instance.columns
    one, more = ("vertex", "vertices") if columns is None else ("cell", "cells")
    return f"{number} {one if number == 1 else more}"


def _evidence(found: Uniqueness, instance: Instance | None, width: int, colour: bool) -> list[str]:
    marked = frozenset(found.differing)
    pictures = [drawing(instance, s, marked, colour=colour) for s in found.solutions]
    lines = side_by_side(
        [("first answer", pictures[0]), ("second answer, differences marked", pictures[1])],
        width,
    )
    lines += _forced(found, instance, colour)
    if found.hint is not None:
        vertex, mask = found.hint
        effect = (
            "leaves only the first answer"
            if found.hint_unique
            else "removes the second answer, others may remain"
        )
        where = f"{place(instance, vertex)} to {openings(instance, mask)}"
        lines.append(f"hint: locking {where} {effect}")
    return lines


def _forced(found: Uniqueness, instance: Instance | None, colour: bool) -> list[str]:
    alike = _real(instance, found.alike)
    pieces = cells(instance, len(found.differing) + len(alike))
    if found.forced is None:
        return [
            f"the same in both answers shown: {len(alike)} of {pieces} "
            "(not proved for all solutions)"
        ]
    forced = _real(instance, found.forced)
    line = f"forced, the same in all solutions: {len(forced)} of {pieces}"
    if found.forced == found.alike:
        return [f"{line}, those not marked"]
    loose = frozenset((*found.differing, *found.alike)) - frozenset(found.forced)
    picture = drawing(instance, found.solutions[0], loose, colour=colour)
    return [f"{line}, those not marked here:", picture]


def side_by_side(pictures: list[tuple[str, str]], width: int) -> list[str]:
    """Titled pictures beside each other if they fit, else one below the other."""
    blocks = [[title, *picture.split("\n")] for title, picture in pictures]
    widths = [max(map(_columns, block)) for block in blocks]
    if sum(widths) + 3 * (len(blocks) - 1) > width:
        return [line for block in blocks for line in block]
    height = max(map(len, blocks))
    rows = []
    for index in range(height):
        parts = [block[index] if index < len(block) else "" for block in blocks]
        padded = [part + " " * (w - _columns(part)) for part, w in zip(parts, widths, strict=True)]
        rows.append("   ".join(padded).rstrip())
    return rows


def _columns(text: str) -> int:
    """The columns a text takes on a terminal: no colour codes, wide characters twice."""
    plain = _ANSI.sub("", text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in plain)


def counters(stats: Mapping[str, Stat]) -> list[str]:
    """``nodes 3``, ``conflicts 1``: the first counter, and of the others those that are not 0."""
    return [
        f"{name} {value:.6g}" if isinstance(value, float) else f"{name} {value}"
        for index, (name, value) in enumerate(stats.items())
        if value or not index
    ]
