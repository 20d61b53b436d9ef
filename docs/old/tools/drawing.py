"""Small pictures as plain SVG for the documentation, on white: letters, lines and margins are those of its charts.

A picture is as wide as a phone or as a page. Those of a phone's width stand two in a row on a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from discreet.show.pictures.theme import LETTERS
from discreet.show.typeface.faces import FONT, with_letters

INK, QUIET, GRID, BASE = "#222222", "#444444", "#e6e6e6", "#666666"
"""Of words, of the line below a title, of the lines of a scale and of the one at its foot: those of charts."""
TITLES, LINES = {False: 15.0, True: 17.0}, {False: 12.5, True: LETTERS}
"""Pixels of a title and of all other letters, for a phone and for a page: as in charts (`tools.narrowing`)."""
WARNS, PLAIN = "#A8201A", "#595959"
"""Of what is wrong or secret, and of what is neither, with a contrast of 4.5 to 1 on white.

Neither has the hue of a mechanism of the paper. A picture of a mechanism takes its colour from `discreet.show.colours`.
"""
YES, NO = "#0b7a85", "#c2680a"
"""Of the two answers, as in the story that the studio opens with and in the figures of docs/site.css."""
WIDE, PAGE, PAGE_LEFT = 352, 688, 26
"""How wide a picture is for a phone and for a page, and where the words of the latter begin, as those of charts do."""


def svg(high: float, parts: Iterable[str], *, wide: float = WIDE) -> str:
    """A picture of these parts, on white, with the letters of its words."""
    size = f'viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}" fill="{INK}">'
    drawn = "\n".join([head, rect(0, 0, wide, high, fill="#ffffff"), *parts, "</svg>", ""])
    return with_letters(drawn) if "<text" in drawn else drawn


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: float = LINES[False],
    at: str = "start",
    fill: str = INK,
    bold: bool = False,
) -> str:
    """Some words; `at` says which part of them stands at x."""
    weight = ' font-weight="600"' if bold else ""
    anchor = "" if at == "start" else f' text-anchor="{at}"'
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{anchor}{weight} fill="{fill}">{escape(words)}</text>'


def rect(x: float, y: float, wide: float, high: float, *, fill: str, stroke: str = "", corner: float = 0) -> str:
    """A filled rectangle, whose corners may be round."""
    border = (f' stroke="{stroke}"' if stroke else "") + (f' rx="{corner:g}"' if corner else "")
    return f'<rect x="{x:.4g}" y="{y:.4g}" width="{wide:.4g}" height="{high:.4g}" fill="{fill}"{border}/>'


def line(points: Sequence[tuple[float, float]], *, stroke: str, width: float = 2, dash: str = "") -> str:
    """A line through points."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="{width:g}"{dashes}/>'


def heading(title: str, *below: str, left: float = 8) -> list[str]:
    """A title and the lines below it; further from the left it is that of a page."""
    page = left >= PAGE_LEFT
    lines = (text(left, 42 + 17 * k, words, size=LINES[page], fill=QUIET) for k, words in enumerate(below))
    return [text(left, 22, title, size=TITLES[page], fill="#000000", bold=True), *lines]


def legend(names: Sequence[str], colours: Sequence[str], y: float) -> list[str]:
    """A row of colours with their meanings; y is where their words stand."""
    parts, x = [], 8.0
    for name, colour in zip(names, colours, strict=True):
        parts += [rect(x, y - 11, 13, 13, fill=colour), text(x + 19, y, name)]
        x += 19 + 7 * len(name) + 14
    return parts


def bars(
    title: str, below: str, rows: Sequence[Sequence[float]], colours: Sequence[str], *, names: Sequence[str]
) -> str:
    """Bars over 0, 1, 2, ...: a colour for each row of chances, of which the highest has its number, above a scale in
    percent; `names` say what the colours mean.
    """
    top, high, left, right = 92, 150, 52, WIDE - 8
    count = len(rows[0])
    tops = [max(reversed(range(count)), key=lambda k: row[k]) for row in rows]
    step = (right - left) / count
    each = (step - 4) / len(rows)
    parts = [*heading(title, below), *legend(names, colours[: len(names)], 64)]
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = top + high * (1 - share)
        parts += [
            line([(left, y), (right, y)], stroke=GRID if share else BASE, width=1),
            text(left - 6, y + 5, f"{100 * share:g}%", at="end"),
        ]
    for k in range(count):
        for place, (row, colour) in enumerate(zip(rows, colours, strict=True)):
            tall = high * row[k]
            at = left + k * step + 2 + (place + 0.5) * each
            parts.append(rect(at - each / 2, top + high - tall, each - 1, tall, fill=colour))
            if k == tops[place]:
                at = max(at, left + 18)  # clear of the scale
                parts.append(rect(at - 16, top + high - tall - 15, 32, 14, fill="#ffffff"))  # no line through a number
                parts.append(text(at, top + high - tall - 4, f"{row[k]:.0%}", at="middle", bold=True))
        parts.append(text(left + (k + 0.5) * step, top + high + 16, str(k), at="middle"))
    parts.append(text(left + step * count / 2, top + high + 34, "published number", at="middle"))
    return svg(top + high + 44, parts)
