"""How comparisons, recommendations and censuses look: text for an 80-column terminal, HTML for a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from discreet.choosing.measures import briefly
from discreet.core.properties import PROPERTIES
from discreet.show import html
from discreet.show.text import WIDTH, beside, columns, folded, table

if TYPE_CHECKING:
    from discreet.choosing.census import Census
    from discreet.choosing.comparison import Comparison, Entry
    from discreet.choosing.histograms.histogram_recommendation import HistogramRecommendation
    from discreet.choosing.recommendation import Recommendation
    from discreet.choosing.wishes import Cost
    from discreet.core.mechanism import Mechanism
    from discreet.core.properties import Shape
    from discreet.designer.orbits.cell_by_cell import Cells

E = TypeVar("E", bound=Any)
"""An entry of a comparison: it has n, privacy, label and mechanism."""
Values = Callable[[E], list[float]]

_LABEL, _WHAT = 11, 28
"""Room for a label, and the least room for what a mechanism is."""
_NUMBERS = ("L0", "L0,1", "L1", "L2", "RMSE", "bias", "truth")
_COSTS = ("wish", "mechanism", "L0", "over GM", "RMSE", "over GM", "total", "over GM")
_TOTAL = "total: the standard error of the unbiased total of 100 groups; none: there is none."
_SHAPE = len(" ".join(PROPERTIES))


def comparison_text(comparison: Comparison) -> str:
    """Lay the rows out under one heading per setting, in at most 80 columns."""
    return scored_text(comparison, _NUMBERS, _values, _legend(comparison), widest=_LABEL)


def comparison_html(comparison: Comparison) -> str:
    """Lay the rows out as an HTML table."""
    return scored_html(comparison, _NUMBERS, _values, _legend(comparison))


def scored_text(
    entries: Iterable[E], names: Sequence[str], values: Values[E], legend: str, *, widest: int, about: str = ""
) -> str:
    """Entries and their scores under one heading per setting; a label beyond `widest` gets a line of its own.

    A wider terminal gives room to labels, then to the space between numbers, then to what each mechanism is.
    """
    entries, room = list(entries), columns() - WIDTH
    longer = min(room, max((len(entry.label) for entry in entries), default=0) - widest)
    widest += max(0, longer)
    room -= max(0, longer)
    apart = min(2, room // (len(names) + 1))
    room -= apart * (len(names) + 1)
    layout = f"<{widest + 1 + apart} <{_SHAPE}" + f" >{7 + apart}" * len(names) + " <0"
    lines: list[str] = []
    for (n, privacy), alike in groupby(entries, key=lambda entry: (entry.n, entry.privacy)):
        labels, rows = [""], [["mechanism", "has", *names, "   what it is" if room >= _WHAT else ""]]
        for entry in alike:
            labels.append(entry.label)
            short = entry.label if len(entry.label) <= widest else ""
            what = f"   {_cut(_described(entry.mechanism), room - 3)}" if room >= _WHAT else ""
            rows.append([short, marks(entry.mechanism.shape), *map(briefly, values(entry)), what])
        lines += [*([""] if lines else []), f"n = {n}, {about}{privacy}"]
        for label, line in zip(labels, table(rows, layout, gap=0, indent=0), strict=True):
            lines += [*(folded(label) if len(label) > widest else []), line]
    return "\n".join([*lines, "", *folded(legend)])


def _described(mechanism: Mechanism | Cells) -> str:
    """What a mechanism is, in a few words."""
    origin = getattr(mechanism, "origin", None)
    if origin is None:
        return "each count by GM at epsilon/2"
    said = str(origin.method).removeprefix("closed form: ")
    return f"design by {said}" if said == "linear program" else said


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


def scored_html(entries: Iterable[E], names: Sequence[str], values: Values[E], legend: str) -> str:
    """The same as an HTML table."""
    rows = [
        [
            html.element("th", entry.label, scope="row", style="text-align:left"),
            entry.n,
            f"{float(entry.privacy.value):.6g}",
            entry.mechanism.shape,
            *map(briefly, values(entry)),
        ]
        for entry in entries
    ]
    return html.together(html.table(("", "n", "alpha", "has", *names), rows, words={3}), html.note(legend))


def _values(entry: Entry) -> list[float]:
    found = entry.measures
    exact = (found.l0, found.l01, found.l1, found.l2)
    return [*map(float, exact), found.rmse, float(found.worst_bias), float(found.least_truth)]


def marks(shape: Shape) -> str:
    """Write the properties of a shape in their places, and dots for the others."""
    return " ".join(name if name in shape else "." * len(name) for name in PROPERTIES)


def _legend(comparison: Comparison) -> str:
    text = (
        f"Scores are means over a {comparison.prior} prior; RMSE = sqrt(L2). "
        "bias: the largest |E[output] - true count|; truth: the smallest chance that the true count is reported."
    )
    if any(entry.mechanism.origin.problem is not None for entry in comparison):
        over = "worst-case" if comparison.worst_case else "mean"
        text += f" Designs have the least {over} {comparison.loss} of their properties."
    return text + (
        " Rows with equal numbers at one n and alpha are one mechanism." if _all_alike_are_one(comparison) else ""
    )


def _all_alike_are_one(comparison: Comparison) -> bool:
    """Whether there are rows that show the same numbers, and all such rows are the same mechanism."""
    first: dict[tuple[object, ...], Mechanism] = {}
    again = []
    for entry in comparison:
        shown = (entry.n, str(entry.privacy), *map(briefly, _values(entry)))
        if shown in first:
            again.append(first[shown] == entry.mechanism)
        else:
            first[shown] = entry.mechanism
    return bool(again) and all(again)


def recommendation_text(r: Recommendation) -> str:
    """Say what to use, why, and what each wish costs, in at most 80 columns."""
    lines = reasons_text([_title(r)], recommended_facts(r), r.steps)
    lines += ["", "What each wish costs (uniform prior)"]
    if r.costs:
        rows = [["", *_COSTS], *(["*" if cost.recommended else "", *_cells(cost)] for cost in r.costs)]
        lines += table(rows, "<2 <13 <9 >7 >9 >8 >9 >8 >9", gap=0, indent=0)
    return "\n".join([*lines, *beside("  ", _note(r))])


def recommendation_html(r: Recommendation) -> str:
    """Say the same as HTML."""
    chosen = [k for k, cost in enumerate(r.costs) if cost.recommended]
    return reasons_html(
        _title(r), recommended_facts(r), r.steps, _COSTS, [_cells(cost) for cost in r.costs], chosen, _note(r)
    )


def _note(r: Recommendation) -> str:
    return f"{r.note} {_TOTAL}" if r.costs else r.note


def reasons_text(title: list[str], facts: Iterable[tuple[str, str]], steps: Iterable[object]) -> list[str]:
    """What is recommended, and why, as lines."""
    lines = title
    for name, value in facts:
        lines += beside(f"  {name:<10}", value)
    lines += ["", "Why"]
    for number, step in enumerate(steps, start=1):
        lines += beside(f"  {number}. ", str(step))
    return lines


def reasons_html(
    title: str, facts: Iterable[tuple[str, str]], steps: Iterable[object],
    head: Sequence[str], costs: Sequence[Sequence[str]], chosen: Sequence[int], note: str,
) -> str:  # fmt: skip
    """What is recommended, why, and what each wish costs, as HTML."""
    listed = html.element("ol", *(html.element("li", str(step)) for step in steps))
    parts = [html.title(title), html.facts(list(facts)), listed]
    if costs:
        parts.append(html.table(head, costs, caption="What each wish costs", words={0, 1}, bold=list(chosen)))
    return html.together(*parts, html.note(note))


def _title(r: Recommendation) -> str:
    return f"Recommendation for groups of n = {r.n}, {r.privacy}"


def recommended_facts(r: Recommendation | HistogramRecommendation) -> list[tuple[str, str]]:
    """What was asked for, and what is recommended."""
    missing = " ".join(name for name in PROPERTIES if name not in r.mechanism.shape)
    return [
        ("asked for", str(r.asked) or "nothing beyond privacy"),
        ("use", f"the {r.title}"),
        ("has", str(r.mechanism.shape) + (f" (not {missing})" if missing else " (all seven)")),
        ("code", r.code),
        ("proof", r.proof),
    ]


def _cells(cost: Cost) -> list[str]:
    l0 = None if cost.l0 is None else float(cost.l0)
    numbers = [_show(l0), percent(cost.l0_over), _show(cost.rmse), percent(cost.rmse_over)]
    total = "none" if cost.total is None and l0 is not None else _show(cost.total)
    return [cost.wish, cost.mechanism, *numbers, total, percent(cost.total_over)]


def _show(value: float | None) -> str:
    return "-" if value is None else briefly(value)


def percent(value: float | None) -> str:
    """Write a part more or less in percent; far more as a factor.

    >>> percent(0.0142), percent(0), percent(29.5), percent(2e23)
    ('+1.42%', '0', '+2950%', 'x2e+23')
    """
    if value is None or value == 0:
        return "-" if value is None else "0"
    return f"{value:+.2%}" if value < 10 else f"{value:+.0%}" if value < 1000 else f"x{1 + value:.0e}"


def census_text(found: Census) -> str:
    """Describe a census in at most 80 columns."""
    from discreet.choosing.census_tables import wishes

    count, costs = len(found), len(found.costs)
    title = [
        f"Census of all 128 sets of properties under {found.loss}",
        f"n = {found.n}, {found.privacy}, {found.prior} prior",
        f"{count} behaviour{'s' if count != 1 else ''}, {costs} different optimal cost{'s' if costs != 1 else ''}; "
        f"{found.solved} problems solved, exactly",
    ]
    rows = [
        [f"{float(b.cost):.6f}", len(b.subsets), str(b.mechanism.shape) or "none of the seven"]
        for b in found.behaviours
    ]
    starts = table([["cost", "sets", "the mechanism has"], *rows], ">10 >4 <20", gap=2, indent=0)
    asked = ["for requests of at least", *map(wishes, found.behaviours)]
    width = max(38, *map(len, starts))
    body = [line for start, text in zip(starts, asked, strict=True) for line in beside(start.ljust(width), text)]
    return "\n".join([*title, "", *body])
