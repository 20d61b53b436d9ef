"""For the site: columns of figures are set to the right. On a phone a table of sentences is shown as a list, each cell
under the head of its column.

In the appendix a long table is folded there: `site.js` closes it on a narrow screen, and a line says what is in it.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

TABLE = re.compile(r"<table>(.*?)</table>", re.DOTALL)
ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<(t[hd])( [^>]*)?>(.*?)</\1>", re.DOTALL)
COLUMNS = 3
"""Tables of fewer columns fit a phone."""
LETTERS = 110
"""A row with more letters than this would be many lines high and a word wide."""
NUMBER = r"[-+±−<≤>≥~]?\d[\d,./]*(?:e-?\d+)?(?: ?(?:%|x|ms|s|kB|MB|MiB|GiB))?"
FIGURE = re.compile(rf"{NUMBER}(?:(?: to | / |, ){NUMBER})?(?: \({NUMBER}\))?|[-—]?|none|no estimate")
"""What a column of figures consists of: a number with its unit or two of them, maybe one in brackets; or nothing, said
or not."""
LONG_ROWS, LONG_CELLS, LONG_LETTERS = 12, 100, 1_500
"""A table with more rows, cells or letters is higher than two screens of a phone."""


def aligned(html: str) -> str:
    """Set columns of figures to the right, heads too; what stands in the first column is a name.

    >>> aligned("<table><tr><th>n</th><th>time</th></tr><tr><td>2</td><td>3 ms</td></tr></table>")
    '<table><tr><th>n</th><th class="figures">time</th></tr><tr><td>2</td><td class="figures">3 ms</td></tr></table>'
    """
    return TABLE.sub(lambda table: _aligned(table[0]), html)


def _aligned(table: str) -> str:
    heads, *rows = ([_words(cell[2]) for cell in CELL.findall(row)] for row in ROW.findall(table))
    columns = list(zip(*rows, strict=False))
    figures = {k for k, column in enumerate(columns) if k and any(column) and all(map(FIGURE.fullmatch, column))}

    def row(found: re.Match[str]) -> str:
        places = iter(range(len(heads)))
        return f"<tr>{CELL.sub(lambda cell: _figure(cell) if next(places, 0) in figures else cell[0], found[1])}</tr>"

    return ROW.sub(row, table) if figures else table


def _figure(cell: re.Match[str]) -> str:
    return f'<{cell[1]} class="figures"{cell[2] or ""}>{cell[3]}</{cell[1]}>'


def stacked(html: str) -> str:
    """Mark the tables of sentences, and give each of their cells the head of its column.

    >>> stacked("<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>")
    '<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>'
    """
    return TABLE.sub(lambda table: _stacked(table[0]), html)


def _stacked(table: str) -> str:
    rows = [[_words(cell[2]) for cell in CELL.findall(row)] for row in ROW.findall(table)]
    if len(rows[0]) < COLUMNS or max(len("".join(row)) for row in rows) <= LETTERS:
        return table

    def row(found: re.Match[str]) -> str:
        heads = iter(rows[0])
        return f'<tr role="row">{CELL.sub(lambda cell: _labelled(cell, next(heads, "")), found[1])}</tr>'

    return ROW.sub(row, table).replace("<table>", '<table role="table" data-stacked>', 1)


def folded(html: str) -> str:
    """Let long tables be folded, unless they stand in something that is folded already.

    >>> row = "<tr><td>1</td></tr>"
    >>> folded("<table><tr><th>size</th></tr>" + 13 * row + "</table>").partition("</summary>")[0]
    '<details class="long" open><summary>A table of 13 rows: size'
    >>> folded("<table>" + 3 * row + "</table>") == "<table>" + 3 * row + "</table>"
    True
    """

    def fold(table: re.Match[str]) -> str:
        before = html[: table.start()]
        rows = [[_words(cell[2]) for cell in CELL.findall(row)] for row in ROW.findall(table[0])]
        letters = sum(len(cell) for row in rows for cell in row)
        inside = before.count("<details") > before.count("</details>")
        short = len(rows) <= LONG_ROWS and sum(map(len, rows)) <= LONG_CELLS and letters <= LONG_LETTERS
        if inside or short:
            return table[0]
        heads = ", ".join(filter(None, rows[0]))
        about = f"A table of {len(rows) - 1} rows" + (f": {escape(heads)}" if heads else "")
        return f'<details class="long" open><summary>{about}</summary>{table[0]}</details>'

    return TABLE.sub(fold, html)


def _labelled(cell: re.Match[str], head: str) -> str:
    kind, attributes, text = cell[1], cell[2] or "", cell[3]
    if kind == "th":
        return cell[0]  # with a role of its own the theme takes it for one that sorts, and makes room for an arrow
    return f'<td{attributes} role="cell" data-head="{escape(head)}">{text}</td>'


def _words(cell: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", cell)).strip()


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Finish the tables of one page."""
    appendix = any(part.title == "Appendix" for part in page.ancestors)
    html = aligned(html)
    return stacked(folded(html) if appendix else html)
