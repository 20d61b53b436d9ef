"""Running the experiments: make, write, draw, and one index page of all verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

from discreet.core.progress import Listener, Reporter
from discreet.errors import MissingExtra
from discreet.paper import adult_data
from discreet.paper.experiments import CATALOGUE, FETCH_ADULT, Entry, chosen
from discreet.paper.index_page import write_report
from discreet.paper.results import Outcome, Settings, write_outcome
from discreet.proof.files import write_whole

PICTURES = ("png", "svg")


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One entry's outcome and the pictures drawn from it (file names relative to the run's
    folder).
    """

    entry: Entry
    outcome: Outcome
    pictures: tuple[str, ...]


def make(name: str, settings: Settings | None = None) -> Outcome:
    """Make one figure's data and verdicts, and write nothing.

    >>> [statement.verdict for statement in make("structure").statements][:1]
    ['agrees']
    """
    outcome: Outcome = _call(CATALOGUE[name], "make", settings or Settings())
    return outcome


def run(
    figures: tuple[str, ...] = (),
    *,
    output: str = "paper",
    quick: bool = False,
    adult: str | None = None,
    say: Callable[[str], object] = print,
    progress: Listener | None = None,
) -> dict[str, Outcome]:
    """Make figures (all of them when none is named) into the folder `output`, with an index page of
    the verdicts.

    "fetch-adult" among the names fetches the Adult data first. What is missing is reported, and the
    rest is made.
    """
    wanted = tuple(name for name in figures if name != FETCH_ADULT)
    entries = chosen(wanted)
    if len(wanted) < len(figures):
        adult_data.fetch(say)
        if not wanted:
            return {}
    given = Path(adult) if adult else None
    if given is not None:
        adult_data.bits(given)  # a wrong file is refused before anything is computed
    settings = Settings(quick=quick, adult=adult_data.find(given))
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    done: list[Made] = []
    report = Reporter(progress)
    for entry in entries:
        report("paper", len(done), len(entries), detail=entry.name)
        start = perf_counter()
        outcome: Outcome = _call(entry, "make", settings)
        write_outcome(entry.name, entry.title, outcome, folder / entry.name, settings)
        pictures = _draw(entry, outcome, folder, say)
        done.append(Made(entry=entry, outcome=outcome, pictures=pictures))
        say(_line(entry, outcome, perf_counter() - start))
    index = write_report(folder, done, settings)
    say(f"report: {index}")
    return {made.entry.name: made.outcome for made in done}


def _call(entry: Entry, function: str, *arguments: Any) -> Any:
    return getattr(import_module(f"discreet.paper.{entry.module}"), function)(*arguments)


def charts_of(entry: Entry, outcome: Outcome) -> dict[str, Any]:
    """Return an entry's pictures by name; none where its data are missing."""
    return _call(entry, "draw", outcome) if outcome.tables else {}


def write_picture(drawn: str, file: Path) -> Path:
    """Write a picture, which is SVG already, as PNG or SVG by the file's ending."""
    from discreet.show.pictures.theme import altair
    from discreet.show.typeface.faces import lend_to_vl_convert

    if file.suffix == ".svg":
        write_whole(file, drawn)
    else:
        altair()  # says how to get what draws, where it is missing
        import vl_convert

        lend_to_vl_convert()
        write_whole(file, vl_convert.svg_to_png(drawn, scale=2))
    return file


def _draw(
    entry: Entry, outcome: Outcome, folder: Path, say: Callable[[str], object]
) -> tuple[str, ...]:
    try:
        charts = charts_of(entry, outcome)
        for name, chart in charts.items():
            for kind in PICTURES:
                write_picture(chart, folder / entry.name / f"{name}.{kind}")
    except MissingExtra as missing:
        say(f"{entry.name}: data written, no picture: {missing}")
        return ()
    return tuple(f"{entry.name}/{name}.png" for name in charts)


def _line(entry: Entry, outcome: Outcome, seconds: float) -> str:
    if outcome.missing:
        return f"{entry.name}: left out: {outcome.missing}"
    tally: dict[str, int] = {}
    for statement in outcome.statements:
        tally[statement.verdict] = tally.get(statement.verdict, 0) + 1
    # several agree, one agrees
    counts = ", ".join(
        f"{many} {word if many == 1 else word.removesuffix('s')}" for word, many in tally.items()
    )
    return f"{entry.name}: {counts} ({seconds:.1f} s)"
