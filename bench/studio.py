"""How soon the studio shows what was changed: from the change of a control to the new picture, by
the browser's clock.

    python -m bench.studio                 every setting, 15 changes each; about two minutes
    python -m bench.studio --changes 5     fewer

A real studio and a real Chromium. The privacy slider is moved one stop at a time to designs that
were not shown before; the time is from the event to the second frame after the new picture is in
the page (`performance.now`), the pause for which a moving slider is waited for included. Beside it:
what of that the request took, and the processor time of the studio's process for the same question.
The goals are medians on two quiet cores: 150 ms at n = 20, 350 ms at n = 40.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

SETTINGS = {
    20: (
        "properties=&loss=L0&beside=Laplace",
        "properties=F&loss=L0&beside=GM",
        "properties=CM&loss=L1&beside=Laplace",
    ),
    40: (
        "properties=&loss=L0&beside=Laplace",
        "properties=F&loss=L0&beside=GM",
        "properties=WH&loss=L0&beside=none",
    ),
}
GOALS = {20: 150, 40: 350}
FIRST = 12
"""The stop that a slider begins at."""

_CHANGE = """(place) => new Promise((done) => {
    const slider = document.getElementById("privacy-slider");
    performance.clearResourceTimings();
    slider.value = place;
    const since = performance.now();
    const seen = new MutationObserver(() => {
        seen.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => {
            const asked = performance.getEntriesByType("resource").filter((one) => one.name.includes("/?"));
            done([performance.now() - since, asked.length ? asked[0].duration : 0]);
        }));
    });
    seen.observe(document.getElementById("column"), { childList: true });
    slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def main() -> None:
    """Measure, and print a line for each setting."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--changes", type=int, default=15, help="of each setting")
    changes = parser.parse_args().changes
    print(
        f"{'n':>3} {'setting':40} {'median':>8} {'slowest':>8} {'request':>8} {'processor':>9}  "
        "goal"
    )
    with _studio() as address, _browser() as browser:
        for n, settings in SETTINGS.items():
            for setting in settings:
                total, request = _redraws(browser, f"{address}?n={n}&epsilon=1&{setting}", changes)
                worked = median(_processor(f"n={n}&{setting}", changes))
                print(
                    f"{n:>3} {setting:40} {median(total):>5.0f} ms {max(total):>5.0f} ms "
                    f"{median(request):>5.0f} ms {worked:>6.0f} ms  {GOALS[n]} ms",
                    flush=True,
                )


def _redraws(browser: Any, address: str, changes: int) -> tuple[list[float], list[float]]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(120_000)
    page.goto(address)
    page.wait_for_selector("body[data-busy=no]")
    found = []
    for place in range(FIRST, FIRST + changes):
        found.append(page.evaluate(_CHANGE, place))
        page.wait_for_selector("body[data-busy=no]")
    page.close()
    total, request = zip(*found, strict=True)
    return list(total), list(request)


def _processor(setting: str, changes: int) -> list[float]:
    """Milliseconds of the processor for the same screens, in this process."""
    from discreet.studio.controls import STOPS
    from discreet.studio.telling.pathologies import gallery
    from discreet.studio.work.answering import Question, answer

    gallery()
    answer(Question(part="screen", query=f"{setting}&epsilon=1", base=""))
    spent = []
    for stop in STOPS["epsilon"][FIRST : FIRST + changes]:
        began = time.process_time()
        answer(Question(part="screen", query=f"{setting}&epsilon={stop}", base=""))
        spent.append(1000 * (time.process_time() - began))
    return spent


@contextmanager
def _studio() -> Iterator[str]:
    command = [sys.executable, "-m", "discreet", "studio", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ, text=True) as process:
        try:
            if process.stdout is None:
                raise SystemExit("the studio did not start")
            yield process.stdout.readline().split()[2]
        finally:
            process.terminate()


@contextmanager
def _browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


if __name__ == "__main__":
    main()
