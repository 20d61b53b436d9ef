"""The pictures of docs/story.md and the report's in docs/report.md: `python -m tools.story_pictures [folder]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import discreet as dc
from tools.drawing import INK, SECOND, THIRD, WIDE, line, rect, svg, text

PUBLISHED = Path(__file__).parents[1] / "docs" / "published"
"""The release of the page, of one draw that is kept."""
STEPS = {
    "people.csv": "one row for each person: secret",
    "discreet plan": "what it will cost and be worth",
    "discreet ledger": "what people may pay in all",
    "discreet release": "noise is drawn, once",
    "published/": "tables, manifest, proofs: for anybody",
    "discreet estimate": "numbers for the report, with intervals",
    "discreet report": "a page to send",
}
SCHEMES: dict[str, Literal["light", "dark"]] = {"report": "light", "report-dark": "dark"}
"""The names of the report's pictures, by the reader's setting."""


def path() -> str:
    """The way from the file to the report, in two rows that are read from left to right."""
    wide, high, gap, left = 156, 90, 18, 4
    parts = []
    for k, (name, words) in enumerate(STEPS.items()):
        row, column = divmod(k, 4)
        x, y = left + column * (wide + gap), 8 + row * (high + 34)
        parts += [_box(x, y, wide, high, secret=k == 0), text(x + 8, y + 24, name, size=14, bold=True)]
        parts += [text(x + 8, y + 45 + 17 * place, line_) for place, line_ in enumerate(_in_lines(words))]
        if column < 3 and k + 1 < len(STEPS):
            parts.append(_arrow([(x + wide, y + high / 2), (x + wide + gap, y + high / 2)]))
        elif column == 3:  # down, back to the left and into the second row
            middle, first = y + high + 17, left + wide / 2
            parts.append(
                _arrow([(x + wide / 2, y + high), (x + wide / 2, middle), (first, middle), (first, middle + 17)])
            )
    return svg(16 + 2 * high + 34, parts, wide=2 * left + 4 * wide + 3 * gap)


def tower() -> str:
    """The same from top to bottom, for a phone."""
    parts, high = [], 46
    for k, (name, words) in enumerate(STEPS.items()):
        y = 8 + k * (high + 14)
        parts.append(_box(8, y, WIDE - 16, high, secret=k == 0))
        parts += [text(20, y + 19, name, size=15, bold=True), text(20, y + 37, words)]
        if k + 1 < len(STEPS):
            parts.append(_arrow([(WIDE / 2, y + high), (WIDE / 2, y + high + 14)]))
    return svg(8 + len(STEPS) * (high + 14), parts)


def _box(x: float, y: float, wide: float, high: float, *, secret: bool) -> str:
    return rect(x, y, wide, high, fill="#f6e3d5" if secret else "#f2f2f2", stroke=SECOND if secret else THIRD)


def _arrow(points: list[tuple[float, float]]) -> str:
    """A line with a head at its end, which goes right or down."""
    (x, y), (before, _) = points[-1], points[-2]
    head = [(x - 6, y - 5), (x - 1, y), (x - 6, y + 5)] if x > before else [(x - 5, y - 6), (x, y - 1), (x + 5, y - 6)]
    return line(points, stroke=INK) + line(head, stroke=INK)


def _in_lines(words: str, most: int = 18) -> list[str]:
    """Words in lines of so many letters."""
    found = [""]
    for word in words.split():
        found = [*found[:-1], f"{found[-1]} {word}".strip()] if len(found[-1]) + len(word) < most else [*found, word]
    return found


def pictures() -> dict[str, str]:
    """Every drawn picture by its name; the others of the page are charts (`tools.gallery`) and the report's."""
    return {"story-path": path(), "story-path-narrow": tower()}


def report(file: Path, scheme: Literal["light", "dark"], *, wide: int, last: str) -> None:
    """Take a picture of the first tables in the report on docs/published, on a screen so many pixels wide, from the
    heading of the numbers to the end of the `last` element; it needs Chromium, as the tests in a browser do."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": wide, "height": 900}, device_scale_factor=2, color_scheme=scheme)
        page.set_content(dc.report(PUBLISHED).html)
        place = "(end, name) => document.querySelector(name).getBoundingClientRect()[end]"
        top = page.evaluate(f"({place})('top', '#the-numbers-to-quote')")
        bottom = page.evaluate(f"({place})('bottom', '{last}')")
        high = bottom - top + 6
        page.screenshot(path=file, full_page=True, clip={"x": 0, "y": top, "width": wide, "height": high})
        chromium.close()


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    for name, drawn in pictures().items():
        (folder / f"{name}.svg").write_text(drawn, encoding="utf-8")
    for stem, scheme in SCHEMES.items():
        report(folder / f"{stem}.png", scheme, wide=760, last="details:nth-of-type(2)")
        report(folder / f"{stem}-narrow.png", scheme, wide=390, last="details tr:nth-child(5)")
