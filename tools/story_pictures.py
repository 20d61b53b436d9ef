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


def path() -> str:
    """The way from the file to the report, from top to bottom."""
    parts, high = [], 46
    for k, (name, words) in enumerate(STEPS.items()):
        y = 8 + k * (high + 14)
        secret = k == 0
        parts.append(
            rect(8, y, WIDE - 16, high, fill="#f6e3d5" if secret else "#f2f2f2", stroke=SECOND if secret else THIRD)
        )
        parts += [text(20, y + 19, name, size=15, bold=True), text(20, y + 37, words)]
        if k + 1 < len(STEPS):
            parts.append(line([(WIDE / 2, y + high), (WIDE / 2, y + high + 14)], stroke=INK))
            parts.append(
                line(
                    [(WIDE / 2 - 5, y + high + 8), (WIDE / 2, y + high + 13), (WIDE / 2 + 5, y + high + 8)], stroke=INK
                )
            )
    return svg(8 + len(STEPS) * (high + 14), parts)


def pictures() -> dict[str, str]:
    """Every drawn picture by its name; the others of the page are charts (`tools.gallery`) and the report's."""
    return {"story-path": path()}


def report(file: Path, scheme: Literal["light", "dark"]) -> None:
    """Take a picture of the tables in the report on docs/published; it needs Chromium, as the tests in a browser do."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": 760, "height": 900}, device_scale_factor=2, color_scheme=scheme)
        page.set_content(dc.report(PUBLISHED).html)
        top = page.evaluate("document.querySelector('#totals').getBoundingClientRect().top")
        page.screenshot(path=file, full_page=True, clip={"x": 0, "y": top, "width": 760, "height": 800})
        chromium.close()


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    for name, drawn in pictures().items():
        (folder / f"{name}.svg").write_text(drawn, encoding="utf-8")
    report(folder / "report.png", "light")
    report(folder / "report-dark.png", "dark")
