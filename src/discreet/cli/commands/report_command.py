"""`discreet report`: a release as people send it, a page or a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import click

from discreet.cli.bars import progress_options, watching
from discreet.cli.existing import Existing
from discreet.cli.shared import Command, emit, json_option


@click.command(cls=Command)
@click.argument("source", metavar="RELEASE", type=Existing())
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="A page (.html) or a workbook (.xlsx). Unless said: RELEASE-report.html, in the current "
    "folder.",
)
@click.option("--title", help="What stands above it; what was counted, unless said.")
@click.option("--publisher", metavar="NAME", help="Who publishes the release, for its citation.")
@click.option(
    "--confidence", default="0.95", show_default=True, metavar="NUMBER", help="Of the intervals."
)
@click.option(
    "--change-from",
    "earlier",
    type=Existing(),
    help="An earlier release: adds what changed since then.",
)
@click.option("--overwrite", is_flag=True, help="Replace an existing file.")
@progress_options
@json_option
def report_command(
    source: str,
    output: str | None,
    title: str | None,
    publisher: str | None,
    confidence: str,
    earlier: str | None,
    overwrite: bool,
    progress: str,
    as_json: bool,
) -> None:
    """Write a report on a release, from the published files alone.

    \b
    discreet report published
    discreet report published -o report.html
    discreet report published -o report.xlsx --title "Smoking, June"
    discreet report published --publisher "City of Example"
    discreet report june -o june.html --change-from may
    """
    from discreet.reporting import report

    output = output or f"{Path(source).resolve().name}-report.html"
    with watching(progress) as watch:
        found = report(
            source,
            output,
            title=title,
            publisher=publisher,
            confidence=confidence,
            overwrite=overwrite,
            earlier=earlier,
            progress=watch,
        )
    facts = {
        "report": output,
        "release": found.findings.manifest.release,
        "title": found.findings.title,
        "methods": found.methods,
        "citation": found.citation,
    }
    path = Path(output).resolve()
    opens = "a spreadsheet program" if path.suffix == ".xlsx" else "a browser"
    text = (
        f"report: {path}\ntitle: {found.findings.title}\nopen it in {opens}; this one file "
        "is all there is to send on"
    )
    emit(facts, as_json=as_json, text=text)
