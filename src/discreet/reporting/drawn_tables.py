"""Tables with intervals drawn beside them, as inline SVG: numbers stay text, and a bar is as
wide as its column.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from discreet.reading.quoting.interval_kinds import NONE, WIDENED, from_to
from discreet.show.html import Html, element
from discreet.show.pictures.readings.estimate_rows import Row
from discreet.show.pictures.readings.round_ends import round_end

Cells = Sequence[object]
PEOPLE = "people"
_LEFT_OUT = (PEOPLE, "rows")
"""The heads of columns that a narrow screen leaves out."""
_SHORT, _BRIEF = 24, 10
"""Characters of a key up to which it is not broken between its words; up to the second, on no
screen.
"""


@dataclass(frozen=True, slots=True)
class Of:
    """An interval of so many people, whose column a narrow screen leaves out: there they stand
    beside it.
    """

    text: str
    whole: int

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """What the columns of numbers are called, with how many decimals a number is shown, and where
    its scale ends.

    A scale goes from nobody to a round share of the people of a row, or to all of them: in shares,
    or in people where all groups have one size, as `counts` says. Of sums whose sizes are private
    nobody knows how many "everybody" is: theirs ends at a round number.
    """

    number: str
    interval: str
    unit: str = PEOPLE
    places: int = 0
    end: float = 1.0
    counts: bool = False

    def drawn_for(self, rows: Sequence[Row]) -> Heads:
        """The same with a scale for all these rows, of private sizes, that ends at a round
        number.
        """
        return replace(self, end=round_end(max((row.most for row in rows), default=1.0)))

    def up_to(self, people: int) -> Heads:
        """The same with a scale from nobody to so many people."""
        return replace(self, end=float(people), counts=True)

    def counting(self, groups: Iterable[list[Row]]) -> Heads:
        """The same with a scale of people, up to the same share, if all these groups have one
        size that is public.
        """
        (one, *others) = {row.n for rows in groups for row in rows}
        return self if others or not one else self.up_to(math.ceil(one * self.end - 1e-9))


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
        look = (
            "number"
            if column in numbers
            else "brief"
            if length <= _BRIEF
            else "short"
            if length <= _SHORT
            else ""
        )
        look += " people" if head[column] in _LEFT_OUT else " strong" if column == strong else ""
        inside: list[object] = [value]
        if isinstance(value, Of):
            inside = [value.text, element("span", f" of {value.whole:,}", class_="of")]
        named = {"data_head": str(head[column])} if cards else {}
        tag, scope = ("td", {}) if column else ("th", {"scope": "row"})
        return element(tag, *inside, class_=look, **scope, **named)

    looks = [
        "people number" if name in _LEFT_OUT else "number" if k in numbers else ""
        for k, name in enumerate(head)
    ]
    top = [
        element("th", name, scope="col", class_=look)
        for name, look in zip(head, looks, strict=True)
    ]
    if drawn:
        ends = [element("span", each) for each in str(head[-1]).split(" to ")]
        top[-1] = element("th", element("span", *ends, class_="axis"), scope="col", class_="drawn")
    body = (element("tr", *(cell(value, k) for k, value in enumerate(row))) for row in rows)
    look = "cards" if cards else "barred" if drawn else ""
    return framed(caption, element("tr", *top), body, look=look, titled=titled)


def framed(
    caption: str, top: Html, body: Iterable[Html], *, look: str = "", titled: bool = True
) -> Html:
    """A table of rows in a frame that a keyboard can reach, should it ever have to be moved
    sideways.
    """
    title = element("caption", caption, class_="" if titled else "unseen")
    inside = element("table", title, element("thead", top), element("tbody", *body), class_=look)
    return element("div", inside, class_="scroll", tabindex="0", role="region", aria_label=caption)


def bar(
    low: float,
    high: float,
    value: float | None,
    most: float,
    least: float = 0.0,
    *,
    pale: bool = False,
) -> Html:
    """Draw an interval from `low` to `high` and a mark at `value`, on a line from `least` to
    `most`.

    One that says next to nothing is `pale`.

    Where the line begins below 0, a dark upright marks 0: it is as high as its row, so that rows
    make one line of it.

    A reader of the screen has the numbers in the cells beside it, so the picture is hidden from it.

    >>> print(bar(2, 6, 4, 10))
    <svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true"
    focusable="false">...</svg>
    """
    scale = (most - least) or 1.0

    def x(number: float) -> float:
        return 100 * (min(max(number, least), most) - least) / scale

    width = max(x(high) - x(low), 0.6)
    look = "span pale" if pale else "span"
    parts = [
        '<line class="track" x1="0" x2="100" y1="6" y2="6"/>',
        *(f'<line class="track" x1="{x}" x2="{x}" y1="3" y2="9"/>' for x in (0, 50, 100)),
        f'<rect class="{look}" x="{min(x(low), 99.4):.2f}" y="3" width="{width:.2f}" height="6"/>',
    ]
    if least < 0 < most:
        parts.append(f'<line class="zero" x1="{x(0):.2f}" x2="{x(0):.2f}" y1="-5.6" y2="17.8"/>')
    if value is not None:
        # thin, so that a short interval is seen beside it
        parts.append(
            f'<line class="mark" x1="{x(value):.2f}" x2="{x(value):.2f}" y1="-1" y2="13"/>'
        )
    return element(
        "svg",
        Html("".join(parts)),
        class_="bar",
        viewBox="0 0 100 12",
        preserveAspectRatio="none",
        aria_hidden="true",
        focusable="false",
    )


def key(said: str, rows: Iterable[Row]) -> Html:
    """What bars are, and how those look that are not to be quoted with a number, if there are
    any.
    """
    found = list(rows)
    alone = any(row.doubted and not row.says_little for row in found)
    shown = [
        (alone, bar(15, 85, None, 100), "the interval alone"),
        (
            any(row.says_little for row in found),
            bar(0, 100, None, 100, pale=True),
            "too wide to say much",
        ),
    ]
    shown = (
        [(True, bar(15, 85, 45, 100), "interval and number"), *shown]
        if any(has for has, *_ in shown)
        else []
    )
    swatches = (
        element("span", element("span", drawn, class_="swatch"), words)
        for has, drawn, words in shown
        if has
    )
    drawn = [element("span", *swatches, class_="key")] if any(has for has, *_ in shown) else []
    return element("p", said, *drawn, class_="note")


def number_table(
    rows: Sequence[Row], names: Sequence[str], heads: Heads, *, caption: str, titled: bool = True
) -> Html:
    """Numbers with their intervals: keys or answers, people, the interval, the number, and both
    drawn.

    All bars have one scale, from 0 to `heads.end`: all of the row's people, as a share or as a
    number of them.
    """
    answers, sized = any(row.answer for row in rows), any(row.n is not None for row in rows)
    head: list[object] = [*names, *(["answer"] if answers else [])] or ["what"]
    keys = len(head)
    end, shares = heads.end, sized and not heads.counts
    ends = [end * (row.n or 1) if shares else end for row in rows]
    scale = (
        scale_text(end, share_text)
        if shares
        else scale_text(end, lambda each: f"{each:,.10g}", whole=heads.counts)
    )
    head += [*([heads.unit] if sized else []), heads.interval, heads.number, scale]
    body = [
        [
            *map(key_text, row.keys),
            *([row.answer] if answers else []),
            *([] if names or answers else [row.label]),
            *([f"{row.n or 0:,}"] if sized else []),
            span(row) if row.n is None else Of(span(row), row.n),
            quoted(row, heads),
            _bar(row, most),
        ]
        for row, most in zip(rows, ends, strict=True)
    ]
    end = len(head) - 1
    return table(
        head,
        body,
        caption=caption,
        numbers=range(keys, end),
        drawn=True,
        titled=titled,
        strong=end - 2,
    )


def _bar(row: Row, most: float) -> Html:
    return bar(
        row.low or 0.0,
        row.high or 0.0,
        None if row.doubted else row.value,
        most,
        pale=row.says_little,
    )


def quoted(row: Row, heads: Heads) -> str:
    """A number as its cell shows it: a dash where the interval alone is to be quoted."""
    return NONE if row.doubted else number(row.value, heads.places)


def span(row: Row) -> str:
    """The interval of a number, with a mark if it was widened."""
    return f"{from_to(number(row.low), number(row.high))}{WIDENED if row.widened else ''}"


def note(text: str) -> Html:
    """A paragraph in small letters."""
    return element("p", text, class_="note")


def scale_text(end: float, shown: Callable[[float], str], *, whole: bool = False) -> str:
    """The marks of a scale from 0: its middle, unless that should be `whole` and is not, and its
    end.

    >>> scale_text(0.4, share_text), scale_text(7, str, whole=True)
    ('0 to 20% to 40%', '0 to 7')
    """
    middle = f" to {shown(end / 2)}" if not whole or end % 2 == 0 else ""
    return f"0{middle} to {shown(end)}"


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
