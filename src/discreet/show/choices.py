"""How comparisons and recommendations look: text for an 80-column terminal, HTML for a notebook."""

from __future__ import annotations

import re
from html import escape
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from discreet.choosing.measures import briefly
from discreet.core.properties import PROPERTIES

if TYPE_CHECKING:
    from discreet.choosing.comparison import Comparison, Entry
    from discreet.choosing.recommendation import Recommendation
    from discreet.choosing.wishes import Cost

WIDTH = 80
_LABEL = 11
_NUMBERS = ("L0", "L0,1", "L1", "L2", "RMSE", "bias", "truth")
_SHAPE = len(" ".join(PROPERTIES))


def comparison_text(comparison: Comparison) -> str:
    """Lay the rows out under one heading per setting, in at most 80 columns."""
    head = " " * _LABEL + " " + "has".ljust(_SHAPE) + "".join(f"{name:>7}" for name in _NUMBERS)
    lines: list[str] = []
    for setting, entries in groupby(comparison, key=lambda entry: (entry.n, entry.privacy)):
        lines += [*([""] if lines else []), f"n = {setting[0]}, {setting[1]}", head]
        for entry in entries:
            values = "".join(f"{briefly(value):>7}" for value in _values(entry))
            label = entry.label
            if len(label) > _LABEL:
                # a label too long for its column gets a line of its own
                lines += wrap(label, WIDTH, break_long_words=False, break_on_hyphens=False)
                label = ""
            lines.append(f"{label:<{_LABEL}} {_marks(entry)}{values}")
    return "\n".join([*lines, "", *wrap(_legend(comparison), WIDTH, break_long_words=False, break_on_hyphens=False)])


def comparison_html(comparison: Comparison) -> str:
    """Lay the rows out as an HTML table."""
    names = ("", "n", "alpha", "has", *_NUMBERS)
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        f"<tr><th style='text-align:left'>{escape(entry.label)}</th><td>{entry.n}</td>"
        f"<td>{float(entry.privacy.value):.6g}</td>"
        f"<td style='text-align:left'>{escape(str(entry.mechanism.shape))}</td>"
        + "".join(f"<td>{briefly(value)}</td>" for value in _values(entry))
        + "</tr>"
        for entry in comparison
    )
    return f"<table><tr>{head}</tr>{body}</table><small>{escape(_legend(comparison))}</small>"


def _values(entry: Entry) -> list[float]:
    found = entry.measures
    exact = (found.l0, found.l01, found.l1, found.l2)
    return [*map(float, exact), found.rmse, float(found.worst_bias), float(found.least_truth)]


def _marks(entry: Entry) -> str:
    return " ".join(name if name in entry.mechanism.shape else "." * len(name) for name in PROPERTIES)


def _legend(comparison: Comparison) -> str:
    text = (
        f"Scores are means over a {comparison.prior} prior; RMSE = sqrt(L2). "
        "bias: the largest |E[output] - true count|; truth: the smallest chance that the true count is reported."
    )
    if all(entry.mechanism.origin.problem is None for entry in comparison):
        return text
    over = "worst-case" if comparison.worst_case else "mean"
    return f"{text} Designs have the least {over} {comparison.loss} of their properties."


def recommendation_text(r: Recommendation) -> str:
    """Say what to use, why, and what each wish costs, in at most 80 columns."""
    lines = [f"Recommendation for groups of n = {r.n}, {r.privacy}"]
    for name, value in _facts(r):
        lines += _hung(f"  {name:<10}", value)
    lines += ["", "Why"]
    for number, step in enumerate(r.steps, start=1):
        lines += _hung(f"  {number}. ", str(step))
    lines += ["", "What each wish costs (uniform prior)"]
    if not r.costs:
        return "\n".join([*lines, *_hung("  ", r.note)])
    lines.append(f"  {'wish':<15}{'mechanism':<11}{'L0':>10}{'over GM':>10}{'RMSE':>10}{'over GM':>10}")
    for cost in r.costs:
        wish, mechanism, *numbers = _cells(cost)
        mark = "*" if cost.recommended else " "
        lines.append(f"{mark} {wish:<15}{mechanism:<11}" + "".join(f"{number:>10}" for number in numbers))
    return "\n".join([*lines, *_hung("  ", r.note)])


def recommendation_html(r: Recommendation) -> str:
    """Say the same as HTML."""
    facts = "".join(
        f"<tr><th>{escape(name)}</th><td style='text-align:left'>{escape(v)}</td></tr>" for name, v in _facts(r)
    )
    steps = "".join(f"<li>{escape(str(step))}</li>" for step in r.steps)
    head = "".join(f"<th>{name}</th>" for name in ("wish", "mechanism", "L0", "over GM", "RMSE", "over GM"))
    body = "".join(
        f"<tr{' style=font-weight:bold' if cost.recommended else ''}>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(cost))
        + "</tr>"
        for cost in r.costs
    )
    costs = f"<table><caption>What each wish costs</caption><tr>{head}</tr>{body}</table>" if r.costs else ""
    title = f"Recommendation for groups of n = {r.n}, {r.privacy}"
    return f"<b>{escape(title)}</b><table>{facts}</table><ol>{steps}</ol>{costs}<small>{escape(r.note)}</small>"


def _facts(r: Recommendation) -> list[tuple[str, str]]:
    missing = " ".join(name for name in PROPERTIES if name not in r.mechanism.shape)
    return [
        ("asked for", str(r.asked) or "nothing beyond privacy"),
        ("use", f"the {r.title}"),
        ("has", str(r.mechanism.shape) + (f" (not {missing})" if missing else " (all seven)")),
        ("code", r.code),
        ("proof", r.proof),
    ]


def _hung(label: str, text: str) -> list[str]:
    """Wrap text beside a label, with the later lines hung under the first; what stands in quotes stays whole."""
    joined = re.sub(r'"[^"]*"', lambda quoted: quoted[0].replace(" ", "\xa0"), text)
    lines = wrap(
        joined, WIDTH, initial_indent=label, subsequent_indent=" " * len(label), break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    return [line.replace("\xa0", " ") for line in lines]


def _cells(cost: Cost) -> list[str]:
    l0 = None if cost.l0 is None else float(cost.l0)
    numbers = [_show(l0), _percent(cost.l0_over), _show(cost.rmse), _percent(cost.rmse_over)]
    return [cost.wish, cost.mechanism, *numbers]


def _show(value: float | None) -> str:
    return "-" if value is None else briefly(value)


def _percent(value: float | None) -> str:
    return "-" if value is None else "0" if value == 0 else f"{value:+.2%}"
