"""The pictures of the reports in docs/quoting.md, docs/start.md and docs/survey.md:
`python -m tools.story_pictures [folder]`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import discreet as dc

DOCS = Path(__file__).parents[1] / "docs"
SCHEMES: dict[str, Literal["light", "dark"]] = {"": "light", "-dark": "dark"}
"""What the names of the pictures say of the reader's setting."""
PAGE, PHONE = 746, 356
"""Pixels that a page of the documentation gives such a picture, on screens of 1280 and of 390: letters stay sharp."""
SHARP = 3
"""Pixels of a picture for one of the page."""
CLASSES = "table >> nth=2"
"""In the school's report: after the total and the years."""
SHOWN = {
    "report": ("published", ".glance", ".glance + .note", ".glance + .note"),
    "report-table": ("published", "#the-numbers-to-quote", "details:nth-of-type(2)", "details tr:nth-child(5)"),
    "school": ("autumn", CLASSES, f"{CLASSES} >> tbody tr >> nth=5", f"{CLASSES} >> tbody tr >> nth=5"),
}
"""The release, of one draw that is kept; the first element of the picture; the last one, and that on a phone."""


def report(file: Path, release: str, scheme: Literal["light", "dark"], *, wide: int, first: str, last: str) -> None:
    """Take a picture of the report on a release in docs, on a screen so many pixels wide, from the top of one element
    to the end of another; it needs Chromium, as the tests in a browser do."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = chromium.new_page(
            viewport={"width": wide, "height": 900}, device_scale_factor=SHARP, color_scheme=scheme
        )
        page.set_content(dc.report(DOCS / release).html)
        place = "(element, end) => element.getBoundingClientRect()[end]"
        top = page.locator(first).first.evaluate(place, "top")
        bottom = page.locator(last).first.evaluate(place, "bottom")
        high = bottom - top + (8 if "tr" in last else 12)  # no mark of the next row
        page.screenshot(path=file, full_page=True, clip={"x": 0, "y": top - 6, "width": wide, "height": high})
        chromium.close()


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else DOCS / "images")
    for name, (release, first, last, last_on_phone) in SHOWN.items():
        for night, scheme in SCHEMES.items():
            report(folder / f"{name}{night}.png", release, scheme, wide=PAGE, first=first, last=last)
            report(folder / f"{name}{night}-narrow.png", release, scheme, wide=PHONE, first=first, last=last_on_phone)
