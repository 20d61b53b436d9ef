"""A real studio, started by its own command, and a real browser that watches for errors and for requests leaving."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.conftest import require

import discreet

SOURCE = str(Path(discreet.__file__).parents[1])
ARTEFACTS = Path(__file__).parents[2] / ".artefacts" / "studio"
INSTRUMENT = "?n=8&epsilon=0.25&properties=CM&loss=L0&beside=GM&count=1&story=monthly"
"""The example whose two mechanisms differ at first sight: an address without a setting is the story's."""
WIDTHS = {"wide": (1280, 900), "narrow": (390, 844)}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start `discreet studio` as a person would, and yield the address it says."""
    require("browser")
    env = {**os.environ, "PYTHONPATH": SOURCE}
    command = [sys.executable, "-m", "discreet", "studio", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=env, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            yield said.split()[2]
        finally:
            process.terminate()
            process.wait(timeout=120)


@pytest.fixture(
    scope="module"
)  # its loop runs in this thread until it ends, and others want loops of their own
def browser() -> Iterator[Any]:
    require("browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def tab(browser: Any, address: str) -> Iterator[tuple[Any, list[str]]]:
    """One page for all tests of a module, and what went wrong in it or went elsewhere."""
    context, troubles = watched(browser, address)
    yield context.new_page(), troubles
    context.close()


def watched(browser: Any, address: str, **options: Any) -> tuple[Any, list[str]]:
    """Open a context whose errors, and requests to anywhere else, are written down."""
    home = urlsplit(address).netloc
    troubles: list[str] = []

    def watch(message: Any) -> None:
        if message.type in ("error", "warning"):
            troubles.append(f"console: {message.text}")

    def leaves(request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != home:
            troubles.append(f"a request left the machine: {request.url}")

    context = browser.new_context(accept_downloads=True, **options)
    context.set_default_timeout(120_000)  # milliseconds: the machine may be busy
    context.on("request", leaves)
    context.on("console", watch)
    context.on("weberror", lambda error: troubles.append(f"script: {error.error}"))
    return context, troubles


@pytest.fixture
def visit(tab: tuple[Any, list[str]], address: str) -> Iterator[Callable[..., Any]]:
    """Open the instrument at a setting and a width; afterwards nothing may have gone wrong or gone elsewhere."""
    page, troubles = tab

    def opened(
        query: str = "",
        width: str = "wide",
        scheme: str = "light",
        motion: str = "reduce",
        more: bool = True,
    ) -> Any:
        wide, high = WIDTHS[width]
        page.set_viewport_size({"width": wide, "height": high})
        page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        page.goto(
            "about:blank"
        )  # or an address that differs in its last part only would not be loaded
        page.goto(address + (query if query.startswith("?") else INSTRUMENT + query))
        page.wait_for_selector("body[data-ready=yes]")
        if more and width == "wide":  # what may be asked for besides people and privacy is folded
            page.evaluate(
                "for (const id of ['fold', 'own-file']) document.getElementById(id).open = true"
            )
        return page

    yield opened
    assert not troubles


def settled(page: Any) -> None:
    """Wait until the page shows the newest setting, prices and all."""
    page.wait_for_selector("body[data-busy=no]")


def drawn(page: Any) -> None:
    """Wait until the picture is that of the controls; prices and scores may follow."""
    page.wait_for_selector("body[data-shown=yes]")


def back(page: Any, *, by: str = "go_back") -> None:
    """Go back in the browser's history, and wait until the page has heard of it."""
    page.evaluate(
        "() => { window.heard = new Promise(heard => addEventListener('popstate', heard, { once: true })) }"
    )
    getattr(page, by)()
    page.evaluate("() => window.heard?.then(() => true)")


def forward(page: Any) -> None:
    """Go forward, as `back` goes back."""
    back(page, by="go_forward")


def until(page: Any, true: str) -> None:
    """Wait until an expression is true of the page; its content policy keeps the driver from doing so by itself."""
    end = time.monotonic() + 120
    while not page.evaluate(true):
        assert time.monotonic() < end, true
        page.wait_for_timeout(10)


def resize(page: Any, wide: int, high: int) -> None:
    """Change the window, and wait until the page has heard of it: what it does then is done."""
    page.evaluate(
        "() => { window.onresize = () => { window.heard = `${innerWidth} ${innerHeight}`; }; window.onresize(); }"
    )
    page.set_viewport_size({"width": wide, "height": high})
    until(page, f"window.heard === '{wide} {high}'")


def keep(page: Any, name: str, *, full: bool = False) -> None:
    """Keep a picture of the page as an artefact to look at."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}.png", full_page=full)
