"""The command line: options and help. What the commands do is in ``cli_jobs``, loaded late."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from . import __version__
from .cli_bench import bench
from .cli_options import (
    EXIT_CODES,
    Size,
    engine,
    given_here,
    json_option,
    limits,
    objective,
    options,
    puzzles,
    rules_option,
)
from .cli_report import report
from .cli_store import export_runs, import_runs
from .cli_streams import open_streams, output_trouble
from .puzzles.errors import PlumbenchError

PIPE_CLOSED = 141
"""As of a program that SIGPIPE ended: 128 + 13."""


@click.group(
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=False,
)
@click.version_option(__version__, prog_name="plumbench")
def cli() -> None:
    """Compare constraint solvers on pipe puzzles; every answer is verified.

    A puzzle P is a file, - for standard input, or a literal: a Net game ID such as
    5x5:1115337157375775157135131, rows of letters such as LIL/TIT/LIL, dominoes such as
    '0|1 1|2', or a plumber map such as '3 2/1 1/1 1/1 1'. An existing file wins over a
    literal; a file may hold many puzzles.
    """


@cli.command(epilog=EXIT_CODES)
@engine
@objective
def solve(puzzles: tuple[str, ...], **given: Any) -> int:
    """Give one verified answer to each puzzle, drawn; the best one if told what is good."""
    from . import cli_jobs

    return cli_jobs.solve(puzzles, options(given))


@cli.command(epilog=EXIT_CODES)
@engine
@click.option("--limit", type=click.IntRange(1), help="Stop at this number.")
def solutions(puzzles: tuple[str, ...], limit: int | None, **given: Any) -> int:
    """Give each distinct solution, drawn."""
    from . import cli_jobs

    return cli_jobs.solutions(puzzles, options(given), limit)


@cli.command(epilog=EXIT_CODES)
@engine
@click.option("--limit", type=click.IntRange(1), help='Stop at this number: "at least N".')
@click.option("--model", is_flag=True, help="The model's solutions: of dominoes, sets of tiles.")
def count(puzzles: tuple[str, ...], limit: int | None, model: bool, **given: Any) -> int:
    """Count the distinct solutions; of dominoes, the directed chains of all tiles."""
    from . import cli_jobs

    source = click.get_current_context().get_parameter_source("solver")
    named = source is ParameterSource.COMMANDLINE
    return cli_jobs.count(puzzles, options(given), limit, model, named)


@cli.command(epilog=EXIT_CODES)
@engine
@click.option("--show", is_flag=True, help="Everything for each puzzle, even for many.")
def unique(puzzles: tuple[str, ...], show: bool, **given: Any) -> int:
    """Say whether there is exactly one solution.

    If not: two verified answers with the differing cells marked, the cells that are the same in
    all solutions, and a cell whose locking removes the second answer. For many puzzles one line
    each, unless --show.
    """
    from . import cli_jobs

    return cli_jobs.unique(puzzles, options(given), show)


@cli.command(epilog=EXIT_CODES)
@puzzles
@click.option(
    "--solvers",
    default="propagation,sat,cpsat",
    show_default=True,
    metavar="A,B,...",
    help="Engines to compare.",
)
@click.option("--count", "counting", is_flag=True, help="Compare the numbers of solutions.")
@rules_option
@objective
@limits
@json_option
@click.option("--limit", type=click.IntRange(1), help="With --count: stop at this number.")
@click.option(
    "--evidence",
    default="results/disagreements",
    show_default=True,
    metavar="DIR",
    help="Where both sides of a disagreement are kept.",
)
def compare(
    puzzles: tuple[str, ...],
    solvers: str,
    counting: bool,
    limit: int | None,
    evidence: str,
    **given: Any,
) -> int:
    """Run several engines on each puzzle: do they agree, and what do they cost?

    Times are fair with --jobs 1; more let several engines run at once.
    """
    if limit is not None and not counting:
        raise click.UsageError("--limit needs --count")
    if counting and (given["minimise"] or given["maximise"]):
        raise click.UsageError("--count asks for numbers, not for the best: drop one of them")
    from . import cli_jobs

    names = tuple(name.strip() for name in solvers.split(","))
    return cli_jobs.compare(puzzles, options(given), names, counting, limit, evidence)


@cli.command(epilog=EXIT_CODES)
@engine
@click.option("--solution", metavar="F", help="File with the answer; - for input.")
@click.option("--locks", is_flag=True, help="Are the board's locked cells right? Needs no answer.")
def check(puzzles: tuple[str, ...], solution: str | None, locks: bool, **given: Any) -> int:
    """Verify an answer, with reasons: 0 right, 1 wrong. Or, with --locks, the locked cells.

    F holds rows of masks as JSON (up 1, right 2, down 4, left 8), what solve --json printed, a
    picture in box characters, or a Net ID of the turned board; of dominoes the chain as it is
    laid, of plumber maps a list of [row, column, orientation]. Any valid solution is right.
    Several answers belong to the puzzles in order.

    --locks says whether some solution keeps all locked cells; if not, which of them are wrong
    (where there is only one solution), or a least set of them that no solution keeps.
    --solver and the limits belong to --locks.
    """
    if (solution is not None) is locks:
        raise click.UsageError("check: expected either --solution or --locks")
    if name := given_here("jobs"):
        raise click.UsageError(f"--{name} does not belong to check")
    if solution is None:
        from . import cli_locks

        return cli_locks.check_locks(puzzles, options(given))
    if name := given_here("solver", "time_limit", "node_limit"):
        raise click.UsageError(f"--{name} belongs to --locks")
    from . import cli_jobs

    return cli_jobs.check(puzzles, options(given), solution)


@cli.command(epilog=EXIT_CODES)
@engine
@click.option("--edges", "listed", is_flag=True, help='P are edge lists: lines of two names "u v".')
@click.option("--directed", is_flag=True, help="Edges lead from u to v; means --edges.")
@click.option("--solution", metavar="F", help="Use this solution of the board; see check.")
@click.option("--start", metavar="V", help="Start there: a name, or ROW,COLUMN from 1.")
def euler(
    puzzles: tuple[str, ...],
    listed: bool,
    directed: bool,
    solution: str | None,
    start: str | None,
    **given: Any,
) -> int:
    """Walk every edge exactly once: circuit, path, or why neither.

    Of a board the edges are the joints between its pieces; it is solved first, unless --solution
    gives its pieces' turns. Exit code 0: there is a trail, 1: proved that there is none.
    """
    edges = listed or directed
    boards_only = ("solution", "rules", "solver", "time_limit", "node_limit", "jobs")
    if edges and (name := given_here(*boards_only)):
        raise click.UsageError(f"--{name} belongs to boards, not to edge lists")
    from . import cli_euler

    if edges:
        return cli_euler.edge_lists(puzzles, options(given), directed, start)
    return cli_euler.boards(puzzles, options(given), solution, start)


@cli.command(epilog=EXIT_CODES)
@puzzles
@click.option(
    "--to",
    required=True,
    metavar="FORMAT",
    help="text, json, net-id, number-map, dominoes or dimacs.",
)
@click.option("-o", "--output", metavar="FILE", help="Write there; else to standard output.")
@rules_option
def convert(puzzles: tuple[str, ...], to: str, output: str | None, **given: Any) -> int:
    """Write puzzles in another format; losing anything (locks, walls, rules) is an error."""
    from . import cli_jobs

    return cli_jobs.convert(puzzles, options(given), to, output)


GENERATE = """Make boards from a seed.

\b
KIND is
  net, dfs, kruskal      pieces of a random spanning tree (rule: tree)
  cycles, faces          pieces of a union of cycles or of faces
  dense                  a spanning tree and more edges
  partial                part of the grid in use, with blanks, ends and tees
  near-miss, random      mostly unsolvable: two pieces swapped, or random pieces
  mut, ec, elbow-torus   hard families
  java                   the boards of article 000, bit for bit
  flow                   flow boards of article 001 with a planted layout
  path                   plumber maps of article 004 with a planted path
  dominoes               sets of article 003; the size is PIPSxTILES

Of -n boards each comes from a seed one up, or more where candidates were dropped (java: from
one stream). The same arguments give the same boards on every machine.
"""


@cli.command(epilog=EXIT_CODES, help=GENERATE)
@click.argument("kind")
@click.option("--size", type=Size(), help="Columns x rows, such as 8x5.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("-n", "number", type=click.IntRange(1), default=1, help="How many; none twice.")
@click.option("--wrap/--no-wrap", default=None, help="On a torus or not; else as is usual.")
@click.option("--unique", is_flag=True, help="Only boards proved to have one solution.")
@click.option("--max-solutions", type=click.IntRange(1), help="Only boards with 1 to K.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="See --settings.")
@click.option("--settings", "ask", is_flag=True, help="Print what --set takes, and its defaults.")
@click.option(
    "--to",
    default="text",
    show_default=True,
    metavar="FORMAT",
    help="text, json, net-id, number-map, dominoes, dimacs.",
)
@click.option("-o", "--output", metavar="FILE", help="Write there; else to standard output.")
@click.option("--tries", type=click.IntRange(1), default=2000, show_default=True,
              help="Candidates in a row that may fail.")  # fmt: skip
@click.option("--solver", default="propagation", show_default=True, help="Judges --unique.")
@rules_option
@limits
def generate(**given: Any) -> int:
    """Make boards."""
    from . import cli_jobs

    return cli_jobs.generate(given, options(given))


cli.add_command(bench)


@cli.command(epilog=EXIT_CODES)
@click.argument("name")
@click.option("--quick", is_flag=True, help="A smaller sample.")
@click.option("--out", metavar="DIR", help="Write Markdown, CSV and figures there.")
@click.option("--figures", metavar="DIR", help="Write the figures there instead.")
@click.option("--format", "formats", multiple=True, help="svg, png or pdf; may be repeated.")
def experiment(**given: Any) -> int:
    """Reproduce a table of the articles: claim beside measurement.

    NAME is counts, correlation, assembly, rings, scaling, flow, dominoes, paths or ablation; all
    is all of them, with one page in --out.
    """
    from . import cli_jobs

    return cli_jobs.experiment(**given)


@cli.command(epilog=EXIT_CODES)
@click.option(
    "--instances",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Generated instances of each family.",
)
def matrix(instances: int) -> int:
    """Try every engine at every job of every family, against brute force.

    A cell says how many instances were right; - is a job that the engine cannot do.
    """
    from . import cli_jobs

    return cli_jobs.matrix(instances)


@cli.command(epilog=EXIT_CODES)
@click.option("--counters", is_flag=True, help="What each engine's statistics mean, too.")
@json_option
def solvers(as_json: bool, counters: bool) -> int:
    """List the engines: versions, what they can do, what is missing and why."""
    from . import cli_jobs

    return cli_jobs.solvers(as_json, counters)


@cli.command(epilog=EXIT_CODES)
@json_option
def doctor(as_json: bool) -> int:
    """Check this installation: 0 all is well, 1 something does not work."""
    from . import cli_jobs

    return cli_jobs.doctor(as_json)


cli.add_command(report)
cli.add_command(export_runs)
cli.add_command(import_runs)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code; every error is one line, never a traceback."""
    try:
        try:
            # Not cli.main: that would print on Ctrl-C and make a closed pipe exit 1.
            given = sys.argv[1:] if arguments is None else list(arguments)
            with cli.make_context("plumbench", given) as context:
                code = cli.invoke(context)
            sys.stdout.flush()
            return code if isinstance(code, int) else 0
        except (BrokenPipeError, KeyboardInterrupt):
            raise
        except click.exceptions.Exit as done:
            sys.stdout.flush()
            return done.exit_code
        except click.ClickException as error:
            return complain(f"{error.format_message().rstrip('.')} (see plumbench --help)", 2)
        except PlumbenchError as error:
            return complain(error, error.exit_code)
        except Exception as error:
            if os.environ.get("PLUMBENCH_DEBUG"):
                traceback.print_exc()
            if (trouble := output_trouble(error)) is not None:
                return complain(trouble, 2)
            return complain(f"internal error: {type(error).__name__}: {error}", 70)
    except BrokenPipeError:
        # Whoever read our output has gone; a later flush must not complain either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return complain("interrupted", 130)


def complain(error: object, code: int) -> int:
    """One line on standard error; gives the exit code back."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    click.echo("plumbench: " + " ".join(str(error).split()), err=True)
    return code


def main() -> None:
    """The program."""
    open_streams()
    sys.exit(run())
