"""`discreet demo`: the whole job, from a made-up population to an estimate, in under a minute."""

from __future__ import annotations

import random
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from discreet.cli.bars import progress_options, watching
from discreet.cli.options import say
from discreet.cli.spelling import Command
from discreet.errors import MissingExtra
from discreet.proof.whole_files import write_whole

CLINICS, RATE, EPSILON = 400, 0.3, 1


@click.command(cls=Command)
@click.option("--output", "-o", type=click.Path(file_okay=False), help="Keep the files here (a new folder).")
@progress_options
def demo_command(output: str | None, progress: str) -> None:
    """The whole job on data made up for it, in under a minute."""
    import discreet as dc
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

    _step(2, f"Which mechanism for a clinic of 8, at epsilon {EPSILON}, if it must be fair?")
    say(str(dc.recommend(n=8, epsilon=EPSILON, properties="F")))

    _step(3, "Design one: squared error, weakly honest, column monotone; exact, proven")
    m = dc.design(n=8, epsilon=EPSILON, properties="WH CM", loss="L2")
    say(str(m))
    m.save(folder / "design.json")
    say(str(dc.verify(folder / "design.json")))
    try:
        m.plot("heatmap", folder / "design.png")
        say(f"picture: {folder / 'design.png'}")
    except MissingExtra as error:
        say(f"no picture: {error}")

    _step(4, "Release the table: fair mechanisms for every clinic's size, under a budget")
    open_ledger(folder / "budget.db").open("clinics", budget=2)
    asked: dict[str, Any] = {"by": "clinic", "count": "smoker", "unit": "person", "epsilon": EPSILON, "properties": "F"}
    say(str(dc.plan(folder / "people.csv", **asked)))
    kept: dict[str, Any] = {"ledger": folder / "budget.db", "dataset": "clinics", "output": folder / "published"}
    with watching(progress) as watch:
        released = dc.release(folder / "people.csv", **asked, **kept, progress=watch)
    left = open_ledger(folder / "budget.db").remaining("clinics")
    say(f"released {released.manifest.groups} groups into {folder / 'published'}; left of the budget: {left}")

    _step(5, "Read what was published, from the published files alone")
    e = dc.estimate(folder / "published")
    say(str(e))
    inside = "inside" if e.total.low <= smokers <= e.total.high else "outside"
    say(f"the truth, which only this demo knows: {smokers:,} smokers, {inside} the interval")

    _step(6, "Check every proof in the bundle with the standard library alone")
    proofs = sum(1 for _ in verify_all(folder / "published"))
    say(f"{proofs} mechanisms: private and as claimed, exactly")

    say(f"\nDone in {time.monotonic() - start:.0f} s. Everything is in {folder}\nTry next:")
    say("  discreet compare --n 8 --epsilon 1        what each mechanism costs")
    say("  discreet release --help                   your own table")
    say("  discreet studio                           the trade-off in a browser")


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


def _step(number: int, text: str) -> None:
    click.secho(f"\n{number}. {text}", bold=True)
