"""The matrix as a picture: true counts across, published numbers down, darker is more likely (the
paper's heatmaps).

The diagonal, where the truth is reported, is outlined. Cells that break one chosen property carry a
triangle.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, log10, sqrt
from typing import Any, NamedTuple

from discreet.core.properties import read_shape
from discreet.show.captions import labelled, setting, short_name, spoken_name
from discreet.show.cells import Rows, cells, largest
from discreet.show.colours import (
    INK,
    MARK,
    MARK_EDGE,
    NIGHT_TURN,
    PALE_INK,
    RAMP,
    ROOT_ABOVE,
    SAME_INK,
    TURN,
)
from discreet.show.pictures.headlines import of_matrices, of_matrix, subject
from discreet.show.pictures.theme import HEADINGS, altair, finished, inline, tips, whole_cells

VALUES_UP_TO = ROOT_ABOVE
OUTLINES_UP_TO = 60
_ACROSS = 4
_PAIRED = 276
"""Pixels of one of two matrices beside each other."""
_GAP, ROUND, _APART = 2.0, 0.14, 14
"""Pixels between two cells, the radius of their corners as a share of their side, and pixels of a
cell from which on there is a gap: as in the sheets of matrices."""
_TICK_ROOM = 50
"""Along the bar of a legend, for one number and the room to the next."""
_FLAG = "M-1,-1L1,-1L1,1Z"
"""The upper right corner of a cell."""
_MANY = 0.2
"""The share of the cells of a matrix up to which a mark points at some of them."""
_SEEN = 9.5
"""Pixels of a triangle's side that is seen at once."""
_INSET, _CAPITAL, _DIGIT, _CLEAR = 1.5, 0.42, 0.62, 3.0
"""Pixels from a triangle to the sides of its cell; how far digits reach above their middle, and how
wide one is, as shares of their size; and pixels from digits to a triangle, at least."""


class Shades(NamedTuple):
    """The colour scale of a figure: the chance drawn darkest, and whether fills follow the square
    root of chances.

    With them go the numbers in cells: how many decimals they have, if not as many as fit, and, if
    not all cells have one, the field of those that do: what they say is in the field `said`.
    """

    top: float
    root: bool = False
    places: int | None = None
    numbered: str = ""


def heatmap(
    things: Any,
    *,
    mark: str | Mapping[str, str] | None = "CH",
    title: str | None = None,
    across: int = _ACROSS,
    darkest: float | None = None,
) -> Any:
    """Draw one mechanism, or several on one colour scale, `across` of them in a row; `mark` may
    differ by label.

    The scale ends at their largest chance, or at `darkest`, so that two pictures can be compared.

    Where in one of them more than a fifth of the cells would carry the usual mark, none has it:
    another is asked for.
    """
    alt = altair()
    mechanisms = labelled(things)
    marks = dict(mark) if isinstance(mark, Mapping) else dict.fromkeys(mechanisms, mark)
    top = darkest or largest(*mechanisms.values())
    data = {label: cells(m, marks.get(label), top=top) for label, m in mechanisms.items()}
    if mark == "CH" and any(
        sum(row["broken"] for row in rows) > _MANY * len(rows) for rows in data.values()
    ):
        # on so many cells a mark points at nothing
        mark, data = None, {label: cells(m, None, top=top) for label, m in mechanisms.items()}
    several = len(mechanisms) > 1
    # where every cell has its number a scale of shades says nothing more
    numbered = all(m.n <= VALUES_UP_TO for m in mechanisms.values())
    legend_at = None if numbered else "right"
    panels = []
    sides = {
        label: whole_cells(_side(m.n, min(across, len(mechanisms))), m.n + 1)
        if several
        else side_alone(m.n)
        for label, m in mechanisms.items()
    }
    places = min(
        decimals(sides[label] / (m.n + 1)) for label, m in mechanisms.items()
    )  # one precision in a figure
    for label, m in mechanisms.items():
        shades = Shades(top, not numbered, places)
        panel = matrix_panel(
            _one_line(label), data[label], m.n, sides[label], shades, legend_at=legend_at
        )
        if several:
            lines = [line.strip(" ,") for line in spoken_name(label).split("\n")]
            panel = panel.properties(
                title=alt.TitleParams(text=lines if len(lines) > 1 else lines[0], fontSize=HEADINGS)
            )
        panels.append(panel)
    chart = alt.concat(*panels, columns=across, spacing=16) if several else panels[0]
    first = next(iter(mechanisms.values()))
    same = len({(m.n, m.alpha) for m in mechanisms.values()}) == 1
    where = setting(first) if same else ""
    if several:  # no room for alpha; where cells have numbers, the axes say how large groups are
        where = where.partition(" (")[0]
        where = where.rpartition(", ")[2] if numbered else where
    line = "; ".join(
        filter(None, ["% by column" if numbered and several else "", where, _legend(data, mark)])
    )
    plain = "How likely each published number is, for each true count"
    default = of_matrices(mechanisms, plain) if several else of_matrix(first)
    if not several and not title and subject(first) not in default:
        line = f"{spoken_name(next(iter(mechanisms)))}; {line}"
    shown = {_one_line(label): drawn(rows) for label, rows in data.items()}
    return finished(
        chart, title or default, line, shown, note="" if several else f"{short_name(first)}."
    )


def _one_line(label: str) -> str:
    """A label as the name of a data set."""
    return label.replace("\n", " ")


def side_alone(n: int) -> int:
    """How wide one matrix is whose scale stands beside it: the picture is then about as wide as
    a page.
    """
    return whole_cells(531 if n <= ROOT_ABOVE else 486, n + 1)


def _side(n: int, in_a_row: int) -> int:
    """How wide one of several matrices is: two of any size, or three small ones, in a row fit a
    page as they are.
    """
    return _PAIRED if in_a_row < 3 else max(165, min(_PAIRED, 33 * (n + 1)))


def _legend(data: dict[str, Rows], mark: str | Mapping[str, str] | None) -> str:
    """What outlines and triangles mean, in a line."""
    small = max(len(rows) for rows in data.values()) <= (OUTLINES_UP_TO + 1) ** 2
    text = f"{'outlined' if small else 'dashed line'}: the truth"
    if not mark or not any(row["broken"] for rows in data.values() for row in rows):
        return text
    if isinstance(mark, Mapping):
        return (
            f"{text}; triangle: breaks {', '.join(dict.fromkeys(mark.values()))}, each in its panel"
        )
    name = str(read_shape(mark)).partition(":")[0]
    return f"{text}; triangle: {'likelier than the truth' if name == 'CH' else f'breaks {mark}'}"


def drawn(rows: Rows) -> Rows:
    """Return the rows as a chart carries them: the chart's own scale gives the fills."""
    return [
        {name: value for name, value in row.items() if name not in ("fill", "ink")} for row in rows
    ]


def matrix_panel(
    name: str,
    rows: Rows,
    n: int,
    width: int,
    shades: Shades,
    *,
    values: str = "chance",
    outlined: str = "diagonal",
    tip: Mapping[str, str] | None = None,
    legend_at: str | None = "right",
) -> Any:
    """Draw one matrix from the data set `name`: shaded cells, the `outlined` framed, percentages
    where they fit.
    """
    alt = altair()
    step = width / (n + 1)
    top, root, places, numbered = shades
    few = [step for step in (1, 2, 5, 10, 20, 50, 100) if (n + 1) / step <= 14]
    every = next(
        (step for step in few if n % step == 0 and n // step >= 3), few[0]
    )  # so that n is named, too
    ticks = list(range(0, n + 1, every))
    axis = {
        "values": ticks,
        "labelAngle": 0,
        "labelOverlap": False,
        "labelPadding": 5,
        "ticks": False,
        "domain": False,
        "grid": False,
    }
    apart = _GAP * (step >= _APART) / step  # half of it around all, so that cells keep their places
    scale = alt.Scale(domain=list(range(n + 1)), paddingInner=apart, paddingOuter=apart / 2)
    alone = width > _PAIRED and not numbered  # room for a longer title, and all chances in sight
    below = "true count (each column adds up to 100%)" if alone else "true count"
    # the title of the axis alone: that of the channel is read out with every cell
    x = alt.X(
        "count:O",
        title="true count",
        axis=alt.Axis(orient="bottom", title=below, **axis),
        scale=scale,
    )
    y = alt.Y("output:O", title="published number", axis=alt.Axis(**axis), scale=scale)
    legend = colour_bar(top, min(width, 220), root=root, orient=legend_at) if legend_at else None
    told = [
        *values.split(),
        *(["(square-root", "scale)"] if root else []),
    ]  # beside a matrix there is less room than above it
    title = told if legend_at == "right" and len(told) > 1 else " ".join(told)
    colour = alt.Color("probability:Q", title=title, scale=shaded(top, root=root), legend=legend)
    shown = (
        tips(count="true count", output="published number", probability="chance")
        if tip is None
        else tips(**tip)
    )
    base = alt.Chart(alt.NamedData(name=name)).encode(x=x, y=y, tooltip=shown)
    rounded = {"cornerRadius": round(ROUND * step, 1)} if apart else {}
    layers = [base.mark_rect(**rounded).encode(color=colour)]
    if n <= OUTLINES_UP_TO or outlined != "diagonal":
        layers += outlines(
            base.transform_filter(f"datum.{outlined}"), 1.2 if n <= 20 else 0.8, **rounded
        )
    else:
        layers += _diagonal(width)
    marked = any(row.get("broken") for row in rows)
    if marked:
        layers.append(_triangles(base, n, step))
    if n <= VALUES_UP_TO:
        some = base.transform_filter(f"datum.{numbered}") if numbered else base
        digits = decimals(step) if places is None else places
        layers.append(_values(some, step, inked(top, root=root), digits, alone=bool(numbered)))
    return alt.layer(*layers).properties(width=width, height=width)


def shaded(top: float, *, root: bool = False) -> Any:
    """The scale of fills up to the chance `top`: what `cell_colours` computes, in Vega's words."""
    steps = [k / (len(RAMP) - 1) for k in range(len(RAMP))]
    places = [top * (step**2 if root else step) for step in steps]
    kind = "sqrt" if root else "linear"
    return altair().Scale(type=kind, domain=places, range=list(RAMP), interpolate="rgb", clamp=True)


def inked(top: float, *, root: bool = False) -> Any:
    """The ink that is read on the fill of a cell."""
    tests = {
        place**2 if root else place: ink
        for place, ink in ((TURN, PALE_INK), (NIGHT_TURN, SAME_INK))
    }
    conditions = [
        {"test": f"datum.probability > {top * place:.9g}", "value": ink}
        for place, ink in tests.items()
    ]
    return altair().ColorValue(INK, condition=conditions)


def colour_bar(
    top: float, long: float, *, root: bool = False, room: float = _TICK_ROOM, **more: Any
) -> Any:
    """The legend of the fills: a bar with round numbers, as many as can stand along it without
    touching.
    """
    ticks = root_ticks(top, long) if root else even_ticks(top, int(long / room))
    # with a precision of its own: Vega would round to that of the ticks it would have chosen, and
    # call 0.04 "0"
    return altair().Legend(
        gradientLength=long,
        values=ticks,
        format=".6~%",
        labelOverlap=False,
        titlePadding=10,
        **more,
    )


def even_ticks(top: float, most: int) -> list[float]:
    """At most `most` round numbers from 0 to `top`, at even distances, and three or more where that
    can be.

    >>> even_ticks(0.622, 4), even_ticks(0.12, 4), even_ticks(0.98, 5)
    ([0.0, 0.2, 0.4, 0.6], [0.0, 0.04, 0.08, 0.12], [0.0, 0.2, 0.4, 0.6, 0.8])
    """
    power = 10.0 ** floor(log10(top))
    steps = (power * factor for factor in (0.1, 0.2, 0.4, 0.5, 1, 2, 4, 5, 10))
    step = next(step for step in steps if floor(top / step * (1 + 1e-9)) < max(2, most))
    return [float(f"{k * step:.6g}") for k in range(floor(top / step * (1 + 1e-9)) + 1)]


def root_ticks(top: float, long: float) -> list[float]:
    """Round numbers from 0 to `top`, at places on a square-root scale that are far enough apart for
    their digits.

    >>> root_ticks(0.28, 220), root_ticks(0.98, 220)
    ([0.0, 0.02, 0.1, 0.2], [0.0, 0.2, 0.5])
    """
    power = floor(log10(top))
    found: list[float] = []
    for value in (float(f"{lead}e{power - k}") for k in range(4) for lead in (5, 2, 1)):
        last = sqrt(found[-1] / top) if found else 2.0
        if value <= top and long * (last - sqrt(value / top)) >= _TICK_ROOM <= long * sqrt(
            value / top
        ):
            found.append(value)
    return [0.0, *reversed(found)]


def outlines(cells: Any, width: float, **rounded: float) -> list[Any]:
    """Frames of these cells, on an edge that parts them from any fill."""
    strokes = ((MARK_EDGE, width + 1.6), (MARK, width))
    return [
        cells.mark_rect(fillOpacity=0, stroke=stroke, strokeWidth=wide, **rounded)
        for stroke, wide in strokes
    ]


def _diagonal(width: int) -> list[Any]:
    """One thin line instead of outlines when cells are only a few pixels wide."""
    alt = altair()
    ends = {"x": alt.value(0), "y": alt.value(0), "x2": alt.value(width), "y2": alt.value(width)}
    line = alt.Chart(inline([{}])).encode(**ends)
    return [
        line.mark_rule(color=MARK_EDGE, strokeWidth=2),
        line.mark_rule(color=MARK, strokeWidth=0.8, strokeDash=[4, 3]),
    ]


def _triangles(base: Any, n: int, step: float) -> Any:
    where = (
        corner(step, letters(step))
        if n <= VALUES_UP_TO
        else {"size": max(9.0, round((step * 0.45) ** 2, 1))}
    )
    # the edge is white, or on a dark page black: it parts the mark from any fill
    return base.transform_filter("datum.broken").mark_point(
        shape=_FLAG,
        filled=True,
        color=MARK,
        opacity=1,
        stroke=MARK_EDGE,
        strokeWidth=1.5 if step > 20 else 0.8,
        **where,
    )


def letters(step: float, least: float = 8.5) -> float:
    """How large the numbers in cells of `step` pixels are."""
    return max(least, min(13.0, step * 0.36))


def decimals(step: float) -> int:
    """How many decimals percentages in cells of `step` pixels have."""
    return 0 if step < 45 else 1


def corner(step: float, size: float) -> dict[str, float]:
    """Where a triangle fills the upper right corner of a cell, and how large: clear of a number of
    this size.

    Its long side falls past the last digit, so it may reach lower than the digits' tops.

    >>> corner(48, 12)
    {'size': 112.36, 'xOffset': 17.2, 'yOffset': -17.2}
    """
    above = step / 2 - _CAPITAL * size
    beside = step / 2 - _DIGIT * size * (2 + 1.5 * decimals(step)) / 2
    side = round(max(5.0, min(max(0.22 * step, _SEEN), above + beside - 1.5 * _CLEAR - _INSET)), 1)
    aside = round(step / 2 - _INSET - side / 2, 2)
    return {"size": round(side**2, 2), "xOffset": aside, "yOffset": -aside}


def number(places: int) -> dict[str, Any]:
    """The text of a cell with so many decimals of a percent: what can happen is never 0, nor what
    need not 100.

    >>> [(one["test"], one["value"]) for one in number(0)["condition"]]
    [('datum.percent > 0 && datum.percent < 0.5', '<1'), ('datum.percent < 100 && datum.percent >=
    99.5', '>99')]
    """
    least = f"{10.0**-places:.{places}f}"
    half = 0.5 * 10.0**-places
    small = {"test": f"datum.percent > 0 && datum.percent < {half:g}", "value": f"<{least}"}
    large = {
        "test": f"datum.percent < 100 && datum.percent >= {100 - half:g}",
        "value": f">{100 - float(least):g}",
    }
    return {
        "condition": [small, large],
        "field": "percent",
        "type": "quantitative",
        "format": f".{places}f",
    }


def _values(base: Any, step: float, ink: Any, places: int, *, alone: bool) -> Any:
    """The numbers, in percent; where few cells have one, it stands `alone` and is what the cell
    says.
    """
    alt = altair()
    text = alt.Text("said:N") if alone else alt.Text(**number(places))
    base = base if alone else base.transform_calculate(percent="100 * datum.probability")
    return base.mark_text(fontSize=letters(step)).encode(text=text, color=ink)
