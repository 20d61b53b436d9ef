"""Mechanisms side by side in a few numbers, and what each is the best for: what a terminal shows first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from discreet.choosing.wishes import TABLE_UP_TO
from discreet.core.properties import EVERYDAY
from discreet.show.choices import (
    MEANING,
    TOTAL,
    chance_text,
    designs_words,
    error_text,
    joined,
    no_margin,
    total_text,
)
from discreet.show.text import beside, folded, table

if TYPE_CHECKING:
    from discreet.choosing.comparison import Comparison, Entry
    from discreet.core.mechanism import Mechanism

    Total = tuple[float | None, float | None]

_HEAD = ("mechanism", "right", "off by", "total")
_SHAPES = ("F", "CM", "CH", "WH")
"""Properties that a mechanism may be the best with, from the one that is asked for itself to the weakest."""
_LABEL = 15


def brief_text(comparison: Comparison, *, more: str) -> str:
    """Chance of the truth, error and total of each, and what it is the best for, under one heading per setting.

    `more` says where the other scores are.
    """
    lines: list[str] = []
    shown: list[str] = []
    for (n, privacy), alike in groupby(comparison, key=lambda entry: (entry.n, entry.privacy)):
        rows = joined(alike)
        totals = [_total(entry.mechanism) for _, entry in rows]
        said = _best_for([entry for _, entry in rows], totals)
        cells = [_HEAD]
        for (label, entry), total in zip(rows, totals, strict=True):
            one = (chance_text(entry.measures.mean_truth), error_text(entry.measures.rmse))
            margin = "-" if n > TABLE_UP_TO else total_text(*total)
            cells.append((label if len(label) <= _LABEL else "", *one, margin))
            shown.append(margin)
        lines += [*([""] if lines else []), f"n = {n}, {privacy}"]
        laid = table(cells, f"<{_LABEL} >6 >6 >9", gap=1, indent=0)
        labels, words = ["", *(label for label, _ in rows)], ["best for", *said]
        for label, line, best in zip(labels, laid, words, strict=True):
            lines += folded(label) if len(label) > _LABEL else []
            lines += beside(f"{line}  ", best) if best else [line]
    return "\n".join([*lines, "", *folded(f"{_legend(comparison, shown)} {more}")])


def _legend(comparison: Comparison, shown: Sequence[str]) -> str:
    prior = "all true counts equally likely" if comparison.prior == "uniform" else f"a {comparison.prior} prior"
    text = f"{MEANING}, both with {prior}. {TOTAL}{no_margin(shown)}."
    if any(margin == "-" for margin in shown):
        text += f" It is not worked out for n > {TABLE_UP_TO}."
    quoted = " In quotes: right most often of those that have this property."
    return f"{text}{quoted if len(comparison) > 1 else ''} {designs_words(comparison)}".rstrip()


def _total(m: Mechanism) -> Total:
    """The standard error and the margin of a total of a hundred groups."""
    from discreet.reading.ahead.total_error import total_error, total_margin

    return (None, None) if m.n > TABLE_UP_TO else (total_error(m), total_margin(m))


def _best_for(entries: Sequence[Entry], totals: Sequence[Total]) -> list[str]:
    """What each is the best for, of those at one setting: nothing is said of one alone."""
    if len(entries) == 1:
        return [""]
    right = max(entry.measures.mean_truth for entry in entries)
    off = min(entry.measures.l2 for entry in entries)
    least = min((margin for _, margin in totals if margin is not None), default=None)
    found = []
    for entry, (_, margin) in zip(entries, totals, strict=True):
        words = {
            "exact numbers": entry.measures.mean_truth == right,
            "small errors": entry.measures.l2 == off,
            "totals": margin is not None and margin == least,
        }
        shape = "" if words["exact numbers"] else _best_with(entry, entries)
        found.append(", ".join([*(word for word, holds in words.items() if holds), *([shape] if shape else [])]))
    return found


def _best_with(entry: Entry, entries: Sequence[Entry]) -> str:
    """The first property with which none of the others is right more often."""
    for code in _SHAPES:
        rivals = [each.measures.mean_truth for each in entries if each.mechanism.satisfies(code)]
        if entry.mechanism.satisfies(code) and entry.measures.mean_truth == max(rivals):
            return f'"{EVERYDAY[code]}"'
    return ""
