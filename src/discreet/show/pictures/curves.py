"""Curves and bars: columns of a matrix, bias and RMSE for each true count, confidence intervals.

Each figure has a function that returns its data as plain rows (tested against the library) and one that draws
them.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import Exact
from discreet.reading.group import read_confidence
from discreet.show.captions import labelled, mechanism_name, percent, setting, spoken_name, uncoded
from discreet.show.cells import Rows
from discreet.show.colours import looks, mechanism_colour
from discreet.show.pictures.headlines import names_it, of_errors, of_intervals, of_truths
from discreet.show.pictures.line_ends import beneath, line_ends, names_at
from discreet.show.pictures.theme import LETTERS, altair, finished, inline, page_wide, tips

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from discreet.core.mechanism import Mechanism

_WIDTH, _HEIGHT, _HIGH = 444, 290, 220
_COLUMNS = 580


def series(
    labels: Sequence[str], title: str = "", *, points: bool = True, of: Mapping[str, str] | None = None,
    legend: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Colour, marker and dash of named series, so that any one of the three tells them apart.

    The legend shows markers where there are any, and strokes where there are none. `of` says which named mechanism a
    series is, where its label does not.
    """
    alt = altair()
    names, drawn = list(labels), looks(labels, of)

    def scale(values: list[Any]) -> Any:
        return alt.Scale(domain=names, range=values)

    symbol = (
        {"symbolSize": 80, "symbolStrokeWidth": 0, "symbolDash": [1, 0]}
        if points
        else {"symbolType": "stroke", "symbolSize": 500}
    )
    said = {name: spoken_name(name) for name in names}
    words = {"labelExpr": f"{json.dumps(said)}[datum.label]"} if list(said.values()) != names else {}
    wide = in_a_row(list(said.values()))
    box = alt.Legend(title=title or None, orient="top", columns=wide, **words, **symbol) if legend else None
    return {
        "color": alt.Color("series:N", scale=scale([look.colour for look in drawn]), legend=box),
        "shape": alt.Shape("series:N", scale=scale([look.marker for look in drawn]), legend=box if points else None),
        "strokeDash": alt.StrokeDash(
            "series:N", scale=scale([look.dash for look in drawn]), legend=None if points else box
        ),
    }


def in_a_row(labels: Sequence[str]) -> int:
    """How many labels of a legend above a figure fit beside each other: the figure stays as narrow as a phone needs."""
    return max(1, int(_WIDTH / (7 * max(map(len, labels), default=1) + 45)))


def curves(
    rows: Rows, x: Any, y: Any, labels: Sequence[str], *, tip: list[Any], points: bool = True, title: str = "",
    of: Mapping[str, str] | None = None, ends: Rows | None = None,
) -> Any:  # fmt: skip
    """Lines, with markers where there is room for them, one per series; `tip` is shown under the pointer.

    A series beneath another, on a linear axis, is drawn broad and pale, so that both are seen. With `ends`
    (`line_ends`) their names stand there, and there is no legend; empty, if the title names the line.
    """
    alt = altair()
    look = series(labels, title, points=points, of=of, legend=ends is None)
    base = alt.Chart(inline(rows)).encode(x=x, y=y, color=look["color"])
    scale = y["scale"]
    linear = not isinstance(scale, alt.Scale) or scale["type"] != "log"
    fields = [axis.shorthand.partition(":")[0] for axis in (x, y)]
    below = beneath(rows, fields[0], fields[1], labels) if points and linear else set()

    # widths and sizes belong to marks and not to scales, or the symbols of the legend would differ in size too
    layers = []
    for within, width, shade, size in ((below, 6, 0.5, 85), (set(labels) - below, 2, 1, 48)):
        if not within:
            continue
        part = base.properties(data=inline([row for row in rows if row["series"] in within]))
        layers.append(part.mark_line(strokeWidth=width, strokeOpacity=shade).encode(strokeDash=look["strokeDash"]))
        # tips are those of points, seen or not: a line is one mark, and would show its first point everywhere
        seen = {"shape": look["shape"]} if points else {}
        dots = {"size": size, "opacity": 1} if points else {"size": 60, "opacity": 0}
        layers.append(part.mark_point(filled=True, **dots).encode(tooltip=tip, **seen))
    drawn = dict(zip(labels, looks(labels, of), strict=True)) if points else {}
    layers += names_at(ends, x, y, tip, drawn) if ends else []
    # The dash repeats what colour and marker say; a legend of its own for it would only clash with theirs.
    return alt.layer(*layers).resolve_legend(strokeDash="independent") if points else alt.layer(*layers)


def column_rows(m: Mechanism, counts: Sequence[int]) -> Rows:
    """Pr[output | count] for some true counts."""
    return [
        {"output": i, "series": str(j), "probability": float(p), "truth": i == j}
        for j in counts
        for i, p in enumerate(m.column(j))
    ]


def columns(things: Any, *, counts: Sequence[int] | None = None, title: str | None = None) -> Any:
    """Draw columns: for some true counts, one below the other, the chance of each published number as bars.

    Several mechanisms stand side by side. The bar of the truth is in full colour and has its number, the others are
    pale.
    """
    alt = altair()
    mechanisms = labelled(things)
    first = next(iter(mechanisms.values()))
    chosen = list(counts) if counts is not None else _spread(first.n, 3)
    rows = {name: column_rows(m, chosen) for name, m in mechanisms.items()}
    # room for a number above the highest bar
    top = 1.25 * max((row["probability"] for each in rows.values() for row in each), default=1.0)
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.25, 0.5) if top / step < 4 or step == 0.5)
    marks = [k * step for k in range(int(top / step + 1e-9) + 1)]
    top = max(top, 1.12 * marks[-1])  # or the words at the highest mark would stand above the panel
    width = (_COLUMNS - 20 * (len(rows) - 1)) // len(rows)
    lines = []
    for j in chosen:
        last, panels = j == chosen[-1], []
        for name, m in mechanisms.items():
            axis = whole_ticks(m.n, ordinal=True) if last else alt.Axis(labels=False, ticks=False)
            x = alt.X("output:O", title="published number" if last else None, axis=axis, scale=alt.Scale(padding=0.15))
            y = alt.Y(
                "probability:Q",
                title=None,
                scale=alt.Scale(domain=[0, top], nice=False),
                axis=alt.Axis(values=marks, format=".3~%", **({} if m is first else {"labels": False, "ticks": False})),
            )
            base = alt.Chart(inline([row for row in rows[name] if row["series"] == str(j)])).encode(
                x=x, y=y, tooltip=tips(series="true count", output="published number", probability="chance")
            )
            pale = alt.condition("datum.truth", alt.value(1), alt.value(0.4))
            hues = [mechanism_colour(mechanism_name(m))] * len(chosen)
            colour = alt.Color("series:N", legend=None, scale=alt.Scale(domain=list(map(str, chosen)), range=hues))
            bars = base.mark_bar().encode(opacity=pale, color=colour)
            number = base.transform_filter("datum.truth").mark_text(dy=-8, fontSize=LETTERS, color="#222222")
            said = f"true count {j}" if len(rows) == 1 else f"{spoken_name(name)}, true count {j}"
            panels.append(
                alt.layer(bars, number.encode(text=alt.Text("probability:Q", format=".0%"))).properties(
                    title=alt.TitleParams(text=said, frame="group", anchor="start", fontSize=LETTERS),
                    width=width, height=max(64, 380 // (len(chosen) + 1)),
                )
            )  # fmt: skip
        line = alt.hconcat(*panels, spacing=20, bounds="flush") if len(panels) > 1 else panels[0]
        lines.append(line.resolve_scale(color="independent"))
    where = f"{setting(first) if _alike(mechanisms) else 'chances'}; full colour: the truth is published"
    default = of_truths(mechanisms, "How likely each published number is")
    chart = alt.vconcat(*lines, spacing=10).resolve_scale(color="independent")
    return finished(chart, title or default, where)


def accuracy_rows(things: Any) -> Rows:
    """Bias and RMSE for every true count of every mechanism."""
    return [
        {"series": name, "count": row.count, "bias": row.bias, "rmse": row.rmse}
        for name, m in labelled(things).items()
        for row in m.accuracy().rows
    ]


def accuracy(things: Any, *, title: str | None = None) -> Any:
    """Draw bias and RMSE against the true count, one below the other."""
    alt = altair()
    mechanisms = labelled(things)
    rows = accuracy_rows(mechanisms)
    n = max(m.n for m in mechanisms.values())
    along = {"axis": whole_ticks(n), "scale": alt.Scale(domain=[0, max(n, 1)], nice=False)}
    panels = []
    named = list(mechanisms)
    found = {f: line_ends(rows, "count", f, named, _HIGH, from_0=True, points=n <= 30) for f in ("bias", "rmse")}
    all_named = all(found.values()) and len(named) > 1  # else one legend for both
    first = next(iter(mechanisms.values()))
    default = of_errors(mechanisms, rows, "How far off the published numbers are, by true count")
    titled: Rows | None = [] if len(named) == 1 and names_it(title or default, first) else None
    for field, name in (("bias", "average error (bias)"), ("rmse", "typical error (RMSE)")):
        x = alt.X("count:Q", title="true count" if field == "rmse" else None, **along)  # once, below both
        y = alt.Y(f"{field}:Q", title=name, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5))
        tip = tips(series="mechanism", count="true count", bias="bias", rmse="RMSE")
        ends = found[field] if all_named else titled
        panel = curves(rows, x, y, named, tip=tip, points=n <= 30, of=_which(mechanisms), ends=ends)
        if field == "bias":
            zero = alt.Chart(inline([{"y": 0}])).mark_rule(color="#666666").encode(y="y:Q")
            panel = alt.layer(zero, panel)
        panels.append(panel.properties(width=_WIDTH if all_named else _COLUMNS, height=_HIGH))
    where = setting(first) if _alike(mechanisms) else ""
    return finished(alt.vconcat(*panels, spacing=20), title or default, where)


def interval_rows(things: Any, confidence: Exact = "0.95") -> Rows:
    """The confidence interval of every published number of every mechanism."""
    from discreet.reading.group import intervals

    level = read_confidence(confidence)
    rows: Rows = []
    for name, m in labelled(things).items():
        table = intervals(m, level)
        rows += [
            {
                "series": name,
                "output": i,
                "low": table.low[i],
                "high": table.high[i],
                "width": table.high[i] - table.low[i],
            }
            for i in range(m.n + 1)
        ]
    return rows


def intervals(things: Any, *, confidence: Exact = "0.95", title: str | None = None) -> Any:
    """Draw the exact confidence interval of every published number: how wide, and where."""
    alt = altair()
    mechanisms = labelled(things)
    rows = interval_rows(mechanisms, confidence)
    n = max(m.n for m in mechanisms.values())
    look = series(list(mechanisms), points=n <= 30, of=_which(mechanisms), legend=len(mechanisms) > 1)
    dodge = 16 if n <= 12 else max(3, 200 // (n + 1))
    x = alt.X("output:O", title="published number", axis=whole_ticks(n, ordinal=True))
    shift = alt.XOffset("series:N", scale=alt.Scale(domain=list(mechanisms), paddingOuter=0.3))
    level = read_confidence(confidence)
    inside = {"scale": alt.Scale(domain=[0, max(n, 1)], nice=False), "axis": whole_ticks(n)}
    y = alt.Y("low:Q", title=f"true count, {percent(level)} interval", **inside)
    tip = tips(series="mechanism", output="published number", low="from", high="to")
    base = alt.Chart(inline(rows)).encode(x=x, xOffset=shift, color=look["color"], tooltip=tip)
    layers = [base.mark_rule(strokeWidth=5 if n <= 20 else 1.5).encode(y=y, y2="high:Q")]
    if n <= 30:
        # round whatever the series: a triangle at an end would be an arrow; colour and place tell series apart
        dot = {"filled": True, "size": 90, "opacity": 1, "shape": "circle"}
        layers += [base.mark_point(**dot).encode(y=end) for end in (y, alt.Y("high:Q"))]
    width = max(_WIDTH, min(900, (n + 1) * dodge * len(mechanisms)))
    first = next(iter(mechanisms.values()))
    lengths = {name: _mean_width(m, level) for name, m in mechanisms.items()}
    means = ", ".join(f"{uncoded(spoken_name(name))} {length:.2f}" for name, length in lengths.items())
    where = f"{setting(first)}; " if _alike(mechanisms) else ""
    one = "true counts equally likely"  # what the average in the title is over
    told = f"{where}{percent(level)} confidence; {f'average length: {means}' if len(lengths) > 1 else one}"
    chart = alt.layer(*layers)
    chart = page_wide(chart, _HEIGHT) if width <= _COLUMNS else chart.properties(width=width, height=_HEIGHT)
    default = of_intervals(mechanisms, lengths, "Which true counts fit a published number")
    return finished(chart, title or default, told)


def _mean_width(m: Mechanism, level: Fraction) -> float:
    """The mean of high - low when true counts are equally likely."""
    from discreet.reading.group import intervals

    table = intervals(m, level)
    chance = m.array.mean(axis=1)
    return float(sum(p * (table.high[i] - table.low[i]) for i, p in enumerate(chance)))


def _spread(n: int, most: int) -> list[int]:
    """Up to `most` counts spread evenly over 0..n."""
    if n < most:
        return list(range(n + 1))
    return [round(k * n / (most - 1)) for k in range(most)]


def whole_ticks(n: int, *, ordinal: bool = False) -> Any:
    """An axis with ticks at whole numbers only."""
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if (n + 1) / step <= 14)
    ticks = list(range(0, n + 1, every))
    return altair().Axis(values=ticks, format="d", labelAngle=0, labelOverlap=False, grid=not ordinal)


def _which(mechanisms: dict[str, Mechanism]) -> dict[str, str]:
    """Which named mechanism each is; the label decides where the matrix does not."""
    return {said: name for said, m in mechanisms.items() if (name := mechanism_name(m))}


def _alike(mechanisms: dict[str, Mechanism]) -> bool:
    return len({(m.n, m.alpha) for m in mechanisms.values() if m.alpha != 1}) <= 1
