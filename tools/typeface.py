"""Cuts the letters that pages and pictures carry out of Inter's variable face: `python -m
tools.typeface FILE`.

FILE is `variable/InterVariable.woff2` of the npm package inter-ui (4.1.1 was used). fontTools and
brotli must be installed; nothing else of this project needs them, so no requirements name them.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from discreet.show.typeface.faces import FOLDER, IN_PICTURES

LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x391, 0x3CA), 0x1E9E}
SIGNS = set(
    map(
        ord,
        "\u2009\u202f\u200b‐‑‒–—‘’‚“”„†•…‰′″‹›⁄⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉€←↑→↓↔⇒∀∂∈∑−√∞≈≠≤≥⋅■□▲▶▸▼▾●○✓✗✕",
    )
)
MIDDLE = {"opsz": 14.0}
"""The shape for small letters; that for large ones is left out."""


def cut(
    source: Path, letters: set[int], features: list[str], weight: float | tuple[float, ...], to: str
) -> None:
    """Write a part of a face: some letters, one weight or a range of weights."""
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    options = subset.Options(layout_features=features, hinting=False)
    options.drop_tables += ["MVAR"]
    font: Any = TTFont(source)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=sorted(letters))
    cutter.subset(font)
    font.flavor = None
    font.save(between := BytesIO())
    # what was cut is read once more: tables of the whole face are loaded late, and would name
    # letters that have gone
    font = instancer.instantiateVariableFont(
        TTFont(BytesIO(between.getvalue())), {**MIDDLE, "wght": weight}
    )
    style = "SemiBold" if weight == 600 else "Regular"
    for record in list(font["name"].names):
        if record.nameID in (1, 16):
            record.string = "Inter"
        elif record.nameID in (2, 17):
            record.string = style
        elif record.nameID in (3, 4, 6):
            record.string = f"Inter-{style}"
        elif record.nameID in (21, 22, 25):
            font["name"].names.remove(record)
    font.flavor = "woff2" if to.endswith(".woff2") else None
    font.save(FOLDER / to)
    print(f"{to}: {len(letters)} letters, {(FOLDER / to).stat().st_size:,} bytes")


def main(source: str) -> None:
    """Cut all four."""
    file, every = Path(source), LATIN | SIGNS
    cut(file, every, ["kern", "tnum", "ccmp", "mark"], (400, 400, 700), "inter.woff2")
    cut(file, {ord(letter) for letter in IN_PICTURES}, ["kern"], (400, 400, 700), "pictures.woff2")
    cut(file, every, ["kern"], 400, "Inter-Regular.ttf")
    cut(file, every, ["kern"], 600, "Inter-SemiBold.ttf")


if __name__ == "__main__":
    main(sys.argv[1])
