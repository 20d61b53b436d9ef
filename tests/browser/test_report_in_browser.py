"""The report in a real browser: two widths, light and dark, on paper, without scripts and requests, axe-core."""

from pathlib import Path

import pytest
from tests.browser.conftest import WIDTHS, resize
from tests.conftest import require
from tests.reporting.test_report_words import long, private

import discreet as dc

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ARTEFACTS = Path(__file__).parents[2] / ".artefacts" / "report"


def test_every_report_fits_every_screen_and_axe_finds_nothing(browser, tmp_path):
    require("tables")
    import axe_playwright_python

    axe = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    for place, (release, scheme) in enumerate(((long(epsilon=3), "dark"), (private(), "light"))):
        file = tmp_path / f"report-{place}.html"
        dc.report(release, file)
        context = browser.new_context(color_scheme=scheme)
        asked, troubles = [], []
        context.on("request", lambda request, asked=asked: asked.append(request.url))
        context.on("console", lambda message, troubles=troubles: troubles.append(message.text))
        page = context.new_page()
        page.goto(file.as_uri())
        page.emulate_media(media="print")
        hidden = "[...document.querySelectorAll('details tr')].filter(row => !row.checkVisibility()).length"
        assert page.evaluate(hidden) == 0, "on paper nothing is folded"
        page.emulate_media(media="screen")
        folds = page.locator("details:not([open])")
        if closed := folds.count():
            folds.last.locator("summary").press("Enter")
            assert folds.count() == closed - 1, "a keyboard opens what is folded"
        page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
        for name, (wide, high) in WIDTHS.items():
            resize(page, wide, high)
            assert page.evaluate("document.documentElement.scrollWidth") == wide, (
                "nothing hangs over the edge"
            )
            boxes = "[...document.querySelectorAll('.scroll')].every(box => box.scrollWidth <= box.clientWidth)"
            assert page.evaluate(boxes), "no table scrolls sideways"
            titles = "[...document.querySelectorAll('caption:not(.unseen)')].every(each => each.offsetWidth > 250)"
            assert page.evaluate(titles), "no caption stands one word to a line"
            bars = "[...document.querySelectorAll('td .bar')].every(each => each.getBoundingClientRect().width > 200)"
            assert page.evaluate(bars), "bars are wide enough to be read"
            if place == 0:
                page.screenshot(path=ARTEFACTS / f"{name}-{scheme}.png", full_page=True)
        page.evaluate(
            "document.querySelectorAll('figure svg > *').forEach((each) => each.remove())"
        )  # one image to axe
        page.evaluate(axe)
        found = page.evaluate("axe.run({resultTypes: ['violations']})")
        assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found["violations"]] == []
        assert asked == [file.as_uri()] and troubles == []
        if place == 0:
            page.pdf(path=ARTEFACTS / "report.pdf", format="A4")
        context.close()


def test_it_is_read_without_scripts(browser, tmp_path):
    file = tmp_path / "report.html"
    dc.report(Path(__file__).parents[1] / "fixtures" / "release-levels", file)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("h1").is_visible() and page.locator("table").count() >= 4
    context.close()
