"""`discreet paper`, `discreet studio` and `discreet demo`: the figures, a page in a browser, and the whole job once."""

from __future__ import annotations

import random
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from discreet.cli.bars import progress_options, watching
from discreet.cli.existing import Existing
from discreet.cli.shared import Command, quoted, say
from discreet.errors import MissingExtra
from discreet.proof.files import write_whole
from discreet.show.text import columns

CLINICS, RATE, EPSILON = 400, 0.3, 1
_ASKED = ("--by clinic", "--count-as smokers \"smoker = '1'\"", "--unit person", f"--epsilon {EPSILON}")


@click.command(cls=Command)
@click.argument("figures", nargs=-1)
@click.option("--output", "-o", default="paper", show_default=True, type=click.Path(file_okay=False))
@click.option("--quick", is_flag=True, help="Fewer repetitions: under a minute.")
@click.option("--adult", type=Existing(dir_okay=False), help="A UCI Adult file you have.")
@progress_options
def paper_command(figures: tuple[str, ...], output: str, quick: bool, adult: str | None, progress: str) -> None:
    """Regenerate the paper's figures and tables, as data and pictures, with a verdict on each.

    \b
    discreet paper                  everything, about two minutes
    discreet paper heatmaps         one figure
    discreet paper fetch-adult      fetch the Adult data set, checked by hash

    \b
    Figures: anomalies structure flowchart properties-table heatmaps
    combinations scores adult binomial histograms rmse. Beyond the paper:
    beyond-wm beyond-columns beyond-losses beyond-output-dp beyond-winners
    beyond-ranges.
    """
    from discreet.paper import run

    with watching(progress) as watch:
        run(figures, output=output, quick=quick, adult=adult, say=watch.say, progress=watch)


@click.command(cls=Command)
@click.option("--port", type=int, help="8417, or a free one if that is taken; 0 picks a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Only this machine, unless you say otherwise.")
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
@click.option("--export", type=click.Path(dir_okay=False), help="Write one page for any web server instead.")
@click.option("--setting", "settings", multiple=True, help="For --export: a studio's address, from its ? on; again.")
@click.option("--story", is_flag=True, help="For --export: the story that the studio opens with.")
def studio_command(
    port: int | None, host: str, no_browser: bool, export: str | None, settings: tuple[str, ...], story: bool
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
        raise click.UsageError("--story is for --export, and has no settings: `discreet studio` opens with it")
    if export is None:
        studio.serve(host=host, port=port, open_browser=not no_browser, say=click.echo)
    else:
        if story:
            studio.export_story(export)
        else:
            studio.export(export, settings)
        click.echo(f"wrote {export}: one page that needs nothing but a browser")


@click.command(cls=Command)
@click.option("--output", "-o", type=click.Path(file_okay=False), help="Keep the files here (a new folder).")
@progress_options
def demo_command(output: str | None, progress: str) -> None:
    """The whole job on data made up for it, in under a minute."""
    import discreet as dc
    from discreet.cli.commands.plan_command import plan_command, told
    from discreet.ledger import open_ledger
    from discreet.proof import verify_all

    if find_spec("duckdb") is None or find_spec("pyarrow") is None:
        raise MissingExtra("tables", "the demo")
    start = time.monotonic()
    folder = Path(output) if output else Path(tempfile.mkdtemp(prefix="discreet-demo-"))
    folder.mkdir(parents=True, exist_ok=True)

    _step(1, f"A made-up population: people in {CLINICS} clinics of 2 to 12, each smoking or not")
    people, smokers = _make_people(folder / "people.csv")
    say(f"{people:,} people in {folder / 'people.csv'}")
    _typed(f"cd {quoted(str(folder))}")

    _step(2, f"Plan: what would the counts be worth at epsilon {EPSILON}? Nothing is spent yet")
    _typed("discreet plan people.csv", *_ASKED)
    question = {"smokers": "smoker = '1'"}
    asked: dict[str, Any] = {"by": "clinic", "count": question, "unit": "person", "epsilon": EPSILON}
    say(told(dc.plan(folder / "people.csv", **asked), click.Context(plan_command)))

    _step(3, "Release: draw the noise once, under a budget of 2")
    _typed("discreet ledger open budget.db people --budget 2")
    open_ledger(folder / "budget.db").open("people", budget=2)
    _typed("discreet release people.csv", *_ASKED, "--ledger budget.db --dataset people --output published")
    kept: dict[str, Any] = {"ledger": folder / "budget.db", "dataset": "people", "output": folder / "published"}
    with watching(progress) as watch:
        released = dc.release(folder / "people.csv", **asked, **kept, progress=watch)
    left = open_ledger(folder / "budget.db").remaining("people")
    say(f"released {released.manifest.groups} groups into {folder / 'published'}; left of the budget: {left}")

    _step(4, "Read what was published, from the published files alone")
    _typed("discreet estimate published")
    e = dc.estimate(folder / "published")
    say(str(e))
    inside = "inside" if e.total.low <= smokers <= e.total.high else "outside"
    say(f"the truth, which only this demo knows: {smokers:,} smokers, {inside} the interval")

    _step(5, "Check every proof in the bundle with the standard library alone")
    _typed("discreet verify published")
    proofs = sum(1 for _ in verify_all(folder / "published"))
    say(f"proofs checked: {proofs}; every mechanism is private and as claimed, exactly")

    _step(6, "Design noise of your own: no farther answer likelier (CM), least squared error")
    _typed("discreet design --n 8", f"--epsilon {EPSILON}", "--properties CM --loss L2", "-o design.json")
    m = dc.design(n=8, epsilon=EPSILON, properties="CM", loss="L2")
    chances = [row.truth for row in m.accuracy().rows]
    say(f"in groups of 8 a true count is published with chance {min(chances):.2f} to {max(chances):.2f}")
    m.save(folder / "design.json")
    _typed("discreet verify design.json")
    dc.verify(folder / "design.json")
    say("every claim of the file holds: private, of this shape, and none of this shape has less squared error")
    _typed("discreet plot design.json -o design.png")
    try:
        m.plot("heatmap", folder / "design.png")
        say(f"picture: {folder / 'design.png'}")
    except MissingExtra as error:
        say(f"no picture: {error}")

    say(f"\nDone in {time.monotonic() - start:.0f} s. Everything is in {folder}")
    say("To type them again: the budget is open, and a release needs another --output.")
    say("Try next:")
    steps = {
        "a page to send": f"discreet report {quoted(str(folder / 'published'))}",
        "which mechanism, and why": "discreet recommend --n 8 --epsilon 1",
        "your own table": "discreet plan --help",
        "the trade-off in a browser": "discreet studio",
    }
    for what, command in steps.items():  # one by one, and whole: together they would be taken for a table
        click.echo(f"  {what:<28}{command}")


def _make_people(path: Path) -> tuple[int, int]:
    """Write a population; seeded, because it is only an example (the noise never is)."""
    chance = random.Random(2018)  # noqa: S311 - made-up people, not noise
    rows, smokers, person = ["person,clinic,smoker"], 0, 0
    for clinic in range(CLINICS):
        for _ in range(chance.randint(2, 12)):
            bit = int(chance.random() < RATE)
            rows.append(f"p{person:05d},clinic {clinic:03d},{bit}")
            smokers += bit
            person += 1
    write_whole(path, "\n".join(rows) + "\n")
    return person, smokers


def _typed(*parts: str) -> None:
    """Print the command that does what follows; one that is too long is continued, and can be copied whole."""
    lines = [f"$ {parts[0]}"]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 > columns():
            lines[-1] += " \\"
            lines.append(f"    {part}")
        else:
            lines[-1] += f" {part}"
    for line in lines:
        click.secho(line, dim=True)


def _step(number: int, text: str) -> None:
    click.secho(f"\n{number}. {text}", bold=True)
