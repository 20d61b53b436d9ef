"""The pictures of the documentation are what the code in the repository draws, and the site's own marks work."""

from __future__ import annotations

import json
import re
from colorsys import rgb_to_hsv
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations, pairwise, product
from math import exp
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from tools import drawing, epsilon_pictures, property_pictures

import discreet
from discreet.odds import protects_little
from discreet.paper.panels import tint_of
from discreet.show.colours import (
    COLOURS,
    DESIGN,
    ONE_INK,
    OTHERS,
    SAME_INK,
    cell_colours,
    mechanism_colour,
    ordered,
    shades,
)
from discreet.show.pictures.readings.interval_bars import FAINT

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"


def light(colour: str) -> float:
    """The relative luminance of a colour, as the accessibility guidelines define it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """How well one colour reads on another: from 1 to 21."""
    low, high = sorted([light(one), light(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    "module", ["colour_key", "epsilon_pictures", "thumbnails", "ways", "property_pictures", "promise"]
)
def test_the_pictures_are_what_is_drawn(module):
    made = getattr(__import__(f"tools.{module}"), module).pictures()
    for name, drawn in made.items():
        assert (IMAGES / f"{name}.svg").read_text(encoding="utf-8") == drawn, f"python -m tools.{module}"


def test_the_slider_of_two_worlds_has_the_library_s_chances_within_the_bound():
    written = (ROOT / "docs" / "figures" / "worlds-numbers.js").read_text(encoding="utf-8")
    assert written == epsilon_pictures.script(), "python -m tools.epsilon_pictures"
    shown = json.loads(written.partition("window.WORLDS = ")[2].rstrip(";\n"))
    assert shown["places"][shown["start"]]["epsilon"] == "1"
    for place in shown["places"]:
        assert sum(place["no"]) == pytest.approx(1, abs=1e-4) and sum(place["yes"]) == pytest.approx(1, abs=1e-4)
        for no, yes in zip(place["no"], place["yes"], strict=True):
            assert max(yes / no, no / yes) <= place["bound"] * (1 + 1e-5)


@pytest.mark.parametrize("colour", [drawing.INK, drawing.QUIET, drawing.WARNS, drawing.PLAIN])
def test_what_is_written_in_a_picture_has_contrast(colour):
    assert contrast(colour, "#ffffff") >= 4.5


PAGE, PHONE = 688, 358
"""How wide a picture can be, in pixels, beside the navigation and on a screen of 390."""


def test_letters_are_large_enough_at_the_width_of_the_page_and_of_a_phone():
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    moved = set(re.findall(r"images/(?:paper/)?([\w-]+\.svg)\)\{ \.wide \}", text))
    for file in IMAGES.rglob("*.svg"):
        drawn = file.read_text(encoding="utf-8")
        wide = float(re.search(r'viewBox="0 0 ([\d.]+)', drawn)[1])
        if "<text" not in drawn:
            assert file.stem.startswith("small-"), "a picture without words has its name below it"
            continue
        least = min(map(float, re.findall(r'font-size(?:="|: )([\d.]+)', drawn)))
        assert least * min(1, PAGE / wide) >= 10.9, file.name
        # on a phone some are moved sideways, and many have a narrow picture in their place
        if file.name not in moved and not file.with_stem(f"{file.stem}-narrow").exists():
            assert least * min(1, PHONE / wide) >= 10.9, file.name


def test_no_picture_of_the_paper_is_much_higher_than_a_phone():
    for file in (IMAGES / "paper").glob("*-narrow.svg"):
        high = float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)', file.read_text(encoding="utf-8"))[1])
        assert high <= 1_100, file.name


WIDTHS = {
    **dict.fromkeys("ijlIJ'", 0.28),
    **dict.fromkeys(",./:;| ", 0.33),
    **dict.fromkeys("frt!()-[]", 0.4),
    **dict.fromkeys("cszkvxyFL?", 0.56),
    **dict.fromkeys("ABCKRVXZ", 0.68),
    **dict.fromkeys("DGHNOQU&", 0.77),
    **dict.fromkeys("w+<=>", 0.83),
    **dict.fromkeys("mMW%", 0.95),
}
"""About how wide letters of DejaVu Sans are, as a share of their size; figures and all other letters are 0.63."""
BOLD = 1.13


def wide_in_dejavu(words: str, size: float, *, bold: bool) -> float:
    """About how wide some words are where neither Arial nor a font like it is known."""
    return sum(WIDTHS.get(letter, 0.63) for letter in words) * size * (BOLD if bold else 1.0)


def ends(part: Element, x: float = 0.0):
    """Yield the words of a picture with their ends from left to right; what is turned is left out."""
    moved = part.get("transform", "")
    if "rotate" in moved and "rotate(0)" not in moved:
        return
    x += float(shift[1]) if (shift := re.match(r"translate\(([-\d.]+)", moved)) else 0.0
    if part.tag.endswith("text"):
        x += float(part.get("x", "0"))
        size, bold = float(part.get("font-size", "0").removesuffix("px")), part.get("font-weight") in ("600", "bold")
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[part.get("text-anchor", "start")]
        for words in filter(None, part.itertext()):
            wide = wide_in_dejavu(words, size, bold=bold)
            yield words, x - before * wide, x + (1 - before) * wide
    else:
        for one in part:
            yield from ends(one, x)


def test_words_stay_within_a_narrow_picture_in_wider_letters_too():
    assert wide_in_dejavu("content: how many people gave each", 15, bold=True) == pytest.approx(316, rel=0.03)
    for file in IMAGES.glob("*-narrow.svg"):
        drawn = fromstring(file.read_text(encoding="utf-8"))
        edge = float(drawn.get("viewBox").split()[2])
        found = list(ends(drawn))
        assert len(found) > 8, file.name
        for words, left, right in found:
            assert left >= 1 and right <= edge - 3, (file.name, words, left, right, edge)


def test_words_are_not_cut_at_the_sides_of_a_wide_picture_either():
    for file in IMAGES.rglob("*.svg"):
        drawn = fromstring(file.read_text(encoding="utf-8"))
        edge = float(drawn.get("viewBox").split()[2])
        for words, left, right in ends(drawn):
            assert left >= 0 and right <= edge, (file.name, words, left, right, edge)


def test_the_lines_of_the_page_make_the_mechanisms_of_the_pictures_of_properties():
    page = (ROOT / "docs" / "properties.md").read_text(encoding="utf-8")
    made: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0], made)
    names = {
        "usual noise, one person added": "one_added",
        "noise in a circle: 0 follows 4": "circle",
        "usual noise, 3 published for 4": "three_for_four",
        "usual noise (GM)": "gm",
        "fair mechanism (EM)": "em",
        "weakly honest mechanism (WM)": "wm",
    }
    for name, (lacks, has) in property_pictures.pairs().items():
        assert not lacks[1].satisfies(name) and has[1].satisfies(name)
        for called, m in (lacks, has):
            assert m.matrix == made[names[called]].matrix, (name, called)


def test_each_picture_of_a_property_shows_its_own_fault_and_no_other():
    for name, (lacks, has) in property_pictures.pairs().items():
        for (_, m), kept in ((lacks, False), (has, True)):
            held = property_pictures.limits(name, m)
            chances = [[float(m[cell]) for cell in strip] for strip in property_pictures.spoken_of(name)]
            apart = [
                c - limit
                for strip, most in zip(chances, held, strict=True)
                for c, limit in zip(strip, most, strict=True)
            ]
            worst = min(apart) if name in ("WH", "F", "S") else -max(apart)
            assert (worst > -1e-9) == kept, (name, apart)
            assert bool(property_pictures.broken(name, m)) != kept
    rules = {(idea.of.partition(" ")[0], idea.rule) for idea in property_pictures.IDEAS.values()}
    assert len(rules) == len(property_pictures.IDEAS) == 7, "no two show the same thing"


def test_the_two_rows_of_symmetry_differ_in_shade_and_do_not_touch():
    (_, _), (_, has) = property_pictures.pairs()["S"]
    drawn = "\n".join(property_pictures.bars("S", has, size=13.5, scale=200))
    found = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="[\d.]+" fill="(#\w+)"', drawn)
    rows = [[(float(x), float(wide)) for x, wide, fill in found if fill == shade] for shade in {f[2] for f in found}]
    assert sorted(map(len, rows)) == [5, 5], "a shade for each row"
    bars = sorted(rows[0] + rows[1])
    assert all(x + wide + 5 < other for (x, wide), (other, _) in pairwise(bars))


def test_fairness_errs_a_third_more_in_groups_of_12_as_the_gallery_says():
    drawn = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
    assert 'title="In groups of 12 fairness errs a third more than the usual noise"' in drawn
    errors = [discreet.compare([name], n=12, epsilon="1/2").entries[0].mechanism.score("L1") for name in ("GM", "EM")]
    assert float(errors[1] / errors[0]) == pytest.approx(4 / 3, abs=0.02)


def test_what_breaks_a_property_is_in_the_colour_of_warning_and_nothing_else_is():
    for name in property_pictures.IDEAS:
        (_, lacks), (_, has) = property_pictures.pairs()[name]
        drawn = (IMAGES / f"property-{name.lower()}.svg").read_text(encoding="utf-8")
        wrong = property_pictures.broken(name, lacks)
        assert not property_pictures.broken(name, has)
        assert not set(re.findall(r'<rect [^>]*fill="(#\w+)"', drawn)) & set(COLOURS), "no colour of a mechanism"
        red = re.findall(rf'<rect [^>]*fill="{drawing.WARNS}"', drawn)
        assert len(red) == sum(lacks[cell] > 0 for cell in wrong), name
        for words in property_pictures.IDEAS[name].wrong[0]:
            assert re.search(rf'font-weight="600" fill="{drawing.WARNS}">{re.escape(words)}<', drawn), words


def said_above(drawn: str, what: str) -> list[int]:
    """How many lines each title, or each line below a title, of a picture has."""
    groups = re.findall(rf'<g class="mark-text role-title-{what}"[^>]*>(.*?)</g>', drawn, re.DOTALL)
    if what == "text":  # without the names of panels
        groups = [group for group in groups if re.search(r'font-size="1[57]px"', group)]
    return [len(re.findall("<tspan", group)) or 1 for group in groups]


def test_a_picture_has_a_title_and_at_most_one_line_below_it_two_on_a_phone():
    seen = 0
    for file in IMAGES.rglob("*.svg"):
        drawn = file.read_text(encoding="utf-8")
        small = file.stem.endswith("-narrow")
        below, titles = said_above(drawn, "subtitle"), said_above(drawn, "text")
        seen += bool(below)
        assert all(lines <= 1 + small for lines in below), file.name
        assert all(lines <= 1 + small for lines in titles), file.name
    assert seen > 60


def test_what_the_paper_calls_wm_has_one_hue_on_every_page():
    for file in (IMAGES / "paper").glob("*.svg"):
        drawn = file.read_text(encoding="utf-8")
        if "weakly honest," in drawn and ">monotone<" in drawn and "stroke-dasharray" in drawn:
            assert DESIGN not in drawn.upper(), file.name


ALT = re.compile(r"!\[([^\]]*)\]\(((?:\.\./)?images/[\w/.-]+\.svg)\)")
RESULT = re.compile(r"\d+(?:\.\d+)?(?=%)|\d+\.\d+")
"""A percentage or a decimal."""


def test_numbers_in_the_words_for_a_picture_stand_in_the_picture():
    known = 0
    for page in (ROOT / "docs").rglob("*.md"):
        for words, address in ALT.findall(page.read_text(encoding="utf-8")):
            drawn = " ".join(re.findall(r">([^<]+)<", (page.parent / address).read_text(encoding="utf-8")))
            for number in set(RESULT.findall(words)) - {"95"}:  # the usual level of confidence
                known += 1
                assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d|\.\d)", drawn), (
                    f"{page.name}: {number} in {address}"
                )
    assert known > 8


def test_pictures_are_drawings_but_for_screens():
    report = {
        f"{screen}{night}{narrow}.png"
        for screen in ("report", "report-table", "school", "studio")
        for night in ("", "-dark")
        for narrow in ("", "-narrow")
    }
    assert {file.name for file in IMAGES.glob("*.png")} == report


def test_a_mechanism_has_its_own_colour_where_a_raw_number_is_shown():
    for name, mechanism in (("home-usual", "GM"), ("home-advised", "CM")):  # CM is a design without a name
        drawn = (IMAGES / f"{name}.svg").read_text(encoding="utf-8")
        assert drawn.count(mechanism_colour(mechanism)) == 100 and f"({mechanism})" in drawn, "a dot for each draw"
    assert not {drawing.WARNS, drawing.PLAIN, *epsilon_pictures.MONTHLY.values()} & set(COLOURS)


def test_the_bars_of_a_raw_number_are_what_the_lines_of_the_page_print_and_its_table_holds_every_count():
    page = (ROOT / "docs" / "choosing.md").read_text(encoding="utf-8")
    lines = re.findall(r"`(dc\.\w+\([^`]*\))\.column\((\d)\)`", page)
    usual, advised = mechanisms = [eval(line, {"dc": discreet}) for line, _ in lines]
    for name, mechanism, (_, count) in zip(("home-usual", "home-advised"), mechanisms, lines, strict=True):
        drawn = (IMAGES / f"{name}.svg").read_text(encoding="utf-8")
        above = re.findall(r'font-size="12.5" text-anchor="middle"[^>]*>(\d+\.\d)<', drawn)
        chances = mechanism.column(int(count))
        assert above == [f"{100 * float(chance):.1f}" for chance in chances]
        shared = epsilon_pictures.of_hundred(chances)
        assert sum(shared) == 100 and all(abs(100 * c - k) < 1 for c, k in zip(chances, shared, strict=True))
        full = len(re.findall(r'r="3.1" fill="#\w+"/>', drawn))
        assert full == shared[int(count)], "where the truth is published"
        assert f"right in {float(mechanism[int(count), int(count)]):.1%}" in drawn
    rows = re.findall(r"^\| (\d)(?: or (\d))? \| (\d+%) \| (\d+%) \|$", page, re.MULTILINE)
    assert sorted(int(count) for row in rows for count in row[:2] if count) == list(range(9))
    for *counts, one, other in rows:
        for count in (int(count) for count in counts if count):
            assert [f"{float(mechanism[count, count]):.0%}" for mechanism in mechanisms] == [one, other]
    said = " ".join(page.split())
    assert f"in {float(usual[0, 1]):.0%} of all draws that nobody smokes, and in {float(usual[8, 1]):.0%} that" in said
    assert len(set(advised.column(4))) == 1 and f"from 0 to 8 with the same chance, {float(advised[4, 4]):.0%}" in said
    fair = discreet.fair(n=8, epsilon="1/4")
    assert f"With fairness, the true count is published in {float(fair[4, 4]):.0%} of all draws" in said
    ends = [f"{float(mechanism[0, 4] + mechanism[8, 4]):.0%}" for mechanism in mechanisms]
    assert f"0 or 8 in {ends[0]} of all draws, the property in {ends[1]}" in said


def hook(name):
    found = spec_from_file_location(f"site_{name}", ROOT / "docs" / ".site" / f"{name}.py")
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages():
    return hook("pages")


@pytest.fixture(scope="module")
def night():
    return hook("night")


def test_every_word_of_the_glossary_is_explained_in_a_sentence(pages):
    assert len(pages.words()) > 30
    for word, sentence in pages.words().items():
        assert re.search(r"[.\"]$", sentence), word
        assert "](" not in sentence, f"{word}: a link cannot stand in a tooltip"
    assert set(pages.words()) >= pages.EVERYDAY


def test_the_first_use_of_a_word_becomes_a_link_and_code_and_headings_do_not(pages):
    html = '<h1>Noise</h1><p><code>noise</code> <a href="x">noise</a> Noise, noise and GMs; gm.</p>'
    linked = pages.linked(html, "../glossary/")
    assert linked.count('class="term"') == 2
    assert (
        '<h1>Noise</h1><p><code>noise</code> <a href="x">noise</a> <a class="term" href="../glossary/#noise"' in linked
    )
    assert ">GMs</a>; gm." in linked
    assert pages.linked("<p>Unbiased estimates</p>", "g/").count("#unbiased-estimate") == 1


def test_sentences_of_printed_output_can_be_folded_and_rows_of_tables_stay():
    printer = hook("printed")
    first, second = "  " + "word " * 15 + "end.", "  more"
    code = '<div class="language-text highlight"><pre><span></span><code>{}</code></pre></div>'
    printed = code.format(f"title\n  a   b\n  1  22\n\n{first}\n{second}\n  other\n")
    folded = printer.folding(printed)
    assert re.sub(r'<span class="sentence.*?">|(?<=\n)</span>', "", folded) == printed
    assert '<span class="sentence">title\n</span>  a   b\n  1  22\n\n<span class="sentence inner">' in folded
    assert f'{first}\n{second}\n</span><span class="sentence inner">  other\n</span>' in folded


def test_lines_of_a_csv_file_are_not_folded():
    code = '<div class="language-text highlight"><pre><span></span><code>{}</code></pre></div>'
    lines = code.format("region,clinic,low,high,number\nEast,clinic 01,1,4,2\nSouth,clinic 14,0,3,\n")
    assert hook("printed").folding(lines) == lines
    assert "sentence" in hook("printed").folding(code.format("One, two, three.\nfour\n"))


def test_a_printed_table_is_set_close_on_a_phone_where_it_then_fits():
    printer = hook("printed")
    rows = [f"  {'count':<12}{'n':>10}{'&lt;5':>28}\n", f"  {'smokers':<12}{8:>10}{'0.52':>25}\n"]
    closer = printer.closer(rows)
    assert [re.sub(r"</?span[^>]*>", "", row) for row in closer] == rows
    assert [re.sub(r"<span.*?</span>", "", row) for row in closer] == ["count   n   &lt;5\n", "smokers 8 0.52\n"]
    far = [f"  {'a' * 30}     {'b' * 30}\n"]
    assert printer.closer(far) == far, "one that does not fit is moved sideways as it is"


def test_commands_are_left_as_they_are_but_for_the_room_before_a_remark(pages):
    block = '<div class="language-{} highlight"><pre><span></span><code>{}</code></pre></div>'
    for language in ("console", "powershell"):
        typed = block.format(language, "pip install 'a-0.1.0-py3-none-any.whl[b]' --by c \\\n    --all-rows")
        assert pages.unbroken(typed) == typed
    made = pages.unbroken(block.format("console", "make demo     # in a minute"))
    assert 'make demo <span class="gap">    </span># in a minute' in made
    assert pages.unbroken("<p><code>x --by c</code></p>") == (
        '<p><code>x <span class="whole">--by c</span></code></p>'
    ), "code within a sentence"


def test_the_lines_of_two_years_have_their_names_beside_them_in_their_colours():
    for wide in (drawing.WIDE, drawing.PAGE):
        drawn = epsilon_pictures.years(wide)
        for monthly, colour in epsilon_pictures.MONTHLY.items():
            name = re.search(rf'<text x="([\d.]+)" y="([\d.]+)"[^>]*fill="{colour}">epsilon {monthly}: (.*?)<', drawn)
            marks = re.findall(rf'<circle cx="([\d.]+)" cy="([\d.]+)" r="4.5" fill="{colour}"', drawn)
            near = [(x, y) for x, y in ((float(x), float(y)) for x, y in marks) if abs(float(name[2]) - y) <= 24]
            ((x, y),) = near
            assert abs(float(name[1]) - x) <= 10, monthly
            sure = epsilon_pictures.surest(12 * Fraction(monthly))
            assert name[3] == ("&gt;99%" if sure > 0.99 else f"{sure:.0%}"), "what a year allows"
            lines = re.findall(rf'<polyline points="([^"]*)" fill="none" stroke="{colour}"', drawn)
            points = [tuple(map(float, point.split(","))) for line in lines for point in line.split()]
            assert min(abs(to - x) + abs(up - y) for to, up in points) < 4, monthly


def test_of_the_lines_of_two_years_only_the_one_that_the_page_speaks_of_is_thick_and_in_colour():
    epsilons = [Fraction(monthly) for monthly in epsilon_pictures.MONTHLY]
    assert epsilons == sorted(epsilons, reverse=True)
    assert all(contrast(colour, "#ffffff") >= 4.5 for colour in epsilon_pictures.MONTHLY.values())
    assert "A table at 0.1 a month" in (ROOT / "docs/epsilon.md").read_text(encoding="utf-8")
    strong = epsilon_pictures.MONTHLY["0.1"]
    assert [epsilon for epsilon, colour in epsilon_pictures.MONTHLY.items() if colour != drawing.PLAIN] == ["0.1"]
    drawn = epsilon_pictures.years(drawing.PAGE)
    assert re.findall(rf'stroke="{strong}" stroke-width="(\d)"', drawn) == ["4"]
    assert re.findall(rf'stroke="{drawing.PLAIN}" stroke-width="(\d)"', drawn) == ["2"] * 3
    assert "dasharray" not in drawn and "rotate" not in drawn


def test_yes_and_no_have_the_colours_of_the_story_by_day_and_by_night():
    story = (ROOT / "src/discreet/studio/static/story.css").read_text(encoding="utf-8")
    page = (ROOT / "docs/site.css").read_text(encoding="utf-8")
    told = list(zip(re.findall(r"--you: (#\w+)", story), re.findall(r"--no: (#\w+)", story), strict=True))
    shown = [(yes, no) for no, yes in re.findall(r"\.figure { --no: (#\w+); --yes: (#\w+);", page)]
    assert told == shown and shown[0] == (drawing.YES, drawing.NO)
    for pair, ground in zip(shown, ("#ffffff", DARK_PAGE), strict=True):
        assert all(contrast(colour, ground) >= 3 for colour in pair)
    assert all(contrast(on_dark(colour), DARK_PAGE) >= 3 for colour in shown[0])


def test_the_key_to_the_colours_names_every_mechanism_of_the_gallery():
    drawn = (IMAGES / "colours.svg").read_text(encoding="utf-8")
    for name in ("GM", "WM", "EM", "UM", "RR"):
        assert f'fill="{mechanism_colour(name)}"' in drawn and f">{name}: " in drawn
    assert "images/colours.svg" in (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8").partition("\n## ")[0]


def test_a_picture_opens_large(pages):
    assert (
        pages.enlargeable('<img alt="a" src="i.svg">')
        == '<a class="enlarge" href="i.svg"><img alt="a" src="i.svg"></a>'
    )
    door = '<a href="page.html"><img alt="a" class="opens" src="i.png"></a>'
    assert pages.enlargeable(door) == door


def test_every_page_that_is_ranked_in_the_search_is_there(pages):
    assert all((ROOT / "docs" / start).exists() for start in pages.RANKS)


def test_the_tables_about_epsilon_are_what_their_folded_lines_print():
    text = (ROOT / "docs" / "epsilon.md").read_text(encoding="utf-8")
    printed = re.findall(r"^```text\n((?:\|.*\n|\n)+)```", text, re.MULTILINE)
    tables = [f"{rows}\n" for block in printed for rows in block.rstrip("\n").split("\n\n")]
    assert len(tables) == 2 and all(text.count(rows) == 2 for rows in tables)
    assert "**From 3 on, epsilon protects little.**" in text and "| 3 | 20.1 | 95% |" in text
    assert protects_little(Fraction(exp(-3))) and not protects_little(Fraction(exp(-2)))
    least = min(float(discreet.geometric(n=n, epsilon=3)[k, k]) for n in range(1, 31) for k in range(n + 1))
    assert "publishes the true count in nine of ten draws or more" in " ".join(text.split()) and least >= 0.9


DARK_PAGE = "#1d2327"
"""The ground of the theme's dark scheme."""


def on_dark(colour: str, ground: str = DARK_PAGE) -> str:
    """What `filter: invert(1) hue-rotate(180deg)` and `mix-blend-mode: screen` make of a colour on the dark page."""
    red, green, blue = (1 - int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    grey = 2 * (0.213 * red + 0.715 * green + 0.072 * blue)
    turned = [min(1.0, max(0.0, grey - part)) for part in (red, green, blue)]
    below = [int(ground[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return "#" + "".join(f"{round(255 * (1 - (1 - a) * (1 - b))):02x}" for a, b in zip(turned, below, strict=True))


def test_pictures_take_the_colour_of_a_dark_page_and_stay_legible():
    assert "filter: invert(1) hue-rotate(180deg); mix-blend-mode: screen" in (ROOT / "docs/site.css").read_text()
    assert on_dark("#ffffff") == DARK_PAGE
    for colour in (drawing.INK, drawing.QUIET, drawing.WARNS, drawing.PLAIN, *epsilon_pictures.MONTHLY.values()):
        assert contrast(on_dark(colour), DARK_PAGE) >= 4.5, colour
    for colour in ordered(7):
        assert contrast(colour, "#ffffff") >= 3, colour
    for colour in (*COLOURS, *OTHERS, *ordered(7), *(shade for own in COLOURS for shade in shades(own, 4))):
        assert contrast(on_dark(colour), DARK_PAGE) >= 3, colour  # lines and bars


def test_numbers_on_shaded_cells_are_legible_on_a_dark_page(night):
    css = (ROOT / "src/discreet/studio/static/studio.css").read_text(encoding="utf-8")
    assert f'.number[fill="{SAME_INK}"] {{ fill: #ffffff; }}' in css
    for fill, ink in {cell_colours(k / 500, 1) for k in range(501)}:
        assert contrast(night.turned(fill), night.INKS[ink]) >= 4.5, fill
        studio = on_dark(fill, ground="#000000")  # turned over, ink and all
        assert contrast(studio, night.INKS[ink]) >= 4.5, fill


def test_black_on_the_first_shades_is_legible_by_day_and_turned_over():
    fill, _ = cell_colours(ONE_INK, 1)
    assert contrast(fill, "#000000") >= 4.5 and contrast(on_dark(fill), on_dark("#000000")) >= 4.5


def test_a_picture_with_shaded_cells_has_a_second_one_for_a_dark_page(night):
    made = {file.name for file in IMAGES.rglob("*.svg") if night.needed(file)}
    assert {"heatmap.svg", "heatmap-narrow.svg", "three.svg", "audit.svg", "hiding-back.svg"} <= made
    assert not {"accuracy.svg", "estimate.svg"} & made
    html = night.on_page_content(
        '<a class="enlarge" href="../images/three.svg"><picture><source srcset="../images/three-narrow.svg">'
        '<img src="../images/three.svg"></picture></a><a class="enlarge" href="../images/costs.svg"><img></a>'
    )
    day, dark, other = re.findall(r"<a .*?</a>", html)
    assert 'href="../images/three.svg"' in day and 'src="../images/three.svg#only-light"' in day
    assert 'href="../images/three-night.svg"' in dark and 'srcset="../images/three-narrow-night.svg"' in dark
    assert 'src="../images/three-night.svg#only-dark"' in dark and "only" not in other
    drawn = (IMAGES / "heatmap.svg").read_text(encoding="utf-8")
    words = re.findall(r'<text[^>]* fill="(#\w+)"', night.by_night(drawn))
    assert set(words) == {"#ffffff", "#000000", *(night.turned(c) for c in ("#222222", "#444444"))}


def hue(colour: str) -> float | None:
    """The hue in degrees; None for a grey."""
    angle, strength, _ = rgb_to_hsv(*(int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)))
    return 360 * angle if strength > 0.15 else None


def test_pale_fills_between_lines_do_not_sink_into_a_dark_page(night):
    mixed = IMAGES / "paper" / "binomial.svg"
    survey = IMAGES / "survey.svg"
    assert night.needed(mixed) and night.needed(survey)
    assert set(night.PALE) == {*(tint_of(name) for name in ("GM", "EM")), FAINT[0]}
    dark = "".join(night.by_night(drawn.read_text(encoding="utf-8")) for drawn in (mixed, survey))
    for day, fill in night.PALE.items():
        assert f'fill="{fill}"' in dark and f'fill="{day}"' not in dark
        assert contrast(fill, DARK_PAGE) >= 2 > contrast(on_dark(day), DARK_PAGE)


def test_colours_differ_in_hue_by_day_and_by_night_since_light_and_dark_are_exchanged():
    for colour, name in product((drawing.WARNS,), ("GM", "WM", "EM", "UM")):
        apart = abs(hue(colour) - hue(mechanism_colour(name)))
        assert min(apart, 360 - apart) >= 15, (colour, name)
    for one, other in combinations((colour for colour in COLOURS if hue(colour) is not None), 2):
        for here, there in product((one, on_dark(one)), (other, on_dark(other))):
            apart = abs(hue(here) - hue(there))
            brown = mechanism_colour("staircase") in (one, other)  # differs from WM in strength
            assert min(apart, 360 - apart) >= (0 if brown else 15), (one, other)
