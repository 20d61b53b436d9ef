"""The pinned designs, each measured under its own setting."""

from __future__ import annotations

from discreet.choosing.measures import measure
from discreet.errors import DiscreetError
from discreet.show.cells import largest
from discreet.show.pictures import svg
from discreet.studio.designs import design_of, title_of
from discreet.studio.judged import Line
from discreet.studio.settings import MOST_PINS, Setting, read_setting, read_text
from discreet.studio.telling.problems import plainly


def pinned(setting: Setting) -> list[Line | str]:
    """Return the pinned designs as rows, each under its own loss and prior; one that cannot be read says why."""
    lines: list[Line | str] = []
    for k, pin in enumerate(setting.pins[:MOST_PINS]):
        reading = read_setting(read_text(pin).but(pins=()))
        rest = setting.but(pins=setting.pins[:k] + setting.pins[k + 1 :])
        if not reading.valid:
            lines.append(next(iter(reading.errors.values())))
            continue
        try:
            m = design_of(reading)
        except DiscreetError as error:
            lines.append(plainly(error))
            continue
        s = reading.setting
        lines.append(
            Line(
                label=title_of(reading),
                mechanism=m,
                cost=m.score(s.loss, reading.prior, worst_case=s.worst_case),
                measures=measure(m, reading.prior),
                link=s.but(pins=setting.pins).query(),
                picture=svg.heatmap(m, top=largest(m), title=f"Heatmap of {title_of(reading)}", small=True),
                remove=rest.query(),
            )
        )
    return lines
