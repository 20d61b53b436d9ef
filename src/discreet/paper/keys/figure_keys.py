"""The key pictures of the paper's figures 9 to 13."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.paper.contestants import EM, GM, UM, WM, WM_COLUMNS
from discreet.paper.keys.key_parts import GROUP, alone, named_line, several
from discreet.paper.panels import Row, colour_of, kept, plain_scale
from discreet.show.colours import INK
from discreet.show.pictures.sheets.panel_rows import BETTER, WORSE
from discreet.show.pictures.sheets.sheet_page import Drawn
from discreet.show.pictures.sheets.sheet_parts import Name, Panel, Scale, Words

_YES = Scale(
    low=0, high=1, ticks={0: "nobody", 0.25: "1 in 4", 0.5: "half", 0.75: "3 in 4", 1: "all"},
    title="how many people say yes",
)  # fmt: skip
_SIZES = plain_scale(2, 20, (2, 8, 14, 20), "people in a group")


def _of(rows: Sequence[Row], name: str) -> list[Row]:
    return [row for row in rows if row["mechanism"] == name]


def _at(rows: Sequence[Row], name: str, x: str, value: float) -> float:
    """The number of a method at one place."""
    return float(next(row["exact"] for row in _of(rows, name) if row[x] == value))


def scores(rows: Sequence[Row]) -> Drawn:
    """What properties keep of the lead of the usual noise, over group size, at epsilon 0.1."""
    mine = [kept(row) for row in rows if row["alpha"] == "10/11"]
    names = {
        WM: Name("weakly honest (WM)", 13.2, 1, "end"),
        WM_COLUMNS: Name("and monotone", 22, -1.5),
        EM: Name("fair (EM)", 22, -1),
    }
    share = _at(mine, EM, "n", GROUP)
    panel = Panel(
        title="",
        x=plain_scale(2, 25, (2, 8, 14, 20, 25), "people in a group"),
        y=plain_scale(0, 1.12, (0, 0.25, 0.5, 0.75, 1), "lead kept", "{:.0%}"),
        lines=[named_line(_of(mine, name), "n", colour_of(name), said) for name, said in names.items()],
        across=(1, colour_of(GM)),
        remark="the usual noise (GM): all of it",
        words=[
            Words(f"{GROUP} people: {share:.0%}", GROUP, share, colour_of(EM), -1),
            Words("a blind guess (UM): nothing", 13.5, 0.07, colour_of(UM)),
        ],
    )
    return alone(
        panel, "Fair noise keeps more than half of the usual noise's lead",
        "lead: how much more often than a blind guess the number is right; epsilon 0.1",
    )  # fmt: skip


def adult(rows: Sequence[Row], targets: Mapping[str, str]) -> Drawn:
    """How many numbers are wrong on the Adult data: usual and fair, a panel for each question."""
    panels = []
    for target, said in targets.items():
        mine = [row for row in rows if row["target"] == target and row["off"] == 0]
        values = {name: _at(mine, name, "n", GROUP) for name in (GM, EM)}
        panels.append(
            Panel(
                title=said,
                x=_SIZES,
                y=plain_scale(0, 1, (0, 0.25, 0.5, 0.75, 1), "wrong numbers", "{:.0%}"),
                lines=[
                    named_line(_of(mine, GM), "n", colour_of(GM), Name("usual", 16, 1)),
                    named_line(_of(mine, EM), "n", colour_of(EM), Name("fair", 16, -1)),
                ],
                shades=(WORSE, BETTER),
                words=[
                    Words(f"{values[name]:.0%}", GROUP, values[name], colour_of(name), side, at)
                    for name, side, at in ((GM, 1, "end"), (EM, -1, "start"))
                ],
            )
        )
    return several(
        panels, "Fair noise is wrong less often, at every size",
        "three questions about the people of the Adult data; epsilon 0.11",
    )  # fmt: skip


def binomial(rows: Sequence[Row]) -> Drawn:
    """How many numbers are more than one off, over how many say yes: usual and fair, in groups of 8 at epsilon 0.09."""
    mine = _at_strong(rows)
    panel = Panel(
        title="",
        x=_YES,
        y=plain_scale(0, 1, (0, 0.25, 0.5, 0.75, 1), "numbers more than one person off", "{:.0%}"),
        lines=[named_line(_of(mine, name), "p", colour_of(name)) for name in (GM, EM)],
        shades=(WORSE, BETTER),
        words=[
            *_values(mine, "p", 0.5, {GM: ("usual noise (GM): {:.0%}", 1), EM: ("fair (EM): {:.0%}", -1)}),
            Words("fair misses\nless often", 0.5, 0.125, INK),
            Words("usual misses\nless often", 0, 0.125, INK, 0, "start"),
            Words("usual misses\nless often", 1, 0.125, INK, 0, "end"),
        ],
    )
    return alone(panel, "Fair noise misses less often where answers are mixed", _STRONG)


def rmse(rows: Sequence[Row]) -> Drawn:
    """The typical error over how many say yes: usual, a guess and fair, in groups of 8 at epsilon 0.09."""
    mine = _at_strong(rows)
    panel = Panel(
        title="",
        x=_YES,
        y=plain_scale(0, 5, range(6), "typical error, in people"),
        lines=[named_line(_of(mine, name), "p", colour_of(name)) for name in (GM, UM, EM)],
        words=[
            *_values(mine, "p", 0.5, {GM: ("usual noise (GM): {:.1f}", 1), EM: ("fair (EM): {:.1f}", -1)}),
            Words("guess (UM)", 0.5, 3.27, colour_of(UM)),
        ],
    )
    return alone(panel, "The usual noise mostly errs more than a blind guess", _STRONG)


def _values(rows: Sequence[Row], x: str, at: float, names: Mapping[str, tuple[Any, ...]]) -> list[Words]:
    """Dots on lines with names and numbers: the words, above (1) or below (-1), and how they are set."""
    found = [(name, _at(rows, name, x, at), *said) for name, said in names.items()]
    return [Words(words.format(value), at, value, colour_of(name), *how) for name, value, words, *how in found]


_STRONG = f"groups of {GROUP}; epsilon 0.09"


def _at_strong(rows: Sequence[Row]) -> list[Row]:
    """The rows of groups of 8 at alpha 0.91, which is epsilon 0.09."""
    return [row for row in rows if row["alpha"] == 0.91 and row.get("n", GROUP) == GROUP]


def histograms(rows: Sequence[Row]) -> Drawn:
    """How many numbers are more than d off: usual and fair, where half say yes and where one in ten does."""
    said = {0.5: "half say yes: fewer misses", 0.1: "one in ten: more small, fewer large"}
    panels = []
    for p, title in said.items():
        mine = [row for row in _at_strong(rows) if row["p"] == p and row["d"] < 7]
        beside = {GM: (1, "start"), EM: (-1, "end")} if p == 0.5 else {GM: (-1, "middle"), EM: (1, "start")}
        panels.append(
            Panel(
                title=title,
                x=plain_scale(0, 6, range(7), "off by more than so many people"),
                y=plain_scale(0, 1, (0, 0.25, 0.5, 0.75, 1), "numbers that are so far off", "{:.0%}"),
                lines=[named_line(_of(mine, name), "d", colour_of(name)) for name in (GM, EM)],
                shades=(WORSE, BETTER),
                words=_values(
                    mine, "d", 2, {GM: ("usual {:.0%}", *beside[GM]), EM: ("fair {:.0%}", *beside[EM])}
                ),
            )
        )  # fmt: skip
    return several(panels, "Where half say yes, fair noise misses less, near and far", _STRONG)
