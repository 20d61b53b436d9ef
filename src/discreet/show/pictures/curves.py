"""Curves and bars: columns of a matrix, bias and RMSE for each true count.

Each figure has a function that returns its data as plain rows (tested against the library) and one
that draws them.
"""

from __future__ import annotations

import json
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from discreet.show.captions import labelled, mechanism_name, setting, spoken_name
from discreet.show.cells import Rows
from discreet.show.colours import INK, Look, legible, looks, mechanism_colour
from discreet.show.pictures.headlines import names_it, of_errors, of_truths
from discreet.show.pictures.line_ends import (
    beneath,
    joint_words,
    line_ends,
    merged,
    more_names,
    names_at,
)
from discreet.show.pictures.theme import LETTERS, altair, finished, inline, tips

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from discreet.core.mechanism import Mechanism

_WIDTH, _HIGH = 444, 220
_COLUMNS = 580
_NAMED, _APART = 36, 56
"""Pixels of a bar whose number has room for a word before it, and from one number to another
that does not touch it.
"""


def series(
    labels: Sequence[str],
    *,
    points: bool = True,
    of: Mapping[str, str] | None = None,
    legend: bool = True,
    joint: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Colour, marker and dash of named series, so that any one of the three tells them apart.

    The legend shows markers where there are any, and strokes where there are none. `of` says which
    named mechanism a series is, where its label does not, and `joint` of which series a line is
    (`merged`).
    """
    alt = altair()
    names, drawn = list(labels), _looks(labels, of)

    def scale(values: list[Any]) -> Any:
        return alt.Scale(domain=names, range=values)

    symbol = (
        {"symbolSize": 80, "symbolStrokeWidth": 0, "symbolDash": [1, 0]}
        if points
        else {"symbolType": "stroke", "symbolSize": 500}
    )
    said = {name: joint_words((joint or {}).get(name, name)) for name in names}
    words = (
        {"labelExpr": f"{json.dumps(said)}[datum.label]"} if list(said.values()) != names else {}
    )
    wide = in_a_row(list(said.values()))
    limit = {"labelLimit": _COLUMNS} if wide == 1 else {}
    box = (
        alt.Legend(title=None, orient="top", columns=wide, **words, **limit, **symbol)
        if legend
        else None
    )
    return {
        "color": alt.Color("series:N", scale=scale([look.colour for look in drawn]), legend=box),
        "shape": alt.Shape(
            "series:N", scale=scale([look.marker for look in drawn]), legend=box if points else None
        ),
        "strokeDash": alt.StrokeDash(
            "series:N", scale=scale([look.dash for look in drawn]), legend=None if points else box
        ),
    }


def _looks(labels: Sequence[str], of: Mapping[str, str] | None) -> list[Look]:
    """The looks of lines; one line alone is solid, for nothing is to be told apart."""
    drawn = looks(labels, of)
    return drawn if len(drawn) > 1 else [Look(look.colour, [1, 0], "circle") for look in drawn]


def in_a_row(labels: Sequence[str]) -> int:
    """How many labels of a legend above a figure fit beside each other: the figure stays as
    narrow as a phone needs.
    """
    return max(1, int(_WIDTH / (7 * max(map(len, labels), default=1) + 45)))


def curves(
    rows: Rows,
    x: Any,
    y: Any,
    labels: Sequence[str],
    *,
    tip: list[Any],
    points: bool = True,
    of: Mapping[str, str] | None = None,
    ends: Rows | None = None,
    joint: Mapping[str, str] | None = None,
) -> Any:
    """Lines, with markers where there is room for them, one per series; `tip` is shown under the
    pointer.

    A series beneath another, on a linear axis, is drawn broad and pale, so that both are seen. With
    `ends` (`line_ends`) their names stand there, and there is no legend; empty, if the title names
    the line.
    """
    alt = altair()
    look = series(labels, points=points, of=of, legend=ends is None, joint=joint)
    base = alt.Chart(inline(rows)).encode(x=x, y=y, color=look["color"])
    scale = y["scale"]
    linear = not isinstance(scale, alt.Scale) or scale["type"] != "log"
    fields = [axis.shorthand.partition(":")[0] for axis in (x, y)]
    below = beneath(rows, fields[0], fields[1], labels) if points and linear else set()

    # widths and sizes belong to marks and not to scales, or the symbols of the legend would differ
    # in size too
    layers = []
    for within, width, shade, size in ((below, 4.5, 1, 70), (set(labels) - below, 2.25, 1, 40)):
        if not within:
            continue
        part = base.properties(data=inline([row for row in rows if row["series"] in within]))
        layers.append(
            part.mark_line(strokeWidth=width, strokeOpacity=shade).encode(
                strokeDash=look["strokeDash"]
            )
        )
        # tips are those of points, seen or not: a line is one mark, and would show its first point
        # everywhere
        seen = {"shape": look["shape"]} if points else {}
        dots = {"size": size, "opacity": 1} if points else {"size": 60, "opacity": 0}
        layers.append(part.mark_point(filled=True, **dots).encode(tooltip=tip, **seen))
    drawn = dict(zip(labels, _looks(labels, of), strict=True)) if points else {}
    layers += names_at(ends, x, y, tip, drawn) if ends else []
    # The dash repeats what colour and marker say; a legend of its own for it would only clash with
    # theirs.
    return (
        alt.layer(*layers).resolve_legend(strokeDash="independent")
        if points
        else alt.layer(*layers)
    )


def gap(
    rows: Rows,
    x: Any,
    y: Any,
    labels: Sequence[str],
    of: Mapping[str, str] | None = None,
    *,
    height: float = 0,
) -> list[Any]:
    """A soft fill between two lines, for what lies between them is the message; guessing, if it is
    there, has none.

    It has the colour of the line that ends higher. In a panel of such a `height`, if there is room,
    it says at its end how much higher that is.
    """
    two = [label for label in labels if (of or {}).get(label, label) != "UM"]
    along, up = (axis.shorthand.partition(":")[0] for axis in (x, y))
    ends = [{row[along]: row[up] for row in rows if row["series"] == label} for label in two]
    if len(two) != 2 or set(ends[0]) != set(ends[1]):
        return []
    higher = two[0] if ends[0][max(ends[0])] > ends[1][max(ends[1])] else two[1]
    ink = dict(zip(labels, _looks(labels, of), strict=True))[higher].colour
    between: Rows = [{along: at, up: ends[0][at], "to": ends[1][at]} for at in sorted(ends[0])]
    fill = altair().Chart(inline(between)).mark_area(color=ink, opacity=_SOFT, line=False)
    layers = [fill.encode(x=x, y=y, y2="to:Q")]
    first, last = min(ends[0]), max(ends[0])
    before = max(at for at in ends[0] if at <= last - _WORDS * (last - first))
    pixels = height / (max(abs(row[up]) for row in rows) or 1.0)
    low, high = sorted(line[last] for line in ends)
    if low > 0 and all(
        pixels * abs(ends[0][at] - ends[1][at]) >= _TELLING for at in (before, last)
    ):
        said = (
            f"\N{MULTIPLICATION SIGN}\N{HAIR SPACE}{high / low:.2g}"
            if high >= 2 * low
            else f"{high / low - 1:+.0%}"
        )
        # on a phone the end is too narrow for it
        told = inline([{along: last, up: (low + high) / 2, "said": said, "wide": True}])
        words = {
            "align": "right",
            "dx": -8,
            "fontSize": LETTERS,
            "fontWeight": 600,
            "color": legible(ink),
        }
        tip = altair().Tooltip("said:N", title="higher at the end")
        layers.append(
            altair().Chart(told).mark_text(**words).encode(x=x, y=y, text="said:N", tooltip=[tip])
        )
    return layers


_SOFT, _TELLING, _WORDS = 0.16, 22, 0.1
"""How strong a fill is beside its line, pixels that it must be high for words, and how long
these are on its axis.
"""


def column_rows(m: Mechanism, counts: Sequence[int]) -> Rows:
    """Pr[output | count] for some true counts; what the bar of the truth says, and that of the
    likeliest error.

    The latter has a number only where it is likelier than the truth.
    """
    rows: Rows = []
    for j in counts:
        column = m.column(j)
        top = max(range(m.n + 1), key=lambda i: (column[i], -i))
        told = {j: f"{float(column[j]):.0%}"}
        if column[top] > column[j]:
            told[top] = f"{float(column[top]):.0%}"
        rows += [
            {
                "output": i,
                "series": str(j),
                "probability": float(p),
                "truth": i == j,
                "said": told.get(i, ""),
            }
            for i, p in enumerate(column)
        ]
    return rows


def columns(things: Any, *, counts: Sequence[int] | None = None, title: str | None = None) -> Any:
    """Draw columns: for some true counts, one below the other, the chance of each published number
    as bars.

    Several mechanisms stand side by side. The bar of the truth is in full colour and has its
    number, the others are pale.
    """
    alt = altair()
    mechanisms = labelled(things)
    first = next(iter(mechanisms.values()))
    chosen = list(counts) if counts is not None else _spread(first.n, 3)
    rows = {name: column_rows(m, chosen) for name, m in mechanisms.items()}
    # room for a number above the highest bar
    top = 1.25 * max((row["probability"] for each in rows.values() for row in each), default=1.0)
    step = next(
        step for step in (0.01, 0.02, 0.05, 0.1, 0.25, 0.5) if top / step < 4 or step == 0.5
    )
    marks = [k * step for k in range(int(top / step + 1e-9) + 1)]
    top = max(top, 1.12 * marks[-1])  # or the words at the highest mark would stand above the panel
    width = (_COLUMNS - 20 * (len(rows) - 1)) // len(rows)
    lines = []
    for j in chosen:
        last, panels = j == chosen[-1], []
        for name, m in mechanisms.items():
            axis = whole_ticks(m.n, ordinal=True) if last else alt.Axis(labels=False, ticks=False)
            x = alt.X(
                "output:O",
                title="published number" if last else None,
                axis=axis,
                scale=alt.Scale(padding=0.15),
            )
            y = alt.Y(
                "probability:Q",
                title=None,
                scale=alt.Scale(domain=[0, top], nice=False),
                axis=alt.Axis(
                    values=marks,
                    format=".3~%",
                    **({} if m is first else {"labels": False, "ticks": False}),
                ),
            )
            base = alt.Chart(inline([row for row in rows[name] if row["series"] == str(j)])).encode(
                x=x,
                y=y,
                tooltip=tips(series="true count", output="published number", probability="chance"),
            )
            pale = alt.condition("datum.truth", alt.value(1), alt.value(0.4))
            hues = [mechanism_colour(mechanism_name(m))] * len(chosen)
            colour = alt.Color(
                "series:N", legend=None, scale=alt.Scale(domain=list(map(str, chosen)), range=hues)
            )
            bars = base.mark_bar().encode(opacity=pale, color=colour)
            heads = (
                [f"true count {j}"] if len(rows) == 1 else [spoken_name(name), f"true count {j}"]
            )
            said = (
                [line.strip() for head in heads for line in head.split("\n")]
                if len(rows) > 2
                else ", ".join(heads)
            )
            panels.append(
                alt.layer(bars, *_numbers(rows[name], str(j), base, m.n, width)).properties(
                    title=alt.TitleParams(
                        text=said, frame="group", anchor="start", fontSize=LETTERS
                    ),
                    width=width,
                    height=max(64, 380 // (len(chosen) + 1)),
                )
            )
        line = alt.hconcat(*panels, spacing=20, bounds="flush") if len(panels) > 1 else panels[0]
        lines.append(line.resolve_scale(color="independent"))
    where = (
        f"{setting(first) if one_setting(mechanisms) else 'chances'}; full colour: the truth is "
        "published"
    )
    default = of_truths(mechanisms, "How likely each published number is")
    chart = alt.vconcat(*lines, spacing=10).resolve_scale(color="independent")
    return finished(chart, title or default, where)


def _numbers(rows: Rows, count: str, base: Any, n: int, width: float) -> list[Any]:
    """The numbers above the bars of one true count, which at the sides of the panel stand within
    it.
    """
    bar = width / (n + 1) * 0.85
    layers = []
    for row in (row for row in rows if row["series"] == count and row["said"]):
        if not row["truth"] and abs(row["output"] - int(count)) * width / (n + 1) < _APART:
            continue
        wide = bar > _NAMED and row["truth"]
        said = f"truth {row['said']}" if wide else row["said"]
        beside = 0 < row["output"] < n or bar > 8 * len(said)
        side = "center" if beside else "left" if row["output"] == 0 else "right"
        aside = {"left": -bar / 2, "right": bar / 2}.get(side, 0)
        words = {"align": side, "dx": round(aside, 1), "dy": -8, "fontSize": LETTERS, "color": INK}
        layers.append(
            base.properties(data=inline([{**row, "said": said}]))
            .mark_text(**words)
            .encode(text="said:N")
        )
    return layers


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
    along = {
        "axis": whole_ticks(n, ordinal=True),
        "scale": alt.Scale(domain=[0, max(n, 1)], nice=False),
    }
    panels = []
    joint, apart = merged(rows, "count", ("bias", "rmse"), list(mechanisms))
    named, points = list(joint), n <= 30
    drawn = [row for row in rows if row["series"] in joint]
    found = {
        field: line_ends(
            drawn, "count", field, named, _HIGH, from_0=True, points=points, joint=joint, digits=2
        )
        for field in ("bias", "rmse")
    }
    all_named = all(found.values()) and len(mechanisms) > 1  # else one legend for both
    first = next(iter(mechanisms.values()))
    default = of_errors(mechanisms, rows, "How far off the published numbers are, by true count")
    titled: Rows | None = [] if len(mechanisms) == 1 and names_it(title or default, first) else None
    for field, name in (("bias", "average error (bias)"), ("rmse", "typical error (RMSE)")):
        x = alt.X(
            "count:Q", title="true count" if field == "rmse" else None, **along
        )  # once, below both
        y = alt.Y(f"{field}:Q", title=name, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5))
        tip = tips(series="mechanism", count="true count", bias="bias", rmse="RMSE")
        ends = found[field] if all_named else titled
        of = which_named(mechanisms)
        panel = curves(drawn, x, y, named, tip=tip, points=points, of=of, ends=ends, joint=joint)
        layers = [panel, *_farthest(drawn, field, n, tip)] if len(named) == 1 else [panel]
        layers = [*(gap(drawn, x, y, named, of, height=_HIGH) if field == "rmse" else []), *layers]
        if field == "bias":
            layers = [
                alt.Chart(inline([{"y": 0}])).mark_rule(color="#666666").encode(y="y:Q"),
                *layers,
            ]
        panel = alt.layer(*layers) if len(layers) > 1 else panel
        panels.append(panel.properties(width=_WIDTH if all_named else _COLUMNS, height=_HIGH))
    where = [setting(first)] if one_setting(mechanisms) else []
    where += ["every truth equally likely"] if "typically err" in default and not title else []
    left = (
        more_names((end for field in found.values() for end in field or ()), joint)
        if all_named
        else ""
    )
    where += (
        [f"drawn as one: at most {_rounded_up(apart)} apart"]
        if "≈" in "".join(joint.values())
        else []
    )
    lines = "\n".join(filter(None, ("; ".join(where), left)))
    return finished(alt.vconcat(*panels, spacing=20), title or default, lines)


def _farthest(rows: Rows, field: str, n: int, tip: list[Any]) -> list[Any]:
    """The number of the point that is farthest from 0 on one line, above it or below; of several
    the first.
    """
    most = max(rows, key=lambda row: (abs(round(row[field], 9)), -row["count"]))
    if abs(most[field]) < _SMALL:
        return []
    side = "left" if most["count"] == 0 else "right" if most["count"] == n else "center"
    # at a side of the panel the line comes from below or above, so that beside its end there is
    # room; an end below stands at the numbers of the axis, and has its own level with it
    up = most[field] > 0
    aside = {"left": 8 if up else 12, "right": -8 if up else -12}.get(side, 0)
    told = f"{most[field]:+.2g}" if field == "bias" else f"{most[field]:.2g}"
    noted = altair().Chart(inline([{**most, "noted": told.replace("-", "−")}]))
    words = {
        "align": side,
        "dx": aside,
        "dy": -12 if up else -3 if aside else 12,
        "fontWeight": 600,
        "color": INK,
    }
    words |= {"fontSize": LETTERS}
    return [
        noted.mark_text(**words).encode(x="count:Q", y=f"{field}:Q", text="noted:N", tooltip=tip)
    ]


_SMALL = 1e-9
"""What is no error."""


def _rounded_up(value: float) -> str:
    """A bound in two digits.

    >>> _rounded_up(0.0921), _rounded_up(12.01)
    ('0.093', '13')
    """
    power = 10.0 ** (floor(log10(value)) - 1)
    return f"{ceil(value / power - 1e-9) * power:.3g}"


def _spread(n: int, most: int) -> list[int]:
    """Up to `most` counts spread evenly over 0..n."""
    if n < most:
        return list(range(n + 1))
    return [round(k * n / (most - 1)) for k in range(most)]


def whole_ticks(n: int, *, ordinal: bool = False, **more: Any) -> Any:
    """An axis with ticks at whole numbers only."""
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if (n + 1) / step <= 14)
    ticks = list(range(0, n + 1, every))
    look = {"grid": not ordinal, "ticks": not ordinal, **more}
    return altair().Axis(values=ticks, format="d", labelAngle=0, labelOverlap=False, **look)


def which_named(mechanisms: dict[str, Mechanism]) -> dict[str, str]:
    """Which named mechanism each is; the label decides where the matrix does not."""
    return {said: name for said, m in mechanisms.items() if (name := mechanism_name(m))}


def one_setting(mechanisms: dict[str, Mechanism]) -> bool:
    """Whether all are of one group size and one privacy; a guess has none."""
    return len({(m.n, m.alpha) for m in mechanisms.values() if m.alpha != 1}) <= 1
