"""The pictures of the documentation are what the code in the repository draws, and the site's own marks work."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from tests.conftest import require
from tools import drawing

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


@pytest.mark.parametrize("module", ["epsilon_pictures", "story_pictures", "property_pictures"])
def test_the_pictures_are_what_is_drawn(module):
    if module == "story_pictures":
        require("tables")
    made = getattr(__import__(f"tools.{module}"), module).pictures()
    for name, drawn in made.items():
        assert (IMAGES / f"{name}.svg").read_text(encoding="utf-8") == drawn, f"python -m tools.{module}"


@pytest.mark.parametrize("colour", [drawing.INK, drawing.FIRST, drawing.SECOND, drawing.THIRD])
def test_what_is_written_in_a_picture_has_contrast(colour):
    assert contrast(colour, "#ffffff") >= 4.5


def test_letters_of_small_pictures_are_large_enough_for_a_phone():
    for file in IMAGES.glob("*.svg"):
        text = file.read_text(encoding="utf-8")
        wide = float(re.search(r'viewBox="0 0 ([\d.]+)', text)[1])
        if wide <= drawing.WIDE:  # shown as large as it is drawn
            assert min(map(float, re.findall(r'font-size="([\d.]+)"', text))) >= 11, file.name


@pytest.fixture(scope="module")
def pages():
    found = spec_from_file_location("site_pages", ROOT / "docs" / ".site" / "pages.py")
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


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


def test_a_picture_opens_large(pages):
    assert (
        pages.enlargeable('<img alt="a" src="i.svg">')
        == '<a class="enlarge" href="i.svg"><img alt="a" src="i.svg"></a>'
    )
