"""Charts the figures share: lines for exact numbers, points with bars for simulated ones, panels in a grid.

Drawn together they show at a glance whether the simulation agrees with the exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor
from typing import Any

from discreet.core.named import NAMED
from discreet.paper.contestants import ORDER
from discreet.show.colours import DASHES, MARKERS, Look, looks
from discreet.show.pictures.theme import altair, inline

Row = dict[str, Any]
_PAGE = 640
"""About the width of a page of the documentation, in pixels."""
_ONE_OF_THREE = 178


def panel(
    rows: Iterable[Row],
    *,
    x: str,
    x_title: str,
    y_title: str,
    title: str | Sequence[str] = "",
    series: str = "mechanism",
    order: Sequence[str] = ORDER,
    width: int = 260,
    height: int = 210,
    domain: tuple[float, float] | None = None,
    marks: bool = False,
    log_y: bool = False,
    legend: str | None = "mechanism",
) -> Any:
    """Draw one panel from rows with `exact` (a line) and, if there are any, `mean` and `error` (points with bars).

    Where rows have `least` and `largest`, the range over all optima, it is a band behind the line.
    """
    alt = altair()
    data = [row for row in rows if row[series] in order]
    present = [name for name in order if any(row[series] == name for row in data)]
    drawn = dict(zip(order, looks(order, _made_of(order)), strict=True))
    if not set(order) & set(ORDER):
        # no mechanism among them, whose dash and marker would be kept: the plainest ones first
        drawn = {name: Look(drawn[name].colour, DASHES[k], MARKERS[k]) for k, name in enumerate(order)}
    # the legend is built from what is in the figure; panels of one figure hold the same series
    common = {"domain": present}
    # a dashed outline around a filled symbol would look frayed
    pointed = marks or any(row.get("mean") is not None for row in data)
    outline = {"symbolStrokeWidth": 0} if pointed else {}
    # symbols in full colour, though bands are pale
    wide = sum(7 * len(name) + 40 for name in present) > _PAGE  # then names take more than one line
    box = (
        None
        if legend is None
        else alt.Legend(
            title=legend or None, orient="bottom", columns=3 if wide else 5, symbolSize=90, symbolOpacity=1, **outline
        )
    )
    colour = alt.Color(
        f"{series}:N", scale=alt.Scale(**common, range=[drawn[name].colour for name in present]), legend=box
    )
    dash = alt.StrokeDash(
        f"{series}:N", scale=alt.Scale(**common, range=[drawn[name].dash for name in present]), legend=None
    )
    shape = alt.Shape(
        f"{series}:N", scale=alt.Scale(**common, range=[drawn[name].marker for name in present]), legend=box
    )
    scale_y = alt.Scale(type="log" if log_y else "linear", **({"domain": list(domain)} if domain else {"zero": False}))
    at = alt.X(f"{x}:Q", title=x_title, axis=alt.Axis(tickCount=6), scale=alt.Scale(zero=False, nice=False, padding=8))
    axis = {"title": y_title, "scale": scale_y}
    base = alt.Chart(inline(data))
    layers = []
    ranged = [row for row in data if row.get("least") is not None]
    if ranged:
        layers.append(
            alt.Chart(inline(ranged))
            .mark_area(opacity=0.22, clip=True)
            .encode(x=at, y=alt.Y("least:Q", **axis), y2="largest:Q", color=colour)
        )
    if data and "exact" in data[0]:
        layers.append(
            base.mark_line(strokeWidth=1.6, clip=True).encode(
                x=at, y=alt.Y("exact:Q", **axis), color=colour, strokeDash=dash
            )
        )
        if marks:
            layers.append(
                base.mark_point(filled=True, size=26, opacity=1, clip=True).encode(
                    x=at, y=alt.Y("exact:Q", **axis), color=colour, shape=shape
                )
            )
    simulated = [
        {**row, "low": row["mean"] - row["error"], "high": row["mean"] + row["error"]}
        for row in data
        if row.get("mean") is not None
    ]
    if simulated:
        seen = alt.Chart(inline(simulated))
        layers.append(
            seen.mark_rule(strokeWidth=1.1, clip=True).encode(x=at, y=alt.Y("low:Q", **axis), y2="high:Q", color=colour)
        )
        layers.append(
            seen.mark_point(filled=True, size=24, opacity=0.95, clip=True).encode(
                x=at, y=alt.Y("mean:Q", **axis), color=colour, shape=shape
            )
        )
    whole = alt.layer(*layers).properties(width=width, height=height)
    return whole.properties(title=alt.TitleParams(text=title, fontSize=12)) if title else whole


def _made_of(order: Iterable[str]) -> dict[str, str]:
    """Which named mechanism a series is made of, where its label says so after other words.

    >>> _made_of(["GM", "WM (WH)", "per cell, GM debiased", "guessing"])
    {'per cell, GM debiased': 'GM'}
    """
    words = {name: name.replace(",", " ").split() for name in order}
    found = {name: [word for word in said[1:] if word in NAMED] for name, said in words.items() if said[0] not in NAMED}
    return {name: named[0] for name, named in found.items() if named}


def shared_domain(rows: Iterable[Row], step: float = 0.1) -> tuple[float, float]:
    """Return a common range for the y axes of a figure, out to multiples of `step`, with no curve along an end.

    >>> shared_domain([{"exact": 0.33}, {"exact": 0.79}]), shared_domain([{"exact": 0.4}, {"exact": 1}])
    ((0.3, 0.8), (0.3, 1.1))
    """
    values = [value for row in rows for key in ("exact", "least", "largest") if (value := row.get(key)) is not None]
    room = step / 20  # a mark on the end itself would be cut in half
    low, high = floor((min(values) - room) / step) * step, ceil((max(values) + room) / step) * step
    return round(max(low, 0.0) if min(values) >= 0 else low, 6), round(high, 6)


def grid(panels: Sequence[Any], columns: int = 2, *, alike: bool = True) -> Any:
    """Lay panels out in rows of `columns`, with one legend; panels that are not alike keep their own.

    Two panels side by side are as wide as a page of the documentation, so that letters keep their size. Three are
    narrower and stand in one row.
    """
    alt = altair()
    if len(panels) == 3 and columns == 2:  # in one row: a fourth place would stay empty
        panels, columns = [one.properties(width=_ONE_OF_THREE) for one in panels], 3
    rows = [alt.hconcat(*panels[k : k + columns], spacing=24) for k in range(0, len(panels), columns)]
    whole = alt.vconcat(*rows, spacing=18) if len(rows) > 1 else rows[0]
    if alike:
        return whole
    return whole.resolve_scale(color="independent", shape="independent", strokeDash="independent")
