"""The studio in a real browser: every control, a wrong entry, the files, two widths, two schemes, keyboard, axe-core."""

import csv
import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, unquote_plus, urlsplit

import pytest
from tests.browser.conftest import INSTRUMENT, WIDTHS, back, drawn, forward, keep, settled, until, watched
from tests.conftest import require

import discreet as dc

require("studio")

from discreet.studio.telling.stories import STORIES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BUSY = "?n=12&epsilon=0.4&properties=CM&loss=L1&beside=GM&count=3"
PAPER = f"?{STORIES['paper'].setting.query()}"
PINNED = f"{BUSY}&pin=n%3D8%26alpha%3D10/11%26properties%3DF%26loss%3DL0&pin=n%3D8%26alpha%3D10/11%26properties%3DCM%26loss%3DL0"
SMALL = "?n=3&alpha=10/11&properties=&loss=L2&beside=EM&pin=n%3D2%26alpha%3D10/11%26properties%3DF%26loss%3DL0"
VIEWS = ["watch", "learn", "counts", "compare", "own", "take"]


def picture(page):
    return page.inner_html("#pictures")


def cell_of(page, side, count, answer):
    """Where a cell of a heatmap is, within its picture of a group of eight."""
    box = page.locator("#pictures svg[role=img]").nth(side).bounding_box()
    unit = box["width"] / 404
    return {"x": (40 + 40 * (count + 0.5)) * unit, "y": (6 + 40 * (answer + 0.5)) * unit}


def wide(page):
    return page.evaluate("document.documentElement.scrollWidth")


def turn(page, view):
    page.click(f"#tab-{view}")
    assert page.is_visible(f"#view-{view}")


def show_everything(page):
    """Unfold what is folded and show all views at once, so that one look takes in the whole page."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.evaluate("for (const one of document.querySelectorAll('.view')) one.hidden = false")


def resize(page, width):
    across, high = WIDTHS[width]
    page.set_viewport_size({"width": across, "height": high})
    until(page, f"innerWidth == {across}")
    return across


@pytest.mark.parametrize("width", WIDTHS)
def test_it_opens_on_an_everyday_example_and_the_paper_is_one_click_away(visit, width):
    page = visit("", width)
    assert page.locator("#sentence").is_visible() == (width == "wide"), "a phone has the title, and the rest behind it"
    assert page.get_attribute("#point", "aria-live") == ("off" if width == "wide" else "polite")
    top = page.locator(".lead").bounding_box()
    if width == "narrow":
        assert top["height"] < 110, "a title, a row of examples, and a line that unfolds"
        page.click("#spoken > summary")
    said = page.inner_text("#sentence")
    cases = " of cases" if width == "wide" else ""
    assert said.startswith("One of eight patients said that they smoke. To protect everybody, a number drawn by chance")
    meant = page.inner_text("#meant")
    assert meant == "A total of 100 such groups (800 people) is within ±108, by the usual method ±106."
    assert page.locator("#why").is_hidden(), "folded"
    assert page.text_content("#why").endswith("a total of 100 groups would be within ±106 instead of ±108.")
    assert f"equally private:\nThe usual method: the truth in 12%{cases}, 0 in 44%.\n" in said
    assert said.endswith(f"\nYour design: the truth in 23%{cases}, 0 in 23%.")
    shown = page.inner_text("main")
    assert not re.search(r"\b(GM|EM|WM|UM|F|WH|CM|CH|RH|RM|S|alpha|L0)\b", shown), "nothing that one has to know"
    settled(page)  # a price may move what is below it
    if width == "narrow":
        page.click("#spoken > summary")
    for place in ("#column svg", "[data-draw='100']", "#said-1"):
        box = page.locator(place).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] < WIDTHS[width][1], f"{place} is on the first screen"
    assert page.locator("#property-CM").is_visible() == (width == "wide"), "one line on a narrow screen"
    if width == "narrow":
        assert page.inner_text("#setting > summary") == "8 people, epsilon 0.25, closer answers likelier"
        page.click("#setting > summary")
        assert page.inner_text("#fold > summary") == "Properties: closer answers likelier; beside the usual method"
        page.click("#setting > summary")
    assert "no published number more than 1.28 times as likely" in page.text_content("#promise")
    chart = page.locator("#column svg").bounding_box()
    assert chart["y"] + chart["height"] < WIDTHS[width][1], "the picture is on the first screen"
    assert chart["height"] >= 190
    assert page.locator("#crowd .you").is_visible()
    coloured = (
        "[...document.querySelectorAll('#sentence b')].map((one) => getComputedStyle(one, '::after').backgroundColor)"
    )
    assert page.evaluate(coloured) == ["rgb(0, 114, 178)"] * 2 + ["rgb(0, 158, 115)"] * 2, "GM's, and the design's"
    if width == "narrow":
        assert chart["y"] < 340, "little stands before it"
        assert page.locator("#stories").bounding_box()["height"] < 40, "one row"
        assert page.locator(".tabs").bounding_box()["height"] < 70, "two rows"
        for one in page.locator("#stories a, .tabs button").all():
            box = one.bounding_box()
            assert box["x"] >= 16 and box["x"] + box["width"] <= 374 and box["height"] >= 24, "all are in sight"
    assert "epsilon=0.25&properties=CM" in page.text_content("#address-line"), "it holds the whole setting"
    assert marks_reach_over_the_bars(page)
    page.locator("#count").press("Home")
    assert marks_reach_over_the_bars(page)
    page.locator("#count").fill("1")
    assert page.locator("#column svg").is_visible() and page.locator("#pictures").is_hidden(), "one idea at a time"
    assert wide(page) == WIDTHS[width][0], "nothing hangs over the edge"
    keep(page, f"start-{width}")
    title = page.inner_text("#point")
    assert title == "One of eight smokes. The usual noise says 0 most often, this design 0 and 1 equally often."
    assert page.locator("#point").bounding_box()["height"] < 40
    page.click("#stories a[title='Much more private']")
    drawn(page)
    assert page.evaluate("document.activeElement.id") == "point", "whoever listens hears the new title"
    if width == "narrow":
        page.click("#spoken > summary")
    assert "0 or 8 in 72%.\nYour design" in page.inner_text("#sentence")
    assert page.get_attribute("#stories a[aria-current]", "href").startswith(PAPER)
    page.click("text=The same in numbers")
    assert "gives 0 or 8 as its answer 72 times in 100" in page.inner_text("#more-numbers")
    assert "answers 0 with chance 0.358 when the truth is 4" in page.inner_text("#exact-words")
    back(page)
    drawn(page)
    assert page.inner_text("#sentence") == said


OPENING = f"?{STORIES['clinic'].setting.query()}"


@pytest.mark.parametrize("width", WIDTHS)
def test_it_starts_where_the_truth_is_likeliest_and_nothing_is_asked_for(visit, width):
    page = visit(OPENING, width)
    settled(page)
    assert page.inner_text("#point") == "Three of eight smoke. The truth is published most often: in 46% of cases."
    assert page.inner_text("#sides p").strip() == "The usual method", "one bar a number"
    assert page.locator("#column .bar").count() in (9, 18) and page.locator("#said-0").is_hidden()
    assert "already so, at no cost" in page.text_content("#price-CM")
    assert "right in 46.7% of cases, now 52.2%" in page.text_content("#price-F")
    assert page.locator("#stories").bounding_box()["height"] < 40, "one row"
    tops = {}
    for view in ("watch", "learn", "counts", "compare", "take"):
        turn(page, view)
        tops[view] = page.locator(".tabs").bounding_box()["y"], page.locator("#results").bounding_box()["y"]
        assert page.locator("#sentence").is_visible() == (width == "wide" and view == "watch"), "elsewhere it is folded"
    assert len({tabs for tabs, _ in tops.values()}) == 1, "the tabs stay where they are"
    if width == "wide":
        assert all(top < tops["watch"][1] for view, (_, top) in tops.items() if view != "watch"), "each starts high"
    no_violations(page)
    keep(page, f"opening-{width}")


def test_what_is_advised_instead_of_fairness_is_one_click_away(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM&story=clinic")
    fair = page.inner_text("#meant")
    assert fair.startswith("Fair: the truth is published equally often, whatever it is, so no group is favoured.")
    assert "get noisier: a total of 100 such groups (800 people) is within ±305, by the usual method ±106." in fair
    assert fair.endswith("closer answers likelier instead of fairness; at a true count of 4 it is a blind guess.")
    top = page.locator("#stories").bounding_box()
    assert top["height"] < 40, "one line"
    page.click("#meant a")
    drawn(page)
    assert page.is_checked("#property-CM") and not page.is_checked("#property-F")
    assert page.inner_text("#meant").endswith("is within ±108, by the usual method ±106.")
    assert page.inner_text("#blind a") == "Try epsilon 0.28", "not back to fairness"
    back(page)
    drawn(page)
    assert page.inner_text("#meant") == fair
    page = visit("?n=8&epsilon=1&properties=F&beside=GM")
    assert page.inner_text("#meant").endswith(
        "±28.1. To read single numbers or sums, ask for no property instead of fairness."
    )


def marks_reach_over_the_bars(page):
    """Whether the last mark of the axis, in percent, is no lower than the highest bar, and there are three or more."""
    marks = page.evaluate("""() => [...document.querySelectorAll("#column .tick:not([visibility=hidden])")].map((tick) =>
        [tick.textContent, tick.transform.baseVal[0].matrix.f])""")
    highest = page.evaluate(
        "Math.min(...[...document.querySelectorAll('#column .bar')].map((bar) => bar.y.baseVal.value))"
    )
    return len(marks) >= 3 and all(words.endswith("%") for words, _ in marks) and min(y for _, y in marks) <= highest


def test_what_is_turned_stays_beside_what_it_changes(visit):
    page = visit("#learn")
    settled(page)
    assert page.locator("#months-drawn").is_hidden() and page.locator("#steps").is_hidden(), "later ones are folded"
    page.click("#monthly > summary")
    page.click("#promised > summary")
    for place in ("#months-drawn", "#steps"):
        page.locator(place).scroll_into_view_if_needed()
        for kept in ("#privacy-slider", "#sides"):
            box = page.locator(kept).bounding_box()
            assert 0 <= box["y"] < 500, f"{kept} beside {place}"
    page.click("#rest summary")
    page.click("#more summary")
    page.locator("#step-readout").scroll_into_view_if_needed()
    until(page, "document.getElementById('controls').getBoundingClientRect().height > innerHeight")
    assert page.locator("#output_dp").bounding_box()["y"] < WIDTHS["wide"][1], "the last of those that do not fit"
    page = visit("#learn", "narrow")
    assert page.evaluate("document.documentElement.scrollHeight") < 1600
    page.click("#monthly > summary")
    page.locator("#months-drawn").scroll_into_view_if_needed()
    page.click("#setting > summary")
    before = page.inner_text("#months-words")
    page.locator("#privacy-slider").press("ArrowRight")
    drawn(page)
    assert page.locator("#privacy-slider").bounding_box()["y"] < 200 and page.inner_text("#months-words") != before
    turn(page, "take")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tabs_stay_where_they_are_when_one_is_chosen(visit, width):
    page = visit("", width)
    settled(page)
    places = set()
    for view in VIEWS:
        turn(page, view)
        places.add(page.evaluate("document.querySelector('.tabs').getBoundingClientRect().top + scrollY"))
    assert len(places) == 1


def test_beliefs_move_month_by_month_within_a_bound_that_grows(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM&count=4#learn")
    page.click("#monthly > summary")
    assert "12 × 0.25 = 3. After 12 months they may be up to 95.3% sure" in page.inner_text("#months-words")
    page.click("text=Publish month by month")
    until(page, "document.getElementById('months-words').textContent.includes('their belief')")
    numbers = [int(one) for one in page.inner_text("#months-numbers").strip(".").split(": ")[1].split(", ")]
    m = dc.design(n=8, epsilon="0.25", properties="F")
    odds = 1.0
    for one in numbers:
        odds *= m[one, 5] / m[one, 4]
    said = re.search(r"(?:from 50% to|is still) ([0-9.]+)%", page.inner_text("#months-words"))[1]
    assert len(numbers) == 12 and float(said) == pytest.approx(100 * odds / (1 + odds), abs=0.06)
    page.locator("#months").press("Home")
    assert "1 × 0.25 = 0.25. After one month they may be up to 56.2% sure" in page.inner_text("#months-words")
    page.locator("#months").press("End")
    assert "= 6. After 24 months" in page.inner_text("#months-words")
    assert page.inner_text("#months-numbers").count(",") == 23
    page.locator("#others").press("ArrowLeft")
    assert page.inner_text("#months-numbers") == "", "they were of another group"
    page.uncheck("#your-yes")
    page.click("text=Publish month by month")
    until(page, "document.getElementById('months-numbers').textContent")
    assert "months" not in page.evaluate("location.search"), "no part of the setting"


def test_a_change_leaves_dashes_on_an_axis_that_is_held_and_one_mechanism_has_one_bar(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM&count=4")
    drawn(page)
    top = (
        "document.querySelector('#column .bars').dataset.inner / document.querySelector('#column .bars').dataset.scale"
    )
    tops = [page.evaluate(top)]
    page.focus("#privacy-slider")
    for key in ["ArrowRight"] * 8 + ["ArrowLeft"] * 6:
        page.keyboard.press(key)
        drawn(page)
        tops.append(page.evaluate(top))
    assert tops == sorted(tops), "while it is moved, the axis only grows"
    assert page.locator("#column .before").count() == 18
    assert page.inner_text("#tally") == "The dashes are the chances before this change."
    page.uncheck("#property-F")
    drawn(page)
    assert page.locator("#column .bar").count() == 9 == page.locator("#column .before").count()
    assert page.locator("#sides .side").count() == 1
    page.click("text=Draw 100 times")
    until(page, "document.getElementById('tally').textContent.startsWith('Drawn 100 times')")
    assert page.inner_text("#tally").count("expected") == 1


def test_people_are_reached_by_keys_and_dots_say_what_they_are(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM&count=4")
    page.focus("#crowd .you")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert page.inner_text("#count-shown") == "5" and page.get_attribute("[data-person='6']", "aria-pressed") == "true"
    turn(page, "learn")
    page.click("#promised > summary")
    page.locator("#answer").fill("4")
    assert page.inner_text("#step-number") == "4"
    page.hover("#steps .step[data-side='1'][data-at='3']")
    assert "with 4 yes instead of 3, 4 is 1.284 times as likely" in page.inner_text("#step-readout")


def yes_of(page):
    """Who of the drawn people said yes."""
    return page.evaluate("[...document.querySelectorAll('#crowd span')].map((one) => one.classList.contains('yes'))")


def test_a_person_changes_an_answer_and_no_chance_moves_by_more_than_the_bound(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM")
    assert yes_of(page) == [True] * 4 + [False] * 4, "as many as the true count"
    page.locator("#crowd span").nth(1).click()
    assert yes_of(page) == [True, False, True, True, *[False] * 4] and page.inner_text("#count-shown") == "3"
    assert "count=3" in page.url
    said = page.inner_text("#tally")
    assert said.startswith("One person changed their answer. The true count is 3, not 4") and "more than 1.28" in said
    heights = """(kind) => [...document.querySelectorAll(`#column .${kind}`)].map((one) =>
        one.parentNode.dataset.base - one.getAttribute(kind === "bar" ? "y" : "y1"))"""
    now, before = page.evaluate(heights, "bar"), page.evaluate(heights, "before")
    assert len(now) == len(before) == 18
    changes = [max(a / b, b / a) for a, b in zip(now, before, strict=True)]
    assert 1.27 < max(changes) < 1.2841, "the bound is reached, and kept"
    page.locator("#count").press("ArrowRight")
    assert sum(yes_of(page)) == 4 and page.locator("#column .before").count() == 18, "the slider does the same"
    page.locator("#count").fill("8")
    assert all(yes_of(page)) and page.inner_text("#tally").startswith("4 people changed their answers.")
    assert "1.28 for each of them, 2.72 in all" in page.inner_text("#tally")
    page.click("[data-draw='1']")
    until(page, "document.getElementById('tally').textContent.startsWith('Drawn once')")
    assert page.locator("#column .before").first.is_hidden(), "dots stand alone"
    page.locator("#n-slider").press("ArrowLeft")
    drawn(page)
    assert yes_of(page) == [True] * 7 and page.locator("#column .before").count() == 0
    page = visit("?n=4&epsilon=0&properties=F")
    page.click("#crowd .you")
    assert "no chance has changed" in page.inner_text("#tally")
    assert page.inner_text("#promise") == "One person's answer changes no chance at all."


def test_two_properties_are_seen_at_once_and_the_others_where_one_is_asked_for(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM")
    seen = "[...document.querySelectorAll('.wish')].filter((one) => one.checkVisibility()).map((one) => one.id)"
    assert page.evaluate(seen) == ["wish-CM", "wish-F"]
    assert page.inner_text("#rest summary") == "More properties: all of these 5 hold already"
    page.click("#rest summary")
    page.locator("#property-S").press("Space")
    drawn(page)
    page = visit("?n=4&epsilon=1&properties=S")
    assert len(page.evaluate(seen)) == 7, "what is asked for is not folded away"


def test_a_property_far_from_the_picture_shows_what_it_changed(visit):
    page = visit("", "narrow")
    page.click("#setting > summary")
    page.click("#fold > summary")
    page.locator("#property-CM").scroll_into_view_if_needed()
    assert page.locator("#property-CM").bounding_box()["y"] < 844, "in the first screen"
    page.locator("#more summary").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, -120)")
    shown = page.evaluate("""() => new Promise((done) => {
        const told = document.getElementById("told");
        new MutationObserver(() => { if (told.querySelector("svg")) done(told.textContent); }).observe(told, { childList: true });
        document.getElementById("property-CM").click();
    })""")
    assert shown.endswith("the truth in 12% of cases, 0 in 44%."), "the usual method, alone"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_blind_guess_is_called_one_and_cured(visit, width):
    page = visit("?n=8&epsilon=0.12&properties=CM&beside=Laplace", width)
    settled(page)
    assert "At a true count of 4 this design is a blind guess; totals cannot" in page.inner_text("#blind")
    under_the_hand = [page.locator(one).bounding_box()["y"] for one in (".tabs", "#count", "[data-draw='1']")]
    page.locator("#count").press("ArrowRight")
    assert page.locator("#blind").is_hidden()
    assert under_the_hand == [page.locator(one).bounding_box()["y"] for one in (".tabs", "#count", "[data-draw='1']")]
    page.locator("#count").press("ArrowLeft")
    page.click("#blind >> text=Try epsilon")
    drawn(page)
    assert page.locator("#blind").is_hidden() and page.is_checked("#property-CM")


def test_views_are_turned_by_hand_and_by_keys_and_are_part_of_the_address(visit):
    page = visit()
    shown = "[...document.querySelectorAll('.view')].filter((one) => !one.hidden).map((one) => one.id)"
    for view in VIEWS[::-1]:
        turn(page, view)
        assert page.evaluate(shown) == [f"view-{view}"]
        assert page.get_attribute(f"#tab-{view}", "aria-selected") == "true"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") == "tab-take", "from the first to the last"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(shown) == ["view-learn"]
    assert page.url.endswith("#learn") and page.text_content("#address-line") == page.url
    page.reload()
    assert page.evaluate(shown) == ["view-learn"]
    page.locator("#n-slider").press("ArrowLeft")
    drawn(page)
    assert page.evaluate(shown) == ["view-learn"] and "n=7" in page.url and page.url.endswith("#learn")
    back(page)
    drawn(page)
    assert page.evaluate(shown) == ["view-learn"], "what was changed last is undone first"
    assert page.input_value("#n") == "8"
    back(page)
    until(page, "!document.getElementById('view-watch').hidden")  # then the turn to the view
    back(page)
    until(page, "!document.getElementById('view-take').hidden")
    assert page.url.endswith("#take") and page.evaluate(shown) == ["view-take"]
    forward(page)
    until(page, "!document.getElementById('view-watch').hidden")
    assert page.input_value("#n") == "8"


@pytest.mark.parametrize("width", WIDTHS)
def test_marks_are_seen_in_small_cells_and_colours_are_told_by_a_bar(visit, width):
    page = visit("?n=20&alpha=10/11&properties=&loss=L1&beside=GM#counts", width)
    mark = page.locator("#pictures polygon").first.bounding_box()
    assert mark["width"] >= 7, "as large as that of the legend, nearly"
    marks = page.evaluate("[...document.querySelectorAll('#scale text')].map((one) => one.textContent)")
    assert marks[0] == "0%" and len(marks) >= 4
    colours = page.evaluate(
        "[...document.querySelectorAll('#scale rect[height=\\'12\\']')].map((one) => one.getAttribute('fill'))"
    )
    assert len(set(colours)) == len(colours) >= 20
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM#counts", width)
    assert page.locator("#pictures polygon").first.bounding_box()["width"] >= 5


def test_nothing_hangs_over_the_edge(visit):
    for query in (
        "?n=40&epsilon=1&beside=EM",
        PINNED,
        "?n=20&alpha=0.99&properties=F&loss=L2&prior=Binomial(0.3)&sizes=80 of 8&regions=9",
    ):
        page = visit(query)
        show_everything(page)
        for width in WIDTHS:
            across = resize(page, width)
            assert wide(page) == across, query


CHANGES = {
    "column": lambda page: page.locator("#count").press("ArrowRight"),
    "beside": lambda page: (page.click("#against summary"), page.select_option("#beside", "UM")),
    "n by slider": lambda page: page.locator("#n-slider").press("ArrowRight"),
    "n by entry": lambda page: page.fill("#n", "5"),
    "privacy by slider": lambda page: page.locator("#privacy-slider").press("ArrowRight"),
    "epsilon by entry": lambda page: page.fill("#epsilon", "0.75"),
    "alpha by entry": lambda page: page.fill("#alpha", "2/3"),
    "a property": lambda page: page.locator("#property-F").press("Space"),
    "loss": lambda page: page.select_option("#loss", "L1"),
    "prior": lambda page: page.click("button[value='Binomial(0.3)']"),
    "worst case": lambda page: page.check("#worst_case"),
    "output DP": lambda page: page.fill("#output_dp", "99/100"),
}


def test_every_control_changes_the_picture_in_place_and_back_undoes_it(visit):
    page = visit(PAPER)
    page.click("#more summary")
    page.evaluate("window.same = true")
    steps = []
    for name, change in CHANGES.items():
        before = (picture(page), page.url)
        change(page)
        drawn(page)
        assert picture(page) != before[0], name
        assert page.url != before[1], f"{name}: the address follows"
        steps.append((name, before))
    for name, (seen, address) in reversed(steps):
        back(page)
        drawn(page)
        assert page.url == address, f"{name}: back undoes it"
        assert picture(page) == seen, name
    forward(page)
    drawn(page)
    assert "count=5" in page.url
    assert page.input_value("#count") == "5"
    assert page.evaluate("window.same"), "the page was not loaded again"


def test_the_two_units_stay_in_step(visit):
    page = visit(PAPER)
    page.fill("#epsilon", "0.5")
    drawn(page)
    assert page.is_checked("#by-epsilon")
    assert page.input_value("#alpha") == str(dc.geometric(n=1, epsilon="0.5").alpha)
    page.locator("#privacy-slider").press("ArrowRight")
    drawn(page)
    assert page.input_value("#epsilon") == "0.55"
    page.fill("#alpha", "2/3")
    drawn(page)
    assert page.is_checked("#by-alpha") and "alpha=2/3" in page.url and "epsilon=" not in page.url
    assert page.locator("#by-epsilon").is_hidden() and page.locator("#by-alpha").is_hidden(), "typing is choosing"
    page.fill("#epsilon", "ln 2")
    drawn(page)
    assert "alpha=1/2" in page.url and page.input_value("#alpha") == "1/2", "exactly"


def test_an_answer_that_speaks_for_another_count_is_explained_and_cured(visit):
    page = visit("?n=20&epsilon=0.3&properties=CM&loss=L1&beside=Laplace&count=2#learn")
    assert "The likeliest true count is now 0" in page.inner_text("#learned")
    said = page.inner_text("#learned-why")
    assert "publishes 2 more often when 0 is true (23.4%) than when 2 is true (17.0%)" in said
    across = page.evaluate("""() => [...document.querySelectorAll("#steps .step")].filter((one) => one.dataset.at > 5)
        .map(({ cx, r }) => [cx.baseVal.value, r.baseVal.value]).sort(([a], [b]) => a - b)""")
    assert all(b - a >= r + s for (a, r), (b, s) in pairwise(across)), "dots of one height do not touch"
    page.click("[data-tick=RH]")
    drawn(page)
    assert page.is_checked("#property-RH") and page.locator("#learned-why").is_hidden()
    assert "The likeliest true count is now 2" in page.inner_text("#learned")


def test_implied_properties_light_up_and_every_price_is_told_in_what_matters(visit):
    page = visit("?n=8&alpha=10/11&properties=&loss=L0")
    page.click("#rest summary")
    page.check("#property-CM")
    settled(page)
    assert page.get_attribute("#wish-CM", "data-state") == "asked"
    assert page.get_attribute("#wish-CH", "data-state") == "implied"
    assert page.get_attribute("#wish-WH", "data-state") == "implied"
    assert page.inner_text("#price-CH") == "already so, because of “closer answers likelier”"
    least, columns = (dc.design(n=8, alpha="10/11", properties=p) for p in ("", "CM"))
    said = page.inner_text("#price-CM")
    truths = [f"{m.accuracy().truth:.1%}" for m in (columns, least)]
    assert said == f"right in {truths[0]} of cases, without it {truths[1]}", "one price"
    page.click("#price-CM summary")
    said = page.inner_text("#price-CM")
    assert said.endswith(f"costs {float(columns.score('L0') / least.score('L0') - 1):+.2%} in wrong answers (L0)")
    assert f"{least.accuracy().truth:.1%}" in said and f"→ {columns.accuracy().truth:.1%}" in said
    assert "total of 100" in said
    page.locator("#n-slider").press("ArrowLeft")
    settled(page)
    assert "total of 100" in page.inner_text("#price-CM"), "what was unfolded stays so"
    assert all(page.inner_text(f"#price-{name}") for name in dc.PROPERTIES)
    keep(page, "implied")


def test_columns_and_rows_are_scrubbed_without_the_server(visit):
    page = visit(f"{PAPER}#counts")
    settled(page)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#pictures svg[role=img]").first.click(position=cell_of(page, 0, count=7, answer=2))
    assert page.text_content("#count-shown") == "7"
    assert page.text_content("#sentence").startswith("Seven of eight said yes.")
    assert page.inner_text("#point").startswith("Seven of eight said yes.")
    assert "count=7" in page.url
    turn(page, "watch")
    page.locator("#count").press("ArrowLeft")
    assert page.inner_text("#sentence").startswith("Six of eight said yes.")
    left, right = (dc.geometric(n=8, alpha="10/11"), dc.fair(n=8, alpha="10/11"))
    heights = "(side) => [...document.querySelectorAll(`#column .bar[data-side='${side}']`)].map((bar) => bar.height.baseVal.value)"
    for side, m in enumerate((left, right)):
        bars = page.evaluate(heights, side)
        assert [h / max(bars) for h in bars] == pytest.approx(
            [float(x / max(m.column(6))) for x in m.column(6)], abs=1e-3
        )
    turn(page, "learn")
    page.locator("#answer").press("ArrowRight")
    assert page.inner_text("#answer-shown") == "5"
    after = float(right[5, 5] / sum(right[5, j] for j in range(9)))
    assert f"now 5, with chance {after:.1%}" in page.inner_text("#learned")
    page.locator("#others").press("Home")
    sure = [float(m[5, 1] / (m[5, 0] + m[5, 1])) for m in (left, right)]
    said = page.inner_text("#insider")
    assert f'your "yes" {sure[1]:.1%} (the usual method: {sure[0]:.1%})' in said
    assert f"between {1 / 2.1:.1%} and {1.1 / 2.1:.1%}" in said, "exp(epsilon) is 11/10"
    assert not [url for url in asked if "/static/" not in url and "/exact" not in url]
    turn(page, "counts")
    page.locator("#pictures svg[role=img]").nth(1).hover(position=cell_of(page, 1, count=3, answer=2))
    until(page, "document.getElementById('readout').textContent.includes('exactly')")
    assert page.inner_text("#readout").endswith(f"exactly {right[2, 3]}")
    page.click("#matrix-details summary")
    assert page.inner_text("#matrix-table tbody tr:nth-child(2)").split() == [
        "1",
        *(f"{x:.4f}" for x in right.array[1]),
    ]
    turn(page, "watch")
    page.click("#column-details summary")
    cells = exact_cells(page)
    assert [cell[2] for cell in cells] == [str(x) for x in left.column(6)]
    assert [cell[4] for cell in cells] == [str(x) for x in right.column(6)]


def exact_cells(page):
    """The rows of the table of exact chances, once its fractions are there."""
    page.wait_for_selector("#column-table[aria-busy=false] tbody tr")
    return [row.split("\t") for row in page.inner_text("#column-table tbody").splitlines()]


def test_exact_chances_are_those_of_the_setting_that_is_shown(visit):
    page = visit("?n=8&epsilon=1&properties=&beside=EM&count=3")
    page.click("#column-details summary")
    assert [cell[4] for cell in exact_cells(page)] == [str(x) for x in dc.geometric(n=8, epsilon=1).column(3)]
    page.fill("#n", "12")
    until(page, "document.querySelectorAll('#column-table tbody tr').length == 13")
    assert [cell[4] for cell in exact_cells(page)] == [str(x) for x in dc.geometric(n=12, epsilon=1).column(3)]
    page.fill("#epsilon", "2")
    until(page, "location.search.includes('epsilon=2')")
    cells = exact_cells(page)
    assert [cell[2] for cell in cells] == [str(x) for x in dc.fair(n=12, epsilon=2).column(3)]
    assert [cell[4] for cell in cells] == [str(x) for x in dc.geometric(n=12, epsilon=2).column(3)]
    assert page.locator("#column-table thead th").count() == 5, "nothing was drawn"
    page.click("text=Draw 100 times")
    until(page, "document.querySelectorAll('#column-table thead th').length == 9")
    assert sum(int(cell[7]) for cell in exact_cells(page)) == 100
    assert page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('#column-details .scroll'))"
    )


def test_draws_stay_when_a_phone_is_turned(visit):
    page = visit("?n=8&epsilon=1&properties=F&beside=GM&count=3", "narrow", motion="no-preference")
    page.click("text=Draw 100 times")
    until(page, "document.querySelectorAll('#column .dot').length == 200")
    said = page.inner_text("#tally")
    page.set_viewport_size({"width": 844, "height": 390})
    until(page, "innerWidth == 844")
    inside = """[...document.querySelectorAll('#column .dot')].filter((dot) => {
        const [middle, bars] = [dot.cx.baseVal.value, [...document.querySelectorAll('#column .bar')]];
        return bars.some((bar) => Math.abs(bar.x.baseVal.value + bar.width.baseVal.value / 2 - middle) <= bar.width.baseVal.value / 2);
    }).length"""
    until(page, f"document.querySelector('#column svg').viewBox.baseVal.width > 500 && {inside} == 200")
    assert page.inner_text("#tally") == said
    moving = "document.querySelectorAll('#column .dot').values().some((dot) => dot.getAnimations().length)"
    assert not page.evaluate(moving), "they fell before"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_answers_of_the_real_sampler_fall_onto_the_column(visit, motion):
    page = visit("?n=8&epsilon=1&properties=F&beside=GM&count=3", motion=motion)
    page.click("text=Draw once")
    until(page, "document.querySelectorAll('#column .dot').length == 2")
    assert "Drawn once from a true count of 3: your design published" in page.inner_text("#tally")
    answer = page.inner_text("#said-1 b")
    assert (f"published {answer}, not the truth" if answer != "3" else "published the truth") in page.inner_text(
        "#tally"
    )
    page.focus("text=Draw 100 times")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('#column .dot').length == 202")
    moving = "document.querySelectorAll('#column .dot').values().some((dot) => dot.getAnimations().length)"
    assert page.evaluate(moving) == (motion == "no-preference")
    expected = 101 * float(dc.geometric(n=8, epsilon=1).truth(3))
    assert f"({expected:.1f} expected)" in page.inner_text("#tally")
    page.click("text=Clear")
    assert page.locator("#column .dot").count() == 0
    assert page.inner_text("#said-1 b") == "?"
    page.click("text=Draw once")
    page.wait_for_selector("#column .dot")
    page.locator("#count").press("ArrowRight")
    assert page.locator("#column .dot").count() == 0, "they belonged to another true count"


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


def test_a_table_of_one_s_own_is_planned_from_sizes_alone(visit):
    page = visit("#own", "narrow")
    assert page.locator("#tab-own").bounding_box()["x"] + page.locator("#tab-own").bounding_box()["width"] <= 390
    assert "1,000 people in 120 groups, at epsilon 1 " in planned(page), "it opens on an example, and a table at 1"
    assert page.inner_text("#own-entered") == "80 of 8, 40 of 9; smoker; epsilon 1"
    assert page.locator("#sizes").is_hidden() and "questions=smoker" in page.url, "the plan comes first"
    assert page.inner_text("#own-example").startswith("An example: 120 clinics")
    turn(page, "take")
    assert page.is_visible("#take-example") and page.inner_text("#take-title") == "Release a table"
    assert page.evaluate("document.querySelector('.taking').id") == "take-design", "what is on the screen comes first"
    turn(page, "own")
    unfold(page)
    page.fill("#questions", "")
    until(page, "document.getElementById('release-line')?.textContent.includes('--count answer')")
    assert page.locator("#own-example").is_hidden()
    line = page.inner_text("#release-line")
    assert line.startswith("discreet release people.csv --by group --count answer --unit person --epsilon 1 --ledger")
    assert line.endswith("--output published --format csv"), "which any office opens"
    page.click("#spoken > summary")
    assert page.is_visible("#own-sentence") and page.locator("#sentence").is_hidden(), (
        "of patients nothing is said here"
    )
    page.reload()
    assert page.input_value("#sizes") == "80 of 8, 40 of 9" and "1,000 people" in planned(page)
    unfold(page)
    page.fill("#regions", "10")
    page.wait_for_selector("#own-plan[data-state=stale]", state="attached")
    said = planned(page)
    assert "person, region, group, answer" in said
    assert not hidden_columns(page, "#own-plan")
    assert "estimates of all levels add up" in said and "Two errors for one group" in said
    page.select_option("#share", "0.5")
    until(page, "document.getElementById('release-line').textContent.includes('--level-split total=0.125')")
    line = page.inner_text("#release-line")
    for view in VIEWS[1:]:
        page.click(f"[role=tabpanel]:not([hidden]) .next [data-turn={view}]" if view != "learn" else "#tab-watch")
        if view == "learn":
            page.click("#view-watch .next a")
        assert page.is_visible(f"#view-{view}")
    until(page, "!document.getElementById('take-table').hidden")
    assert page.inner_text("#take-release") == line, "the table that was entered"
    assert page.inner_text("#take-epsilon") == page.input_value("#table_epsilon")
    assert page.evaluate("document.querySelector('.taking').id") == "take-own", "what was planned comes first"
    assert page.locator("#take-example").is_hidden() and "--ledger budget.db" in line
    page.click("#tab-own")
    page.click("#own-wishes summary")
    page.check("#wishes-F")
    until(page, "document.getElementById('own-plan').textContent.includes('explicit fair mechanism (EM)')")
    assert "wishes=F" in page.url
    page.fill("#sizes", "eighty")
    assert planned(page).startswith("No plan yet")
    assert "The group sizes must be numbers of people, not eighty" in page.inner_text("div:has(> #sizes) .problem")
    assert page.get_attribute("#sizes", "aria-invalid") == "true"
    turn(page, "take")
    assert "Your table has no plan" in page.inner_text("#take-refused") and "not eighty" in page.inner_text(
        "#take-reason"
    )
    assert page.locator("#take-table").is_hidden() and page.locator("#take-none").is_hidden()
    back(page)
    until(page, "!document.getElementById('view-own').hidden")
    assert page.input_value("#sizes") == "eighty"
    page.click("text=three answers")
    page.wait_for_selector("#own-plan polygon")
    assert page.get_attribute("#sizes", "aria-invalid") is None
    assert "questions=smoking" in page.url and "wishes" not in page.url
    assert wide(page) == WIDTHS["narrow"][0]


def test_a_table_has_a_privacy_of_its_own_and_only_the_entries_that_matter(visit):
    page = visit("#own")
    assert page.locator("#epsilon").is_hidden() and page.locator("#n").is_hidden(), "they are the design's"
    page.click("text=three answers")
    assert "at epsilon 1 " in planned(page)
    assert page.locator("#yes").is_hidden(), "no question is of yes or no"
    page.fill("#questions", "smoking: never, former, current\nbullied")
    assert page.is_visible("#yes")
    page.locator("#table-slider").press("ArrowLeft")
    until(page, "document.getElementById('own-plan').textContent.includes('at epsilon 0.95 ')")
    assert page.input_value("#table_epsilon") == "0.95" and "table_epsilon=0.95" in page.url
    assert "epsilon=0.25" in page.url, "the picture's is as it was"
    page.fill("#table_epsilon", "none")
    assert planned(page).startswith("No plan yet")
    assert "epsilon must be a number, not none" in page.inner_text(".wide:has(#table_epsilon) .problem")
    assert page.get_attribute("#table_epsilon", "aria-invalid") == "true"
    page.fill("#table_epsilon", "2")
    until(page, "document.getElementById('table-slider').getAttribute('aria-valuetext') == 'epsilon = 2'")
    page.reload()
    assert page.input_value("#table_epsilon") == "2" and "at epsilon 2 " in planned(page)
    assert page.inner_text("#tabs-epsilon") == "The tabs use epsilon 0.25: use it here"
    page.click("#tabs-epsilon button")
    until(page, "document.getElementById('own-plan').textContent.includes('at epsilon 0.25 ')")
    assert page.input_value("#table_epsilon") == "0.25" and "table_epsilon=0.25" in page.url
    assert page.locator("#tabs-epsilon").is_hidden(), "both are the same now"


PEOPLE = "person,school,class,bullied\n" + "\n".join(
    f"{k},S{k % 6},{k % 4}a,{'yes' if k % 5 == 0 else 'no'}" for k in range(480)
)


def test_large_groups_of_several_answers_are_planned_and_no_message_is_python(visit):
    page = visit("#own")
    page.fill("#sizes", "50 of 513")
    page.fill("#questions", "asthma: none, mild, severe")
    until(page, "document.getElementById('release-line')?.textContent.includes('--answers asthma none,mild,severe')")
    shown = planned(page)
    assert "A group of 513: each of its numbers is usually off by" in shown
    assert "If about 1 in 8 give an answer, a group of 513 has 64: ±" in shown and "dc." not in page.inner_text("main")
    page.fill("#sizes", "50 of many")
    until(page, "document.getElementById('sizes').getAttribute('aria-invalid') == 'true'")
    assert planned(page).startswith("No plan yet: the entry that is marked")


def test_a_file_of_people_is_counted_in_the_page_and_never_leaves_it(visit):
    page = visit("#own", "narrow")
    planned(page)
    unfold(page)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.fill("#sizes", PEOPLE)
    assert page.inner_text("#own-people b") == "A file of people: 480 rows, one for each person."
    assert page.input_value("#sizes") == PEOPLE, "what was pasted stays where it is"
    assert not [address for address in [*sent, page.url] if "bullied" in address or "S1" in address]
    assert page.evaluate(
        "[...document.querySelectorAll('#own-people :checked + label')].map((one) => one.textContent)"
    ) == [
        "school",
        "class",
    ]
    assert page.evaluate("document.activeElement.id") == "people-1"
    page.keyboard.press("Space")
    assert page.inner_text("#own-people button:not(.quiet)") == "Tick at least one question", "none is invented"
    page.check("#people-ask-0")
    assert page.inner_text("#own-people button:not(.quiet)") == "Use these 4 groups"
    page.uncheck("#people-ask-0")
    page.focus("#people-1")
    assert page.inner_text("#own-people [role=status]") == (
        "Rows of the same class are counted together. In 4 of these groups they differ in school: "
        "tick it too to keep them apart."
    )
    page.keyboard.press("Space")
    assert page.inner_text("#own-people [role=status]") == ""
    offered = (
        "[...document.querySelectorAll('#own-people .asking [type=checkbox] + label')].map((one) => one.textContent)"
    )
    assert page.evaluate(offered) == ["bullied"]
    page.fill("#sizes", PEOPLE.replace("yes", "no"))
    assert page.evaluate(offered) == ["bullied"] and not page.is_checked("#people-ask-0"), "answers decide nothing"
    page.fill("#sizes", PEOPLE)
    page.check("#people-ask-0")
    page.click("text=Use these 12 groups")
    assert "480 people in 12 groups" in planned(page)
    assert page.locator("#release-line").count() == 0, "not said how"
    assert opacity(page, ".part") == 1 and page.locator("[inert]").count() == 0, "no number depends on that"
    assert page.is_visible("#sizes-numbered")
    assert (page.input_value("#questions"), page.input_value("#yes")) == ("bullied", "")
    page.click("text=As 0 and 1")
    until(page, "document.getElementById('release-line')?.textContent.includes('--count bullied')")
    assert "--by school --by class" in page.inner_text("#release-line")
    assert page.locator("#own-people").is_hidden() and wide(page) == WIDTHS["narrow"][0]
    assert not [address for address in [*sent, page.url] if "S1" in address or "1a" in address], "groups are numbered"
    assert page.input_value("#sizes").startswith("school,class,people\n#1,#1,40\n#2,#2,40\n")
    page.click("text=Publish each school too")
    until(page, "document.getElementById('release-line').textContent.includes('--levels rollup')")
    for answers in ("1", "5"):  # everybody's answer the same, or a mark: still a row for each person
        page.fill("#sizes", "clinic,mark\n" + f"A,{answers}\nB,{answers}\n" * 3)
        assert page.inner_text("#own-people b").startswith("A file of people: 6 rows")
        page.click("text=Cancel")
    page.fill("#questions", "smoker")
    page.fill("#sizes", PEOPLE)
    assert page.is_disabled("#own-people button:not(.quiet)"), "no column of the file"
    page.click("text=Cancel")
    page.fill("#questions", "Bullied: yes, no")
    page.fill("#sizes", PEOPLE)
    assert page.is_checked("#people-ask-0") and page.input_value("#people-answers-0") == "yes, no", "as it was typed"
    page.click("text=Cancel")
    assert page.input_value("#sizes") == PEOPLE and page.locator("#own-plan").inner_text() == ""
    assert "sizes=" not in page.url


def test_a_plan_that_is_worked_out_says_so_wherever_its_lines_would_stand(visit):
    page = visit("", "narrow")
    held = []
    page.route("**/table?*", lambda route: held.append(route))
    page.goto(f"{page.url}&sizes=3+of+4#take")
    until(page, "!document.getElementById('take-working').hidden")  # as long as the plan is held
    assert page.is_visible("#take-working span") and page.locator("#take-none").is_hidden()
    turn(page, "own")
    assert page.is_visible("#own-working") and page.get_attribute("#own-plan", "aria-busy") == "true"
    (route,) = held  # looking from two views asks once
    route.continue_()
    assert "12 people in 3 groups" in planned(page)
    assert page.locator("#own-working").is_hidden()
    unfold(page)
    page.fill("#sizes", "5 of 4")
    page.wait_for_selector("#own-plan[data-state=stale]", state="attached")
    assert page.locator("#release-line").is_hidden(), "that of the former sizes"
    assert opacity(page, ".part") == 0.35, "dimmed, in its place"
    assert page.is_visible("#own-working")
    while len(held) < 2:
        page.wait_for_timeout(10)
    held[1].continue_()
    page.unroute("**/table?*")
    assert "20 people in 5 groups" in planned(page)
    back(page)
    back(page)
    until(page, "!document.getElementById('view-take').hidden")
    page.wait_for_selector("#take-release")  # once the former plan is there again


def opacity(page, part, which=0):
    return page.locator(f"#own-plan {part}").nth(which).evaluate("one => Number(getComputedStyle(one).opacity)")


def test_of_two_questions_only_the_one_that_is_changed_is_dimmed_and_named(visit):
    page = visit()
    page.goto(f"{page.url}&sizes=3+of+4&questions=smoker%0Adrinker&yes=1#own")
    planned(page)
    unfold(page)
    held = []
    page.route("**/table?*", lambda route: held.append(route))
    page.fill("#questions", "smoker\nasthma")
    page.wait_for_selector("#own-plan[data-state=stale]", state="attached")
    assert [opacity(page, ".part", k) for k in (0, 1)] == [1, 0.35]
    assert (
        page.inner_text("#own-working") == "The plan of asthma is being worked out. What is dimmed is the one before."
    )
    page.fill("#questions", "smoker\nasthma\ncough")  # each gets less of epsilon
    assert [opacity(page, ".part", k) for k in (0, 1)] == [0.35, 0.35]
    assert page.inner_text("#own-working").startswith("The plan is being worked out.")
    page.unroute("**/table?*")
    page.fill("#questions", "smoker\nasthma")
    assert "asthma: yes or no" in planned(page)


def test_of_pasted_rows_only_the_line_waits_for_how_a_yes_is_written(visit):
    page = visit()
    page.goto(f"{page.url}&sizes=school,size%0Aa,8%0Ab,9&questions=smoker%0Amark: 1, 2, 3#own")
    assert "How is smoker written in your file?" in planned(page)
    assert [opacity(page, ".part", k) for k in (0, 1)] == [1, 1]
    assert page.locator("#release-line").count() == 0, "waits"


def test_what_cannot_be_had_is_left_out_by_a_button_and_noisy_tables_are_helped_by_one(visit):
    page = visit("?n=8&epsilon=1&sizes=103 of 12&questions=mark: 1, 2, 3, 4, 5&wishes=CM WH#own")
    assert "cannot be had for 5 answers" in planned(page)
    page.click("text=Leave out “closer answers likelier”")
    until(page, "document.querySelectorAll('#own-plan [data-drop]').length == 1")
    page.click("text=Leave out “never worse than guessing”")
    page.wait_for_selector("#release-line", state="attached")
    assert "wishes" not in page.url and page.locator(".ticks input:checked").count() == 0
    page.fill("#questions", "bullied, safe")
    page.locator("[data-put=questions]").first.click()
    assert page.input_value("#questions") == "bullied\nsafe"
    page.fill("#questions", "smoker")
    page.fill("#table_epsilon", "0.2")
    until(page, "document.getElementById('own-plan').textContent.includes('Too noisy')")
    page.click("#own-remedies [data-put=table_epsilon]")
    page.wait_for_selector("#own-plan:not(:has(.verdict)) #release-line", state="attached")
    assert page.input_value("#table_epsilon") == "0.36" and page.input_value("#epsilon") == "1"
    back(page)
    until(page, "document.getElementById('own-plan').textContent.includes('Too noisy')")


def test_counts_are_planned_before_answers_and_what_would_help_is_tried_after_both(visit):
    page = visit("", "narrow")
    held = {}

    def hold(route):
        held[route.request.url.split("?")[0].rsplit("/", 1)[1]] = route

    page.route("**/table?*", hold)
    page.route("**/remedies?*", hold)
    page.goto(f"{page.url}&sizes=6+of+4&questions=smoker%0Amark: 1, 2, 3#own")
    page.wait_for_selector("#own-plan[data-state=partly]")  # as long as the whole plan is held
    said = page.inner_text("#own-plan")
    assert "its number is usually off by about" in said and "One draw of all 3 answers is being designed" in said
    assert page.get_attribute("#own-plan", "aria-busy") == "true" and page.locator("#release-line").count() == 0
    assert [opacity(page, ".gist", k) for k in (0, 1)] == [1, 0.55], "only what is still being designed is dimmed"
    held.pop("table").continue_()
    assert "mark: too noisy to be read group by group" in planned(page)
    until(page, "document.getElementById('own-remedies').textContent.includes('about to be tried')")
    page.unroute("**/table?*")
    unfold(page)
    page.fill("#sizes", "6 of 40")  # what would help another table is not wanted any more
    until(page, "document.getElementById('own-plan').textContent.includes('240 people')")
    page.unroute("**/remedies?*")
    page.wait_for_selector("#own-plan[data-state=fresh]")


def test_the_team_survey_opens_on_its_table_and_nothing_jumps(visit):
    page = visit()
    page.click("text=A team survey")
    drawn(page)
    assert page.inner_text("#own-sentence").startswith("Twelve teams of eight gave their work a mark from 1 to 5.")
    assert page.is_visible("#view-own") and page.input_value("#questions") == "mark: 1, 2, 3, 4, 5"
    assert page.evaluate("scrollY") == 0
    keep(page, "team")
    page.fill("#sizes", "4 of 3")
    assert page.inner_text("#own-sentence").startswith("How good would the published numbers of your own table be?")
    page.click("text=Households")
    drawn(page)
    assert page.is_visible("#view-watch") and page.evaluate("scrollY") == 0


def test_how_answers_are_written_is_asked_and_until_it_is_said_the_plan_says_so(visit):
    people = "pupil_id,class,bullied\n" + "\n".join(
        f"{k},{k % 4}a,{('never', 'sometimes', 'often', '')[k % 4]}" for k in range(80)
    )
    page = visit("#own")
    page.fill("#sizes", people)
    assert page.input_value("#people-who") == "pupil_id", "by its name"
    assert page.locator("#people-answers-0").is_hidden() and page.locator("#people-yes").is_hidden()
    page.check("#people-ask-0")
    assert page.input_value("#people-yes") == "", "nothing is taken for granted"
    page.click("text=Use these 4 groups")
    assert "How is bullied written in your file? The numbers below take it as" in planned(page)
    assert page.locator("#release-line").count() == 0
    keep(page, "unsaid")
    turn(page, "take")
    assert "it is not said yet how bullied is written" in page.inner_text("#take-refused")
    turn(page, "own")
    page.fill("#unsaid-1", "never, sometimes, often")
    page.click("text=Use these answers")
    until(
        page, "document.getElementById('release-line')?.textContent.includes('--answers bullied never,sometimes,often')"
    )
    assert page.input_value("#questions") == "bullied: never, sometimes, often" and page.locator(".unsaid").count() == 0
    page.fill("#file", "year 9.csv")
    until(page, "document.getElementById('release-line')?.textContent.includes(\"release 'year 9.csv' --by class\")")
    for entry, words, line in (
        ("yes", "1", "--count bullied --unit pupil_id"),
        ("yes", "often", "--count-as bullied \"bullied = 'often'\" --unit pupil_id"),
        ("answers-0", "never, often", "--answers bullied never,often --unit pupil_id"),
    ):
        page.fill("#sizes", people)
        page.check("#people-ask-0")
        page.fill("#people-answers-0", "")
        page.fill(f"#people-{entry}", words)
        keep(page, f"written-{entry}")
        page.click("text=Use these 4 groups")
        assert "80 people in 4 groups" in planned(page) and page.locator(".unsaid").count() == 0
        assert line in page.inner_text("#release-line")


def sizes_in(addresses):
    """The group sizes that addresses carry, those of the example aside that the page opens with."""
    found = {size for address in addresses for size in parse_qs(urlsplit(address).query).get("sizes", [])}
    return {size.replace("\r\n", "\n") for size in found} - {"80 of 8, 40 of 9"}


def test_rows_that_may_be_people_are_never_sent_before_somebody_says_that_they_are_groups(visit):
    rows = [f"p{k},C{k % 3},{'FM'[k % 2]},{('pos', 'neg')[k % 2]},{30 + k}" for k in range(12)]
    page = visit("#own")
    planned(page)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    for text in (
        "\n".join(["pid,clinic,sex,hiv,age", *rows]),
        "\n".join(rows),
        "\n".join(f"{k},1,0,{k}" for k in range(9)),
        "\n".join([*rows, "p99,C1,F,pos,41,a remark"]),
        "\n".join(row.replace(",", " ") for row in rows),
    ):
        page.fill("#sizes", text)
        said = page.inner_text("#own-people b")
        assert re.match(
            "A file of people|Is each of the (12|13|9) rows a group or a person|A table of 12 groups", said
        ), said
        assert page.input_value("#sizes") == text and "sizes=" not in page.url
    page.wait_for_timeout(600)  # longer than a plan waits
    page.click("#own-people >> text=Cancel")
    assert not [address for address in [*sent, page.url] if "pos" in address or "p1" in address or "hiv" in address]
    page.fill("#sizes", "A,1a,18\nA,1b,27\nB,1a,20")
    assert page.inner_text("#own-people b") == "Is each of the 3 rows a group or a person?"
    page.click("text=A person: count them here")
    assert page.inner_text("#own-people b") == "A file of people: 3 rows, one for each person."
    page.fill("#sizes", "A,1a,18\nA,1b,27\nB,1a,20")
    page.click("text=A group, with its number of people")
    page.select_option("#group-1", "names the group (public)")
    page.click("text=Use these 3 groups")
    assert "65 people in 3 groups" in planned(page)
    for text, groups in (("80 of 8, 40 of 9\n2 x 18\n7", 123), ("8\n9\n7\n5", 4), ("\ufeff3 of 8", 3)):
        page.fill("#sizes", text)
        until(page, f"document.getElementById('own-plan').textContent.includes('in {groups} groups')")
    page.fill("#sizes", "school,class,people\nA,1a,18\nA,1b,x\nB,1a,20")
    assert "Row 2 below the header has no whole number" in page.inner_text("#own-people [role=status]")
    assert page.is_disabled("#own-people button:not(.quiet)") and page.input_value("#sizes").endswith("B,1a,20"), (
        "it can be mended"
    )
    page.click("text=two questions")
    assert page.locator("#own-people").is_hidden(), "another table was chosen"
    assert "1,200 people in 100 groups" in planned(page)


COUNTED = {
    "clinic,patients,smokers\nA,8,33\nB,12,44\nC,9,22": (
        "clinic,patients\nA,8\nB,12\nC,9",
        "--count smokers --size patients",
    ),
    "ward,yes,people\nA,33,8\nB,44,12": ("ward,people\nA,8\nB,12", "--count yes --size people"),
    "practice\tn\tdiabetes\tasthma\nA\t8\t33\t44\nB\t12\t44\t22": (
        "practice,n\nA,8\nB,12",
        "--count diabetes --count asthma --size n",
    ),
    '"clinic";"n";"smokers"\n"North; East";"8";"33"\n"B";"12";"44"': (
        'clinic,n\n"North; East",8\nB,12',
        "--count smokers --size n",
    ),
    "| clinic | n | smokers |\n|---|--:|--:|\n| A | 8 | 33 |\n| B | 12 | 44 |": (
        "clinic,n\nA,8\nB,12",
        "--count smokers --size n",
    ),
    "clinic,n,share\nA,8,33.5%\nB,12,44 %": ("clinic,n\nA,8\nB,12", ""),
    "clinic,n,smoker\nA,8,33 of them\nB,12,44 of them": ("clinic,n\nA,8\nB,12", ""),
}


@pytest.mark.parametrize("text", COUNTED)
def test_counts_beside_sizes_never_leave_the_page(visit, text):
    page = visit("#own")
    planned(page)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.fill("#sizes", text)
    page.wait_for_timeout(600)  # longer than a plan waits
    assert not sizes_in(sent)
    assert "sizes=" not in page.url and page.input_value("#sizes") == text
    public, line = COUNTED[text]
    page.click("#own-people button:not(.quiet)")
    assert "20 people" in planned(page) or "29 people" in planned(page)
    assert page.input_value("#sizes") == public
    assert sizes_in([*sent, page.url]) == {public}
    asked = [unquote_plus(urlsplit(address).query) for address in [*sent, page.url]]
    assert not [query for query in asked if re.search(r"\b(33|44|22)\b", query)], "in no other entry either"
    if line:
        assert line in page.inner_text("#release-line") and "--unit" not in page.inner_text("#release-line")
        page.reload()
        assert "in" in planned(page) and line in page.inner_text("#release-line"), "the address has all of it"
    back(page)
    back(page)
    assert not re.search(r"\b(33|44|22)\b", unquote_plus(page.url)), "nor has the history"


@pytest.mark.parametrize(
    "text",
    [
        "A,8,3\nB,12,4\nC,9,2",
        "8,3\n12,4\n9,2",
        "8 3\n12 4\n9 2",
        "A 8 3\nB 12 4",
        "clinic,smokers\nA,3\nB,4",
        "smokers\n3\n4",
    ],
)
def test_numbers_that_nothing_calls_people_are_public_only_when_somebody_says_so(visit, text):
    page = visit("#own")
    planned(page)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.fill("#sizes", text)
    if page.locator("text=A group, with its number of people").count():
        page.click("text=A group, with its number of people")
    assert page.inner_text("#own-people [role=status]").startswith("Say which column has the number of people")
    assert page.is_disabled("#own-people button:not(.quiet)")
    page.wait_for_timeout(600)
    assert not sizes_in(sent) and "sizes=" not in page.url


@pytest.mark.parametrize(
    ("text", "public"),
    [
        ("A 8\nB 3\nC 12\nD 25", "A,8\nB,3\nC,12\nD,25"),
        ("Clinic North 8\nWest 12", "Clinic North,8\nWest,12"),
        ("A: 8\nB: 12", "A,8\nB,12"),
        ("A - 8\nB - 12", "A,8\nB,12"),
        ("8 A\n12 B", "A,8\nB,12"),
        ("Clinic\tPatients\nA\t1,200\n\nB\t8\nTotal\t1,208", "Clinic,Patients\nA,1200\nB,8"),
        ("\ufeffward,n\n7,8\n9,12", "ward,n\n#7,8\n#9,12"),
    ],
)
def test_rows_of_names_and_sizes_are_read_as_people_write_them(visit, text, public):
    page = visit("#own")
    planned(page)
    page.fill("#sizes", text)
    assert page.input_value("#sizes") == text
    page.click("#own-people button:not(.quiet)")
    assert page.input_value("#sizes") == public and f"in {len(re.findall('(?m)[0-9]$', public))} groups" in planned(
        page
    )
    page.focus("#sizes")
    page.keyboard.press("Control+End")
    page.keyboard.type("0")
    until(page, "document.getElementById('public-sizes').value.endsWith('0')")
    assert page.locator("#own-people").is_hidden(), "its columns are public already"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_limits_of_the_bars_stand_apart(visit, width):
    page = visit("#own", width)
    planned(page)
    half, three_quarters = (page.locator("#own-plan .limits span span").nth(k).bounding_box() for k in (0, 1))
    assert half["x"] + half["width"] < three_quarters["x"]


def test_more_names_than_fit_into_an_address_are_left_out_and_the_page_says_so(visit):
    page = visit("#own")
    planned(page)
    rows = "clinic,patients\n" + "\n".join(f"clinic {k},{5 + k % 40}" for k in range(2000))
    page.evaluate(
        "(rows) => { const box = document.getElementById('sizes'); box.value = rows; "
        "box.dispatchEvent(new Event('input', { bubbles: true })); }",
        rows,
    )
    assert "so many names do not fit" in page.inner_text("#own-people [role=status]")
    page.click("text=Use these 2,000 groups")
    assert "49,000 people in 2,000 groups" in planned(page)


def test_what_is_typed_letter_by_letter_is_asked_about_too(visit):
    page = visit("#own")
    planned(page)
    page.fill("#sizes", "")
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.focus("#sizes")
    page.keyboard.type("Ann,8,3\nBob,9,4")
    page.wait_for_selector("#own-people b")
    assert not [address for address in sent if "Ann" in address] and "sizes=" not in page.url
    assert page.evaluate("document.activeElement.id") == "sizes", "the hand stays where it is"
    page.fill("#sizes", "1,200")
    until(page, "document.getElementById('sizes').getAttribute('aria-invalid') == 'true'")
    assert "may be one number or two: write 1200, or 1, 200" in page.inner_text("div:has(> #sizes) .problem")


def test_a_file_of_people_may_hold_several_questions(visit):
    people = "pupil_id,school,class,bullied,travel\n" + "\n".join(
        f"{k},{'AB'[k % 2]},{k % 3}a,{k % 2},{('walk', 'bus')[k % 2]}" for k in range(90)
    )
    page = visit("#own")
    page.fill("#sizes", people)
    page.check("#people-ask-0")
    page.check("#people-ask-1")
    assert page.is_visible("#people-yes")
    page.fill("#people-answers-1", "walk, bus, car")
    page.fill("#people-yes", "1")
    keep(page, "several-questions")
    page.click("text=Use these 6 groups")
    assert "90 people in 6 groups" in planned(page)
    assert page.input_value("#questions") == "bullied\ntravel: walk, bus, car" and page.input_value("#yes") == "1"
    line = page.inner_text("#release-line")
    assert "--by school --by class --count bullied --answers travel walk,bus,car" in line


def test_what_an_empty_answer_counts_as_is_said_where_the_file_is_described(visit):
    page = visit("?n=8&epsilon=1&sizes=3 of 8&questions=smoker&yes=yes#own", "narrow")
    planned(page)
    unfold(page)
    assert page.is_visible("#empty"), "what is said of the file is not folded away"
    page.fill("#empty", "no")
    until(page, "document.getElementById('release-line')?.textContent.includes('--nulls 0 --unit')")
    page = visit("?n=8&epsilon=1&sizes=3 of 8&questions=smoker#own", "narrow")
    planned(page)
    unfold(page)
    assert page.locator("#empty").is_hidden(), "the plan comes first"
    page.click("#own-file summary")
    page.fill("#empty", "perhaps")
    until(page, "document.getElementById('empty').getAttribute('aria-invalid') == 'true'")
    assert "must be no or yes, not perhaps" in page.inner_text(".wide:has(#empty) .problem")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_wrong_entry_is_said_beside_its_control_and_put_right(visit, width):
    page = visit("", width)
    before, address = picture(page), page.url
    if width == "narrow":
        page.click("#setting > summary")
    page.fill("#n", "eight")
    drawn(page)
    problem = page.locator("#problem-n")
    assert problem.inner_text() == "n must be a whole number from 1 to 40, not eight"
    field, words = page.locator("#n").bounding_box(), problem.bounding_box()
    assert 0 < words["y"] - field["y"] < 80, "next to the control"
    assert page.get_attribute("#n", "aria-invalid") == "true"
    assert page.get_attribute("#n", "aria-describedby") == "problem-n"
    assert picture(page) == before, "the last picture stays"
    assert dimmed(page, "#view-watch") and dimmed(page, "#price-F") and dimmed(page, "#view-compare")
    assert page.url == address
    for place in ("h1 .of-design", "#sentence", "#meant", "#setting-words"):
        assert dimmed(page, place), place
    assert page.text_content("#sentence").startswith("One of eight")
    assert page.inner_text("#working") == "", "what is wrong is said once, beside the entry"
    keep(page, f"wrong-{width}")
    page.fill("#n", "0")
    until(page, "document.getElementById('problem-n').textContent == 'n must be at least 1, not 0'")
    page.fill("#n", "99")
    until(page, "document.querySelector('#problem-n code')?.textContent == 'discreet design --n'")
    page.fill("#n", "6")
    drawn(page)
    until(page, "document.getElementById('problem-n').textContent == ''")
    assert not dimmed(page, "#view-watch")
    assert page.get_attribute("#n", "aria-invalid") is None
    assert page.text_content("#sentence").startswith("One of six")


def dimmed(page, selector):
    return float(page.evaluate(f"getComputedStyle(document.querySelector('{selector}')).opacity")) < 0.5


def test_a_wrong_address_shows_the_controls_and_the_errors(visit):
    page = visit("?n=99&epsilon=-3&prior=odd&output_dp=9")
    assert "must be at most 40 on this page" in page.inner_text("#problem-n")
    assert "must be between 0 and 20 on this page" in page.inner_text("#problem-epsilon")
    assert "prior is not a known prior (odd)" in page.inner_text("#problem-prior"), "one fault hides no other"
    assert "must be above 0 and at most 1" in page.inner_text("#problem-output_dp")
    assert page.inner_text("#sentence") == "Nothing can be shown until the marked entries are put right."
    assert page.locator("#results").is_hidden()
    keep(page, "wrong-address")


def test_the_files_are_opened_and_verified(visit, tmp_path):
    page = visit(f"{BUSY}#take")

    def taken(label):
        with page.expect_download() as download:
            page.click(f"#taken a:text-is('{label}')")
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
    for ending in ("svg", "png", "pdf"):  # tests/studio makes them
        link = page.get_attribute(f"#taken a:text-is('Figure, {ending.upper()}')", "href")
        assert link.startswith(f"/files/figure.{ending}?n=12")


@pytest.mark.parametrize("clipboard", [True, False])
def test_the_lines_reproduce_what_is_on_the_screen(visit, tmp_path, monkeypatch, clipboard):
    page = visit(f"{BUSY}#take")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader = page.evaluate_handle("navigator.clipboard")
    if not clipboard:  # as where the page was not served securely
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("button[data-copy='python-lines']")
    page.wait_for_selector("button:text-is('Copied')")
    copied = reader.evaluate("(clipboard) => clipboard.readText()")
    assert copied.rstrip("\n") == page.inner_text("#python-lines")
    first = page.inner_text("#shell-line").splitlines()[0]
    assert first == "discreet design --n 12 --epsilon 0.4 --properties CM --loss L1 -o mechanism.json"
    if clipboard:
        monkeypatch.chdir(tmp_path)
        exec(copied, {})
        assert dc.load("mechanism.json").id == dc.design(n=12, epsilon="0.4", properties="CM", loss="L1").id


def test_a_setting_is_shared_by_its_address(visit, address):
    page = visit(BUSY)
    page.locator("#n-slider").press("ArrowLeft")
    drawn(page)
    page.locator("#count").press("ArrowLeft")
    shared = page.text_content("#address-line")
    assert shared == page.url

    def seen():
        return page.inner_text("#sentence"), float(page.get_attribute("#pictures .chosen", "x"))

    words, place = seen()
    visit(shared.removeprefix(address))
    assert seen() == (words, pytest.approx(place, abs=0.01))


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_compared_is_seen_before_its_numbers(visit, width):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM&story=clinic#compare", width)
    settled(page)
    assert page.inner_text("#scores-says") == (
        "If every count is equally likely: your design is right most often at its worst count (18.3%); "
        "the usual method is right most often (22.2%), closest (usually off by 2.96) and best for a total of 100 groups (±106)."
    )
    assert page.locator("#score-tables table").first.is_hidden(), "numbers follow on demand"
    names = [words.splitlines()[0] for words in page.locator(".multiple figcaption").all_inner_texts()]
    assert names == ["Your design", "The usual method", "Blind guessing"]
    written = "[...document.querySelectorAll('.multiple')].map((one) => [...one.querySelectorAll('.chance')].map((chance) => chance.textContent))"
    assert page.evaluate(written) == [["18%", "", ""], ["12%", "21%", "21%"], ["11%", "", ""]]
    high = page.locator(".multiples").bounding_box()["height"]
    page.locator("#count-again").press("Home")
    assert page.evaluate(written) == [["18%", "", ""], ["56%", "", ""], ["11%", "", ""]]
    assert page.input_value("#count") == "0" and "count=0" in page.url, "one true count for all views"
    assert page.locator(".multiples").bounding_box()["height"] == high
    tops = page.evaluate(
        "[...document.querySelectorAll('.multiple svg[role=img]')].map((one) => one.getBoundingClientRect().top)"
    )
    assert len({round(top) for top in tops}) == (1 if width == "wide" else 3), "one line, or one below the other"
    assert "when the truth is 0, the truth in 56% of cases" in page.get_attribute(
        ".multiple:nth-child(2) svg[role=img]", "aria-label"
    )
    assert page.locator(".measures figure").count() == 4 and page.locator(".measures .best").count() == 4
    assert wide(page) == WIDTHS[width][0]
    keep(page, f"compare-{width}", full=True)


def test_a_pinned_design_is_drawn_beside_the_others_on_their_scale(visit):
    page = visit(
        "?n=8&epsilon=0.25&properties=F&loss=L0&beside=GM&pin=n%3D8%26epsilon%3D1%26properties%3DF%26loss%3DL0#compare"
    )
    settled(page)
    assert page.locator(".multiple").count() == 4
    assert page.locator(".multiple figcaption b").last.inner_text() == "Pinned: epsilon 1, fair to every count"
    assert "none of them is called best" in page.inner_text("#scores")
    highest = "[...document.querySelectorAll('.multiple')].map((one) => Math.max(...[...one.querySelectorAll('.slim')].map((bar) => bar.height.baseVal.value)))"
    assert max(page.evaluate(highest)) == page.evaluate(highest)[-1]
    page.click("#pins a:text-is('Remove')")
    until(page, "document.querySelectorAll('.multiple').length == 3")


@pytest.mark.parametrize("story", [name for name, one in STORIES.items() if not one.setting.sizes])
def test_a_story_opens_with_its_point_and_leaves_it_with_its_setting(visit, story):
    page = visit()
    page.click(f"#stories a:has-text({STORIES[story].title!r})")
    settled(page)
    opened, did = page.inner_text("#point"), STORIES[story].did
    assert did[0] in opened or did[1] in opened
    assert page.get_attribute("#stories a[aria-current]", "href") == f"?{STORIES[story].setting.query()}"
    place = page.locator(".tabs").bounding_box()["y"]
    page.locator("#privacy-slider").press("ArrowRight")
    settled(page)
    said = page.inner_text("#point")
    assert "most often" in said or "equally often" in said, "of any setting"
    assert page.locator("#stories a[aria-current]").count() == 0, "it is the story's setting no more"
    assert page.locator(".tabs").bounding_box()["y"] == place, "nothing jumps"


def test_designs_are_pinned_compared_and_removed(visit):
    page = visit(PAPER)
    page.click("text=Pin this design")
    drawn(page)
    assert page.is_visible("#view-watch"), "whoever pins stays where they are"
    assert page.inner_text("#tab-compare") == "Compare (1)"
    assert page.evaluate("document.activeElement.id") == "pin"
    page.check("#property-CM")
    page.uncheck("#property-F")
    drawn(page)
    page.click("text=Pin this design")
    drawn(page)
    page.click("text=Pinned: compare")
    assert page.is_visible("#view-compare")
    assert page.locator("#pins tbody tr").count() == 2
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    assert page.locator("#pins tbody tr").count() == 2, "pins are part of the address"
    settled(page)
    high = page.evaluate("document.getElementById('scores').offsetHeight")
    page.click("#pins tbody tr:first-child a:text-is('n = 8, alpha = 10/11, F, L0')")
    drawn(page)
    held = (
        f"(part => !part.querySelector('.pending') || part.offsetHeight >= {high})(document.getElementById('scores'))"
    )
    assert page.evaluate(held), "what waits for its numbers keeps its height"
    assert page.is_checked("#property-F")
    assert not page.is_checked("#property-CM")
    settled(page)  # a row that still moves may move away under the pointer
    assert page.evaluate("document.getElementById('scores').style.minHeight") == ""
    page.click("#pins tbody tr:first-child a:text-is('Remove')")
    until(page, "document.querySelectorAll('#pins tbody tr').length == 1")
    back(page)
    until(page, "document.querySelectorAll('#pins tbody tr').length == 2")
    assert page.locator("#pins tbody tr").count() == 2
    page.click("text=Start again")
    page.click("dialog >> text=Keep this")
    assert page.locator("#pins tbody tr").count() == 2
    page.click("text=Start again")
    page.click("dialog button:text-is('Start again')")
    until(page, "document.querySelectorAll('#pins tbody tr').length == 0")  # a dialog closes in its own time
    assert page.inner_text("#point").startswith("Three of eight smoke.")


def test_the_gallery_shows_each_ill_and_cures_it(visit):
    page = visit()
    assert page.locator("#gallery").is_hidden(), "it stands where its pictures belong"
    page.click("text=What goes wrong without any?")
    assert page.is_visible("#view-counts") and page.evaluate("document.activeElement.textContent").startswith(
        "What goes"
    )
    page.click("[aria-label='Show both: Always answer 2, and its cure by closer answers likelier']")
    drawn(page)
    assert page.is_visible("#view-counts")
    assert "always answers 2, whatever the truth is" in page.text_content("#exact-words")
    assert page.input_value("#n") == "4"
    assert page.input_value("#loss") == "L2"
    assert page.inner_text("#more-words") == "squared distance", "what differs from the usual is said"
    assert page.locator("#pictures .panel").count() == 2, "the ill and the cure"
    assert page.is_checked("#property-CM")
    assert "reports the truth with a chance between 0.252 and 0.270" in page.text_content("#exact-words")
    assert page.evaluate("document.activeElement.id") == "point"
    page.click("[aria-label='Show both: Gaps, and its cure by nothing likelier than the truth']")
    drawn(page)
    assert "never answers 0, 1, 6 or 7" in page.text_content("#exact-words")
    page.uncheck("#property-CH")
    until(page, "document.querySelectorAll('#pictures .panel').length == 1")  # not the same picture twice


def test_everything_can_be_reached_and_used_by_keyboard(visit):
    page = visit(PAPER)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the controls"
    page.keyboard.press("Enter")
    page.evaluate("""() => {
        window.reached = new Set();
        document.addEventListener("focusin", ({ target }) => window.reached.add(target.id || target.textContent.trim()));
    }""")
    while "count" not in reached(page):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('details:not([open]) > summary')"):
            page.keyboard.press("Space")
    for tabs in (60, 60, 60, 70, 25, 70):  # the controls stand between the tabs and their views
        for _ in range(tabs):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('#score-details:not([open]) > summary')"):
                page.keyboard.press("Space")
        page.evaluate("document.querySelector('[role=tab][aria-selected=true]').focus()")
        page.keyboard.press("ArrowRight")
    found = reached(page)
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
    }
    assert controls | {f"property-{name}" for name in dc.PROPERTIES} <= found
    assert {"count", "answer", "others", "sizes", "regions", "questions", *(f"tab-{view}" for view in VIEWS)} <= found
    assert {
        "Draw once",
        "Draw 100 times",
        "pin",
        "Proof file",
        "Figure, PNG",
        "count-again",
        "answers off by more than 1",
        "your design",
    } <= found
    page.focus("#property-WH")
    before = page.text_content("#exact-words")
    page.keyboard.press("Space")
    drawn(page)
    assert page.text_content("#exact-words") != before
    assert page.evaluate("document.activeElement.id") == "property-WH", "focus stays where the hand is"


def reached(page):
    return set(page.evaluate("[...window.reached]"))


def test_words_are_explained_where_they_stand(visit):
    page = visit("#compare", "narrow")
    settled(page)
    assert not hidden_columns(page, "#scores")
    show_everything(page)
    tip = page.locator("#tip")
    assert tip.is_hidden()
    told = page.evaluate("""() => [...document.querySelectorAll(".term")].filter((word) => word.checkVisibility()).map((word) => {
        word.focus();
        const { left, right } = document.getElementById("tip").getBoundingClientRect();
        return [word.textContent, left, right, word.getAttribute("aria-describedby"), document.getElementById("tip").hidden];
    })""")
    for word, left, right, described, hidden in told:
        assert left >= 0 and right <= WIDTHS["narrow"][0], word
        assert described == "tip" and not hidden, word
    assert {
        "epsilon",
        "alpha",
        "(the prior)",
        "answers off by more than 1",
        "distance from the truth",
        "blind guessing",
        "The usual method",
    } <= {word for word, *_ in told}
    assert wide(page) == WIDTHS["narrow"][0]
    keep(page, "explained")
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    page.hover(".controls .term:text-is('epsilon')")
    assert "Smaller is more private" in tip.inner_text()


def test_it_works_without_a_script(browser, address):
    context, troubles = watched(browser, address, java_script_enabled=False)
    page = context.new_page()
    page.goto(address + INSTRUMENT)
    page.fill("#n", "5")
    page.click("button:text-is('Show')")
    assert page.inner_text("#sentence").startswith("One of five")
    assert page.inner_text("#price-CM").startswith("right in")
    assert page.locator(".view:visible").count() == len(VIEWS), "one below the other"
    assert page.locator("#scores .multiple svg").first.is_visible()
    context.close()
    assert not troubles


def no_violations(page):
    import axe_playwright_python

    # evaluated by the driver, because the page's content policy lets no script be added to it
    page.evaluate(Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text())
    page.evaluate("for (const part of document.querySelectorAll('svg[role=img] > *')) part.remove()")  # one image each
    # whatever passes is told by one element of the page, or it would spend most of its time on naming them all
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found["violations"]] == []
    assert len(found["passes"]) > 20


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
    resize(page, "wide")
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_selector("body[data-ready=yes]")
    page.locator(".stories a").nth(1).click()
    until(page, "document.querySelector('#sentence').textContent.includes('design: the truth in 47%')")
    page.locator("#count").press("Home")
    assert page.inner_text("#sentence").startswith("None of eight said yes.")
    page.click("text=Draw 100 times")
    until(page, "document.querySelectorAll('#column .dot').length == 200")
    page.click("#column-details summary")
    exact = [cells[6] for cells in exact_cells(page)]
    assert exact[:3] == [str(x) for x in dc.fair(n=8, epsilon=1).column(0)[:3]]
    page.click("text=Next: what does such a number give away?")
    page.locator("#answer").press("End")
    assert "This design published 8" in page.inner_text("#learned")
    back(page)
    until(page, "!document.getElementById('view-watch').hidden")  # the view before
    back(page)
    until(page, "document.querySelector('#sentence').textContent.includes('method: the truth in 46%')")
    turn(page, "learn")
    assert page.inner_text("#answer-shown") == "4", "as the setting has it"
    page.locator("#answer").press("End")
    page.locator("#dial-slider").press("Home")
    assert page.inner_text("#dial-shown").split() == ["epsilon", "0.5"] and page.url.endswith("#2-learn")
    assert "more than 1.65 times as likely" in page.inner_text("#promise")
    assert page.inner_text("#answer-shown") == "8", "what was chosen stays"
    page.evaluate("location.hash = 'dials'")  # as the link that skips to the controls does
    page.locator("#dial-slider").press("End")
    assert page.url.endswith("#0-learn") and page.is_visible("#view-learn"), "no address is lost for that"
    assert "more than 2.72 times as likely" in page.inner_text("#promise")
    show_everything(page)
    for width in WIDTHS:
        across = resize(page, width)
        assert wide(page) == across
        keep(page, f"exported-{width}", full=True)
    page.emulate_media(color_scheme="dark")
    no_violations(page)
    context.close()
    assert not troubles
    assert len(asked) == 1, "the page itself"


LAYOUT = """() => ["#point", "#stories", ".tabs", ".controls", ".results", "#column svg", "[data-draw]", "footer"].map((one) => {
    const { left, right } = document.querySelector(one).getBoundingClientRect();
    const style = getComputedStyle(document.querySelector(one));
    return [one, left, right, style.fontSize, style.backgroundColor];
})"""
ORDER = """() => ["#point", "#stories", ".tabs", "#spoken", ".controls", ".results"].map((one) =>
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
        resize(exported, width)
        for mine, theirs in zip(exported.evaluate(LAYOUT), served, strict=True):
            assert mine == theirs, width
        assert page.evaluate(ORDER) and exported.evaluate(ORDER)
        assert exported.locator("[role=tab]").all_inner_texts() == [one for one in tabs if not one.startswith("Your")]
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


@pytest.mark.parametrize("story", STORIES)
def test_no_letter_on_a_phone_is_smaller_than_twelve_pixels(visit, story):
    page = visit(f"?{STORIES[story].setting.query()}", "narrow")
    settled(page)
    if story == "team":
        planned(page)
    show_everything(page)
    assert page.evaluate(SMALL_LETTERS) == []
    assert wide(page) == WIDTHS["narrow"][0]


@pytest.mark.parametrize("width", WIDTHS)
def test_answers_of_a_scale_are_legible_and_none_covers_another(visit, width):
    for answers in ("1, 2, 3, 4, 5", "strongly agree, agree, neutral, disagree, strongly disagree"):
        page = visit(f"?sizes=12 of 8&questions=mark: {answers}&table_epsilon=2#own", width)
        planned(page)
        letters = page.locator(".histogram svg text")
        boxes = [one.bounding_box() for one in letters.all() if one.text_content()]
        assert not [words for _, _, words in page.evaluate(SMALL_LETTERS)]
        for k, one in enumerate(boxes):
            for other in boxes[:k]:
                beside = one["x"] >= other["x"] + other["width"] or other["x"] >= one["x"] + one["width"]
                above = one["y"] >= other["y"] + other["height"] - 4 or other["y"] >= one["y"] + one["height"] - 4
                assert beside or above, answers


def test_a_slow_design_is_dimmed_says_so_and_is_given_up_for_a_newer_wish(visit):
    page = visit("?n=5&epsilon=0.65&properties=CM&loss=L2&prior=Binomial(0.3)")
    page.route("**/?n=38&*", lambda route: None)  # never answered
    with page.expect_request(lambda request: "n=38" in request.url) as slow:
        page.fill("#n", "38")
    page.wait_for_selector("body[data-waiting=yes]")
    assert page.inner_text("#working") == "Working it out. What is dimmed belongs to the setting before."
    for place in ("#view-watch", "#price-F", "#sides", "h1 .of-design", "#sentence", "#promise", "#setting-words"):
        assert dimmed(page, place), place
    keep(page, "working")
    with page.expect_event("requestfailed", lambda request: request == slow.value):
        page.fill("#n", "6")
    drawn(page)
    assert page.inner_text("#working") == ""
    assert not dimmed(page, "#view-watch")
    page.unroute("**/?n=38&*")
    assert page.inner_text("#sentence").startswith("Two of six")
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
    assert page.locator("#score-tables table").count() == 2, "what takes no other design is there before the prices"


def test_a_price_that_takes_long_is_computed_for_who_asks(visit):
    page = visit(PAPER)
    page.route("**/price/F?*", lambda route: route.continue_() if "long=1" in route.request.url else route.fulfill(
        content_type="text/html", body='takes long: <button type="button" class="small" data-compute="F">compute</button>'
    ))  # fmt: skip
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
    tip, said = (page.locator(which).bounding_box() for which in ("#tip", "#view-own .problem[role=alert]"))
    assert not tip or any(
        a[at] >= b[at] + b[size]
        for at, size in (("x", "width"), ("y", "height"))
        for a, b in ((tip, said), (said, tip))
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_drawn_numbers_leave_the_name_of_the_truth_free(visit, width):
    page = visit("", width)
    for many in (100, 200):
        page.click("text=Draw 100 times")
        page.wait_for_selector(f"#tally:has-text('Drawn {many} times')")
    highest = page.evaluate(
        "Math.min(...[...document.querySelectorAll('#column .dot')].map((dot) => dot.getBoundingClientRect().top))"
    )
    name = page.locator("#column .here text").bounding_box()
    assert highest >= name["y"] + name["height"] - 2
