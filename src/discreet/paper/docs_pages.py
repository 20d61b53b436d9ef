"""The documentation's copies: pictures small enough for a repository, and the page of all verdicts.

    python -m discreet.paper.docs_pages docs        run everything and refresh docs/paper and docs/images/paper

The page is written from the run itself, so that what the documentation says is what the command finds.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from discreet.paper import adult_data
from discreet.paper.experiments import CATALOGUE
from discreet.paper.results import Settings
from discreet.paper.running import Made, charts_of, make
from discreet.show.pictures.theme import write

LARGEST = 150_000
SCALES = (2.0, 1.5, 1.0, 0.8)


def main(arguments: Sequence[str]) -> int:
    """Refresh the pictures and the page of verdicts under a docs folder; names after it limit the entries."""
    docs, *names = arguments
    settings = Settings(adult=adult_data.find(None))
    pictures = Path(docs) / "images" / "paper"
    pictures.mkdir(parents=True, exist_ok=True)
    done = []
    for entry in CATALOGUE.values():
        if names and entry.name not in names:
            continue
        outcome = make(entry.name, settings)
        charts = charts_of(entry, outcome)
        kept = [_picture(chart, pictures, _file_name(entry.name, name)) for name, chart in charts.items()]
        done.append(Made(entry=entry, outcome=outcome, pictures=tuple(kept)))
        print(entry.name, *kept)
    if not names:
        (Path(docs) / "paper" / "verdicts.md").write_text(_page(done), encoding="utf-8")
    return 0


def _file_name(entry: str, chart: str) -> str:
    return entry if entry.endswith(chart) else chart if chart.startswith(entry) else f"{entry}-{chart}"


def _picture(chart: object, folder: Path, name: str) -> str:
    """Write a picture at the largest scale that keeps it small."""
    file = folder / f"{name}.png"
    for scale in SCALES:
        if write(chart, file, scale=scale).stat().st_size <= LARGEST:
            break
    return file.name


def _page(done: Sequence[Made]) -> str:
    agrees = sum(s.verdict == "agrees" for made in done for s in made.outcome.statements)
    differs = sum(s.verdict == "differs" for made in done for s in made.outcome.statements)
    depends = sum(s.verdict == "depends" for made in done for s in made.outcome.statements)
    lines = [
        "# Every figure, with a verdict",
        "",
        "Made by `discreet paper`: data as CSV and Parquet with seed and versions, pictures as PNG and SVG, an index.",
        "This page is made by `python -m discreet.paper.docs_pages docs`. Where the paper does not print its",
        "parameters, we say what we took. Adult needs `discreet paper fetch-adult` once.",
        "",
        f"Of {agrees + differs + depends} statements **{agrees} agree**, **{differs} differ** and **{depends} depend**",
        "on which of several mechanisms with the paper's name is taken, with the reason beside each.",
        "Verdicts follow from the numbers of the run, not from this text.",
        "",
    ]
    for made in done:
        if made.entry.name.startswith("beyond-"):
            continue
        lines += [f"## {made.entry.title}", "", f"{made.entry.place}. `discreet paper {made.entry.name}`", ""]
        if made.outcome.missing:
            lines += [f"Left out: {made.outcome.missing}", ""]
        lines += ["| the paper | we find | |", "| --- | --- | --- |"]
        for s in made.outcome.statements:
            cells = (f"{s.where}: {s.said}", f"{s.found} {s.reason}".strip(), f"**{s.verdict}**")
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines += ["", *(f"{note}\n" for note in made.outcome.notes)]
        lines += [*(f"![{made.entry.title}](../images/paper/{picture})\n" for picture in made.pictures)]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
