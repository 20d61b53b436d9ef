"""The same chart for a phone: panels below each other, and narrower, so that letters need not be made smaller."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from discreet.show.pictures.heatmap import corner, decimals, letters, lowered
from discreet.show.pictures.theme import HEADINGS, LETTERS

WIDE = 352
"""How wide a picture is on a screen of 390 pixels, nearly."""
SMALLEST = 11.0
"""Of letters, in pixels."""
_SIZES = {17: 15, HEADINGS: 13, LETTERS: 12.5}
"""Of letters, on a page and on a phone."""
_PADDING, _LEAST = 6, 130
_AT_THE_END, _AFTER_NAMES = 16, 12
"""Right of a panel, for the reason of `_FOR_NAMES`, and of names there, which have most of their room already."""
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
    _smaller(told)
    panels = told.get("concat", [])
    if len(panels) > 1:
        told["columns"] = 1
    else:
        drawn = re.search(r'viewBox="0 0 ([\d.]+)', wide.read_text(encoding="utf-8"))
        assert drawn is not None
        sides = {
            "left": _FOR_NAMES if "labelLimit" in str(told) else _PADDING,
            "right": _AFTER_NAMES if "'moved'" in str(told) else _AT_THE_END,
        }
        saved = sum(told["config"]["padding"][side] - sides[side] for side in sides)
        _reduced(told, max(0.0, float(drawn[1]) - saved - WIDE))
        told["config"]["padding"] |= sides
        told["config"]["legend"]["columns"] = 2  # where the chart does not say how many
    title = told["title"]
    title["text"] = _folded([title["text"]], 27 if panels else 31)
    if title.get("subtitle"):
        title["subtitle"] = _folded(title["subtitle"], 30 if panels else 44)
    for part in told.get("vconcat", ()):
        if (part.get("title") or {}).get("subtitle"):
            part["title"]["subtitle"] = _folded(part["title"]["subtitle"], 32)
    return Spec(told)


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
            _numbers(part, side / cells)
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
    scale = panel["layer"][0]["encoding"]["x"]["scale"]
    return len(scale["domain"])


def _numbers(panel: dict[str, Any], step: float) -> None:
    """Numbers in cells: two decimals where three have no room, in letters that can be read; marks in their corners."""
    marked = any("xOffset" in layer["mark"] for layer in panel["layer"])
    below = lowered(step) if marked else 0.0
    for layer in panel["layer"]:
        mark = layer["mark"]
        if mark["type"] == "text":
            mark["fontSize"] = letters(step, SMALLEST)
            layer["encoding"]["text"]["format"] = f".{decimals(step)}f"
            mark["dy"] = below
        elif "xOffset" in mark:
            mark |= corner(step, letters(step, SMALLEST), below)


def _folded(lines: list[str], letters: int) -> list[str]:
    return [line for words in lines for line in wrap(_whole(words), letters)]


def _whole(words: str) -> str:
    """The words, with no break within "epsilon = 1", "(5, 2, 1)" or "GM 3.64"."""
    return re.sub(r"(?<=\d,) (?=\d)|(?<==) | (?==)|(?<=[A-Z]) (?=\d)", "\xa0", words)
