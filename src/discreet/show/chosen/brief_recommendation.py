"""What to use and what each wish costs, in everyday words: what a terminal shows first.

Codes stand in brackets, to be typed; the walk through the paper's flowchart, the properties and the
proof are details.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.choosing.histograms.histogram_recommendation import HistogramRecommendation
from discreet.core.properties import EVERYDAY
from discreet.odds import learned, protects_little
from discreet.show.choices import (
    MEANING,
    TOTAL,
    chance_text,
    cost_numbers,
    error_text,
    no_margin,
    recommended_words,
)
from discreet.show.text import beside, table

if TYPE_CHECKING:
    from discreet.choosing.recommendation import Recommendation

_EQUALLY = "if all true counts are equally likely"
_WISHES = {
    "no properties": "nothing more",
    "CH or CM": f"{EVERYDAY['CM']} (CM)",
    "RM CM S": "the same for rows too (RM CM)",
    "blind guess": "a blind guess",
    "blind": "a blind guess",
    "counts one by one": "each answer drawn by itself",
    "trust nobody": "noise added by each person",
}
_WHOLE = (
    "all right: how often every number is the true one. misplaced: people under a wrong answer, "
    "on average; both if all true histograms are equally likely."
)


_DRAWN = {
    "joint": "Use one draw of all answers together: the best noise for whole histograms",
    "cells": "Draw each answer by itself, by geometric noise at half of epsilon: one draw of "
    "all is not designed here",
}


def brief_text(r: Recommendation | HistogramRecommendation) -> str:
    """What to use, what it is worth, and a table of wishes."""
    if isinstance(r, HistogramRecommendation):
        shape = f", with what was asked for ({r.asked})" if str(r.asked) and r.costs else ""
        title, said, layout = f"For {r.domain}", [f"{_DRAWN[r.box]}{shape}."], "<2 <36 >11 >12"
        head = ["if you want", "all right", "misplaced"]
        wishes = [(cost.wish, cost.recommended) for cost in r.costs]
        numbers = [
            [chance_text(1 - cost.l0), error_text(float(cost.misplaced))] for cost in r.costs
        ]
        meaning = _WHOLE
    else:
        title, said, layout = f"For groups of {r.n:,}", _as_asked(r), "<2 <36 >9 >10 >12"
        head = ["if you want", "right", "off by", "total"]
        wishes = [(cost.wish, cost.recommended) for cost in r.costs]
        numbers = [cost_numbers(cost) for cost in r.costs]
        meaning = f"{MEANING}, both {_EQUALLY}. {TOTAL}{no_margin(cells[-1] for cells in numbers)}."
    lines = [f"{title} at epsilon {float(r.privacy.epsilon):.6g}"]
    if protects_little(r.privacy.value):
        said = [f"This protects little: {learned(r.privacy.value)}.", *said]
    lines += [line for words in said for line in beside("  ", words)]
    if not wishes:
        return "\n".join([*lines, *beside("  ", r.note)])
    rows = [
        ["*" if best else "", _wish(wish), *cells]
        for (wish, best), cells in zip(wishes, numbers, strict=True)
    ]
    lines += ["", *table([["", *head], *rows], layout, gap=0, indent=0)]
    return "\n".join([*lines, *beside("  ", f"* {_why(r)}. {meaning}")])


def _as_asked(r: Recommendation) -> list[str]:
    """What to use, and that it is what was asked for, where something was."""
    first, *others = recommended_words(r)
    if not str(r.asked) or r.box == "designed":  # which says so itself
        return [first, *others]
    if r.box in ("GM", "UM") or (r.box == "EM" and "F" not in r.asked.names):
        return [first, f"It has what you asked for ({r.asked}).", *others]
    return [f"As you asked ({r.asked}), {first[:1].lower()}{first[1:]}", *others]


def _why(r: Recommendation | HistogramRecommendation) -> str:
    """Why the row with the star is recommended."""
    if isinstance(r, HistogramRecommendation):
        wrong = [cost.l0 for cost in r.costs if cost.recommended]
        better = r.box == "joint" and bool(wrong) and any(cost.l0 < wrong[0] for cost in r.costs)
        return (
            f"as you asked: what is right more often lacks {r.asked}"
            if better and str(r.asked)
            else "recommended"
        )
    right = [cost.right for cost in r.costs if cost.recommended and cost.right is not None]
    if right and any(cost.right is not None and cost.right > right[0] for cost in r.costs):
        no_total = any(
            cost.wish == str(r.asked) and cost.total is None and not cost.recommended
            for cost in r.costs
        )
        rows = " (and RM, because without it totals have no estimate)" if no_total else ""
        return f"as you asked{rows}: what is right more often lacks {r.asked}"
    return "recommended: nothing is right more often"


def _wish(wish: str) -> str:
    """A wish in everyday words, with the code to type."""
    if wish in _WISHES or wish == "as asked":
        return _WISHES.get(wish, wish)
    return f"{EVERYDAY[wish]} ({wish})" if wish in EVERYDAY else f"as asked ({wish})"
