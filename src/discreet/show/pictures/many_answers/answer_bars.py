"""One true histogram drawn as bars: for each answer, how likely each number of people is to be
published.
"""

from __future__ import annotations

from typing import Any

from discreet.core.rationals import Exact, read_fraction
from discreet.show.cells import Rows
from discreet.show.colours import INK, looks
from discreet.show.pictures.dotted.right_answers import right_answers
from discreet.show.pictures.headlines import listed
from discreet.show.pictures.many_answers.ternary import named, setting_of, written_out
from discreet.show.pictures.theme import LETTERS, altair, finished, inline, tips
from discreet.show.triangles import answer_chances, answer_rows, falling, over_histograms

_LONGEST = 72
"""Letters of a title."""


def answers(
    things: Any, *, truth: Any = None, confidence: Exact = "0.9", title: str | None = None
) -> Any:
    """Draw one true histogram: for each answer, how likely each number of people is to be
    published, as bars.

    The bar of the truth is in full colour. `confidence` is that of the title, which says how far
    off an answer is. Of several mechanisms there is a row for each answer, with dots at how often
    each of them publishes its true number.
    """
    mechanisms = named(things)
    domain = over_histograms(next(iter(mechanisms.values())))
    chances = {name: answer_chances(m, truth) for name, m in mechanisms.items()}
    share = f"{float(read_fraction('confidence', confidence)):.0%}"
    point = falling(domain) if truth is None else truth
    rows = [
        {**row, "series": name}
        for name, m in mechanisms.items()
        for row in answer_rows(m, truth, confidence=confidence)
    ]
    title = title or _farthest(rows, list(mechanisms), share)
    note = f"The truth is {written_out(domain, point)}."
    if len(mechanisms) > 1:
        line = f"{setting_of(mechanisms)}; beside each answer: how many gave it"
        return finished(right_answers(chances, list(domain.names)), title, line, note=note)
    ((name, alone),) = chances.items()
    (look,) = looks([name])
    chart, marks = _bars(alone, list(domain.names), domain.n, look.colour)
    line = f"{setting_of(mechanisms)}; bars: {'' if marks else f'0 to {domain.n} '}people published"
    return finished(chart, title, f"{line}; full colour: the truth", note=note)


def _bars(rows: Rows, order: list[str], n: int, colour: str) -> tuple[Any, bool]:
    """The bars of one mechanism, and whether some have their number of people below them."""
    alt = altair()
    top = 1.25 * max(row["probability"] for row in rows)
    wide = max(_WIDE, 2 * (n + 1) * len(order))
    marks = _marked(n, wide / len(order))
    lettered = {"labelAngle": 0, "labelLimit": 110, "labelExpr": "split(datum.label, ' ')"}
    axis = alt.Axis(ticks=False, labelPadding=20 if marks else 2, **lettered)
    places = alt.Scale(paddingInner=0.18, paddingOuter=0.09)
    x = alt.X("label:N", sort=order, title="people published, by answer", axis=axis, scale=places)
    within = alt.XOffset("people:O", scale=alt.Scale(domain=list(range(n + 1)), padding=0.08))
    y = alt.Y(
        "probability:Q",
        title=None,
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(format=".3~%", tickCount=4),
    )
    tip = tips(label="answer", people="people published", probability="chance")
    base = alt.Chart(inline(rows)).encode(x=x, xOffset=within, y=y, tooltip=tip)
    pale = alt.condition("datum.truth", alt.value(1), alt.value(0.4))
    layers = [base.mark_bar(color=colour).encode(opacity=pale)]
    for side in ("left", "center", "right") if wide / len(order) > _SAID else ():
        true = [
            {**row, "brief": f"{row['probability']:.0%}"}
            for row in rows
            if row["truth"]
            and _side_of(row["people"], [one for one in rows if one["label"] == row["label"]])
            == side
        ]
        words = {"align": side, "dy": -8, "fontSize": LETTERS}
        for edge in (
            ({"stroke": "#ffffff", "strokeWidth": 4}, {}) if true else ()
        ):  # no line through a number
            named_bar = base.properties(data=inline(true)).mark_text(color=INK, **words, **edge)
            layers.append(named_bar.encode(text="said:N"))
    for people, side in marks.items():
        below = [{"label": answer, "people": people} for answer in order]
        scale = alt.Chart(inline(below)).encode(x=x, xOffset=within)
        layers.append(
            scale.mark_tick(orient="vertical", size=5, color="#666666").encode(
                y=alt.value(_TALL + 2.5)
            )
        )
        words = {
            "align": side,
            "dx": {"left": -4, "right": 4}.get(side, 0),
            "fontSize": _SMALL,
            "color": QUIET,
        }
        layers.append(scale.mark_text(**words).encode(y=alt.value(_TALL + 14), text="people:O"))
    return alt.layer(*layers).properties(width=wide, height=_TALL), bool(marks)


_WIDE, _TALL, _SAID = 584, 136, 60
"""Pixels of a panel of bars, and of an answer in it that has room for words above a bar."""


_SMALL, _DIGIT, _PHONE, QUIET = 12, 7, 0.4, "#444444"
"""Pixels of a number below bars and of a digit of it; the part of its width that an answer has on a
phone, of which a gap is taken; and the colour of such a number."""


def _marked(n: int, wide: float) -> dict[int, str]:
    """Which bars of an answer have their number of people below them, where a phone has room, and
    how it stands.

    >>> _marked(8, 117), _marked(7, 117), _marked(100, 30)
    ({0: 'left', 4: 'center', 8: 'right'}, {0: 'left', 7: 'right'}, {})
    """
    ends, all_three = {0: "left", n: "right"}, {0: "left", n // 2: "center", n: "right"}
    for marks in [all_three, ends] if n > 2 and n % 2 == 0 else [ends]:
        if _PHONE * wide >= sum(_DIGIT * (len(str(people)) + 1) for people in marks):
            return marks
    return {}


def _side_of(people: int, rows: Rows) -> str:
    """How words above a bar stand: within the room of their answer, and if they can, away from a
    higher bar.

    >>> bars = [{"probability": chance} for chance in (0.4, 0.2, 0.1, 0.3, 0.2)]
    >>> [_side_of(people, bars) for people in range(5)]
    ['left', 'left', 'center', 'center', 'right']
    """
    n, chances = len(rows) - 1, [row["probability"] for row in rows]
    if 4 * people < n or 4 * people > 3 * n:
        return "left" if 4 * people < n else "right"
    before, after = (chances[k] > chances[people] for k in (people - 1, people + 1))
    return "center" if before == after else "left" if before else "right"


def _farthest(rows: Rows, names: list[str], share: str) -> str:
    """The title of what is published for one histogram: how far off any answer is in nearly all
    draws.
    """
    off = {
        name: max(
            max(row["high"] - row["true"], row["true"] - row["low"])
            for row in rows
            if row["series"] == name
        )
        for name in names
    }
    if len(set(off.values())) == 1:
        return f"An answer is at most {off[names[0]]} off in {share} of draws"
    said = (
        f"In {share} of draws an answer is at most "
        f"{listed([f'{far} off ({name})' for name, far in off.items()])}"
    )
    return said if len(said) <= _LONGEST else "One true histogram, and what is published for it"
