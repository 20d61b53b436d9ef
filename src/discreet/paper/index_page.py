"""The index page of a run: each figure with its finding, pictures, sentences and data; Markdown
and HTML.
"""

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
body{font:16px/1.55 Inter,system-ui,sans-serif;max-width:46rem;margin:2.5rem auto;
padding:0 1rem;color:#222}
h1{font-size:1.7rem}h2{font-size:1.2rem;margin:3rem 0 .5rem}a{color:#00507d}
img{display:block;width:43rem;max-width:100%}
table{border-collapse:collapse;width:100%;margin:1rem 0;font-size:.9rem}
td,th{border-bottom:1px solid #ddd;
padding:.45rem .6rem;text-align:left;vertical-align:top}
th{border-bottom-color:#666}.differs{color:#a33c00}
.agrees,.proven{color:#00603f}.observed,.depends{color:#5b3fa8}.agrees,.proven,.differs,.observed,.depends
{font-weight:600;white-space:nowrap}
code{background:#f3f5f7;padding:.1rem .3rem}summary{cursor:pointer;color:#00507d}
.small{color:#555;font-size:.85rem}
"""
_VERBS = {
    "agrees": "agree",
    "differs": "differ",
    "depends": "depend",
    "proven": "proven",
    "observed": "observed",
}
"""How many of each verdict are said."""


def write_report(folder: Path, done: Sequence[Made], settings: Settings) -> Path:
    """Write index.md and index.html into `folder`; return the HTML page."""
    write_whole(folder / "index.md", _markdown(done, settings))
    page = folder / "index.html"
    write_whole(page, _html(done, settings))
    return page


def summary(done: Sequence[Made]) -> str:
    """Count the verdicts in words."""
    missing = [made.entry.name for made in done if made.outcome.missing]
    every = [statement for made in done for statement in made.outcome.statements]
    return _counted(every) + (f"; left out: {', '.join(missing)}" if missing else "")


def _told(done: Sequence[Made], settings: Settings) -> str:
    """The verdicts of a run; the sentences on what we find are those of a full one."""
    return f"{summary(done)}." + (
        " A quick run: what we find is said of the full one." if settings.quick else ""
    )


def _counted(statements: Sequence[Statement]) -> str:
    """How many sentences have which verdict; one of a kind in the singular."""
    verdicts = [statement.verdict for statement in statements]
    many = {kind: verdicts.count(kind) for kind in _VERBS if kind in verdicts}
    return ", ".join(
        f"{count} {_VERBS[kind] if count > 1 else kind}" for kind, count in many.items()
    )


def _about(settings: Settings) -> str:
    how = "quick run: few repetitions, thinner grids" if settings.quick else "full run"
    return f"{how}; seed {settings.seed}; " + ", ".join(
        f"{name} {number}" for name, number in versions().items()
    )


def _finding(made: Made) -> str:
    """What a figure says and what we find, in two sentences; "" for a study of our own."""
    said, found = FINDINGS.get(made.entry.name, ("", ""))
    return f"The paper: {said} We find: {found}" if said else ""


def _cells(statement: Statement) -> list[str]:
    found = statement.found + (f" {statement.reason}" if statement.reason else "")
    return [statement.where, statement.said, found, statement.verdict]


def _markdown(done: Sequence[Made], settings: Settings) -> str:
    lines = [f"# {_TITLE}", "", _told(done, settings), ""]
    for made in done:
        lines += [f"## {made.entry.heading}", ""]
        lines += [finding, ""] if (finding := _finding(made)) else []
        if made.outcome.missing:
            lines += [f"Left out: {made.outcome.missing}", ""]
        lines += [f"![{made.entry.title}]({picture})\n" for picture in made.pictures]
        if made.outcome.statements:
            lines += ["| where | said | found | verdict |", "| --- | --- | --- | --- |"]
            lines += [
                "| " + " | ".join(c.replace("|", "\\|") for c in _cells(s)) + " |"
                for s in made.outcome.statements
            ]
            lines.append("")
        lines += [f"{note}\n" for note in made.outcome.notes]
        data = ", ".join(
            f"[{table}.csv]({made.entry.name}/{table}.csv)" for table in made.outcome.tables
        )
        lines += [
            f"`discreet paper {made.entry.name}`: {data}; "
            f"[about.json]({made.entry.name}/about.json)",
            "",
        ]
    lines += [f"## {_HOW}", "", *(f"- {words}" for words in STANDARD), "", _about(settings), ""]
    return "\n".join(lines)


_HOW = "How agreement is judged"


def _html(done: Sequence[Made], settings: Settings) -> str:
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", _TITLE),
        element("style", Html(_STYLE)),
        element("h1", _TITLE),
        element("p", _told(done, settings)),
        *([_contents(done)] if len(done) > 1 else []),
    ]
    foot = [
        element("h2", _HOW),
        element("ul", *(element("li", words.replace("*", "")) for words in STANDARD)),
        element("p", _about(settings), class_="small"),
    ]
    page = element("html", *head, *(_section(made) for made in done), *foot, lang="en")
    return f"<!doctype html>{page}\n"


def _contents(done: Sequence[Made]) -> Html:
    """A row for each figure: what we find, and how many sentences have which verdict."""
    rows = [
        [
            element("td", element("a", made.entry.title, href=f"#{made.entry.name}")),
            FINDINGS.get(made.entry.name, ("", "Beyond the paper."))[1],
            _counted(made.outcome.statements) or "left out",
        ]
        for made in done
    ]
    return table(("figure", "we find", "sentences"), rows, words=range(3))


def _section(made: Made) -> Html:
    """A figure: its finding and pictures first, and its sentences to open."""
    name, title = made.entry.name, made.entry.title
    parts = [element("h2", made.entry.heading, id=name)]
    if finding := _finding(made):
        parts.append(element("p", finding))
    if made.outcome.missing:
        parts.append(element("p", f"Left out: {made.outcome.missing}"))
    parts += [element("p", element("img", src=picture, alt=title)) for picture in made.pictures]
    if made.outcome.statements:
        rows = [
            [*cells[:-1], element("td", cells[-1], class_=cells[-1])]
            for cells in map(_cells, made.outcome.statements)
        ]
        tried = table(("where", "said", "found", "verdict"), rows, words=range(4))
        parts.append(
            element(
                "details",
                element("summary", f"{_counted(made.outcome.statements)}: each sentence"),
                tried,
            )
        )
    parts += [element("p", note, class_="small") for note in made.outcome.notes]
    links = [
        (element("a", f"{one}.csv", href=f"{name}/{one}.csv"), ", ") for one in made.outcome.tables
    ]
    data = [part for link in links for part in link][:-1]
    about = element("a", "about.json", href=f"{name}/about.json")
    parts.append(
        element(
            "p", element("code", f"discreet paper {name}"), ": ", *data, "; ", about, class_="small"
        )
    )
    return Html("\n" + "\n".join(parts))
