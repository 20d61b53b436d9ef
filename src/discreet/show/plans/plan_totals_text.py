"""How the sums of a plan look: a row for the grand total and for the subtotals by each key, a
column for each shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from discreet.show import html
from discreet.show.plans.verdict_text import margin_number
from discreet.show.text import columns, folded, table

if TYPE_CHECKING:
    from discreet.tables.plan_totals import PlannedTotal

    Totals = tuple[PlannedTotal, ...]

_WHAT = "Sums{}: 95% margins, standard errors in brackets."
_SHAPES = {"": "no properties", "WH": "weakly honest", "F": "fair"}
"""What other shapes are called."""
_ANYTHING = "none: too noisy, a 95% interval would hold all from 0 to everybody."
_WIDER = (
    "Margins can exceed 1.96 std errors: the size of the noise depends on the true "
    "counts, and an upper limit is taken."
)
_NORMAL = 1.96
_ALONE = ("95% within", "std error")
"""The columns of one shape alone, as the table of groups above them has them."""


def total_lines(totals: Totals, *, named: bool = False, details: bool = True) -> list[str]:
    """The sums of a plan as lines of text; `named`: with the count of each, as there are other
    questions.
    """
    totals, same = _worth_showing(totals, details=details)
    alone = all(total.asked for total in totals)
    head, *rows = _rows(totals, named=named)
    if alone:
        shown = _ALONE if details else _ALONE[:1]
        head, rows = (head[0], *shown), [(row[0], *_parted(row[1])[: len(shown)]) for row in rows]
    widest = (
        columns()
        - 1
        - sum(max(len(row[place]) for row in (head, *rows)) + 2 for place in range(1, len(head)))
    )
    cut = [part for row in (head, *rows) for part in _within(row, max(8, widest - 2))]
    layout = " ".join(["<8", *[">10"] * (len(head) - 1)])
    title = [] if alone else folded(_what(totals), width=79, first="  ", later="  ")
    told = [*title, *table(cut, layout, gap=2)]
    said = [*same, *_said(totals, details=details)]
    notes = [line for text in said for line in folded(text, width=79, first="  ", later="    ")]
    return [*told, *([""] if notes else []), *notes]


def totals_html(totals: Totals, *, named: bool = False) -> html.Html:
    """The sums of a plan as a table."""
    totals, same = _worth_showing(totals, details=True)
    head, *rows = _rows(totals, named=named)
    said = " ".join((_what(totals), *same, *_said(totals, details=True)))
    return html.together(html.table(head, rows, words={0}), html.note(said))


def _worth_showing(totals: Totals, *, details: bool) -> tuple[Totals, list[str]]:
    """What was asked for, and no properties beside some; with `details` others too. Of equal
    columns, the first.

    The second part says which columns that are left out equal which.
    """
    by_shape: dict[str, list[PlannedTotal]] = {}
    for total in totals:
        by_shape.setdefault(_shape(total), []).append(total)
    shown: dict[str, dict[tuple[str, str], str]] = {}
    same = []
    for name, found in by_shape.items():
        if not (details or found[0].asked or not found[0].properties):
            continue
        numbers = {(total.count, total.by): _spread(total) for total in found}
        alike = next(
            (other for other, earlier in shown.items() if numbers.items() <= earlier.items()), ""
        )
        if alike:
            same.append(f'{name[:1].upper()}{name[1:]}: the same numbers as "{alike}".')
        else:
            shown[name] = numbers
    return tuple(total for total in totals if _shape(total) in shown), same


def _what(totals: Totals) -> str:
    """What the table is, and which shapes its columns are beside the one asked for."""
    others = dict.fromkeys(total.properties for total in totals if not total.asked)
    named = [f"{_SHAPES[code]} ({code})" if code else f"with {_SHAPES[code]}" for code in others]
    return _WHAT.format(
        f", as asked, and at the same epsilon {' or '.join(named)}" if named else ""
    )


def _rows(totals: Totals, *, named: bool) -> list[tuple[str, ...]]:
    """The names of the shapes, and below them a row for each sum of each count; counts that are
    alike have one unless they are to be named.
    """
    by_count: dict[str, dict[str, list[PlannedTotal]]] = {}
    for total in totals:
        by_count.setdefault(total.count, {}).setdefault(total.by, []).append(total)
    shapes = dict.fromkeys(_shape(total) for total in totals)
    numbers = {
        count: [
            tuple(
                {_shape(total): _spread(total) for total in found}.get(name, "-") for name in shapes
            )
            for found in sums.values()
        ]
        for count, sums in by_count.items()
    }
    alike = not named and all(rows == next(iter(numbers.values())) for rows in numbers.values())
    rows: list[tuple[str, ...]] = [("sum", *shapes)]
    for count, sums in list(by_count.items())[: 1 if alike else None]:
        for (by, found), row in zip(sums.items(), numbers[count], strict=True):
            name = by if found[0].sums == 1 else f"{by}, {found[0].sums:,}"
            if over := found[0].over:
                name += f", over every {over[0]}" if len(over) == 1 else ", over all earlier keys"
            rows.append((name if alike else f"{count}: {name}", *row))
    return rows


def _said(totals: Totals, *, details: bool) -> Iterator[str]:
    """What the numbers are, where a reader might take them for something else."""
    if any(total.answers > 1 for total in totals):
        yield "Of a question with several answers: the sum of one answer, on average."
    known = [
        (total.standard_error, total.width) for total in totals if total.standard_error is not None
    ]
    if any(width is None for _, width in known):
        yield _ANYTHING
    if details and any(
        width is not None and width / 2 > 1.01 * _NORMAL * error for error, width in known
    ):
        yield _WIDER
    yield from _compared(totals)


def _compared(totals: Totals) -> Iterator[str]:
    """What the shape asked for makes of the first count's first sum, beside no properties: of
    both numbers shown.
    """
    first = [
        total for total in totals if (total.count, total.by) == (totals[0].count, totals[0].by)
    ]
    asked = next(total for total in first if total.asked)
    plain = next((total for total in first if not total.properties), asked)
    pairs = {
        "95% margin": (asked.width, plain.width),
        "standard error": (asked.standard_error, plain.standard_error),
    }
    ratios = {name: mine / other for name, (mine, other) in pairs.items() if mine and other}
    if any(ratio > 1.05 for ratio in ratios.values()):
        what = "the mechanism given" if asked.given else asked.properties
        whose = asked.by if asked.sums == 1 else f"sums by {asked.by}"
        more = " and ".join(f"the {name} {ratio:.1f} times" for name, ratio in ratios.items())
        yield f"Of the {whose}, {what} makes {more} as large as without properties."


def _shape(total: PlannedTotal) -> str:
    if total.given:
        return total.properties
    return "as asked" if total.asked else _SHAPES[total.properties]


def _spread(total: PlannedTotal) -> str:
    if total.standard_error is None:
        return "unknown"
    margin = "none" if total.width is None else f"±{margin_number(total.width / 2)}"
    return f"{margin} ({margin_number(total.standard_error)})"


def _parted(spread: str) -> tuple[str, str]:
    """The margin and the standard error of a cell, in columns of their own."""
    margin, _, error = spread.partition(" ")
    return margin, error.strip("()")


def _within(row: tuple[str, ...], most: int) -> Iterator[tuple[str, ...]]:
    """A row whose name has room: what its sums are over goes to a line below where it must, and
    the rest is cut.
    """
    name, over, keys = row[0].partition(", over ")
    if len(row[0]) <= most or not over:
        yield (_cut(row[0], most), *row[1:])
        return
    yield (_cut(name, most), *row[1:])
    yield (_cut(f"  over {keys}", most), *("" for _ in row[1:]))


def _cut(name: str, most: int) -> str:
    """A name with room; of a count and its sum, the count gives way.

    >>> _cut("a long question: total", 16)
    'a lon...: total'
    """
    if len(name) <= most:
        return name
    count, colon, which = name.rpartition(": ")
    left = most - len(colon + which)
    return f"{count[: left - 3]}...{colon}{which}" if left > 5 else f"{name[: most - 3]}..."
