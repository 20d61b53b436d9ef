"""The small pictures at the head of docs/gallery.md: `python -m tools.thumbnails [docs]`.

Each has the telling part of one picture in large marks, without words: its name stands below it on the page.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

from tools.drawing import BASE, line, rect, svg

from discreet.core.histogram import Histogram
from discreet.core.mechanism import Mechanism
from discreet.core.named import fair, geometric, uniform
from discreet.designer.single import design
from discreet.reading.group import intervals
from discreet.show.cells import cells, largest
from discreet.show.colours import CELLS, INK, PALE, PUBLISHED, READ, mechanism_colour
from discreet.show.pictures.dotted.dots_on_rows import LINK
from discreet.show.pictures.readings.interval_bars import FAINT

WIDE, HIGH, _EDGE = 160, 120, 10
_BASE = HIGH - _EDGE
_USUAL, _FAIR, _DESIGN = mechanism_colour("GM"), mechanism_colour("EM"), mechanism_colour("")
Parts = list[str]


def _dot(x: float, y: float, colour: str, radius: float = 6) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}"/>'


def _outline(x: float, y: float, side: float) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" rx="2"'
    return f'<rect {place} fill="none" stroke="{INK}" stroke-width="3"/>'


def _pale(colour: str, share: float = 0.4) -> str:
    """The colour, mixed with white as the bars of wrong answers are."""
    return "#" + "".join(f"{round(255 - share * (255 - int(colour[c : c + 2], 16))):02x}" for c in (1, 3, 5))


def _bars(values: Sequence[float], colours: Sequence[str], most: float = 0, top: float = _EDGE) -> Parts:
    """Upright bars over the whole width, on a scale that ends at the largest of them unless at `most`."""
    step, scale = (WIDE - 2 * _EDGE) / len(values), (_BASE - top) / (most or max(values))
    parts = [
        rect(_EDGE + step * k + 1.5, _BASE - scale * value, step - 3, scale * value, fill=colour, corner=2)
        for k, (value, colour) in enumerate(zip(values, colours, strict=True))
    ]
    return [*parts, line([(_EDGE, _BASE), (WIDE - _EDGE, _BASE)], stroke=BASE)]


def _matrix(marked: Callable[[int, int], bool]) -> Parts:
    """A small matrix of GM; some cells are outlined."""
    m = geometric(n=4, epsilon="1/2")
    side = (HIGH - 2 * 6) / 5
    left = (WIDE - 5 * side) / 2
    rows = cells(m, None, top=largest(m))
    places = [(left + row["count"] * side, 6 + row["output"] * side, row) for row in rows]
    parts = [rect(x, y, side - 2, side - 2, fill=row["fill"], corner=2) for x, y, row in places]
    return parts + [_outline(x, y, side - 2) for x, y, row in places if marked(row["output"], row["count"])]


def _curve(values: Sequence[float], most: float, colour: str) -> str:
    """A broad line from the left to the right."""
    step = (WIDE - 2 * _EDGE) / (len(values) - 1)
    places = [(_EDGE + step * k, _BASE - (HIGH - 2 * _EDGE) * value / most) for k, value in enumerate(values)]
    return line(places, stroke=colour, width=5)


def _span(y: float, low: float, high: float, colour: str, at: Sequence[float]) -> Parts:
    """A line from one share of the width to another, with dots."""

    def x(share: float) -> float:
        return _EDGE + (WIDE - 2 * _EDGE) * share

    return [line([(x(low), y), (x(high), y)], stroke=colour, width=5), *(_dot(x(place), y, colour, 7) for place in at)]


def columns() -> Parts:
    """What GM publishes where the truth is 2 of 6."""
    chances = [float(chance) for chance in geometric(n=6, epsilon="1/2").column(2)]
    return _bars(chances, [_USUAL if k == 2 else _pale(_USUAL) for k in range(7)])


def accuracy() -> Parts:
    """The typical errors of GM and EM by true count."""
    errors = {colour: [row.rmse for row in m.accuracy().rows] for colour, m in _pair(8).items()}
    most = max(map(max, errors.values()))
    return [_curve(values, most, colour) for colour, values in errors.items()]


def _pair(n: int) -> dict[str, Mechanism]:
    return {_USUAL: geometric(n=n, epsilon=1), _FAIR: fair(n=n, epsilon=1)}


def spans() -> Parts:
    """The intervals of GM and EM where 0 and where 4 is published."""
    parts: Parts = []
    for row, (number, (colour, m)) in enumerate((number, one) for number in (0, 4) for one in _pair(8).items()):
        table = intervals(m, Fraction(95, 100))
        low, high = table.low[number] / 8, table.high[number] / 8
        parts += _span(22 + 22 * row + 10 * (row > 1), low, high, colour, (low, high))
    return parts


def scores() -> Parts:
    """The mean distance from the truth of GM, EM and UM by group size."""
    sizes, privacy = range(2, 13, 2), {"epsilon": "1/2"}
    lines = {
        _USUAL: [float(geometric(n=n, **privacy).score("L1")) for n in sizes],
        _FAIR: [float(fair(n=n, **privacy).score("L1")) for n in sizes],
        mechanism_colour("UM"): [float(uniform(n=n).score("L1")) for n in sizes],
    }
    most = max(map(max, lines.values()))
    return [_curve(values, most, colour) for colour, values in lines.items()]


def costs() -> Parts:
    """How much more three properties cost single answers (rings), and totals (dots), from one zero line."""
    from discreet.show.pictures.comparing import cost_rows

    rows = [row for row in cost_rows(n=8, epsilon="1/2") if row["wish"] in ("S", "CM", "F")]
    most = max(row["margin_over"] for row in rows)
    parts = [line([(20, 10), (20, HIGH - 10)], stroke=BASE, width=3)]
    for k, row in enumerate(rows):
        y, (answers, total) = 26 + 34 * k, (20 + 122 * row[field] / most for field in ("over", "margin_over"))
        parts += [line([(answers, y), (total, y)], stroke=LINK, width=5), _dot(total, y, row["colour"], 8)]
        parts += [_dot(answers, y, row["colour"], 8), _dot(answers, y, "#ffffff", 4.5)]
    return parts


def distribution() -> Parts:
    """Published shares as bars, and the truth as short lines."""
    m = geometric(n=6, epsilon=1)
    truth = (0.05, 0.2, 0.3, 0.27, 0.13, 0.04, 0.01)
    published = [sum(float(m[i, j]) * share for j, share in enumerate(truth)) for i in range(7)]
    most, step = max(truth), (WIDE - 2 * _EDGE) / 7
    tops = [_BASE - (_BASE - _EDGE) * share / most for share in truth]
    lines = [
        line([(_EDGE + step * k, y), (_EDGE + step * (k + 1), y)], stroke=INK, width=4) for k, y in enumerate(tops)
    ]
    return [*_bars(published, [PUBLISHED] * 7, most), *lines]


_TRUTH = (2, 1, 1)
"""The true histogram of four people over three answers."""


def _joint() -> dict[tuple[int, ...], float]:
    """The chance of each histogram that the joint draw publishes for it."""
    m = design(n=4, categories=3, epsilon=1, loss="L1")
    assert isinstance(m, Mechanism)
    assert isinstance(m.domain, Histogram)
    return dict(zip(m.domain.points, map(float, m.column(_TRUTH)), strict=True))


def triangle() -> Parts:
    """What the joint draw publishes for one true histogram, which is outlined."""
    apart, chances = 26, _joint()
    parts: Parts = []
    for point, chance in chances.items():
        x, y = WIDE / 2 + apart * (point[2] - point[1]) / 2, 16 + 22 * (4 - point[0])
        parts.append(_dot(x, y, _pale(_DESIGN, 0.15 + 0.85 * chance / max(chances.values())), 11))
        if point == _TRUTH:
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="10" fill="none" stroke="{INK}" stroke-width="3"/>')
    return parts


def answers() -> Parts:
    """How often each answer's true number is published, answer by answer and by the joint draw."""
    alone = geometric(n=4, epsilon="1/2")  # of each answer, at half of the joint draw's epsilon
    right = [
        (
            float(alone[true, true]),
            sum(chance for point, chance in _joint().items() if point[answer] == true),
        )
        for answer, true in enumerate(_TRUTH)
    ]
    least, most = min(map(min, right)), max(map(max, right))
    parts: Parts = []
    for k, (one, joint) in enumerate(right):
        y, (left, end) = 24 + 36 * k, (40 + 80 * (chance - least) / (most - least) for chance in (one, joint))
        parts += [line([(left, y), (end, y)], stroke=LINK, width=5), _dot(left, y, CELLS, 8), _dot(end, y, _DESIGN, 8)]
    return parts


def _read(y: float, low: float, high: float, fill: str = PALE, ink: str = READ) -> Parts:
    """A bar for an interval, so many shares of the width from the left, with a mark at its middle."""
    left, right = (_EDGE + share * (WIDE - 2 * _EDGE) for share in (low, high))
    middle = (left + right) / 2
    return [rect(left, y - 7, right - left, 14, fill=fill, corner=3), rect(middle - 2, y - 10, 4, 20, fill=ink)]


def estimate() -> Parts:
    """Two totals with their intervals above the shares of groups."""
    parts = [*_read(18, 0.25, 0.75), *_read(44, 0.4, 0.9)]
    return [*parts, *_bars((6, 17, 31, 27, 14, 4), [PALE] * 6, top=62)]


def survey() -> Parts:
    """Two strong intervals, which a title speaks of, among faint ones."""
    rows = ((0.35, 0.75, FAINT), (0.05, 0.35, (PALE, READ)), (0.25, 0.6, FAINT), (0.6, 0.95, (PALE, READ)))
    return [part for k, (low, high, inks) in enumerate(rows) for part in _read(21 + 26 * k, low, high, *inks)]


def pictures() -> dict[str, str]:
    """Every small picture by its name."""
    drawn = {
        "heatmap": _matrix(lambda output, count: output == count),
        "columns": columns(),
        "accuracy": accuracy(),
        "intervals": spans(),
        "scores": scores(),
        "costs": costs(),
        "distribution": distribution(),
        "triangle": triangle(),
        "answers": answers(),
        "estimate": estimate(),
        "survey": survey(),
        "audit": _matrix(lambda output, count: output == 0 and count in (0, 3)),
    }
    return {f"small-{name}": svg(HIGH, parts, wide=WIDE) for name, parts in drawn.items()}


if __name__ == "__main__":
    docs = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for name, drawn in pictures().items():
        (docs / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")
