"""One typeface for all pages and pictures, carried along, so that they look the same on every
machine.

A picture that names a face only gets whatever a machine has instead, with other widths than it was
laid out for. The files are parts of Inter, cut by `tools.typeface`: `inter.woff2` for pages,
`pictures.woff2` with the letters of English for pictures in one file, and two files for vl-convert,
which knows neither that format nor faces of variable weight.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from pathlib import Path

FONT = "Inter, Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif"
"""The faces that every picture asks for: charts in all formats, and the documentation's
drawings.
"""
FOLDER = Path(__file__).parent
IN_PICTURES = frozenset(map(chr, range(0x20, 0x7F))) | frozenset("\n\xa0±·×–—‘’“”…→−≤≥≈αε")
"""The letters of `pictures.woff2`. A picture with others, such as names of places, carries those
of pages.
"""

_WORDS = re.compile(r"<(?:text|tspan|title|desc)\b[^>]*>([^<]*)")


@cache
def _address(name: str) -> str:
    return "data:font/woff2;base64," + b64encode((FOLDER / name).read_bytes()).decode("ascii")


def carried(name: str = "inter.woff2") -> str:
    """The rule of a style sheet that carries the letters, for a page or a picture in one file."""
    return f"@font-face{{font-family:Inter;font-weight:400 700;src:url({_address(name)})}}"


def with_letters_inside(style: str) -> str:
    """A style sheet that names the file of the letters, with the letters instead, for a page in
    one file.
    """
    return style.replace('url("inter.woff2")', f"url({_address('inter.woff2')})")


def with_letters(svg: str) -> str:
    """Let a picture carry its letters.

    >>> with_letters("<svg><text>7</text></svg>")[:34]
    '<svg><style>@font-face{font-family'
    >>> len(with_letters("<svg><text>Malmö</text></svg>")) > 2 * len(
    ...     with_letters("<svg><text>Rome</text></svg>")
    ... )
    True
    """
    used = set("".join(_WORDS.findall(svg)))
    style = carried("pictures.woff2" if used <= IN_PICTURES else "inter.woff2")
    return re.sub(r"(<svg\b[^>]*>)", lambda head: f"{head[0]}<style>{style}</style>", svg, count=1)


@cache
def lend_to_vl_convert() -> None:
    """Let vl-convert measure and draw with these letters; once, before it draws."""
    import vl_convert

    vl_convert.register_font_directory(str(FOLDER))
