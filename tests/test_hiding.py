"""The page on hiding small groups: its numbers and pictures are what the code finds, and the attack never errs."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from math import exp
from pathlib import Path

import pytest
from tests.conftest import require
from tests.test_docs_pictures import contrast
from tools.drawing import PAGE as PAGE_WIDE
from tools.drawing import WIDE as PHONE_WIDE
from tools.hiding import steps
from tools.hiding.__main__ import averages, page, sentences, tables
from tools.hiding.attack import exact, newcomers, subtract, subtract_both
from tools.hiding.clinics import REGIONS, months, total
from tools.hiding.comparing import EPSILON, METHODS, ours, outcome, surest
from tools.hiding.comparing import many as many_tables
from tools.hiding.home_pair import REGION, home_pair
from tools.hiding.looks import LOOKS, NIGHT
from tools.hiding.new_patients import known as of_new_patients
from tools.hiding.new_patients import new_patients
from tools.hiding.printed_numbers import (
    SHOWN_SEED,
    draws,
    many,
    of_all,
    of_clinics,
    of_regions,
    read,
    shown,
    without_number,
)  # fmt: skip
from tools.hiding.tiles import pictures
from tools.hiding.today import key_chances
from tools.people import FOUND, KNOWN, MAYBE, YES

import discreet

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "hiding.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_says_what_is_found():
    assert all("\n".join(table) in PAGE for table in tables())
    words = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", PAGE).split())
    for sentence in sentences():
        assert sentence in words


SHOWN = shown()[0]
"""March of the release in the pictures."""


def test_every_picture_shows_the_first_release_of_both_months_that_the_seed_draws():
    first = next(draws(months(), SHOWN_SEED))
    for found, month, released in zip(shown(), months(), first, strict=True):
        assert of_clinics(found) == of_clinics(read(month, released))
    numbers = steps.releases()[0]
    clinics = [of_clinics(month) for month in shown()]
    names = [c.name for c in steps.region()[0]]
    drawn = [[f"{month[name].low} to {month[name].high}" for name in names] for month in clinics]
    assert [[interval for interval, _ in cells] for cells in numbers["cells"]] == drawn


TILES = re.compile(
    r'<rect x="\d+" y="\d+" width="\d+" height="(?:34|40)" rx="4" fill="(#\w+)"[^>]*/>(?:<path[^>]*/>)?\n(<circle[^>]*/>\n)?'
    r'((?:<text[^>]*text-anchor="middle">[^<]+</text>\n){1,2})((?:<circle[^>]*/>)*)'
)
"""A tile's fill, whether there is a hole in it, what stands in it, and its people."""
SAID = re.compile(r">([^<]+)</text>")
DOT = re.compile(r'<circle cx="[^"]*" cy="[^"]*" r="[^"]*" fill="([^"]*)"')


def look_of(fill, hole):
    """The name of a tile's look, by its fill and its hole."""
    names = {LOOKS[look][0]: look for look in ("shown", "hidden", "private")}
    return "back" if hole and names[fill] == "hidden" else names[fill]


def tiles_of(name):
    """The look, number, words and people of every clinic's and sum's tile, in order, on a page and on a phone."""
    march, _ = months()
    rows = [(region, [c.name for c in march if c.region == region]) for region in REGIONS]
    order = [*(one for region, names in rows for one in (*names, region)), "all"]
    both = []
    for end in ("", "-narrow"):
        tiles = []
        for fill, hole, said, people in TILES.findall(pictures()[name + end]):
            inside = SAID.findall(said)
            number = inside[0] if len(inside) == 2 or "–" not in inside[0] else ""
            interval = inside[-1] if "–" in inside[-1] else ""
            tiles.append((look_of(fill, hole), number, interval, DOT.findall(people)))
        both.append(tiles)
    assert both[0] == both[1] and len(both[0]) == len(order) == 29
    return dict(zip(order, both[0], strict=True))


def people_said(dots, pair):
    """How many of some dots are full, how many of them or pale, and how many there are."""
    full, pale = (sum(fill == one[0] for fill in dots) for one in (pair, MAYBE))
    assert full + pale + dots.count("none") == len(dots)
    return full, full + pale, len(dots)


def test_the_picture_shows_what_is_printed_of_its_release_by_the_library_s_own_rule():
    clinics, regions = of_clinics(SHOWN), of_regions(SHOWN)
    printed = clinics | regions | {"all": of_all(SHOWN)}
    table = SHOWN.quotable()
    numbers = dict(zip(table["clinic"].tolist(), table["number"].tolist(), strict=True))
    for name, (look, number, interval, people) in tiles_of("hiding-private").items():
        one = printed[name]
        assert interval == f"{one.low}–{one.high}", name
        assert number == ("" if one.number is None else str(one.number)), name
        assert (one.number is not None) == (numbers.get(name, 0) is not None), name
        assert look == "private", "one look for all"
        assert people_said(people, YES) == ((one.low, one.high, one.people) if name in clinics else (0, 0, 0)), name
    quoted = sum(one.number is not None for one in clinics.values())
    for end in ("", "-narrow"):
        assert f"in {quoted} of 24 a number too" in pictures()[f"hiding-private{end}"]
    assert f"every clinic has a 95% interval, and {quoted} of 24 have a number too]" in PAGE
    little = [name for name, one in printed.items() if one.little]
    assert f"The intervals of {' and '.join(little)}\n  say next to nothing" in PAGE
    assert "of clinics are 95% credible intervals, and those of sums 95% confidence intervals" in PAGE


def test_the_panels_are_numbered_in_the_order_of_the_page_and_only_what_is_found_is_red():
    for place, name in enumerate(re.findall(r"images/(hiding-[\w-]+)\.svg", PAGE), 1):
        assert f">{place}. " in pictures()[name] and f">{place}. " in pictures()[f"{name}-narrow"]
        assert f"![{place}. " in PAGE
    assert place == 2
    march, april = months()
    method = METHODS["... and the next smallest"]
    first = method(march)
    back = exact(subtract_both(first, method(april), march, april)[0]) & set(first.hidden)
    drawn = tiles_of("hiding-back")
    for clinic in march:
        look = "back" if clinic.name in back else "hidden" if clinic.name in first.hidden else "shown"
        number = "?" if look == "hidden" else str(clinic.yes)
        *tile, people = drawn[clinic.name]
        assert tile == [look, number, ""], clinic.name
        yes = 0 if look == "hidden" else clinic.yes
        assert people_said(people, FOUND if look == "back" else KNOWN) == (yes, yes, clinic.patients), clinic.name
    for region in REGIONS:
        assert drawn[region] == ("shown", str(total(march, region)), "", [])
    people = [sum(c.patients for c in march if c.region == region) for region in REGIONS]
    assert re.findall(r">of (\d+)<", pictures()["hiding-back"]) == [*map(str, people), str(sum(people))]
    said = f"{len(first.hidden)} of 24. Whoever knows that nobody left or fell ill finds {len(back)} of the {len(first.hidden)} again]"
    assert (
        said in PAGE
        and f"1. Hidden: {len(first.hidden)} of 24, and {len(back)} still found" in (pictures()["hiding-back"])
    )
    assert "Nine clinics lose their number" in PAGE and "finds four of the nine again" in PAGE, "as in the picture"


def test_the_attack_is_never_claimed_without_what_its_reader_knows():
    for file in (DOCS / "index.md", DOCS.parent / "README.md"):
        words = " ".join(file.read_text(encoding="utf-8").split())
        assert (
            "whoever knows that no patient left or fell ill in between finds out that W4's new patient has diabetes"
            in words
        )
        assert (
            "because diabetes is for life" in words
            and "In tables made like this one, the same reader finds on average" in words
        )
    words = " ".join(PAGE.split())
    assert (
        "Whoever knows that no patient left or fell ill in between finds four" in words
        and "knows that no patient left or fell ill in between. " in words
    )
    assert "found, if nobody left or fell ill" in pictures()["hiding-back"]
    assert "If nobody left or fell ill,<" in home_pair()["home-hidden"]
    assert "The reader also knows that no patient left or fell ill in between." in steps.attack()[0]["words"]
    assert "In both tables below, the reader knows that no patient left or fell ill in between." in words
    assert sum("Nobody left, so " in step["words"] for step in steps.attack()) == 3, "one each for W3, W5 and W4"
    for seed in range(200):
        march, april = months(seed)
        for before, after in zip(march, april, strict=True):
            came = after.patients - before.patients
            assert 0 <= came <= 1 and 0 <= after.yes - before.yes <= came, "so it is in every table that is averaged"


WORDS = re.compile(r"<text[^>]*>([^<]+)</text>")
CELLS = re.compile(
    r'<rect x="\d+" y="\d+" width="\d+" height="30" rx="4" fill="(#\w+)"[^>]*/>(?:<path[^>]*/>)?\n(<circle[^>]*/>\n)?'
    r"<text[^>]*>([^<]+)</text>\n<text[^>]*>of (\d+)<"
)


def cells_of(name):
    """The tiles of March and of April of a picture of the home page, each with that of the total."""
    drawn = CELLS.findall(home_pair()[name])
    found = [(look_of(fill, hole), said, int(people)) for fill, hole, said, people in drawn]
    assert len(found) == 14
    return (found[:6], found[6]), (found[7:13], found[13])


def test_the_pair_of_the_home_page_is_one_region_and_two_months_of_the_same_attack_and_of_the_same_release():
    march, april = months()
    hidden, ours = (
        [unescape(words) for words in WORDS.findall(home_pair()[name])] for name in ("home-hidden", "home-discreet")
    )
    method = METHODS["... and the next smallest"]
    first, second = method(march), method(april)
    found = subtract_both(first, second, march, april)
    pairs = [pair for pair in zip(march, april, strict=True) if pair[0].region == REGION]
    cells = cells_of("home-hidden")
    for clinics, known, left, (row, whole) in zip(zip(*pairs, strict=True), (first, second), found, cells, strict=True):
        for clinic, (look, said, people) in zip(clinics, row, strict=True):
            gone = known.shown[clinic.name] is None
            assert not gone or clinic.name in exact(left)
            assert (look, said) == ("back" if gone else "shown", str(clinic.yes))
            assert people == clinic.patients
        assert whole[:2] == ("shown", str(sum(clinic.yes for clinic in clinics)))
    assert sum(cell[0] == "back" for row, _ in cells for cell in row) == 4
    names = [pair[0].name for pair in pairs]
    assert hidden[hidden.index("W1") :][:1] == ["W1"] and [words for words in hidden if words in names] == names
    assert "W4" in newcomers(*found, march, april)
    for k, name in ((1, "W5"), (0, "W4")):
        yes = [pair[k].yes for pair in pairs]
        place = names.index(name)
        rest = " − ".join(str(number) for other, number in enumerate(yes) if other != place)
        assert f"{sum(yes)} − {rest} = {yes[place]}" in hidden
    same = [name for name, pair in zip(names, pairs, strict=True) if pair[0] == pair[1]]
    assert {"W3", "W5"} <= set(same) and {"the same", "people"} <= set(hidden)
    assert hidden[-2:] == ["If nobody left or fell ill,", "W4's new patient has diabetes."]
    assert {"W4 in April: 2 of 7", "March: 1 of 6"} <= set(hidden)
    rows = {pair[0].name: [of_clinics(month)[pair[0].name] for month in shown()] for pair in pairs}
    rows["total"] = [of_regions(month)[REGION] for month in shown()]
    for k, (row, whole) in enumerate(cells_of("home-discreet")):
        for name, (look, said, people) in zip((*names, "total"), [*row, whole], strict=True):
            one = rows[name][k]
            assert (look, said) == ("private", f"{one.low}–{one.high}")
            assert people == one.people
    assert f"95% intervals; epsilon {EPSILON} a month" in ours
    both = f"{surest(2 * EPSILON):.0%}"
    said = [" and ".join(f"{c.low} to {c.high} of {c.people}" for c in rows[name]) for name in ("W4", "total")]
    for file in (DOCS / "index.md", DOCS.parent / "README.md"):
        words = " ".join(file.read_text(encoding="utf-8").split())
        assert f"W4 has {said[0]}, the total {said[1]}" in words
        assert f"After these two months they are about {both} sure at most of anybody's answer" in words


def test_every_cell_of_the_home_page_s_pictures_stands_where_it_stands_in_the_other():
    of = [re.findall(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="30"', drawn) for drawn in home_pair().values()]
    assert of[0] == of[1] and len(of[0]) == 14
    assert len({re.search(r'height="(\d+)"', drawn)[1] for drawn in home_pair().values()}) == 1, "side by side"


def test_every_page_says_of_the_release_in_the_picture_what_is_printed_of_it():
    clinics = of_clinics(SHOWN).values()
    quoted, little = (sum(flags) for flags in zip(*[(c.number is not None, c.little) for c in clinics], strict=True))
    assert little == 2 and all(one.number is None for one in clinics if one.little)
    new = many_tables(METHODS["... and the next smallest"])[-1]
    errors = {f"{ours(month).error ** 2:.2f}" for month in months()}
    typical = (sum(float(square) for square in errors) / len(errors)) ** 0.5
    for file in (DOCS / "index.md", DOCS.parent / "README.md"):
        words = " ".join(file.read_text(encoding="utf-8").split())
        assert f"on average {new:.0f}% of the new patients' answers, for certain" in words
        assert f"typically {typical:.1f} patients off" in words
        assert 0 < words.find("no single answer can be read off") < words.find("finds out that W4's")
        promises = re.split("## |What it does", words.partition("home-discreet.svg")[2])[0]
        assert promises.count(" - **") == 3, "short, or nobody reads them"
    words = " ".join(PAGE.split())
    assert "say next to nothing: they span three quarters of the clinic" in words
    assert f"| 0 | {24 - quoted} |" in tables()[0][-1].replace("*", ""), "the release in the picture"
    assert f"over 1,000 releases the average is {many(months()[0]).without:.0f}" in words
    named = of_clinics(SHOWN)
    missed = [c.name for c in months()[0] if not named[c.name].low <= c.yes <= named[c.name].high]
    assert len(missed) == 1 and f"In this release that of {missed[0]} does. Only we can know that" in words


def test_real_releases_leave_as_many_clinics_without_a_number_as_the_page_says():
    """Forty releases by the real sampler: their mean is within five standard errors, so one run in a million fails."""
    require("tables")
    march, _ = months()
    rows = [{"region": c.region, "clinic": c.name, "patients": c.patients, "diabetic": c.yes} for c in march]
    asked = {"by": ["region", "clinic"], "count": "diabetic", "size": "patients", "epsilon": EPSILON}
    without = []
    for _ in range(40):
        table = discreet.estimate(discreet.release(rows, **asked)).quotable()
        without.append(table["number"].tolist().count(None))
    spread = 2.2  # the standard deviation over releases is 2.0
    assert abs(sum(without) / 40 - many(march, 200).without) < 5 * spread * (1 / 40 + 1 / 200) ** 0.5


def test_by_the_same_rule_exact_numbers_may_be_quoted_and_rounded_ones_mostly_not():
    march, _ = months()
    for name in list(METHODS)[:3]:
        method = METHODS[name]
        assert without_number(method, march) == len(method(march).hidden)
    rounded = METHODS["rounded to multiples of 5"](march)
    kept = [c for c in march if rounded.shown[c.name] > 0 and rounded.clinics[c.name][1] > rounded.shown[c.name]]
    assert without_number(METHODS["rounded to multiples of 5"], march) >= len(march) - len(kept)


def test_the_table_released_on_the_page_is_the_one_that_was_attacked():
    march, _ = months()
    lines = " ".join(PAGE.split())
    for numbers in ([clinic.patients for clinic in march], [clinic.yes for clinic in march]):
        assert f"[ {', '.join(map(str, numbers))}, ]" in lines


def test_what_the_page_says_a_plan_says_is_what_a_plan_of_these_clinics_prints():
    require("tables")
    march, _ = months()
    rows = [{"clinic": clinic.name, "patients": clinic.patients, "diabetic": 0} for clinic in march]
    plan = discreet.plan(rows, by="clinic", count="diabetic", size="patients", epsilon=EPSILON)
    printed = re.findall(r"^  diabetic +[\d-]+ +\d+ +(\d+\.\d)% +(\d\.\d+) ", plan.text(details=True), re.MULTILINE)
    truth, error = (sorted(map(float, column)) for column in zip(*printed, strict=True))
    words = " ".join(PAGE.split())
    assert f"right in {truth[0]:.0f}% to {truth[-1]:.0f}% of all draws" in words
    assert f"typically {error[0]:.1f} to {error[-1]:.1f} patients off" in words
    squares = sum(line.groups * line.rmse**2 for line in plan.lines) / len(march)
    assert f"{squares**0.5:.1f}" == f"{ours(march).error:.1f}", "what home says a plan knows of a typical number"


def test_no_number_of_ours_is_ever_ruled_out_so_that_nothing_is_certain():
    sizes = {clinic.patients for seed in range(200) for month in months(seed) for clinic in month}
    for size in sizes:
        mechanism = discreet.geometric(n=size, epsilon=EPSILON)
        assert min(min(mechanism.column(count)) for count in range(size + 1)) > 0


@pytest.mark.slow
def test_the_averages_are_what_is_found():
    assert "\n".join(averages()) in PAGE
    assert page(PAGE) == PAGE


def test_the_pictures_are_what_is_drawn():
    for name, drawn in pictures().items():
        assert (DOCS / "images" / f"{name}.svg").read_text(encoding="utf-8") == drawn
        assert f"images/{name.removesuffix('-narrow')}.svg" in PAGE, "a phone is given the narrow one"
    for name, drawn in home_pair().items():
        assert (DOCS / "images" / f"{name}.svg").read_text(encoding="utf-8") == drawn
    for name, whole in (("newcomers", PAGE_WIDE), ("newcomers-narrow", PHONE_WIDE)):
        assert (DOCS / "images" / f"{name}.svg").read_text(encoding="utf-8") == new_patients(whole)


def test_every_row_of_new_patients_is_as_red_as_its_method_finds():
    found = [(outcome(method, *months()).newcomers, outcome(method, *months()).hidden) for method in METHODS.values()]
    assert [*of_new_patients().values()] == [*found, (0, 0)]
    assert found == [(7, 6), (7, 9), (1, 22), (1, 0), (0, 0)], "as the words for the picture say"
    red = re.findall(rf'<circle [^>]*fill="{FOUND[0]}"', new_patients(PAGE_WIDE))
    assert len(red) == sum(count for count, _ in found)


def test_the_click_through_shows_what_the_tools_found_and_ends_at_the_truth():
    assert (DOCS / "figures" / "subtraction-numbers.js").read_text(encoding="utf-8") == steps.script()
    taken = steps.attack()
    for month, clinics in enumerate(steps.region()):
        shown = [cell[1] for cell in taken[-1]["cells"][month]]
        assert shown == [str(clinic.yes) for clinic in clinics]
        assert taken[-1]["totals"][month][1] == str(sum(clinic.yes for clinic in clinics))
    assert [step["line"].rpartition("= ")[2] for step in taken if step["line"]] == ["1", "1"]
    hidden = [sum(cell[0] == "hidden" for month in step["cells"] for cell in month) for step in taken]
    assert hidden == sorted(hidden, reverse=True) and hidden[0] == 4 and hidden[-1] == 0
    for drawn, released in zip(steps.releases(), draws(months(), SHOWN_SEED), strict=False):
        missed = []
        for name, month, numbers in zip(("March", "April"), months(), released, strict=True):
            reading = read(month, numbers)
            whole = of_regions(reading)[REGION]
            found = {c.name: (of_clinics(reading)[c.name], c.yes) for c in month if c.region == REGION}
            found["the total"] = whole, total(month, REGION)
            missed += [f"{row} in {name}" for row, (one, yes) in found.items() if not one.low <= yes <= one.high]
        assert all(row in drawn["missed"] for row in missed) and drawn["missed"].count(" in ") == len(missed)
    assert {one["sure"] for one in steps.releases()} <= {f"{surest(EPSILON):.0%}", f"{1 - surest(EPSILON):.0%}"}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_what_subtraction_leaves_possible_always_holds_the_truth(method):
    for seed in range(20):
        march, april = months(seed)
        first, second = method(march), method(april)
        alone = subtract(first, march)
        early, late = subtract_both(first, second, march, april)
        for before, after in zip(march, april, strict=True):
            assert alone[before.name][0] <= before.yes <= alone[before.name][1]
            assert early[before.name][0] <= before.yes <= early[before.name][1]
            assert late[after.name][0] <= after.yes <= late[after.name][1]
        assert exact(alone) <= exact(early)
        assert newcomers(early, late, march, april) <= {
            a.name for a, b in zip(march, april, strict=True) if b.patients == a.patients + 1
        }


def test_the_one_number_hidden_in_a_region_is_the_total_less_the_others():
    march, _ = months()
    known = METHODS["groups under 5 hidden"](march)
    alone = [name for name in known.hidden if sum(other[0] == name[0] for other in known.hidden) == 1]
    assert alone
    assert set(alone) <= exact(subtract(known, march))


def test_with_us_nobody_is_surer_than_epsilon_allows():
    march, _ = months()
    assert float(ours(march).guess) <= surest(EPSILON) == exp(EPSILON) / (1 + exp(EPSILON))


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_two_months_expose_at_least_whom_subtraction_names(method):
    """Whoever is found without knowing the others is found by somebody who does; and nobody where nothing is shown."""
    for seed in range(20):
        march, april = months(seed)
        found = outcome(method, march, april)
        if method is not METHODS["cell keys, at most 2 off"]:  # an average over keys, not these keys
            assert found.certain * sum(c.patients for c in april) >= found.newcomers
        assert 0 <= found.certain <= 1


def test_the_same_people_have_the_same_keys_so_that_a_second_month_tells_nothing_new_of_them():
    keys = METHODS["cell keys, at most 2 off"]
    (clinic,) = (c for c in months()[0] if c.name == "W6")
    alone = outcome(keys, (clinic,), (clinic,)).certain
    grown = replace(clinic, patients=clinic.patients + 1)
    again = outcome(keys, (clinic,), (grown,)).certain
    assert 0 < alone < again


def test_cell_keys_move_a_number_by_two_at_most_and_not_on_average():
    for number in range(9):
        chances = key_chances(number)
        assert sum(chances.values()) == 1
        assert sum(k * chance for k, chance in chances.items()) == number
        assert all(abs(k - number) <= 2 and k >= 0 for k in chances)


@pytest.mark.parametrize(("fill", "ink"), [*LOOKS.values(), *NIGHT.values()])
def test_tiles_have_contrast(fill, ink):
    assert contrast(fill, ink) >= 7


def test_no_tile_glares_on_a_dark_page_and_what_is_hidden_is_the_darkest():
    ground = "#1d2327"
    assert all(contrast(fill, ground) < 2.5 for fill, _ in NIGHT.values())
    assert contrast(NIGHT["hidden"][0], "#000000") == min(contrast(fill, "#000000") for fill, _ in NIGHT.values())
