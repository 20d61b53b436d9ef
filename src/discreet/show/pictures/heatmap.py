"""The matrix as a picture: true counts across, outputs down, darker is more likely (the paper's heatmaps).

The diagonal, where the truth is reported, is outlined. Cells that break one chosen property carry a triangle;
by default that is column honesty, a wrong answer more likely than the truth, which is what a reader of a
released number would stumble over.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.domains import Counts
from discreet.core.forms import DENSE_LIMIT
from discreet.core.properties import BY_PROPERTY, PROPERTIES, comparisons, read_shape
from discreet.errors import InvalidInput
from discreet.show.pictures.theme import (
    MARK,
    RAMP,
    Rows,
    altair,
    finished,
    inline,
    labelled,
    setting,
    shape_line,
    short_name,
    tips,
    whole_cells,
)

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

VALUES_UP_TO = 12
OUTLINES_UP_TO = 60
_BORDERS_UP_TO = 30
_WIDTH = 430
_ACROSS = 4
_BEND = 0.7
_DARK = 0.62 ** (1 / _BEND)  # of the top probability: from here on white text reads better than black


def cells(m: Mechanism, mark: str | None = "CH") -> Rows:
    """One row per cell: output, true count, probability, whether it is on the diagonal, whether it breaks `mark`.

    >>> from discreet.core.named import geometric
    >>> broken = [(r["output"], r["count"]) for r in cells(geometric(n=2, alpha="9/10")) if r["broken"]]
    >>> broken
    [(0, 1), (2, 1)]
    """
    if m.n > DENSE_LIMIT:
        raise InvalidInput(
            "n", f"must be at most {DENSE_LIMIT} for a heatmap", m.n, remedy="draw `kind='accuracy'` instead"
        )
    broken = violations(m, mark) if mark and not m.satisfies(mark) else set()
    array = m.array
    return [
        {
            "output": i,
            "count": j,
            "probability": float(array[i, j]),
            "diagonal": i == j,
            "broken": (i, j) in broken,
        }
        for i in range(m.n + 1)
        for j in range(m.n + 1)
    ]


def violations(m: Mechanism, name: str) -> set[tuple[int, int]]:
    """Return every cell at fault for a property: the one that is too likely, or (WH, F, S) too unlikely."""
    shape = read_shape(name)
    names = list(shape)
    if len(names) != 1:
        raise InvalidInput("mark", "must be one property", name, remedy=f"one of {', '.join(PROPERTIES)}")
    label = names[0].partition(":")[0]
    rows, whole = m.form.dense().rows, m.form.dense().denominator
    row = BY_PROPERTY[label]
    if row.tail is None:
        heads = (row.cells(Counts(m.n), each)[0] for each in row.labels(Counts(m.n)))
        return {(i, j) for i, j in heads if (m.n + 1) * rows[i][j] < whole}
    found = set()
    p, q = {"1": Fraction(1), "alpha": m.alpha, "beta": shape.output_dp or Fraction(1)}[row.ratio].as_integer_ratio()
    for cell, other in comparisons(label, Counts(m.n)):
        if q * rows[cell[0]][cell[1]] < p * rows[other[0]][other[1]]:
            found.add(cell if row.free else other)
    return found


def heatmap(things: Any, *, mark: str | Mapping[str, str] | None = "CH", title: str | None = None) -> Any:
    """Draw one mechanism, or several side by side on one colour scale; `mark` may differ between labels."""
    alt = altair()
    mechanisms = labelled(things)
    marks = dict(mark) if isinstance(mark, Mapping) else dict.fromkeys(mechanisms, mark)
    data = {label: cells(m, marks.get(label)) for label, m in mechanisms.items()}
    top = max(row["probability"] for rows in data.values() for row in rows)
    several = len(mechanisms) > 1
    panels = []
    for label, m in mechanisms.items():
        size = whole_cells(300 if several else _WIDTH, m.n + 1)
        panel = _panel(label, data[label], m.n, size, top)
        if several:
            panel = panel.properties(
                title=alt.TitleParams(text=f"{label}", subtitle=_wrapped(m), fontSize=13, subtitleFontSize=10.5)
            )
        panels.append(panel)
    chart = alt.concat(*panels, columns=_ACROSS, spacing=26) if several else panels[0]
    first = next(iter(mechanisms.values()))
    same = len({(m.n, m.alpha) for m in mechanisms.values()}) == 1
    lines = [setting(first) if same else "", "" if several else shape_line(first), _legend(data, mark)]
    default = "Pr[output | true count]" if several else short_name(first)
    return finished(chart, title or default, lines, data)


def _wrapped(m: Mechanism) -> list[str]:
    has, _, lacks = shape_line(m).partition("; ")
    return [has, lacks] if lacks else [has, " "]


def _legend(data: dict[str, Rows], mark: str | Mapping[str, str] | None) -> str:
    small = max(len(rows) for rows in data.values()) <= (OUTLINES_UP_TO + 1) ** 2
    text = f"{'outlined' if small else 'dashed line'}: the truth is reported"
    if mark and any(row["broken"] for rows in data.values() for row in rows):
        if isinstance(mark, Mapping):
            return f"{text}; triangle: breaks {', '.join(dict.fromkeys(mark.values()))}, each in its panel"
        name = str(read_shape(mark)).partition(":")[0]
        meaning = {"CH": "a wrong answer likelier than the truth (CH fails)"}.get(name, f"breaks {mark}")
        text += f"; triangle: {meaning}"
    return text


def _panel(name: str, rows: Rows, n: int, width: int, top: float) -> Any:
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
    # Slightly bent toward small chances: off the diagonal is where mechanisms differ.
    shades = alt.Scale(type="pow", exponent=_BEND, domain=[0, top], range=list(RAMP), interpolate="lab")
    colour = alt.Color(
        "probability:Q",
        title="probability",
        scale=shades,
        legend=alt.Legend(gradientLength=min(width, 220), format=".2~f"),
    )
    tip = tips(count="true count", output="output", probability="chance")
    base = alt.Chart(alt.NamedData(name=name)).encode(x=x, y=y, tooltip=tip)
    border = {"stroke": "white", "strokeWidth": 1} if n <= _BORDERS_UP_TO else {}
    layers = [base.mark_rect(**border).encode(color=colour)]
    outline = 2.0 if n <= 20 else 1.0
    if n <= OUTLINES_UP_TO:
        layers.append(
            base.transform_filter("datum.diagonal").mark_rect(fillOpacity=0, stroke=MARK, strokeWidth=outline)
        )
    else:
        layers.append(_diagonal(width))
    if any(row["broken"] for row in rows):
        layers.append(_triangles(base, n, step))
    if n <= VALUES_UP_TO:
        layers.append(_values(base, top, step))
    return alt.layer(*layers).properties(width=width, height=width)


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


def _values(base: Any, top: float, step: float) -> Any:
    """The numbers, white on dark cells and black on light ones."""
    alt = altair()
    dark = f"datum.probability > {_DARK * top}"
    return base.mark_text(fontSize=max(8.5, min(12.0, step * 0.3))).encode(
        text=alt.Text("probability:Q", format=".2f" if step < 45 else ".3f"),
        color=alt.condition(dark, alt.value("white"), alt.value("#1a1a1a")),
    )
