"""How charts look and how they are written: one theme, four formats, nothing fetched from
anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from discreet.errors import InvalidInput, MissingExtra, did_you_mean
from discreet.proof.files import read_path, write_whole
from discreet.show.cells import Rows
from discreet.show.typeface.faces import FONT, carried, lend_to_vl_convert, with_letters

FORMATS = ("png", "svg", "pdf", "html")
LETTERS, HEADINGS = 13.5, 14.5
"""Of a figure and of the names of its panels, in pixels: those of a page's small print."""
PAGE = 688
"""How wide a picture with one panel is, in pixels: a page of the documentation."""
_AT_THE_TOP = {
    "titleAngle": 0,
    "titleAlign": "left",
    "titleAnchor": "end",
    "titleBaseline": "bottom",
    "titleX": -30,
    "titleY": -12,
}
"""The title of an upright axis: level and above its top, where it is read at once and takes no
room from the panel.
"""


def altair() -> Any:
    """Import Altair, or say how to get it."""
    try:
        import altair as alt
        import vl_convert  # noqa: F401 - the writer: without it nothing can be saved
    except ImportError:
        raise MissingExtra("plots", "drawing") from None
    return alt


def inline(rows: Rows) -> Any:
    """Data carried inside the chart: no file, no pandas, no row limit."""
    return altair().InlineData(values=rows)


def tips(**titles: str) -> list[Any]:
    """Return tooltips: fields of the data under names for a reader.

    Every layer of a figure carries them: whichever lies on top is the one that a pointer meets.
    """
    alt = altair()
    return [
        alt.Tooltip(f"{field}:N", title=title) for field, title in titles.items() if field in _NAMES
    ] + [
        alt.Tooltip(f"{field}:Q", title=title, format=".4~g")
        for field, title in titles.items()
        if field not in _NAMES
    ]


_NAMES = ("series", "wish", "label")


def whole_cells(width: float, cells: int) -> int:
    """The width nearest to `width` that gives every one of `cells` the same whole number of pixels.

    Otherwise seams show between small cells, and where rounding puts the first at -1e-14 it loses
    its label.
    """
    return cells * max(1, round(width / cells))


def page_wide(chart: Any, high: Any) -> Any:
    """A chart of one panel, so high, in a picture as wide as a page: the panel takes what its
    axis and names leave.
    """
    fit = altair().AutoSizeParams(type="fit-x", contains="padding")
    return chart.properties(width=PAGE, height=high, autosize=fit)


def finished(
    chart: Any,
    title: str,
    subtitle: str = "",
    data: Mapping[str, Rows] | None = None,
    *,
    note: str = "",
) -> Any:
    """Give a chart its title, a line below it, and the common look; `data` are named data sets,
    added last.

    The line is all that a picture says besides its title: what its marks are, and on a second one
    what is left out. The `note` says the rest. It is the chart's description, which a page prints
    below the picture and a screen reader reads.
    """
    alt = altair()
    looked = (
        chart.properties(
            title=alt.TitleParams(
                text=title, subtitle=subtitle.split("\n") if subtitle else alt.Undefined
            ),
            **({"description": note} if note else {}),
        )
        .configure(
            font=FONT,
            background="white",
            padding={"top": 12, "bottom": 12, "left": 26, "right": 20},
        )
        .configure_view(stroke=None)
        .configure_title(
            anchor="start",
            fontSize=17,
            fontWeight=600,
            subtitleFontSize=LETTERS,
            subtitleColor="#444444",
            offset=12,
        )
        .configure_axis(
            labelFontSize=LETTERS,
            titleFontSize=LETTERS,
            titleFontWeight=400,
            gridColor="#e6e6e6",
            domainColor="#8f979f",
            tickColor="#8f979f",
            tickSize=4,
            labelFlush=False,
            titleColor="#444444",
            labelColor="#222222",
            labelPadding=5,
            titlePadding=10,
        )
        # what is read off is read along level lines: upright ones are drawn where bars lie
        .configure_axisX(grid=False)
        .configure_axisY(domain=False, ticks=False, **_AT_THE_TOP)
        .configure_line(strokeJoin="round")
        .configure_rule(strokeCap="round")
        .configure_bar(cornerRadiusEnd=2)
        .configure_legend(
            labelFontSize=LETTERS,
            titleFontSize=LETTERS,
            labelLimit=300,
            columnPadding=30,
            titleFontWeight=400,
            symbolStrokeWidth=2,
        )
        .configure_header(labelFontSize=HEADINGS, titleFontSize=HEADINGS, labelFontWeight=600)
    )
    if data:
        looked.datasets = dict(data)
    from discreet.show.pictures.offline import offline

    return offline(looked)


def check_kind(path: str | PathLike[str], parameter: str = "path") -> str:
    """Return the kind of picture that a file's name ends in, or refuse it."""
    file = read_path(path, parameter)
    kind = file.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        remedy = (
            did_you_mean(kind, FORMATS)
            if kind
            else f"end it in {', '.join('.' + f for f in FORMATS)}"
        )
        raise InvalidInput(
            parameter, "must end in .png, .svg, .pdf or .html", file.name, remedy=remedy
        )
    return kind


def write(chart: Any, path: str | PathLike[str], *, scale: float = 2) -> Path:
    """Write a chart as PNG (`scale` pixels to a point), SVG, PDF or self-contained HTML, by the
    name's ending.
    """
    altair()
    import vl_convert

    lend_to_vl_convert()
    file = Path(path)
    kind = check_kind(file)
    spec = json.dumps(chart.to_dict(validate=False))
    drawn: bytes | str
    if kind == "png":
        drawn = vl_convert.vegalite_to_png(spec, scale=scale)
    elif kind == "pdf":
        drawn = vl_convert.vegalite_to_pdf(spec)
    elif kind == "svg":
        drawn = with_letters(vl_convert.vegalite_to_svg(spec))
    else:
        # bundle=True puts Vega itself into the page: it opens without a network
        drawn = vl_convert.vegalite_to_html(spec, bundle=True)
        drawn = drawn.replace("</head>", f"<style>{carried()}</style></head>", 1)
    write_whole(file, drawn)
    return file
