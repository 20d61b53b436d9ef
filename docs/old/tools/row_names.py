"""Names of rows above their dots on a phone: beside them they would take half of its width."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tools.drawing import INK

_ROW, _UP = 58, 21
"""Pixels from one row to the next, and from the middle of a row up to its name."""


def above_rows(panel: dict[str, Any]) -> None:
    """Take the axis with the names of rows from a panel, and write each above its dots."""
    layers = panel["layer"]
    upright = [layer["encoding"]["y"] for layer in layers if "y" in layer["encoding"]]
    labels = upright[0]["sort"]
    size = next(layer["mark"]["fontSize"] for layer in layers if layer["mark"]["type"] == "text")
    y = deepcopy(upright[0])
    layers.append(
        {
            "data": {"values": [{"label": label, "name": label.replace("\n", " ")} for label in labels]},
            "mark": {"type": "text", "align": "left", "dx": 8, "dy": -_UP, "fontSize": size, "color": INK},
            "encoding": {"x": {"value": 0}, "y": y, "text": {"field": "name", "type": "nominal"}},
        }
    )
    for each in (*upright, y):
        each["axis"] = None
    panel["height"] = _ROW * len(labels)
