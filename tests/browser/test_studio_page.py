"""The studio in a real browser: the main paths, a wrong entry, the files, two widths, the keyboard, axe-core."""

import csv
from pathlib import Path

import pytest
from tests.browser.conftest import WIDTHS, keep, settled

import discreet as dc

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BUSY = "?n=12&epsilon=0.4&properties=CM&loss=L1&beside=GM&count=3"
PINNED = f"{BUSY}&pin=n%3D8%26alpha%3D10/11%26properties%3DF%26loss%3DL0&pin=n%3D8%26alpha%3D10/11%26properties%3DCM%26loss%3DL0"


def picture(page):
    return page.inner_html("#pictures")


@pytest.mark.parametrize("width", WIDTHS)
def test_it_opens_on_a_worked_example_that_tells_the_story(visit, width):
    page = visit("", width)
    said = page.inner_text("#sentence")
    assert said.startswith("For groups of 8 at alpha = 10/11")
    assert "answers 0 with chance 0.358 when the truth is 4, and the truth itself with chance 0.048" in said
    assert "with fairness, reports every true count truthfully with the same chance, 0.136" in said
    assert page.locator("#pictures svg").count() == 2
    assert page.locator("#pictures").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTHS[width][0], "nothing hangs over the edge"
    keep(page, f"start-{width}")
    keep(page, f"start-{width}-whole", full=True)


@pytest.mark.parametrize(
    "query", [BUSY, PINNED, "?n=20&alpha=0.99&properties=F&loss=L2&prior=Binomial(0.3)", "?n=40&epsilon=1"]
)
def test_nothing_hangs_over_the_edge(visit, query):
    page = visit(query)
    for name, (wide, high) in WIDTHS.items():
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_function(f"innerWidth == {wide}")
        assert page.evaluate("document.documentElement.scrollWidth") == wide
        keep(page, f"setting-{query[1:5].strip('&').replace('=', '')}-{name}", full=True)


CHANGES = {
    "column": lambda page: page.locator("#count").press("ArrowRight"),
    "beside": lambda page: page.select_option("#beside", "UM"),
    "n by slider": lambda page: page.locator("#n-slider").press("ArrowRight"),
    "n by entry": lambda page: page.fill("#n", "5"),
    "privacy by slider": lambda page: page.locator("#privacy-slider").press("ArrowRight"),
    "epsilon by entry": lambda page: page.fill("#epsilon", "0.75"),
    "alpha by entry": lambda page: page.fill("#alpha", "2/3"),
    "a property": lambda page: page.locator("#property-F").press("Space"),
    "output DP": lambda page: page.fill("#output_dp", "99/100"),
}


def test_every_control_changes_the_picture_in_place(visit):
    page = visit()
    page.evaluate("window.same = true")
    for name, change in CHANGES.items():
        before, address = picture(page), page.url
        change(page)
        settled(page)
        assert picture(page) != before, name
        assert page.url != address, f"{name}: the address follows"
        assert page.evaluate("window.same"), f"{name}: the page was not loaded again"


def test_loss_prior_and_worst_case_change_the_design(visit):
    page = visit("?n=6&alpha=3/4&properties=WH&loss=L0")
    for act in (
        lambda: page.select_option("#loss", "L1"),
        lambda: page.click("button[value='Binomial(0.3)']"),
        lambda: page.check("#worst_case"),
    ):
        before = picture(page)
        act()
        settled(page)
        assert picture(page) != before
    want = dc.design(n=6, alpha="3/4", properties="WH", loss="L1", prior="Binomial(0.3)", worst_case=True)
    cost = want.score("L1", "Binomial(0.3)", worst_case=True)
    assert f"cost in worst-case L1 of {float(cost):.4f}" in page.inner_text("#sentence")


def test_the_two_units_stay_in_step(visit):
    page = visit()
    page.fill("#epsilon", "0.5")
    settled(page)
    assert page.is_checked("#by-epsilon")
    assert page.input_value("#alpha") == str(dc.geometric(n=1, epsilon="0.5").alpha)
    page.locator("#privacy-slider").press("ArrowRight")
    settled(page)
    assert page.input_value("#epsilon") == "0.55"
    page.check("#by-alpha")
    settled(page)
    assert "alpha=" in page.url
    assert "epsilon=" not in page.url


def test_implied_properties_light_up_and_every_price_is_shown(visit):
    page = visit("?n=8&alpha=10/11&properties=&loss=L0")
    page.check("#property-CM")
    settled(page)
    assert page.get_attribute("#wish-CM", "data-state") == "asked"
    assert page.get_attribute("#wish-CH", "data-state") == "implied"
    assert page.get_attribute("#wish-WH", "data-state") == "implied"
    assert page.inner_text("#price-CH") == "follows from CM"
    least, columns = (dc.design(n=8, alpha="10/11", properties=p).score("L0") for p in ("", "CM"))
    assert page.inner_text("#price-CM") == f"costs {float(columns / least - 1):+.2%}"
    assert all(page.inner_text(f"#price-{name}") for name in dc.PROPERTIES)
    keep(page, "implied")


def test_a_column_is_chosen_by_clicking_it(visit):
    page = visit()
    page.locator("#pictures svg").first.locator("rect[data-count='7']").first.click()
    settled(page)
    assert page.inner_text("#column-count") == "7"
    assert "count=7" in page.url


@pytest.mark.parametrize("width", WIDTHS)
def test_a_wrong_entry_is_said_beside_its_control_and_put_right(visit, width):
    page = visit("", width)
    before, address = picture(page), page.url
    page.fill("#n", "eight")
    settled(page)
    problem = page.locator("#problem-n")
    assert problem.inner_text() == "`n` must be a whole number, at least 0, not the text 'eight'"
    field, words = page.locator("#n").bounding_box(), problem.bounding_box()
    assert 0 < words["y"] - field["y"] < 80, "next to the control"
    assert page.get_attribute("#n", "aria-invalid") == "true"
    assert page.get_attribute("#n", "aria-describedby") == "problem-n"
    assert picture(page) == before, "the last picture stays"
    assert page.url == address
    assert "until then the last picture stays" in page.inner_text("#sentence")
    keep(page, f"wrong-{width}")
    page.fill("#n", "6")
    settled(page)
    assert problem.inner_text() == ""
    assert page.get_attribute("#n", "aria-invalid") is None
    assert page.inner_text("#sentence").startswith("For groups of 6")


def test_a_wrong_address_shows_the_controls_and_the_errors(visit):
    page = visit("?n=99&epsilon=-3")
    assert "must be at most 40 on this page" in page.inner_text("#problem-n")
    assert "must be 0 or between" in page.inner_text("#problem-epsilon")
    assert page.inner_text("#sentence") == "Nothing can be shown until the marked entry is put right."
    keep(page, "wrong-address")


def test_the_files_are_opened_and_verified(visit, tmp_path):
    page = visit(BUSY)

    def taken(label):
        with page.expect_download() as download:
            page.click(f"#take a:text-is('{label}')")
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path

    proof = taken("Proof file")
    assert dc.verify(proof).optimal
    m = dc.design(n=12, epsilon="0.4", properties="CM", loss="L1")
    assert dc.load(proof).id == m.id
    rows = list(csv.DictReader(taken("Matrix, CSV").read_text().splitlines()))
    assert len(rows) == 13 * 13
    assert all(row["exact"] == str(m[int(row["output"]), int(row["true_count"])]) for row in rows)
    assert next(csv.DictReader(taken("Scores, CSV").read_text().splitlines()))["id"] == m.id
    assert taken("Figure, SVG").read_text().startswith("<svg")
    assert taken("Figure, PNG").read_bytes().startswith(b"\x89PNG")
    assert taken("Figure, PDF").read_bytes().startswith(b"%PDF")


def test_the_lines_reproduce_what_is_on_the_screen(visit, tmp_path, monkeypatch):
    page = visit(BUSY)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("button[data-copy='python-lines']")
    page.wait_for_selector("button:text-is('Copied')")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.inner_text("#python-lines")
    monkeypatch.chdir(tmp_path)
    exec(copied, {})
    assert dc.load("mechanism.json").id == dc.design(n=12, epsilon="0.4", properties="CM", loss="L1").id
    assert (
        page.inner_text("#shell-line")
        == "discreet design --n 12 --epsilon 0.4 --properties CM --loss L1 -o mechanism.json"
    )


def test_a_setting_is_shared_by_its_address(visit, address):
    page = visit(BUSY)
    page.locator("#n-slider").press("ArrowLeft")
    settled(page)
    shared = page.inner_text("#address-line")
    assert shared == page.url
    other = visit(shared.removeprefix(address))
    assert other.inner_text("#sentence") == page.inner_text("#sentence")
    assert picture(other) == picture(page)


def test_designs_are_pinned_compared_and_removed(visit):
    page = visit()
    page.click("text=Pin this design")
    settled(page)
    assert page.locator("#pins tbody tr").count() == 1
    page.check("#property-CM")
    page.uncheck("#property-F")
    settled(page)
    page.click("text=Pin this design")
    settled(page)
    assert page.locator("#pins tbody tr").count() == 2
    keep(page, "pinned", full=True)
    page.reload()
    assert page.locator("#pins tbody tr").count() == 2, "pins are part of the address"
    page.click("#pins tbody tr:first-child a:text-is('n = 8, alpha = 10/11, F, L0')")
    settled(page)
    assert page.is_checked("#property-F")
    assert not page.is_checked("#property-CM")
    page.click("#pins tbody tr:first-child a:text-is('Remove')")
    settled(page)
    assert page.locator("#pins tbody tr").count() == 1
    page.go_back()
    settled(page)
    assert page.locator("#pins tbody tr").count() == 2


def test_the_gallery_shows_each_ill_and_cures_it(visit):
    page = visit()
    page.click("[aria-label='Show: Always answer 2']")
    settled(page)
    assert "always answers 2, whatever the truth is" in page.inner_text("#sentence")
    assert page.input_value("#n") == "4"
    assert page.input_value("#loss") == "L2"
    page.click("[aria-label='Cure Always answer 2: add column monotonicity']")
    settled(page)
    assert page.is_checked("#property-CM")
    assert "reports the truth with a chance between 0.252 and 0.270" in page.inner_text("#sentence")
    assert page.evaluate("document.activeElement.id") == "sentence"
    page.click("[aria-label='Cure Gaps: add weak honesty']")
    settled(page)
    assert "never answers 0, 1, 6 or 7" in page.inner_text("#sentence")
    keep(page, "gallery", full=True)


def test_everything_can_be_reached_and_used_by_keyboard(visit):
    page = visit()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the controls"
    page.keyboard.press("Enter")
    reached = set()
    for _ in range(90):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    controls = {
        "n",
        "n-slider",
        "privacy-slider",
        "epsilon",
        "alpha",
        "output_dp",
        "loss",
        "prior",
        "worst_case",
        "beside",
        "count",
    }
    assert controls | {f"property-{name}" for name in dc.PROPERTIES} <= reached
    assert {"Proof file", "Figure, PNG", "Pin this design", "Show it", "Add CM"} <= reached
    page.focus("#property-WH")
    before = page.inner_text("#sentence")
    page.keyboard.press("Space")
    settled(page)
    assert page.inner_text("#sentence") != before
    assert page.evaluate("document.activeElement.id") == "property-WH", "focus stays where the hand is"


def test_it_works_without_a_script(visit):
    page = visit("", java_script_enabled=False)
    page.fill("#n", "5")
    page.click("button:text-is('Show')")
    assert page.inner_text("#sentence").startswith("For groups of 5")


@pytest.mark.parametrize(
    ("query", "widths"),
    [
        ("", ["wide", "narrow"]),
        (PINNED, ["wide", "narrow"]),
        ("?n=99&epsilon=-3", ["narrow"]),
        ("?n=3&epsilon=1&properties=&loss=L2", ["wide"]),
    ],
)
def test_axe_finds_nothing(visit, query, widths):
    import axe_playwright_python

    page = visit(query, widths[0])
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    # evaluated by the driver, because the page's content policy lets no script be added to it
    page.evaluate(Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text())
    for wide, high in map(WIDTHS.get, widths):
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_function(f"innerWidth == {wide}")
        # whatever passes is told by one element of the page, or it would spend most of its time on naming them all
        found = page.evaluate("axe.run({resultTypes: ['violations']})")
        assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found["violations"]] == []
        assert len(found["passes"]) > 20


def test_a_slow_design_is_given_up_for_a_newer_wish(visit):
    page = visit("?n=5&epsilon=0.65&properties=CM&loss=L2&prior=Binomial(0.3)")
    with page.expect_request(lambda request: "n=38" in request.url) as slow:
        page.fill("#n", "38")  # about half a minute
    page.wait_for_timeout(1500)
    with page.expect_event("requestfailed", lambda request: request == slow.value, timeout=20_000):
        page.fill("#n", "6")
    settled(page)
    assert page.inner_text("#sentence").startswith("For groups of 6")
    assert page.inner_text("#problem-design") == ""


def test_a_change_shows_before_the_prices_are_known(visit):
    """At n = 20 every price is a linear program, and nobody waits for seven of them to see the picture."""
    page = visit("?n=20&epsilon=0.5&properties=CM&loss=L1")
    priced = "performance.getEntriesByType('resource').filter((one) => one.name.includes('/rest?')).length"
    before, at_once = page.evaluate(
        f"""() => new Promise((done) => {{
            const slider = document.getElementById("privacy-slider");
            const before = {priced};
            const seen = new MutationObserver(() => {{ seen.disconnect(); done([before, {priced}]); }});
            seen.observe(document.getElementById("pictures"), {{ childList: true }});
            slider.value = Number(slider.value) + 1;
            slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
        }})"""
    )
    assert at_once == before
    settled(page)
    assert page.evaluate(priced) > before
