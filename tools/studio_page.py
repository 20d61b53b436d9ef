"""`python -m tools.studio_page`: the page and the pictures of the studio that the documentation
carries.

The pictures need Chromium, as the tests in a browser do.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Literal

from discreet.studio import export
from discreet.studio.settings import Setting
from discreet.studio.telling.stories import STORIES

DOCS = Path(__file__).parents[1] / "docs"
SHOWN = {
    "clinic": ("1", "0.1", "0.25", "0.5", "2"),
    "monthly": ("0.25", "0.1", "0.5"),
    "household": ("0.5", "0.25", "1"),
    "paper": ("10/11",),
}
"""The stories of the page, each with the values of privacy that its slider moves through, its
own first.
"""


def settings() -> list[Setting]:
    """Return the settings of the page, each story's own privacy first."""
    return [
        STORIES[name].setting.but(privacy=privacy)
        for name, values in SHOWN.items()
        for privacy in values
    ]


def main() -> None:
    """Write all of them."""
    export(
        DOCS / "studio-page.html",
        [setting.query() for setting in settings()],
        home="index.html",
        story="studio-story.html",
    )
    command = [sys.executable, "-m", "discreet", "studio", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as studio:
        try:
            assert studio.stdout is not None
            address = studio.stdout.readline().split()[2]
            schemes: dict[str, Literal["light", "dark"]] = {"": "light", "-dark": "dark"}
            for night, scheme in schemes.items():
                picture(address, DOCS / "images" / f"studio{night}.png", scheme)
                picture(address, DOCS / "images" / f"studio{night}-narrow.png", scheme, wide=390)
        finally:
            studio.terminate()


def picture(
    address: str, path: Path, scheme: Literal["light", "dark"], *, wide: int = 1280
) -> None:
    """Take a picture of the studio as it opens, with 300 answers drawn: enough to be near their
    chances.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = chromium.new_page(
            viewport={"width": wide, "height": 1000},
            reduced_motion="reduce",
            color_scheme=scheme,
            device_scale_factor=1 if wide > 560 else 2,
        )
        page.goto(f"{address}?{Setting().query()}")
        page.wait_for_selector("body[data-busy=no]")
        for many in (100, 200, 300):
            page.click("text=Draw 100 times")
            page.wait_for_selector(f"#tally:has-text('Drawn {many} times')")
        page.evaluate("scrollTo(0, 0)")
        page.mouse.move(0, 0)
        page.screenshot(path=path)
        chromium.close()


if __name__ == "__main__":
    main()
