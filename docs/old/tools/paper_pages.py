"""Write docs/paper/verdicts.md, docs/paper/sentences.md and their pictures, made small enough for a repository.

    python -m tools.paper_pages docs                 run everything, and refresh docs/paper and docs/images/paper
    python -m tools.paper_pages docs scores rmse     only these figures

Both pages are written from the run itself, so that what the documentation says is what the command finds.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.paper_tables import TABLES, filled, markdown

from discreet.paper import adult_data
from discreet.paper.experiments import CATALOGUE
from discreet.paper.figures.figure_findings import FINDINGS, picture_name
from discreet.paper.flowchart_drawing import Flowchart
from discreet.paper.judging import STANDARD
from discreet.paper.results import Outcome, Settings
from discreet.paper.running import charts_of, make, write_picture

VERDICTS = ("agrees", "differs", "depends")
_HOW = "How agreement is judged"
Sections = dict[str, str]


def main(arguments: Sequence[str]) -> int:
    """Refresh the pictures and both pages under a docs folder; names after it refresh their part alone."""
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
    seen, tried = (Path(docs) / "paper" / page for page in ("verdicts.md", "sentences.md"))
    shown, told = (_sections(page.read_text(encoding="utf-8")) if names else {} for page in (seen, tried))
    for entry in CATALOGUE.values():
        if names and entry.name not in names:
            continue
        outcome = make(entry.name, settings)
        charts = {f"{picture_name(entry.name, k)}.svg": chart for k, chart in charts_of(entry, outcome).items()}
        for file, chart in charts.items():
            _write(chart, pictures / file)
            _write(chart.narrow(), pictures / file.replace(".svg", "-narrow.svg"))
        if entry.name.startswith("beyond-"):
            for study in (Path(docs) / "paper").glob("beyond-*.md"):
                study.write_text(filled(study.read_text(encoding="utf-8"), entry.name, outcome), encoding="utf-8")
        else:
            told[entry.heading] = _tried(entry.heading, entry.name, outcome)
            shown[entry.heading] = _seen(entry.heading, entry.name, charts, counted(told[entry.heading]))
        print(entry.name, *charts, flush=True)
    headings = [entry.heading for entry in CATALOGUE.values()]
    shown, told = ({each: page[each] for each in headings if each in page} for page in (shown, told))
    seen.write_text(_verdicts(shown, told), encoding="utf-8")
    tried.write_text(_sentences(told), encoding="utf-8")
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


def _verdicts(shown: Mapping[str, str], told: Mapping[str, str]) -> str:
    """The page of figures: how many sentences agree, a row for each figure, and its picture below."""
    agrees, differs, depends = counted("\n".join(told.values()))
    lines = [
        "# Every figure, with a verdict",
        "",
        *_BOX,
        f"Every figure of the paper was made again, and {agrees + differs + depends} sentences compared with the",
        f"numbers: **{agrees} agree**, **{differs} differ** and **{depends} depend** on which of several",
        "mechanisms with the paper's name is meant. [Each sentence](sentences.md) has its numbers and its reason,",
        f"by one [standard](sentences.md#{anchor(_HOW)}).",
        "",
        "`discreet paper all` makes all of it on your machine: data, pictures and an index (first `discreet paper",
        "fetch-adult`). `python -m tools.paper_pages docs` writes both pages from such a run.",
        "",
        *_summary(told),
    ]
    return "\n".join([*lines, *shown.values()]).rstrip() + "\n"


def _sentences(told: Mapping[str, str]) -> str:
    """The page of sentences: the standard, and what was found of each, figure by figure."""
    lines = [
        "# Each sentence of the paper, tried",
        "",
        "This page sets every sentence that the paper says about a figure beside the numbers of our own run. It helps",
        "those who check the paper, or quote it.",
        "",
        '!!! tip "What this means for your table"',
        "    **Nothing to do.** No release depends on this page. [Every figure](verdicts.md) is the short version.",
        "",
        f"## {_HOW}",
        "",
        "One function decides for every sentence:",
        "",
        *(f"- {paragraph}" for paragraph in STANDARD),
        "",
        "In the library: `discreet.paper.judging.verdict`.",
        "",
    ]
    return "\n".join([*lines, *told.values()]).rstrip() + "\n"


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


def _summary(told: Mapping[str, str]) -> list[str]:
    """A row for each figure: what it says, what we find, and a coloured mark for each kind of verdict."""
    names = {entry.heading: (entry.name, entry.place) for entry in CATALOGUE.values()}
    lines = ["| figure | the paper | we find | sentences |", "| --- | --- | --- | --- |"]
    for heading, section in told.items():
        name, place = names[heading]
        said, found = FINDINGS[name]
        many = zip(counted(section), ("agree", "differ", "depend"), VERDICTS, strict=True)
        given = " ".join(f"**{each}\u00a0{verb}{'s' * (each == 1)}**{{.{kind}}}" for each, verb, kind in many if each)
        short = place.partition(",")[0].replace("Figures ", "").replace("Figure ", "")
        lines.append(f"| [{short}](#{anchor(heading)}) | {said} | {found} | {given} |")
    return [*lines, ""]


def anchor(heading: str) -> str:
    """The address of a section within the page, as Markdown makes it.

    >>> anchor("How often more than one off (L0,1, Figure 11)")
    'how-often-more-than-one-off-l01-figure-11'
    """
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def _sections(page: str) -> Sections:
    """The sections of a page that was written before, by their headings."""
    found = {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in page.split("\n## ")[1:]}
    return {heading: section for heading, section in found.items() if heading != _HOW}


def _about(chart: Any) -> tuple[str, str]:
    """The title of a picture, and the note that stands below it."""
    if isinstance(chart, Flowchart):
        return chart.said[0], ""
    return chart.sheet.title, chart.sheet.note


def _seen(heading: str, name: str, charts: Mapping[str, Any], found: tuple[int, int, int]) -> str:
    """A figure on the page of figures: its pictures, and where its sentences are."""
    lines = [f"## {heading}", ""]
    for file, chart in charts.items():
        title, note = _about(chart)
        lines += [f"![{title}](../images/paper/{file})", "", *([note, ""] if note else [])]
    lines += [f"[{_told_of(*found).rstrip('.')}](sentences.md#{anchor(heading)}). `discreet paper {name}`", ""]
    return "\n".join(lines)


def _tried(heading: str, name: str, outcome: Outcome) -> str:
    """A figure on the page of sentences: what we took, every sentence in a row, and a table of numbers folded."""
    lines = [f"## {heading}", "", f"`discreet paper {name}`", ""]
    if outcome.missing:
        lines += [f"Left out: {outcome.missing}", ""]
    lines += [*(f"{note}\n" for note in outcome.notes), "| the paper | we find | |", "| --- | --- | --- |"]
    for s in outcome.statements:
        cells = (f"{s.where}: {s.said}", f"{s.found} {s.reason}".strip(), f"**{s.verdict}**{{.{s.verdict}}}")
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    lines.append("")
    if name in TABLES and not outcome.missing:
        about, table, below = TABLES[name]
        lines.append(_folded(about, f"{markdown(table(outcome))}\n{below}\n"))
    return "\n".join(lines)


def _folded(summary: str, inside: str) -> str:
    return f"<details markdown>\n<summary>{summary}</summary>\n\n{inside}\n</details>\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
