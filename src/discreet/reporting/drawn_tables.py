"""Tables with intervals drawn beside them, as inline SVG: numbers stay text, and a bar is as wide as its column."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from discreet.reading.quoting.interval_kinds import MOVED
from discreet.reading.quoting.interval_kinds import says_little as number_says_little
from discreet.show.html import Html, element
from discreet.show.pictures.readings.estimate_rows import Row

Cells = Sequence[object]
PEOPLE = "people"
_LEFT_OUT = (PEOPLE, "rows")
"""The heads of columns that a narrow screen leaves out."""
_ROUND = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
"""Where a scale may end, times a power of ten."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """What the columns of numbers are called, with how many decimals a number is shown, and where its scale ends.

    Of single groups the interval is what to quote, so it stands `first`.
    """

    number: str
    interval: str
    unit: str = PEOPLE
    places: int = 0
    end: float = 1.0
    first: bool = False

    def drawn_for(self, groups: Iterable[list[Row]]) -> Heads:
        """The same, with one scale for all these groups."""
        return replace(self, end=scale_end(row for rows in groups for row in rows))


def table(
    head: Cells,
    rows: Sequence[Cells],
    *,
    caption: str,
    numbers: Sequence[int] = (),
    drawn: bool = False,
    cards: bool = False,
    titled: bool = True,
    strong: int | None = None,
) -> Html:
    """Return a table: `numbers` are columns of numbers, and `strong` is one in bold.

    `cards` has one line for each cell where a screen is narrow.
    One that is not `titled` stands below a line that says the same as its caption.
    """

    def cell(value: object, column: int) -> Html:
        if isinstance(value, Html):
            return element("td", value, class_="drawn")
        length = len(str(value))
        look = "number" if column in numbers else "brief" if length <= _BRIEF else "short" if length <= _SHORT else ""
        look += " people" if head[column] in _LEFT_OUT else " strong" if column == strong else ""
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
        ends = [element("span", each) for each in str(head[-1]).split(" to ")]
        top[-1] = element("th", element("span", *ends, class_="axis"), scope="col", class_="drawn")
    body = (element("tr", *(cell(value, k) for k, value in enumerate(row))) for row in rows)
    look = "cards" if cards else "barred" if drawn else ""
    return framed(caption, element("tr", *top), body, look=look, titled=titled)


def framed(caption: str, top: Html, body: Iterable[Html], *, look: str = "", titled: bool = True) -> Html:
    """A table of rows in a frame that a keyboard can reach, should it ever have to be moved sideways."""
    title = element("caption", caption, class_="" if titled else "unseen")
    inside = element("table", title, element("thead", top), element("tbody", *body), class_=look)
    return element("div", inside, class_="scroll", tabindex="0", role="region", aria_label=caption)


def bar(low: float, high: float, value: float | None, most: float, least: float = 0.0) -> Html:
    """Draw an interval from `low` to `high` and a mark at `value`, on a line from `least` to `most`.

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
        f'<rect class="span" x="{min(x(low), 99.4):.2f}" y="3" width="{width:.2f}" height="6"/>',
    ]
    if value is not None:
        # the halo keeps it apart from the end of the bar, where a number may well stand
        place = f'x1="{x(value):.2f}" x2="{x(value):.2f}" y1="-1" y2="13"'
        parts += [f'<line class="halo" {place}/>', f'<line class="mark" {place}/>']
    return element(
        "svg", Html("".join(parts)), class_="bar", viewBox="0 0 100 12", preserveAspectRatio="none",
        aria_hidden="true", focusable="false",
    )  # fmt: skip


def number_table(rows: Sequence[Row], names: Sequence[str], heads: Heads, *, caption: str, titled: bool = True) -> Html:
    """Numbers with their intervals: keys or answers, people, the number, its interval, and the interval drawn.

    All bars have one scale, from 0 to `heads.end`: a share of the row's people, or a number where these are private.
    """
    answers, sized = any(row.answer for row in rows), any(row.n is not None for row in rows)
    head: list[object] = [*names, *(["answer"] if answers else [])] or ["what"]
    keys = len(head)
    end = heads.end
    scale = scale_text(end, share_text) if sized else scale_text(end, lambda each: f"{each:,.10g}")
    order = (1, 0) if heads.first else (0, 1)
    head += [*([heads.unit] if sized else []), *((heads.number, heads.interval)[place] for place in order), scale]
    body = [
        [
            *map(key_text, row.keys), *([row.answer] if answers else []),
            *([] if names or answers else [row.label]), *([f"{row.n or 0:,}"] if sized else []),
            *((quoted(row, heads), span(row))[place] for place in order),
            bar(row.low or 0.0, row.high or 0.0, row.value, end if row.n is None else end * row.n),
        ]
        for row in rows
    ]  # fmt: skip
    numbers, strong = range(keys, len(head) - 1), len(head) - 3 if heads.first else None
    return table(head, body, caption=caption, numbers=numbers, drawn=True, titled=titled, strong=strong)


def quoted(row: Row, heads: Heads) -> object:
    """A number as its cell shows it: with its people, in brackets where it says too little, marked where it moved."""
    text = number(row.value, heads.places) + (MOVED if row.moved else "")
    if row.n is None:
        return text
    doubt = says_little(row)
    return Of(f"({text})" if doubt else text, row.n, doubted=doubt)


def says_little(row: Row) -> bool:
    """Whether a number is not to be quoted alone."""
    return row.n is not None and bool(number_says_little(row.value, row.low or 0.0, row.high or 0.0, row.n))


def span(row: Row) -> str:
    """The interval of a number."""
    return f"{number(row.low)} to {number(row.high)}"


def note(text: str) -> Html:
    """A paragraph in small letters."""
    return element("p", text, class_="note")


def scale_end(rows: Iterable[Row]) -> float:
    """Where the scale of a table ends: at a round number that no interval exceeds, a share where sizes are public."""
    every = list(rows)
    if all(row.n is None for row in every):
        return round_end(max((row.most for row in every), default=1.0))
    return min(round_end(max((row.most / row.n for row in every if row.n), default=1.0)), 1.0)


def round_end(most: float) -> float:
    """The least round number that is not below a number.

    >>> round_end(0.31), round_end(17), round_end(0.1), round_end(0)
    (0.4, 20.0, 0.1, 1.0)
    """
    if most <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return float(next((f"{each * power:.12g}" for each in _ROUND if each * power >= most * (1 - 1e-9)), 10 * power))


def scale_text(end: float, shown: Callable[[float], str]) -> str:
    """The marks of a scale from 0: its middle and its end.

    >>> scale_text(0.4, share_text)
    '0 to 20% to 40%'
    """
    return f"0 to {shown(end / 2)} to {shown(end)}"


def share_text(share: float) -> str:
    """A round share in percent.

    >>> share_text(0.4), share_text(0.015)
    ('40%', '1.5%')
    """
    return f"{100 * share:.10g}%"


def number(value: float | None, places: int = 0) -> str:
    """A number for a person; one that rounds to 0 has no sign.

    >>> number(1234.56, 1), number(-0.01, 1)
    ('1,234.6', '0.0')
    """
    text = f"{value or 0.0:,.{places}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text


def key_text(value: Any) -> str:
    """A key as text; one that is missing is said to be."""
    return "(none)" if value is None else str(value)
