"""Write docs/paper/verdicts.md and its pictures, made small enough for a repository.

    python -m tools.paper_pages docs                 run everything, and refresh docs/paper and docs/images/paper
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
from discreet.show.pictures.sheets.sheet_page import Drawn
from tools.narrowing import stacked
from tools.paper_tables import TABLES, filled, markdown

VERDICTS = ("agrees", "differs", "depends")
_HOW = "How agreement is judged"


def main(arguments: Sequence[str]) -> int:
    """Refresh the pictures and the page of verdicts under a docs folder; names after it refresh their part alone."""
    docs, *names = arguments
    settings = Settings(adult=adult_data.find(None))
    if settings.adult is None and (not names or "adult" in names):
        print(
            "error: the Adult data are not there, and the page would lose their section; run `discreet paper "
            "fetch-adult`, set DISCREET_DATA to their folder, or name the figures to refresh",
            file=sys.stderr,
        )
        return 2
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
        if entry.name.startswith("beyond-"):
            for study in (Path(docs) / "paper").glob("beyond-*.md"):
                study.write_text(filled(study.read_text(encoding="utf-8"), entry.name, outcome), encoding="utf-8")
        else:
            told = {file: _told(chart, entry.title) for file, chart in zip(files, charts.values(), strict=True)}
            sections[entry.heading] = _section(Made(entry=entry, outcome=outcome, pictures=tuple(files)), told)
        print(entry.name, *files, flush=True)
    headings = [entry.heading for entry in CATALOGUE.values()]
    ordered = {heading: sections[heading] for heading in headings if heading in sections}
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


_BOX = (
    '!!! tip "What this means for your table"',
    "    - **Nothing to do.** This page compares the paper with our runs. No release depends on it.",
    "    - **Epsilon near 0.1, answers mixed:** a raw number is wrong less often with fair noise.",
    "    - **Epsilon near 0.1, nearly all answer alike:** it is wrong less often with the usual noise.",
    "    - **Totals and estimates:** take the usual noise ([choosing](../choosing.md) says why).",
    "",
    "    The codes: GM is the usual noise, EM the fair one, WM the weakly honest one, UM a blind guess. L0 is the",
    "    share of wrong numbers, scaled so that a blind guess has 1. Alpha is exp(-epsilon), which the paper uses.",
    "",
)
"""The box that the page begins with."""


def _page(sections: Mapping[str, str]) -> str:
    """The page: how many sentences agree, the standard, and a section for each figure, by its heading."""
    text = "\n".join(sections.values())
    agrees, differs, depends = counted(text)
    lines = [
        "# Every figure, with a verdict",
        "",
        *_BOX,
        "Every figure of the paper was made again, and each sentence that the paper says about one was compared with",
        f"the numbers. Of {agrees + differs + depends} sentences **{agrees} agree**, **{differs} differ** and",
        f"**{depends} depend** on which of several mechanisms with the paper's name is taken; each has its reason.",
        "",
        "`discreet paper all` makes all of it on your machine: data as CSV and Parquet with seed and versions,",
        "pictures as PNG and SVG, and an index. Where the paper does not print its parameters, we say what we took.",
        "The Adult data are fetched once, by `discreet paper fetch-adult`. `python -m tools.paper_pages docs` writes",
        "this page from such a run, verdicts included.",
        "",
        *_summary(sections),
    ]
    how = [
        f"## {_HOW}",
        "",
        "One function (`discreet.paper.judging.verdict`) decides for every sentence, by this standard:",
        "",
        *(f"- {paragraph}" for paragraph in STANDARD),
        "",
    ]
    return "\n".join([*lines, *sections.values(), *how]).rstrip() + "\n"


def counted(text: str) -> tuple[int, int, int]:
    """How many verdicts of each kind there are in rows of a table: agrees, differs, depends.

    >>> counted("| a | b | **agrees**{.agrees} |")
    (1, 0, 0)
    """
    agrees, differs, depends = (text.count(f"| **{verdict}**{{.{verdict}}} |") for verdict in VERDICTS)
    return agrees, differs, depends


def _told_of(agrees: int, differs: int, depends: int) -> str:
    """The verdict on a figure in a sentence.

    >>> _told_of(3, 0, 0), _told_of(2, 1, 1)
    ('Of 3 sentences, all agree.', 'Of 4 sentences, 2 agree, 1 differs and 1 depends.')
    """
    said = [(agrees, "agree"), (differs, "differ"), (depends, "depend")]
    parts = [f"{many} {verb}{'s' * (many == 1)}" for many, verb in said if many]
    every = agrees + differs + depends
    if len(parts) == 1 and every > 1:
        return f"Of {every} sentences, all {parts[0].partition(' ')[2]}."
    told = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return f"Of {every} sentence{'s' * (every > 1)}, {told}."


def _summary(sections: Mapping[str, str]) -> list[str]:
    """A row for each figure, with a coloured mark for each kind of verdict and a link to its section."""
    lines = ["| figure | agree | differ | depend |", "| --- | --- | --- | --- |"]
    for heading, section in sections.items():
        found = zip(counted(section), VERDICTS, strict=True)
        cells = [f"**{many}**{{.{verdict}}}" if many else "" for many, verdict in found]
        lines.append(f"| [{heading}](#{anchor(heading)}) | {' | '.join(cells)} |")
    return [*lines, ""]


def anchor(heading: str) -> str:
    """The address of a section within the page, as Markdown makes it.

    >>> anchor("How often more than one off (L0,1, Figure 11)")
    'how-often-more-than-one-off-l01-figure-11'
    """
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def _sections(page: str) -> dict[str, str]:
    """The sections of a page that was written before, by their headings."""
    found = {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in page.split("\n## ")[1:]}
    return {heading: section for heading, section in found.items() if heading != _HOW}


def _told(chart: Any, otherwise: str) -> tuple[str, str]:
    """The title of a chart, and its note, which stands below it."""
    if isinstance(chart, Flowchart):
        return otherwise, "The flowchart is for L0 and alpha > 1/2: epsilon below 0.69."
    if isinstance(chart, Drawn):
        return chart.sheet.title, chart.sheet.note
    said = chart.to_dict(validate=False)
    return said["title"]["text"], said.get("description", "")


def _section(made: Made, told: Mapping[str, tuple[str, str]]) -> str:
    lines = [f"## {made.entry.heading}", "", f"`discreet paper {made.entry.name}`", ""]
    if made.outcome.missing:
        lines += [f"Left out: {made.outcome.missing}", ""]
    rows = ["| the paper | we find | |", "| --- | --- | --- |"]
    for s in made.outcome.statements:
        cells = (f"{s.where}: {s.said}", f"{s.found} {s.reason}".strip(), f"**{s.verdict}**{{.{s.verdict}}}")
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    lines += [_told_of(*counted("\n".join(rows))), "", *(f"{note}\n" for note in made.outcome.notes)]
    shown = {picture: _shown(picture, *told[picture]) for picture in made.pictures}
    first, *others = shown or ("",)
    lines.append(shown.get(first, ""))  # a reader looks first, and opens what is wanted
    lines += [_folded(told[other][0], shown[other]) for other in others]
    if made.entry.name in TABLES and not made.outcome.missing:
        about, table, below = TABLES[made.entry.name]
        lines.append(_folded(about, f"{markdown(table(made.outcome))}\n{below}\n"))
    lines.append(_folded("Each sentence of the paper, and what we find", "\n".join(rows) + "\n"))
    return "\n".join(lines)


def _shown(picture: str, title: str, note: str) -> str:
    """A picture, with what to see in it."""
    below = " ".join(filter(None, (f"**What to see.** {SEE[Path(picture).stem]}", note)))
    return f"![{title}](../images/paper/{picture})\n\n{below}\n"


def _folded(summary: str, inside: str) -> str:
    return f"<details markdown>\n<summary>{summary}</summary>\n\n{inside}\n</details>\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
