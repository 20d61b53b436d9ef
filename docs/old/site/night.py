"""For the site: pictures that a dark page cannot show by exchanging light and dark get a second file for it.

Most drawings are turned over by the style sheet. Where numbers stand on shaded cells, the ink must be chosen anew for
each cell, and what is hidden must not become the brightest thing of a picture.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

IMAGES = Path(__file__).parents[1] / "images"
GROUND = "#1d2327"
"""Of the page itself (`--card` of docs/site.css), so that a picture is no card on it."""
INKS = {"#ffffff": "#000000", "#000001": "#000000", "#000000": "#ffffff"}
"""Of words by day, and by night; `discreet.show.colours.SAME_INK` is left as it is."""
PALE = {"#cce3f0": "#356480", "#f5e4ed": "#744a66", "#d3e3f0": "#3d6384"}
"""Pale fills, between two lines and of bars that are not spoken of, which would sink into the ground."""
OWN = re.compile(r' fill="[^"]*" data-night="([^"]*)"')
"""A fill, and the one that the picture itself names for the night."""
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b|rgb\((\d+), (\d+), (\d+)\)|\b(?:white|black)(?=\")")
_ENLARGED = re.compile(r'<a class="enlarge" href="([^"]+\.svg)">(.*?)</a>', re.DOTALL)


def needed(picture: Path) -> bool:
    """Whether a picture has a second file."""
    if not picture.exists():
        return False
    drawn = picture.read_text(encoding="utf-8")
    pale = any(f'fill="{colour}"' in drawn for colour in PALE)
    return pale or 'fill="#000001"' in drawn or 'fill="#ffffff">' in drawn or OWN.search(drawn) is not None


def turned(colour: str) -> str:
    """A colour with light and dark exchanged and its hue kept; the darkest is the page's, light ones hardly change.

    >>> turned("#ffffff"), turned("#000000"), turned("#08306b")
    ('#1d2327', '#ffffff', '#b0d8ff')
    """
    red, green, blue = (1 - int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    grey = 2 * (0.213 * red + 0.715 * green + 0.072 * blue)
    parts = [min(1.0, max(0.0, grey - part)) for part in (red, green, blue)]
    ground = [int(GROUND[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    lifted = (part + least * (1 - part) ** 6 for part, least in zip(parts, ground, strict=True))
    return "#" + "".join(f"{round(255 * part):02x}" for part in lifted)


def by_night(drawn: str) -> str:
    """A drawing on white as it is drawn on a dark page; a fill that the picture names for the night is taken.

    >>> by_night('<path fill="rgb(255, 255, 255)"/><text fill="#000001">1</text><a fill="white" data-night="#123456"/>')
    '<path fill="#1d2327"/><text fill="#000000">1</text><a fill="#123456"/>'
    """
    return re.sub(r"<[^>]*>", _tag, drawn)


def _tag(tag: re.Match[str]) -> str:
    words = tag[0].startswith("<text")

    def exchanged(found: re.Match[str]) -> str:
        name = {"white": "#ffffff", "black": "#000000"}.get(found[0], found[0])
        name = "#" + 2 * name[1] + 2 * name[2] + 2 * name[3] if len(name) == 4 else name
        colour = name.lower() if name[0] == "#" else "#" + "".join(f"{int(part):02x}" for part in found.groups())
        return INKS[colour] if words and colour in INKS else PALE.get(colour) or turned(colour)

    own = OWN.search(tag[0])
    if own is None:
        return _COLOUR.sub(exchanged, tag[0])
    before, after = (_COLOUR.sub(exchanged, part) for part in (tag[0][: own.start()], tag[0][own.end() :]))
    return f'{before} fill="{own[1]}"{after}'


def name(picture: str) -> str:
    """What the second file is called.

    >>> name("images/three-narrow.svg")
    'images/three-narrow-night.svg'
    """
    return picture.removesuffix(".svg") + "-night.svg"


def on_page_content(html: str, **_: Any) -> str:
    """Show each of the two on its own kind of page."""

    def both(link: re.Match[str]) -> str:
        if not needed(IMAGES / link[1].partition("images/")[2]):
            return link[0]
        day = re.sub(r'(src="[^"]+\.svg)"', r'\1#only-light"', link[0])
        night = re.sub(r'((?:href|srcset|src)=")([^"]+\.svg)"', lambda part: f'{part[1]}{name(part[2])}"', link[0])
        return day + re.sub(r'(src="[^"]+\.svg)"', r'\1#only-dark"', night)

    return _ENLARGED.sub(both, html)


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the second files."""
    from mkdocs.structure.files import File

    for picture in sorted(IMAGES.rglob("*.svg")):
        if needed(picture):
            address = name(f"images/{picture.relative_to(IMAGES).as_posix()}")
            files.append(File.generated(config, address, content=by_night(picture.read_text(encoding="utf-8"))))
    return files
