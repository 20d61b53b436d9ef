"""Text for a terminal of 80 columns, or a wider one: tables, labels with text beside them, and folded paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from textwrap import wrap

WIDTH = 80
EVERY = 10**9
"""Rows of a table that is to be printed whole."""
_WIDEST = 120  # longer lines are hard to read
_columns: ContextVar[int] = ContextVar("columns", default=WIDTH)
_rows: ContextVar[int] = ContextVar("rows", default=12)


@contextmanager
def laid_out(columns: int = WIDTH, *, rows: int = 12) -> Iterator[None]:
    """Lay text out in this many columns while this lasts (80 at least, paragraphs 120 at most), tables in `rows`."""
    tokens = _columns.set(max(columns, WIDTH)), _rows.set(rows)
    try:
        yield
    finally:
        _columns.reset(tokens[0])
        _rows.reset(tokens[1])


def rows_shown() -> int:
    """How many rows of a long table are printed: few at a Python prompt, more on the command line."""
    return _rows.get()


def columns() -> int:
    """How many columns a table may have."""
    return _columns.get()


def spare() -> int:
    """How many columns beyond 80 a paragraph may have."""
    return min(columns(), _WIDEST) - WIDTH


def table(rows: Sequence[Sequence[object]], layout: str, *, gap: int = 1, indent: int = 2) -> list[str]:
    """Lay rows out in columns. `layout` gives each column's side and least width; a longer cell widens its column.

    >>> print(*table([("count", "n"), ("smokers", 8)], "<5 >3"), sep="\\n")
      count     n
      smokers   8
    """
    texts = [[str(cell) for cell in row] for row in rows]
    columns = [(part[0], int(part[1:] or 0)) for part in layout.split()]
    widths = [max(least, *(len(row[k]) for row in texts)) for k, (_, least) in enumerate(columns)]
    lines = []
    for row in texts:
        cells = (f"{cell:{side}{width}}" for cell, (side, _), width in zip(row, columns, widths, strict=True))
        lines.append((" " * indent + (" " * gap).join(cells)).rstrip())
    return lines


def folded(text: str, *, width: int = WIDTH, first: str = "", later: str = "") -> list[str]:
    """Fold a paragraph between its words, to `width` columns of 80 (and more on a wider terminal: `laid_out`)."""
    return wrapped(text, width + spare(), first=first, later=later)


def wrapped(text: str, width: int, *, first: str = "", later: str = "") -> list[str]:
    """Fold a paragraph between its words to so many columns; a longer word stays whole, to be copied."""
    return wrap(
        text, width, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
    )


def beside(label: str, text: str, *, width: int = WIDTH) -> list[str]:
    """Fold text beside a label, its later lines under the first; text in quotes is not broken.

    >>> print(*beside("  code  ", 'dc.design(n=8, properties="WH CM")', width=24), sep="\\n")
      code  dc.design(n=8,
            properties="WH CM")
    """
    joined = re.sub(r'"[^"]*"', lambda quoted: quoted[0].replace(" ", "\xa0"), text)
    lines = folded(joined, width=width, first=label, later=" " * len(label))
    return [line.replace("\xa0", " ") for line in lines]
