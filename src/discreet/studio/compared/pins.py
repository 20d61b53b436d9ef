"""The pinned designs, each measured under its own setting."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from discreet.choosing.measures import measure
from discreet.errors import DiscreetError
from discreet.show.cells import largest
from discreet.show.pictures import svg
from discreet.studio.compared.scored_line import Line
from discreet.studio.controls import setting_words
from discreet.studio.designs import design_of, title_of
from discreet.studio.settings import MOST_PINS, Setting, read_setting, read_text
from discreet.studio.telling.problems import plainly
from discreet.studio.worth import worth


def pinned(setting: Setting) -> list[Line | str]:
    """Return the pinned designs as rows, each under its own loss and prior; one that cannot be
    read says why.
    """
    lines = []
    for k, pin in enumerate(setting.pins[:MOST_PINS]):
        found = _measured(pin)
        if isinstance(found, Line):
            rest = setting.but(pins=setting.pins[:k] + setting.pins[k + 1 :])
            own = read_text(pin).but(pins=setting.pins)
            found = replace(found, link=own.query(), remove=rest.query())
        lines.append(found)
    return lines


@lru_cache(maxsize=4 * MOST_PINS)  # they are on every screen, and never change
def _measured(pin: str) -> Line | str:
    reading = read_setting(read_text(pin).but(pins=()))
    if not reading.valid:
        return next(iter(reading.errors.values()))
    try:
        m = design_of(reading)
    except DiscreetError as error:
        return plainly(error)
    s, title = reading.setting, title_of(reading)
    return Line(
        label=title,
        name=f"pinned: {setting_words(s).partition(', ')[2]}",
        mechanism=m,
        cost=m.score(s.loss, reading.prior, worst_case=s.worst_case),
        measures=measure(m, reading.prior),
        worth=worth(m, reading.prior),
        picture=svg.heatmap(m, top=largest(m), title=f"Heatmap of {title}", small=True),
    )
