"""How histograms cell by cell, comparisons and recommendations of histograms look: text and
HTML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.choosing.measures import briefly
from discreet.core.named import NAMED
from discreet.core.properties import PROPERTIES
from discreet.core.rationals import shown
from discreet.show import html
from discreet.show.choices import (
    percent,
    reasons_html,
    reasons_text,
    recommended_facts,
    scored_html,
    scored_text,
)
from discreet.show.text import beside, folded, table

if TYPE_CHECKING:
    from discreet.choosing.histograms.histogram_comparison import (
        HistogramComparison,
        HistogramEntry,
    )
    from discreet.choosing.histograms.histogram_recommendation import (
        HistogramCost,
        HistogramRecommendation,
    )
    from discreet.designer.orbits.cell_by_cell import Cells

_LOSS = {"L0": "the chance of a wrong histogram", "L2": "the mean square of the number misplaced"}


def cells_text(found: Cells) -> str:
    """Describe cells in at most 80 columns: how each count is drawn, what that costs, and the
    bound next to it.
    """
    lines = [_title(found)]
    for name, value in _facts(found):
        lines += beside(f"  {name:<11}", value)
    return "\n".join(lines)


def cells_html(found: Cells) -> str:
    """Say the same as HTML."""
    return html.together(html.title(_title(found)), html.facts(_facts(found)))


def _title(found: Cells) -> str:
    text = str(found.domain)
    return f"{text[:1].upper()}{text[1:]}, cell by cell"


def _facts(found: Cells) -> list[tuple[str, str]]:
    cell = (
        f"{NAMED['GM'].title}, at epsilon/2 = {shown(found.cell_epsilon)}, alpha = "
        f"{shown(found.cell_alpha)}"
    )
    missing = " ".join(name for name in PROPERTIES if name not in found.shape)
    facts = [
        ("privacy", str(found.privacy)),
        ("answers", ", ".join(found.domain.names)),
        ("each count", f"{cell}, because one person's change touches two of the counts"),
        (
            "reading",
            f"as drawn: counts need not add up to {found.n}; misplaced is half of the sum of "
            "their errors",
        ),
        ("has", f"{found.shape} (not {missing})"),
    ]
    if found.loss in _LOSS:
        cost, bound = float(found.cost), float(found.bound)
        facts.append(
            (
                found.loss,
                f"{cost:.4f}, {_LOSS[found.loss]}; no joint mechanism has less than {bound:.4f}",
            )
        )
    people, fewest = float(found.misplaced), float(found.least_misplaced)
    facts.append(
        (
            "misplaced",
            f"{people:.4f} people on average; no joint mechanism has fewer than {fewest:.4f}",
        )
    )
    return [*facts, *([("not joint", found.because)] if found.because else [])]


_LABEL = 15
_SCORES = ("L0", "L1", "L2", "RMSE", "bias", "least")


def comparison_text(found: HistogramComparison) -> str:
    """Lay the rows out under one heading per setting, in at most 80 columns."""
    about = f"{len(found.answers)} answers, "
    return scored_text(found, _SCORES, _scores, _legend(found), widest=_LABEL, about=about)


def comparison_html(found: HistogramComparison) -> str:
    """Lay the rows out as an HTML table."""
    return scored_html(found, _SCORES, _scores, _legend(found))


def _scores(entry: HistogramEntry) -> list[float]:
    exact = (entry.l0, entry.l1, entry.l2)
    return [*map(float, exact), entry.rmse, float(entry.worst_bias), float(entry.least_truth)]


def _legend(found: HistogramComparison) -> str:
    over = "worst-case" if found.worst_case else "mean"
    text = (
        f"Means over a {found.prior} prior of histograms. L0: the chance of a wrong histogram; "
        "L1: people misplaced; L2: its square; RMSE = sqrt(L2); bias: the largest |E[count] - "
        "true count| of an answer; least: the smallest chance of a true histogram. Designs have "
        f"the least {over} {found.loss} of their properties."
    )
    labels = {entry.label for entry in found}
    if "cells" in labels:
        text += (
            " cells: each count by GM at epsilon/2, as drawn; misplaced is half of the sum of "
            "their errors."
        )
    if "RR" in labels:
        text += " RR: k-ary randomised response of each person."
    return f"{text} {found.note}".rstrip()


_COSTS = ("property", "release", "L0", "over joint", "misplaced", "over joint")


def recommendation_text(r: HistogramRecommendation) -> str:
    """Say what to use, why, and what each property costs, in at most 80 columns."""
    lines = reasons_text(folded(_recommended(r), later="  "), recommended_facts(r), r.steps)
    if r.costs:
        rows = [
            ["", *_COSTS],
            *(["*" if cost.recommended else "", *_prices(cost)] for cost in r.costs),
        ]
        lines += ["", "What each property costs (uniform over histograms)"]
        lines += table(rows, "<2 <19 <10 >8 >12 >11 >12", gap=0, indent=0)
    return "\n".join([*lines, *beside("  ", r.note)])


def recommendation_html(r: HistogramRecommendation) -> str:
    """Say the same as HTML."""
    chosen = [k for k, cost in enumerate(r.costs) if cost.recommended]
    costs = [_prices(cost) for cost in r.costs]
    return reasons_html(
        _recommended(r), recommended_facts(r), r.steps, _COSTS, costs, chosen, r.note
    )


def _recommended(r: HistogramRecommendation) -> str:
    return f"Recommendation for {r.domain}, {r.privacy}"


def _prices(cost: HistogramCost) -> list[str]:
    numbers = [briefly(float(cost.l0)), percent(cost.l0_over)]
    return [
        cost.wish,
        cost.mechanism,
        *numbers,
        briefly(float(cost.misplaced)),
        percent(cost.misplaced_over),
    ]
