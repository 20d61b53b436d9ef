"""The page on hiding small groups: its numbers and pictures are what the code finds, and the attack never errs."""

from __future__ import annotations

import re
from html import unescape
from math import exp
from pathlib import Path

import pytest
from tests.conftest import require
from tests.test_docs_pictures import contrast
from tools.hiding import steps
from tools.hiding.__main__ import averages, page, sentences, tables
from tools.hiding.attack import exact, newcomers, subtract, subtract_both
from tools.hiding.clinics import REGIONS, months, total
from tools.hiding.comparing import EPSILON, METHODS, ours, surest
from tools.hiding.comparing import many as many_tables
from tools.hiding.home_pair import REGION, home_pair
from tools.hiding.printed_numbers import (
    SHOWN_SEED,
    draws,
    many,
    of_all,
    of_clinics,
    of_regions,
    read,
    widths,
    without_number,
)  # fmt: skip
from tools.hiding.tiles import LOOKS, NIGHT, NO_NUMBER, pictures
from tools.hiding.today import key_chances

import discreet

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "hiding.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_says_what_is_found():
    assert all("\n".join(table) in PAGE for table in tables())
    words = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", PAGE).split())
    for sentence in sentences():
        assert sentence in words


SHOWN = read(months()[0], next(draws(months()[0], SHOWN_SEED)))
"""The release of the picture: the first that its seed draws."""


def test_the_picture_shows_what_is_printed_of_its_release_by_the_library_s_own_rule():
    drawn = pictures()["hiding-private"]
    march, _ = months()
    tiles = re.findall(
        r'<rect x="\d+" y="\d+" width="\d+" height="44" fill="(#\w+)"[^>]*stroke="(#\w+)"[^>]*/>\n'
        r'(?:<text[^>]*font-size="16" font-weight="600">([^<]+)</text>\n)?<text[^>]*font-size="12"[^>]*>([^<]+)</text>',
        drawn,
    )
    rows = [(region, [c.name for c in march if c.region == region]) for region in REGIONS]
    clinics, regions = of_clinics(SHOWN), of_regions(SHOWN)
    truth = {c.name: c.yes for c in march} | {region: total(march, region) for region in REGIONS}
    order = [(name, regions[name] if name in regions else clinics[name]) for r, names in rows for name in (r, *names)]
    truth["all"] = sum(c.yes for c in march)
    order.append(("all", of_all(SHOWN)))
    table = SHOWN.quotable()
    numbers = dict(zip(table["clinic"].tolist(), table["number"].tolist(), strict=True))
    assert len(tiles) == len(order) == 29
    for (fill, edge, number, interval), (name, one) in zip(tiles, order, strict=True):
        assert interval == f"{one.low} to {one.high}", name
        assert number == ("" if one.number is None else str(one.number)), name
        assert (one.number is not None) == (numbers.get(name, 0) is not None), name
        look = "alone" if one.number is None else "private"
        assert fill == LOOKS[look][0], name
        assert (edge == "#000000") == (not one.low <= truth[name] <= one.high), name
        assert edge in ("#000000", "#0b4f85") or look != "alone", name
    looks = [fill for fill, *_ in tiles]
    for look, words in (("private", "number and interval: {} of 24"), ("alone", "its interval alone: {} of 24")):
        sums = 5  # four regions and all: each has a number
        assert words.format(looks.count(LOOKS[look][0]) - (sums if look == "private" else 0)) in drawn
    little = [name for name, one in order if one.little]
    assert f"Those of {' and '.join(little)}\n  say next to nothing" in PAGE
    assert "95% credible, for sums 95% confidence" in drawn
    assert "(only we can know)" in drawn and drawn.count("stroke-dasharray") == 2, "the tile and its key"


WORDS = re.compile(r"<text[^>]*>([^<]+)</text>")


def test_the_pair_of_the_home_page_is_one_region_of_the_same_attack_and_of_the_same_release():
    march, april = months()
    clinics = [c for c in march if c.region == REGION]
    hidden, ours = (
        [unescape(words) for words in WORDS.findall(home_pair()[name])] for name in ("home-hidden", "home-discreet")
    )
    method = METHODS["... and the next smallest"]
    first, second = method(march), method(april)
    found = subtract_both(first, second, march, april)
    steps = ["W3", "W5", "W4"]
    assert hidden.count("hidden") == 4
    pairs = [pair for pair in zip(march, april, strict=True) if pair[0].region == REGION]
    for before, after in pairs:
        grew = str(before.patients) if before.patients == after.patients else f"{before.patients} → {after.patients}"
        shown = [str(known.shown[before.name] or "hidden") for known in (first, second)]
        assert ("hidden" in shown) == (before.name in steps)
        back = [str(steps.index(before.name) + 1), str(before.yes)] if "hidden" in shown else []
        row = [before.name, grew, *shown, *back]
        assert hidden[hidden.index(before.name) :][: len(row)] == row
    assert {*steps} <= exact(found[0]) & exact(found[1])
    months_of = (
        (f"all {REGION}", pairs), ("all 24 clinics", list(zip(march, april, strict=True)))
    )  # fmt: skip
    for name, some in months_of:
        sizes, sums = (
            [str(sum(getattr(pair[k], what) for pair in some)) for k in (0, 1)] for what in ("patients", "yes")
        )
        assert hidden[hidden.index(name) :][:4] == [name, " → ".join(sizes), *sums]
    assert "W4" in newcomers(*found, march, april)
    for k, when, name in ((1, "April", "W5"), (0, "March", "W4")):
        yes = [pair[k].yes for pair in pairs]
        place = [pair[0].name for pair in pairs].index(name)
        rest = " − ".join(str(number) for other, number in enumerate(yes) if other != place)
        said = f"{when}: {sum(yes)} − {rest} = {yes[place]} in {name}."
        assert hidden[hidden.index(said) - 1] == str(steps.index(name) + 1), "its step is that of the row"
    assert "W3 has the same patients, so 1 in April too." in hidden
    assert "So W4 grew from 1 to 2: its new patient has diabetes." in hidden
    high = {re.search(r'height="(\d+)"', drawn)[1] for drawn in home_pair().values()}
    assert len(high) == 1, "side by side"
    printed, region, whole = of_clinics(SHOWN), of_regions(SHOWN)[REGION], of_all(SHOWN)
    rows = [*((c.name, printed[c.name]) for c in clinics), (f"all {REGION}", region), ("all 24 clinics", whole)]
    for name, one in rows:
        number = NO_NUMBER if one.number is None else str(one.number)
        assert ours[ours.index(name) :][:4] == [name, str(one.people), f"{one.low} to {one.high}", number]
    assert f"but one patient's answers becomes at most {surest(EPSILON):.0%}" in ours
    quoted = [c.name for c in clinics if printed[c.name].number is not None]
    assert len(quoted) == 5 and "W4" not in quoted, "the alternative text says five of six, the page names W4"
    for file in (DOCS / "index.md", DOCS.parent / "README.md"):
        words = " ".join(file.read_text(encoding="utf-8").split())
        said = (
            f"All {REGION} has {region.low} to {region.high} of {region.people} patients, all 24 clinics {whole.low} to"
        )
        assert f"{said} {whole.high} of {whole.people}" in words


def test_the_bars_of_the_home_page_are_people_of_the_largest_clinic_and_of_each_sum():
    drawn = home_pair()["home-discreet"]
    march, _ = months()
    found = of_clinics(SHOWN)
    clinics = [found[c.name] for c in march if c.region == REGION]
    most = max(one.people for one in clinics)
    rows = [(one, most) for one in clinics]
    rows += [(one, one.people) for one in (of_regions(SHOWN)[REGION], of_all(SHOWN))]

    def parts(kind: str) -> list[tuple[float, float]]:
        found = re.findall(rf'<rect class="{kind}" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', drawn)
        return [(float(x), float(wide)) for x, wide in found]

    lines, bars, ticks, ends = parts("all"), parts("interval"), parts("tick"), parts("end")
    left, full = lines[0][0], max(wide for _, wide in lines)
    for (one, whole), line, (low, long), *marks in zip(rows, lines, bars, ends[::2], ends[1::2], strict=True):
        assert line == (left, pytest.approx(full * one.people / whole, abs=0.01))
        assert low - left == pytest.approx(full * one.low / whole, abs=0.01)
        assert long == pytest.approx(full * (one.high - one.low) / whole, abs=0.01)
        assert [x + wide / 2 for x, wide in marks] == pytest.approx([left, left + line[1]], abs=0.01)
        if one.number is not None:
            x, wide = ticks.pop(0)
            assert x + wide / 2 - left == pytest.approx(full * one.number / whole, abs=0.01)
    assert not ticks
    said = WORDS.findall(drawn)
    assert {"95% interval", "number", "all patients", "0", str(most), "Sums, each on a scale of its own", "all"} <= set(
        said
    )
    assert said.count("0") == 2, "the clinics' scale and that of sums"


def test_every_page_says_of_the_release_in_the_picture_what_is_printed_of_it():
    clinics = of_clinics(SHOWN).values()
    quoted, little = (sum(flags) for flags in zip(*[(c.number is not None, c.little) for c in clinics], strict=True))
    assert little == 2 and all(one.number is None for one in clinics if one.little)
    clinic, region, whole = (f"{width:.0%}" for width in widths(SHOWN))
    rule = "groups under 5 are hidden. If only one were hidden, the total less all the others would be its number,"
    new = many_tables(METHODS["... and the next smallest"])[-1]
    for file in (DOCS / "index.md", DOCS.parent / "README.md"):
        words = " ".join(file.read_text(encoding="utf-8").split())
        assert f"on average {new:.0f}% of the new patients' answers, for certain" in words
        assert f"typically {ours(months()[0]).error:.1f} patients off" in words
        assert 0 < words.find("no single answer can be read off") < words.find(rule) < words.find("home-hidden.svg")
        promises = re.split("## |What it does", words.partition("home-discreet.svg")[2])[0]
        assert promises.count(" - **") == 3, "short, or nobody reads them"
        assert "gets a number" not in words
    words = " ".join(PAGE.split())
    assert (
        f"{quoted} of 24 clinics here" in words
        and "say next to nothing: they span three quarters of the clinic" in words
    )
    assert f"the one in the picture has {24 - quoted}" in words
    missed = sum(not one.low <= c.yes <= one.high for one, c in zip(clinics, months()[0], strict=True))
    assert missed == 1 and "the one that does here has a dashed outline. Only we can know that" in words
    sums = f"{clinic} of a clinic's patients, {region} of a region's and {whole} of all]"
    assert sums in PAGE


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
    printed = re.findall(r"^  diabetic +[\d-]+ +\d+ +(\d+\.\d)% +(\d\.\d+) ", str(plan), re.MULTILINE)
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
        assert f"images/{name}.svg" in PAGE


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
