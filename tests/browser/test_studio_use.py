"""The studio in use: wrong entries, files, addresses, comparing and pinning, keyboard, words, no script."""

import csv

import pytest
from tests.browser.conftest import INSTRUMENT, WIDTHS, back, drawn, keep, settled, until, watched
from tests.browser.studio_actions import (
    BUSY,
    PAPER,
    VIEWS,
    dimmed,
    hidden_columns,
    picture,
    show_everything,
    wide,
)
from tests.conftest import require

import discreet as dc

require("studio")

from discreet.studio.telling.stories import STORIES

pytestmark = [pytest.mark.browser, pytest.mark.slow]


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
    assert (
        dimmed(page, "#view-watch") and dimmed(page, "#price-F") and dimmed(page, "#view-compare")
    )
    assert page.url == address
    for place in ("#point", "#setting-words"):
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


def test_a_wrong_address_shows_the_controls_and_the_errors(visit):
    page = visit("?n=99&epsilon=-3&prior=odd&output_dp=9")
    assert "must be at most 40 on this page" in page.inner_text("#problem-n")
    assert "must be between 0 and 20 on this page" in page.inner_text("#problem-epsilon")
    assert "prior is not a known prior (odd)" in page.inner_text("#problem-prior"), (
        "one fault hides no other"
    )
    assert "must be above 0 and at most 1" in page.inner_text("#problem-output_dp")
    assert page.inner_text("#question") == "Nothing can be shown yet"
    assert page.inner_text("#point") == "The marked entries have to be put right first."
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
    assert (
        first == "discreet design --n 12 --epsilon 0.4 --properties CM --loss L1 -o mechanism.json"
    )
    if clipboard:
        monkeypatch.chdir(tmp_path)
        exec(copied, {})
        assert (
            dc.load("mechanism.json").id
            == dc.design(n=12, epsilon="0.4", properties="CM", loss="L1").id
        )


def test_a_setting_is_shared_by_its_address(visit, address):
    page = visit(BUSY)
    page.locator("#n-slider").press("ArrowLeft")
    drawn(page)
    page.locator("#count").press("ArrowLeft")
    shared = page.text_content("#address-line")
    assert shared == page.url

    def seen():
        return page.text_content("#sentence"), float(page.get_attribute("#pictures .chosen", "x"))

    words, place = seen()
    visit(shared.removeprefix(address))
    assert seen() == (words, pytest.approx(place, abs=0.01))


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_compared_is_seen_before_its_numbers(visit, width):
    page = visit("?n=8&epsilon=0.25&properties=F&beside=GM&story=clinic#compare", width)
    settled(page)
    assert page.inner_text("#scores-says") == (
        "If every count is equally likely: your design is right most often at its worst count (18.3%); "
        "the usual noise is right most often (22.2%), closest (usually off by 2.96) and best for a total of 100 groups (±106)."
    )
    assert page.locator("#score-tables table").first.is_hidden(), "numbers follow on demand"
    names = [
        words.splitlines()[0] for words in page.locator(".multiple figcaption").all_inner_texts()
    ]
    assert names == ["Your design", "The usual noise", "Blind guessing"]
    written = "[...document.querySelectorAll('.multiple')].map((one) => [...one.querySelectorAll('.chance')].map((chance) => chance.textContent))"
    assert page.evaluate(written) == [["18%", "", ""], ["12%", "21%", "21%"], ["11%", "", ""]]
    high = page.locator(".multiples").bounding_box()["height"]
    page.locator("#count-again").press("Home")
    assert page.evaluate(written) == [["18%", "", ""], ["56%", "", ""], ["11%", "", ""]]
    assert page.input_value("#count") == "0" and "count=0" in page.url, (
        "one true count for all views"
    )
    assert page.locator(".multiples").bounding_box()["height"] == high
    tops = page.evaluate(
        "[...document.querySelectorAll('.multiple svg[role=img]')].map((one) => one.getBoundingClientRect().top)"
    )
    assert len({round(top) for top in tops}) == (1 if width == "wide" else 3), (
        "one line, or one below the other"
    )
    assert "when the truth is 0, the truth in 56% of cases" in page.get_attribute(
        ".multiple:nth-child(2) svg[role=img]", "aria-label"
    )
    assert (
        page.locator(".measures figure").count() == 4
        and page.locator(".measures .best").count() == 4
    )
    assert wide(page) == WIDTHS[width][0]
    keep(page, f"compare-{width}", full=True)


def test_a_pinned_design_is_drawn_beside_the_others_on_their_scale(visit):
    page = visit(
        "?n=8&epsilon=0.25&properties=F&loss=L0&beside=GM&pin=n%3D8%26epsilon%3D1%26properties%3DF%26loss%3DL0#compare"
    )
    settled(page)
    assert page.locator(".multiple").count() == 4
    assert (
        page.locator(".multiple figcaption b").last.inner_text()
        == "Pinned: epsilon 1, fair to every count"
    )
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
    assert (
        page.get_attribute("#stories a[aria-current]", "href")
        == f"?{STORIES[story].setting.query()}"
    )
    place = page.locator(".tabs").bounding_box()["y"]
    page.locator("#privacy-slider").press("ArrowRight")
    settled(page)
    said = page.inner_text("#point")
    assert "most often" in said or "equally often" in said, "of any setting"
    assert page.locator("#stories a[aria-current]").count() == 0, (
        "it is the story's setting no more"
    )
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
    held = f"(part => !part.querySelector('.pending') || part.offsetHeight >= {high})(document.getElementById('scores'))"
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
    until(
        page, "document.querySelectorAll('#pins tbody tr').length == 0"
    )  # a dialog closes in its own time
    assert page.inner_text("#point").startswith("Three of eight smoke.")


def test_the_gallery_shows_each_ill_and_cures_it(visit):
    page = visit()
    assert page.locator("#gallery").is_hidden(), "it stands where its pictures belong"
    page.click("text=What goes wrong without any?")
    assert (
        page.is_visible("#view-counts") and page.evaluate("document.activeElement.id") == "gallery"
    )
    page.click(
        "[aria-label='Show both: Always answer 2, and its cure by no farther answer likelier']"
    )
    drawn(page)
    assert page.is_visible("#view-counts")
    assert "always answers 2, whatever the truth is" in page.text_content("#exact-words")
    assert page.input_value("#n") == "4"
    assert page.input_value("#loss") == "L2"
    assert page.inner_text("#more-words") == "squared distance", (
        "what differs from the usual is said"
    )
    assert page.locator("#pictures .panel").count() == 2, "the ill and the cure"
    assert page.is_checked("#property-CM")
    assert "reports the truth with a chance between 0.252 and 0.270" in page.text_content(
        "#exact-words"
    )
    assert page.evaluate("document.activeElement.id") == "question"
    page.click("[aria-label='Show both: Gaps, and its cure by nothing likelier than the truth']")
    drawn(page)
    assert "never answers 0, 1, 6 or 7" in page.text_content("#exact-words")
    page.uncheck("#property-CH")
    until(
        page, "document.querySelectorAll('#pictures .panel').length == 1"
    )  # not the same picture twice


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
            if page.evaluate("document.activeElement.matches('.more:not([open]) > summary')"):
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
    assert {
        "count",
        "answer",
        "others",
        "sizes",
        "regions",
        "questions",
        *(f"tab-{view}" for view in VIEWS),
    } <= found
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
    assert page.evaluate("document.activeElement.id") == "property-WH", (
        "focus stays where the hand is"
    )


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
        if (!document.getElementById("tip").hidden) return [word.textContent, -1]; // it would cover what is below
        word.click();
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
        "The usual noise",
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
    assert page.text_content("#sentence").startswith("One of five")
    page.click("#fold > summary")
    assert page.inner_text("#price-CM").startswith("right in")
    assert page.locator(".view:visible").count() == len(VIEWS), "one below the other"
    assert page.locator("#scores .multiple svg").first.is_visible()
    context.close()
    assert not troubles
