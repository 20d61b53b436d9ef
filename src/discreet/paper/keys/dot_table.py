"""Figure 6 as dots: which method has which property, always, at some settings or never."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discreet.core.properties import PROPERTIES
from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS
from discreet.paper.panels import colour_of
from discreet.show.captions import spoken_name
from discreet.show.colours import INK, legible
from discreet.show.pictures.sheets.sheet_page import AXIS_INK, GRID, PAGES, Drawn, headed, whole
from discreet.show.pictures.sheets.strokes import written

_NAMES = {
    GM: ("usual", "(GM)"),
    WM: ("weakly", "honest", "(WM)"),
    WM_COLUMNS: ("weakly", "honest,", "monotone"),
    EM: ("fair", "(EM)"),
    UM: ("guessing", "(UM)"),
}
_BRIEF = {
    GM: ("usual",),
    WM: ("weak",),
    WM_COLUMNS: ("weak,", "mono-", "tone"),
    EM: ("fair",),
    UM: ("guess",),
}
"""The names of columns, on a page and on a phone."""
_BAND, _BAND_NIGHT, _RING = "#f1f4f6", "#283036", "#949ca3"
"""Behind the columns that have every property, by day and by night; and the edge of an empty
dot.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DotTable:
    """A row for each property and a column for each method: `holds` is yes, depends or no;
    `wrong` the last row.
    """

    title: str
    line: str
    holds: Mapping[tuple[str, str], str]
    wrong: Mapping[str, str]
    note: str = ""

    def drawn(self) -> Drawn:
        """The picture for a page, which also knows how it looks on a phone."""
        return Drawn.of(self)

    def svg(self, *, phone: bool) -> str:
        """Draw it; on a phone names are brief."""
        page = PAGES[phone]
        parts, y = headed(self.title, self.line, page)
        names, labels = (_BRIEF, 112.0) if phone else (_NAMES, 196.0)
        wide, high, radius = (page.inner - labels) / len(ORDER), 33.0, 8.0
        middles = {name: page.left + labels + (k + 0.5) * wide for k, name in enumerate(ORDER)}
        most = max(map(len, names.values()))
        top = y + 14 + most * (page.letters + 3) + 8
        foot = top + high * (len(PROPERTIES) + 1)
        for name, x in middles.items():
            lines, spare = names[name], most - len(names[name])
            if all(self.holds[name, label] == "yes" for label in PROPERTIES):
                shape = (
                    f'x="{x - wide / 2 + 3:.1f}" y="{y + 4:.1f}" width="{wide - 6:.1f}" '
                    f'height="{foot - y:.1f}"'
                )
                parts.append(f'<rect {shape} rx="8" fill="{_BAND}" data-night="{_BAND_NIGHT}"/>')
            places = [
                (x, y + 14 + (spare + k + 1) * (page.letters + 3) - 4, line)
                for k, line in enumerate(lines)
            ]
            parts.append(
                written(places, page.letters, bold=True, at="middle", ink=legible(colour_of(name)))
            )
        for k, label in enumerate((*PROPERTIES, "")):
            middle = top + (k + 0.5) * high
            parts.append(
                f'<path d="M{page.left:g} {middle - high / 2:.1f}h{page.inner:g}" stroke="{GRID}"/>'
            )
            code = "" if phone else f" ({label})"
            words = (
                f"{spoken_name(label)}{code}"
                if label
                else "wrong, %"
                if phone
                else "wrong numbers, %"
            )
            parts.append(
                written(
                    [(page.left, middle + page.letters * 0.35, words)], page.letters, ink=AXIS_INK
                )
            )
            for name, x in middles.items():
                if label:
                    parts += _dot(x, middle, radius, self.holds[name, label], colour_of(name))
                else:
                    place = (x, middle + page.letters * 0.35, self.wrong[name])
                    parts.append(written([place], page.letters, bold=True, at="middle", ink=INK))
        return whole(parts, page, foot + 16)


def _dot(x: float, y: float, radius: float, holds: str, colour: str) -> Sequence[str]:
    """A full dot, one whose left half is full, or a ring."""
    round_it = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"'
    if holds == "yes":
        return [f'{round_it} fill="{colour}"/>']
    if holds == "no":
        return [f'{round_it} fill="none" stroke="{_RING}" stroke-width="1.8"/>']
    half = f'd="M{x:.1f} {y - radius:.1f}a{radius:g} {radius:g} 0 0 0 0 {2 * radius:g}z"'
    return [
        f'<path {half} fill="{colour}"/>',
        f'{round_it} fill="none" stroke="{colour}" stroke-width="1.8"/>',
    ]
