"""The matrix as a picture: true counts across, outputs down, darker is more likely (the paper's heatmaps).

The diagonal, where the truth is reported, is outlined. Cells that break one chosen property carry a triangle.
"""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from discreet.core.properties import read_shape
from discreet.show.captions import labelled, setting, shape_line, short_name
from discreet.show.cells import Rows, cells, largest
from discreet.show.colours import BEND, INK, MARK, PALE_INK, TURN, stops
from discreet.show.pictures.theme import altair, finished, inline, tips, whole_cells

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

VALUES_UP_TO = 12
OUTLINES_UP_TO = 60
_BORDERS_UP_TO = 30
_WIDTH = 430
_ACROSS = 4


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
    words = [shape_line(m) for m in mechanisms.values()]
    # beside several matrices a scale takes much room, and where every cell has its number it says nothing more
    numbered = all(m.n <= VALUES_UP_TO for m in mechanisms.values())
    legend_at = "top" if not several else None if numbered else "right"
    panels = []
    for label, m in mechanisms.items():
        size = whole_cells(_side(m.n, min(across, len(mechanisms))) if several else _WIDTH, m.n + 1)
        panel = matrix_panel(label, data[label], m.n, size, top, legend_at=legend_at)
        if several:
            panel = panel.properties(
                title=alt.TitleParams(
                    text=f"{label}", subtitle=_wrapped(m, size, words), fontSize=13, subtitleFontSize=12
                )
            )
        panels.append(panel)
    chart = alt.concat(*panels, columns=across, spacing=26) if several else panels[0]
    first = next(iter(mechanisms.values()))
    same = len({(m.n, m.alpha) for m in mechanisms.values()}) == 1
    lines = [setting(first) if same else "", "" if several else shape_line(first), *_legend(data, mark)]
    default = "How likely each output is, for each true count" if several else short_name(first)
    return finished(chart, title or default, lines, {label: drawn(rows) for label, rows in data.items()})


def _side(n: int, in_a_row: int) -> int:
    """How wide one of several matrices is: three small ones in a row fit a page."""
    return 300 if in_a_row < 3 else max(190, min(300, 38 * (n + 1)))


def _wrapped(m: Mechanism, width: int, others: list[str]) -> list[str]:
    """What a mechanism has or lacks, in lines no wider than its matrix; all panels have as many lines."""
    letters = width // 6
    lines = wrap(shape_line(m), letters)
    return lines + [" "] * (max(len(wrap(words, letters)) for words in others) - len(lines))


def _legend(data: dict[str, Rows], mark: str | Mapping[str, str] | None) -> list[str]:
    small = max(len(rows) for rows in data.values()) <= (OUTLINES_UP_TO + 1) ** 2
    text = f"{'outlined' if small else 'dashed line'}: the truth is reported"
    if mark and any(row["broken"] for rows in data.values() for row in rows):
        if isinstance(mark, Mapping):
            return [text, f"triangle: breaks {', '.join(dict.fromkeys(mark.values()))}, each in its panel"]
        name = str(read_shape(mark)).partition(":")[0]
        meaning = {"CH": "a wrong answer that is likelier than the truth"}.get(name, f"breaks {mark}")
        return [text, f"triangle: {meaning}"]
    return [text]


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
    # what `cell_colours` computes, in Vega's words: then there is a legend
    shades = shaded(top)
    legend = alt.Legend(gradientLength=min(width, 220), format=".2~f", orient=legend_at) if legend_at else None
    colour = alt.Color("probability:Q", title=values, scale=shades, legend=legend)
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
    """The scale of fills up to the chance `top`."""
    ramp = stops(top)
    return altair().Scale(
        type="pow", exponent=BEND, domain=list(ramp), range=list(ramp.values()), interpolate="rgb", clamp=True
    )


def inked(top: float) -> Any:
    """The ink that is read on the fill of a cell."""
    alt = altair()
    dark = f"datum.probability > {top * TURN ** (1 / BEND):.9g}"
    return alt.condition(dark, alt.value(PALE_INK), alt.value(INK))


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
