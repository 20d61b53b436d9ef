"""Write docs/paper/verdicts.md and its pictures, made small enough for a repository.

    python -m tools.paper_pages docs                 run everything and refresh docs/paper and docs/images/paper
    python -m tools.paper_pages docs scores rmse     only these figures

The page is written from the run itself, so that what the documentation says is what the command finds.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discreet.paper import adult_data
from discreet.paper.experiments import CATALOGUE
from discreet.paper.figures.what_to_see import SEE, picture_name
from discreet.paper.flowchart_drawing import Flowchart
from discreet.paper.judging import STANDARD
from discreet.paper.results import Settings
from discreet.paper.running import Made, charts_of, make, write_picture
from discreet.show.pictures.sheets.multiples import Drawn
from tools.narrowing import stacked

_HOW = "How agreement is judged"


def main(arguments: Sequence[str]) -> int:
    """Refresh the pictures and the page of verdicts under a docs folder; names after it refresh their part alone."""
    docs, *names = arguments
    settings = Settings(adult=adult_data.find(None))
    pictures = Path(docs) / "images" / "paper"
    pictures.mkdir(parents=True, exist_ok=True)
    page = Path(docs) / "paper" / "verdicts.md"
    sections = _sections(page.read_text(encoding="utf-8")) if names and page.exists() else {}
    for entry in CATALOGUE.values():
        if names and entry.name not in names:
            continue
        outcome = make(entry.name, settings)
        charts = charts_of(entry, outcome)
        files = [_write(chart, pictures / f"{picture_name(entry.name, k)}.svg") for k, chart in charts.items()]
        for file, chart in zip(files, charts.values(), strict=True):
            _write(narrow(chart), pictures / file.replace(".svg", "-narrow.svg"))
        if not entry.name.startswith("beyond-"):
            told = {file: _told(chart, entry.title) for file, chart in zip(files, charts.values(), strict=True)}
            sections[entry.title] = _section(Made(entry=entry, outcome=outcome, pictures=tuple(files)), told)
        print(entry.name, *files, flush=True)
    ordered = {entry.title: sections[entry.title] for entry in CATALOGUE.values() if entry.title in sections}
    page.write_text(_page(ordered), encoding="utf-8")
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


def narrow(chart: Any) -> Any:
    """The same picture for a phone."""
    return chart.narrow() if isinstance(chart, Flowchart | Drawn) else stacked(chart)


def _page(sections: Mapping[str, str]) -> str:
    """The page: how many sentences agree, the standard, and a section for each figure, by its title."""
    text = "\n".join(sections.values())
    agrees, differs, depends = (text.count(f"| **{verdict}** |") for verdict in ("agrees", "differs", "depends"))
    lines = [
        "# Every figure, with a verdict",
        "",
        "Every figure of the paper was made again, and each sentence that the paper says about one was compared with",
        f"the numbers. Of {agrees + differs + depends} sentences **{agrees} agree**, **{differs} differ** and",
        f"**{depends} depend** on which of several mechanisms with the paper's name is taken; each has its reason.",
        "",
        "`discreet paper` makes all of it on your machine: data as CSV and Parquet with seed and versions, pictures as",
        "PNG and SVG, and an index. Where the paper does not print its parameters, we say what we took. The Adult data",
        "are fetched once, by `discreet paper fetch-adult`. `python -m tools.paper_pages docs` writes this page",
        "from such a run, verdicts included.",
        "",
        f"## {_HOW}",
        "",
        "One function (`discreet.paper.judging.verdict`) decides for every sentence, by this standard:",
        "",
        *(f"- {paragraph}" for paragraph in STANDARD),
        "",
    ]
    return "\n".join([*lines, *sections.values()]).rstrip() + "\n"


def _sections(page: str) -> dict[str, str]:
    """The sections of a page that was written before, by their titles."""
    found = {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in page.split("\n## ")[1:]}
    return {title: section for title, section in found.items() if title != _HOW}


def _told(chart: Any, otherwise: str) -> tuple[str, str]:
    """The title of a chart, and its note, which stands below it."""
    if isinstance(chart, Flowchart):
        return otherwise, "The flowchart is for L0 and alpha > 1/2."
    if isinstance(chart, Drawn):
        return chart.sheet.title, chart.sheet.note
    said = chart.to_dict(validate=False)
    return said["title"]["text"], said.get("description", "")


def _section(made: Made, told: Mapping[str, tuple[str, str]]) -> str:
    lines = [f"## {made.entry.title}", "", f"{made.entry.place}. `discreet paper {made.entry.name}`", ""]
    if made.outcome.missing:
        lines += [f"Left out: {made.outcome.missing}", ""]
    lines += ["| the paper | we find | |", "| --- | --- | --- |"]
    for s in made.outcome.statements:
        cells = (f"{s.where}: {s.said}", f"{s.found} {s.reason}".strip(), f"**{s.verdict}**")
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    lines += ["", *(f"{note}\n" for note in made.outcome.notes)]
    for picture in made.pictures:
        title, note = told[picture]
        told_below = " ".join(filter(None, (f"**What to see.** {SEE[Path(picture).stem]}", note)))
        lines += [f"![{title}](../images/paper/{picture})\n", f"{told_below}\n"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
