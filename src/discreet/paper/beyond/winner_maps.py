"""The maps of who wins, as charts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from math import isclose, log
from typing import Any

from discreet.paper.contestants import ORDER
from discreet.paper.panels import EPSILON, colour_of
from discreet.paper.results import Rows
from discreet.show.colours import INK, between, legible

TOLD = {"L0": "fewest wrong numbers", "L0,1": "fewest more than one off", "RMSE": "smallest typical error"}
"""What is best, as the panels call it."""


def areas(rows: Rows) -> Any:
    """Who wins in groups of one size: a mosaic for each measure, whose areas have their names inside."""
    from discreet.paper.panel_names import called
    from discreet.show.captions import uncoded
    from discreet.show.pictures.theme import HEADINGS, LETTERS, altair, inline

    alt = altair()
    said = {name: [called(name).replace("\n", " ").replace("usual (", "usual noise (")] for name in ORDER}
    said = {name: words.replace(", ", ",\n").split("\n") for name, (words,) in said.items()}
    ps, epsilons = sorted({r["p"] for r in rows}), sorted({r["epsilon"] for r in rows})
    edges = {"x": _edges(ps), "y": _edges([log(epsilon) for epsilon in epsilons])}
    maps = []
    for measure in TOLD:
        mine = [r for r in rows if r["measure"] == measure]
        won = {(r["p"], r["epsilon"]): r["winner"] for r in mine}
        cells = []
        for r in mine:
            (x1, x2), (y1, y2) = edges["x"][ps.index(r["p"])], edges["y"][epsilons.index(r["epsilon"])]
            cells.append({"x1": x1, "x2": x2, "y1": y1, "y2": y2, "winner": r["winner"]})
        table = [[won[p, epsilon] for p in ps] for epsilon in epsilons]
        words = []
        for name in dict.fromkeys(won.values()):
            rest = [list(row) for row in table]
            while has_room(found := largest_area(rest, name)):
                row = {"winner": name, "ink": ink(name)}
                # on a phone a name needs more cells
                for page, area in (("wide", found), ("slim", largest_area(rest, name, _SLIM))):
                    top, left, high, wide = area
                    across, down = edges["x"][left : left + wide], edges["y"][top : top + high]
                    row |= {
                        f"{page}_x": (across[0][0] + across[-1][1]) / 2,
                        f"{page}_y": (down[0][0] + down[-1][1]) / 2,
                    }
                words.append(row)
                top, left, high, wide = found
                for cells_of_row in rest[top : top + high]:
                    cells_of_row[left : left + wide] = [""] * wide
        look = {"grid": False, "domain": False, "labelOverlap": False, "ticks": False}
        x = alt.Axis(values=[p for p in ps if len(ps) < 6 or tenth(p)], format="~g", title="chance of a yes", **look)
        y = alt.Axis(
            values=[log(epsilon) for epsilon in epsilons], labelExpr="format(exp(datum.value), '.2~g')",
            title=EPSILON, **look,
        )  # fmt: skip
        ends = {k: [edges[k][0][0], edges[k][-1][1]] for k in "xy"}
        # each cell has an edge of its own colour, or the page would show through between two
        tiles = alt.Chart(inline(cells)).mark_rect(strokeWidth=1).encode(
            x=alt.X("x1:Q", axis=x, scale=alt.Scale(domain=ends["x"], nice=False)), x2="x2:Q",
            y=alt.Y("y1:Q", axis=y, scale=alt.Scale(domain=ends["y"], nice=False)), y2="y2:Q",
            color=alt.Color("winner:N", scale=_pale(ORDER), legend=None),
            stroke=alt.Stroke("winner:N", scale=_pale(ORDER), legend=None),
        )  # fmt: skip
        names = (
            alt.Chart(inline(words))
            .transform_calculate(said=f"{json.dumps(said)}[datum.winner]", x="datum.wide_x", y="datum.wide_y")
            .mark_text(fontSize=LETTERS, fontWeight=600, baseline="middle", lineHeight=LETTERS + 2)
            .encode(x=alt.X("x:Q", axis=x), y=alt.Y("y:Q", axis=y), text="said:N", color=alt.Color("ink:N", scale=None))
        )
        title = alt.TitleParams(text=TOLD[measure], fontSize=HEADINGS)
        maps.append(alt.layer(tiles, names).properties(width=583, height=26 * len(epsilons), title=title))
    narrow = [[json.dumps(words), json.dumps([uncoded(words[-1])])] for words in said.values()]
    narrow.append(["datum.wide_", "datum.slim_"])
    whole = alt.vconcat(*maps, spacing=22).resolve_scale(color="independent")
    return whole.properties(usermeta={"narrow": narrow})


def fill(name: str) -> str:
    """The fill of the area of a method: its colour, so pale that its name is read there."""
    return between("#ffffff", colour_of(name), 0.28)


def ink(name: str) -> str:
    """The ink of the name of a method on the fill of its area."""
    return between(legible(colour_of(name)), INK, 0.3)


def _pale(names: Sequence[str]) -> Any:
    """The scale of the fills of areas: the colours of methods, made pale."""
    from discreet.show.pictures.theme import altair

    return altair().Scale(domain=list(names), range=[fill(name) for name in names])


def _edges(places: Sequence[float]) -> list[tuple[float, float]]:
    """From where to where the cell of each place goes: halfway to the next, and as far beyond the first and the last.

    >>> _edges([0, 2, 3])
    [(-1.0, 1.0), (1.0, 2.5), (2.5, 3.5)]
    """
    inner = [(one + other) / 2 for one, other in pairwise(places)]
    every = [2 * places[0] - inner[0], *inner, 2 * places[-1] - inner[-1]]
    return list(pairwise(every))


_LEAST = 2
"""Rows and columns of a rectangle in which a name is written, at least."""
_SLIM = 3
"""Cells of a phone that are as wide as a name."""


def largest_area(table: list[list[str]], name: str, least: int = 1) -> tuple[int, int, int, int]:
    """The largest rectangle of cells with one name, the widest of several: its first row and column, height and width.

    It is at least so many cells wide, if one is; nothing is 0 by 0.

    >>> largest_area([["a", "b", "b"], ["a", "b", "b"], ["a", "a", "b"]], "b")
    (0, 1, 2, 2)
    >>> largest_area([["a", "b", "b"], ["b", "b", "b"], ["b", "b", "b"]], "b", 3)
    (1, 0, 2, 3)
    """
    rows, columns = len(table), len(table[0])
    found = [
        (wide >= least, high * wide, wide, -top, -left, high)
        for top in range(rows)
        for left in range(columns)
        for high in range(1, rows - top + 1)
        for wide in range(1, columns - left + 1)
        if all(cell == name for row in table[top : top + high] for cell in row[left : left + wide])
    ]
    *_, wide, top, left, high = max(found, default=(0, 0, 0, 0))
    return -top, -left, high, wide


def has_room(area: tuple[int, int, int, int]) -> bool:
    """Whether a name is written in this rectangle of cells."""
    *_, high, wide = area
    return high >= _LEAST and wide >= _LEAST


def tenth(p: float) -> int:
    """How many tenths p is; 0 where it is between two.

    >>> tenth(0.3), tenth(0.35)
    (3, 0)
    """
    return round(10 * p) if isclose(10 * p, round(10 * p)) else 0
