"""The picture at the head of a report: all of a release on one scale, from nobody to everybody.

Of a count of yes or no it has the total, the sums by the coarsest key, and every single group; of a question with
several answers, the total of each answer. Its rules are those of the tables: a number that is not to be quoted has no
mark, an interval that says next to nothing is pale. Which groups are drawn and on which scale depends on their sizes
alone, never on the draw. Few groups have their names, in the order of the tables. Of many groups of one size, those
with the same interval and number are one bar, which says how many they are; of other sizes each is a thin bar. These
have no names: so they can lie in the order of their intervals, which shows how groups differ and ranks none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING

from discreet.core.rationals import in_percent
from discreet.reporting import plain_words as words
from discreet.reporting.drawn_tables import key_text, number, scale_text, span
from discreet.show.captions import counting_words
from discreet.show.html import Html, element
from discreet.show.pictures.readings.estimate_rows import Row

if TYPE_CHECKING:
    from discreet.reporting.report_findings import Counted, Findings

_SUMS, _ANSWERS, _WHOLE = 12, 12, 2
"""Sums of one key, and answers, that are drawn; and questions of which more than the total is."""
_NAMED, _KINDS = 30, 16
"""Groups that are named, a line each; and different bars of groups of one size that are drawn, instead of groups."""
_LINES = 400
"""Single groups that are drawn as thin bars."""
_STEPS = ((25, 8, 5), (40, 6, 4), (80, 4, 3), (120, 3, 2), (200, 2, 2), (_LINES, 1, 1))
"""Up to so many groups, pixels from one to the next, and how many of these a bar has."""
_BANDS = 4
"""Parts by size that groups are drawn in, where the largest are more than half as large again as the smallest."""
_ROW, _HALF, _HALF_OF_ALL = 24, 4, 6
"""Pixels of a sum's line, and half of how high its bar is, and that of the total."""
_NAMED_ROW, _TOGETHER = 20, 120
"""Pixels of a named group's line; and how high the bars of groups that are alike are, all of them together."""
_GRID = (0, 25, 50, 75, 100)


def at_a_glance(findings: Findings) -> Iterator[Html]:
    """A picture of each count; one of which nothing can be estimated has a sentence."""
    for counted in findings.counts:
        if counted.unreadable:
            yield element("p", counted.unreadable)
        else:
            yield _picture(findings, counted)


def finding(counted: Counted) -> str:
    """The main result in one sentence, as the picture's title; of several answers, what the picture shows.

    The interval alone: the number stands beside it.
    """
    row, *others = counted.sums[()]
    if others:
        return f"Answers to \u201c{counted.name}\u201d" + (f", of {row.n:,} {counted.unit}" if row.n else "")
    facts = counted.facts
    doing = counting_words(facts.name, facts.definition, people=counted.unit == "people")
    share = (f" of {row.n:,} {counted.unit}" if row.n is not None else "") + f" {doing}"
    if words.says_nothing(row):
        return f"How many{share}, this release does not tell: every number is possible"
    low, high = number(row.low), number(row.high)
    return f"{low}{share}" if low == high else f"Between {low} and {high}{share}"


def _picture(findings: Findings, counted: Counted) -> Html:
    totals = counted.sums[()]
    whole = len(findings.counts) <= _WHOLE and not counted.answers
    sums = _coarsest(counted) if whole else []
    groups = _drawn_groups(counted) if whole else []
    left_out = len(totals) - _ANSWERS
    end = None
    if counted.facts.cap:  # sizes are private: everybody is the most that could be counted
        end = float(counted.facts.cap * findings.manifest.groups)
    lines = [_line(row, end, all_=not row.answer) for row in totals[:_ANSWERS]]
    lines += [_line(row, end) for row in sums]
    drawn, told = _of_groups(groups, counted.unit, noisy=bool(words.too_noisy(findings, counted)))
    return element(
        "figure",
        element(
            "figcaption", element("strong", finding(counted)), element("span", _below(findings, counted, left_out))
        ),
        element("div", *lines, *drawn, _axis(end), class_="lines"),
        element("p", " ".join([*_key([*totals[:_ANSWERS], *sums, *groups]), *told]), class_="note"),
        class_="glance",
    )


def _below(findings: Findings, counted: Counted, left_out: int) -> str:
    """The line below the title: how sure that is, and the number that may stand beside the interval."""
    (row, *others), level = counted.sums[()], in_percent(findings.confidence)
    if others:
        more = f"; {left_out} more answers below" if left_out > 0 else ""
        return f"How many gave each answer, as intervals of {level} confidence{more}"
    if words.says_nothing(row) or row.doubted:
        return f"{level} confidence interval"
    return f"{level} confidence interval; as one number, about {number(words.possible(row))}"


def _coarsest(counted: Counted) -> list[Row]:
    """The sums by the coarsest key, where they are few."""
    for names, rows in counted.sums.items():
        if names and not counted.crossed(names):
            return rows if 1 < len(rows) <= _SUMS else []
    return []


def _drawn_groups(counted: Counted) -> list[Row]:
    """Groups that have people, in the order of the tables."""
    groups = [row for row in counted.groups if row.n]
    return groups if len(groups) > 1 else []


def _of_groups(groups: Sequence[Row], unit: str, *, noisy: bool) -> tuple[list[Html], list[str]]:
    """The lines of single groups, and what the note below says of them."""
    if not groups:
        return [], []
    if len(groups) <= _NAMED:
        return [_headed(groups, unit), *(_line(row, None, single=True, noisy=noisy) for row in groups)], []
    ends = 2 if noisy else 3  # numbers that have no mark tell no bars apart
    kinds = [list(alike) for _, alike in groupby(sorted(groups, key=_order), key=lambda row: _order(row)[:ends])]
    if len({row.n for row in groups}) == 1 and len(kinds) <= _KINDS:
        scale = _TOGETHER / len(groups)
        lines = [_alike(kind, max(2, round(scale * len(kind))), noisy=noisy) for kind in kinds]
        said = "Groups with the same interval and number are one bar, as thick as they are many"
        return [_headed(groups, unit), *lines], [f"{said}: names are in the tables below."]
    some = _spread(groups)
    steps = next(((step, thick) for most, step, thick in _STEPS if len(some) <= most), (1, 1))
    told = ["Each thin bar is one group, sorted by its interval: names are in the tables below."]
    if len(some) < len(groups):
        told.append(f"Drawn are {len(some):,} of {len(groups):,}, of every size.")
    return [_strip(band, unit, *steps, noisy=noisy) for band in _bands(some)], told


def _spread(groups: Sequence[Row]) -> list[Row]:
    """Groups from small to large; of more than have room every second, say, in this order."""
    return sorted(groups, key=lambda row: row.n or 0)[:: -(-len(groups) // _LINES)]


def _bands(groups: Sequence[Row]) -> list[list[Row]]:
    """Groups of like size together, and in each band those with low intervals first.

    >>> sizes = [Row(n=n, value=0, low=0, high=1) for n in (5, 5, 8, 20, 20, 30, 30)]
    >>> [[row.n for row in band] for band in _bands(sizes)]
    [[5, 5], [8], [20, 20], [30, 30]]
    """
    if not groups:
        return []
    found: list[list[Row]] = [[]]
    alike = 2 * (groups[-1].n or 0) <= 3 * (groups[0].n or 0)
    for _, same in groupby(groups, key=lambda row: row.n):
        drawn = sum(map(len, found))
        if not alike and found[-1] and len(found) < _BANDS and drawn >= len(groups) * len(found) / (_BANDS + 1):
            found.append([])
        found[-1] += same
    return [sorted(band, key=_order) for band in found]


def _order(row: Row) -> tuple[float, float, float]:
    """From low intervals to high ones; of the same interval, those without a number first."""
    low, high = row.low or 0.0, row.high or 0.0
    return (low + high) / (row.n or 1), high, -1.0 if row.doubted else row.value


def _x(value: float | None, end: float) -> float:
    return 100 * min(max((value or 0.0) / end, 0.0), 1.0)


def _line(row: Row, end: float | None, *, all_: bool = False, single: bool = False, noisy: bool = False) -> Html:
    """A sum or a `single` group: its name, its bar, and its interval in words."""
    everybody, half = end or float(row.n or 1), _HALF_OF_ALL if all_ else _HALF
    bar = _drawing([row], [everybody], step=_NAMED_ROW if single else _ROW, thick=2 * half, noisy=noisy)
    name = row.answer or ", ".join(map(key_text, row.keys)) or "all groups"
    return element(
        "div", element("span", name, class_="name"), bar, _interval(row),
        class_="line all" if all_ else "line single" if single else "line",
    )  # fmt: skip


def _interval(row: Row) -> Html:
    of = [element("span", f" of {row.n:,}", class_="quiet")] if row.n is not None else []
    return element("span", element("b", span(row)), *of, class_="said")


def _headed(groups: Sequence[Row], unit: str) -> Html:
    """What the lines below are: how many groups of which sizes."""
    named = element("span", _many(groups), class_="name")
    return element(
        "div", named, element("span", _sizes(groups, unit), class_="said quiet"), class_="line groups headed"
    )


def _many(groups: Sequence[Row]) -> str:
    return f"{len(groups):,} group{'s' if len(groups) > 1 else ''}"


def _sizes(groups: Sequence[Row], unit: str) -> str:
    """How large groups are.

    >>> [_sizes([Row(n=n, value=0) for n in sizes], "people") for sizes in ([1, 1], [1, 3])]
    ['1 person each', '1 to 3 people each']
    """
    sizes = [row.n or 0 for row in groups]
    least, most = min(sizes), max(sizes)
    one = {"people": "person", "rows": "row"}.get(unit, unit) if most == 1 else unit
    return f"{least:,} {one} each" if least == most else f"{least:,} to {most:,} {one} each"


def _alike(groups: Sequence[Row], thick: int, *, noisy: bool) -> Html:
    """Groups with one interval and number as one bar: how many they are, the bar, and the interval in words."""
    row = max(groups, key=lambda row: row.widened)  # of one that is marked as widened, so that the mark is there
    bar = _drawing([row], [float(row.n or 1)], step=max(_ROW, thick + 8), thick=thick, noisy=noisy)
    return element("div", element("span", _many(groups), class_="name"), bar, _interval(row), class_="line")


def _strip(groups: Sequence[Row], unit: str, step: int, thick: int, *, noisy: bool) -> Html:
    """Single groups as thin bars; of a table that is too noisy to quote, as pale ones."""
    name, of = _many(groups), _sizes(groups, unit)
    wide = median(((row.high or 0.0) - (row.low or 0.0)) / (row.n or 1) for row in groups)
    alone = len(groups) if noisy else sum(row.doubted for row in groups)
    told = (
        f"{name} of {of}, a thin bar for each, from nobody to everybody. A typical interval spans {wide:.0%} of its "
        f"group; {alone:,} of {len(groups):,} have no number to quote."
    )
    ends = [float(row.n or 1) for row in groups]
    drawn = _drawing(groups, ends, step=step, thick=thick, told=told, noisy=noisy)
    beside = element("span", of, class_="said quiet")
    return element("div", element("span", name, class_="name"), drawn, beside, class_="line groups")


def _drawing(
    rows: Sequence[Row], ends: Sequence[float], *, step: int, thick: int, told: str = "", noisy: bool = False
) -> Html:
    """Bars below each other with their marks, each on a scale from 0 to its own end, as wide as there is room."""
    high = step * len(rows)
    spans: dict[str, list[str]] = {"span": [], "span pale": []}
    marks = []
    for place, (row, end) in enumerate(zip(rows, ends, strict=True)):
        top = step * place + (step - thick) / 2
        low, wide = _x(row.low, end), max(_x(row.high, end) - _x(row.low, end), 0.4)
        shape = f"M{min(low, 100 - wide):.2f} {top:g}h{wide:.2f}v{thick}h-{wide:.2f}z"
        spans["span pale" if noisy or row.says_little else "span"].append(shape)
        if not (noisy or row.doubted):
            over = (step - thick) / 4 if len(rows) == 1 else 0  # the mark of a single bar stands out over it
            marks.append(f"M{_x(row.value, end):.2f} {top - over:g}v{thick + 2 * over:g}")
    parts = [f'<path class="grid" d="{"".join(f"M{x} 0v{high}" for x in _GRID)}"/>']
    parts += [f'<path class="{look}" d="{"".join(shapes)}"/>' for look, shapes in spans.items() if shapes]
    if marks:
        parts.append(f'<path class="tick" d="{"".join(marks)}"/>')
    heard = {"role": "img", "aria_label": told} if told else {"aria_hidden": "true"}
    return element(
        "svg", Html("".join(parts)), viewBox=f"0 0 100 {high}", height=str(high), preserveAspectRatio="none",
        focusable="false", **heard,
    )  # fmt: skip


def _axis(end: float | None) -> Html:
    """The ends of the scale and its middle."""
    ends = ["0% (nobody)", "50%", "100% (everybody)"]
    if end is not None:
        ends = scale_text(end, lambda each: f"{each:,.10g}", whole=True).split(" to ")
    return element("div", element("span", *(element("span", each) for each in ends), class_="axis"), class_="line ends")


def _key(rows: Sequence[Row]) -> Iterator[str]:
    """What is drawn how, as far as it is there."""
    mark = "the mark is the number" + (", where one may be quoted" if any(row.doubted for row in rows) else "")
    yield f"Bars are intervals; {mark}."
    if any(row.says_little for row in rows):
        yield "A pale bar says next to nothing."
