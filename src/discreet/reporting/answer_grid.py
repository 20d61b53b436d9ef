"""Many groups of a question with a few answers: a row for each group and a column for each answer.

Each cell has the interval, with the number below it, or a dash where the interval alone is to be
quoted. A narrow screen has the group above its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from discreet.reporting.drawn_tables import Heads, framed, key_text, quoted, span
from discreet.show.html import Html, element
from discreet.show.pictures.readings.estimate_rows import Row

_ANSWERS, _WORD, _LONGEST, _ROOM = 6, 11, 26, 48
"""Answers that have room beside each other on a phone, the letters of a word and of an answer,
and letters in all.
"""


def fits(answers: Sequence[str]) -> bool:
    """Whether a column for each answer has room.

    >>> fits(["yes", "no", "maybe"]), fits(["incomprehensible", "clear"])
    (True, False)
    """
    if not 1 < len(answers) <= _ANSWERS:
        return False
    word = max((len(word) for answer in answers for word in answer.split()), default=0)
    return word <= min(_WORD, _ROOM // len(answers)) and all(
        len(answer) <= _LONGEST for answer in answers
    )


def grid(
    groups: Sequence[list[Row]],
    names: Sequence[str],
    heads: Heads,
    *,
    caption: str,
    titled: bool = True,
) -> Html:
    """The table of some groups."""
    sized = groups[0][0].n is not None
    top = [element("th", ", ".join(names), scope="col", class_="group")]
    if sized:
        top.append(element("th", heads.unit, scope="col", class_="number people"))
    top += [
        element("th", row.answer, element("small", heads.interval), scope="col", class_="number")
        for row in groups[0]
    ]
    body = []
    for rows in groups:
        n = rows[0].n
        of = [element("span", f" of {n:,}", class_="of")] if n is not None else []
        cells = [
            element("th", ", ".join(map(key_text, rows[0].keys)), *of, scope="row", class_="group")
        ]
        if n is not None:
            cells.append(element("td", f"{n:,}", class_="number people"))
        body.append(element("tr", *cells, *(_cell(row, heads) for row in rows)))
    return framed(
        caption, element("tr", *top), body, look=f"grid of-{len(groups[0])}", titled=titled
    )


def _cell(row: Row, heads: Heads) -> Html:
    return element(
        "td",
        element("span", span(row), class_="strong"),
        element("small", quoted(row, heads)),
        class_="number",
    )
