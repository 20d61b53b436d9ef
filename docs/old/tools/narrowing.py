"""The same chart for a phone: panels below each other, and narrower, so that letters need not be made smaller."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from tools.legends import WIDE, flat, named_above, named_briefly
from tools.row_names import above_rows

from discreet.show.captions import uncoded
from discreet.show.pictures.heatmap import ROUND, corner, decimals, letters, number
from discreet.show.pictures.theme import HEADINGS, LETTERS
from discreet.show.typeface.faces import lend_to_vl_convert

SMALLEST = 11.0
"""Of letters, in pixels."""
_SIZES = {17: 15, HEADINGS: 13, LETTERS: 12.5}
"""Of letters, on a page and on a phone."""
_PADDING, _LEAST = 6, 130
_AT_THE_END, _AFTER_NAMES = 16, 12
"""Right of a panel, for the reason of `_FOR_NAMES`, and of names there, which have most of their room already."""
_MATRIX = 284
"""Pixels that a matrix can have beside its numbers and their title."""
_ALONE = 234
"""The same for one alone, which would fill a screen."""
_HALF, _MANY = 136, 3
"""The same for matrices in pairs, and from how many on they stand so: below each other they would fill screens."""
_NUMBER, _ROOMY = 12.0, 30
"""Pixels of numbers in cells, and of cells with room for them."""
_TIGHT = 20
"""Pixels of a cell that a number fills."""
_ACROSS = 36
"""Letters that can stand below the axis of a panel."""
_FOR_NAMES = 26
"""Left of an axis with names: a reader's letters may be wider than those that the picture was laid out with."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A chart that is nothing but its specification."""

    told: dict[str, Any]

    def to_dict(self, **_: Any) -> dict[str, Any]:
        """Return the specification."""
        return self.told


def narrow(chart: Any, wide: Path) -> Spec:
    """Return a chart that fits a phone; `wide` is its picture as it is, which says how much is too much."""
    told = chart.to_dict(validate=False)
    several = "hconcat" in told or any("hconcat" in row for row in told.get("vconcat", ()))
    small = [
        panel for panel in told.get("concat", ()) if panel.get("width") == panel.get("height") and "layer" in panel
    ]
    several = several or (len(small) >= _MANY and all(_HALF / _cells(panel) >= _NUMBER * 2 for panel in small))
    if several or "narrow" in told.get("usermeta", {}):
        return stacked(chart)
    _smaller(told)
    panels = told.get("concat", [])
    if len(panels) > 1:
        told["columns"] = 1
        _enlarged(panels)
        _grown(panels)
        for layer in (layer for panel in panels for layer in flat(panel)):  # beside a column of panels there is room
            legend = layer.get("encoding", {}).get("color", {}).get("legend") or {}
            legend |= {"orient": "right"} if legend.get("orient") == "bottom" else {}
    else:
        drawn = re.search(r'viewBox="0 0 ([\d.]+)', wide.read_text(encoding="utf-8"))
        assert drawn is not None
        sides = {"left": _FOR_NAMES if "labelLimit" in str(told) else _PADDING, "right": _AT_THE_END}
        saved = sum(told["config"]["padding"][side] - sides[side] for side in sides)
        parts = told.get("vconcat", [told])
        told["datasets"] = {name: _kept(rows) for name, rows in told.get("datasets", {}).items()}
        ended = named_briefly(told) or named_above(told, parts)
        _briefer(told)
        if "autosize" in told:  # the panel takes what its axis and names leave
            told["width"] = WIDE
            _titles(told, _ACROSS)
        elif told.get("width") == told.get("height") and "width" in told:
            _scale_above(told)
            _enlarged([told], _MATRIX if "'said'" in str(told["layer"]) else _ALONE)
        elif ended:
            told["config"]["padding"] |= sides
            less = _measured(told) - WIDE
            for part in parts:
                part["width"] = round(part["width"] - less)
        else:
            _reduced(told, max(0.0, float(drawn[1]) - saved - WIDE))
        told["config"]["padding"] |= sides
        told["config"]["legend"]["columns"] = 2  # where the chart does not say how many
    title = told["title"]
    title["text"] = _folded([title["text"]], 27 if panels else 31)
    if title.get("subtitle"):
        title["subtitle"] = _folded(title["subtitle"], 40 if panels else 44)
    for part in told.get("vconcat", ()):
        if (part.get("title") or {}).get("subtitle"):
            part["title"]["subtitle"] = _folded(part["title"]["subtitle"], 42)
            part["title"]["text"] = _folded([part["title"]["text"]], 36)
    return Spec(told)


def stacked(chart: Any) -> Spec:
    """Return a chart of panels in rows and columns as one that fits a phone: a panel a row, as wide as that allows.

    How much room its axes and names take is measured by drawing it.
    """
    told = chart.to_dict(validate=False)
    meta = told.pop("usermeta", {})
    own = meta.get("narrow", ())
    for wide, short in own:  # the chart's own words for a phone
        _reworded(told, wide, short)
    _smaller(told)
    panels = list(_panels(told))
    for panel in panels if meta.get("names") == "above" else ():
        above_rows(panel)
    if panels == [told] and told.get("width") == told.get("height"):
        _scale_above(told)
    in_a_row = max([len(row["hconcat"]) for row in told.get("vconcat", ()) if "hconcat" in row], default=1)
    paired = len(told.get("concat", ())) >= _MANY
    if "concat" in told:
        told |= {"columns": 2, "spacing": {"row": 12, "column": 4}} if paired else {"columns": 1}
    told["config"]["legend"] |= {"columns": 2, "columnPadding": 12}
    told["datasets"] = {name: _kept(rows) for name, rows in told.get("datasets", {}).items()}
    _briefer(told)
    named = own or "labelLimit" in str(told)
    told["config"]["padding"] |= {"left": _FOR_NAMES if named and not paired else _PADDING, "right": _AFTER_NAMES}
    told["title"]["text"] = _folded([told["title"]["text"]], 29)
    told["title"]["subtitle"] = _folded(told["title"].get("subtitle") or [], 41)
    for panel in panels:
        _fewer(panel)
        for layer in flat(panel) if own else ():
            axis = layer.get("encoding", {}).get("x", {}).get("axis") or {}
            axis |= {"labelFontSize": SMALLEST} if "labelExpr" in axis else {}
        for part in (panel, *panel.get("layer", ())):
            if "values" in part.get("data", {}):
                part["data"]["values"] = _kept(part["data"]["values"])
        if panel is not told and isinstance(panel.get("title"), dict):
            said = panel["title"]["text"]
            panel["title"]["text"] = _folded(
                [said] if isinstance(said, str) else said, 34 if in_a_row < 3 and not paired else 18 if paired else 12
            )
    _enlarged(panels, _HALF if paired else _MATRIX)
    for _ in range(3):  # names of panels and axes count too, and are folded anew
        less = (_measured(told) - WIDE) / in_a_row
        for panel in panels:
            if panel["width"] != panel["height"]:
                _fitted(panel, less)
    return Spec(told)


def _scale_above(panel: dict[str, Any]) -> None:
    """Put the scale of shades above a matrix: beside it there is no room."""
    for layer in panel["layer"]:
        colour = layer.get("encoding", {}).get("color", {})
        if colour.get("legend"):
            colour["legend"] |= {"orient": "top", "offset": 34}  # above the title of the axis
            colour["title"] = colour["title"] if isinstance(colour["title"], str) else " ".join(colour["title"])


def _kept(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of data that a phone has room for: those that do not say `wide`."""
    return [row for row in rows if not row.get("wide")]


def _panels(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Put the panels of rows below each other, and give them; three and more small ones in a row stay in it."""
    rows = told.pop("vconcat", None) or ([{"hconcat": told.pop("hconcat")}] if "hconcat" in told else None)
    if rows is None:
        yield from told.get("concat", [told])
        return
    told["vconcat"] = []
    for row in rows:
        inside = row.get("hconcat", [row])
        told["vconcat"] += [{**row, "spacing": 8}] if len(inside) > 2 else inside
        for before, panel in zip([None, *inside], inside, strict=False):
            if before and len(inside) == 2:
                _named_as(panel, before)
            panel["width"] = min(panel["width"], 100) if len(inside) > 2 else panel["width"]
            yield panel


def _named_as(panel: dict[str, Any], before: dict[str, Any]) -> None:
    """Give a panel's upright axis the title that only the panel left of it had."""
    titles = [y["title"] for y in _upright(before) if y.get("title")]
    for y in _upright(panel):
        if titles and y.get("title", "") is None:
            y["title"] = titles[0]
        if (y.get("axis") or {}).get("labels") is False:
            y["axis"] = next(iter(_upright(before)))["axis"]


def _upright(panel: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The upright axes of a panel's layers."""
    for layer in panel.get("layer", [panel]):
        if "layer" in layer:
            yield from _upright(layer)
        elif "title" in (y := layer.get("encoding", {}).get("y", {})):
            yield y


def _reworded(part: Any, wide: str, short: str) -> None:
    """Put other words into every expression for labels and for words in a picture."""
    for key, one in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        if key in ("labelExpr", "calculate"):
            part[key] = one.replace(wide, short)
        else:
            _reworded(one, wide, short)


def _fewer(panel: dict[str, Any]) -> None:
    """Fewer ticks below a panel, and fewer names of a legend in a row."""
    for layer in flat(panel):
        legend = layer.get("encoding", {}).get("color", {}).get("legend") or {}
        legend |= {"columns": 2} if legend.get("columns", 0) > 2 else {}
        x = layer.get("encoding", {}).get("x", {})
        if (x.get("axis") or {}).get("tickCount"):
            x["axis"]["tickCount"] = 4


def _briefer(told: dict[str, Any]) -> None:
    """Leave the codes out of words beside marks, and let those that have brief ones say no more than these."""
    for row in (row for rows in told.get("datasets", {}).values() for row in rows):
        row |= {"text": uncoded(row["text"])} if "text" in row else {}
        row |= {"said": row["brief"]} if "brief" in row else {}


def _measured(told: dict[str, Any]) -> float:
    """How wide a chart comes out."""
    import vl_convert

    lend_to_vl_convert()
    drawn = re.search(r'viewBox="0 0 ([\d.]+)', vl_convert.vegalite_to_svg(json.dumps(told)))
    assert drawn is not None
    return float(drawn[1])


def _fitted(panel: dict[str, Any], less: float) -> None:
    """Take so many pixels from a panel, and move what stands beside its right end along."""
    old = panel["width"]
    panel["width"] = max(60, round(old - less))
    for layer in panel.get("layer", []):
        for axis in ("x", "x2"):
            place = layer.get("encoding", {}).get(axis, {})
            if place.get("value", 0.0) >= old - 6:
                place["value"] += panel["width"] - old
    _titles(panel, int(panel["width"] / 6.5))


def _enlarged(panels: list[dict[str, Any]], room: int = _MATRIX) -> None:
    """Let matrices below each other be as wide as a phone, or as half of one."""
    matrices = [panel for panel in panels if panel.get("height") == panel.get("width") and "layer" in panel]
    places = min((decimals(room / _cells(panel)) for panel in matrices), default=0)  # one precision in a figure
    for panel in matrices:
        if cells := _cells(panel):
            panel["width"] = panel["height"] = cells * int(room / cells)
            for mark in (layer["mark"] for layer in panel["layer"] if "cornerRadius" in layer["mark"]):
                mark["cornerRadius"] = round(ROUND * panel["width"] / cells, 1)
            _numbers(panel, panel["width"] / cells, places)


def _grown(panels: list[dict[str, Any]]) -> None:
    """Let triangles of cells be as wide as a phone: their hexagons are marks, whose size is in pixels."""
    for panel in panels:
        if "L" not in panel["layer"][0]["mark"].get("shape", ""):
            continue
        times = _MATRIX / panel["width"]
        panel |= {"width": _MATRIX, "height": round(panel["height"] * times)}
        for mark in (layer["mark"] for layer in panel["layer"]):
            if mark["type"] == "point":
                mark["size"] *= times**2
            elif abs(mark.get("dy", 0)) > _TIGHT:  # the names of corners keep their distance from a cell
                mark["dy"] *= (1 + times) / 2


def _smaller(part: Any) -> None:
    """Letters for a screen that is held in a hand: fewer pixels than beside the text of a page."""
    for key, one in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        if isinstance(key, str) and key.lower().endswith("fontsize") and one in _SIZES:
            part[key] = _SIZES[one]
        else:
            _smaller(one)


def _reduced(part: Any, less: float) -> None:
    """Take so many pixels from every panel, and let numbers in cells be as large as letters are."""
    if isinstance(part, list):
        for one in part:
            _reduced(one, less)
    if not isinstance(part, dict):
        return
    width = part.get("width")
    if isinstance(width, int | float) and "type" not in part and width > _LEAST:
        if part.get("height") == width:  # a matrix: its cells stay squares of whole pixels
            cells = _cells(part)
            side = cells * max(1, int((width - less) / cells))
            part["width"] = part["height"] = side
            _numbers(part, side / cells, decimals(side / cells))
        else:
            part["width"] = max(_LEAST, round(width - less))
            _titles(part, int(part["width"] / 6.5))
    for one in part.values():
        _reduced(one, less)


def _titles(panel: dict[str, Any], letters: int) -> None:
    """Break what stands below the axis where it is longer than the axis."""
    for layer in panel.get("layer", [panel]):
        _titles(layer, letters) if "layer" in layer else None
        x = layer.get("encoding", {}).get("x", {})
        if isinstance(x.get("title"), str) and len(x["title"]) > letters:
            x["title"] = wrap(x["title"], letters)


def _cells(panel: dict[str, Any]) -> int:
    x = panel["layer"][0]["encoding"]["x"]
    return len(x["scale"]["domain"])


def _numbers(panel: dict[str, Any], step: float, places: int) -> None:
    """Numbers in cells: whole percentages where decimals have no room; marks stand in corners."""
    numbered = any(layer["mark"]["type"] == "text" for layer in panel["layer"])
    size = letters(step, _NUMBER if step >= _ROOMY else SMALLEST)
    for layer in panel["layer"]:
        mark = layer["mark"]
        if mark["type"] == "text":
            mark["fontSize"] = size
            told = layer["encoding"]["text"]
            if told.get("type") == "quantitative":  # no more decimals than on a page
                told |= number(min(places, int(told["format"][1])))
        elif numbered and mark.get("fillOpacity") == 0 and step < _TIGHT:  # an outline, which would touch the number
            mark["strokeWidth"] *= 0.7
        elif "xOffset" in mark:
            mark |= corner(step, size)


def _folded(lines: list[str], letters: int) -> list[str]:
    return [line for words in lines for line in wrap(_whole(words), letters)]


def _whole(words: str) -> str:
    """The words, with no break within "epsilon = 1", "(5, 2, 1)" or "GM 3.64"."""
    return re.sub(r"(?<=\d,) (?=\d)|(?<==) | (?==)|(?<=[A-Z]) (?=\d)", "\xa0", words)
