"""The command ``report``: what a store holds, as a page, as Markdown, as figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .cli_options import EXIT_CODES

if TYPE_CHECKING:
    from .benchmarks.report import Content


@click.command(epilog=EXIT_CODES)
@click.argument("store")
@click.option("-o", "--out", metavar="DIR", help="Write index.html and report.md there.")
@click.option("--figures", metavar="DIR", help="Write each figure there as a file of its own.")
@click.option("--format", "formats", multiple=True, help="svg, png or pdf; may be repeated.")
@click.option("--campaign", type=click.IntRange(1), metavar="N", help="Not the last one.")
def report(
    store: str,
    out: str | None,
    figures: str | None,
    formats: tuple[str, ...],
    campaign: int | None,
) -> int:
    """Report a campaign: who agrees, what each engine solved, at what price.

    The last campaign of STORE, every answer checked again. The store is only read. Exit code 4
    if engines disagree.
    """
    if formats and figures is None:
        raise click.UsageError("--format needs --figures")
    return _report(store, out, figures, formats, campaign)


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
    campaign: int | None,
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
