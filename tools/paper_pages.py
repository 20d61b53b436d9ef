"""Write docs/paper/verdicts.md and its pictures, made small enough for a repository.

    python -m tools.paper_pages docs        run everything and refresh docs/paper and docs/images/paper

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
        # one pixel to a point: a repository keeps every version of a picture
        files = [write(c, pictures / f"{_file_name(entry.name, k)}.png", scale=1).name for k, c in charts.items()]
        done.append(Made(entry=entry, outcome=outcome, pictures=tuple(files)))
        print(entry.name, *files)
    if not names:
        (Path(docs) / "paper" / "verdicts.md").write_text(_page(done), encoding="utf-8")
    return 0


def _file_name(entry: str, chart: str) -> str:
    return entry if entry.endswith(chart) else chart if chart.startswith(entry) else f"{entry}-{chart}"


def _page(done: Sequence[Made]) -> str:
    agrees = sum(s.verdict == "agrees" for made in done for s in made.outcome.statements)
    differs = sum(s.verdict == "differs" for made in done for s in made.outcome.statements)
    depends = sum(s.verdict == "depends" for made in done for s in made.outcome.statements)
    lines = [
        "# Every figure, with a verdict",
        "",
        "Made by `discreet paper`: data as CSV and Parquet with seed and versions, pictures as PNG and SVG, an index.",
        "This page is made by `python -m tools.paper_pages docs`. Where the paper does not print its",
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
