"""The story in a real browser, served and exported: each screen and its action, keys, two widths, two schemes, axe-core."""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.browser.conftest import WIDTHS as UPRIGHT
from tests.browser.conftest import keep, resize, until, watched
from tests.conftest import require

require("studio")

from discreet.studio import export_story
from discreet.studio.settings import Setting
from discreet.studio.story.story_numbers import ATTACKERS, MONTHS, story_numbers
from discreet.studio.story.story_page import LESSONS, SCREENS

WIDTHS = {**UPRIGHT, "sideways": (844, 390)}
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def places(address, tmp_path_factory):
    """Where the story is: served by the studio, and exported into a file."""
    path = tmp_path_factory.mktemp("story") / "story.html"
    export_story(path)
    return {"served": address, "exported": path.as_uri()}


@pytest.fixture
def tell(browser, places):
    """Open the story; afterwards nothing may have gone wrong or gone elsewhere."""
    opened = []

    def tell(kind="served", width="wide", scheme="light", motion="reduce", part=""):
        wide, high = WIDTHS[width]
        context, troubles = watched(
            browser,
            places[kind],
            viewport={"width": wide, "height": high},
            color_scheme=scheme,
            reduced_motion=motion,
        )
        opened.append((context, troubles))
        page = context.new_page()
        page.goto(places[kind] + part)
        page.wait_for_selector("body[data-ready=yes]")
        return page

    yield tell
    for context, troubles in opened:
        context.close()
        assert not troubles


def text(page, id_):
    return page.inner_text(f"#{id_}")


def address_of(page):
    """The screen in the address, from the page: the driver hears of it a little later."""
    return page.evaluate("location.hash")


def boxes(page):
    """Where everything stands that could jump when a number comes."""
    return page.evaluate("""() => Object.fromEntries([...document.querySelectorAll(
        ".screen, .says, .picture, svg[role=img], .actions, .choices, nav")].filter((one) => one.checkVisibility()).map((one, k) => {
        const { left, top, width } = one.getBoundingClientRect();
        const high = one.matches(".says") ? 0 : one.getBoundingClientRect().height; // it may fill the room that it has
        return [`${k} ${one.id}`, [left, top + scrollY * !one.matches("nav"), width, high].map(Math.round)];
    }))""")


def go(page, screen):
    page.evaluate(f"document.getElementById('{screen}').scrollIntoView()")
    until(
        page,
        f"document.getElementById('where').textContent === '{SCREENS.index(screen) + 1} of {len(SCREENS)}'",
    )


def guess_and_draw(page):
    go(page, "chance")
    page.click("[data-guess='1']")
    page.click("[data-draw='100']")
    until(page, "document.querySelectorAll('#chance-bars .dot').length === 100")


def attack(page):
    go(page, "attack")
    for k in range(1, 11):
        until(page, f"document.getElementById('attack-number').dataset.round === '{k}'")
        number = text(page, "attack-number")
        page.click(f"[data-say='{k % 2}']")
        until(page, f"document.getElementById('attack-score').ariaLabel.includes('of {k} right')")
        if k < 10:
            told = (
                rf"(Last time: )?(right|wrong)\. {number} was published, and they said (yes|no)\."
            )
            said = " ".join(text(page, "attack-says").split())
            assert re.fullmatch(told, said, re.IGNORECASE), "said until the next guess"
    assert (
        "At epsilon 1 nobody can beat the best attacker's average of 73.1%. A coin: 50%."
        in text(page, "attack-says")
    )
    page.click("[data-best]")
    until(page, "document.querySelectorAll('#attack-dots .guess').length === 100")
    wrong = page.locator("#attack-dots .guess.wrong").count()
    assert f"The best attacker: {100 - wrong} of 100" in text(page, "attack-says"), (
        "what is hollow was wrong"
    )


def read_tables(page):
    go(page, "reading")
    page.click("[data-tables='20']")
    until(page, "document.querySelectorAll('#reading-lines .estimate').length === 20")


def publish(page):
    go(page, "months")
    page.click("[data-months='12']")
    until(page, "document.getElementById('months-lines').ariaLabel.startsWith('After a year')")


@pytest.mark.parametrize(
    ("kind", "width", "scheme"), [("served", "wide", "light"), ("exported", "narrow", "dark")]
)
def test_it_is_told_screen_by_screen_and_nothing_jumps(tell, kind, width, scheme):
    page, numbers = tell(kind, width, scheme), story_numbers()
    before = boxes(page)
    assert page.get_attribute("#answer-sum", "aria-label") == "Nothing is published yet."
    page.click("[data-answer='1']")
    assert (
        page.get_attribute("#answer-sum", "aria-label")
        == "5 published, less 4 known, is 1: you said yes."
    )
    assert (
        page.locator("#answer-sum .token.one").count() == 5
        and page.locator("#answer-sum .token.you").count() == 1
    )
    page.click("[data-answer='0']")
    assert (
        page.get_attribute("#answer-sum", "aria-label")
        == "4 published, less 4 known, is 0: you said no."
    )
    assert "subtracts: you said no. An exact count gives you away." in text(page, "answer-says")
    page.click("#crowd .you")
    assert "you said yes." in text(page, "answer-says"), (
        "whoever presses a person changes their answer"
    )
    assert text(page, "chance-count") == "With your yes, five of the eight said yes."
    assert ticks(page, "chance-bars") == [], "before the guess every guess is drawn, and no chance"
    assert page.locator("#chance-bars .ghost-bar").count() == len(numbers["guesses"])
    assert {one.get_attribute("height") for one in page.locator("#chance-bars .bar").all()} == {"0"}
    page.click("[data-guess='1']")
    assert text(page, "chance-says").startswith(
        "You guessed 5 in 10, and that is close. At epsilon 1 it is 46.2%. "
    )
    page.click("[data-draw='100']")
    until(page, "document.querySelectorAll('#chance-bars .dot').length === 100")
    assert not falls(page), "motion is not wanted"
    said = r"The truth came out (\d+) times in 100; (\d+) numbers were off by one at most\. Expected: 46\.2% and 80\.2%\."
    came, close = (int(one) for one in re.match(said, text(page, "chance-says")).groups())
    assert ticks(page, "chance-bars")[0] == "0%" and len(ticks(page, "chance-bars")) > 2, (
        "the bars have a scale"
    )
    assert 20 < came < 72 and came < close and close > 55, (
        "a false alarm in less than one of a million"
    )
    assert page.locator("#chance-bars .under").text_content() == f"the truth: {came} of 100"
    assert text(page, "attack-known") == "four of seven said yes."
    attack(page)
    score = page.get_attribute("#attack-score", "aria-label")
    best = int(re.search(r"The best attacker: (\d+) of 100\.", score)[1])
    assert 48 < best < 94, "a false alarm in less than one of a million"
    luck = ", by luck" if best > 73 else ""
    limit = "At epsilon 1 nobody can beat the best attacker's average of 73.1%. A coin: 50%. An exact count: always right."
    lines = text(page, "attack-says").splitlines()
    assert lines[1:] == [f"The best attacker: {best} of 100 right{luck}", limit]
    mine = int(re.search(r"You: (\d+) of 10 right\.", score)[1])
    assert lines[0] == f"You: {mine} of 10 right{', by luck' if mine > 7 else ''}", (
        "the result is large, by itself"
    )
    assert boxes(page) == before
    go(page, "dial")
    assert text(page, "dial-says") == (
        "You get the truth in 46.2% of cases. The price: the best attacker is right in 73.1%, a coin in 50%. "
        "The promise: your answer makes no number more than 2.72 times as likely."
    )
    worlds = numbers["dial"][8]["columns"]
    assert drawn_worlds(page) == pytest.approx(sum(map(min, *worlds[4:6])), abs=0.01), (
        "grey is what both share"
    )
    assert ticks(page, "dial-worlds")[-1] == "80%"
    for stop in numbers["dial"][9:]:
        page.locator("#dial-epsilon").press("ArrowRight")
        said = page.get_attribute("#dial-lines", "aria-label")
        assert stop["truth"]["text"] in said and stop["right"]["text"] in said
        assert text(page, "dial-says").startswith(
            f"You get the truth in {stop['truth']['text']} of cases (46.2% at epsilon 1). "
            f"The price: the best attacker is right in {stop['right']['text']} (73.1%). "
        ), "who gains is said at every stop"
        assert ticks(page, "dial-worlds")[-1] == "80%", "one scale at every stop"
    assert drawn_worlds(page) == pytest.approx(
        sum(map(min, *numbers["dial"][-1]["columns"][4:6])), abs=0.01
    )
    assert boxes(page) == before
    go(page, "usual")
    assert text(page, "usual-truth") == "?" and not page.is_visible("#near-bars"), "guess first"
    page.click("[data-most='1']")
    assert text(page, "usual-says").startswith(
        "You guessed 1; it is 0, in 37.8% of cases. The truth comes in 24.5%. "
    )
    assert boxes(page) == before
    assert (text(page, "usual-truth"), text(page, "near-truth")) == ("24.5%", "31.1%")
    kinds = numbers["noises"]["0.5"]
    assert (
        ticks(page, "usual-bars") == ticks(page, "near-bars") and len(ticks(page, "near-bars")) > 2
    ), "one scale"
    assert colour(page, "#near-bars .bar") == kinds["near"]["colour"] != kinds["usual"]["colour"]
    for count in (2, 3, 4, 3, 2, 1, 0):
        page.locator("#usual-count").press(
            "ArrowRight" if text(page, "usual-shown") < f"{count}" else "ArrowLeft"
        )
        for kind in ("usual", "near"):
            assert text(page, f"{kind}-truth") == kinds[kind]["truths"][count]
        assert page.locator("#near-bars .bar.strong").count() == 1, "the truth's bar is solid"
    assert text(page, "usual-says") == numbers["trade"]
    assert (text(page, "usual-truth"), text(page, "near-truth")) == ("62.2%", "51.3%"), (
        "here it loses"
    )
    assert boxes(page) == before
    read_sums(page, numbers, before)
    publish(page)
    said = " ".join(text(page, "months-says").split())
    known = r"After a year (\d+) of 100 are right; expected: 95\. Epsilon adds up: 12 × 1 = 12\.\s+"
    assert 80 < int(re.match(known, said)[1]) <= 100, "a false alarm in less than one of a million"
    told = r"After one number 73 were expected to be right, and nobody was more than 73\.1% sure\. Now \d+ of them are over 99% sure\."
    assert re.search(told + "$", said)
    assert re.fullmatch(r"\d+ of 100 right", page.text_content("#months-lines .value"))
    assert page.locator("#months-lines .guess:not(.key)").count() >= 13 * ATTACKERS, (
        "a dot for each of them, every month"
    )
    assert boxes(page) == before
    scale = [one for one in ticks(page, "months-lines") if one.endswith("%")]
    assert scale in (["100%", "75%", "coin: 50%", "100%", "75%"], ["75%", "coin: 50%", "75%"]), (
        "plain, and the same to both sides"
    )
    page.check("[name=plan][value='1']")
    until(page, "document.getElementById('months-says').textContent.includes('expected: 56')")
    said = (
        r"After a year (\d+) of 100 are right; expected: 56\. Epsilon adds up: 12 × 1/12 = 1\. So nobody is surer than 73\.2%\. "
        r"The price: only 4\.2% of the numbers are the truth; a blind guess gets 11\.1%\."
    )
    right = int(re.fullmatch(said, " ".join(text(page, "months-says").split()))[1])
    assert 30 < right < 82, (
        "as long as before, with the other budget; a false alarm in less than one of a million"
    )
    assert [one for one in ticks(page, "months-lines") if one.endswith("%")] == scale, (
        "one scale for both"
    )
    assert reach(page) == pytest.approx(2 * (0.731059 - 0.5), abs=0.001), "a narrow wedge"
    assert page.text_content("#months-lines .most") == "at most 73.2% sure", (
        "no month of that year makes anybody surer"
    )
    assert page.inner_text("#months-epsilon") == "epsilon 1/12"
    assert boxes(page) == before
    follow_one(page, numbers["months"], before)
    assert fits(page, width, scheme)


def reach(page):
    """How far a year may lead, as a share of the picture."""
    return page.evaluate("""() => {
        const [up, down] = [...document.querySelectorAll("#months-lines .path")].map((line) => [...line.points].at(-1).y);
        const sides = [...document.querySelectorAll("#months-lines .side")].map((side) => side.height.baseVal.value);
        return Math.abs(up - down) / (sides[0] + sides[1]);
    }""")


def follow_one(page, plans, before):
    """One attacker, month by month: a line for them alone, how sure they are, and what it cost."""
    for value, plan in (("1", plans[1]), ("0", plans[0])):
        page.check(f"[name=plan][value='{value}']")
        lead = 0
        for month in range(1, MONTHS + 1):
            page.click("[data-months='1']")
            until(
                page,
                f"document.querySelectorAll('#months-lines polyline.line')[0].points.length === {month + 1}",
            )
            says = " ".join(text(page, "months-says").split())
            number, world = re.match(r"The (\d) speaks for (yes|no)\.", says).groups()
            assert page.locator("#months-lines .heard").all_text_contents()[-1] == number
            lead += 1 if world == "yes" else -1
            sure, side = plan["sureness"][abs(lead)], "yes" if lead > 0 else "no"
            told = (
                f"{sure['text']} sure of a {side}"
                if sure["text"]
                else f"sure of a {side}, and wrong once in {sure['once']}"
            )
            assert (told if lead else "undecided: as many numbers spoke for yes") in says
            assert f"Epsilon so far: {plan['spent'][month]}." in says
            assert page.locator("#months-lines .guess").count() == 0, "nobody else"
            assert boxes(page) == before
        said = re.search(
            r"The answer was (yes|no)(: they are (?:right|wrong))?\. Now watch 100 attackers\.$",
            says,
        )
        verdict = ": they are right" if (lead > 0) == (said[1] == "yes") else ": they are wrong"
        assert said[2] == (verdict if lead else None)


def drawn_worlds(page):
    """The area of what both worlds share, as a share of a whole bar."""
    return page.evaluate("""() => {
        const svg = document.getElementById("dial-worlds");
        const lines = [...svg.querySelectorAll(".grid")].map((line) => Number(line.getAttribute("y1")));
        const shares = [...svg.querySelectorAll(".tick")].map((tick) => parseFloat(tick.textContent) / 100);
        const shared = [...svg.querySelectorAll("rect.alike")].reduce((sum, part) => sum + Number(part.getAttribute("height")), 0);
        return shared * Math.max(...shares) / (Math.max(...lines) - Math.min(...lines));
    }""")


def read_sums(page, numbers, before):
    """Add up one table, then twenty, at either epsilon: what is said is about what was asked for last."""
    go(page, "reading")
    assert "is known, and taken out" in page.inner_text("#reading .words"), "why a sum is corrected"
    shown = 100 if page.viewport_size["width"] > 900 else 20
    until(page, f"document.querySelectorAll('#reading-table .printed').length === {shown}")
    assert (
        len(
            re.findall(
                r"\d",
                page.get_attribute("#reading-table", "aria-label").split(":")[1].split(".")[0],
            )
        )
        == 100
    )
    first = page.get_attribute("#reading-table", "aria-label")
    assert page.locator("#reading-lines .estimate").count() == 0, (
        "published, and added up by nobody"
    )
    page.click("text=Add them up")
    until(page, "document.querySelectorAll('#reading-lines .estimate').length === 1")
    assert page.get_attribute("#reading-table", "aria-label") == first, "the table that was there"
    one = r"The sum, corrected for the noise: \d+, off by \d+\. A reader is told “\d+ to \d+”\. At epsilon {} such intervals reach about ±{}\."
    assert re.fullmatch(one.format("1", r"28\.1"), text(page, "reading-says"))
    assert boxes(page) == before
    read_tables(page)
    said = text(page, "reading-says")
    held = int(re.match(r"(\d+) of 20 intervals hold the truth; promised: 95%\.", said)[1])
    assert held > 11, "a false alarm in less than one of a million"
    assert said.endswith("They reach about ±28.1, of 800 people.")
    scale = ticks(page, "reading-lines")
    for plan in (1, 0):
        page.check(f"[name=reading][value='{plan}']")
        known = numbers["readings"][plan]
        until(
            page,
            f"document.getElementById('reading-says').textContent.includes('about ±{known['margin']}, ')",
        )
        assert "of 20 intervals" in text(page, "reading-says"), "published as often"
        assert ticks(page, "reading-lines") == scale, "one scale for every noise"
        page.click("text=Publish again")
        until(page, "document.getElementById('reading-says').textContent.startsWith('The sum')")
        assert re.fullmatch(
            one.format(known["epsilon"], known["margin"]), text(page, "reading-says")
        ), "about that one"
        assert page.locator("#reading-lines .estimate").count() == 20
        page.click("[data-tables='20']")
        until(
            page, "document.getElementById('reading-says').textContent.includes('of 20 intervals')"
        )
        assert boxes(page) == before


def colour(page, part):
    return page.locator(part).first.get_attribute("fill")


def ticks(page, picture):
    return page.locator(f"#{picture} .tick").all_text_contents()


def fits(page, width, scheme):
    """Whether every screen is one screen high, with all that it says above the bar; and keep a picture of each."""
    wide, high = WIDTHS[width]
    for screen in SCREENS:
        go(page, screen)
        keep(page, f"story-{SCREENS.index(screen) + 1}-{width}-{scheme}")
        assert clear_of_the_bar(page, screen), f"{screen}: something is under the bar"
        assert page.evaluate(f"document.getElementById('{screen}').offsetHeight") == high, screen
        assert len(page.inner_text(f"#{screen} .words p").split()) <= 45, screen
    return page.evaluate("document.documentElement.scrollWidth") == wide


def clear_of_the_bar(page, screen):
    """Whether all of a screen ends above the bar, or beside it where it stands upright."""
    low, right = page.evaluate(
        f"""["bottom", "right"].map((end) =>
        Math.max(...[...document.querySelectorAll('#{screen} *')].map((one) => one.getBoundingClientRect()[end])))"""
    )
    bar = page.locator("nav").bounding_box()
    return (
        right <= bar["x"] and low <= WIDTHS["sideways"][1]
        if bar["height"] > bar["width"]
        else low <= bar["y"]
    )


def overlaps(page, screen):
    """Words of a screen that stand on other words: labels in pictures, captions, buttons and sentences.

    Two crosses of neighbouring tables are marks, not words: their boxes are higher than they are.
    """
    return page.evaluate(f"""() => {{
        const parts = [...document.querySelectorAll("#{screen} :is(h1, h2, .words p, .says, .ask, button, label > span, figcaption > *, .ends > *, svg text)")]
            .filter((one) => one.checkVisibility({{ visibilityProperty: true }}) && one.textContent.trim() && !one.matches(".person span"));
        const boxes = parts.map((one) => one.getBoundingClientRect());
        const found = [];
        parts.forEach((one, k) => parts.slice(0, k).forEach((other, j) => {{
            if (one.matches(".cross") && other.matches(".cross")) return;
            const [a, b] = [boxes[k], boxes[j]];
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (across > 1 && down > 0.35 * Math.min(a.height, b.height)) found.push([other.textContent, one.textContent]);
        }}));
        return found;
    }}""")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_held_sideways_has_two_columns_and_nothing_overlaps(tell, scheme):
    page = tell("exported", "sideways", scheme)
    page.click("[data-answer='1']")
    guess_and_draw(page)
    attack(page)
    page.check("[name=reading][value='1']")
    read_tables(page)
    publish(page)
    assert fits(page, "sideways", scheme)
    assert [found for screen in SCREENS for found in overlaps(page, screen)] == []
    for screen in SCREENS[:-1]:
        left, right = (
            page.locator(f"#{screen} .{part}").bounding_box() for part in ("words", "picture")
        )
        assert left["x"] + left["width"] < right["x"], screen


def test_a_window_of_another_size_shows_the_same_screen(tell):
    page = tell("exported", part="#reading")
    sizes = (
        (1280, 600),
        (1280, 900),
        (390, 844),
        (844, 390),
        (390, 844),
        (1920, 1080),
        (360, 500),
        (1280, 900),
    )
    for screen in ("reading", "attack", "turn", "answer"):
        page.evaluate(
            f"document.getElementById('{screen}').scrollIntoView({{behavior: 'instant'}})"
        )
        until(
            page, f"Math.abs(document.getElementById('{screen}').getBoundingClientRect().top) < 2"
        )  # it is at rest
        until(page, f"location.hash === '#{screen}'")
        for wide, high in sizes:
            resize(page, wide, high)
            until(
                page,
                f"Math.abs(document.getElementById('{screen}').getBoundingClientRect().top) < 2",
            )
            assert text(page, "where") == f"{SCREENS.index(screen) + 1} of {len(SCREENS)}", (
                screen,
                wide,
                high,
            )
            assert address_of(page) == f"#{screen}", (screen, wide, high)


def test_the_best_attacker_has_one_colour(tell):
    page = tell()
    attack(page)
    parts = (
        "#attack-score .runner.best",
        "#months-lines circle.attacker",
        "#dial-lines circle.attacker",
    )
    seen = {
        page.evaluate("(part) => getComputedStyle(document.querySelector(part)).fill", part)
        for part in parts
    }
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("kind", "width", "scheme"), [("served", "wide", "dark"), ("exported", "narrow", "light")]
)
def test_axe_finds_nothing(tell, kind, width, scheme):
    import axe_playwright_python

    page = tell(kind, width, scheme)
    guess_and_draw(page)
    attack(page)
    read_tables(page)
    publish(page)
    assert fits(page, width, scheme)
    page.evaluate(Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text())
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found["violations"]] == []
    assert len(found["passes"]) > 15


def test_other_windows_scroll_a_little_at_most_and_never_sideways(tell):
    page = tell("exported")
    for wide, high, most in (
        (1920, 1080, 1),
        (1600, 900, 1),
        (1280, 800, 1),
        (1280, 720, 1),
        (1366, 650, 1),
        (1024, 640, 1),
        (1024, 768, 1),
        (820, 1180, 1),
        (932, 430, 1),
        (667, 375, 1),
        (360, 740, 1.25),
    ):
        resize(page, wide, high)
        high_as_seen = "[...document.querySelectorAll('.screen')].map((screen) => screen.getBoundingClientRect().height)"
        assert max(page.evaluate(high_as_seen)) <= most * high + 1
        assert page.evaluate("document.documentElement.scrollWidth") == wide


def test_a_lecture_needs_the_keyboard_only(tell):
    page = tell()

    def at(number):
        until(page, f"document.getElementById('where').textContent === '{number} of 8'")
        assert page.evaluate("document.activeElement.matches('h1, h2')"), (
            "the keys are nobody else's"
        )

    for key, number in (
        ("PageDown", 2),
        ("Space", 3),
        ("ArrowRight", 4),
        ("ArrowDown", 5),
        ("ArrowUp", 4),
        ("End", 8),
        ("PageUp", 7),
        ("Shift+Space", 6),
        ("ArrowLeft", 5),
        ("ArrowLeft", 4),
    ):
        page.keyboard.press(key)
        at(number)
    assert address_of(page) == "#dial"
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#dial-shown") == "epsilon 1.125", "a slider keeps its own keys"
    page.keyboard.press("PageUp")
    at(3)
    page.keyboard.press("Tab")
    until(page, "document.getElementById('attack-number').dataset.round === '1'")
    page.keyboard.press("Space")
    until(
        page,
        "document.getElementById('attack-score').ariaLabel.startsWith('You') && /of 1 right/.test(document.getElementById('attack-score').ariaLabel)",
    )
    until(page, "document.getElementById('attack-number').dataset.round === '2'")
    assert page.evaluate("document.activeElement.matches('[data-say]')"), (
        "the keys stay where they were"
    )
    page.keyboard.press("PageUp")
    at(2)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('#chance-bars .dot').length === 1")
    page.keyboard.press("Home")
    at(1)
    for tabs, published in ((1, 5), (1, 4), (8, 5)):  # yes, no, and yourself among the people
        for _ in range(tabs):
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
        assert text(page, "answer-says").startswith(f"Published: {published}. ")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('[data-guess], [data-draw]')"), (
        "on to the next screen"
    )


def test_the_exact_count_gives_you_away_in_little_more_than_a_second(tell):
    page = tell(motion="no-preference")
    page.click("[data-answer='1']")
    ends = page.evaluate("""() => [...document.querySelectorAll("#answer-sum *")].flatMap((one) => one.getAnimations())
        .map((animation) => animation.effect.getComputedTiming().endTime)""")
    assert ends and max(ends) < 1300


def falls(page):
    return (
        page.evaluate(
            "getComputedStyle(document.querySelector('#chance-bars .fresh')).animationName"
        )
        == "fall"
    )


def test_with_motion_dots_fall_and_keys_in_quick_succession_all_count(tell):
    page = tell(motion="no-preference")
    guess_and_draw(page)
    assert falls(page)
    for _ in range(2):
        page.keyboard.press("PageDown")
    until(page, "document.getElementById('where').textContent === '4 of 8'")
    until(page, "document.getElementById('dial').getBoundingClientRect().top === 0")


def test_the_story_leads_to_the_instrument_and_back(tell, address):
    page = tell(part="#turn")
    assert text(page, "where") == "8 of 8", "an address leads to its screen"
    assert page.is_hidden("header p + p"), "nothing is left to skip"
    page.click("text=Play with the instrument")
    page.wait_for_selector("body[data-ready=yes]")
    assert page.url == f"{address}?{Setting().query()}"
    page.click("text=The story")
    page.wait_for_selector("#answer-title")
    assert page.url == address
    page.click("text=Next ›")
    until(page, "document.getElementById('where').textContent === '2 of 8'")
    page.click("nav a >> nth=7")
    page.click("text=Plan your own table")
    page.wait_for_selector("body[data-ready=yes]")
    assert page.is_visible("#view-own")


def test_the_page_s_own_sampler_gives_each_number_its_weight(tell):
    page = tell()
    counts, below = page.evaluate("""async () => {
        const { numberAt, uniform } = await import("/static/chance.js");
        const counts = [0, 0, 0, 0];
        for (let word = 0n; word < 6n; word += 1n) counts[numberAt([1n, 0n, 2n, 3n], word)] += 1;
        const whole = 5n << 70n;
        const drawn = Array.from({ length: 400 }, () => uniform(whole));
        const three = new Set(Array.from({ length: 400 }, () => Number(uniform(3n))));
        return [counts, [drawn.every((one) => one >= 0n && one < whole), drawn.some((one) => one > (whole * 3n) / 4n), [...three].sort()]];
    }""")
    assert counts == [1, 0, 2, 3], "exactly"
    assert below == [True, True, [0, 1, 2]], "a false alarm in less than one of a million"


def test_words_stand_without_scripts(browser, address):
    context, troubles = watched(browser, address, java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.is_visible("#months-title") and page.is_hidden("#months-lines")
    assert page.get_attribute(".unscripted a", "href") == f"/?{Setting().query()}", (
        "which works without"
    )
    context.close()
    assert not troubles


def test_a_clicked_button_gives_the_space_bar_back(tell):
    page = tell(part="#chance")
    page.click("[data-guess='2']")
    page.click("[data-draw='1']")
    until(page, "document.querySelectorAll('#chance-bars .dot').length === 1")
    page.keyboard.press("Space")
    until(page, "document.getElementById('where').textContent === '3 of 8'")
    assert page.locator("#chance-bars .dot").count() == 1, "nothing was pressed again"
    go(page, "dial")
    page.locator("#dial-epsilon").focus()
    page.keyboard.press("Space")
    until(page, "document.getElementById('where').textContent === '5 of 8'")


def test_once_is_not_said_as_1_times(tell):
    page = tell()
    said = page.evaluate("""async () => {
        const { timesOver } = await import("/static/story_bars.js");
        return [0, 1, 2].map(timesOver);
    }""")
    assert said == ["0 times", "once", "2 times"]


@pytest.mark.parametrize("plan", [0, 1])
def test_the_page_reads_a_table_as_the_library_does(tell, plan):
    from discreet.reading.totals import tally, total
    from discreet.studio.story.noises import noise
    from discreet.studio.story.table_reading import PLANS

    kind, epsilon = PLANS[plan]
    m = noise(kind, 8, epsilon)
    counts = [
        [k % 9 for k in range(100)],
        [0] * 100,
        [8] * 100,
        *([(k * step) % 9 for k in range(100)] for step in (2, 4, 5)),
    ]
    tables = [*(m.release(one) for one in counts), *counts, [4] * 100, [0] * 50 + [8] * 50]
    page = tell()
    found = page.evaluate(
        """async ([plan, tables]) => {
        const { readTotal } = await import("/static/story_reading.js");
        const { readings } = JSON.parse(document.getElementById("numbers").textContent);
        return tables.map((numbers) => readTotal(readings[plan], numbers));
    }""",
        [plan, tables],
    )
    for numbers, read in zip(tables, found, strict=True):
        known = total([(m, tally(np.array(numbers)))])
        assert (read["low"], read["high"]) == (known.low, known.high)
        assert read["total"] == pytest.approx(known.value, abs=1e-8)


def test_every_screen_has_an_address_and_the_link_can_be_copied(browser, tmp_path):
    path = tmp_path / "story.html"
    export_story(
        path, home="index.html", studio="studio.html", plan="plan.html", lesson="lesson.html"
    )
    context, troubles = watched(browser, path.as_uri(), viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(path.as_uri() + "#turn")
    page.wait_for_selector("body[data-ready=yes]")
    ways = page.locator(".ways a")
    assert [one.get_attribute("href") for one in ways.all()] == [
        "plan.html",
        "studio.html",
        "lesson.html",
    ]
    links = page.locator("#contents a")
    assert [one.get_attribute("href") for one in links.all()] == [
        f"#{screen}" for screen in SCREENS[:-1]
    ]
    assert links.all_text_contents() == list(LESSONS.values()), "what each of them has shown"
    assert text(page, "address") == path.as_uri()
    page.click("text=Copy the link")
    until(page, "document.querySelector('[data-copy]').textContent === 'Copied'")
    links.nth(4).click()
    until(page, "document.getElementById('where').textContent === '5 of 8'")
    assert address_of(page) == "#reading"
    context.close()
    assert not troubles


def test_every_year_shows_what_it_adds(tell):
    """So many attackers guess that no run hides it: after a year more are right than after the first month."""
    page = tell("exported", part="#months")
    first, last = (story_numbers()["months"][0]["right"][month] for month in (1, MONTHS))
    for _ in range(3):
        publish(page)
        said = re.search(
            r"(\d+) of 100 attackers are right; expected: (\d+)",
            page.get_attribute("#months-lines", "aria-label"),
        )
        seen = int(said[1]) / ATTACKERS
        assert said[2] == last["of"]
        assert seen > first["share"], "a false alarm in less than one of a million"
        dots = page.evaluate("""() => [...document.querySelectorAll("#months-lines .guess:not(.key)")].map((one) =>
            [one.cx.baseVal.value, one.cy.baseVal.value, 2 * one.r.baseVal.value])""")
        assert (
            len({(round(x, 2), round(y, 2)) for x, y, _ in dots}) == len(dots) >= 13 * ATTACKERS
        ), "none covers another"
        wrong = page.locator("#months-lines .guess.wrong:not(.key)").count()
        assert wrong > 13 * ATTACKERS * 0.05, "who is wrong is hollow"


def test_the_two_worlds_slide_together_and_nothing_moves_where_motion_is_not_wanted(tell):
    page = tell("exported", motion="no-preference", part="#dial")
    before = drawn_worlds(page)
    page.locator("#dial-epsilon").press("Home")
    assert drawn_worlds(page) < 0.95, "it is on its way"
    until(
        page,
        "[...document.querySelectorAll('#dial-worlds .hill')].every((one) => one.tagName === 'circle' || one.getAttribute('height') === '0')",
    )
    assert before < 0.6 and drawn_worlds(page) == pytest.approx(1, abs=0.001), (
        "one world: nobody can tell"
    )
    page = tell("exported", part="#dial")
    page.locator("#dial-epsilon").press("Home")
    assert drawn_worlds(page) == pytest.approx(1, abs=0.001)


def test_addresses_of_screens_lead_to_them_whatever_their_order(tell):
    for screen in SCREENS:
        page = tell("exported", part=f"#{screen}")
        assert text(page, "where") == f"{SCREENS.index(screen) + 1} of {len(SCREENS)}"


@pytest.mark.parametrize(
    ("size", "least"), [((390, 844), 240), ((360, 640), 150), ((844, 390), 190)]
)
def test_charts_have_room_on_a_phone(tell, size, least):
    page = tell("exported", "narrow")
    resize(page, *size)
    read_tables(page)
    publish(page)
    page.click("[data-most='0']")
    for chart in ("usual-bars", "near-bars", "reading-lines", "months-lines"):
        assert page.locator(f"#{chart}").bounding_box()["height"] >= least, chart
    for screen in SCREENS[1:7]:
        assert overlaps(page, screen) == [], screen
        assert page.evaluate(f"document.getElementById('{screen}').offsetHeight") <= size[1] + 1, (
            screen
        )


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390), (820, 1180), (768, 1024)])
def test_words_in_pictures_are_as_large_as_those_around_them(tell, size):
    page = tell("exported", "narrow")
    resize(page, *size)
    scales = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll("svg[role=img]")].filter((one) => one.checkVisibility())
        .map((one) => [one.id, one.getScreenCTM().a]))""")
    assert len(scales) == 11 - (size[0] < 500)
    assert all(0.9 < scale < 1.2 for scale in scales.values()), scales
    assert [found for screen in SCREENS[3:] for found in overlaps(page, screen)] == []


@pytest.mark.parametrize("moved_for", [60, 300, 700])
def test_a_window_that_changes_while_the_page_moves_ends_where_it_was_going(tell, moved_for):
    page = tell("exported", motion="no-preference")
    page.keyboard.press("End")
    page.wait_for_timeout(moved_for)
    for wide, high in ((900, 700), (1100, 640)):
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_timeout(50)
    until(page, "Math.abs(document.getElementById('turn').getBoundingClientRect().top) < 2")
    page.wait_for_timeout(400)
    assert abs(page.evaluate("document.getElementById('turn').getBoundingClientRect().top")) < 2, (
        "and stays there"
    )
    assert text(page, "where") == "8 of 8"


def test_a_machine_too_busy_to_show_that_the_page_moves_does_not_end_the_way(tell):
    """Timers that come early are as good as a page that stands still for long: neither says that it has arrived."""
    page = tell("exported", motion="no-preference")
    page.evaluate("() => { const later = setTimeout; window.setTimeout = (tell) => later(tell); }")
    page.keyboard.press("End")
    page.wait_for_timeout(60)
    page.set_viewport_size({"width": 900, "height": 700})
    until(page, "Math.abs(document.getElementById('turn').getBoundingClientRect().top) < 2")
    assert text(page, "where") == "8 of 8"


def test_counts_at_the_ends_come_out_more_often_and_that_is_said(tell):
    page = tell("exported")
    for person in range(4):
        page.click(f"[data-person='{person}']")
    page.click("[data-answer='0']")
    assert text(page, "chance-count") == "With your no, none of the eight said yes."
    page.click("[data-guess='0']")
    said = "You guessed 8 in 10, and that is close. It is 73.1% at 0 and 8, and 46.2% in between: what would fall outside"
    assert text(page, "chance-says").startswith(said)
    page.click("[data-best]")
    until(page, "document.querySelectorAll('#attack-dots .guess').length === 100")
    assert (
        text(page, "attack-known") == "none of seven said yes."
        and text(page, "attack-rule") == "yes at 1 to 8, no at 0"
    )
    go(page, "dial")
    assert text(page, "dial-says").startswith(
        "You get a true count from 1 to 7 in 46.2% of cases."
    ), "0 comes out in 73.1%"


def test_each_screen_with_chances_names_its_epsilon(tell):
    page = tell("exported", "narrow")
    shown = (
        ("chance", "1"),
        ("attack", "1"),
        ("dial", "1"),
        ("reading", "1"),
        ("months", "1"),
        ("usual", "0.5"),
    )
    for screen, epsilon in shown:
        assert f"epsilon {epsilon}" in page.inner_text(f"#{screen}"), screen


def test_a_window_that_changes_between_two_screens_shows_one_of_them(tell):
    page = tell("exported")
    page.evaluate("scrollTo(0, 2.3 * innerHeight)")
    until(page, "document.getElementById('where').textContent === '3 of 8'")
    resize(page, 1100, 760)
    until(page, "Math.abs(document.getElementById('attack').getBoundingClientRect().top) < 2")


def test_a_note_is_as_high_as_its_words(tell):
    page = tell("exported")
    for screen in ("answer", "chance", "attack"):
        bar, line = (
            page.evaluate(f"""() => {{ const said = document.getElementById("{screen}-says");
            return [said.getBoundingClientRect().height, parseFloat(getComputedStyle(said).lineHeight)]; }}""")
        )
        assert bar <= 2 * line + 1, screen


def test_rows_of_the_subtraction_stand_together(tell):
    page = tell("exported", "wide")
    resize(page, 1440, 1000)
    page.click("[data-answer='1']")
    tokens = page.evaluate(
        "[...document.querySelectorAll('#answer-sum .token')].map((one) => one.getBoundingClientRect().top)"
    )
    assert max(tokens) - min(tokens) < 360, "two rows below the first"
