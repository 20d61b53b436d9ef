"""The maps of who wins, and the tables of what a prior gains or costs, as charts."""

from __future__ import annotations

import json
from typing import Any

from discreet.paper.contestants import EM, ORDER
from discreet.paper.results import Rows

TOLD = {"L0": "wrong answers (L0)", "L0,1": "more than 1 off (L0,1)", "RMSE": "typical error (RMSE)"}
"""The measures, as the panels call them."""


def areas(rows: Rows) -> Any:
    """Who wins in groups of one size: a mosaic for each measure, whose areas have their names inside."""
    from discreet.paper.panel_names import called
    from discreet.show.captions import uncoded
    from discreet.show.colours import looks
    from discreet.show.pictures.theme import HEADINGS, LETTERS, altair, inline

    alt = altair()
    hues = dict(zip(ORDER, (look.colour for look in looks(ORDER)), strict=True))
    said = {name: [called(name).replace("\n", " ").replace("usual (", "usual noise (")] for name in ORDER}
    said = {name: words.replace(", ", ",\n").split("\n") for name, (words,) in said.items()}
    ps, epsilons = sorted({r["p"] for r in rows}), sorted({r["epsilon"] for r in rows})
    maps = []
    for measure in TOLD:
        mine = [r for r in rows if r["measure"] == measure]
        won = {(r["p"], r["epsilon"]): r["winner"] for r in mine}
        cells = [{"x": ps.index(r["p"]), "y": epsilons.index(r["epsilon"]), "winner": r["winner"]} for r in mine]
        table = [[won[p, epsilon] for p in ps] for epsilon in epsilons]
        words = []
        for name in dict.fromkeys(won.values()):
            top, left, high, wide = largest_area(table, name)
            if high * wide >= _LEAST_AREA and wide > 1:
                at = {"x": left + wide / 2 - 0.5, "y": top + high / 2 - 0.5}
                words.append({**at, "winner": name, "ink": "#000000" if name == EM else "#ffffff"})
        labels = {"x": [f"{p:g}" for p in ps], "y": [f"{epsilon:g}" for epsilon in epsilons]}
        x, y = (
            alt.Axis(
                values=list(range(0, len(labels[k]), step)), labelExpr=f"{json.dumps(labels[k])}[datum.value]",
                grid=False, domain=False, labelOverlap=False, ticks=False, title=title,
            )
            for k, step, title in (("x", 1 if len(ps) < 6 else 3, "p, the chance of a yes"), ("y", 1, "epsilon"))
        )  # fmt: skip
        ends = {k: [-0.5, len(labels[k]) - 0.5] for k in "xy"}
        base = alt.Chart(inline(cells)).mark_rect().transform_calculate(
            x1="datum.x - 0.5", x2="datum.x + 0.5", y1="datum.y - 0.5", y2="datum.y + 0.5"
        )  # fmt: skip
        tiles = base.encode(
            x=alt.X("x1:Q", axis=x, scale=alt.Scale(domain=ends["x"], nice=False)), x2="x2:Q",
            y=alt.Y("y1:Q", axis=y, scale=alt.Scale(domain=ends["y"][::-1], nice=False)), y2="y2:Q",
            color=alt.Color("winner:N", scale=alt.Scale(domain=list(hues), range=list(hues.values())), legend=None),
        )  # fmt: skip
        names = (
            alt.Chart(inline(words))
            .transform_calculate(said=f"{json.dumps(said)}[datum.winner]")
            .mark_text(fontSize=LETTERS, fontWeight=600, baseline="middle", lineHeight=LETTERS + 2)
            .encode(x=alt.X("x:Q", axis=x), y=alt.Y("y:Q", axis=y), text="said:N", color=alt.Color("ink:N", scale=None))
        )
        title = alt.TitleParams(text=TOLD[measure], fontSize=HEADINGS)
        maps.append(alt.layer(tiles, names).properties(width=583, height=26 * len(epsilons), title=title))
    narrow = [[json.dumps(words), json.dumps([uncoded(words[-1])])] for words in said.values()]
    whole = alt.vconcat(*maps, spacing=22).resolve_scale(color="independent")
    return whole.properties(usermeta={"narrow": narrow})


_LEAST_AREA = 4
"""Cells of a rectangle in which a name is written."""


def largest_area(table: list[list[str]], name: str) -> tuple[int, int, int, int]:
    """The largest rectangle of cells with one name, the widest of several: its first row and column, height and width.

    >>> largest_area([["a", "b", "b"], ["a", "b", "b"], ["a", "a", "b"]], "b")
    (0, 1, 2, 2)
    """
    rows, columns = len(table), len(table[0])
    found = [
        (high * wide, wide, -top, -left, high)
        for top in range(rows)
        for left in range(columns)
        for high in range(1, rows - top + 1)
        for wide in range(1, columns - left + 1)
        if all(cell == name for row in table[top : top + high] for cell in row[left : left + wide])
    ]
    _, wide, top, left, high = max(found)
    return -top, -left, high, wide


def mosaics(rows: Rows) -> Any:
    """Who wins: a column for each measure, a row for each group size, one square for each epsilon and p."""
    from discreet.paper.panel_names import called
    from discreet.show.captions import uncoded
    from discreet.show.colours import looks
    from discreet.show.pictures.theme import LETTERS, altair, inline

    alt = altair()
    hues = dict(zip(ORDER, (look.colour for look in looks(ORDER)), strict=True))
    said = {name: called(name).replace("\n", " ") for name in ORDER}
    won = [name for name in ORDER if any(r["winner"] == name for r in rows)]
    colour = alt.Color(
        "winner:N",
        scale=alt.Scale(domain=won, range=[hues[name] for name in won]),
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
                    y=alt.Y("epsilon:O", title="epsilon" if first else None, axis=y),
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
