"""The index page of a run: every statement with its verdict, beside its picture and its data; Markdown and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.paper.results import Settings, Statement, versions
from discreet.proof.whole_files import write_whole

if TYPE_CHECKING:
    from discreet.paper.running import Made

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


def _cells(statement: Statement) -> list[str]:
    found = statement.found + (f" {statement.reason}" if statement.reason else "")
    return [statement.where, statement.said, found, statement.verdict]


def _markdown(done: Sequence[Made], settings: Settings) -> str:
    lines = ["# The paper, regenerated", "", summary(done), "", _about(settings), ""]
    for made in done:
        lines += [f"## {made.entry.title} ({made.entry.place})", "", f"`discreet paper {made.entry.name}`", ""]
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
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>The paper, regenerated</title>",
        f"<style>{_STYLE}</style>",
        f"<h1>The paper, regenerated</h1><p>{escape(summary(done))}</p><p>{escape(_about(settings))}</p>",
    ]
    for made in done:
        name, title = made.entry.name, escape(made.entry.title)
        parts.append(f"<h2 id='{name}'>{title} ({made.entry.place})</h2><p><code>discreet paper {name}</code></p>")
        if made.outcome.missing:
            parts.append(f"<p>Left out: {escape(made.outcome.missing)}</p>")
        if made.outcome.statements:
            parts.append("<table><tr><th>where<th>said<th>found<th>verdict</tr>")
            for statement in made.outcome.statements:
                cells = [escape(cell) for cell in _cells(statement)]
                row = "".join(f"<td>{cell}" for cell in cells[:-1])
                parts.append(f"<tr>{row}<td class='{cells[-1]}'>{cells[-1]}</tr>")
            parts.append("</table>")
        parts += [f"<p>{escape(note)}</p>" for note in made.outcome.notes]
        parts += [f"<p><img src='{picture}' alt='{title}'></p>" for picture in made.pictures]
        links = [f"<a href='{name}/{table}.csv'>{table}.csv</a>" for table in made.outcome.tables]
        parts.append(f"<p>Data: {', '.join(links)}; <a href='{name}/about.json'>about.json</a></p>")
    return "\n".join(parts) + "\n</html>\n"
