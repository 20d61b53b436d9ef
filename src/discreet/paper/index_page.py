"""The index page of a run: every statement with its verdict, beside its picture and its data; Markdown and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.paper.figures.figure_findings import FINDINGS
from discreet.paper.judging import STANDARD, Statement
from discreet.paper.results import Settings, versions
from discreet.proof.files import write_whole
from discreet.show.html import Html, element, table

if TYPE_CHECKING:
    from discreet.paper.running import Made

_TITLE = "The paper, regenerated"
_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%;margin:1rem 0}td,th{border:1px solid #ccc;padding:.4rem .6rem;text-align:left;
vertical-align:top}th{background:#f3f3f3}img{max-width:100%}.differs{color:#a33c00;font-weight:600}
.agrees,.proven{color:#00603f;font-weight:600}.observed,.depends{color:#00507d;font-weight:600}code{background:#f3f3f3}
"""


def write_report(folder: Path, done: Sequence[Made], settings: Settings) -> Path:
    """Write index.md and index.html into `folder`; return the HTML page."""
    write_whole(folder / "index.md", _markdown(done, settings))
    page = folder / "index.html"
    write_whole(page, _html(done, settings))
    return page


def summary(done: Sequence[Made]) -> str:
    """Count the verdicts in words."""
    verdicts = [statement.verdict for made in done for statement in made.outcome.statements]
    parts = [
        f"{verdicts.count(v)} {v}" for v in ("agrees", "differs", "depends", "proven", "observed") if v in verdicts
    ]
    missing = [made.entry.name for made in done if made.outcome.missing]
    return ", ".join(parts) + (f"; left out: {', '.join(missing)}" if missing else "")


def _about(settings: Settings) -> str:
    how = "quick run: few repetitions, thinner grids" if settings.quick else "full run"
    return f"{how}; seed {settings.seed}; " + ", ".join(f"{name} {number}" for name, number in versions().items())


def _finding(made: Made) -> str:
    """What a figure says and what we find, in two sentences; "" for a study of our own."""
    said, found = FINDINGS.get(made.entry.name, ("", ""))
    return f"The paper: {said} We find: {found}" if said else ""


def _cells(statement: Statement) -> list[str]:
    found = statement.found + (f" {statement.reason}" if statement.reason else "")
    return [statement.where, statement.said, found, statement.verdict]


def _markdown(done: Sequence[Made], settings: Settings) -> str:
    lines = [f"# {_TITLE}", "", summary(done), "", _about(settings), "", *(f"- {words}" for words in STANDARD), ""]
    for made in done:
        lines += [f"## {made.entry.heading}", "", f"`discreet paper {made.entry.name}`", ""]
        lines += [finding, ""] if (finding := _finding(made)) else []
        if made.outcome.missing:
            lines += [f"Left out: {made.outcome.missing}", ""]
        if made.outcome.statements:
            lines += ["| where | said | found | verdict |", "| --- | --- | --- | --- |"]
            lines += [
                "| " + " | ".join(c.replace("|", "\\|") for c in _cells(s)) + " |" for s in made.outcome.statements
            ]
            lines.append("")
        lines += [f"{note}\n" for note in made.outcome.notes]
        lines += [f"![{made.entry.title}]({picture})\n" for picture in made.pictures]
        data = ", ".join(f"[{table}.csv]({made.entry.name}/{table}.csv)" for table in made.outcome.tables)
        lines += [f"Data: {data}; [about.json]({made.entry.name}/about.json)", ""]
    return "\n".join(lines)


def _html(done: Sequence[Made], settings: Settings) -> str:
    head = [
        element("meta", charset="utf-8"),
        element("title", _TITLE),
        element("style", Html(_STYLE)),
        element("h1", _TITLE),
        element("p", summary(done)),
        element("p", _about(settings)),
        *(element("p", words.replace("*", "")) for words in STANDARD),
    ]
    page = element("html", *head, *(_section(made) for made in done), lang="en")
    return f"<!doctype html>{page}\n"


def _section(made: Made) -> Html:
    name, title = made.entry.name, made.entry.title
    parts = [element("h2", made.entry.heading, id=name)]
    parts.append(element("p", element("code", f"discreet paper {name}")))
    if finding := _finding(made):
        parts.append(element("p", finding))
    if made.outcome.missing:
        parts.append(element("p", f"Left out: {made.outcome.missing}"))
    if made.outcome.statements:
        rows = [
            [*cells[:-1], element("td", cells[-1], class_=cells[-1])] for cells in map(_cells, made.outcome.statements)
        ]
        parts.append(table(("where", "said", "found", "verdict"), rows, words=range(4)))
    parts += [element("p", note) for note in made.outcome.notes]
    parts += [element("p", element("img", src=picture, alt=title)) for picture in made.pictures]
    links = [(element("a", f"{one}.csv", href=f"{name}/{one}.csv"), ", ") for one in made.outcome.tables]
    data = [part for link in links for part in link][:-1]
    parts.append(element("p", "Data: ", *data, "; ", element("a", "about.json", href=f"{name}/about.json")))
    return Html("\n" + "\n".join(parts))
