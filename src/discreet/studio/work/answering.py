"""The studio's answers: a question, which is a part of the page and a query, becomes bytes.

It is worked out in a process that may be ended at any moment (`pool`), so nothing here knows of the web, keeps state
that matters, or changes anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from discreet import __version__
from discreet.core.properties import PROPERTIES
from discreet.errors import DiscreetError
from discreet.studio import controls
from discreet.studio.code_lines import design_line, python_lines, shell_line
from discreet.studio.downloads import FILES
from discreet.studio.pathologies import gallery
from discreet.studio.settings import MOST_PINS, RIVALS, Reading, Setting, read_setting, read_text
from discreet.studio.view import View, objective, pinned, see, title_of

TEMPLATES = {"page": "page.html", "screen": "page.html", "rest": "rest.html"}
"""The page; the page without what takes longest, for a page that is already shown; and what takes longest."""

_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"

_pages = Environment(
    loader=PackageLoader("discreet.studio"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_pages.filters["percent"] = lambda value: f"{value:.1%}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a browser asks for: a part of the page or a file, of the setting in a query."""

    part: str
    query: str
    base: str
    given_up: str = ""
    """Why the question is not worked out any more; the answer then says so, and which line does it elsewhere."""


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
    if question.part not in TEMPLATES:
        return _file(reading, question)
    status = 200
    view = None
    if question.given_up:
        status = 503
        reading = _refused(reading, f"{question.given_up}: compute it with `{design_line(reading)}`")
    elif reading.valid:
        try:
            view = see(reading, quick=question.part == "screen")
        except DiscreetError as error:  # what the designer refuses is said at the foot of the controls
            reading = _refused(reading, str(error))
    text = _pages.get_template(TEMPLATES[question.part]).render(_words(question, reading, view))
    return Answer(status=status, body=text.encode())


def _refused(reading: Reading, words: str) -> Reading:
    errors = {**reading.errors, "design": words}
    return Reading(setting=reading.setting, n=reading.n, privacy=reading.privacy, count=reading.count, errors=errors)


def _file(reading: Reading, question: Question) -> Answer:
    """Return one of the files for a setting, or the library's words on why there is none."""
    if question.part not in FILES:
        return Answer.text("no such file", 404)
    if not reading.valid:
        return Answer.text(next(iter(reading.errors.values())), 400)
    if question.given_up:
        return Answer.text(f"{question.given_up}: compute it with\n\n{python_lines(reading)}\n", 503)
    kind, make = FILES[question.part]
    try:
        return Answer(kind=kind, body=make(reading))
    except DiscreetError as error:
        return Answer.text(str(error), 400)


def _words(question: Question, reading: Reading, view: View | None) -> dict[str, Any]:
    """Return everything that the templates name."""
    setting = reading.setting
    return {
        "version": __version__,
        "setting": setting,
        "reading": reading,
        "errors": reading.errors,
        "view": view,
        "quick": question.part == "screen",
        "properties": PROPERTIES,
        "rivals": RIVALS,
        "losses": controls.losses(setting.loss),
        "priors": controls.PRIORS,
        "slider": controls.privacy_slider(setting, reading.privacy),
        "sizes": controls.SIZES,
        "other_unit": controls.other_unit(setting, reading.privacy),
        "query": setting.query(),
        "address": f"{question.base}?{setting.query()}",
        "objective": objective(setting),
        "python": python_lines(reading) if view else "",
        "shell": shell_line(reading) if view else "",
        "pin": setting.but(pins=(*setting.pins, setting.query(pins=False))).query() if view else "",
        "pin_title": title_of(reading) if view else "",
        "pinned": [] if question.part == "rest" or question.given_up else pinned(setting),
        "most_pins": MOST_PINS,
        "is_pinned": setting.query(pins=False) in setting.pins,
        "gallery": gallery(),
        "start": Setting().query(),
    }
