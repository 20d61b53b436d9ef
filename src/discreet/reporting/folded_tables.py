"""Long tables in pieces that a reader opens: by the first key, or in runs of neighbours, each with
what is in it.

A piece is a `details` element, so it needs no script, a browser's search opens it, and paper shows
it open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from discreet.reporting.drawn_tables import key_text
from discreet.show.html import Html, element
from discreet.show.pictures.readings.estimate_rows import Row, key_words

FEW = 20
"""Lines up to which a table is shown as it is."""
SHOWN, NOISY_SHOWN = 10_000, 20
"""Groups of a table on the page, and of one that is too noisy. The spreadsheet and the CSV file
have all.
"""
_MOST_PIECES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Some groups of a table: what they have in common, the rows of each, and the keys that
    still tell them apart.
    """

    title: str
    names: tuple[str, ...]
    groups: list[list[Row]]


def folded(title: str, more: str, *inside: Html, open_: bool = False) -> Html:
    """Put something behind a line that says what it is, and how much of it."""
    line = element("summary", title, element("span", f" {more}", class_="quiet"))
    return element("details", line, *inside, open="open" if open_ else "")


def in_groups(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each group: one, or one for each answer."""
    return [list(found) for _, found in groupby(rows, key=lambda row: row.keys)]


def pieces(names: Sequence[str], groups: Sequence[list[Row]], lines: int) -> list[Piece]:
    """A table of groups, each of so many lines, in pieces: one where it is short.

    >>> rows = [[Row(keys=(place, k), value=1)] for place in ("east", "west") for k in range(15)]
    >>> [(piece.title, piece.names, len(piece.groups)) for piece in pieces(["place", "k"], rows, 1)]
    [('place east', ('k',), 15), ('place west', ('k',), 15)]
    >>> [piece.title for piece in pieces(["place", "k"], rows[:15], 2)]
    ['east, 0 to east, 9', 'east, 10 to east, 14']
    """
    if len(groups) * lines <= FEW or not names:
        return [Piece(title="", names=tuple(names), groups=list(groups))]
    firsts = [
        (key, list(found)) for key, found in groupby(groups, key=lambda group: group[0].keys[0])
    ]
    if (
        len(names) > 1
        and 1 < len(firsts) <= _MOST_PIECES
        and len(firsts) == len({str(key) for key, _ in firsts})
    ):
        return [
            Piece(
                title=_called(names[0], key_text(key)),
                names=tuple(names[1:]),
                groups=[_within(group) for group in found],
            )
            for key, found in firsts
        ]
    each = max(FEW // lines, 5, -(-len(groups) // _MOST_PIECES))
    return [
        Piece(
            title=_from_to(groups[k : k + each]),
            names=tuple(names),
            groups=list(groups[k : k + each]),
        )
        for k in range(0, len(groups), each)
    ]


def _called(name: str, key: str) -> str:
    """A key with the name of its column, unless it begins with that.

    >>> _called("region", "East"), _called("year", "year 05")
    ('region East', 'year 05')
    """
    return key if key.casefold().startswith(name.casefold()) else f"{name} {key}"


def _within(group: list[Row]) -> list[Row]:
    return [replace(row, keys=row.keys[1:]) for row in group]


def _from_to(groups: Sequence[list[Row]]) -> str:
    first, last = (key_words(group[0].keys) for group in (groups[0], groups[-1]))
    return first if len(groups) == 1 else f"{first} to {last}"
