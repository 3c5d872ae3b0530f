"""What ``check --locks`` does: which locked cells of a board are wrong?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from . import cli_render as render
from .benchmarks.processes.conversation import Conversation
from .benchmarks.processes.jobs import Job, Outcome, Result
from .cli_items import Options, Printer, items, peek
from .cli_jobs import check_solver
from .cli_render import Item, Output, Style
from .puzzles.board import Board
from .puzzles.errors import PlumbenchError, UsageError
from .puzzles.model import Puzzle, masks_of
from .puzzles.terms import listed
from .solvers import show
from .solvers.contract import Limits, Reason, Status
from .solvers.locks import LockReport, LockVerdict, Reply, wrong_locks

_CODES = {
    LockVerdict.CONSISTENT: render.ANSWERED,
    LockVerdict.WRONG: render.UNSOLVABLE,
    LockVerdict.UNSOLVABLE: render.UNSOLVABLE,
    LockVerdict.UNKNOWN: render.UNKNOWN,
}
_STATUS = {
    LockVerdict.CONSISTENT: Status.SATISFIABLE,
    LockVerdict.UNKNOWN: Status.UNKNOWN,
}


class _Trouble(Exception):
    """A run that gave no verdict."""

    def __init__(self, result: Result) -> None:
        self.result = result


def check_locks(arguments: Sequence[str], options: Options) -> int:
    """``check --locks``: consistent, or which locks are wrong."""
    check_solver(options.solver)
    many, puzzles = peek(items(arguments, options.rules))
    style = Style(json=options.json, many=many, solver=options.solver)
    with Printer() as printer:
        for item in puzzles:
            printer.show(_judged(item, style, options))
        return printer.code


def _judged(item: Item, style: Style, options: Options) -> Output:
    if item.error is not None or item.instance is None:
        return render.failed(item, style)
    board = item.instance
    with Conversation() as talk:

        def ask(puzzle: Puzzle, number: int, limits: Limits) -> Reply:
            result = talk.ask(
                Job(
                    puzzle,
                    options.solver,
                    "solve" if number == 1 else "solutions",
                    None if number == 1 else number,
                    limits.seconds,
                    limits.nodes,
                )
            )
            return _reply(result)

        try:
            if not isinstance(board, Board):
                raise UsageError(f"check --locks: expected a board, found a {board.family}")
            report = wrong_locks(board, ask=ask, limits=Limits(options.seconds, options.nodes))
        except _Trouble as trouble:
            troubled = render.troubled(item, style, trouble.result)
            assert troubled is not None
            return troubled
        except PlumbenchError as error:
            return render.failed(replace(item, error=error), style)
    code = _CODES[report.verdict]
    if style.json:
        return Output(code, render.record(item, style, **_record(board, report)))
    text = "\n".join(_lines(board, report, style.solver))
    return Output(code, render.heading(item, style, text))


def _reply(result: Result) -> Reply:
    if result.outcome is Outcome.TIMEOUT:
        return Reply(result.solutions, Reason.TIME)
    if result.outcome is Outcome.MEMOUT:
        return Reply(result.solutions, Reason.MEMORY)
    if result.outcome is not Outcome.ANSWERED:
        raise _Trouble(result)
    return Reply(result.solutions, result.reason)


def _record(board: Board, report: LockReport) -> dict[str, Any]:
    solution = None if report.solution is None else board.decode(report.solution)
    kept = report.verdict is LockVerdict.CONSISTENT

    def cells(numbers: Sequence[int]) -> list[Any]:
        return [show.cell(board, number) for number in numbers]

    return {
        "status": _STATUS.get(report.verdict, Status.UNSATISFIABLE).value,
        "reason": report.reason,
        "verdict": report.verdict.value,
        "solution": solution if kept else None,
        "verified": True if kept else None,
        "nearest": None if kept else solution,
        "locked": int(board.locked.sum()),
        "unique": report.unique,
        "wrong": cells(report.wrong) if report.unique else None,
        "core": cells(report.core),
        "core_minimal": report.minimal,
        "undo": cells(report.undo),
        "questions": report.questions,
    }


def _lines(board: Board, report: LockReport, solver: str) -> list[str]:
    under, total = show.under(board, solver), show.cells(board, int(board.locked.sum()))
    match report.verdict:
        case LockVerdict.CONSISTENT:
            assert report.solution is not None
            lines = [f"consistent{under}: a solution keeps all {total} locked, verified"]
            return [*lines, show.drawing(board, report.solution)]
        case LockVerdict.UNKNOWN:
            return [f"unknown{under}: stopped by the limit of {report.reason}"]
        case LockVerdict.UNSOLVABLE:
            return [f"unsolvable{under}: no solution even if nothing is locked"]
        case LockVerdict.WRONG:
            return _wrong(board, report, f"wrong{under}: ", total)


def _wrong(board: Board, report: LockReport, begin: str, total: str) -> list[str]:
    number = "cell" if len(report.core) == 1 else show.cells(board, len(report.core))
    if report.unique:
        marked = report.wrong
        line = f"{begin}the only solution differs in {len(marked)} of the {total} locked"
    elif report.minimal:
        marked = report.core
        more = ", though one keeps all but any one of them" if len(marked) > 1 else ""
        line = f"{begin}no solution keeps the {number} marked{more}"
    else:
        marked = report.core
        stopped = f"stopped by the limit of {report.reason}"
        line = f"{begin}no solution keeps the {number} marked; {stopped}"
    colour = render.coloured()
    pictures = [("locks, marked", board.draw(marked=frozenset(marked), colour=colour).rstrip("\n"))]
    if report.solution is not None:
        title = "the solution" if report.unique else "a solution that keeps others"
        pictures.append((title, show.drawing(board, report.solution)))
    lines = [line, *show.side_by_side(pictures, render.width())]
    if report.solution is not None:
        lines += _undo(board, report)
    return lines


def _undo(board: Board, report: LockReport) -> list[str]:
    """Lock by lock what the solution has there; undoing these is enough."""
    assert report.solution is not None
    masks = masks_of(board.puzzle, report.solution)
    words = [
        f"{show.place(board, cell)} from {show.openings(board, int(board.pieces[cell]))}"
        f" to {show.openings(board, masks[cell])}"
        for cell in report.undo
    ]
    perhaps = "" if report.unique else ", though perhaps more than need be"
    return [f"turning these is enough{perhaps}: {listed(words, '; ')}"]
