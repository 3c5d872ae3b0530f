"""The command ``report``: what a store holds, as a page, as Markdown, as figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .cli_options import EXIT_CODES

if TYPE_CHECKING:
    from .benchmarks.report import Content


@click.command(epilog=EXIT_CODES)
@click.argument("stores", nargs=-1, required=True, metavar="STORE [OTHER]")
@click.option("-o", "--out", metavar="DIR", help="Write index.html and report.md there.")
@click.option("--figures", metavar="DIR", help="Write each figure there as a file of its own.")
@click.option("--format", "formats", multiple=True, help="svg, png or pdf; may be repeated.")
@click.option("--campaign", "campaigns", type=click.IntRange(1), multiple=True, metavar="N",
              help="Not the last one of the store; twice to compare two.")  # fmt: skip
def report(
    stores: tuple[str, ...],
    out: str | None,
    figures: str | None,
    formats: tuple[str, ...],
    campaigns: tuple[int, ...],
) -> int:
    """Report a campaign: who agrees, what each engine solved, at what price.

    The last campaign of STORE, every answer checked again. With OTHER, or with --campaign twice:
    what changed from the first to the second beyond noise. Stores are only read. Exit code 4 if
    engines disagree.
    """
    if formats and figures is None:
        raise click.UsageError("--format needs --figures")
    for what, found in (("stores", stores), ("campaigns", campaigns)):
        if len(found) > 2:
            raise click.UsageError(f"found {len(found)} {what}, expected one or two")
    if len(stores) == 1 and len(campaigns) < 2:
        return _report(stores[0], out, figures, formats, *campaigns)
    if len(campaigns) == 1:
        raise click.UsageError("found one --campaign, expected two: one for each store")
    if figures is not None:
        raise click.UsageError("--figures belongs to the report of one campaign")
    return _compare(stores, campaigns or (None, None), out)


def _load(path: str, campaign: int | None) -> Content:
    from .benchmarks.campaign.store import Store
    from .benchmarks.report import load

    with Store(path, create=False) as store:
        return load(store, campaign)


def _report(
    path: str,
    out: str | None,
    figures: str | None,
    formats: tuple[str, ...],
    campaign: int | None = None,
) -> int:
    from .benchmarks import report as reports
    from .benchmarks.report.canvas import check_formats

    check_formats(formats)
    content = _load(path, campaign)
    click.echo(reports.console(content))
    click.echo()
    if figures is not None:
        for file in reports.figures(content, Path(figures), formats or ("svg",)):
            click.echo(f"figure: {file}")
    if out is not None:
        click.echo(f"report: {reports.write(content, Path(out))}")
    return 0 if content.agreed else 4


def _compare(stores: tuple[str, ...], campaigns: tuple[int | None, ...], out: str | None) -> int:
    from .benchmarks.report import compare

    before, after = _load(stores[0], campaigns[0]), _load(stores[-1], campaigns[1])
    found = compare(before, after)
    click.echo(found.console())
    if out is not None:
        click.echo(f"\nreport: {found.write(Path(out))}")
    return 0 if found.agreed else 4
