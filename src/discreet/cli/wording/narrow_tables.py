"""Tables that are wider than the terminal: columns closer together, and long words of a row below
each other.

What is printed is laid out for 80 columns. On a narrower terminal a row would otherwise go on at
the left edge, and its numbers would stand below no heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from discreet.show.text import gathered, spread, wrapped

_APART = re.compile(r"\S {2,}\S")
_GAP, _HANGING = 2, 2


def narrowed(lines: Sequence[str], width: int) -> list[str]:
    """The same lines, with tables that are too wide made narrower where that is possible.

    >>> table = [
    ...     "mechanism                      right  off by",
    ...     "usual noise                    32.9%    2.03",
    ...     "no farther answer likelier     31.9%    2.00",
    ... ]
    >>> print(*narrowed(table, 32), sep="\\n")
    mechanism          right  off by
    usual noise        32.9%    2.03
    no farther answer  31.9%    2.00
      likelier
    """
    found: list[str] = []
    for apart, some in groupby(
        map(spread, lines), key=lambda line: _APART.search(line) is not None
    ):
        run = list(some)
        wide = apart and len(run) > 1 and max(map(len, run)) > width
        found += (_closer(run, width) or run) if wide else run
    return [gathered(line) for line in found]


def _closer(rows: Sequence[str], width: int) -> list[str]:
    """The rows in so many columns; none if that cannot be, or if they have no columns in common."""
    spans = _spans(rows)
    if len(spans) < 2:
        return []
    cells = [[row[start:end].rstrip() for start, end in spans] for row in rows]
    indent = spans[0][0]
    gaps = [min(_GAP, later[0] - earlier[1]) for earlier, later in pairwise(spans)]
    sizes = [end - start for start, end in spans]
    to_right = [_to_right(rows, span) for span in spans]
    over = indent + sum(sizes) + sum(gaps) - width
    for place in sorted(range(len(spans)), key=lambda place: -sizes[place]):
        if over <= 0:
            break
        least = _least([row[place] for row in cells], _HANGING * (not to_right[place]))
        less = min(over, max(0, sizes[place] - least))
        sizes[place], over = sizes[place] - less, over - less
    if over > 0:
        return []
    return [line for row in cells for line in _row(row, sizes, gaps, to_right, indent)]


def _spans(rows: Sequence[str]) -> list[tuple[int, int]]:
    """Where the columns of these rows are: parted by two spaces or more in every row."""
    longest = max(map(len, rows))
    taken = "".join(
        " " if all(row[k : k + 1] in ("", " ") for row in rows) else "x" for k in range(longest)
    )
    return [found.span() for found in re.finditer(r"x+(?: x+)*", taken)]


def _least(column: Sequence[str], hanging: int) -> int:
    """The least width of a column in which no word is broken, and the rest of a cell is
    `hanging` below its start.
    """
    words = [(cell, place, word) for cell in column for place, word in enumerate(cell.split())]
    return max(
        (len(word) + _indent(cell) + (hanging if place else 0) for cell, place, word in words),
        default=1,
    )


def _indent(cell: str) -> int:
    return len(cell) - len(cell.lstrip(" "))


def _to_right(rows: Sequence[str], span: tuple[int, int]) -> bool:
    """Whether a column ends at the right in every row, and not also begins at the left: numbers,
    and their heading.
    """
    cells = [
        row[slice(*span)].ljust(span[1] - span[0]) for row in rows if row[slice(*span)].strip()
    ]
    return all(cell[-1] != " " for cell in cells) and any(cell[0] == " " for cell in cells)


def _row(
    cells: Sequence[str],
    sizes: Sequence[int],
    gaps: Sequence[int],
    to_right: Sequence[bool],
    indent: int,
) -> Iterator[str]:
    """The lines of one row."""
    parts = [
        _in_column(cell, size, right=right)
        for cell, size, right in zip(cells, sizes, to_right, strict=True)
    ]
    for place in range(max(map(len, parts))):
        line = " " * indent
        for column, size, gap in zip(parts, sizes, [*gaps, 0], strict=True):
            line += (column[place] if place < len(column) else "").ljust(size) + " " * gap
        yield line.rstrip()


def _in_column(cell: str, size: int, *, right: bool) -> list[str]:
    """One cell in so many columns."""
    if right:
        return [spread(part).rjust(size) for part in wrapped(gathered(cell.strip()), size)] or [""]
    first = " " * _indent(cell)
    later = first + " " * _HANGING
    if len(cell) <= size:
        return [cell]
    return [
        spread(part) for part in wrapped(gathered(cell.strip()), size, first=first, later=later)
    ]
