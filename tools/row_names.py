"""Names of rows above their bars on a phone: beside them they would take half of its width."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

_ROW, _UP = 50, 21
"""Pixels from one row to the next, and from the middle of a row up to its name."""


def above_rows(panel: dict[str, Any]) -> None:
    """Take the axis with the names of rows from a panel, and write each above its bar.

    A panel of rows has a layer of words, which stand behind the bars: its data have the names, too.
    """
    layers = panel["layer"]
    words = next(layer for layer in layers if layer["mark"]["type"] == "text")
    names = deepcopy(words)
    whole = {"calculate": r"replace(datum.label, /\n/g, ' ')", "as": "name"}
    names["transform"] = [*names.get("transform", []), whole]
    # clear of a line that marks zero
    marked = any(layer["mark"]["type"] == "rule" for layer in layers)
    names["mark"] |= {"dx": words["mark"]["dx"] if marked else 0, "dy": -_UP}
    names["encoding"] |= {"x": {"value": 0}, "text": {"field": "name", "type": "nominal"}}
    layers.append(names)
    upright = [layer["encoding"]["y"] for layer in layers if "y" in layer["encoding"]]
    for y in upright:
        y["axis"] = None
    panel["height"] = _ROW * len(upright[0]["sort"])
