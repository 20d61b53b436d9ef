"""The pictures of the report in docs/report.md and docs/story.md: `python -m tools.story_pictures [folder]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import discreet as dc

PUBLISHED = Path(__file__).parents[1] / "docs" / "published"
"""The release of the page, of one draw that is kept."""
SCHEMES: dict[str, Literal["light", "dark"]] = {"report": "light", "report-dark": "dark"}
"""The names of the report's pictures, by the reader's setting."""


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
    for stem, scheme in SCHEMES.items():
        report(folder / f"{stem}.png", scheme, wide=760, last="details:nth-of-type(2)")
        report(folder / f"{stem}-narrow.png", scheme, wide=390, last="details tr:nth-child(5)")
