"""What `discreet estimate` writes besides what it prints: the table to quote as CSV, and a
figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from discreet.cli.shared import say
from discreet.errors import InvalidFile, InvalidInput
from discreet.proof.files import check_new
from discreet.show.text import folded

if TYPE_CHECKING:
    from discreet.reading.parts.number_table import NumberTable

F = TypeVar("F", bound=Callable[..., Any])

_FILE = click.Path(dir_okay=False)
TO_QUOTE = "to quote"


def file_options(command: F) -> F:
    """Add the options for files."""
    for option in (
        click.option("--overwrite", is_flag=True, help="Replace existing files."),
        click.option(
            "--escape-formulas",
            is_flag=True,
            help="In the CSV, keys that a spreadsheet would run get a leading '.",
        ),
        click.option(
            "--byte-order-mark",
            is_flag=True,
            help="Begin the CSV with the mark by which Excel knows UTF-8.",
        ),
        click.option(
            "--plot",
            type=_FILE,
            help="Draw totals, and groups or how they differ, or the numbers of --by: .png, .svg, "
            ".pdf or .html.",
        ),
        click.option(
            "--csv",
            type=_FILE,
            help="Write the table to quote here (with --by, of sums); or that of --change-from or "
            "--adding-up.",
        ),
    ):
        command = option(command)
    return command


def check_files(given: Mapping[str, Any]) -> None:
    """Refuse what cannot be written before anything is read."""
    for option, what in (("csv", "is the table to quote"), ("plot", "draws the estimates")):
        if given[option]:
            for name in ("earlier", "adding_up", "scores") if option == "plot" else ("scores",):
                if given[name]:
                    raise InvalidInput(option, f"{what}; leave out `{name}`, or it")
            check_new(given[option], overwrite=given["overwrite"], parameter=option)
            if not Path(given[option]).parent.is_dir():  # before the other file is written
                raise InvalidFile(option, "must name a file in a folder that exists", given[option])
    if given["plot"]:
        from discreet.show.pictures.theme import check_kind

        check_kind(given["plot"], "plot")
    if given["csv"]:
        return
    for name in ("byte_order_mark", "escape_formulas"):
        if given[name]:
            raise InvalidInput(name, "is for a CSV file", remedy="give `csv` too")


def write_files(found: Any, by: Sequence[str], given: Mapping[str, Any]) -> None:
    """Write the files that were asked for, and say so beside the output."""
    if given["csv"]:
        if by and hasattr(found, "cap"):
            raise InvalidInput(
                "csv", "is of groups where `cap` hides their sizes", remedy="leave out `by`"
            )
        write_table(found.quotable(*by, details=given["details"]), given, TO_QUOTE)
    if given["plot"]:
        from discreet.show.charts import plot

        plot(found, "totals" if by else "estimate", given["plot"], by=list(by) or None)
        what = f"numbers by {', '.join(by)}" if by else "totals and groups"
        say(f"picture: {given['plot']} ({what})", err=click.get_current_context().params["as_json"])


NO_CSV = {"csv": None, "byte_order_mark": False, "escape_formulas": False}
"""What is asked of each of several questions that are written into one file."""


def write_questions(read: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Write the tables to quote of several questions, by name, into one CSV file."""
    from discreet.reading.quoting.several_questions import one_table

    by = given["by"]
    if by and any(hasattr(found, "cap") for found in read.values()):
        raise InvalidInput(
            "csv", "is of groups where `cap` hides their sizes", remedy="leave out `by`"
        )
    tables = {name: found.quotable(*by, details=given["details"]) for name, found in read.items()}
    write_table(one_table(tables), given, TO_QUOTE)


def write_table(table: NumberTable, given: Mapping[str, Any], what: str) -> None:
    """Write a table as CSV where that was asked for, and say so beside the output."""
    if not given["csv"]:
        return
    table.to_csv(
        given["csv"],
        escape_formulas=given["escape_formulas"],
        byte_order_mark=given["byte_order_mark"],
        overwrite=given["overwrite"],
    )
    say(f"{given['csv']}: {len(table):,} row{'s' if len(table) != 1 else ''} {what}", err=True)
    if what == TO_QUOTE:
        from discreet.reading.quoting.quoted import DETAILS, PRINTED

        said = f"{PRINTED} {DETAILS}" if given["details"] else PRINTED
        say("\n".join(folded(said, first="  ", later="  ")), err=True)
