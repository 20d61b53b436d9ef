"""The picture at the head of a report: all of a release on one scale, from nobody to everybody.

Of a count of yes or no it has the total, the sums by the coarsest key, and single groups; of a question with several
answers, the total of each answer. Its rules are those of the tables: a number that is not to be quoted has no mark, an
interval that says next to nothing is pale.

Few groups have a line each, with their names, in the order of the tables. Of many groups, those of one size with the
same interval share a line, which says how many they are; they may have different numbers, so it has no mark. Where that
would be too many lines, some groups are drawn, with their names: their sizes and places alone decide which, never the
draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
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
_NAMED, _KINDS, _SOME = 30, 16, 12
"""Groups that are named, a line each; lines of groups with the same interval; and groups drawn of very many."""
_ROW, _HALF, _HALF_OF_ALL = 24, 4, 6
"""Pixels of a sum's line, and half of how high its bar is, and that of the total."""
_NAMED_ROW = 20
"""Pixels of a named group's line."""
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
    noisy = bool(words.too_noisy(findings, counted))
    drawn, named, told = _of_groups(groups, counted.unit, noisy=noisy)
    marked = any(not row.doubted for row in [*totals[:_ANSWERS], *sums, *([] if noisy else named)])
    pale = bool(noisy and groups) or any(row.says_little for row in [*totals[:_ANSWERS], *sums, *(named or groups)])
    return element(
        "figure",
        element(
            "figcaption", element("strong", finding(counted)), element("span", _below(findings, counted, left_out))
        ),
        element("div", *lines, *drawn, _axis(end), class_="lines"),
        element("p", " ".join(filter(None, [_key(marked=marked, pale=pale), told])), class_="note"),
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


def _of_groups(groups: Sequence[Row], unit: str, *, noisy: bool) -> tuple[list[Html], list[Row], str]:
    """The lines of single groups, which of them may have marks, and what the note below says of them."""
    if not groups:
        return [], [], ""
    many, sizes = f"{len(groups):,} group{'s' if len(groups) > 1 else ''}", _sizes(groups, unit)
    kinds = [list(alike) for _, alike in groupby(sorted(groups, key=_kind), key=_kind)]
    if len(groups) > _NAMED and len(kinds) <= _KINDS:
        lines = [_shared(kind, noisy=noisy) for kind in kinds]
        said = "Groups with the same interval share a line: their names and numbers are in the tables below."
        return [_headed(f"{many} of {sizes}", "in each group"), *lines], [], said
    head, some, told = f"{many} of {sizes}", list(groups), ""
    if len(groups) > _NAMED:
        some, told = _spread(groups), "All groups are in the tables below."
        head = f"{len(some)} of {many}, " + (f"of {sizes}" if some[0].n == some[-1].n else "from large to small")
    return [_headed(head, ""), *(_line(row, None, single=True, noisy=noisy) for row in some)], some, told


def _kind(row: Row) -> tuple[int, float, float]:
    """What groups that share a line have in common; lines are in this order, from small groups and low intervals on."""
    return row.n or 0, row.low or 0.0, row.high or 0.0


def _spread(groups: Sequence[Row]) -> list[Row]:
    """As many groups as have room, evenly from the largest to the smallest.

    >>> [row.n for row in _spread([Row(n=n, value=0) for n in range(1, 101)])]
    [100, 91, 82, 73, 64, 55, 46, 37, 28, 19, 10, 1]
    """
    sized = sorted(groups, key=lambda row: -(row.n or 0))
    return [sized[k * (len(sized) - 1) // (_SOME - 1)] for k in range(_SOME)]


def _x(value: float | None, end: float) -> float:
    return 100 * min(max((value or 0.0) / end, 0.0), 1.0)


def _line(row: Row, end: float | None, *, all_: bool = False, single: bool = False, noisy: bool = False) -> Html:
    """A sum or a `single` group: its name, its bar, and its interval in words."""
    everybody, half = end or float(row.n or 1), _HALF_OF_ALL if all_ else _HALF
    bar = _drawing(row, everybody, step=_NAMED_ROW if single else _ROW, half=half, noisy=noisy)
    name = row.answer or ", ".join(map(key_text, row.keys)) or "all groups"
    return element(
        "div", element("span", name, class_="name"), bar, _interval(row),
        class_="line all" if all_ else "line single" if single else "line",
    )  # fmt: skip


def _interval(row: Row) -> Html:
    of = [element("span", f" of {row.n:,}", class_="quiet")] if row.n is not None else []
    return element("span", element("b", span(row)), *of, class_="said")


def _headed(groups: str, said: str) -> Html:
    """What the lines below are: how many groups of which sizes."""
    return element(
        "div", element("span", groups, class_="name"), element("span", said, class_="said quiet"),
        class_="line headed",
    )  # fmt: skip


def _sizes(groups: Sequence[Row], unit: str) -> str:
    """How large groups are.

    >>> [_sizes([Row(n=n, value=0) for n in sizes], "people") for sizes in ([1, 1], [1, 3])]
    ['1 person each', '1 to 3 people each']
    """
    sizes = [row.n or 0 for row in groups]
    least, most = min(sizes), max(sizes)
    one = {"people": "person", "rows": "row"}.get(unit, unit) if most == 1 else unit
    return f"{least:,} {one} each" if least == most else f"{least:,} to {most:,} {one} each"


def _shared(groups: Sequence[Row], *, noisy: bool) -> Html:
    """Groups of one size with one interval: how many they are, the bar, and the interval in words."""
    row = max(groups, key=lambda row: row.widened)  # of one that is marked as widened, so that the sign is there
    name = f"{len(groups):,} group{'s' if len(groups) > 1 else ''}"
    bar = _drawing(row, float(row.n or 1), step=_ROW, half=_HALF, noisy=noisy, mark=False)
    return element("div", element("span", name, class_="name"), bar, _interval(row), class_="line")


def _drawing(row: Row, end: float, *, step: int, half: int, noisy: bool = False, mark: bool = True) -> Html:
    """A bar with its mark on a scale from 0 to an end, as wide as there is room."""
    low, wide = _x(row.low, end), max(_x(row.high, end) - _x(row.low, end), 0.4)
    look, top = "span pale" if noisy or row.says_little else "span", step / 2 - half
    parts = [
        f'<path class="grid" d="{"".join(f"M{x} 0v{step}" for x in _GRID)}"/>',
        f'<path class="{look}" d="M{min(low, 100 - wide):.2f} {top:g}h{wide:.2f}v{2 * half}h-{wide:.2f}z"/>',
    ]
    if mark and not (noisy or row.doubted):  # it stands out over its bar
        parts.append(f'<path class="tick" d="M{_x(row.value, end):.2f} {top / 2:g}v{step - top:g}"/>')
    return element(
        "svg", Html("".join(parts)), viewBox=f"0 0 100 {step}", height=str(step), preserveAspectRatio="none",
        focusable="false", aria_hidden="true",
    )  # fmt: skip


def _axis(end: float | None) -> Html:
    """The ends of the scale and its middle."""
    ends = ["0% (nobody)", "50%", "100% (everybody)"]
    if end is not None:
        ends = scale_text(end, lambda each: f"{each:,.10g}", whole=True).split(" to ")
    return element("div", element("span", *(element("span", each) for each in ends), class_="axis"), class_="line ends")


def _key(*, marked: bool, pale: bool) -> str:
    """What is drawn how, as far as it is there."""
    said = "Each bar is an interval" + (", and a mark on it is a number that may be quoted." if marked else ".")
    return f"{said} A pale bar says next to nothing." if pale else said
