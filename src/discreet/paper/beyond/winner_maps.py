"""The maps of who wins, and the tables of what a prior gains or costs, as charts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from math import isclose, log
from typing import Any

from discreet.paper.contestants import ORDER
from discreet.paper.panels import colour_of
from discreet.paper.results import Rows
from discreet.show.colours import INK, between, legible

TOLD = {"L0": "wrong answers (L0)", "L0,1": "more than 1 off (L0,1)", "RMSE": "typical error (RMSE)"}
"""The measures, as the panels call them."""
_LEVEL = "\N{NO-BREAK SPACE}"
"""The title of an axis that has none: as high as one, so that the heads of a row stand level."""


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
            *_, high, wide = largest_area(table, name)
            if high * wide >= _LEAST_AREA and wide > 1:
                row = {"winner": name, "ink": ink(name)}
                for page, least in (("wide", 1), ("slim", _SLIM)):  # on a phone a name needs more cells
                    top, left, high, wide = largest_area(table, name, least)
                    across, down = edges["x"][left : left + wide], edges["y"][top : top + high]
                    row |= {
                        f"{page}_x": (across[0][0] + across[-1][1]) / 2,
                        f"{page}_y": (down[0][0] + down[-1][1]) / 2,
                    }
                words.append(row)
        look = {"grid": False, "domain": False, "labelOverlap": False, "ticks": False}
        x = alt.Axis(
            values=[p for p in ps if len(ps) < 6 or tenth(p)], format="~g", title="p, the chance of a yes", **look
        )
        y = alt.Axis(
            values=[log(epsilon) for epsilon in epsilons], labelExpr="format(exp(datum.value), '.2~g')",
            title="epsilon", **look,
        )  # fmt: skip
        ends = {k: [edges[k][0][0], edges[k][-1][1]] for k in "xy"}
        # each cell has an edge of its own colour, or the page would show through between two
        tiles = alt.Chart(inline(cells)).mark_rect(strokeWidth=1).encode(
            x=alt.X("x1:Q", axis=x, scale=alt.Scale(domain=ends["x"], nice=False)), x2="x2:Q",
            y=alt.Y("y1:Q", axis=y, scale=alt.Scale(domain=ends["y"][::-1], nice=False)), y2="y2:Q",
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


_LEAST_AREA = 4
"""Cells of a rectangle in which a name is written."""
_SLIM = 3
"""Cells of a phone that are as wide as a name."""


def largest_area(table: list[list[str]], name: str, least: int = 1) -> tuple[int, int, int, int]:
    """The largest rectangle of cells with one name, the widest of several: its first row and column, height and width.

    It is at least so many cells wide, if one is.

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
    *_, wide, top, left, high = max(found)
    return -top, -left, high, wide


def mosaics(rows: Rows) -> Any:
    """Who wins: a column for each measure, a row for each group size, one square for each epsilon and p."""
    from discreet.paper.panel_names import called
    from discreet.show.captions import uncoded
    from discreet.show.pictures.theme import LETTERS, altair, inline

    alt = altair()
    said = {name: called(name).replace("\n", " ") for name in ORDER}
    won = [name for name in ORDER if any(r["winner"] == name for r in rows)]
    colour = alt.Color(
        "winner:N",
        scale=_pale(won),
        legend=alt.Legend(
            title=None,
            orient="top",
            columns=3,
            symbolType="square",
            symbolSize=130,
            offset=8,
            labelExpr=f"{json.dumps(said)}[datum.label]",
        ),
    )
    sizes = sorted({r["n"] for r in rows})
    lines = []
    for n in sizes:
        line = []
        for name in TOLD:
            first, last = name == next(iter(TOLD)), n == sizes[-1]
            y = alt.Axis(labels=first, ticks=first, labelFontSize=12, minExtent=34 if first else 0, domain=False)
            x = alt.Axis(labels=last, ticks=last, labelAngle=0, values=[0.1, 0.3, 0.5], domain=False)
            cells = (
                alt.Chart(inline([r for r in rows if r["measure"] == name and r["n"] == n]))
                .mark_rect(stroke="white", strokeWidth=1)
                .encode(
                    x=alt.X("p:O", title="p" if last else None, axis=x),
                    y=alt.Y("epsilon:O", title="epsilon" if first else _LEVEL, axis=y),
                    color=colour,
                )
                .properties(width=180, height=110)
            )
            heads = [TOLD[name]] if n == sizes[0] else []
            line.append(cells.properties(title=alt.TitleParams(text=[*heads, f"n = {n}"], fontSize=LETTERS, offset=4)))
        lines.append(alt.hconcat(*line, spacing=14, bounds="flush"))
    narrow = [[json.dumps(words), json.dumps(uncoded(words))] for words in said.values()]
    return alt.vconcat(*lines, spacing=12).properties(usermeta={"narrow": narrow})


def tables(rows: Rows, x: tuple[str, str], y: tuple[str, str], value: str) -> Any:
    """Numbers in shaded cells, a table for each measure: shares in percent, or times, whose shades follow the root.

    Shades end where the ink would have to change, on a dark page too. Rows that say `wide` are left out on a phone.
    """
    from discreet.show.colours import ONE_INK
    from discreet.show.pictures.heatmap import shaded
    from discreet.show.pictures.theme import HEADINGS, LETTERS, altair, inline

    alt = altair()
    tables = []
    for name in TOLD:
        mine = [r for r in rows if r["measure"] == name]
        high = 28 * len({r[y[0]] for r in mine})
        base = alt.Chart(inline(mine)).encode(
            x=alt.X(f"{x[0]}:O", title=x[1], axis=alt.Axis(labelAngle=0)), y=alt.Y(f"{y[0]}:O", title=y[1])
        )
        times = value == "times"
        top = max(r[value] for r in mine) - times
        scale = shaded(top / ONE_INK**2, root=True) if times else shaded(1 / ONE_INK)
        shade = alt.Color("shade:Q", scale=scale, legend=None)
        said = "format(datum.times, datum.times < 9.95 ? '.1f' : '.0f')" if times else f"format(datum.{value}, '.0%')"
        base = base.transform_calculate(shade=f"datum.{value} - {int(times)}", said=said)
        text = base.mark_text(fontSize=LETTERS).encode(text="said:N")
        layers = alt.layer(base.mark_rect(stroke="white").encode(color=shade), text)
        title = alt.TitleParams(text=TOLD[name], fontSize=HEADINGS)
        tables.append(layers.properties(width=583, height=high, title=title))
    return alt.vconcat(*tables, spacing=26).resolve_scale(color="independent")


def tenth(p: float) -> int:
    """How many tenths p is; 0 where it is between two.

    >>> tenth(0.3), tenth(0.35)
    (3, 0)
    """
    return round(10 * p) if isclose(10 * p, round(10 * p)) else 0
