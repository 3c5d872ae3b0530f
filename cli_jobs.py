"""What each command does: read puzzles, give jobs to child processes, print in input order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from itertools import count as count_from
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from . import cli_render as render
from .benchmarks.judging.agreement import Comparison
from .benchmarks.processes.jobs import Job, Result, Task
from .benchmarks.progress import Progress
from .cli_items import Options, Printer, complain, items, peek
from .cli_render import Item, Output, Style
from .puzzles.check import Report
from .puzzles.errors import InputError, MissingBackend, PlumbenchError, UsageError
from .puzzles.instance import Instance
from .puzzles.model import Solution


def run_jobs(
    arguments: Sequence[str],
    options: Options,
    task: Callable[[Style], tuple[Task, int | None]],
    shown: Callable[[Item, Style, Result], Output],
    *,
    pictures: bool | None = None,
    early: Callable[[Item, Style, Solution, int], str] | None = None,
    direct: Callable[[Item, Style], Output | None] | None = None,
) -> int:
    """Give every puzzle to the engine in a child process and print what comes back.

    ``task`` names the job and its limit once it is known whether there are many puzzles.
    ``direct`` is what to print of a puzzle that needs no engine, None if it does.
    ``early`` says what to print of each solution the moment it is found, where one puzzle runs
    at a time; what was printed so is not in the result any more.
    """
    from .benchmarks.processes.runner import run_many
    from .benchmarks.selection import ended

    check_solver(options.solver)
    many, puzzles = peek(items(arguments, options.rules, options.objective, options.turns))
    style = Style(
        json=options.json,
        many=many,
        pictures=pictures is True or (pictures is None and not many),
        solver=options.solver,
    )
    name, limit = task(style)
    printer = Printer()
    asked: dict[int, tuple[int, Item]] = {}
    numbers = count_from()

    def jobs() -> Iterator[Job]:
        for index, item in enumerate(puzzles):
            if item.error is not None or item.instance is None:
                printer.add(index, render.failed(item, style))
                continue
            output = None if direct is None else direct(item, style)
            if output is not None:
                printer.add(index, output)
                continue
            asked[next(numbers)] = (index, item)
            yield Job(
                item.instance.puzzle, options.solver, name, limit, options.seconds, options.nodes
            )

    def found(number: int, solution: Solution, nth: int) -> None:
        if early is not None:
            printer.early(early(asked[number][1], style, solution, nth))

    streams = early is not None and options.workers == 1 and not options.json
    on_found = found if streams else None
    with printer, ended(run_many(jobs(), options.workers, on_found=on_found)) as results:
        for number, result in results:
            index, item = asked.pop(number)
            output = render.troubled(item, style, result) or shown(item, style, result)
            printer.add(index, output)
    return printer.code


def check_solver(name: str) -> None:
    """Raises UsageError early; a plain name costs no import. What is not installed the child says,
    for each puzzle.
    """
    from .solvers.registry import get, parse

    variant = parse(name)
    if variant.options or variant.borrowed:
        with suppress(MissingBackend):
            get(variant)


def solve(arguments: Sequence[str], options: Options) -> int:
    """``solve``: one verified answer each, the best if there is an objective, always drawn."""
    task: Task = "solve" if options.objective is None else "optimise"
    return run_jobs(arguments, options, lambda _: (task, None), render.solved, pictures=True)


def solutions(arguments: Sequence[str], options: Options, limit: int | None) -> int:
    """``solutions``: every distinct one, up to a limit."""
    return run_jobs(
        arguments,
        options,
        lambda _: ("solutions", limit),
        render.listed,
        pictures=True,
        early=render.nth,
    )


def count(
    arguments: Sequence[str],
    options: Options,
    limit: int | None,
    model: bool = False,
    solver_given: bool = False,
) -> int:
    """``count``: how many there are, exact or at least ``limit``; what the family counts itself,
    or else (with ``model``: always) the solutions of the model.
    """
    from .cli_family import counted

    def direct(item: Item, style: Style) -> Output | None:
        return None if model else counted(item, style, options.seconds, limit, solver_given)

    return run_jobs(arguments, options, lambda _: ("count", limit), render.counted, direct=direct)


def unique(arguments: Sequence[str], options: Options, show: bool) -> int:
    """``unique``: a file of many puzzles gives a line each, one puzzle everything."""

    def task(style: Style) -> tuple[Task, int | None]:
        return ("unique", None) if style.json or style.pictures else ("solutions", 2)

    return run_jobs(arguments, options, task, render.judged, pictures=show or None)


def compare(
    arguments: Sequence[str],
    options: Options,
    solvers: Sequence[str],
    counting: bool,
    limit: int | None,
    evidence: str,
) -> int:
    """``compare``: several engines on each puzzle, judged; disagreements are kept."""
    from .benchmarks.judging.agreement import compare as judge

    for solver in solvers:
        check_solver(solver)
    many, puzzles = peek(items(arguments, options.rules, options.objective, options.turns))
    style = Style(json=options.json, many=many)
    with Printer() as printer:
        for index, item in enumerate(puzzles):
            if item.error is not None or item.instance is None:
                printer.add(index, render.failed(item, style))
                continue
            found = judge(
                item.instance, solvers, count=counting, optimise=options.objective is not None,
                limit=limit, seconds=options.seconds, nodes=options.nodes, jobs=options.workers,
            )  # fmt: skip
            kept = "" if found.judgement.agreed else _keep(evidence, item.instance, found)
            printer.add(index, render.compared(item, style, found, kept))
        if many and not options.json:
            click.echo(f"{printer.turn} puzzles: {render.summary(printer.codes)}")
        return printer.code


def _keep(folder: str, instance: Instance, found: Comparison) -> str:
    """Keep both sides; a folder that cannot be written must not hide the disagreement."""
    progress = Progress()
    try:
        return f"both sides kept in {found.keep(folder, instance, progress.say)}"
    except OSError as error:
        return f"not kept in {folder}: {error.strerror}"
    finally:
        progress.clear()


def check(arguments: Sequence[str], options: Options, solution: str) -> int:
    """``check``: judge given answers."""
    return run_answers(arguments, options, solution, render.checked)


def run_answers(
    arguments: Sequence[str],
    options: Options,
    solution: str,
    shown: Callable[[Item, Style, Solution, Report], Output],
) -> int:
    """Judge given answers, which belong to the puzzles in order, and print what is ``shown``."""
    from .puzzles.answers import read_answers

    if solution == "-" and "-" in arguments:
        raise UsageError("--solution -: the puzzles are read from standard input already")
    given = read_answers(solution)
    many, puzzles = peek(items(arguments, options.rules))
    style = Style(json=options.json, many=many)
    missing = object()
    if not many and len(given) != 1:
        raise UsageError(f"{solution}: found {len(given)} answers, expected one for the puzzle")
    with Printer() as printer:
        for item, answer in zip_longest(puzzles, given, fillvalue=missing):
            if not isinstance(item, Item) or answer is missing:
                raise UsageError(
                    f"{solution}: found {len(given)} answers, expected one for each puzzle"
                )
            printer.show(_answered(item, style, answer, solution, shown))
        return printer.code


def _answered(
    item: Item,
    style: Style,
    answer: object,
    file: str,
    shown: Callable[[Item, Style, Solution, Report], Output],
) -> Output:
    from .puzzles.answers import fit

    if item.error is not None or item.instance is None:
        return render.failed(item, style)
    try:
        solution, report = fit(item.instance, answer)
    except InputError as error:
        error.file = error.file or file
        return render.failed(replace(item, error=error), style)
    except PlumbenchError as error:
        return render.failed(replace(item, error=error), style)
    return shown(item, style, solution, report)


def convert(arguments: Sequence[str], options: Options, to: str, out: str | None) -> int:
    """``convert``: every puzzle in another format; what cannot be said there is an error."""
    from .benchmarks.output import Writer, open_output

    many, puzzles = peek(items(arguments, options.rules))
    if to == "dimacs" and many:
        raise UsageError("dimacs: one formula to a file, found several puzzles")
    with Printer() as printer, open_output(out) as target:
        writer = Writer(to, target)
        for item in puzzles:
            try:
                if item.error is not None or item.instance is None:
                    raise item.error or UsageError("no puzzle")
                writer.write(item.instance)
            except PlumbenchError as error:
                printer.show(render.failed(replace(item, error=error), Style()))
            else:
                printer.codes.add(render.ANSWERED)
        return printer.code


def generate(given: dict[str, Any], options: Options) -> int:
    """``generate``: boards as they are found."""
    from .benchmarks.output import Writer, open_output
    from .benchmarks.selection import Wish, ended, read_settings, select, settings_text

    if given["ask"]:
        click.echo(settings_text(given["kind"]))
        return render.ANSWERED
    settings = read_settings(given["kind"], given["settings"])
    if given["size"] is None:
        raise UsageError("missing option --size, such as --size 8x5")
    most = 1 if given["unique"] else given["max_solutions"]
    if given["unique"] and given["max_solutions"]:
        raise UsageError("--unique is --max-solutions 1: give one of them")
    wish = Wish(
        given["kind"],
        *given["size"],
        seed=given["seed"],
        number=given["number"],
        wrap=given["wrap"],
        rules=options.rules,
        settings=settings,
        max_solutions=most,
        solver=options.solver,
        seconds=options.seconds,
        nodes=options.nodes,
        tries=given["tries"],
        workers=options.workers,
    )
    check_solver(options.solver)
    progress = Progress()
    boards = select(wish)
    with open_output(given["output"]) as target, ended(boards):
        writer = Writer(given["to"], target)
        for board in boards:
            progress.clear()
            writer.write(board)
            progress.say(f"{writer.written} of {wish.number} boards")
    progress.clear()
    return render.ANSWERED


def experiment(
    name: str, quick: bool, out: str | None, figures: str | None, formats: tuple[str, ...]
) -> int:
    """``experiment``: a table of the articles, claim beside measurement."""
    from .benchmarks.experiments import run

    progress = Progress()
    text = run(
        name,
        quick=quick,
        out=Path(out) if out else None,
        figures=Path(figures) if figures else None,
        formats=formats or ("svg", "png"),
        progress=progress.say,
    )
    progress.clear()
    click.echo(text.rstrip("\n"))
    return render.ANSWERED


def matrix(instances: int) -> int:
    """``matrix``: 4 if an engine's answer differs from brute force."""
    from .benchmarks.matrix import matrix as try_all

    progress = Progress()
    found = try_all(instances=instances, progress=progress.say)
    progress.clear()
    click.echo(found)
    for line in found.wrong:
        complain(line)
    return render.DISAGREE if found.wrong else render.ANSWERED


def solvers(as_json: bool, counters: bool) -> int:
    """``solvers``: the engines and what they can do."""
    from .benchmarks.doctor import counters_text, engine_table, engines

    found = list(engines())
    if as_json:
        for info in found:
            click.echo(json.dumps(info.record(), ensure_ascii=False))
    else:
        click.echo(engine_table(found))
        if counters:
            click.echo("\n" + counters_text(found))
    return render.ANSWERED


def doctor(as_json: bool) -> int:
    """``doctor``: 0 if everything that must work does."""
    from .benchmarks.doctor import findings

    code = render.ANSWERED
    for finding in findings():
        click.echo(json.dumps(asdict(finding)) if as_json else str(finding))
        if finding.ok is False:
            code = render.UNSOLVABLE
    return code
