"""The matrix as a picture: true counts across, outputs down, darker is more likely (the paper's heatmaps).

The diagonal, where the truth is reported, is outlined. Cells that break one chosen property carry a triangle.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, log10
from typing import Any

from discreet.core.properties import read_shape
from discreet.show.captions import labelled, setting, short_name
from discreet.show.cells import Rows, cells, largest
from discreet.show.colours import INK, MARK, NIGHT_TURN, PALE_INK, RAMP, SAME_INK, TURN
from discreet.show.pictures.theme import altair, finished, inline, tips, whole_cells

VALUES_UP_TO = 12
OUTLINES_UP_TO = 60
_BORDERS_UP_TO = 30
_WIDTH = 430
_ACROSS = 4
_TICK_ROOM = 50
"""Along the bar of a legend, for one number and the room to the next."""


def heatmap(
    things: Any, *, mark: str | Mapping[str, str] | None = "CH", title: str | None = None, across: int = _ACROSS
) -> Any:
    """Draw one mechanism, or several on one colour scale, `across` of them in a row; `mark` may differ by label."""
    alt = altair()
    mechanisms = labelled(things)
    marks = dict(mark) if isinstance(mark, Mapping) else dict.fromkeys(mechanisms, mark)
    top = largest(*mechanisms.values())
    data = {label: cells(m, marks.get(label), top=top) for label, m in mechanisms.items()}
    several = len(mechanisms) > 1
    # beside several matrices a scale takes much room, and where every cell has its number it says nothing more
    numbered = all(m.n <= VALUES_UP_TO for m in mechanisms.values())
    legend_at = "top" if not several else None if numbered else "right"
    panels = []
    for label, m in mechanisms.items():
        size = whole_cells(_side(m.n, min(across, len(mechanisms))) if several else _WIDTH, m.n + 1)
        panel = matrix_panel(label, data[label], m.n, size, top, legend_at=legend_at)
        if several:
            panel = panel.properties(title=alt.TitleParams(text=label, fontSize=13))
        panels.append(panel)
    chart = alt.concat(*panels, columns=across, spacing=26) if several else panels[0]
    first = next(iter(mechanisms.values()))
    same = len({(m.n, m.alpha) for m in mechanisms.values()}) == 1
    lines = [setting(first) if same else "", _legend(data, mark)]
    default = "How likely each output is, for each true count" if several else short_name(first)
    return finished(chart, title or default, lines, {label: drawn(rows) for label, rows in data.items()})


def _side(n: int, in_a_row: int) -> int:
    """How wide one of several matrices is: three small ones in a row fit a page."""
    return 300 if in_a_row < 3 else max(190, min(300, 38 * (n + 1)))


def _legend(data: dict[str, Rows], mark: str | Mapping[str, str] | None) -> str:
    """What outlines and triangles mean, in a line."""
    small = max(len(rows) for rows in data.values()) <= (OUTLINES_UP_TO + 1) ** 2
    text = f"{'outlined' if small else 'dashed line'}: the truth"
    if not mark or not any(row["broken"] for rows in data.values() for row in rows):
        return text
    if isinstance(mark, Mapping):
        return f"{text}; triangle: breaks {', '.join(dict.fromkeys(mark.values()))}, each in its panel"
    name = str(read_shape(mark)).partition(":")[0]
    return f"{text}; triangle: {'a wrong answer that is likelier' if name == 'CH' else f'breaks {mark}'}"


def drawn(rows: Rows) -> Rows:
    """Return the rows as a chart carries them: the chart's own scale gives the fills."""
    return [{name: value for name, value in row.items() if name not in ("fill", "ink")} for row in rows]


def matrix_panel(
    name: str, rows: Rows, n: int, width: int, top: float, *, values: str = "probability",
    outlined: str = "diagonal", tip: Mapping[str, str] | None = None, legend_at: str | None = "right",
) -> Any:  # fmt: skip
    """Draw one matrix from the data set `name`: shaded cells, the `outlined` ones framed, numbers where they fit."""
    alt = altair()
    step = width / (n + 1)
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100) if (n + 1) / step <= 14)
    ticks = list(range(0, n + 1, every))
    axis = {
        "values": ticks, "labelAngle": 0, "labelOverlap": False, "labelPadding": 5,
        "ticks": False, "domain": False, "grid": False,
    }  # fmt: skip
    scale = alt.Scale(domain=list(range(n + 1)), paddingInner=0, paddingOuter=0)
    x = alt.X("count:O", title="true count", axis=alt.Axis(orient="bottom", **axis), scale=scale)
    y = alt.Y("output:O", title="output", axis=alt.Axis(**axis), scale=scale)
    legend = colour_bar(top, min(width, 220), orient=legend_at) if legend_at else None
    colour = alt.Color("probability:Q", title=values, scale=shaded(top), legend=legend)
    shown = tips(count="true count", output="output", probability="chance") if tip is None else tips(**tip)
    base = alt.Chart(alt.NamedData(name=name)).encode(x=x, y=y, tooltip=shown)
    border = {"stroke": "white", "strokeWidth": 1} if n <= _BORDERS_UP_TO else {}
    layers = [base.mark_rect(**border).encode(color=colour)]
    if n <= OUTLINES_UP_TO or outlined != "diagonal":
        frame = base.transform_filter(f"datum.{outlined}")
        layers.append(frame.mark_rect(fillOpacity=0, stroke=MARK, strokeWidth=2.0 if n <= 20 else 1.0))
    else:
        layers.append(_diagonal(width))
    if any(row.get("broken") for row in rows):
        layers.append(_triangles(base, n, step))
    if n <= VALUES_UP_TO:
        layers.append(_values(base, step, top))
    return alt.layer(*layers).properties(width=width, height=width)


def shaded(top: float) -> Any:
    """The scale of fills up to the chance `top`: what `cell_colours` computes, in Vega's words."""
    places = [top * k / (len(RAMP) - 1) for k in range(len(RAMP))]
    return altair().Scale(type="linear", domain=places, range=list(RAMP), interpolate="rgb", clamp=True)


def inked(top: float) -> Any:
    """The ink that is read on the fill of a cell."""
    tests = {TURN: PALE_INK, NIGHT_TURN: SAME_INK}
    conditions = [{"test": f"datum.probability > {top * place:.9g}", "value": ink} for place, ink in tests.items()]
    return altair().ColorValue(INK, condition=conditions)


def colour_bar(top: float, long: float, **more: Any) -> Any:
    """The legend of the fills: a bar with evenly spaced numbers, as many as can stand along it without touching."""
    ticks = even_ticks(top, int(long / _TICK_ROOM))
    return altair().Legend(gradientLength=long, values=ticks, format="~f", labelOverlap=False, **more)


def even_ticks(top: float, most: int) -> list[float]:
    """At most `most` round numbers from 0 to `top`, at even distances, and three or more where that can be.

    >>> even_ticks(0.622, 4), even_ticks(0.12, 4), even_ticks(0.98, 5)
    ([0.0, 0.2, 0.4, 0.6], [0.0, 0.04, 0.08, 0.12], [0.0, 0.2, 0.4, 0.6, 0.8])
    """
    power = 10.0 ** floor(log10(top))
    steps = (power * factor for factor in (0.1, 0.2, 0.4, 0.5, 1, 2, 4, 5, 10))
    step = next(step for step in steps if floor(top / step * (1 + 1e-9)) < max(2, most))
    return [float(f"{k * step:.6g}") for k in range(floor(top / step * (1 + 1e-9)) + 1)]


def _diagonal(width: int) -> Any:
    """One thin line instead of outlines when cells are only a few pixels wide."""
    alt = altair()
    ends = {"x": alt.value(0), "y": alt.value(0), "x2": alt.value(width), "y2": alt.value(width)}
    return alt.Chart(inline([{}])).mark_rule(color=MARK, strokeWidth=0.8, strokeDash=[4, 3]).encode(**ends)


def _triangles(base: Any, n: int, step: float) -> Any:
    size = max(8.0, min(60.0, (step * 0.28) ** 2))
    offset = {"xOffset": step * 0.3, "yOffset": -step * 0.3} if n <= VALUES_UP_TO else {}
    return base.transform_filter("datum.broken").mark_point(
        shape="triangle-up", filled=True, color=MARK, size=size, opacity=1, stroke="white", strokeWidth=0.6, **offset
    )


def _values(base: Any, step: float, top: float) -> Any:
    """The numbers."""
    text = altair().Text("probability:Q", format=".2f" if step < 45 else ".3f")
    return base.mark_text(fontSize=max(8.5, min(12.0, step * 0.3))).encode(text=text, color=inked(top))
