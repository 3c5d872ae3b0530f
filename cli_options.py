"""Options and arguments that commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from .benchmarks.units import grid, memory, span

if TYPE_CHECKING:
    from .cli_items import Options

EXIT_CODES = """
\b
Exit codes: 0 answered (or unique) · 1 proved unsolvable · 2 bad usage or input, or
a job the engine cannot do · 3 unknown (a limit) · 4 solvers disagree or a wrong
answer · 5 ambiguous · 70 internal error · 130 interrupted. Of many puzzles, the
first of 130, 70, 4, 2, 3, 5, 1, 0 that occurred.
"""


class Seconds(click.ParamType):
    """A span of time: ``10s``, ``500ms``, ``2m``, ``3``."""

    name = "time"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """The seconds; fails for anything that is not a positive span."""
        if isinstance(value, float):
            return value
        try:
            return span(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Bytes(click.ParamType):
    """A size of memory: ``500MB``, ``2GiB``."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """The bytes; fails for anything that is not a positive size with its unit."""
        if isinstance(value, int):
            return value
        try:
            return memory(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Size(click.ParamType):
    """Columns by rows: ``8x5``, or ``8`` for a square."""

    name = "WxH"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        """(width, height); fails for anything else."""
        if isinstance(value, tuple):
            return value
        try:
            return grid(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


Command = Callable[..., Any]


def puzzles(command: Command) -> Command:
    """The puzzles to work on."""
    return click.argument("puzzles", nargs=-1, required=True, metavar="P...")(command)


def rules_option(command: Command) -> Command:
    """The rule to use instead of the file's."""
    return click.option(
        "--rules",
        metavar="R",
        help="Boards: match, connected, tree. Flow: reach, article, sealed, strict. Dominoes: "
        "chain, closed, subchain, subclosed. Else what the file says.",
    )(command)


def json_option(command: Command) -> Command:
    """JSON lines instead of text."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")(
        command
    )


def limits(command: Command) -> Command:
    """Limits of one puzzle, and how many at once."""
    for option in (
        click.option(
            "--jobs", default=1, type=click.IntRange(1, 1024), help="Puzzles at the same time."
        ),
        click.option("--node-limit", type=click.IntRange(1), help="Limit of the engine's nodes."),
        click.option(
            "--time-limit", type=Seconds(), help="Limit per puzzle and engine: 10s, 500ms, 2m."
        ),
    ):
        command = option(command)
    return command


def objective(command: Command) -> Command:
    """What is to be optimised."""
    for option in (
        click.option(
            "--turns",
            type=click.Choice(["clockwise", "anticlockwise", "both"]),
            help="With --minimise rotations: the ways to turn; else what the file says.",
        ),
        click.option("--maximise", metavar="WHAT", help="The solution with the most WHAT."),
        click.option(
            "--minimise",
            metavar="WHAT",
            help="The solution with the least WHAT: rotations, length, weight, cost.",
        ),
    ):
        command = option(command)
    return command


def engine(command: Command) -> Command:
    """Everything a command takes that runs one engine."""
    command = json_option(limits(rules_option(command)))
    solver = click.option(
        "--solver",
        default="propagation",
        show_default=True,
        metavar="S",
        help="An engine, see: plumbench solvers.",
    )
    return puzzles(solver(command))


def given_here(*names: str) -> str | None:
    """The first of these options that the command line itself names, as it is written there."""
    source = click.get_current_context().get_parameter_source
    found = (name for name in names if source(name) is ParameterSource.COMMANDLINE)
    return next((name.replace("_", "-") for name in found), None)


def options(given: dict[str, Any]) -> Options:
    """The common options among those given, which are taken out."""
    from .cli_items import Options
    from .puzzles.instance import Objective
    from .puzzles.turns import PERMISSIONS

    least, most = given.pop("minimise", None), given.pop("maximise", None)
    if least is not None and most is not None:
        raise click.UsageError("--minimise and --maximise: expected one of them")
    what, turns = most if least is None else least, given.pop("turns", None)
    if turns and what is None:
        raise click.UsageError("--turns needs --minimise rotations")
    return Options(
        turns=PERMISSIONS[turns] if turns else None,
        objective=Objective(what, least is None) if what is not None else None,
        solver=given.pop("solver", "propagation"),
        rules=given.pop("rules", None),
        seconds=given.pop("time_limit", None),
        nodes=given.pop("node_limit", None),
        workers=given.pop("jobs", 1),
        json=given.pop("as_json", False),
    )
