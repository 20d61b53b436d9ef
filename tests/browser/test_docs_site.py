"""The documentation as a site: it builds strictly, and in a real browser it is sound at two widths, light and dark."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.browser.conftest import WIDTHS, resize
from tests.conftest import require
from tests.test_docs_pictures import contrast
from tools.options import COMMANDS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = {
    "": "both", "hiding/": "dark", "properties/": "dark", "gallery/": "dark", "published/report.html": "",
    "story/": "light", "teach/": "", "survey/": "", "epsilon/": "light", "quoting/": "", "start/": "", "limits/": "",
    "glossary/": "light", "official/": "light", "choosing/": "", "options/": "", "reference/": "light", "reference/tables/": "", "paper/note/": "", "paper/errata/": "dark",
}  # fmt: skip
"""Pages that are looked at, and in which scheme axe-core examines them: it takes seconds for each."""
OUTSIDE = re.compile(r"""<(?:script|img|iframe|link|source)\b[^>]*?\b(?:src|href)\s*=\s*["']?(?:https?:)?//[^>]*>""")


IN_VIEW = (
    "epsilon/",
    "hiding/",
    "choosing/",
    "quoting/",
    "start/",
    "story/",
    "official/",
    "reference/tables/",
)
"""Pages whose tables are whole on a phone: nothing of them has to be moved sideways."""

BROKEN_HEADS = """[...document.querySelectorAll('article th')].flatMap(head => {
  const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT), broken = [];
  for (let text; text = texts.nextNode();)
    for (const word of text.data.matchAll(/[\\p{L}]+/gu)) {
      const place = document.createRange();
      place.setStart(text, word.index);
      place.setEnd(text, word.index + word[0].length);
      if (place.getClientRects().length > 1) broken.push(word[0]);
    }
  return broken;
})"""
"""The words that are broken in the heads of tables."""

BROKEN = """[...document.querySelectorAll(
  ':is([class*=language-py], .language-console, .language-powershell) pre > code'
)].filter(code => code.clientWidth && (getComputedStyle(code).whiteSpace !== 'pre'
  || (code.scrollWidth > code.clientWidth + 2) !== code.classList.contains('more-right'))).map(code => code.innerText)"""
"""Commands and Python that are broken into lines, or that go on at the side and do not fade there."""
BLEEDING = """[...document.querySelectorAll('article .highlight')].filter(box => box.offsetWidth
  && (box.getBoundingClientRect().left < 8 || box.getBoundingClientRect().right > innerWidth - 8)).length"""
"""How many blocks of code or of printed output reach an edge of the screen."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once; a warning is an error."""
    require("docs")
    require("tables")
    folder = tmp_path_factory.mktemp("site")
    # nothing of it is garbage before it ends, and looking for some takes a third of the time
    code = "import gc; gc.disable(); from mkdocs.__main__ import cli; cli()"
    command = [sys.executable, "-c", code, "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    """The built site, served; yields its address."""
    require("browser")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(built)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_no_formula_is_left_in_plain_text(built: Path) -> None:
    set_ones = 0
    for page in built.rglob("index.html"):
        article = re.search(r"<article.*?</article>", page.read_text(encoding="utf-8"), re.DOTALL)
        words = re.sub(r"<(pre|code|h\d)\b.*?</\1>", "", article[0] if article else "", flags=re.DOTALL)
        set_ones += words.count("<var")
        left = re.sub(r"<[^>]*>", "", re.sub(r"<var\b.*?</var>", "", words, flags=re.DOTALL))
        assert not re.search(r"\w\^|\b[a-z]_[a-z0-9{]", left), page.parent.name
    assert set_ones > 500


def test_the_site_asks_nothing_of_the_outside(built: Path) -> None:
    pages = list(built.rglob("*.html"))
    assert len(pages) >= len(list((ROOT / "docs").rglob("*.md")))
    for page in pages:
        assert not OUTSIDE.findall(page.read_text(encoding="utf-8")), page.name
    for sheet in built.rglob("*.css"):
        assert not re.search(r"url\(\s*[\"']?(?:https?:)?//|@import", sheet.read_text(encoding="utf-8")), sheet.name


def test_the_site_carries_what_its_pages_download_and_lead_to(built: Path) -> None:
    """The wheel that start.md installs, and the story, which is no page of its own, from every page's navigation."""
    start = (built / "start" / "index.html").read_text(encoding="utf-8")
    for address in re.findall(r'href="(\.\./files/[^"]+)"', start):
        assert (built / "start" / address).resolve().is_file(), address
    assert re.search(r"files/discreet-[\d.]+-py3-none-any\.whl", start)
    for page in (built / "hiding", built / "epsilon"):
        assert 'href="../studio-story.html"' in (page / "index.html").read_text(encoding="utf-8")


def test_the_reference_has_types_and_nothing_private(built: Path) -> None:
    pages = [page.read_text(encoding="utf-8") for page in (built / "reference").glob("*/index.html")]
    assert len(pages) == len(list((ROOT / "docs" / "reference").glob("*.md")))
    text = re.sub(r"<[^>]*>", "", "".join(pages))
    assert "n: int" in text
    assert "_repr_html_" not in text and "__post_init__" not in text


def _worlds(page: Any) -> None:
    """Move epsilon and the published number by keyboard: bars, words and the bound follow."""
    assert page.locator("#worlds + .still").is_hidden()
    start = page.evaluate("WORLDS.start")
    page.locator("#worlds-epsilon").press("ArrowRight")
    place = page.evaluate(f"WORLDS.places[{start + 1}]")
    assert page.inner_text("#worlds-value") == place["epsilon"]
    page.locator(".worlds-numbers button[aria-pressed=true]").press("ArrowRight")
    assert page.inner_text(".worlds-numbers button[aria-pressed=true]") == "5"
    assert page.inner_text(".worlds-says").startswith(f"5 is published. Its chance was {100 * place['no'][5]:.1f}% if")
    assert f"no number may be more than {place['bound']:.3g} times as likely" in page.inner_text(".worlds-says")
    bars = "[...document.querySelectorAll('.bar.yes')].map(b => b.getBoundingClientRect().height / b.getBBox().height)"
    assert page.inner_text(".worlds-scale").split() == ["0%", "50%", "100%"]
    assert page.evaluate(bars) == pytest.approx(place["yes"], abs=0.003)
    lines = "[...document.querySelectorAll('line.most')].map(l => l.getBoundingClientRect().top)"
    tops = "[...document.querySelectorAll('.bar.%s')].map(b => b.getBoundingClientRect().top)"
    for line, no, yes in zip(
        page.evaluate(lines), page.evaluate(tops % "no"), page.evaluate(tops % "yes"), strict=True
    ):
        assert line <= min(no, yes) + 1.5, "no bar passes its line"


def _subtraction(page: Any) -> None:
    """Go through the attack by keyboard, to the hidden answer and to what it gets from noise."""
    first = page.inner_text("table.subtraction")
    assert page.locator("table.subtraction td.hidden").count() == 4 and page.locator("button.back").is_disabled()
    page.locator("#subtraction button.next").focus()
    ways = []
    for _ in range(5):
        page.keyboard.press("Enter")
        ways.append(page.locator(".subtraction-field path").count())
    assert ways == [0, 1, 1, 2, 0], "to the other month, from the total, and both once more"
    assert page.locator("table.subtraction td.hidden").count() == 0
    assert "Nobody left, so the one new patient has diabetes" in page.inner_text(".subtraction-says")
    page.keyboard.press("Enter")
    printed = page.locator("table.subtraction td.private")
    assert printed.count() == 14, "six clinics and the region, in two months"
    first_release = page.evaluate("SUBTRACTION.releases[0].totals[0].join(' ').replace(' to ', '–')")
    assert first_release == " ".join(page.locator("table.subtraction .sum").first.inner_text().split())
    drawn = page.inner_text("table.subtraction")
    page.keyboard.press("Enter")
    assert page.inner_text("table.subtraction") != drawn and "No draw takes them above about 73%" in page.inner_text(
        ".subtraction-says"
    )
    page.locator("#subtraction button.back").focus()
    for _ in range(6):
        page.keyboard.press("Enter")
    assert page.inner_text("table.subtraction") == first


def _as_wide_as_the_column(page: Any, name: str) -> None:
    wide = "e => e.getBoundingClientRect().width"
    assert page.locator(".figure.ready").evaluate(wide) == page.locator("article > h2").first.evaluate(wide), name


MOVED = {"epsilon/": _worlds, "hiding/": _subtraction}
"""Pages with a figure that can be moved, and what a reader does there."""


def _search_nothing(context: Any, but: Callable[[], bool] = lambda: False) -> None:
    """Every page reads the index of the search, which takes longer than all else: let it be empty, but for once."""
    empty = {"config": {"lang": ["en"], "separator": " ", "pipeline": [], "fields": {}}, "docs": []}
    context.route("**/search_index.json", lambda route: route.continue_() if but() else route.fulfill(json=empty))


def _check_layout(page: Any, name: str, width: str) -> None:
    """Nothing stands out at the side, is missing, or is broken in two."""
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width][0], name
    # a page that has become narrow may fetch other pictures
    page.wait_for_function("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
    assert page.evaluate("[...document.images].filter(i => !i.alt).map(i => i.src)") == [], name
    broken = "[...document.querySelectorAll('.whole')].filter(e => e.getClientRects().length > 1).map(e => e.innerText)"
    assert page.evaluate(broken) == [], name
    assert page.evaluate(BROKEN_HEADS) == [], name
    assert page.evaluate(BROKEN) == [], name
    assert page.evaluate(BLEEDING) == 0, name
    if name in IN_VIEW:
        cut = "[...document.querySelectorAll('.md-typeset__scrollwrap')].filter(e => e.scrollWidth > e.clientWidth).length"
        assert page.evaluate(cut) == 0, name
    listed = page.locator("table[data-stacked] >> visible=true").locator("thead")
    assert all(listed.nth(k).is_visible() == (width == "wide") for k in range(listed.count())), name
    sizes = "[...document.querySelectorAll('%s')].map(e => parseFloat(getComputedStyle(e).fontSize))"
    assert min(page.evaluate(sizes % ".figure *"), default=12) >= 12, name
    assert min(page.evaluate(sizes % "pre > code, .sentence"), default=13) >= 13, name


@pytest.mark.parametrize(("width", "scheme"), [("wide", "light"), ("narrow", "dark")])
def test_pages_are_sound(site: str, browser: Any, width: str, scheme: str) -> None:
    """In light every page, made narrow after it was examined; in dark those that axe-core examines there."""
    import axe_playwright_python

    axe = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    wide, high = WIDTHS[width]
    context = browser.new_context(
        viewport={"width": wide, "height": high}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(120_000)
    troubles: list[str] = []
    context.on("console", lambda m: troubles.append(m.text) if m.type in ("error", "warning") else None)
    home = urlsplit(site).netloc
    context.on("request", lambda r: troubles.append(r.url) if urlsplit(r.url).netloc not in (home, "") else None)
    page = context.new_page()
    _search_nothing(context, but=lambda: page.url == site)
    for name, examined in PAGES.items():
        if scheme == "dark" and examined not in ("dark", "both"):
            continue
        page.goto(site + name)
        _check_layout(page, name, width)
        if name in MOVED:
            MOVED[name](page)
            _as_wide_as_the_column(page, name)
            _check_layout(page, name, width)
        if examined in (scheme, "both"):
            page.evaluate(axe)
            part = "document" if examined == "both" else "document.querySelector('article, main')"
            found = page.evaluate(f"axe.run({part}, {{resultTypes: ['violations']}})")
            assert [(v["id"], v["nodes"][0]["html"]) for v in found["violations"]] == [], name
        if width == "wide":
            resize(page, *WIDTHS["narrow"])
            _check_layout(page, name, "narrow")
            resize(page, wide, high)
    assert not troubles
    context.close()


def test_a_picture_opens_large_a_word_is_explained_and_pages_lead_on(site: str, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    _search_nothing(context)
    page = context.new_page()
    page.goto(site)
    page.click("a.enlarge >> nth=0")
    assert page.url.endswith(".svg")
    page.go_back()
    page.click("a.term >> nth=0")
    assert "glossary/#" in page.url
    page.locator("h3:target").wait_for()
    page.goto(site + "start/")
    assert page.locator(".md-footer__link--prev").count() == page.locator(".md-footer__link--next").count() == 1
    page.goto(site + "report/")  # merged into another page
    page.wait_for_url("**/quoting/#a-page-to-send")
    page.goto(site + "school/")
    page.wait_for_url("**/survey/#for-a-school")
    context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_long_tables_of_the_appendix_are_folded_on_a_phone(site: str, browser: Any, width: str) -> None:
    context = browser.new_context(viewport=dict(zip(("width", "height"), WIDTHS[width], strict=True)))
    _search_nothing(context)
    page = context.new_page()
    page.goto(site + "paper/claims/")
    folds = page.locator("details.long")
    assert folds.count() == 3
    assert [folds.nth(k).locator("table").is_visible() for k in range(3)] == 3 * [width == "wide"]
    assert folds.nth(0).locator("summary").is_visible() == (width == "narrow")
    if width == "narrow":
        folds.nth(0).locator("summary").click()
        assert folds.nth(0).locator("table").is_visible()
    context.close()


def test_the_scheme_can_be_switched_and_what_is_cut_off_fades(site: str, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="light")
    _search_nothing(context)
    page = context.new_page()
    page.goto(site + "choosing/")
    look = "getComputedStyle(document.querySelector('article img[src$=\".svg\"]')).filter"
    assert page.evaluate(look) == "none"
    page.click("label[title='Switch to dark']")
    assert "invert" in page.evaluate(look)
    page.goto(site + "gallery/")
    pictures = page.locator("picture img")
    assert pictures.count() == page.locator("article .enlarge img").count() and pictures.first.evaluate(
        "img => img.currentSrc"
    ).endswith("-narrow.svg")
    page.goto(site + "peers/")
    cut = page.locator(".md-typeset__scrollwrap.more-right >> visible=true").first
    cut.evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    page.wait_for_selector(".md-typeset__scrollwrap.more-left:not(.more-right)")
    assert page.locator(".more-left + .more-hint >> visible=true").count() == 1
    context.close()


LETTERS_A_LINE = """[...document.querySelectorAll('article > h1 ~ h2 ~ p')].filter(text => text.innerText).map(text => {
  const drawn = document.createElement('canvas').getContext('2d'), look = getComputedStyle(text);
  drawn.font = `${look.fontSize} ${look.fontFamily}`;
  return text.clientWidth / (drawn.measureText(text.innerText).width / text.innerText.length);
})"""
"""How many letters a line of each paragraph has room for: those it has are some five fewer."""


def test_lines_of_text_are_neither_long_nor_narrow(site: str, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    _search_nothing(page.context)
    for name in ("start/", "limits/", "paper/note/"):
        page.goto(site + name)
        assert 65 <= median(page.evaluate(LETTERS_A_LINE)) <= 78, name
    page.close()


def test_the_names_of_the_parts_stay_in_view_and_make_room_for_the_search(site: str, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    _search_nothing(page.context)
    page.goto(site + "limits/")
    page.evaluate("window.scrollTo(0, 2000)")
    page.click(".md-search__input")
    page.locator(".md-tabs").wait_for(state="hidden")
    page.keyboard.press("Escape")
    page.click(".md-tabs__link >> nth=1")
    page.wait_for_url("**/start/")
    page.close()


def test_the_lists_of_pages_at_the_side_fit_a_laptop(site: str, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    _search_nothing(page.context)
    for name in ("audit/", "paper/note/"):  # the last of a long list: it would be moved until it is in view
        page.goto(site + name)
        hidden = "list => list.scrollHeight - list.clientHeight"
        assert page.locator(".md-sidebar--primary .md-sidebar__scrollwrap").evaluate(hidden) == 0, name
    page.close()


def test_the_page_with_every_option_leads_to_each_command_and_folds_what_is_rarely_used(
    site: str, browser: Any
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    _search_nothing(page.context)
    page.goto(site + "options/")
    assert page.locator("article table >> nth=0").locator("a[href^='#discreet-']").count() == len(COMMANDS)
    shape = page.locator("article details >> nth=0")
    assert shape.locator("summary").inner_text().startswith("The shape of the noise: --loss, --prior")
    assert shape.locator("table").is_hidden()
    page.goto(site + "reference/")
    row = page.locator("article tr", has_text="dc.weakly_honest").inner_text()
    assert row.endswith("(*, n, alpha=None, epsilon=None) → Mechanism")
    page.close()


def test_what_is_folded_is_printed(site: str, browser: Any) -> None:
    page = browser.new_page()
    _search_nothing(page.context)
    page.goto(site + "levels/")
    folds = page.locator("article details")
    assert folds.count() and not folds.first.evaluate("fold => fold.open")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert folds.first.evaluate("fold => fold.open")
    page.close()


def test_copy_buttons_can_be_seen(site: str, browser: Any) -> None:
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        _search_nothing(page.context)
        page.goto(site + "start/")
        colours = """button => [button, button.closest('pre, .highlight').querySelector('code')].map(
          (part, k) => getComputedStyle(part)[k ? 'backgroundColor' : 'color'].match(/\\d+/g).slice(0, 3).map(Number))"""
        drawn, ground = page.locator(".md-code__button").first.evaluate(colours)
        assert contrast(*("#" + bytes(colour).hex() for colour in (drawn, ground))) >= 3, scheme
        page.close()


FOUND = {
    "nulls": (6, {"Releasing a table", "Refused? What to do", "Every option"}),
    "xlsx": (4, {"From release to report: which number to print"}),
    "excel": (1, {"Releasing a table"}),
    "spreadsheet": (1, {"Releasing a table"}),
    "confidence or credible": (2, {"From release to report: which number to print"}),
    "website": (2, {"Start in five minutes"}),
    "school": (3, {"A survey: several questions, or a school"}),
    "budget": (2, {"The budget ledger"}),
    "budget too small": (3, {"Refused? What to do"}),
    "--nulls": (6, {"Releasing a table", "Refused? What to do", "Every option"}),
    "plan --answers": (6, {"Every option"}),
    "missing values": (1, {"Releasing a table"}),
    "zero": (2, {"Releasing a table", "From release to report: which number to print"}),
    "median": (1, {"Releasing a table"}),
    "GDPR": (1, {"For official statistics"}),
    "smalest": (1, {"Small groups, private sizes, repeated rows"}),
    **dict.fromkeys(
        ("small cells", "suppression", "differencing", "k-anonymity", "minimum cell size"),
        (1, {"Why not just hide small groups?"}),
    ),
}
"""What is looked for, how many pages from the top are looked at, and the titles of pages that must be among them."""


def test_a_word_finds_the_pages_that_explain_it(site: str, browser: Any) -> None:
    from playwright.sync_api import TimeoutError

    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(site)
    titles = ".md-search-result__item > a h1"
    # While a word is typed the list still answers its beginning ("--nu"), whose pages may hold the whole word too:
    # what is waited for is the answer itself, not a sign of it.
    found = """([titles, among, wanted]) => {
      const first = [...document.querySelectorAll(titles)].slice(0, among).map(title => title.innerText)
      return wanted.every(title => first.includes(title))
    }"""
    for word, (among, wanted) in FOUND.items():
        field = page.locator(".md-search__input")
        for _ in range(3):  # on a busy machine the letter may get no answer: then it is typed again
            field.click()
            field.fill(word[:-1])
            field.press_sequentially(word[-1])  # one letter is one question: each of a word would queue its own
            with suppress(TimeoutError):
                page.wait_for_function(found, arg=[titles, among, sorted(wanted)], timeout=20_000)
                break
        first = page.locator(titles).evaluate_all("all => all.map(title => title.innerText)")[:among]
        assert wanted <= set(first), (word, first)
    page.close()


def test_a_page_opened_from_a_folder_says_how_to_search(built: Path, browser: Any) -> None:
    page = browser.new_page()
    page.goto((built / "start" / "index.html").as_uri())
    assert page.locator(".no-search").inner_text().startswith("To search, open these pages through a web server:")
    page.close()
