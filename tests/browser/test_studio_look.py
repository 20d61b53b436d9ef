"""The studio's look and pace: axe-core, the exported page, letters and layout, what is dimmed while it computes."""

import pytest
from tests.browser.conftest import WIDTHS, back, drawn, keep, settled, until
from tests.browser.studio_actions import (
    PAPER,
    SMALL,
    dimmed,
    exact_cells,
    no_violations,
    planned,
    show_everything,
    turn,
    unfold,
    wide,
    widen,
)
from tests.conftest import require

import discreet as dc

require("studio")

from discreet.studio.telling.stories import STORIES

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(
    ("query", "width", "scheme"),
    [
        (f"{SMALL}&sizes=3 of 3&questions=m: a,b,c", "wide", "dark"),
        (f"{SMALL}&sizes=4 of 3&regions=2", "narrow", "light"),
        (f"{SMALL}&sizes=class,people%0A1,20%0A2,20&questions=bullied", "wide", "light"),
        ("?n=99&epsilon=-3", "narrow", "dark"),
    ],
)
def test_axe_finds_nothing(visit, query, width, scheme):
    page = visit(f"{query}#own", width, scheme)
    settled(page)
    if "sizes" in query:
        planned(page)
    show_everything(page)
    keep(page, f"{scheme}-{len(query)}-{width}", full=True)
    no_violations(page)


def test_an_exported_page_needs_nothing_but_a_browser(browser, tmp_path):
    from discreet.studio import export

    shown = ("epsilon=1&properties=", "epsilon=1&properties=F", "epsilon=0.5&properties=")
    export(tmp_path / "page.html", [f"n=8&beside=Laplace&{one}" for one in shown])
    context = browser.new_context(reduced_motion="reduce")
    troubles, asked = [], []
    context.on("console", lambda message: troubles.append(message.text))
    context.on("weberror", lambda error: troubles.append(str(error.error)))
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    widen(page, "wide")
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_selector("body[data-ready=yes]")
    page.locator(".stories a").nth(1).click()
    until(
        page, "document.querySelector('#sentence').textContent.includes('design: the truth in 47%')"
    )
    page.locator("#count").press("Home")
    assert page.inner_text("#point").startswith("None of eight said yes.")
    page.click("text=Draw 100 times")
    until(page, "document.querySelectorAll('#column .dot').length == 200")
    page.click("#column-details summary")
    exact = [cells[6] for cells in exact_cells(page)]
    assert exact[:3] == [str(x) for x in dc.fair(n=8, epsilon=1).column(0)[:3]]
    page.click("text=Next: what does such a number give away?")
    page.locator("#answer").press("End")
    assert "Once they see the number 8, they think it" in page.inner_text("#insider"), (
        "somebody who knows all others"
    )
    assert "This design published 8" in page.text_content("#learned")
    back(page)
    until(page, "!document.getElementById('view-watch').hidden")  # the view before
    back(page)
    until(
        page, "document.querySelector('#sentence').textContent.includes('noise: the truth in 46%')"
    )
    turn(page, "learn")
    assert page.inner_text("#answer-shown") == "4", "as the setting has it"
    page.locator("#answer").press("End")
    page.locator("#dial-slider").press("Home")
    assert page.inner_text("#dial-shown").split() == ["epsilon", "0.5"] and page.url.endswith(
        "#2-learn"
    )
    assert "at most 62.3% sure" in page.inner_text("#promise")
    assert page.inner_text("#answer-shown") == "8", "what was chosen stays"
    page.evaluate("location.hash = 'dials'")  # as the link that skips to the controls does
    page.locator("#dial-slider").press("End")
    assert page.url.endswith("#0-learn") and page.is_visible("#view-learn"), (
        "no address is lost for that"
    )
    assert "at most 73.2% sure" in page.inner_text("#promise")
    assert page.inner_text("#insider").endswith("that stays between 26.8% and 73.2%."), (
        "limits hold as they are printed"
    )
    show_everything(page)
    for width in WIDTHS:
        across = widen(page, width)
        assert wide(page) == across
        keep(page, f"exported-{width}", full=True)
    page.emulate_media(color_scheme="dark")
    no_violations(page)
    context.close()
    assert not troubles
    assert len(asked) == 1, "the page itself"


LAYOUT = """() => ["#question", "#point", ".tabs", ".controls", ".results", "#column svg", "[data-draw]", "footer"].map((one) => {
    const { left, right } = document.querySelector(one).getBoundingClientRect();
    const style = getComputedStyle(document.querySelector(one));
    return [one, left, right, style.fontSize, style.backgroundColor];
})"""
ORDER = """() => ["#stories", ".tabs", "#question", "#point", ".controls", ".results"].map((one) =>
    document.querySelector(one)).every((one, k, all) => !k || all[k - 1].compareDocumentPosition(one) & 4)"""


def test_an_exported_page_is_laid_out_as_the_studio(visit, browser, tmp_path):
    from discreet.studio import export

    export(tmp_path / "page.html", [STORIES["clinic"].setting.query()])
    exported = browser.new_page(reduced_motion="reduce")
    exported.goto((tmp_path / "page.html").as_uri())
    exported.wait_for_selector("body[data-ready=yes]")
    for width in WIDTHS:
        page = visit("", width)
        served = page.evaluate(LAYOUT)
        tabs = page.locator("[role=tab]").all_inner_texts()
        widen(exported, width)
        for mine, theirs in zip(exported.evaluate(LAYOUT), served, strict=True):
            assert mine == theirs, width
        assert page.evaluate(ORDER) and exported.evaluate(ORDER)
        assert exported.locator("[role=tab]").all_inner_texts() == [
            one.replace("Save", "Copy") for one in tabs if one not in ("Your own table", "Table")
        ]
    exported.close()


SMALL_LETTERS = """() => {
    const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const one = texts.currentNode.parentElement;
        if (!texts.currentNode.textContent.trim() || one.closest("script, .unseen, option")) continue;
        if (!one.checkVisibility({ visibilityProperty: true }) || !one.getClientRects().length) continue;
        const drawn = one.closest("svg") ? one.getScreenCTM() : { a: 1, b: 0 };
        const size = parseFloat(getComputedStyle(one).fontSize) * Math.hypot(drawn.a, drawn.b);
        if (size < 11.99) found.push([size, one.closest("[id]").id, one.textContent]);
    }
    return found;
}"""


@pytest.mark.parametrize("width", WIDTHS)
def test_answers_of_a_scale_are_legible_and_none_covers_another(visit, width):
    for answers in ("1, 2, 3, 4, 5", "strongly agree, agree, neutral, disagree, strongly disagree"):
        page = visit(f"?sizes=12 of 8&questions=mark: {answers}&table_epsilon=2#own", width)
        planned(page)
        page.click("#own-plan .in-numbers summary")
        letters = page.locator(".histogram svg text")
        boxes = [one.bounding_box() for one in letters.all() if one.text_content()]
        assert not [words for _, _, words in page.evaluate(SMALL_LETTERS)]
        for k, one in enumerate(boxes):
            for other in boxes[:k]:
                beside = (
                    one["x"] >= other["x"] + other["width"] or other["x"] >= one["x"] + one["width"]
                )
                above = (
                    one["y"] >= other["y"] + other["height"] - 4
                    or other["y"] >= one["y"] + one["height"] - 4
                )
                assert beside or above, answers


def test_a_slow_design_is_dimmed_says_so_and_is_given_up_for_a_newer_wish(visit):
    page = visit("?n=5&epsilon=0.65&properties=CM&loss=L2&prior=Binomial(0.3)")
    page.route("**/?n=38&*", lambda route: None)  # never answered
    with page.expect_request(lambda request: "n=38" in request.url) as slow:
        page.fill("#n", "38")
    page.wait_for_selector("body[data-waiting=yes]")
    assert (
        page.inner_text("#working")
        == "Working it out. What is dimmed belongs to the setting before."
    )
    for place in ("#view-watch", "#price-F", "#sides", "#point", "#promise", "#setting-words"):
        assert dimmed(page, place), place
    keep(page, "working")
    with page.expect_event("requestfailed", lambda request: request == slow.value):
        page.fill("#n", "6")
    drawn(page)
    assert page.inner_text("#working") == ""
    assert not dimmed(page, "#view-watch")
    page.unroute("**/?n=38&*")
    assert page.text_content("#sentence").startswith("Two of six")
    assert page.inner_text("#problem-design") == ""


def test_a_change_shows_before_the_prices_are_known_and_old_numbers_go_with_the_old_picture(visit):
    """At n = 20 every price is a linear program, and nobody waits for seven of them to see the picture."""
    page = visit("?n=20&epsilon=0.5&properties=CM&loss=L1")
    settled(page)
    priced = "performance.getEntriesByType('resource').filter((one) => /price|details/.test(one.name)).length"
    before, at_once, *said = page.evaluate(
        f"""() => new Promise((done) => {{
            const slider = document.getElementById("privacy-slider");
            const text = (id) => document.getElementById(id).textContent.trim();
            const before = {priced};
            const seen = new MutationObserver(() => {{
                seen.disconnect();
                done([before, {priced}, text("price-CM"), text("scores"), text("accuracy")]);
            }});
            seen.observe(document.getElementById("pictures"), {{ childList: true }});
            slider.value = Number(slider.value) + 1;
            slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
        }})"""
    )
    assert at_once == before
    assert said == ["price: being computed", "being worked out", "being worked out"]
    page.wait_for_selector("#price-CM summary")
    assert "without it" in page.inner_text("#price-CM")
    assert page.locator("#score-tables table").count() == 2, (
        "what takes no other design is there before the prices"
    )


def test_a_price_that_takes_long_is_computed_for_who_asks(visit):
    page = visit(PAPER)
    page.route(
        "**/price/F?*",
        lambda route: (
            route.continue_()
            if "long=1" in route.request.url
            else route.fulfill(
                content_type="text/html",
                body='takes long: <button type="button" class="small" data-compute="F">compute</button>',
            )
        ),
    )
    page.fill("#n", "7")
    page.wait_for_selector("#price-F button")
    assert page.inner_text("#price-F") == "takes long: compute"
    page.click("#price-F button")
    until(page, "document.getElementById('price-F').textContent.includes('costs +')")
    page.unroute_all()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_tip_that_opens_on_focus_covers_no_message(visit, width):
    page = visit("&sizes=3 of 8#own", width)
    page.wait_for_selector("#own-plan[data-state=fresh]")
    unfold(page)
    page.fill("#questions", "bullied, safe")
    page.keyboard.press("Tab")
    page.wait_for_selector("#view-own .problem[role=alert]")
    assert page.evaluate("document.activeElement.matches('.term[aria-describedby=tip]')")
    tip, said = (
        page.locator(which).bounding_box() for which in ("#tip", "#view-own .problem[role=alert]")
    )
    assert not tip or any(
        a[at] >= b[at] + b[size]
        for at, size in (("x", "width"), ("y", "height"))
        for a, b in ((tip, said), (said, tip))
    )
