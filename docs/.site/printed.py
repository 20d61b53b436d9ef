"""For the site: on a phone, sentences of printed output are folded anew, tables are set close if they then fit, and
long lines of Python and long commands go on below, further in.
"""

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
LETTER = re.compile(r"&#?\w+;|.")
TYPED = re.compile(
    r'(<div class="language-(?:py(?:thon|con)|console|powershell)\b[^"]*"><pre>(?:<span></span>)?<code>)(.*?)(</code>)',
    re.DOTALL,
)
TAG = re.compile(r"<[^>]*>")
OPENED, CLOSED = re.compile(r"<[a-z]"), re.compile(r"</[a-z]")
WORD = re.compile(r"(?:(?<=[\s>])--[a-z-]+ (?=\w))?(?:<[^>]*>|[^\s<])+(?: \\(?=</|\n))?")
"""A word, or an option and its value; and the backslash at the end of a line."""
WITHIN = re.compile(r"((?:<[a-z][^>]*>)*)(.*?)((?:</[a-z]+>)*)")
LONGEST = 32
"""A longer word may be broken: it might not fit on a line of a phone."""


def folding(html: str) -> str:
    """Mark the sentences in printed output, so that a phone can fold them, and what room in tables it can do without.

    A line goes on in the next one if the first word of that did not fit any more.
    """
    return PRINTED.sub(lambda found: f"{found[1]}{_marked(found[2])}{found[3]}", html)


def _marked(printed: str) -> str:
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


def hanging(html: str) -> str:
    """Mark every line of what is typed with how far in it begins, so that a phone can break it between words.

    >>> hanging('<div class="language-python highlight"><pre><span></span><code>f(\\n  1)</code></pre></div>')[63:]
    '<span class="row" style="--in: 0">f(</span>\\n<span class="row" style="--in: 2">  1)</span></code></pre></div>'
    """

    def rows(found: re.Match[str]) -> str:
        lines = found[2] if "language-py" in found[1] else WORD.sub(_unbroken, found[2])
        return found[1] + "\n".join(map(_row, lines.split("\n"))) + found[3]

    return TYPED.sub(rows, html)


def _row(line: str) -> str:
    text = TAG.sub("", line)
    if not text.strip() or not _balanced(line):
        return line
    return f'<span class="row" style="--in: {len(text) - len(text.lstrip())}">{line}</span>'


def _balanced(piece: str) -> bool:
    return len(OPENED.findall(piece)) == len(CLOSED.findall(piece))


def _unbroken(word: re.Match[str]) -> str:
    """Keep a word with a hyphen in it, an option and its value, or the last word and its backslash on one line."""
    before, inner, after = ("", word[0], "") if _balanced(word[0]) else WITHIN.fullmatch(word[0]).groups()  # type: ignore[union-attr]
    short = len(unescape(TAG.sub("", inner))) <= LONGEST
    kept = re.search(r"-| \\$", TAG.sub("", inner)) and short and _balanced(inner)
    return f'{before}<span class="whole">{inner}</span>{after}' if kept else word[0]


def on_page_content(html: str, **_: Any) -> str:
    """Finish the code, the commands and the printed output of one page."""
    return hanging(folding(html))
