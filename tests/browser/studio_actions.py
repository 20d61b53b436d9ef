"""What the tests of the studio's page do and look up, again and again."""

from pathlib import Path

from tests.browser.conftest import WIDTHS, resize
from tests.conftest import require

require("studio")

from discreet.studio.telling.stories import STORIES

BUSY = "?n=12&epsilon=0.4&properties=CM&loss=L1&beside=GM&count=3"
PAPER = f"?{STORIES['paper'].setting.query()}"
SMALL = "?n=3&alpha=10/11&properties=&loss=L2&beside=EM&pin=n%3D2%26alpha%3D10/11%26properties%3DF%26loss%3DL0"
VIEWS = ["watch", "learn", "counts", "compare", "own", "take"]


def picture(page):
    return page.inner_html("#pictures")


def wide(page):
    return page.evaluate("document.documentElement.scrollWidth")


def turn(page, view):
    page.click(f"#tab-{view}")
    assert page.is_visible(f"#view-{view}")


def show_everything(page):
    """Unfold what is folded and show all views at once, so that one look takes in the whole page."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.evaluate("for (const one of document.querySelectorAll('.view')) one.hidden = false")


def widen(page, width):
    resize(page, *WIDTHS[width])
    return WIDTHS[width][0]


def exact_cells(page):
    """The rows of the table of exact chances, once its fractions are there."""
    page.wait_for_selector("#column-table[aria-busy=false] tbody tr")
    return [row.split("\t") for row in page.inner_text("#column-table tbody").splitlines()]


def planned(page):
    page.wait_for_selector("#own-plan[data-state=fresh]", state="attached")
    return page.inner_text("#own-plan")


def unfold(page):
    """Open the entries of one's own table, which are a line above its plan on a narrow screen."""
    if not page.evaluate("document.getElementById('own-entries').open"):
        page.click("#own-entries > summary")


def hidden_columns(page, within):
    """The tables of which a part is out of sight, by their names."""
    return page.evaluate(f"""() => [...document.querySelectorAll("{within} .scroll")]
        .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.getAttribute("aria-label"))""")


def dimmed(page, selector):
    return (
        float(page.evaluate(f"getComputedStyle(document.querySelector('{selector}')).opacity"))
        < 0.5
    )


def no_violations(page):
    import axe_playwright_python

    # evaluated by the driver, because the page's content policy lets no script be added to it
    page.evaluate(Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text())
    page.evaluate(
        "for (const part of document.querySelectorAll('svg[role=img] > *')) part.remove()"
    )  # one image each
    # whatever passes is told by one element of the page, or it would spend most of its time on naming them all
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found["violations"]] == []
    assert len(found["passes"]) > 20
