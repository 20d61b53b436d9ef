"""`discreet census`: how many mechanisms do all 128 sets of properties come down to?"""

from __future__ import annotations

from itertools import product
from typing import Any

import click

from discreet.cli.bars import Watcher, progress_options, watching
from discreet.cli.codes import explained
from discreet.cli.existing import OneOf
from discreet.cli.shared import Command, emit, json_option, say
from discreet.core.progress import Progress
from discreet.errors import InvalidInput


@click.command(cls=Command)
@click.option(
    "--n", "-n", multiple=True, required=True, help="Group sizes: 4, or 2-8, or several of them."
)
@click.option(
    "--epsilon",
    multiple=True,
    metavar="NUMBERS",
    help='Privacy, e.g. 0.5 or "0.5 1 2". Or --alpha.',
)
@click.option(
    "--alpha",
    multiple=True,
    metavar="NUMBERS",
    help='As alpha = exp(-epsilon), e.g. 10/11 or "1/2 2/3".',
)
@click.option(
    "--loss",
    multiple=True,
    default=["L0"],
    show_default=True,
    metavar="LOSS",
    help="L0, L1, L2, L0,1, or several.",
)
@click.option(
    "--prior", metavar="PRIOR", help='How likely each true count is: "uniform" or "Binomial(0.3)".'
)
@click.option(
    "--worst-case", is_flag=True, help="The worst true count instead of the mean over them."
)
@click.option(
    "--format",
    type=OneOf(["text", "markdown", "csv"]),
    default="text",
    show_default=True,
    help="What is printed.",
)
@progress_options
@json_option
def census_command(
    n: tuple[str, ...],
    epsilon: tuple[str, ...],
    alpha: tuple[str, ...],
    loss: tuple[str, ...],
    format: str,
    progress: str,
    as_json: bool,
    **asked: Any,
) -> None:
    """Count the behaviours that all 128 sets of properties come down to, with exact optimal costs.

    \b
    discreet census --n 4 --alpha 10/11
    discreet census --n 4 --alpha 10/11 --loss L1 --json
    discreet census --n 2-8 --alpha "2/3 10/11" --loss "L0 L1" --format markdown
    """
    from discreet.choosing import census_tables

    if not epsilon and not alpha:
        raise InvalidInput("epsilon", "or `alpha` must be given", remedy="e.g. `alpha='10/11'`")
    if epsilon and alpha:
        raise InvalidInput(
            "epsilon",
            "or `alpha` must be given, exactly one of them",
            "both",
            remedy="leave one out",
        )
    name, values = ("alpha", alpha) if alpha else ("epsilon", epsilon)
    sizes = [size for text in _several(n) for size in _sizes(text)]
    grid = list(product(_several(loss), sizes, _several(values)))
    if not grid:
        raise InvalidInput("n", "and what goes with it must not be empty")
    with watching(progress) as watch:
        found = [
            _one(place, len(grid), watch, n=size, **{name: value}, loss=which, **asked)
            for place, (which, size, value) in enumerate(grid)
        ]
    if as_json:
        emit(found if len(found) > 1 else found[0], as_json=True)
    else:
        written = {
            "text": census_tables.text,
            "csv": census_tables.csv_text,
            "markdown": census_tables.markdown,
        }
        text = written[format](found)
        say(text)
        if format == "text":
            say(f"\n{explained(text)}")


def _one(place: int, total: int, watch: Watcher, **setting: Any) -> Any:
    """Run one census; in a grid, report the progress of the whole grid."""
    import discreet as dc

    def show(event: Progress) -> None:
        detail = f"{setting['loss']}, n = {setting['n']}"
        watch(
            event
            if total == 1
            else Progress(phase="census", done=place, total=total, detail=detail)
        )

    return dc.census(**setting, progress=show)


def _several(words: tuple[str, ...]) -> list[str]:
    """Read the values of an option that was given several times, or once with several words."""
    return [one for word in words for one in word.split()]


def _sizes(text: str) -> range:
    """Read a size or a range of sizes.

    >>> _sizes("4"), _sizes("2-8")
    (range(4, 5), range(2, 9))
    """
    first, dash, last = text.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()) or len(text) > 9:
        raise InvalidInput("n", "must be a size such as 4 or a range such as 2-8", text)
    sizes = range(int(first), int(last if dash else first) + 1)
    if not sizes:
        raise InvalidInput("n", "must be a range from the smaller to the larger size", text)
    return sizes
