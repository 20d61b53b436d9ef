"""How figures look and how they are written: one theme, four formats, nothing fetched from anywhere.

Colours are the Okabe-Ito set, which the common kinds of colour blindness tell apart; series also differ in dash
and marker, so that a figure survives a black-and-white printer. Heatmaps run from white to one dark hue, so
that darker means more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import shown
from discreet.errors import InvalidInput, MissingExtra, did_you_mean
from discreet.proof.whole_files import write_whole

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

FORMATS = ("png", "svg", "pdf", "html")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2], [10, 4], [1, 3])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
RAMP = ("#ffffff", "#dbe9f6", "#a6cee3", "#5ba3cf", "#2171b5", "#08306b")
MARK = "#D55E00"
GREY = "#8c8c8c"
FONT = "Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif"

Rows = list[dict[str, Any]]


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
    """What a page shows under the pointer: fields of the data under names for a reader.

    Every layer of a figure carries them: whichever lies on top is the one that a pointer meets.
    """
    alt = altair()
    return [alt.Tooltip(f"{field}:N", title=title) for field, title in titles.items() if field in _NAMES] + [
        alt.Tooltip(f"{field}:Q", title=title, format=".4~g") for field, title in titles.items() if field not in _NAMES
    ]


_NAMES = ("series", "wish", "label")


def whole_cells(width: float, cells: int) -> int:
    """The width nearest to `width` in which every one of `cells` has as many whole pixels as the next.

    Otherwise seams show between small cells, and where rounding puts the first at -1e-14 it loses its label.
    """
    return cells * max(1, round(width / cells))


def finished(chart: Any, title: str, subtitle: Iterable[str] = (), data: Mapping[str, Rows] | None = None) -> Any:
    """Give a chart its title and the common look; `data` are named data sets, added last: Altair copies."""
    alt = altair()
    lines = [line for line in subtitle if line]
    looked = (
        chart.properties(title=alt.TitleParams(text=title, subtitle=lines or alt.Undefined))
        .configure(font=FONT, background="white", padding=12)
        .configure_view(stroke=None)
        .configure_title(
            anchor="start", fontSize=15, fontWeight=600, subtitleFontSize=11.5, subtitleColor="#444444", offset=10
        )
        .configure_axis(
            labelFontSize=11, titleFontSize=12, titleFontWeight=400, gridColor="#e6e6e6", domainColor="#666666",
            tickColor="#666666", labelFlush=False, titleColor="#222222", labelColor="#222222",
        )
        .configure_legend(labelFontSize=11, titleFontSize=11.5, titleFontWeight=400, symbolStrokeWidth=2)
        .configure_header(labelFontSize=12, titleFontSize=12, labelFontWeight=600)
    )  # fmt: skip
    if data:
        looked.datasets = dict(data)
    from discreet.show.pictures.offline import offline

    return offline(looked)


def write(chart: Any, path: str | PathLike[str], *, scale: float = 2) -> Path:
    """Write a chart as PNG (`scale` pixels to a point), SVG, PDF or self-contained HTML, by the name's ending."""
    altair()
    import vl_convert

    file = Path(path)
    kind = file.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        remedy = did_you_mean(kind, FORMATS) if kind else f"end it in {', '.join('.' + f for f in FORMATS)}"
        raise InvalidInput("path", "must end in .png, .svg, .pdf or .html", file.name, remedy=remedy)
    spec = json.dumps(chart.to_dict(validate=False))
    drawn: bytes | str
    if kind == "png":
        drawn = vl_convert.vegalite_to_png(spec, scale=scale)
    elif kind == "pdf":
        drawn = vl_convert.vegalite_to_pdf(spec)
    elif kind == "svg":
        drawn = vl_convert.vegalite_to_svg(spec)
    else:
        # bundle=True puts Vega itself into the page: it opens without a network
        drawn = vl_convert.vegalite_to_html(spec, bundle=True)
    write_whole(file, drawn)
    return file


def setting(m: Mechanism) -> str:
    """Say n, alpha and epsilon of a mechanism in one line."""
    return f"n = {m.n}, alpha = {shown(m.alpha)}, epsilon = {float(m.epsilon):.4g}"


def shape_line(m: Mechanism) -> str:
    """Say which properties it has and which it lacks."""
    from discreet.core.properties import PROPERTIES

    missing = " ".join(name for name in PROPERTIES if name not in m.shape)
    has = str(m.shape) or "none of the seven properties"
    return f"has {has}" + (f"; lacks {missing}" if missing else "")


def short_name(m: Mechanism) -> str:
    """Name a mechanism by what it is the best for, or by how it was found."""
    problem = m.origin.problem
    if problem is None:
        method = m.origin.method.removeprefix("closed form: ")
        return method[:1].upper() + method[1:]
    best = "Best" if m.origin.optimal else "Near the best"
    parts = [f"{best} for {'the worst case of ' if problem.worst_case else ''}{problem.loss.name}"]
    if str(problem.shape):
        parts.append(f"with {problem.shape}")
    if not problem.prior.uniform:
        parts.append(f"under {problem.prior.name}")
    return " ".join(parts)


def label(m: Mechanism) -> str:
    """A name short enough for a legend: GM, or "L1, CM WH"."""
    problem = m.origin.problem
    if problem is None:
        return short_name(m).rpartition(", ")[2]
    return ", ".join(part for part in (problem.loss.name, str(problem.shape)) if part)


def labelled(things: Any) -> dict[str, Mechanism]:
    """Read one mechanism, a list of them, or a dict from label to mechanism."""
    if isinstance(things, Mapping):
        found = {str(name): m for name, m in things.items()}
    elif isinstance(things, (list, tuple)):
        found = {}
        for m in things:
            name = label(m)
            found[name if name not in found else f"{name} ({len(found) + 1})"] = m
    else:
        found = {label(things): things}
    if not found:
        raise InvalidInput("mechanisms", "must hold at least one mechanism", 0)
    return found
