"""Tables with intervals drawn beside them, as inline SVG: numbers stay text, and a bar is as wide as its column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from discreet.show.html import Html, element
from discreet.show.pictures.readings.estimate_rows import Row

Cells = Sequence[object]
PEOPLE = "people"
SHARE = "0 to 100%"
"""The name of a column of bars that reach from nobody to everybody of their row."""
_LEFT_OUT = (PEOPLE, "rows")
"""The heads of columns that a narrow screen leaves out."""
_FEW = 5
"""Columns up to which a narrow screen has room for bars beside the numbers; without them, the interval is read."""
_SHORT, _BRIEF = 24, 10
"""Characters of a key up to which it is not broken between its words; up to the second, on no screen."""


@dataclass(frozen=True, slots=True)
class Of:
    """A number of so many people, whose column a narrow screen leaves out: there they stand beside the number.

    One that is not to be quoted alone is doubted: its text is in brackets, and it stands quietly.
    """

    text: str
    whole: int
    doubted: bool = False

    def __str__(self) -> str:
        return self.text


def table(
    head: Cells,
    rows: Sequence[Cells],
    *,
    caption: str,
    numbers: Sequence[int] = (),
    drawn: bool = False,
    cards: bool = False,
) -> Html:
    """Return a table: `numbers` are columns of numbers; `cards` has one line for each cell where a screen is narrow."""

    def cell(value: object, column: int) -> Html:
        if isinstance(value, Html):
            return element("td", value, class_="drawn")
        length = len(str(value))
        look = "number" if column in numbers else "brief" if length <= _BRIEF else "short" if length <= _SHORT else ""
        look += " people" if head[column] in _LEFT_OUT else ""
        inside: list[object] = [value]
        if isinstance(value, Of):
            look += " quiet" if value.doubted else ""
            inside = [value.text, element("span", f" of {value.whole:,}", class_="of")]
        named = {"data_head": str(head[column])} if cards else {}
        tag, scope = ("td", {}) if column else ("th", {"scope": "row"})
        return element(tag, *inside, class_=look, **scope, **named)

    looks = ["people number" if name in _LEFT_OUT else "number" if k in numbers else "" for k, name in enumerate(head)]
    top = [element("th", name, scope="col", class_=look) for name, look in zip(head, looks, strict=True)]
    if drawn:
        top[-1] = element("th", head[-1], scope="col", class_="drawn")
    body = (element("tr", *(cell(value, k) for k, value in enumerate(row))) for row in rows)
    inside = element(
        "table", element("caption", caption), element("thead", element("tr", *top)), element("tbody", *body),
        class_="cards" if cards else "many" if drawn and len(head) > _FEW else "",
    )  # fmt: skip
    return element("div", inside, class_="scroll", tabindex="0", role="region", aria_label=caption)


def bar(
    low: float, high: float, value: float | None, most: float, least: float = 0.0, *, guess: float | None = None
) -> Html:
    """Draw an interval from `low` to `high`, a mark at `value` and a dot at `guess`, on a line from `least` to `most`.

    A reader of the screen has the numbers in the cells beside it, so the picture is hidden from it.

    >>> print(bar(2, 6, 4, 10))
    <svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">...</svg>
    """
    scale = (most - least) or 1.0

    def x(number: float) -> float:
        return 100 * (min(max(number, least), most) - least) / scale

    width = max(x(high) - x(low), 0.6)
    parts = [
        '<line class="track" x1="0" x2="100" y1="6" y2="6"/>',
        *(f'<line class="track" x1="{x}" x2="{x}" y1="3" y2="9"/>' for x in (0, 50, 100)),
        f'<rect class="span" x="{min(x(low), 99.4):.2f}" y="2" width="{width:.2f}" height="8"/>',
    ]
    if value is not None:
        parts.append(f'<line class="mark" x1="{x(value):.2f}" x2="{x(value):.2f}" y1="0" y2="12"/>')
    if guess is not None:  # a line of no length with round ends: a circle would be stretched with the column
        parts.append(f'<line class="guess" x1="{x(guess):.2f}" x2="{x(guess):.2f}" y1="6" y2="6"/>')
    return element(
        "svg", Html("".join(parts)), class_="bar", viewBox="0 0 100 12", preserveAspectRatio="none",
        aria_hidden="true", focusable="false",
    )  # fmt: skip


def total_table(
    rows: Sequence[Row],
    names: Sequence[str],
    *,
    caption: str,
    first: str = "",
    unit: str = PEOPLE,
) -> Html:
    """Totals or subtotals: keys or answers, people, unbiased estimate, interval, and the interval drawn.

    All bars have one scale, from 0 to all people of the row; where these are private, from 0 to the largest number.
    """
    answers, sized = any(row.answer for row in rows), any(row.n is not None for row in rows)
    head: list[object] = [*names, *(["answer"] if answers else [])] or [first]
    keys = len(head)
    most = max((row.most for row in rows), default=1.0)
    head += [*([unit] if sized else []), "estimate", "interval", SHARE if sized else scale_name(most)]
    body = [
        [
            *(_key(key) for key in row.keys), *([row.answer] if answers else []),
            *([] if row.keys or answers else [row.label]), *([f"{row.n:,}"] if sized else []),
            number(row.value, 1) if row.n is None else Of(number(row.value, 1), row.n),
            f"{number(row.low)} to {number(row.high)}",
            bar(row.low or 0.0, row.high or 0.0, row.value, most if row.n is None else row.n),
        ]
        for row in rows
    ]  # fmt: skip
    return table(head, body, caption=caption, numbers=range(keys, len(head) - 1), drawn=True)


def note(text: str) -> Html:
    """A paragraph in small letters."""
    return element("p", text, class_="note")


def scale_name(most: float) -> str:
    """The name of a column of bars: from where to where they reach."""
    return f"0 to {number(most)}"


def number(value: float | None, places: int = 0) -> str:
    """A number for a person; one that rounds to 0 has no sign.

    >>> number(1234.56, 1), number(-0.01, 1)
    ('1,234.6', '0.0')
    """
    text = f"{value or 0.0:,.{places}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text


def _key(value: Any) -> str:
    return "(none)" if value is None else str(value)
