"""What a family of puzzles answers itself, without an engine."""

from __future__ import annotations

from dataclasses import replace

from . import cli_render as render
from .cli_render import Item, Output, Style
from .puzzles.errors import UsageError
from .puzzles.instance import ExactCount
from .puzzles.values import every_digit
from .solvers import show
from .solvers.contract import Reason, Status


def counted(
    item: Item, style: Style, seconds: float | None, limit: int | None, solver_given: bool
) -> Output | None:
    """The output of ``count`` where the family counts what people count; None where an engine
    counts the model's solutions.
    """
    assert item.instance is not None
    try:
        found = item.instance.count_exactly(seconds)
    except TimeoutError:
        return _stopped(item, replace(style, solver=""))
    if found is None:
        return None
    if solver_given:
        why = f"--solver: {found.what} are counted without one; --model counts its solutions"
        return render.failed(replace(item, error=UsageError(why)), style)
    with every_digit():
        return _counted(item, replace(style, solver=""), found, limit)


def _counted(item: Item, style: Style, found: ExactCount, limit: int | None) -> Output:
    exact = limit is None or found.value < limit
    value = found.value if limit is None else min(found.value, limit)
    code = render.ANSWERED if value else render.UNSOLVABLE
    if style.json:
        status = Status.SATISFIABLE if value else Status.UNSATISFIABLE
        text = render.record(
            item, style, status=status.value, count=value, count_exact=exact,
            counted=found.what, method=found.method, note=found.note or None,
        )  # fmt: skip
        return Output(code, text)
    what = found.what if value != 1 else found.what.removesuffix("s")
    number = f"{'exactly' if exact else 'at least'} {value} {what}" if value else f"no {what}"
    line = f"{number}{show.under(item.instance)}, counted {found.method}"
    lines = [render.heading(item, style, line)]
    if found.note and exact:
        lines.append(found.note)
    return Output(code, "\n".join(lines))


def _stopped(item: Item, style: Style) -> Output:
    status, reason = Status.UNKNOWN.value, Reason.TIME.value
    if style.json:
        return Output(render.UNKNOWN, render.record(item, style, status=status, reason=reason))
    line = f"{status}{show.under(item.instance)}: stopped by the limit of {reason}"
    return Output(render.UNKNOWN, render.heading(item, style, line))
