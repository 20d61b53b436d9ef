"""A studio in one file, for any web server: chosen settings with exact numbers worked out in
advance.

The file carries its style and scripts, the fractions of every column, every price, and every column
as whole weights, from which the page draws by itself. It asks nothing of any other machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import InvalidInput
from discreet.proof.files import write_whole
from discreet.show.typeface.faces import with_letters_inside
from discreet.studio.compared.judged import judge
from discreet.studio.compared.recommended import advice_words
from discreet.studio.controls import asked_words
from discreet.studio.designs import title_of, valid
from discreet.studio.numbers import fractions, whole_weights
from discreet.studio.settings import Reading, Setting, read_setting, read_text
from discreet.studio.telling.stories import STORIES
from discreet.studio.view import priced, see
from discreet.studio.work.answering import Question, render, words_of

if TYPE_CHECKING:
    from discreet.core.rationals import Alpha

MOST_SETTINGS = 12
MODULES = (
    "page",
    "chance",
    "layout",
    "crowd",
    "gliding",
    "sentence",
    "multiples",
    "pictures",
    "tables",
    "draws",
    "months",
    "tips",
    "copying",
    "swap",
    "views",
    "inpage",
    "dashes",
    "exported",
)
"""The scripts, each after those it needs."""

_STATIC = Path(__file__).parents[1] / "static"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One setting of the page."""

    title: str
    brief: str
    """The title where there is little room."""
    about: str
    privacy: Alpha
    spoken: str
    """The privacy as the page says it: "epsilon = 1"."""
    rest: Setting
    """The setting without its privacy."""
    words: dict[str, Any]
    """What the templates name."""
    html: str


def export(
    path: str | PathLike[str], settings: Sequence[str] = (), *, home: str = "", story: str = ""
) -> None:
    """Write the page for settings, each the part of a studio's address after the question mark; or
    for the stories.

    `home` and `story` are addresses that the page links to: the documentation around it, and the
    story.
    """
    asked = list(settings) or [
        story.setting.query() for story in STORIES.values() if not story.setting.sizes
    ]
    if len(asked) > MOST_SETTINGS:
        raise InvalidInput("settings", f"must be at most {MOST_SETTINGS}", len(asked))
    parts = [_part(query.partition("?")[2] if "?" in query else query) for query in asked]
    words = parts[0].words | {
        "parts": parts,
        "dials": dials(parts),
        "style": with_letters_inside((_STATIC / "studio.css").read_text(encoding="utf-8")),
        "theme": site_theme(),
        "script": joined_scripts(),
        "home": home,
        "story_page": story,
    }
    text = render("page.html", **words)
    write_whole(path, _of_nobody(text), parameter="export")


def _of_nobody(page: str) -> str:
    """Speak of "this design": whoever reads a page on the web has designed nothing.

    >>> _of_nobody("Your design is your design, not yours")
    'This design is this design, not yours'
    """
    return page.replace("Your design", "This design").replace("your design", "this design")


def dials(parts: Sequence[Part]) -> list[list[int]]:
    """Put settings together that differ in their privacy only: one slider moves through them,
    more private first.
    """
    found: dict[Setting, list[int]] = {}
    for place, part in enumerate(parts):
        found.setdefault(part.rest, []).append(place)
    return [
        sorted(places, key=lambda place: -parts[place].privacy.value) for places in found.values()
    ]


def _part(query: str) -> Part:
    reading = read_setting(read_text(query).but(pins=(), sizes=""))
    if not reading.valid:
        raise InvalidInput(
            "setting", f"cannot be shown: {next(iter(reading.errors.values()))}", found=query
        )
    privacy = valid(reading)[1]
    view = see(reading)
    view = replace(view, prices=[priced(reading, line.name) for line in view.prices])
    sides, counts = (view.rival, view.design), range(view.design.n + 1)
    numbers = view.numbers | {
        "exact": [[fractions(m, j) for m in sides] for j in counts],
        "weights": [[whole_weights(m, j) for m in sides] for j in counts],
    }
    view = replace(view, numbers=numbers)
    told = words_of(Question(part="page", query=query, base=""), reading, view)
    told |= {"exported": True, "judged": judge(reading), **advice_words(reading)}
    story = STORIES.get(reading.setting.story)
    title, brief, about = (story.title, story.brief, story.about) if story else _told(reading)
    s = reading.setting
    return Part(
        title=title,
        brief=brief,
        about=about,
        privacy=privacy,
        spoken=f"{s.unit} = {s.privacy}",
        rest=s.but(unit="", privacy=""),
        words=told,
        html=render("main.html", **told),
    )


def _told(reading: Reading) -> tuple[str, str, str]:
    title = ": ".join(filter(None, [f"Groups of {reading.n}", asked_words(reading.setting)]))
    return title, title, title_of(reading)


def joined_scripts(modules: Sequence[str] = MODULES) -> str:
    """Return a page's modules as one: they share no names, so imports and exports are simply left
    out.

    >>> "import" in joined_scripts().split("\\n")[2]
    False
    """
    texts = [(_STATIC / f"{name}.js").read_text(encoding="utf-8") for name in modules]
    joined = "\n".join(re.sub(r"^import .*\n", "", text, flags=re.MULTILINE) for text in texts)
    return re.sub(r"^export ", "", joined, flags=re.MULTILINE).replace("</", "<\\/")


def site_theme() -> str:
    """Return the script that follows the documentation's switch for light and dark: before
    anything is shown.
    """
    return (_STATIC / "site_theme.js").read_text(encoding="utf-8")


def plain_numbers(page: str) -> list[dict[str, object]]:
    """Return the numbers that an exported page carries, one for each of its settings: for
    whoever checks them.
    """
    found = re.findall(
        r'<script type="application/json" id="numbers" data-live>(.*?)</script>',
        page,
        flags=re.DOTALL,
    )
    return [
        json.loads(text) for text in found[1:]
    ]  # the first is shown, and is among the others once more
