"""How comparisons, recommendations and censuses look: text for an 80-column terminal, HTML for a
notebook.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from discreet.choosing.flowchart import for_single_numbers
from discreet.choosing.measures import briefly
from discreet.core.properties import PROPERTIES
from discreet.show import html
from discreet.show.plans.verdict_text import margin_number, single_group
from discreet.show.text import NEAREST, READ_RAW, WIDTH, beside, columns, folded, in_words_of, table

if TYPE_CHECKING:
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
_NUMBERS = ("L0", "L0,1", "L1", "L2", "RMSE", "bias", "least")
_COSTS = ("property", "right", "off by", "total")
MEANING = "right: how often the published number is the true one. off by: its typical error (RMSE)"
TOTAL = "total: the 95% margin of 100 groups"
_NO_MARGIN = {
    "none": "no unbiased estimate",
    "too noisy": "it would hold every total that is possible",
}
_SHAPE = len(" ".join(PROPERTIES))


def comparison_text(comparison: Comparison) -> str:
    """Lay the rows out under one heading per setting, in at most 80 columns."""
    return scored_text(
        comparison, _NUMBERS, _values, _legend(comparison), widest=_LABEL, said=_best
    )


def comparison_html(comparison: Comparison) -> str:
    """Lay the rows out as an HTML table."""
    return scored_html(comparison, _NUMBERS, _values, _legend(comparison))


def scored_text(
    entries: Iterable[E],
    names: Sequence[str],
    values: Values[E],
    legend: str,
    *,
    widest: int,
    about: str = "",
    said: Callable[[Sequence[E]], str] | None = None,
) -> str:
    """Entries and their scores under one heading per setting; a label beyond `widest` gets a line
    of its own.

    `said` puts what decides among the entries of a setting in words, which stand below the heading.
    A wider terminal gives room to labels, then to the space between numbers, then to what each
    mechanism is.
    """
    entries, room = list(entries), columns() - WIDTH
    longer = min(room, max((len(label) for label, _ in joined(entries)), default=0) - widest)
    widest += max(0, longer)
    room -= max(0, longer)
    apart = min(2, room // (len(names) + 1))
    room -= apart * (len(names) + 1)
    layout = f"<{widest + 1 + apart} <{_SHAPE}" + f" >{7 + apart}" * len(names) + " <0"
    lines: list[str] = []
    for (n, privacy), alike in groupby(entries, key=lambda entry: (entry.n, entry.privacy)):
        labels, rows = (
            [""],
            [["mechanism", "has", *names, "   what it is" if room >= _WHAT else ""]],
        )
        here = list(alike)
        for label, entry in joined(here):
            labels.append(label)
            short = label if len(label) <= widest else ""
            what = f"   {_cut(_described(entry.mechanism), room - 3)}" if room >= _WHAT else ""
            rows.append([short, marks(entry.mechanism.shape), *map(briefly, values(entry)), what])
        lines += [*([""] if lines else []), f"n = {n}, {about}{privacy}"]
        lines += folded(said(here), first="  ", later="  ") if said and len(here) > 1 else []
        for label, line in zip(labels, table(rows, layout, gap=0, indent=0), strict=True):
            lines += [*(folded(label) if len(label) > widest else []), line]
    return "\n".join([*lines, "", *folded(legend)])


def joined(entries: Iterable[E]) -> list[tuple[str, E]]:
    """One entry of each mechanism at each setting, under the labels of all rows that are the
    same mechanism.
    """
    found: list[tuple[str, E]] = []
    for entry in entries:
        same = (k for k, (_, one) in enumerate(found) if _setting(one) == _setting(entry))
        place = next((k for k in same if found[k][1].mechanism == entry.mechanism), None)
        if place is None:
            found.append((entry.label, entry))
        else:
            found[place] = (f"{found[place][0]} = {entry.label}", found[place][1])
    return found


def _setting(entry: Any) -> tuple[object, object]:
    return entry.n, entry.privacy


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
            html.element("th", label, scope="row", style="text-align:left"),
            entry.n,
            f"{float(entry.privacy.value):.6g}",
            entry.mechanism.shape,
            *map(briefly, values(entry)),
        ]
        for label, entry in joined(entries)
    ]
    return html.together(
        html.table(("", "n", "alpha", "has", *names), rows, words={3}), html.note(legend)
    )


def _values(entry: Entry) -> list[float]:
    found = entry.measures
    exact = (found.l0, found.l01, found.l1, found.l2)
    return [*map(float, exact), found.rmse, float(found.worst_bias), float(found.least_truth)]


def marks(shape: Shape) -> str:
    """Write the properties of a shape in their places, and dots for the others."""
    return " ".join(name if name in shape else "." * len(name) for name in PROPERTIES)


def _best(entries: Sequence[Entry]) -> str:
    """Which is right most often, and which is the least off, of the mechanisms at one setting."""
    right, off = (max(e.measures.mean_truth for e in entries), min(e.measures.l2 for e in entries))
    oftenest = [e for e in entries if e.measures.mean_truth == right]
    nearest = [e for e in entries if e.measures.l2 == off]
    first, second = (", ".join(label for label, _ in joined(some)) for some in (oftenest, nearest))
    chance, error = (
        f"in {chance_text(right)} of draws",
        f"typically off by {error_text(nearest[0].measures.rmse)}",
    )
    if first == second:
        return f"Right most often and nearest to the truth: {first}, right {chance} and {error}."
    return f"Right most often: {first}, {chance}. Nearest to the truth: {second}, {error}."


def _legend(comparison: Comparison) -> str:
    text = (
        f"Means over a {comparison.prior} prior. L0: wrong answers, a blind guess (UM) costs 1; "
        "L0,1: more than 1 off, on the same scale; L1: the error; L2: its square; RMSE: the "
        "typical error, sqrt(L2). bias: the largest |E[output] - true count|; least: the smallest "
        "chance that a true count is published."
    )
    return f"{text} {designs_words(comparison)}".rstrip()


def designs_words(comparison: Comparison) -> str:
    """What the designs among the rows are the best for; nothing where there are none."""
    if all(entry.mechanism.origin.problem is None for entry in comparison):
        return ""
    over = "worst-case" if comparison.worst_case else "mean"
    return f"Designs have the least {over} {comparison.loss} of their properties."


def recommendation_text(r: Recommendation) -> str:
    """Say what to use, why, and what each property costs, in at most 80 columns."""
    said = [line for words in recommended_words(r) for line in beside("  ", words)]
    lines = reasons_text([_title(r), *said, ""], recommended_facts(r), r.steps)
    lines += ["", f"What each property costs{_EQUALLY if r.costs else ''}"]
    if r.costs:
        rows = [
            ["", *_COSTS],
            *(["*" if cost.recommended else "", *_cells(cost)] for cost in r.costs),
        ]
        lines += table(rows, "<2 <36 >9 >10 >12", gap=0, indent=0)
    return "\n".join([*lines, *beside("  ", _note(r))])


def recommendation_html(r: Recommendation) -> str:
    """Say the same as HTML."""
    chosen = [k for k, cost in enumerate(r.costs) if cost.recommended]
    rows, said = [_cells(cost) for cost in r.costs], recommended_words(r)
    return reasons_html(
        _title(r), recommended_facts(r), r.steps, _COSTS, rows, chosen, _note(r), said=said
    )


def _note(r: Recommendation) -> str:
    if not r.costs:
        return r.note
    return f"* recommended. {MEANING}. {TOTAL}{no_margin(map(_total, r.costs))}. {r.note}"


def no_margin(shown: Iterable[str]) -> str:
    """What the words mean that stand for a margin, where some do."""
    words = set(shown)
    return "".join(f"; {word}: {said}" for word, said in _NO_MARGIN.items() if word in words)


def reasons_text(
    title: list[str], facts: Iterable[tuple[str, str]], steps: Iterable[object]
) -> list[str]:
    """What is recommended, and why, as lines."""
    lines = title
    for name, value in facts:
        lines += beside(f"  {name:<10}", value)
    lines += ["", "Why"]
    for number, step in enumerate(steps, start=1):
        lines += beside(f"  {number}. ", str(step))
    return lines


def reasons_html(
    title: str,
    facts: Iterable[tuple[str, str]],
    steps: Iterable[object],
    head: Sequence[str],
    costs: Sequence[Sequence[str]],
    chosen: Sequence[int],
    note: str,
    said: Sequence[str] = (),
) -> str:
    """What is recommended, why, and what each property costs, as HTML."""
    listed = html.element("ol", *(html.element("li", str(step)) for step in steps))
    parts = [
        html.title(title),
        *(html.element("p", words) for words in said),
        html.facts(list(facts)),
        listed,
    ]
    if costs:
        words = {k for k, name in enumerate(head) if name in ("property", "release")}
        parts.append(
            html.table(
                head, costs, caption="What each property costs", words=words, bold=list(chosen)
            )
        )
    return html.together(*parts, html.note(note))


def _title(r: Recommendation) -> str:
    return f"Recommendation for groups of n = {r.n}, {r.privacy}"


def recommended_words(r: Recommendation) -> list[str]:
    """What to use, how often a number is right, how far off it is, and what a total is worth: a
    sentence each.
    """
    column = "CM" if r.mechanism.satisfies("CM") else "CH"
    use = {
        "GM": "Use geometric noise, cut off at 0 and n: the usual noise (GM).",
        "WM": "Use the best noise with weak honesty (WM): the truth is never less likely than by "
        "a blind guess.",
        "WH+CM": f"Use the best noise with {_named(column)}: {_PROMISED[column]}.",
        "EM": "Use the best fair noise (EM): every true count has the same chance to be published.",
        "UM": "Only a blind guess is left (UM): at epsilon 0 nothing may depend on the data.",
        "designed": f"Use the best noise with what was asked for ({r.asked}).",
    }
    return [
        use[r.box],
        *(words for cost in r.costs if cost.recommended for words in _worth(r, cost)),
        *_read_raw(r),
    ]


def _worth(r: Recommendation, cost: Cost) -> Iterator[str]:
    """What one number and a total are worth, of what is recommended."""
    guess = chance_text(Fraction(1, r.n + 1))
    yield (
        f"A published number is right in {chance_text(cost.right)} of draws (a blind guess in "
        f"{guess}), and typically off by {error_text(cost.rmse)}, if all true counts are equally "
        "likely."
    )
    yield single_group(r.mechanism)
    if cost.margin is not None:
        yield (
            f"The total of 100 such groups is off by at most {margin_text(cost.margin)[1:]} in "
            "95% of draws."
        )
    elif cost.total is None:
        yield "Totals of such groups have no unbiased estimate."
    else:
        yield (
            "The total of 100 such groups is too noisy: its 95% margin would hold every total "
            "that is possible."
        )


def _read_raw(r: Recommendation) -> Iterator[str]:
    """What to ask for where single numbers are read as they stand; nothing where GM grants it,
    or a wish was made.
    """
    if not str(r.asked) and r.box == "GM" and r.n > 1 and for_single_numbers(r.privacy):
        asked = for_single_numbers(r.privacy)
        typed = in_words_of(f'properties="{asked}"', f"-p {shlex.quote(asked)}")
        yield f"{READ_RAW}, ask for noise by which {NEAREST} ({typed})."


_PROMISED = {"CM": NEAREST, "CH": "no number is likelier than the truth"}
_EQUALLY = " (all true counts equally likely)"
_WISHES = {
    "no properties": "none",
    "WH": "weak honesty (WH)",
    "CH or CM": "column monotonicity (CM)",
    "CM": "column monotonicity (CM)",
    "CH": "column honesty (CH)",
    "RM CM S": "with row monotonicity (RM CM)",
    "F": "fairness (F)",
    "blind guess": "a blind guess",
}
"""The wishes in words; others are named by their codes."""


def _named(code: str) -> str:
    return f"{PROPERTIES[code].full_name} ({code})"


def recommended_facts(r: Recommendation | HistogramRecommendation) -> list[tuple[str, str]]:
    """What was asked for, and what is recommended."""
    missing = [_named(name) for name in PROPERTIES if name not in r.mechanism.shape]
    but = " and ".join(filter(None, (", ".join(missing[:-1]), *missing[-1:])))
    return [
        ("asked for", str(r.asked) or "nothing beyond privacy"),
        ("use", f"the {r.title}"),
        ("has", f"all seven properties{f' but {but}' if missing else ''}"),
        ("code", r.code),
        ("proof", r.proof),
    ]


def _cells(cost: Cost) -> list[str]:
    return [_wish(cost), *cost_numbers(cost)]


def cost_numbers(cost: Cost) -> list[str]:
    """How often a number is right, how far off it is, and the margin of a total; dashes where
    nothing is known.
    """
    return (
        ["-"] * 3
        if cost.l0 is None
        else [chance_text(cost.right), error_text(cost.rmse), _total(cost)]
    )


def _total(cost: Cost) -> str:
    return "-" if cost.l0 is None else total_text(cost.total, cost.margin)


def total_text(error: float | None, margin: float | None) -> str:
    """The margin of a total, or why there is none."""
    return "none" if error is None else "too noisy" if margin is None else margin_text(margin)


def _wish(cost: Cost) -> str:
    """A wish in words, and the name of what grants it where that is another."""
    said = _WISHES.get(
        cost.wish, f"as asked ({cost.wish})" if cost.wish != "as asked" else cost.wish
    )
    return (
        said if cost.mechanism in (cost.wish, "designed", "WH+CM") else f"{said}: {cost.mechanism}"
    )


def chance_text(value: Fraction | None) -> str:
    """A chance in percent, never rounded to certainty.

    >>> (
    ...     chance_text(Fraction(1, 9)),
    ...     chance_text(Fraction(1, 2)),
    ...     chance_text(1 - Fraction(1, 10**9)),
    ... )
    ('11.1%', '50.0%', '>99.9%')
    """
    if value is None:
        return "-"
    digits = ".1f" if Fraction(1, 10) <= value < 1 else ".3g"
    return ">99.9%" if Fraction(999, 1000) < value < 1 else f"{float(100 * value):{digits}}%"


def error_text(value: float | None) -> str:
    """A typical error, in two decimals unless it is small."""
    return "-" if value is None else f"{value:.2f}" if value >= 0.1 else briefly(value)


def margin_text(value: float) -> str:
    """A margin, with the digits that a plan gives it."""
    return f"±{margin_number(value)}"


def percent(value: float | None) -> str:
    """Write a part more or less in percent; far more as a factor.

    >>> percent(0.0142), percent(0), percent(29.5), percent(2e23)
    ('+1.42%', '0', '+2950%', 'x2e+23')
    """
    if value is None or value == 0:
        return "-" if value is None else "0"
    return (
        f"{value:+.2%}" if value < 10 else f"{value:+.0%}" if value < 1000 else f"x{1 + value:.0e}"
    )
