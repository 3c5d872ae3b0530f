"""The commands that carry runs out of a store and into one: ``export`` and ``import``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click

from .cli_options import EXIT_CODES
from .puzzles.errors import InputError, UsageError


@click.command("export", epilog=EXIT_CODES)
@click.argument("store")
@click.option("-o", "--out", metavar="FILE", help="Write there, not to standard output.")
@click.option("--campaign", type=click.IntRange(1), metavar="N", help="The runs of one campaign.")
def export_runs(store: str, out: str | None, campaign: int | None) -> int:
    """Write the runs of a store as CSV: one line each, under one line of names.

    A run that cannot be read is named on standard error and left out (exit code 2).
    """
    from .benchmarks.campaign.store import BadRow, Store
    from .benchmarks.campaign.transfer import export

    bad: list[BadRow] = []
    with Store(store, create=False) as database:
        if campaign is not None:
            database.campaign(campaign)
        with _binary(out, store) as target:
            for line in export(database, campaign, bad):
                target.write(line)
    for row in bad:
        _say(f"{store}: run {row.id} is left out: {row.why}")
    return 2 if bad else 0


@click.command("import", epilog=EXIT_CODES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--store", required=True, metavar="F", help="The store; made if it is not there.")
def import_runs(files: tuple[str, ...], store: str) -> int:
    """Read runs that were exported; - is standard input.

    Runs that the store has already are not doubled. A line that cannot be read is named on
    standard error, and the rest is imported (exit code 2).
    """
    from .benchmarks.campaign.store import Store
    from .benchmarks.campaign.transfer import insert, parse

    code = 0
    parsed = []
    for file in files:
        try:
            parsed.append(parse(_content(file), file, _say))
        except InputError as error:
            _say(error)
            code = 2
    if not parsed:
        return code
    with Store(store) as database:
        for content in parsed:
            done = insert(database, content, _say)
            code = 2 if done.bad else code
            said = f"{done.new} imported, {done.known} already there, {done.bad} refused"
            click.echo(f"{content.file}: {said}")
    return code


@contextmanager
def _binary(path: str | None, store: str) -> Iterator[BinaryIO]:
    """A file to write bytes to, or standard output."""
    if path is None or path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if os.path.exists(path) and os.path.samefile(path, store):
        raise UsageError(f"output {path}: that is the store itself")
    try:
        target = open(path, "wb")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise InputError(str(error.strerror), "a file that can be written", file=path) from error
    with target:
        yield target


def _content(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        with open(file, "rb") as source:
            return source.read()
    except OSError as error:
        raise InputError(str(error.strerror), "a file that can be read", file=file) from error


def _say(what: object) -> None:
    click.echo("plumbench: " + " ".join(str(what).split()), err=True)
