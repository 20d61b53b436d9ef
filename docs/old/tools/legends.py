"""The names of lines in a chart for a phone: short ones at their ends, and long ones in a legend above."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from discreet.show.captions import uncoded

WIDE = 352
"""How wide a picture is on a screen of 390 pixels, nearly."""
_SIDE_BY_SIDE = 16
"""Letters of names of a legend that can stand in a row with others."""
_THREE = 12
"""The same, where three stand in it."""
_BRIEF, _LETTER = 9, 9.0
"""Letters of a name that has room at the end of its line, and pixels of one of them."""


def named_briefly(told: dict[str, Any]) -> bool:
    """Leave the first word of each name at the end of its line, where that takes little room; say if any were left."""
    named = {name: rows[0] for name, rows in told.get("datasets", {}).items() if rows and "moved" in rows[0]}
    said = {name: uncoded(row["name"].partition("\xa0\xa0")[0]) for name, row in named.items()}
    if not named or max(map(len, said.values())) > _BRIEF or any("\n" in row["name"] for row in named.values()):
        return False
    for name, words in said.items():
        named[name]["name"] = words
    wide = _LETTER * max(map(len, said.values()))
    for part in told.get("vconcat", [told]):
        ends = [layer for layer in flat(part) if layer.get("data", {}).get("name") in named]
        aside = max(layer["mark"].get("dx", 0) for layer in ends)
        for layer in ends:
            if layer["mark"]["type"] == "point":  # it keeps the room for the name
                layer["mark"]["xOffset"] = round(aside + wide, 1)
    return True


def named_above(told: dict[str, Any], parts: list[dict[str, Any]]) -> bool:
    """Put long names at the ends of lines into one legend above, where they take no room; say if any were.

    Lines that are one at their end have one name there, too.
    """
    named = {name: rows[0] for name, rows in told.get("datasets", {}).items() if rows and "moved" in rows[0]}
    if not named:
        return False
    said = {re.split(" [=≈] ", row["series"])[0]: uncoded(row["name"].replace("\n", " ")) for row in named.values()}
    if len(parts) > 1:  # the values at the ends are those of one panel
        said = {series: words.partition("\xa0\xa0")[0] for series, words in said.items()}
    told["datasets"] = {name: rows for name, rows in told["datasets"].items() if name not in named}
    for part in parts:
        _without(part, set(named))
    longest = max(map(len, said.values()))
    box = {
        "orient": "top", "title": None, "values": list(said), "labelExpr": f"{json.dumps(said)}[datum.label]",
        "columns": 1 if longest > _SIDE_BY_SIDE else 2 if longest > _THREE else 3, "symbolSize": 80,
        "symbolStrokeWidth": 0, "symbolDash": [1, 0], "labelLimit": WIDE, "columnPadding": 16,
    }  # fmt: skip
    if len(parts) == 1:  # above the title of the axis
        titles = [layer.get("encoding", {}).get("y", {}).get("title") for layer in flat(parts[0])]
        box["offset"] = 48 if any(isinstance(title, list) for title in titles) else 34
    for layer in flat(parts[0]):
        for kind in ("color", "shape"):
            if layer.get("encoding", {}).get(kind, {}).get("field") == "series":
                layer["encoding"][kind]["legend"] = box
    return True


def _without(panel: dict[str, Any], named: set[str]) -> None:
    """Take the layers of these data out of a panel."""
    panel["layer"] = [layer for layer in panel["layer"] if layer.get("data", {}).get("name") not in named]
    for layer in panel["layer"]:
        if "layer" in layer:
            _without(layer, named)


def flat(panel: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The layers of a panel, and those within them."""
    for layer in panel.get("layer", [panel]):
        if "layer" in layer:
            yield from flat(layer)
        else:
            yield layer
