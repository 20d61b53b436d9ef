"""For the site: on a phone, sentences of printed output are folded anew, and tables are set close if they then fit."""

from __future__ import annotations

import re
from html import unescape
from itertools import groupby
from typing import Any

PRINTED = re.compile(
    r'(<div class="language-text highlight"><pre><span></span><code>)(.*?)(</code></pre></div>)', re.DOTALL
)
PRINTED_WIDTH = 78
"""Sentences are folded at 79 or 80 characters."""
PHONE_WIDTH = 44
"""So many letters of printed output stand beside each other on a phone."""
GAP = re.compile(r"\S {2,}\S")
"""What sets a row of a table apart from a sentence."""
FIELD = re.compile(r",(?=\S|$)", re.MULTILINE)
"""What parts the fields of a line of a CSV file."""
LETTER = re.compile(r"&#?\w+;|.")


def folding(html: str) -> str:
    """Mark the sentences in printed output, so that a phone can fold them, and what room in tables it can do without.

    A line goes on in the next one if the first word of that did not fit any more. Lines of a CSV file stay as they are.
    """
    return PRINTED.sub(lambda found: f"{found[1]}{_marked(found[2])}{found[3]}", html)


def _marked(printed: str) -> str:
    commas = {len(FIELD.findall(line)) for line in printed.splitlines()}
    if len(commas) == 1 and min(commas) > 1:
        return printed
    out: list[str] = []
    for in_table, group in groupby(printed.splitlines(keepends=True), key=lambda line: bool(GAP.search(line))):
        lines = list(group)
        out += closer(lines) if in_table else _sentences(lines)
    return "".join(out)


def _sentences(lines: list[str]) -> list[str]:
    out: list[str] = []
    before = ""  # the line above, if it is a sentence
    for line in lines:
        words = unescape(line).split()
        if not words:
            out.append(line)
            before = ""
        elif before and len(unescape(before).rstrip()) + 1 + len(words[0]) > PRINTED_WIDTH:
            out[-1] = out[-1].removesuffix("</span>") + f"{line}</span>"
            before = line
        else:
            out.append(f'<span class="sentence{" inner" if line.startswith(" ") else ""}">{line}</span>')
            before = line
    return out


def closer(rows: list[str]) -> list[str]:
    """Mark the columns of blanks that all rows share, but one of each run, if the rows fit a phone without them.

    >>> closer(["  a" + 46 * " " + "b", "  1" + 45 * " " + "22"])[1].count('<span class="gap">')
    2
    >>> closer(["a  b", "1  2"])
    ['a  b', '1  2']
    """
    letters = [LETTER.findall(row.rstrip("\n")) for row in rows]
    width = max(map(len, letters))
    blank = [all(row[k : k + 1] in ([], [" "]) for row in letters) for k in range(width)]
    spare = {k for k in range(width) if blank[k] and (k == 0 or blank[k - 1])}
    if width <= PHONE_WIDTH or width - len(spare) > PHONE_WIDTH:
        return rows
    return [_without(row, spare) + "\n" * text.endswith("\n") for row, text in zip(letters, rows, strict=True)]


def _without(row: list[str], spare: set[int]) -> str:
    runs = groupby(range(len(row)), key=spare.__contains__)
    parts = ((gap, "".join(row[k] for k in places)) for gap, places in runs)
    return "".join(f'<span class="gap">{part}</span>' if gap else part for gap, part in parts)


def on_page_content(html: str, **_: Any) -> str:
    """Finish the printed output of one page."""
    return folding(html)
