"""Your own table in a real browser: sizes, pasted rows and people, and what never leaves the page."""

import re
from urllib.parse import parse_qs, unquote_plus, urlsplit

import pytest
from tests.browser.conftest import WIDTHS, back, drawn, forward, keep, until
from tests.browser.studio_actions import VIEWS, hidden_columns, planned, turn, unfold, wide
from tests.conftest import require

require("studio")


pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_table_of_one_s_own_is_planned_from_sizes_alone(visit):
    page = visit("#own", "narrow")
    assert (
        page.locator("#tab-own").bounding_box()["x"]
        + page.locator("#tab-own").bounding_box()["width"]
        <= 390
    )
    assert "1,000 people in 120 groups, at epsilon 1 " in planned(page), (
        "it opens on an example, and a table at 1"
    )
    assert page.inner_text("#own-entered") == "80 of 8, 40 of 9; smoker; epsilon 1"
    assert page.locator("#sizes").is_hidden() and "questions=smoker" in page.url, (
        "the plan comes first"
    )
    assert page.inner_text("#own-example").startswith("An example: 120 clinics")
    turn(page, "take")
    assert page.is_visible("#take-example") and page.inner_text("#take-title") == "Release a table"
    assert page.evaluate("document.querySelector('.taking').id") == "take-design", (
        "what is on the screen comes first"
    )
    turn(page, "own")
    unfold(page)
    page.fill("#questions", "")
    until(
        page,
        "document.getElementById('release-line')?.textContent.includes('--answers answer yes,no')",
    )
    assert page.locator("#own-example").is_hidden()
    line = page.inner_text("#release-line")
    assert line.startswith(
        "discreet release people.csv --by group --answers answer yes,no --unit person --epsilon 1 --ledger"
    )
    assert line.endswith("--output published --format csv"), "which any office opens"
    assert page.is_visible("#own-sentence") and page.locator("#point").is_hidden(), (
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
    assert (
        "estimates of all levels add up" in said
        and "Two errors for one group" in page.text_content("#own-plan")
    )
    page.select_option("#share", "0.5")
    until(
        page,
        "document.getElementById('release-line').textContent.includes('--level-split total=0.125')",
    )
    line = page.inner_text("#release-line")
    for view in VIEWS[1:]:
        page.click(
            f"[role=tabpanel]:not([hidden]) .next [data-turn={view}]"
            if view != "learn"
            else "#tab-watch"
        )
        if view == "learn":
            page.click("#view-watch .next a")
        assert page.is_visible(f"#view-{view}")
    until(page, "!document.getElementById('take-table').hidden")
    assert page.inner_text("#take-release") == line, "the table that was entered"
    assert page.inner_text("#take-epsilon") == page.input_value("#table_epsilon")
    assert page.evaluate("document.querySelector('.taking').id") == "take-own", (
        "what was planned comes first"
    )
    assert page.locator("#take-example").is_hidden() and "--ledger budget.db" in line
    page.click("#tab-own")
    page.click("#own-wishes summary")
    page.check("#wishes-F")
    until(
        page,
        "document.getElementById('own-plan').textContent.includes('explicit fair mechanism (EM)')",
    )
    assert "wishes=F" in page.url
    page.fill("#sizes", "eighty")
    assert planned(page).startswith("No plan yet")
    assert "The group sizes must be numbers of people, not eighty" in page.inner_text(
        "div:has(> #sizes) .problem"
    )
    assert page.get_attribute("#sizes", "aria-invalid") == "true"
    page.fill("#sizes", "forty of 8")
    until(
        page,
        "document.querySelector('div:has(> #sizes) .problem')?.textContent.includes('not forty of 8: write')",
    )
    assert page.locator("#own-people").is_hidden(), "a line of words is no table"
    page.fill("#sizes", "eighty")
    assert planned(page).startswith("No plan yet")
    turn(page, "take")
    assert "Your table has no plan" in page.inner_text(
        "#take-refused"
    ) and "not eighty" in page.inner_text("#take-reason")
    assert page.locator("#take-table").is_hidden() and page.locator("#take-none").is_hidden()
    back(page)
    until(page, "!document.getElementById('view-own').hidden")
    assert page.input_value("#sizes") == "eighty"
    page.click("text=three answers")
    page.wait_for_selector(
        "#own-plan polygon", state="attached"
    )  # folded: two sentences come first
    assert page.get_attribute("#sizes", "aria-invalid") is None
    assert "questions=smoking" in page.url and "wishes" not in page.url
    assert wide(page) == WIDTHS["narrow"][0]


def test_a_table_has_a_privacy_of_its_own_and_only_the_entries_that_matter(visit):
    page = visit("#own")
    assert page.locator("#epsilon").is_hidden() and page.locator("#n").is_hidden(), (
        "they are the design's"
    )
    page.click("text=three answers")
    assert "at epsilon 1 " in planned(page)
    assert page.locator(".unsaid").count() == 0, "no question is of yes or no"
    page.fill("#questions", "smoking: never, former, current\nbullied")
    until(
        page,
        "document.querySelector('.unsaid')?.textContent.includes('How is bullied written in your file?')",
    )
    page.locator("#table-slider").press("ArrowLeft")
    until(page, "document.getElementById('own-plan').textContent.includes('at epsilon 0.95 ')")
    assert page.input_value("#table_epsilon") == "0.95" and "table_epsilon=0.95" in page.url
    assert "epsilon=0.25" in page.url, "the picture's is as it was"
    page.fill("#table_epsilon", "none")
    assert planned(page).startswith("No plan yet")
    assert "epsilon must be a number, not none" in page.inner_text(
        ".wide:has(#table_epsilon) .problem"
    )
    assert page.get_attribute("#table_epsilon", "aria-invalid") == "true"
    page.fill("#table_epsilon", "2")
    until(
        page,
        "document.getElementById('table-slider').getAttribute('aria-valuetext') == 'epsilon = 2'",
    )
    page.reload()
    assert page.input_value("#table_epsilon") == "2" and "at epsilon 2 " in planned(page)
    assert (
        page.inner_text("#tabs-epsilon")
        == "Your table has an epsilon of its own; the other tabs are at 0.25. Use 0.25"
    )
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
    until(
        page,
        "document.getElementById('release-line')?.textContent.includes('--answers asthma none,mild,severe')",
    )
    shown = planned(page)
    assert "A group of 513: each of its numbers is usually off by" in shown
    assert "If about 1 in 8 give an answer, a group of 513 has 64: ±" in page.text_content(
        "#own-plan"
    ) and "dc." not in page.inner_text("main")
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
    assert page.inner_text("#own-people button:not(.quiet)") == "Tick at least one question", (
        "none is invented"
    )
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
    offered = "[...document.querySelectorAll('#own-people .asking [type=checkbox] + label')].map((one) => one.textContent)"
    assert page.evaluate(offered) == ["bullied"]
    page.fill("#sizes", PEOPLE.replace("yes", "no"))
    assert page.evaluate(offered) == ["bullied"] and not page.is_checked("#people-ask-0"), (
        "answers decide nothing"
    )
    page.fill("#sizes", PEOPLE)
    page.check("#people-ask-0")
    page.click("text=Use these 12 groups")
    assert "480 people in 12 groups" in planned(page)
    assert page.locator("#release-line").count() == 0, "not said how"
    assert opacity(page, ".part") == 1 and page.locator("[inert]").count() == 0, (
        "no number depends on that"
    )
    assert page.is_visible("#sizes-numbered")
    assert (page.input_value("#questions"), page.input_value("#yes")) == ("bullied", "")
    page.click(".unsaid button:text-is('0 and 1')")
    until(page, "document.getElementById('release-line')?.textContent.includes('--count bullied')")
    assert "--by school --by class" in page.inner_text("#release-line")
    assert page.locator("#own-people").is_hidden() and wide(page) == WIDTHS["narrow"][0]
    assert not [address for address in [*sent, page.url] if "S1" in address or "1a" in address], (
        "groups are numbered"
    )
    assert page.input_value("#sizes").startswith("school,class,people\n#1,#1,40\n#2,#2,40\n")
    page.click("text=Publish each school too")
    until(page, "document.getElementById('release-line').textContent.includes('--levels rollup')")
    for answers in (
        "1",
        "5",
    ):  # everybody's answer the same, or a mark: still a row for each person
        page.fill("#sizes", "clinic,mark\n" + f"A,{answers}\nB,{answers}\n" * 3)
        assert page.inner_text("#own-people b").startswith("A file of people: 6 rows")
        page.click("text=Cancel")
    page.fill("#questions", "smoker")
    page.fill("#sizes", PEOPLE)
    assert page.is_disabled("#own-people button:not(.quiet)"), "no column of the file"
    page.click("text=Cancel")
    page.fill("#questions", "Bullied: yes, no")
    page.fill("#sizes", PEOPLE)
    assert (
        page.is_checked("#people-ask-0") and page.input_value("#people-answers-0") == "yes, no"
    ), "as it was typed"
    page.click("text=Cancel")
    assert page.input_value("#sizes") == PEOPLE and page.locator("#own-plan").inner_text() == ""
    assert "sizes=" not in page.url


def test_of_two_columns_the_one_that_holds_the_other_comes_first(visit):
    rows = [f"{k},o{k % 14},{'NS'[k % 2]},{('yes', 'no')[k % 3 > 0]}" for k in range(112)]
    page = visit("#own")
    page.fill("#sizes", "person,office,region,remote\n" + "\n".join(rows))
    assert page.is_checked("#people-1") and page.is_checked("#people-2"), "both name places"
    page.check("#people-ask-0")
    page.click("text=Use these 14 groups")
    assert "112 people in 14 groups" in planned(page)
    assert page.input_value("#sizes").startswith("region,office,people\n#1,#1,8\n")
    page.click(".unsaid button:text-is('yes and no')")
    until(
        page,
        "document.getElementById('release-line')?.textContent.includes('--answers remote yes,no')",
    )
    page.click("text=Publish each region too")
    until(page, "document.getElementById('release-line')?.textContent.includes('--levels rollup')")
    assert "--by region --by office" in page.inner_text("#release-line")
    page.fill("#sizes", "ward,town,patients\nA,X,8\nB,X,9\nC,Y,7")
    page.click("text=Use these 3 groups")
    assert page.input_value("#public-sizes").startswith("town,ward,patients\nX,A,8\n")


def test_a_plan_that_is_worked_out_says_so_wherever_its_lines_would_stand(visit):
    page = visit("", "narrow")
    held = []
    page.route("**/table?*", lambda route: held.append(route))
    page.goto(f"{page.url}&sizes=3+of+4#take")
    until(page, "!document.getElementById('take-working').hidden")  # as long as the plan is held
    assert page.is_visible("#take-working span") and page.locator("#take-none").is_hidden()
    turn(page, "own")
    assert (
        page.is_visible("#own-working") and page.get_attribute("#own-plan", "aria-busy") == "true"
    )
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
    return (
        page.locator(f"#own-plan {part}")
        .nth(which)
        .evaluate("one => Number(getComputedStyle(one).opacity)")
    )


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
        page.inner_text("#own-working")
        == "The plan of asthma is being worked out. What is dimmed is the one before."
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
    page.click("text=Leave out “no farther answer likelier”")
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
    assert (
        "its number is usually off by about" in said
        and "One draw of all 3 answers is being designed" in said
    )
    assert (
        page.get_attribute("#own-plan", "aria-busy") == "true"
        and page.locator("#release-line").count() == 0
    )
    assert [opacity(page, ".gist", k) for k in (0, 1)] == [1, 1], (
        "what is still being designed says so, and can be read"
    )
    held.pop("table").continue_()
    assert "mark: too noisy to be read group by group" in planned(page)
    until(page, "document.getElementById('own-remedies').textContent.includes('about to be tried')")
    page.unroute("**/table?*")
    unfold(page)
    page.fill("#sizes", "6 of 40")  # what would help another table is not wanted any more
    until(page, "document.getElementById('own-plan').textContent.includes('240 people')")
    page.unroute("**/remedies?*")
    page.wait_for_selector("#own-plan[data-state=fresh]")


def test_an_example_opens_in_a_good_state_whatever_was_typed_before(visit):
    page = visit("#own")
    planned(page)
    for name in ("classes, schools, districts", "two questions"):
        page.fill("#table_epsilon", "0.1")
        until(page, "document.getElementById('own-plan').textContent.includes('at epsilon 0.1 ')")
        page.click(f"[data-table] >> text={name}")
        until(page, "!document.getElementById('own-plan').textContent.includes('at epsilon 0.1 ')")
        assert page.locator("#own-plan .verdict").count() == 0, "not too noisy"
        assert planned(page) and page.input_value("#table_epsilon") in ("1", "2")
        page.wait_for_selector("#own-plan[data-state=fresh]")
        assert page.locator("#own-plan .verdict").count() == 0


def test_an_address_changed_by_hand_opens_on_the_example_and_a_table_of_one_s_own_is_no_example(
    visit,
):
    page = visit("?story=clinic&n=8&epsilon=1&properties=&loss=L0&count=3#watch")
    chosen = "#stories a[aria-current]"
    assert page.inner_text(chosen) == "A clinic"
    page.evaluate("location.hash = 'own'")
    planned(page)
    assert (
        page.input_value("#sizes") == "80 of 8, 40 of 9"
        and "sizes=" in page.url
        and page.url.endswith("#own")
    )
    assert page.inner_text(chosen) == "A clinic"
    back(page)
    assert page.evaluate("location.hash") == "#watch", "no step was added"
    forward(page)
    drawn(page)
    planned(page)
    page.fill("#sizes", "20 of 12")
    until(
        page, "document.getElementById('own-plan').textContent.includes('240 people in 20 groups')"
    )
    assert page.locator(chosen).count() == 0


def test_the_team_survey_opens_on_its_table_and_nothing_jumps(visit):
    page = visit()
    page.click("text=A team survey")
    drawn(page)
    assert page.inner_text("#own-sentence").startswith(
        "Twelve teams of eight gave their work a mark from 1 to 5."
    )
    assert page.is_visible("#view-own") and page.input_value("#questions") == "mark: 1, 2, 3, 4, 5"
    assert page.evaluate("scrollY") == 0
    keep(page, "team")
    page.fill("#sizes", "4 of 3")
    assert page.inner_text("#own-sentence").startswith("Its group sizes are all it takes")
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
    assert page.locator("#people-answers-0").is_hidden()
    page.check("#people-ask-0")
    assert page.input_value("#people-answers-0") == "", "nothing is taken for granted"
    page.click("text=Use these 4 groups")
    assert "How is bullied written in your file? The numbers below take it as" in planned(page)
    assert page.locator("#release-line").count() == 0
    keep(page, "unsaid")
    turn(page, "take")
    assert "One question is left: how is bullied written in your file?" in page.inner_text(
        "#take-held"
    )
    assert page.locator("#take-refused").is_hidden()
    turn(page, "own")
    page.fill("#unsaid-1", "never, sometimes, often")
    page.click("text=Use these >> nth=0")
    until(
        page,
        "document.getElementById('release-line')?.textContent.includes('--answers bullied never,sometimes,often')",
    )
    assert (
        page.input_value("#questions") == "bullied: never, sometimes, often"
        and page.locator(".unsaid").count() == 0
    )
    page.fill("#file", "year 9.csv")
    until(
        page,
        "document.getElementById('release-line')?.textContent.includes(\"release 'year 9.csv' --by class\")",
    )
    for typed, told, line in (
        ("never, often", "", "--answers bullied never,often --unit pupil_id"),
        ("", "0 and 1", "--count bullied --unit pupil_id"),
        ("", "yes and no", "--answers bullied yes,no --unit pupil_id"),
    ):
        page.fill("#sizes", people)
        page.check("#people-ask-0")
        page.fill("#people-answers-0", typed)
        page.click("text=Use these 4 groups")
        assert "80 people in 4 groups" in planned(page) and page.locator(".unsaid").count() == bool(
            told
        )
        if told:
            page.click(f".unsaid button:text-is('{told}')")
            until(page, "document.querySelector('#release-line') !== null")
        assert line in page.inner_text("#release-line")


def sizes_in(addresses):
    """The group sizes that addresses carry, those of the example aside that the page opens with."""
    found = {
        size for address in addresses for size in parse_qs(urlsplit(address).query).get("sizes", [])
    }
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
            "A file of people|Is each of the (12|13|9) rows a group or a person|A table of 12 groups",
            said,
        ), said
        assert page.input_value("#sizes") == text and "sizes=" not in page.url
    page.wait_for_timeout(600)  # longer than a plan waits
    page.click("#own-people >> text=Cancel")
    assert not [
        address
        for address in [*sent, page.url]
        if "pos" in address or "p1" in address or "hiv" in address
    ]
    page.fill("#sizes", "A,1a,18\nA,1b,27\nB,1a,20")
    assert page.inner_text("#own-people b") == "Is each of the 3 rows a group or a person?"
    page.click("text=A person: count them here")
    assert page.inner_text("#own-people b") == "A file of people: 3 rows, one for each person."
    page.fill("#sizes", "A,1a,18\nA,1b,27\nB,1a,20")
    page.click("text=A group, with its number of people")
    page.select_option("#group-1", "names the group (public)")
    page.select_option("#group-2", "number of people (public)")
    page.click("text=Use these 3 groups")
    assert "65 people in 3 groups" in planned(page)
    for text, groups in (("80 of 8, 40 of 9\n2 x 18\n7", 123), ("\ufeff3 of 8", 3)):
        page.fill("#sizes", text)
        until(
            page, f"document.getElementById('own-plan').textContent.includes('in {groups} groups')"
        )
    page.fill("#sizes", "school,class,people\nA,1a,18\nA,1b,x\nB,1a,20")
    assert "Row 2 below the header has no whole number" in page.inner_text(
        "#own-people [role=status]"
    )
    assert page.is_disabled("#own-people button:not(.quiet)") and page.input_value(
        "#sizes"
    ).endswith("B,1a,20"), "it can be mended"
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
    assert not [query for query in asked if re.search(r"\b(33|44|22)\b", query)], (
        "in no other entry either"
    )
    if line:
        assert line in page.inner_text("#release-line") and "--unit" not in page.inner_text(
            "#release-line"
        )
        page.reload()
        assert "in" in planned(page) and line in page.inner_text("#release-line"), (
            "the address has all of it"
        )
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
        "1\n0\n0\n1\n0\n1",  # answers, or counts, without a name
        "3\n5\n2",
        "clinic,number of smokers\nA,3\nB,5",
        "clinic,smoker count\nA,3\nB,5",
        "clinic,total smokers\nA,3\nB,5",
        "clinic,patients who smoke\nA,3\nB,5",
        "clinic,count\nA,3\nB,5",
        "A 8\nB 3",
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
    assert page.inner_text("#own-people [role=status]").startswith(
        "Say which column has the number of people"
    )
    assert page.is_disabled("#own-people button:not(.quiet)")
    page.focus("#sizes")
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")  # what is typed on is as private as what it goes on from
    page.wait_for_timeout(600)
    assert not sizes_in(sent) and "sizes=" not in page.url


def test_a_0_is_no_size_and_what_is_named_by_nothing_public_stays(visit):
    page = visit("#own")
    planned(page)
    page.fill("#sizes", "8, 0, 9")
    until(page, "document.getElementById('sizes').getAttribute('aria-invalid') == 'true'")
    assert "must be numbers of people, not 0" in page.inner_text("div:has(> #sizes) .problem")
    page.fill("#sizes", "diagnosis,n\nflu,8\ncold,9\ngout,8")
    page.click("#own-people button:not(.quiet)")
    assert page.input_value("#sizes") == "2 of 8, 1 of 9" and "25 people in 3 groups" in planned(
        page
    )
    page.fill("#sizes", "")
    page.focus("#sizes")
    page.keyboard.type("8\n9")
    assert "17 people in 2 groups" in planned(page), "sizes typed by hand are sizes"


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
    if "\n" in text and not re.match(
        "Clinic\t|\ufeff", text
    ):  # nothing names the columns: somebody has to
        page.locator("#own-people select").nth(text.startswith("8 ") - 1).select_option(
            "number of people (public)"
        )
    page.click("#own-people button:not(.quiet)")
    assert page.input_value(
        "#sizes"
    ) == public and f"in {len(re.findall('(?m)[0-9]$', public))} groups" in planned(page)
    page.focus("#sizes")
    page.keyboard.press("Control+End")
    page.keyboard.type("0")
    until(page, "document.getElementById('public-sizes').value.endsWith('0')")
    assert page.locator("#own-people").is_hidden(), "its columns are public already"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_limits_of_the_bars_stand_apart(visit, width):
    page = visit("#own", width)
    planned(page)
    half, three_quarters = (
        page.locator("#own-plan .limits span span").nth(k).bounding_box() for k in (0, 1)
    )
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
    assert "may be one number or two: write 1200, or 1, 200" in page.inner_text(
        "div:has(> #sizes) .problem"
    )


def test_a_file_of_people_may_hold_several_questions(visit):
    people = "pupil_id,school,class,bullied,travel\n" + "\n".join(
        f"{k},{'AB'[k % 2]},{k % 3}a,{k % 2},{('walk', 'bus')[k % 2]}" for k in range(90)
    )
    page = visit("#own")
    page.fill("#sizes", people)
    page.check("#people-ask-0")
    page.check("#people-ask-1")
    page.fill("#people-answers-1", "walk, bus, car")
    keep(page, "several-questions")
    page.click("text=Use these 6 groups")
    assert "90 people in 6 groups" in planned(page)
    assert page.input_value("#questions") == "bullied\ntravel: walk, bus, car"
    page.click(".unsaid button:text-is('0 and 1')")
    until(page, "document.querySelector('#release-line') !== null")
    line = page.inner_text("#release-line")
    assert "--by school --by class --count bullied --answers travel walk,bus,car" in line


def test_what_an_empty_answer_counts_as_is_said_where_the_file_is_described(visit):
    page = visit("?n=8&epsilon=1&sizes=3 of 8&questions=smoker&who=patient#own", "narrow")
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
