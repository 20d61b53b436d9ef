"""What key pictures are made of: one large picture for each figure, its finding at a glance.

A key picture has one panel to three, at one setting that is nearly the same in all of them, and the
words of everyday: alpha 0.9 to 0.91, which is epsilon about 0.1, and groups of 8. Every method and
setting is in the data.
"""

from __future__ import annotations

from collections.abc import Sequence

from discreet.paper.panels import Row, drawn_line
from discreet.show.colours import Look
from discreet.show.pictures.sheets.multiples import Sheet
from discreet.show.pictures.sheets.sheet_page import Drawn
from discreet.show.pictures.sheets.sheet_parts import Line, Name, Panel

GROUP = 8
"""The people of a group."""


def named_line(
    rows: Sequence[Row],
    x: str,
    colour: str,
    name: Name | None = None,
    *,
    dashed: bool = False,
    width: float = 2.5,
) -> Line:
    """A line of a key picture, which has its name beside it; a dashed one ends in a square."""
    look = Look(colour, [7, 5], "square") if dashed else Look(colour, [1, 0], "circle")
    return drawn_line(rows, x, look, width=width, name=name)


def alone(panel: Panel, title: str, line: str) -> Drawn:
    """A picture of one panel."""
    return Sheet(title=title, line=line, panels=[panel], columns=(1, 1), height=232).drawn()


def several(panels: Sequence[Panel], title: str, line: str) -> Drawn:
    """A picture of panels beside each other; below each other on a phone."""
    return Sheet(
        title=title, line=line, panels=panels, columns=(len(panels), 1), height=200
    ).drawn()
