"""Mechanisms side by side in a few numbers, and what each is the best for: what a terminal shows
first.
"""

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
    error_text,
    joined,
    no_margin,
    total_text,
)
from discreet.show.text import beside, folded, spare, table

if TYPE_CHECKING:
    from discreet.choosing.comparison import Comparison, Entry
    from discreet.core.mechanism import Mechanism

    Total = tuple[float | None, float | None]

_HEAD = ("mechanism", "right", "off by", "total")
_NAMED = {"GM": "usual noise", "WM": "best weakly honest", "EM": "best fair", "UM": "blind guess"}
"""What mechanisms of a name are, in a word or two; a design is called by its properties."""
_LABEL = 36


def brief_text(comparison: Comparison, *, more: str) -> str:
    """Chance of the truth, error and total of each, and what it is the best for, under one heading
    per setting.

    `more` says where the other scores are.
    """
    lines: list[str] = []
    shown: list[str] = []
    for (n, privacy), alike in groupby(comparison, key=lambda entry: (entry.n, entry.privacy)):
        rows = joined(alike)
        totals = [_total(entry.mechanism) for _, entry in rows]
        said = _best_for([entry for _, entry in rows], totals)
        cells, labels = [_HEAD], ["", *(_in_words(label.partition(" = ")[0]) for label, _ in rows)]
        widest = min(_LABEL, max(map(len, labels)))
        for label, (_, entry), total in zip(labels[1:], rows, totals, strict=True):
            one = (chance_text(entry.measures.mean_truth), error_text(entry.measures.rmse))
            margin = "-" if n > TABLE_UP_TO else total_text(*total)
            cells.append((label if len(label) <= _LABEL else "", *one, margin))
            shown.append(margin)
        lines += [
            *([""] if lines else []),
            *folded(f"n = {n}, {privacy}, {_prior(comparison)}", later="  "),
        ]
        laid = table(cells, f"<{widest} >5 >6 >7", gap=2)
        for label, line, best in zip(
            labels, laid, ["best for" if any(said) else "", *said], strict=True
        ):
            lines += folded(label, first="  ", later="  ") if len(label) > _LABEL else []
            # on a narrower terminal the table is made narrower as a whole
            lines += (
                beside(f"{line}  ", best) if best and spare() >= 0 else [f"{line}  {best}".rstrip()]
            )
        lines += [
            line for label, _ in rows for line in folded(_alike(label), first="  ", later="  ")
        ]
    return "\n".join(
        [*lines, *folded(f"{_legend(comparison, shown)} {more}", width=79, first="  ", later="  ")]
    )


def _legend(comparison: Comparison, shown: Sequence[str]) -> str:
    text = f"{MEANING}. {TOTAL}{no_margin(shown)}."
    if any(margin == "-" for margin in shown):
        text += f" It is not worked out for n > {TABLE_UP_TO}."
    rate = ' If 30% say yes: --prior "Binomial(0.3)".' if comparison.prior == "uniform" else ""
    return f"{text}{rate}"


def _prior(comparison: Comparison) -> str:
    return (
        "all true counts equally likely"
        if comparison.prior == "uniform"
        else f"a {comparison.prior} prior"
    )


def _in_words(label: str) -> str:
    """A mechanism in everyday words, with its code.

    >>> _in_words("GM"), _in_words("CM WH"), _in_words("Laplace"), _in_words("ODP:9/10")
    ('usual noise (GM)', 'no farther answer likelier (CM WH)', 'Laplace', 'ODP:9/10')
    """
    codes = [code for code in EVERYDAY if code in label.split()]  # CM and F first
    said = _NAMED.get(label) or (EVERYDAY[codes[0]] if codes else "")
    return f"{said} ({label})" if said else label


def _alike(label: str) -> str:
    """That some of those compared are one mechanism; nothing of one alone.

    >>> _alike("GM = WM = CM WH"), _alike("EM")
    ('Here best weakly honest (WM) and no farther answer likelier (CM WH) are the same as usual
    noise (GM).', '')
    """
    first, *others = map(_in_words, label.split(" = "))
    if not others:
        return ""
    named = f"{', '.join(others[:-1])} and {others[-1]} are" if others[1:] else f"{others[0]} is"
    return f"Here {named} the same as {first}."


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
            "exact": entry.measures.mean_truth == right,
            "small errors": entry.measures.l2 == off,
            "totals": margin is not None and margin == least,
        }
        found.append(", ".join(word for word, holds in words.items() if holds))
    return found
