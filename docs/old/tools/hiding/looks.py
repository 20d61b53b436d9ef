"""The tiles of all pictures of the clinics: a number that is shown, one that is hidden or found, and an interval."""

from __future__ import annotations

from tools.people import fills

LOOKS = {  # fill, ink; every pair has a contrast of 7 to 1 or more
    "shown": ("#eef0f2", "#222222"),
    "hidden": ("#3b4046", "#ffffff"),
    "back": ("#9b1c1c", "#ffffff"),
    "private": ("#d6e7f6", "#222222"),
}
NIGHT = {  # the same on a dark page: what is hidden is the darkest, and nothing glares
    "shown": ("#3a444c", "#ffffff"),
    "hidden": ("#06080a", "#c3c9ce"),
    "back": ("#9b1c1c", "#ffffff"),
    "private": ("#1f4a70", "#ffffff"),
}


def box(x: float, y: float, wide: float, high: float, look: str, *, corner: float = 4) -> str:
    """A tile; docs/.site/night.py takes the fill in `data-night` for a dark page. What is hidden is hatched."""
    fill = fills((LOOKS[look][0], NIGHT[look][0]))
    edge = ' stroke="#70777e"' if look == "hidden" else ""
    tile = f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{corner:g}" {fill}{edge}/>'
    return tile + (_hatch(x, y, wide, high) if look == "hidden" else "")


def _hatch(x: float, y: float, wide: float, high: float) -> str:
    """Slanted lines within a tile, from its foot to its top or its right side."""
    strokes = []
    for k in range(7, int(wide + high), 7):
        low = (x + max(1.5, k - high + 1.5), y + min(k, high - 1.5))
        top = (x + min(k, wide - 1.5), y + max(1.5, k - wide + 1.5))
        strokes.append(f"M{low[0]:g} {low[1]:g}L{top[0]:g} {top[1]:g}")
    return f'<path d="{"".join(strokes)}" stroke="#8b929a" stroke-width="1" stroke-opacity="0.55"/>'


def words(x: float, y: float, said: str, look: str, *, size: float, bold: bool = True) -> str:
    """What stands in a tile, with x at its middle."""
    ink = fills((LOOKS[look][1], NIGHT[look][1]))
    return (
        f'<text x="{x:g}" y="{y:g}" {ink} font-size="{size:g}" font-weight="{600 if bold else 400}" '
        f'text-anchor="middle">{said}</text>'
    )
