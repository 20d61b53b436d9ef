"""`discreet paper`, `discreet studio` and `discreet demo`: the figures, a page in a browser, and
the whole job once.

Each command that the demo shows is run, in this process, and what stands below it is what it
prints; of the plan, the longest, the end is left out, and how many lines that are is said. What the
commands made is put into a folder of its own then, so that they can be typed again as they are.
"""

from __future__ import annotations

import random
import re
import shlex
import sys
import tempfile
from collections.abc import Iterable
from contextlib import chdir, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.bars import progress_options, watching
from discreet.cli.existing import Existing
from discreet.cli.paint import wanted
from discreet.cli.shared import TYPED, Command, quoted, say, terminal_columns
from discreet.cli.wording.to_copy import continued
from discreet.errors import InvalidFile, MissingExtra
from discreet.proof.files import write_whole
from discreet.show.text import laid_out, table

if TYPE_CHECKING:
    from discreet.paper import Entry

CLINICS, RATE = 400, 0.3
MADE = "made"
_ALL = "all"
"""The word for every figure."""
_ASKED = "people.csv --by clinic --answers smoker yes,no --unit person --epsilon 1"


@click.command(cls=Command)
@click.argument("figures", nargs=-1)
@click.option(
    "--output",
    "-o",
    default="paper",
    show_default=True,
    metavar="FOLDER",
    type=click.Path(file_okay=False),
    help="Where it is written.",
)
@click.option("--quick", is_flag=True, help="Fewer repetitions: under a minute.")
@click.option("--adult", type=Existing(dir_okay=False), help="A UCI Adult file you have.")
@progress_options
@click.pass_context
def paper_command(
    ctx: click.Context,
    figures: tuple[str, ...],
    output: str,
    quick: bool,
    adult: str | None,
    progress: str,
) -> None:
    """Make the paper's figures and tables again, as data and pictures, with a verdict on each.

    \b
    discreet paper                  list them
    discreet paper heatmaps         make one
    discreet paper all              make all, in about two minutes
    discreet paper fetch-adult      fetch the Adult data set, checked by hash
    """
    from discreet.paper import CATALOGUE, run

    if not figures:
        if ctx.meta[TYPED]:
            raise click.UsageError(
                "FIGURES are needed with options: a name that discreet paper lists, or all"
            )
        say(_figures(CATALOGUE.values()))
        return
    if _ALL in figures:
        figures = (*(name for name in figures if name != _ALL), *CATALOGUE)
    with watching(progress) as watch:
        run(figures, output=output, quick=quick, adult=adult, say=watch.say, progress=watch)


def _figures(entries: Iterable[Entry]) -> str:
    """What can be made, and how."""
    rows = [(each.name, each.place.partition(",")[0], each.title) for each in entries]
    return "\n".join(
        [
            "Figures and tables of the paper, and studies beyond it",
            *table([("name", "in the paper", "what"), *rows], "<0 <0 <0", gap=2),
            "",
            "one: discreet paper heatmaps",
            "all, in about two minutes: discreet paper all",
            "the data of Figure 10, once: discreet paper fetch-adult",
        ]
    )


@click.command(cls=Command)
@click.option("--port", type=int, help="8417, or a free one if that is taken; 0 picks a free one.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Only this machine, unless you say otherwise.",
)
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
@click.option(
    "--export", type=click.Path(dir_okay=False), help="Write one page for any web server instead."
)
@click.option(
    "--setting",
    "settings",
    multiple=True,
    help="For --export: a studio's address, from its ? on; again.",
)
@click.option("--story", is_flag=True, help="For --export: the story that the studio opens with.")
def studio_command(
    port: int | None,
    host: str,
    no_browser: bool,
    export: str | None,
    settings: tuple[str, ...],
    story: bool,
) -> None:
    """See the trade-off in a browser. Binds to this machine only and never loads private data.

    \b
    discreet studio
    discreet studio --export page.html --setting "n=8&epsilon=1&properties=F"
    discreet studio --export story.html --story
    """
    from discreet import studio

    if export is None and settings:
        raise click.UsageError("--setting is for --export: without it, open the address itself")
    if story and (export is None or settings):
        raise click.UsageError(
            "--story is for --export, and has no settings: `discreet studio` opens with it"
        )
    if export is None:
        studio.serve(host=host, port=port, open_browser=not no_browser, say=click.echo)
    else:
        if story:
            studio.export_story(export)
        else:
            studio.export(export, settings)
        click.echo(f"wrote {export}: one page that needs nothing but a browser")


@click.command(cls=Command)
@click.option(
    "--output", "-o", type=click.Path(file_okay=False), help="Keep the files here (a new folder)."
)
def demo_command(output: str | None) -> None:
    """The whole job on data made up for it, in under a minute."""
    if find_spec("duckdb") is None or find_spec("pyarrow") is None:
        raise MissingExtra("tables", "the demo")
    folder = _new_folder(output)
    people, smokers, told = _make_people(folder / "people.csv")

    _part(f"{people:,} made-up people in {CLINICS} clinics. Who smokes is private.")
    say(f"In {told} clinics all smoke, or none: an exact count would tell on everybody there.")
    click.echo()
    _typed(f"cd {quoted(str(folder))}")
    paid = "--ledger budget.db --dataset patients --output published"
    opened, released = "ledger open budget.db patients --budget 1", f"release {_ASKED} {paid}"

    _part("1. Plan: how good would counts with some noise be? This is free.")
    _run(folder, f"plan {_ASKED}", until="  Not protected")

    _part("2. Release: open a budget, draw the noise once, write its folder.")
    _run(folder, opened)
    _run(folder, released)

    _part("3. Read: the published folder is all that this needs.")
    found = _run(folder, "estimate published")
    _compared(found, smokers)

    _part("4. Check: anybody can, without the private table.")
    _run(folder, "verify published")

    _part("5. Report: a page to send, with tables and pictures.")
    _run(folder, "report published")

    _put_aside(folder)
    _part("Now type them yourself, in this order: each works as it stands.")
    _typed(f"cd {quoted(str(folder))}")
    for command in (opened, released, "estimate published", "verify published", "report published"):
        _typed(f"discreet {command}")
    click.echo()
    _next(
        {
            "what these made": folder / MADE,
            "your own table": "discreet plan --help",
            "the idea, in a browser": "discreet studio",
        }
    )


def _new_folder(output: str | None) -> Path:
    """The folder of the demo, in which there is nothing yet."""
    folder = Path(output).absolute() if output else Path(tempfile.mkdtemp(prefix="discreet-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise InvalidFile("output", "must be a new folder, or an empty one", output)
    return folder


def _make_people(path: Path) -> tuple[int, int, int]:
    """Write a population: how many people, how many smokers, and clinics where all are alike.

    It is seeded, because it is only an example; the noise never is.
    """
    chance = random.Random(2018)  # noqa: S311 - made-up people, not noise
    rows, smokers, told, person = ["person,clinic,smoker"], 0, 0, 0
    for clinic in range(CLINICS):
        bits = [int(chance.random() < RATE) for _ in range(chance.randint(2, 12))]
        rows += [
            f"p{person + k:05d},clinic {clinic:03d},{'yes' if bit else 'no'}"
            for k, bit in enumerate(bits)
        ]
        person, smokers, told = (
            person + len(bits),
            smokers + sum(bits),
            told + (len(set(bits)) == 1),
        )
    write_whole(path, "\n".join(rows) + "\n")
    return person, smokers, told


def _run(folder: Path, command: str, *, until: str = "") -> str:
    """Run a command in the folder; print it as it is typed, and what it prints, `until` a line
    that begins so.
    """
    from discreet.cli import app

    out = StringIO()
    # as wide as if it were typed here: what is caught looks like a file to the command
    with chdir(folder), laid_out(terminal_columns(sys.stdout)), redirect_stdout(out):
        app(shlex.split(command), standalone_mode=False)
    _typed(f"discreet {command}")
    lines = out.getvalue().rstrip("\n").split("\n")
    shown = list(takewhile(lambda line: not (until and line.startswith(until)), lines))
    left_out = len(lines) - len(shown)
    said = "\n".join(shown).rstrip("\n")
    say(
        f"{said}\n... {left_out} more lines: what is public, and the release to copy"
        if left_out
        else said
    )
    return out.getvalue()


def _compared(found: str, smokers: int) -> None:
    """Set the truth, which only this demo knows, beside the interval that was printed."""
    ends = re.search(r"^ +total .*? ([\d,]+) to ([\d,]+)", found, re.MULTILINE)
    if ends is not None:
        low, high = (int(end.replace(",", "")) for end in ends.groups())
        inside = low <= smokers <= high
        where = "inside" if inside else "outside"
        say(f"\nThe truth, which only this demo knows: {smokers} smokers, {where} the interval.")
        if not inside:
            say("About one interval in twenty misses the truth, and nobody can know which.")


def _put_aside(folder: Path) -> None:
    """Put what the commands made into a folder of its own, so that they find what they found the
    first time.
    """
    aside = folder / MADE
    aside.mkdir()
    for path in list(folder.iterdir()):
        if path.name not in ("people.csv", MADE):
            path.rename(aside / path.name)


def _styled(text: str, **style: Any) -> str:
    """A text in a colour where colours are wanted."""
    return click.style(text, **style) if wanted(sys.stdout) else text


def _typed(command: str) -> None:
    """Print a command as it is typed; one that is too long is continued, and can be copied
    whole.
    """
    for line in continued(shlex.split(command), first="$ "):
        click.echo(_styled(line, fg="cyan", bold=True))


def _part(text: str) -> None:
    click.echo()
    click.echo(_styled(text, bold=True))


def _next(steps: dict[str, object]) -> None:
    for (
        what,
        step,
    ) in steps.items():  # one by one, and whole: together they would be taken for a table
        command = str(step).startswith("discreet ")
        click.echo(f"  {what:<24}" + _styled(str(step), fg="cyan" if command else None))
