"""The command ``bench``: its options, and what they change of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .cli_options import EXIT_CODES, Bytes, Seconds

if TYPE_CHECKING:
    from .benchmarks.campaign.suites import Suite


@click.command(epilog=EXIT_CODES)
@click.argument("suite", default="default")
@click.option("--list", "listing", is_flag=True, help="List the suites and what they hold.")
@click.option("--store", metavar="F", help="SQLite file of the runs; else results/bench.sqlite.")
@click.option("--resume", is_flag=True, help="Keep the runs that the store holds.")
@click.option("--jobs", type=click.IntRange(1, 1024),
              help="Runs at the same time; else one per physical core.")  # fmt: skip
@click.option("--dask", metavar="ADDRESS", help="Run on this dask cluster: tcp://host:8786.")
@click.option("--time-limit", type=Seconds(), help="Wall time of each run, not the suite's.")
@click.option("--cpu-limit", type=Seconds(), help="Processor time of each run.")
@click.option("--memory-limit", type=Bytes(), help="Resident memory of each run: 500MB, 2GB.")
@click.option("--repeats", type=click.IntRange(1, 10_000), help="How often each is asked.")
@click.option("--budget", type=Seconds(), help="Start no run after so long: 10m.")
@click.option("--skip-bad", is_flag=True, help="Leave out puzzles that cannot be read.")
def bench(**given: Any) -> int:
    """Run engines on a suite of puzzles, compare them, write a report.

    SUITE is one of those that come along (see --list; without any: default, ten minutes), a TOML
    file, or a puzzle file or folder. The last line of the output is the path of the report.
    """
    from .benchmarks.campaign.suites import find_suite, shipped

    if given["listing"]:
        from .benchmarks.campaign.listing import listing

        click.echo(listing(shipped()))
        return 0
    from .benchmarks.campaign.bench import run_bench

    store = given["store"]
    return run_bench(
        changed(find_suite(given["suite"]), given),
        None if store is None else Path(store),
        **{name: given[name] for name in ("resume", "jobs", "dask", "skip_bad")},
    )


def changed(suite: Suite, given: dict[str, Any]) -> Suite:
    """The suite with what the command line says instead."""
    import msgspec

    from .benchmarks.campaign import suites

    named = {
        "wall": given["time_limit"], "cpu": given["cpu_limit"], "memory": given["memory_limit"],
    }  # fmt: skip
    kinds = {"wall": suites.Seconds, "cpu": suites.Seconds, "memory": suites.Bytes}
    limits = {name: kinds[name](value) for name, value in named.items() if value is not None}
    whole: dict[str, Any] = {"limits": msgspec.structs.replace(suite.limits, **limits)}
    if given["repeats"] is not None:
        whole["repeats"] = given["repeats"]
    if given["budget"] is not None:
        whole["budget"] = suites.Seconds(given["budget"])
    return msgspec.structs.replace(suite, **whole)
