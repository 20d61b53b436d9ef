"""The studio in a real browser: how it opens, its controls, its pictures, and what is drawn."""

import re
from itertools import pairwise

import pytest
from tests.browser.conftest import WIDTHS, back, drawn, forward, keep, resize, settled, until
from tests.browser.studio_actions import (
    BUSY,
    PAPER,
    VIEWS,
    exact_cells,
    no_violations,
    picture,
    show_everything,
    turn,
    wide,
    widen,
)
from tests.conftest import require

import discreet as dc

require("studio")

from discreet.studio.telling.stories import STORIES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PINNED = f"{BUSY}&pin=n%3D8%26alpha%3D10/11%26properties%3DF%26loss%3DL0&pin=n%3D8%26alpha%3D10/11%26properties%3DCM%26loss%3DL0"


def cell_of(page, side, count, answer):
    """Where a cell of a heatmap is, within its picture of a group of eight."""
    box = page.locator("#pictures svg[role=img]").nth(side).bounding_box()
    unit = box["width"] / 404
    return {"x": (40 + 40 * (count + 0.5)) * unit, "y": (6 + 40 * (answer + 0.5)) * unit}


@pytest.mark.parametrize("width", WIDTHS)
def test_it_opens_on_an_everyday_example_and_the_paper_is_one_click_away(visit, width):
    page = visit("", width, more=False)
    assert page.inner_text("#question") == "What is published instead of the truth?"
    title = (
        "One of eight smokes. The usual noise says 0 most often, this design 0 and 1 equally often."
    )
    assert page.inner_text("#point") == title, "one question, one sentence"
    said = page.text_content("#sentence")
    assert page.locator("#sentence").is_hidden() and page.locator("#why").is_hidden(), (
        "the rest is behind one line"
    )
    assert said.startswith(
        "One of eight patients said that they smoke. To protect everybody, a number drawn by chance"
    )
    meant = page.text_content("#meant")
    assert (
        meant
        == "A total of 100 such groups (800 people) is within ±108, with the usual noise ±106."
    )
    assert page.text_content("#why").endswith(
        "a total of 100 groups would be within ±106 instead of ±108."
    )
    assert "equally private:\nThe usual noise: the truth in 12% of cases, 0 in 44%.\n" in said
    assert said.endswith("\nYour design: the truth in 23% of cases, 0 in 23%.")
    shown = page.inner_text("main")
    assert not re.search(r"\b(GM|EM|WM|UM|F|WH|CM|CH|RH|RM|S|alpha|L0)\b", shown), (
        "nothing that one has to know"
    )
    assert shown.count("more often") == 0 and len(re.findall("most often", shown)) == 1, (
        "nothing is said twice"
    )
    settled(page)  # a price may move what is below it
    low = min(WIDTHS[width][1], 800)
    for place in (
        "#question",
        "#column svg",
        "[data-draw='100']",
        "#said-1",
        "#n-slider",
        "#privacy-slider",
        ".more",
    ):
        if width == "narrow" and place.endswith("slider"):
            continue
        box = page.locator(place).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] < low, f"{place} is on the first screen"
    assert page.locator("#property-CM").is_hidden(), "whoever wants more asks for it"
    if width == "narrow":
        assert (
            page.inner_text("#setting > summary")
            == "8 people, epsilon 0.25, no farther answer likelier"
        )
        page.click("#setting > summary")
    asked = page.text_content("#fold > summary")
    assert asked == "Ask for more: no farther answer likelier; beside the usual noise"
    if width == "narrow":
        assert (
            page.locator("#column svg").bounding_box()["y"]
            < page.locator("#controls").bounding_box()["y"] - 150
        )
        page.click("#setting > summary")
    assert "from 50% to at most 56.3% sure of your answer" in page.text_content("#promise")
    chart = page.locator("#column svg").bounding_box()
    assert chart["y"] + chart["height"] < WIDTHS[width][1], "the picture is on the first screen"
    assert chart["height"] >= 190
    assert page.locator("#crowd .you").is_visible()
    coloured = "[...document.querySelectorAll('#sentence b')].map((one) => getComputedStyle(one, '::after').backgroundColor)"
    assert page.evaluate(coloured) == ["rgb(0, 114, 178)"] * 2 + ["rgb(0, 158, 115)"] * 2, (
        "GM's, and the design's"
    )
    assert page.locator(".tabs").bounding_box()["height"] < 44, "one row"
    assert page.locator("#tab-own").is_visible() and wide(page) == WIDTHS[width][0], (
        "no tab is out of sight"
    )
    if width == "wide":
        assert page.locator("#stories").bounding_box()["height"] < 40, "one row"
    if width == "narrow":
        assert chart["y"] < 320, "little stands before it"
        stories, tabs = (page.locator(row).bounding_box() for row in ("#stories", ".tabs"))
        assert tabs["y"] < 50, "the head of a phone's page is two rows"
        assert stories["y"] > chart["y"] and stories["height"] < 60, (
            "examples follow what is looked at, in a row"
        )
        for one in page.locator("#stories a, .tabs button").all():
            one.scroll_into_view_if_needed()
            box = one.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] < 391 and box["height"] >= 24, (
                "each can be scrolled to"
            )
    assert "epsilon=0.25&properties=CM" in page.text_content("#address-line"), (
        "it holds the whole setting"
    )
    assert marks_reach_over_the_bars(page)
    page.locator("#count").press("Home")
    assert marks_reach_over_the_bars(page)
    page.locator("#count").fill("1")
    assert page.locator("#column svg").is_visible() and page.locator("#pictures").is_hidden(), (
        "one idea at a time"
    )
    assert wide(page) == WIDTHS[width][0], "nothing hangs over the edge"
    keep(page, f"start-{width}")
    assert page.locator("#point").bounding_box()["height"] < 50
    page.click("#stories a[title='Much more private']")
    drawn(page)
    assert page.evaluate("document.activeElement.id") == "point", (
        "whoever listens hears the new title"
    )
    page.click("#column-details > summary")
    assert "0 or 8 in 72%.\nYour design" in page.inner_text("#sentence")
    assert page.get_attribute("#stories a[aria-current]", "href").startswith(PAPER)
    assert "gives 0 or 8 as its answer 72 times in 100" in page.inner_text("#more-numbers")
    assert "answers 0 with chance 0.358 when the truth is 4" in page.inner_text("#exact-words")
    back(page)
    drawn(page)
    assert page.text_content("#sentence") == said and page.inner_text("#point") == title


OPENING = f"?{STORIES['clinic'].setting.query()}"


@pytest.mark.parametrize("width", WIDTHS)
def test_it_starts_where_the_truth_is_likeliest_and_nothing_is_asked_for(visit, width):
    page = visit(OPENING, width)
    settled(page)
    assert (
        page.inner_text("#point")
        == "Three of eight smoke. The truth is published most often: in 46% of cases."
    )
    assert page.inner_text("#sides p").strip() == "The usual noise", "one bar a number"
    assert page.locator("#column .bar").count() in (9, 18) and page.locator("#said-0").is_hidden()
    assert "already so, at no cost" in page.text_content("#price-CM")
    assert "with it, right in 46.7% of cases instead of 52.2%" in page.text_content("#price-F")
    tops, questions = set(), set()
    for view in ("watch", "learn", "counts", "compare", "take"):
        turn(page, view)
        tops.add(
            (
                page.locator(".tabs").bounding_box()["y"],
                page.locator("#question").bounding_box()["y"],
            )
        )
        questions.add(page.inner_text("#question"))
        assert page.locator(".answer:visible").count() == 1, "one sentence"
    assert len(tops) == 1 and len(questions) == 5, "tabs and questions stay where they are"
    no_violations(page)
    keep(page, f"opening-{width}")


def test_what_is_advised_instead_of_fairness_is_one_click_away(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM&story=clinic")
    page.click("#column-details > summary")
    fair = page.inner_text("#meant")
    assert fair.startswith(
        "Fair: the truth is published equally often, whatever it is, so no group is favoured."
    )
    assert (
        "get noisier: a total of 100 such groups (800 people) is within ±305, with the usual noise ±106."
        in fair
    )
    assert fair.endswith(
        "likelier instead of fairness. At a true count of 4, that design guesses blindly."
    )
    top = page.locator("#stories").bounding_box()
    assert top["height"] < 40, "one line"
    page.click("#meant a")
    drawn(page)
    assert page.is_checked("#property-CM") and not page.is_checked("#property-F")
    assert page.inner_text("#meant").endswith("is within ±108, with the usual noise ±106.")
    assert page.inner_text("#blind a") == "Try epsilon 0.28", "not back to fairness"
    back(page)
    drawn(page)
    assert page.inner_text("#meant") == fair
    page = visit("?n=8&epsilon=1&properties=F&beside=GM")
    page.click("#column-details > summary")
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
    return (
        len(marks) >= 3
        and all(words.endswith("%") for words, _ in marks)
        and min(y for _, y in marks) <= highest
    )


def test_the_axis_of_a_chance_ends_at_all_of_them_whatever_is_drawn(visit):
    page = visit("?n=8&epsilon=5&properties=&loss=L0&count=3")
    drawn(page)
    page.click("text=Draw 100 times")
    page.wait_for_selector("#tally:has-text('Drawn 100 times')")
    page.locator("#count").press("ArrowRight")
    assert marks_reach_over_the_bars(page)
    marks = page.locator("#column .tick:not([visibility=hidden])").all_text_contents()
    assert marks[-1] == "100%"


def test_what_is_turned_stays_beside_what_it_changes(visit):
    page = visit("#learn")
    settled(page)
    assert page.locator("#months-drawn").is_visible() and page.locator("#steps").is_hidden(), (
        "later ones are folded"
    )
    page.click("#learn-more > summary")
    for place in ("#months-drawn", "#steps"):
        page.locator(place).scroll_into_view_if_needed()
        for kept in ("#privacy-slider", "#sides"):
            box = page.locator(kept).bounding_box()
            assert 0 <= box["y"] < 500, f"{kept} beside {place}"
    page.click("#rest summary")
    page.click("#more summary")
    page.locator("#step-readout").scroll_into_view_if_needed()
    until(page, "document.getElementById('controls').getBoundingClientRect().height > innerHeight")
    assert page.locator("#output_dp").bounding_box()["y"] < WIDTHS["wide"][1], (
        "the last of those that do not fit"
    )
    page = visit("#learn", "narrow")
    assert page.evaluate("document.documentElement.scrollHeight") < 1600
    page.locator("#months-drawn").scroll_into_view_if_needed()
    page.click("#setting > summary")
    before = page.inner_text("#months-words")
    page.locator("#privacy-slider").press("ArrowRight")
    drawn(page)
    assert (
        page.locator("#privacy-slider").is_visible() and page.inner_text("#months-words") != before
    )
    turn(page, "take")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tabs_stay_where_they_are_when_one_is_chosen(visit, width):
    page = visit("", width)
    settled(page)
    places = set()
    for view in VIEWS:
        turn(page, view)
        places.add(
            page.evaluate("document.querySelector('.tabs').getBoundingClientRect().top + scrollY")
        )
    assert len(places) == 1


def test_beliefs_move_month_by_month_within_a_bound_that_grows(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM&count=4#learn")
    assert "12 × 0.25 = 3. After 12 months they may be up to 95.3% sure" in page.inner_text(
        "#months-words"
    )
    page.click("text=Publish month by month")
    until(page, "document.getElementById('months-words').textContent.includes('their belief')")
    numbers = [
        int(one) for one in page.inner_text("#months-numbers").strip(".").split(": ")[1].split(", ")
    ]
    m = dc.design(n=8, epsilon="0.25", properties="F")
    odds = 1.0
    for one in numbers:
        odds *= m[one, 5] / m[one, 4]
    said = re.search(r"(?:from 50% to|is still) ([0-9.]+)%", page.inner_text("#months-words"))[1]
    assert len(numbers) == 12 and float(said) == pytest.approx(100 * odds / (1 + odds), abs=0.06)
    page.locator("#months").press("Home")
    assert "1 × 0.25 = 0.25. After one month they may be up to 56.3% sure" in page.inner_text(
        "#months-words"
    )
    page.locator("#months").press("End")
    assert "= 6. After 24 months" in page.inner_text("#months-words")
    assert page.inner_text("#months-numbers").count(",") == 23
    page.locator("#others").press("ArrowLeft")
    assert page.inner_text("#months-numbers") == "", "they were of another group"
    page.uncheck("#your-yes")
    page.click("text=Publish month by month")
    until(page, "document.getElementById('months-numbers').textContent")
    assert "months" not in page.evaluate("location.search"), "no part of the setting"


def test_nobody_is_said_to_be_certain_after_a_year(visit):
    page = visit("?n=8&epsilon=1#learn")
    assert "After 12 months they may be up to 99.9994% sure of you, never more" in page.inner_text(
        "#months-words"
    )
    page.locator("#months").press("End")
    assert "may be over 99.9999% sure of you, never certain." in page.inner_text("#months-words"), (
        "nobody is ever certain"
    )


def test_no_chance_that_is_shown_is_certain_or_impossible_where_privacy_is_weak(visit):
    page = visit("?n=8&epsilon=12&properties=&loss=L0#learn")
    settled(page)
    page.click("#learn-more > summary")
    page.locator("#answer").press("Home")
    page.locator("#others").press("Home")
    for place in ("#learned", "#insider"):
        said = page.inner_text(place)
        assert "99.999" in said and "100.0%" not in said and " 0.0%" not in said, said


def test_a_change_leaves_dashes_on_an_axis_that_is_held_and_one_mechanism_has_one_bar(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM&count=4")
    drawn(page)
    top = "document.querySelector('#column .bars').dataset.inner / document.querySelector('#column .bars').dataset.scale"
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
    assert (
        page.inner_text("#count-shown") == "5"
        and page.get_attribute("[data-person='6']", "aria-pressed") == "true"
    )
    turn(page, "learn")
    page.click("#learn-more > summary")
    page.locator("#answer").fill("4")
    assert page.inner_text("#step-number") == "4"
    page.hover("#steps .step[data-side='1'][data-at='3']")
    assert "with 4 yes instead of 3, 4 is 1.284 times as likely" in page.inner_text("#step-readout")


def yes_of(page):
    """Who of the drawn people said yes."""
    return page.evaluate(
        "[...document.querySelectorAll('#crowd span')].map((one) => one.classList.contains('yes'))"
    )


def test_a_person_changes_an_answer_and_no_chance_moves_by_more_than_the_bound(visit):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM")
    assert yes_of(page) == [True] * 4 + [False] * 4, "as many as the true count"
    page.locator("#crowd span").nth(1).click()
    assert (
        yes_of(page) == [True, False, True, True, *[False] * 4]
        and page.inner_text("#count-shown") == "3"
    )
    assert "count=3" in page.url
    said = page.inner_text("#tally")
    assert (
        said.startswith("One person changed their answer. The true count is 3, not 4")
        and "more than 1.28" in said
    )
    heights = """(kind) => [...document.querySelectorAll(`#column .${kind}`)].map((one) =>
        one.parentNode.dataset.base - one.getAttribute(kind === "bar" ? "y" : "y1"))"""
    now, before = page.evaluate(heights, "bar"), page.evaluate(heights, "before")
    assert len(now) == len(before) == 18
    changes = [max(a / b, b / a) for a, b in zip(now, before, strict=True)]
    assert 1.27 < max(changes) < 1.2841, "the bound is reached, and kept"
    page.locator("#count").press("ArrowRight")
    assert sum(yes_of(page)) == 4 and page.locator("#column .before").count() == 18, (
        "the slider does the same"
    )
    page.locator("#count").fill("8")
    assert all(yes_of(page)) and page.inner_text("#tally").startswith(
        "4 people changed their answers."
    )
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
    assert shown.endswith("0 is published most often, the truth in 12% of cases."), (
        "the usual noise, alone"
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_a_blind_guess_is_called_one_and_cured(visit, width):
    page = visit("?n=8&epsilon=0.12&properties=CM&beside=Laplace", width)
    settled(page)
    assert "At a true count of 4 this design is a blind guess; totals cannot" in page.inner_text(
        "#blind"
    )
    under_the_hand = [
        page.locator(one).bounding_box()["y"] for one in (".tabs", "#count", "[data-draw='1']")
    ]
    page.locator("#count").press("ArrowRight")
    assert page.locator("#blind").is_hidden()
    assert under_the_hand == [
        page.locator(one).bounding_box()["y"] for one in (".tabs", "#count", "[data-draw='1']")
    ]
    page.locator("#count").press("ArrowLeft")
    page.click("#blind >> text=Try epsilon")
    drawn(page)
    assert page.locator("#blind").is_hidden() and page.is_checked("#property-CM")


def test_views_are_turned_by_hand_and_by_keys_and_are_part_of_the_address(visit):
    page = visit()
    shown = (
        "[...document.querySelectorAll('.view')].filter((one) => !one.hidden).map((one) => one.id)"
    )
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
    assert (
        page.evaluate(shown) == ["view-learn"] and "n=7" in page.url and page.url.endswith("#learn")
    )
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
    marks = page.evaluate(
        "[...document.querySelectorAll('#scale text')].map((one) => one.textContent)"
    )
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
            across = widen(page, width)
            assert wide(page) == across, query


CHANGES = {
    "column": lambda page: page.locator("#count").press("ArrowRight"),
    "beside": lambda page: page.select_option("#beside", "UM"),
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
    assert page.locator("#by-epsilon").is_hidden() and page.locator("#by-alpha").is_hidden(), (
        "typing is choosing"
    )
    page.fill("#epsilon", "ln 2")
    drawn(page)
    assert "alpha=1/2" in page.url and page.input_value("#alpha") == "1/2", "exactly"


def test_an_answer_that_speaks_for_another_count_is_explained_and_cured(visit):
    page = visit("?n=20&epsilon=0.3&properties=CM&loss=L1&beside=Laplace&count=2#learn")
    page.click("#learn-more > summary")
    assert "The likeliest true count is now 0" in page.inner_text("#learned")
    said = page.inner_text("#learned-why")
    assert "publishes 2 more often when 0 is true (23.4%) than when 2 is true (17.0%)" in said
    across = page.evaluate("""() => [...document.querySelectorAll("#steps .step")].filter((one) => one.dataset.at > 5)
        .map(({ cx, r }) => [cx.baseVal.value, r.baseVal.value]).sort(([a], [b]) => a - b)""")
    assert all(b - a >= r + s for (a, r), (b, s) in pairwise(across)), (
        "dots of one height do not touch"
    )
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
    assert page.inner_text("#price-CH") == "already so, because of “no farther answer likelier”"
    least, columns = (dc.design(n=8, alpha="10/11", properties=p) for p in ("", "CM"))
    said = page.inner_text("#price-CM")
    truths = [f"{m.accuracy().truth:.1%}" for m in (columns, least)]
    assert said == f"right in {truths[0]} of cases; without it, in {truths[1]}", "one price"
    page.click("#price-CM summary")
    said = page.inner_text("#price-CM")
    assert said.endswith(
        f"costs {float(columns.score('L0') / least.score('L0') - 1):+.2%} in wrong answers (L0)"
    )
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
    page.locator("#pictures svg[role=img]").first.click(
        position=cell_of(page, 0, count=7, answer=2)
    )
    assert page.text_content("#count-shown") == "7"
    assert page.text_content("#sentence").startswith("Seven of eight said yes.")
    assert page.text_content("#point").startswith("Seven of eight said yes.")
    assert "count=7" in page.url
    turn(page, "watch")
    page.locator("#count").press("ArrowLeft")
    assert page.inner_text("#point").startswith("Six of eight said yes.")
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
    assert f"now 5, with chance {after:.1%}" in page.text_content("#learned"), (
        "of the group, under More"
    )
    page.locator("#others").press("Home")
    sure = [float(m[5, 1] / (m[5, 0] + m[5, 1])) for m in (left, right)]
    said = page.inner_text("#insider")
    assert (
        f"think it {sure[1]:.1%} likely that you said yes (with the usual noise: {sure[0]:.1%})"
        in said
    )
    assert f"between {1 / 2.1:.1%} and {1.1 / 2.1:.1%}" in said, "exp(epsilon) is 11/10"
    assert not [url for url in asked if "/static/" not in url and "/exact" not in url]
    turn(page, "counts")
    page.locator("#pictures svg[role=img]").nth(1).hover(
        position=cell_of(page, 1, count=3, answer=2)
    )
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


def test_exact_chances_are_those_of_the_setting_that_is_shown(visit):
    page = visit("?n=8&epsilon=1&properties=&beside=EM&count=3")
    page.click("#column-details summary")
    assert [cell[4] for cell in exact_cells(page)] == [
        str(x) for x in dc.geometric(n=8, epsilon=1).column(3)
    ]
    page.fill("#n", "12")
    until(page, "document.querySelectorAll('#column-table tbody tr').length == 13")
    assert [cell[4] for cell in exact_cells(page)] == [
        str(x) for x in dc.geometric(n=12, epsilon=1).column(3)
    ]
    page.fill("#epsilon", "2")
    until(page, "location.search.includes('epsilon=2')")
    cells = exact_cells(page)
    assert [cell[2] for cell in cells] == [str(x) for x in dc.fair(n=12, epsilon=2).column(3)]
    assert [cell[4] for cell in cells] == [str(x) for x in dc.geometric(n=12, epsilon=2).column(3)]
    assert page.locator("#column-table thead th").count() == 5, "nothing was drawn"
    page.click("text=Draw 100 times")
    until(page, "document.querySelectorAll('#column-table thead th').length == 9")
    assert sum(int(cell[7]) for cell in exact_cells(page)) == 100
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTHS["wide"][0], (
        "the table scrolls in itself"
    )


def test_one_mechanism_has_one_set_of_columns_and_no_number_of_its_fractions_is_broken(visit):
    page = visit("?n=8&epsilon=1&properties=&beside=none&count=3", "narrow")
    page.click("text=Draw 100 times")
    page.click("#column-details summary")
    assert [cell[2] for cell in exact_cells(page)] == [
        str(x) for x in dc.geometric(n=8, epsilon=1).column(3)
    ]
    heads = page.evaluate(
        "[...document.querySelectorAll('#column-table thead th')].map((one) => one.textContent)"
    )
    assert heads == ["published", "chance", "exactly", "drawn", "expected"]
    lines = """[...document.querySelectorAll('#column-table .exact-text')].map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    })"""
    assert max(page.evaluate(lines)) <= 2, "broken at the stroke alone"


def test_on_a_phone_chances_stand_in_their_cells_and_digits_of_the_axes_clear_of_them(visit):
    for query in (
        "?n=8&epsilon=1",
        "?n=8&epsilon=0.25&properties=CM&beside=GM&count=1",
        "?n=3&epsilon=1&properties=F",
    ):
        page = visit(f"{query}#counts", "narrow")
        boxes = """[...document.querySelectorAll('#pictures .panel svg[role=img]')].map((picture) => {
          const frame = picture.querySelector('.chosen').getBoundingClientRect();
          const all = [...picture.querySelectorAll('text')].map((one) => [one.getAttribute('class'), one.getBoundingClientRect()]);
          const digits = all.filter(([look, { left }]) => look === null && left > frame.left - 400).map(([, box]) => box);
          return [all.filter(([look]) => look === 'number').length, Math.max(...digits.map((box) => box.height)),
            digits.filter((box) => box.top > frame.bottom - 1).length];
        })"""
        n = int(query[3])
        for cells, height, below in page.evaluate(boxes):
            assert cells == (n + 1) ** 2 and height < 20 and below == n + 1
    page = visit("?n=8&epsilon=1#counts", "narrow")
    shown = page.evaluate(
        "[...document.querySelectorAll('#pictures .number')].map((one) => one.textContent)"
    )
    assert "<1" in shown and "0" not in shown, "what is possible is not 0"


def test_draws_stay_when_a_phone_is_turned(visit):
    page = visit("?n=8&epsilon=1&properties=F&beside=GM&count=3", "narrow", motion="no-preference")
    page.click("text=Draw 100 times")
    until(page, "document.querySelectorAll('#column .dot').length == 200")
    said = page.inner_text("#tally")
    resize(page, 844, 390)
    inside = """[...document.querySelectorAll('#column .dot')].filter((dot) => {
        const [middle, bars] = [dot.cx.baseVal.value, [...document.querySelectorAll('#column .bar')]];
        return bars.some((bar) => Math.abs(bar.x.baseVal.value + bar.width.baseVal.value / 2 - middle) <= bar.width.baseVal.value / 2);
    }).length"""
    until(
        page,
        f"document.querySelector('#column svg').viewBox.baseVal.width > 500 && {inside} == 200",
    )
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
    assert (
        f"published {answer}, not the truth" if answer != "3" else "published the truth"
    ) in page.inner_text("#tally")
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
