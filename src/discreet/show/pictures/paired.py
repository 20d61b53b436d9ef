"""Two series of chances side by side, as inline SVG: paired bars, ratios between neighbours, and a
gauge.

Each says in its attributes what is where: the page moves the parts when another true count or
answer is chosen, and narrows the steps between them on a narrow screen (`data-u` is where a part
begins and `data-v` how far it goes, in steps from the axis).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from discreet.show.colours import GREY, INK
from discreet.show.html import together
from discreet.show.pictures.svg import minor, svg, text, ticks

Colours = tuple[str, str]
_WIDE, _PAD = 760, 66
_BASE, _FAINT = "#767676", ' stroke-opacity="0.3"'
_DOT, _DOT_ROOM = 5.5, 0.18  # the radius of a dot, and what part of a step it may take
_ROOM = 1.03  # above the highest bar, below the last mark
_NAME = 24  # the height of a name above the bars: no drawn number stands there (`draws.js`)
_BAND = 'fill="#5b7085" fill-opacity="0.11"'  # see-through, so that it is a band on dark pages too


def bars(
    left: Sequence[float | None],
    right: Sequence[float | None],
    *,
    colours: Colours,
    names: tuple[str, str],
    title: str,
    across: str,
    mark: tuple[int, str] | None = None,
    before: Sequence[float] = (),
    one: bool = False,
) -> str:
    """Draw paired bars over 0..n; `mark` is a place and its name, `before` is drawn as short lines.

    Where both sides are `one`, it has one broad bar at each place.

    The axis ends at the first round mark above these bars, as the page does it when they move.
    """
    # beneath the name of a marked place there is room for drawn numbers that come more often than
    # the highest bar says
    head = 24 if mark is None else _NAME + 18
    high, foot = 236 + head, 54
    highest = max(*(value or 0.0 for value in (*left, *right, *before)), 1e-12)
    marks = ticks(min(1.0, _ROOM * highest))  # no chance is more than 1
    most = marks[-1]
    step, inner = (_WIDE - _PAD - 6) / len(left), high - foot - head

    def y(value: float) -> float:
        return head + inner * (1 - value / most)

    parts = []
    if mark is not None:
        place, says = mark
        parts.append(
            f'<g class="here" data-at="{place}" transform="translate({_PAD + place * step:.2f} '
            '0)"><rect '
            f'y="4" width="{step:.2f}" height="{head + inner - 4}" {_BAND}/>'
            f"{text(step / 2, _NAME - 6, says, 12)}</g>"
        )
    for tick in marks:
        line = _line(_PAD, _WIDE - 6, 0, _BASE, more=(_FAINT if tick else "") + span(0, len(left)))
        parts.append(
            f'<g class="tick" transform="translate(0 {y(tick):.2f})">{line}'
            f"{text(_PAD - 7, 4, f'{100 * tick:.3g}%', 12, anchor='end')}</g>"
        )
    for side, (series, colour, name) in enumerate(zip((left, right), colours, names, strict=True)):
        if one and side == 0:
            continue
        broad = 0.74 if one else 0.36
        for k, value in enumerate(series):
            reached, begin = y(value or 0.0), k + 0.12 + 0.38 * side * (not one)
            parts.append(
                f'<rect class="bar" data-side="{side}" data-at="{k}"{span(begin, broad)} '
                f'x="{_PAD + step * begin:.2f}" y="{reached:.2f}" width="{step * broad:.2f}" '
                f'height="{max(0.0, head + inner - reached):.2f}" '
                f'fill="{colour}"><title>{together(name)}</title></rect>'
            )
    for k, value in enumerate(before):
        dashed = (
            f' class="was" data-value="{value:.6g}" stroke-dasharray="3 2"{span(k + 0.06, 0.88)}'
        )
        parts.append(
            _line(_PAD + step * (k + 0.06), _PAD + step * (k + 0.94), y(value), INK, more=dashed)
        )
    parts += _labels(len(left), step, high - foot + 21)
    middle = len(left) / 2
    parts.append(text(_PAD + middle * step, high - 6, across, 12.5, more=span(middle)))
    parts.append(text(-(head + inner / 2), 16, "chance", 12.5, more=' transform="rotate(-90)"'))
    scale = (
        f' data-base="{head + inner}" data-inner="{inner:.4f}" data-scale="{inner / most:.6f}" '
        f'data-room="{_ROOM}"'
        f"{laid(len(left), step)}"
    )
    return svg(_WIDE, high, title, f'<g class="bars"{scale}>{"".join(parts)}</g>')


def steps(
    left: Sequence[float | None],
    right: Sequence[float | None],
    *,
    bound: float,
    colours: Colours,
    title: str,
    one: bool = False,
) -> str:
    """Draw ratios between neighbours on a logarithmic scale, within the two lines that no ratio may
    cross.

    Where both sides are `one`, it has one dot at each place.
    """
    high, foot, head = 190, 50, 26
    inner, size = high - foot - head, len(left)
    reach = max(log(bound) * 1.25, 1e-6)
    step = (_WIDE - _PAD - 6) / size
    middle = head + inner / 2
    scale = inner / 2 / reach

    def y(value: float) -> float:
        return middle - scale * log(value)

    parts = [
        f'<rect x="{_PAD}" y="{y(bound):.2f}" width="{_WIDE - 6 - _PAD}" '
        f'height="{y(1 / bound) - y(bound):.2f}"'
        f"{span(0, size)} {_BAND}/>"
    ]
    for value, words in ((bound, f"× {bound:.3g}"), (1.0, "same"), (1 / bound, f"÷ {bound:.3g}")):
        dashed = "" if value == 1 else ' stroke-width="2" stroke-dasharray="7 4"'
        dashed += span(0, size)
        parts.append(_line(_PAD, _WIDE - 6, y(value), INK if value != 1 else _BASE, more=dashed))
        parts.append(text(_PAD - 5, y(value) + 4, words, 12, anchor="end"))
    for side, (series, colour) in enumerate(zip((left, right), colours, strict=True)):
        if one and side == 0:
            continue
        for k, ratio in enumerate(series):
            known = ratio is not None and ratio > 0
            place = (
                k + 0.5 if one else k + 0.3 + 0.4 * side
            )  # so far apart that dots of one height do not touch
            parts.append(
                f'<circle class="step" data-side="{side}" data-at="{k}"{span(place)} '
                f'cx="{_PAD + step * place:.2f}" cy="{y(ratio or 1.0):.2f}" '
                f'r="{min(_DOT, _DOT_ROOM * step):.2f}" fill="{colour}" '
                f'visibility="{"visible" if known else "hidden"}"><title></title></circle>'
            )
    every = 1 if size <= 14 else 2 if size <= 28 else 4
    for k in range(0, size, every):
        more = minor(k // every, 4 + (size - 1) // every) + span(
            k + 0.5
        )  # longer than a number alone
        parts.append(text(_PAD + (k + 0.5) * step, high - foot + 19, f"{k}→{k + 1}", 12, more=more))
    parts.append(
        text(
            _PAD + size / 2 * step,
            high - 6,
            "people who said yes, one more",
            12.5,
            more=span(size / 2),
        )
    )
    parts.append(text(4, 14, "times as likely", 12.5, anchor="start"))
    where = (
        f' data-middle="{middle}" data-scale="{scale:.6f}" data-dot="{_DOT}" '
        f'data-room="{_DOT_ROOM}"'
    )
    where += laid(size, step)
    return svg(_WIDE, high, title, f'<g class="steps"{where}>{"".join(parts)}</g>')


def gauge(
    left: float | None,
    right: float | None,
    *,
    bound: float,
    colours: Colours,
    title: str,
    one: bool = False,
) -> str:
    """Draw how sure somebody is, from 0 to 100%, and the band that privacy keeps it in when it
    began at one half.
    """
    high, line = 92, 44
    low, most = 1 / (1 + bound), bound / (1 + bound)

    def x(value: float) -> float:
        return _PAD + (_WIDE - 2 * _PAD) * value

    parts = [
        f'<rect x="{x(low):.1f}" y="{line - 15}" width="{x(most) - x(low):.1f}" height="30" '
        f"{_BAND}/>",
        _line(_PAD, _WIDE - _PAD, line, _BASE),
    ]
    for value, anchor in ((low, "end"), (most, "start")):
        parts.append(
            f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{line - 19}" y2="{line + 19}" '
            f'stroke="{INK}" stroke-width="2" stroke-dasharray="7 4"/>'
        )
        parts.append(text(x(value), line - 26, f"{value:.0%}", 12, anchor=anchor))
    for value, words in ((0.0, "0%: surely no"), (0.5, "50%"), (1.0, "100%: surely yes")):
        parts.append(
            text(
                x(value),
                line + 36,
                words,
                12,
                anchor={0.0: "start", 0.5: "middle"}.get(value, "end"),
            )
        )
    parts.append(
        f'<line x1="{x(0.5)}" x2="{x(0.5)}" y1="{line - 8}" y2="{line + 8}" stroke="{GREY}"/>'
    )
    for side, (sure, colour) in enumerate(zip((left, right), colours, strict=True)):
        if one and side == 0:
            continue
        parts.append(
            f'<circle class="sure" data-side="{side}" cx="{x(0.5 if sure is None else sure):.2f}" '
            f'cy="{line if one else line - 7 + 14 * side}" r="6.5" fill="{colour}" '
            f'visibility="{"hidden" if sure is None else "visible"}"/>'
        )
    scale = f' data-zero="{_PAD}" data-scale="{_WIDE - 2 * _PAD}"'
    return svg(_WIDE, high, title, f'<g class="gauge"{scale}>{"".join(parts)}</g>')


def _labels(size: int, step: float, y: float) -> list[str]:
    every = 1 if size <= 25 else 2
    return [
        text(
            _PAD + (k + 0.5) * step,
            y,
            k,
            12,
            more=minor(k // every, (size - 1) // every) + span(k + 0.5),
        )
        for k in range(0, size, every)
    ]


def span(begin: float, reach: float | None = None) -> str:
    """Where a part begins, and how far it goes, in steps."""
    return f' data-u="{begin:.5g}"' + ("" if reach is None else f' data-v="{reach:.5g}"')


def laid(size: int, step: float, *, pad: int = _PAD) -> str:
    """How many steps a picture has, how wide each is, and where they begin."""
    return f' data-pad="{pad}" data-size="{size}" data-step="{step:.6f}" data-wide="{_WIDE}"'


def _line(start: float, end: float, y: float, colour: str, *, more: str = "") -> str:
    return (
        f'<line x1="{start:.2f}" x2="{end:.2f}" y1="{y:.2f}" y2="{y:.2f}" stroke="{colour}"{more}/>'
    )
