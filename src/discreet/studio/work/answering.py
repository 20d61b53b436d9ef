"""The studio's answers: a question, which is a part of the page and a query, becomes bytes.

It is worked out in a process that may be ended at any moment (`pool`), so nothing here knows of the
web, keeps state that matters, or changes anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from discreet import __version__
from discreet.core.properties import EVERYDAY, OUTPUT_DP, PROPERTIES
from discreet.errors import DiscreetError
from discreet.odds import most_sure, most_times, protects_little
from discreet.show.cells import chance_in_percent
from discreet.studio import controls
from discreet.studio.compared.judged import judge
from discreet.studio.compared.pins import pinned
from discreet.studio.compared.recommended import advice_words
from discreet.studio.compared.side_by_side import said_of
from discreet.studio.designs import design_of, objective, rival_of, title_of
from discreet.studio.numbers import fractions
from discreet.studio.own import remedies
from discreet.studio.own.asked_questions import meant
from discreet.studio.own.coarser_levels import bring_nothing, dealt, each_of, level_titles, without
from discreet.studio.own.pasted_rows import PEOPLE, PLACE, WHO
from discreet.studio.own.plan_words import SAID_OF_LINES, drawn_by
from discreet.studio.own.size_bars import size_charts, table_colour, why_it_jumps
from discreet.studio.own.table_plan import LIKELIEST, plan_at_once, plan_table
from discreet.studio.own.wanted_table import SHARES, read_table, readable
from discreet.studio.settings import (
    LARGEST,
    MOST_PINS,
    RIVALS,
    TABLE,
    Reading,
    Setting,
    read_setting,
    read_text,
)
from discreet.studio.story.story_page import story_words
from discreet.studio.taking.code_lines import design_line, export_line, python_lines, shell_line
from discreet.studio.taking.downloads import FILES
from discreet.studio.telling.glossary import GLOSSARY
from discreet.studio.telling.lead import own_name
from discreet.studio.telling.pathologies import gallery
from discreet.studio.telling.problems import coded, plainly, unbroken
from discreet.studio.telling.stories import STORIES, TITLE, current, opening_of
from discreet.studio.telling.wording import listed
from discreet.studio.view import View, brief_name, priced, see
from discreet.studio.worth import margin_words

PAGES = ("page", "screen")
"""The page as it is opened, and as a page that is already shown asks for it."""

AT_ONCE = "at-once"
"""Of a table's plan: only what takes no time."""

MOST_DRAWS = 6_000
"""Answers drawn at once: what a year of the story's attackers takes of one true count, about."""

_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"

_ENTRIES = {
    "epsilon": "table_epsilon",
    "alpha": "table_epsilon",
    "n": "sizes",
    "categories": "questions",
}
"""The entry of a table at fault, where the library calls it otherwise."""

_SAID_OF_PLANS: tuple[Callable[..., Any], ...] = (
    *SAID_OF_LINES,
    size_charts,
    table_colour,
    why_it_jumps,
    level_titles,
    without,
    dealt,
    listed,
    bring_nothing,
)
"""What the template of a plan calls, by these names."""

_pages = Environment(
    loader=PackageLoader("discreet.studio"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_pages.filters |= {
    "percent": chance_in_percent,
    "coded": coded,
    "drawn_by": drawn_by,
    "margin_words": margin_words,
}
_pages.filters["cost_words"] = controls.cost_words
_pages.filters["plain_cost"] = lambda loss: controls.cost_words(loss).partition(" (")[0]
_pages.filters["rounded_epsilon"] = lambda text: f"{float(text):.3g}" if text else ""
_pages.filters |= {
    "times": controls.times_words,
    "most_sure": most_sure,
    "protects_little": protects_little,
}
_pages.filters |= {"unbroken": unbroken, "most_times": most_times}
_pages.filters["with_each"] = each_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a browser asks for: a part of the page or a file, of the setting in a query."""

    part: str
    query: str
    base: str
    detail: str = ""
    """Which property's price, or how many draws."""
    given_up: str = ""
    """Why the question is not worked out any more; the answer then says so, and which line does
    it elsewhere.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What goes back: an HTTP status, a media type and the bytes."""

    status: int = 200
    kind: str = _HTML
    body: bytes

    @classmethod
    def text(cls, words: str, status: int) -> Answer:
        """Return a plain answer."""
        return cls(status=status, kind=_TEXT, body=words.encode())


def answer(question: Question) -> Answer:
    """Answer a question."""
    reading = read_setting(read_text(question.query))
    if question.part in PAGES:
        return _page(reading, question)
    make = PARTS.get(question.part)
    if make is None:
        return _file(reading, question)
    own = question.part in OWN  # which depends on nothing but what is typed of it
    if refused := [words for name, words in reading.errors.items() if not own or name in TABLE]:
        return Answer.text(refused[0], 400)
    try:
        return make(reading, question)
    except DiscreetError as error:
        return Answer.text(plainly(error), 400)


def _page(reading: Reading, question: Question) -> Answer:
    status, view, more = 200, None, {}
    if question.given_up:
        status = 503 if question.part == "page" else 200  # a page that asks for it says so itself
        reading = _refused(
            reading, f"{question.given_up}: compute it with `{design_line(reading)}`"
        )
    elif reading.valid:
        try:
            view = see(reading)
            if question.detail:  # a page without a script cannot ask for them afterwards
                view = replace(view, prices=[priced(reading, line.name) for line in view.prices])
                more = {"judged": judge(reading), **advice_words(reading)}
        except (
            DiscreetError
        ) as error:  # what the designer refuses is said at the foot of the controls
            reading = _refused(reading, plainly(error))
    return _rendered("page.html", words_of(question, reading, view) | more, status)


def _price(reading: Reading, question: Question) -> Answer:
    """Return the price of one property; one that takes long is offered to who has the time."""
    if question.detail not in (*PROPERTIES, OUTPUT_DP):
        return Answer.text("no such property", 404)
    words: dict[str, Any] = {
        "name": question.detail,
        "given_up": question.given_up,
        "loss": objective(reading.setting),
    }
    words["glossary"] = GLOSSARY
    words["patient"] = "long=1" in question.query
    words["price"] = None if question.given_up else priced(reading, question.detail)
    return _rendered("price.html", words)


def _details(reading: Reading, question: Question) -> Answer:
    """Return scores and accuracy."""
    words: dict[str, Any] = {
        "given_up": question.given_up,
        "glossary": GLOSSARY,
        "setting": reading.setting,
    }
    if not question.given_up:
        words |= {
            "judged": judge(reading),
            "objective": objective(reading.setting),
            "brief": brief_name(reading),
        }
        words |= {
            "own_name": own_name(design_of(reading)),
            "averaged": said_of(reading.setting.prior),
        }
    return _rendered("details.html", words)


def _advice(reading: Reading, question: Question) -> Answer:
    """Return the recommendation."""
    words = {"given_up": question.given_up, **({} if question.given_up else advice_words(reading))}
    return _rendered("advice.html", words)


def _draws(reading: Reading, question: Question) -> Answer:
    """Draw answers to the true count shown with the library's sampler, as a release would: left
    and right.
    """
    many = question.detail if question.detail.isascii() and question.detail.isdigit() else "1"
    counts = [reading.count] * max(1, min(MOST_DRAWS, int(many[:6])))
    return _json([m.release(counts) for m in (rival_of(reading), design_of(reading))], question)


def _exact(reading: Reading, question: Question) -> Answer:
    """Return the exact chances of the column shown: left and right."""
    return _json(
        [fractions(m, reading.count) for m in (rival_of(reading), design_of(reading))], question
    )


def _story(reading: Reading, question: Question) -> Answer:
    """Return the story, which is told of one group: the setting does not matter."""
    return _rendered("story.html", story_words())


def _island(value: Any) -> str:
    """Return JSON that can stand in a page: nothing in it ends the element around it."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _table(reading: Reading, question: Question) -> Answer:
    """Return the plan of a table of one's own, of which there are only sizes; or what of it is
    known at once.
    """
    words: dict[str, Any] = {
        "given_up": question.given_up,
        "error": "",
        "own": None,
        "glossary": GLOSSARY,
    }
    words |= {
        "nothing": False,
        "everyday": EVERYDAY,
        "likeliest": LIKELIEST,
        "wishes": {},
        "meant": {},
    }
    words |= {said.__name__: said for said in _SAID_OF_PLANS}
    try:
        if not question.given_up:
            words["own"] = (
                plan_at_once(reading) if question.detail == AT_ONCE else plan_table(reading)
            )
            words["nothing"] = words["own"] is None
    except DiscreetError as error:
        wrong = _ENTRIES.get(error.parameter or "", error.parameter)
        words |= {"error": plainly(error), "wrong": wrong if wrong in TABLE else ""}
        if words["wrong"] == "questions":
            words["meant"] = meant(reading.setting.questions)
        if not words["wrong"]:
            words["wishes"] = {
                name: PROPERTIES[name]
                for name in reading.setting.wishes.split()
                if name in PROPERTIES
            }
    return _rendered("table.html", words)


def _remedies(reading: Reading, question: Question) -> Answer:
    """Try one more change that may help a table, after those whose outcomes stand in the
    question.
    """
    if set(question.detail) - set("ynx") or len(question.detail) > remedies.MOST_TRIALS:
        return Answer.text("no such search", 404)
    try:
        wanted, outcomes = readable(read_table(reading)), question.detail
        found = remedies.search(wanted, outcomes)
        if found.trying is not None:
            outcome = remedies.LONG if question.given_up else remedies.attempt(wanted, found.trying)
            found = remedies.search(wanted, outcomes + outcome)
    except DiscreetError as error:
        return Answer.text(plainly(error), 400)
    return _rendered("remedies.html", {"found": found, "nothing_helps": remedies.NOTHING})


def _json(value: Any, question: Question) -> Answer:
    if question.given_up:
        return Answer.text(question.given_up, 503)
    return Answer(kind="application/json", body=json.dumps(value).encode())


PARTS: dict[str, Callable[[Reading, Question], Answer]] = {
    "price": _price,
    "details": _details,
    "advice": _advice,
    "draw": _draws,
    "story": _story,
    "exact": _exact,
    "table": _table,
    "remedies": _remedies,
}
"""What a page asks for when it is shown already, by name."""

OWN = ("table", "remedies")
"""Those that are about a table of one's own."""


def _rendered(template: str, words: dict[str, Any], status: int = 200) -> Answer:
    return Answer(status=status, body=render(template, **words).encode())


def render(template: str, **words: Any) -> str:
    """Return a template with its words in it."""
    return _pages.get_template(template).render(words)


LOST = _rendered("lost.html", {}, 404)
"""What there is at an address of nothing."""


def _refused(reading: Reading, words: str) -> Reading:
    return replace(reading, errors={**reading.errors, "design": words})


def _said(view: View) -> dict[str, Any]:
    """What the page says of each true count."""
    blind = view.blind.counts if view.blind else ()
    return {
        "points": view.points,
        "says": view.leads,
        "more": view.more,
        "blind": blind,
        "beside": view.brief,
        "own": view.own,
        "same": view.same,
    }


def _file(reading: Reading, question: Question) -> Answer:
    """Return one of the files for a setting, or the library's words on why there is none."""
    if question.part not in FILES:
        return LOST
    if not reading.valid:
        return Answer.text(next(iter(reading.errors.values())), 400)
    if question.given_up:
        return Answer.text(
            f"{question.given_up}: compute it with\n\n{python_lines(reading)}\n", 503
        )
    kind, make = FILES[question.part]
    try:
        return Answer(kind=kind, body=make(reading))
    except DiscreetError as error:
        return Answer.text(plainly(error), 400)


def words_of(question: Question, reading: Reading, view: View | None) -> dict[str, Any]:
    """Return everything that the templates name."""
    setting = reading.setting
    return {
        "version": __version__,
        "setting": setting,
        "reading": reading,
        "errors": reading.errors,
        "view": view,
        "judged": None,
        "brief": view.brief if view else "",
        "own_name": view.own if view else "",
        "averaged": said_of(setting.prior),
        "screen": question.part == "screen",
        "exported": False,
        "numbers": _island(view.numbers | _said(view)) if view else "{}",
        "glossary": GLOSSARY,
        "opening": opening_of(setting),
        "point": view.point if view else TITLE,
        "current": current(setting),
        "stories": STORIES,
        "properties": controls.properties(),
        "everyday": EVERYDAY,
        "first": controls.FIRST,
        "rest_words": controls.rest_words(
            {line.name: line.state for line in view.prices} if view else {}
        ),
        "setting_words": controls.setting_words(setting),
        "fold_words": controls.fold_words(setting),
        "output_dp": OUTPUT_DP,
        "rivals": RIVALS,
        "beside_words": controls.beside_words(setting),
        "losses": controls.losses(setting.loss),
        "priors": controls.PRIORS,
        "slider": controls.privacy_slider(setting, reading.privacy),
        "sizes": controls.SIZES,
        "largest": LARGEST,
        "other_unit": controls.other_unit(setting, reading.privacy),
        "shares": SHARES,
        "people_words": PEOPLE,
        "who_words": WHO,
        "place_words": PLACE,
        "table_dial": controls.table_slider(setting, reading.privacy),
        "query": setting.query(),
        "address": f"{question.base}?{setting.query()}",
        "objective": objective(setting),
        "python": python_lines(reading) if view else "",
        "shell": shell_line(reading) if view else "",
        "export_line": export_line(setting),
        "pin": setting.but(pins=(*setting.pins, setting.as_pin())).query() if view else "",
        "pin_title": title_of(reading) if view else "",
        "pinned": [] if question.given_up else pinned(setting),
        "most_pins": MOST_PINS,
        "is_pinned": setting.as_pin() in setting.pins,
        "gallery": gallery(),
        "start": Setting().query(),
    }
