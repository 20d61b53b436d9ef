"""The map of who wins: a cell for each chance of a yes and each epsilon, in the colour of the
best method there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS
from discreet.paper.panels import Row, colour_of
from discreet.show.colours import INK, between, legible
from discreet.show.pictures.sheets.sheet_page import AXIS_INK, PAGES, Drawn, headed, whole
from discreet.show.pictures.sheets.strokes import written
from discreet.show.pictures.svg import across

TOLD = {"L0": "fewest wrong", "L0,1": "fewest more than one off", "RMSE": "smallest typical error"}
"""What is best, as the panels call it."""
NAMES = {
    GM: "usual (GM)",
    WM: "weakly honest (WM)",
    WM_COLUMNS: "weakly honest, monotone",
    EM: "fair (EM)",
    UM: "a guess",
}
_AXIS, _GAP, _HIGH = 36.0, 2.0, 30.0
_NARROWER = 0.8
"""How much narrower bold letters of pictures are than DejaVu's."""
_TICKS = {0.1: "0.1", 0.3: "0.3", 0.5: "0.5"}


def fill(name: str) -> str:
    """The fill of the cells of a method: its colour, with some white."""
    return between("#ffffff", colour_of(name), 0.62)


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerMap:
    """A panel for each measure of the error; rows hold `p`, `epsilon`, `measure` and `winner`."""

    title: str
    line: str
    rows: Sequence[Row]
    note: str = ""

    def drawn(self) -> Drawn:
        """The picture for a page, which also knows how it looks on a phone."""
        return Drawn.of(self)

    def svg(self, *, phone: bool) -> str:
        """Draw it: panels beside each other on a page, below each other on a phone."""
        page = PAGES[phone]
        parts, y = headed(self.title, self.line, page)
        legend, y = self._legend(y + 12, phone=phone)
        parts += legend
        ps, epsilons = (
            sorted({r["p"] for r in self.rows}),
            sorted({r["epsilon"] for r in self.rows}, reverse=True),
        )
        columns = 1 if phone else len(TOLD)
        between_panels = 22.0
        wide = (page.inner - _AXIS - (columns - 1) * between_panels) / columns
        step = wide / len(ps)
        y += 26
        for k, (measure, said) in enumerate(TOLD.items()):
            x = page.left + _AXIS + (0 if phone else k * (wide + between_panels))
            top = y + 30 if k == 0 or not phone else y + 12
            above = (
                top - 10 - (page.letters + 6) * (k == 0 or not phone)
            )  # where the axis has its title below
            parts.append(written([(x, above, said)], page.letters, bold=True))
            if k == 0:
                parts.append(
                    written([(page.left, top - 10, "epsilon")], page.letters, ink=AXIS_INK)
                )
            won = {
                (r["p"], r["epsilon"]): r["winner"] for r in self.rows if r["measure"] == measure
            }
            for i, epsilon in enumerate(epsilons):
                level = top + i * _HIGH
                if k == 0 or phone:
                    place = (x - 8, level + _HIGH / 2 + page.letters * 0.35, f"{epsilon:g}")
                    parts.append(written([place], page.letters, at="end", ink=AXIS_INK))
                parts += [
                    f'<rect x="{x + j * step + _GAP / 2:.1f}" y="{level + _GAP / 2:.1f}" '
                    f'width="{step - _GAP:.1f}" height="{_HIGH - _GAP:.1f}" rx="3.5" '
                    f'fill="{fill(won[p, epsilon])}"/>'
                    for j, p in enumerate(ps)
                ]
            foot = top + _HIGH * len(epsilons)
            if not phone or k == len(TOLD) - 1:
                parts += [
                    written(
                        [(x + (ps.index(p) + 0.5) * step, foot + page.letters + 4, words)],
                        page.letters,
                        at="middle",
                        ink=AXIS_INK,
                    )
                    for p, words in _TICKS.items()
                    if p in ps
                ]
            y = foot + (page.letters + 14 if phone else 0) if phone else y
        foot += 2 * page.letters + 14
        middle = page.left + _AXIS + (page.inner - _AXIS) / 2
        parts.append(
            written([(middle, foot, "chance of a yes")], page.letters, at="middle", ink=AXIS_INK)
        )
        return whole(parts, page, foot + 14)

    def _legend(self, y: float, *, phone: bool) -> tuple[list[str], float]:
        """A chip and a name for each method that wins anywhere, and where the last line of them
        stands.
        """
        page = PAGES[phone]
        parts, x = list[str](), page.left
        for name in (each for each in ORDER if any(r["winner"] == each for r in self.rows)):
            wide = 20 + _NARROWER * across(NAMES[name], page.letters, bold=True)
            if x > page.left and x + wide > page.wide - page.right:
                x, y = page.left, y + page.letters + 10
            parts.append(
                f'<rect x="{x:.1f}" y="{y - 11:.1f}" width="14" height="14" rx="3.5" '
                f'fill="{fill(name)}"/>'
            )
            ink = between(legible(colour_of(name)), INK, 0.1)
            parts.append(written([(x + 20, y + 1, NAMES[name])], page.letters, bold=True, ink=ink))
            x += wide + 24
        return parts, y
