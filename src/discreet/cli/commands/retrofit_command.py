"""`discreet retrofit`: numbers that GM released become fair, or weakly honest, without new
budget.
"""

from __future__ import annotations

from pathlib import Path

import click

from discreet.cli.codes import explained
from discreet.cli.existing import Existing, OneOf
from discreet.cli.shared import Command, emit, json_option
from discreet.tables.published.manifest import FORMATS


@click.command(cls=Command, aliases={"what": ("path",)})
@click.argument("path", type=Existing())
@click.option(
    "--properties",
    "-p",
    multiple=True,
    callback=lambda *given: " ".join(given[-1]),
    default=["F"],
    show_default=True,
    metavar="SHAPE",
    help="What the new numbers are to have.",
)
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(),
    help="The new bundle, or the new proof file.",
)
@click.option(
    "--format", type=OneOf(FORMATS), help="Of the new table; that of the old one unless said."
)
@click.option("--overwrite", is_flag=True, help="Replace a release that is there.")
@json_option
def retrofit_command(
    path: str, properties: str, output: str, format: str | None, overwrite: bool, as_json: bool
) -> None:
    """Map numbers that GM released to fair ones by an exact random map; nothing is spent.

    PATH is a released bundle, or GM's proof file: then the proof of the new mechanism is written,
    with its map. The new numbers are fair by themselves, not together with the old ones, and both
    are one piece of evidence.

    \b
    discreet retrofit published -o fair
    discreet retrofit published --properties WH -o honest
    discreet retrofit gm.json -o fair.json
    """
    import discreet as dc

    if Path(path).is_dir():
        new = dc.retrofit(path, properties).save(output, format=format, overwrite=overwrite)
        emit(new, as_json=as_json, text=None if as_json else f"{new}\n{explained(properties)}")
        return
    made = dc.retrofit(dc.load(path), properties)
    made.mechanism.save(output)
    from discreet.cli.json_values import describe

    facts = describe(made.mechanism) if as_json else made
    emit(facts, as_json=as_json, text=f"{made}\n\n{made.mechanism}\n\nproof file: {output}")
