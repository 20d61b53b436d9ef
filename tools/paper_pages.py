"""Write docs/paper/verdicts.md and its pictures, made small enough for a repository.

    python -m tools.paper_pages docs        run everything and refresh docs/paper and docs/images/paper

The page is written from the run itself, so that what the documentation says is what the command finds.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from discreet.paper import adult_data
from discreet.paper.experiments import CATALOGUE
from discreet.paper.judging import STANDARD
from discreet.paper.results import Settings
from discreet.paper.running import Made, charts_of, make, write_picture


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
        files = [_write(chart, pictures / f"{_file_name(entry.name, k)}.svg") for k, chart in charts.items()]
        done.append(Made(entry=entry, outcome=outcome, pictures=tuple(files)))
        print(entry.name, *files)
    if not names:
        (Path(docs) / "paper" / "verdicts.md").write_text(_page(done), encoding="utf-8")
    return 0


def slim(svg: str) -> str:
    """Take out what nobody sees in a picture on a page: labels of single marks, digits beyond a hundredth of a pixel.

    >>> slim('<path aria-label="p: 0.1" role="graphics-symbol" d="M1.23456,2L3.1,4"/><text>0.9688</text>')
    '<path d="M1.23,2L3.1,4"/><text>0.9688</text>'
    """
    bare = re.sub(r' (?:aria-label|aria-roledescription|aria-hidden|role)="[^"]*"', "", svg)

    def rounded(tag: re.Match[str]) -> str:
        return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), tag[0])

    return re.sub(r"<[^>]*>", rounded, bare)


def _write(chart: Any, file: Path) -> str:
    write_picture(chart, file).write_text(slim(file.read_text(encoding="utf-8")), encoding="utf-8")
    return file.name


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
        f"Of {agrees + differs + depends} sentences **{agrees} agree**, **{differs} differ** and **{depends} depend**",
        "on which of several mechanisms with the paper's name is taken, with the reason beside each.",
        "Verdicts follow from the numbers of the run, not from this text.",
        "",
        "## How agreement is judged",
        "",
        "One function (`discreet.paper.judging.verdict`) decides for every sentence, by this standard:",
        "",
        *(f"- {paragraph}" for paragraph in STANDARD),
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
