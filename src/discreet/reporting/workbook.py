"""The report as a spreadsheet: the table to quote, totals, unbiased estimates, methods,
manifest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.odds import PRIORS, belief
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.quoting.interval_kinds import NONE, interval_head, rule
from discreet.reporting import plain_words as words
from discreet.reporting.xlsx_files import (
    MOST_TEXT,
    PERCENT,
    TENTHS,
    TEXT,
    WHOLE,
    WRAPPED,
    Sheet,
    write_sheets,
)
from discreet.show.pictures.readings.estimate_rows import Row

if TYPE_CHECKING:
    from discreet.reporting.report_findings import Counted, Findings

_FOR_SUMS = (
    "For sums and models: unbiased, right on average. One alone may be negative or more than the "
    "group has, and is not to be quoted; the first sheet is. An interval is of its row alone."
)


def workbook(findings: Findings) -> bytes:
    """Return the spreadsheet's file."""
    return write_sheets([sheet for sheet in _sheets(findings) if sheet is not None])


def _sheets(findings: Findings) -> Iterator[Sheet | None]:
    several = len(findings.counts) > 1
    for counted in findings.counts:
        yield _quotable(findings, counted, f"Quote {counted.name}" if several else "To quote")
    for counted in findings.counts:
        yield _totals(findings, counted, f"Totals {counted.name}" if several else "Totals")
    for counted in findings.counts:
        yield _estimates(counted, f"Estimates {counted.name}" if several else "Estimates")
    for counted in findings.counts if findings.earlier is not None else ():
        yield _changes(counted, f"Changes {counted.name}" if several else "Changes")
    yield _methods(findings)
    yield _manifest(findings)


def _quotable(findings: Findings, counted: Counted, name: str) -> Sheet | None:
    if counted.quoted is None:
        return None
    found = counted.quoted.table()
    warning = words.too_noisy(findings, counted).replace("the totals above", "totals")
    notes = " ".join([*filter(None, [warning]), found.lead, *found.notes]).replace(
        "`subtotals`", "the other sheets"
    )
    notes = _in_cells(notes)
    heads: dict[str, str] = {}
    for low, (kind, high) in found.spans.items():
        heads |= {low: f"{kind}: from", high: "to"}
    columns = {name: values for name, values in found.columns.items() if name not in found.unseen}
    return _table(name, f"{counted.name}, to be quoted", notes, columns, found.keys, heads)


def _in_cells(said: str) -> str:
    """The rule as it is of cells: one without a number is empty."""
    return said.replace(f"is a dash ({NONE})", "is empty")


def _estimates(counted: Counted, name: str) -> Sheet | None:
    e = counted.estimate
    keys = tuple(e.sample.keys)
    try:
        # of several levels, what all of them say together
        columns = e.subtotals(*keys).columns if getattr(e, "coarser", ()) else e.table().columns
    except NotEstimable:
        return None
    wanted = ("n", "answer", "released", "unbiased", "estimate", "low", "high", "standard_error")
    kept = {
        column: values
        for column, values in columns.items()
        if column in keys or (column in wanted and not (counted.facts.cap and column == "n"))
    }
    heads = {"low": f"{interval_head(e.confidence)}: from", "high": "to", "n": counted.unit}
    heads |= {
        "released": "as drawn",
        "unbiased": "unbiased estimate",
        "estimate": "unbiased estimate",
    }
    return _table(
        name, f"{counted.name}: unbiased estimates", _FOR_SUMS, kept, (*keys, "answer"), heads
    )


def _totals(findings: Findings, counted: Counted, name: str) -> Sheet | None:
    if counted.unreadable:
        return None
    keys = list(findings.manifest.keys)
    parts: dict[tuple[str, ...], list[Row]] = {(): counted.totals, **counted.parts}
    kind, whole = interval_head(findings.confidence), not counted.facts.cap
    answers, sized = bool(counted.answers), findings.people is not None
    head = [*keys, *(["answer"] if answers else []), *([counted.unit] if sized else [])]
    shown_as = [TEXT] * (len(keys) + answers) + [WHOLE] * sized
    head += [f"{kind}: from", "to", *(["number"] if whole else [])]
    head += ["unbiased estimate", "standard error", *(["share"] if sized else [])]
    shown_as += [*([WHOLE] * (3 if whole else 2)), TENTHS, TENTHS, *([PERCENT] if sized else [])]
    rows = []
    for names, found in parts.items():
        for row, quoted in zip(found, counted.sums[names], strict=True):
            held = dict(zip(names, row.keys, strict=True))
            cells = [_plain(held[key]) if key in held else "all" for key in keys]
            share = [row.value / row.n if row.n else None] if sized else []
            rows.append(
                [
                    *cells,
                    *([row.answer] if answers else []),
                    *([row.n] if sized else []),
                    quoted.low,
                    quoted.high,
                    *([None if quoted.doubted else quoted.value] if whole else []),
                    row.value,
                    row.error,
                    *share,
                ]
            )
    doubted = any(row.doubted for rows in counted.sums.values() for row in rows)
    quote = (
        f"{_in_cells(rule(dashes=doubted))} Sums and models take the unbiased estimate. "
        if whole
        else ""
    )
    note = f"{quote}Parts add up to wholes. An interval is of its row alone."
    return Sheet(
        name=name, title=f"{counted.name}: totals", note=note, head=head, shown=shown_as, rows=rows
    )


def _changes(counted: Counted, name: str) -> Sheet | None:
    found = counted.change(None)
    if found is None:
        return None
    heads = {"low": f"{interval_head(counted.estimate.confidence)}: from", "high": "to"}
    notes = " ".join(found.notes).replace("low, high:", "Interval:")
    return _table(
        name, f"{counted.name}: change of every group", notes, found.columns, found.keys, heads
    )


def _methods(findings: Findings) -> Sheet:
    facts = findings.manifest
    alpha = Fraction(facts.alpha)
    rows: list[tuple[str, str]] = [("What was asked", said) for said in words.asked(facts)]
    rows += [
        ("What is protected", words.protected(facts)),
        ("What is not", words.not_protected(facts, findings.release.public)),
        ("What it rests on", words.assumption(facts)),
        (
            "Epsilon",
            f"{words.plain_number(facts.epsilon)} in total; alpha = {words.alpha_words(facts)}",
        ),
    ]
    for before in PRIORS:
        was, least, most = belief(before, alpha).words
        rows.append(
            (
                "What epsilon means",
                f"If somebody knows everything about everybody else, a suspicion of {was} about "
                f"one person becomes {least} to {most}.",
            )
        )
    rows += [("What not to do", said) for said in words.never(findings)]
    rows += [
        ("Methods, to be pasted", words.methods(findings)),
        ("How to cite", words.cite(findings)),
        ("How to verify", f"discreet verify {findings.folder}"),
        ("Guarantee", facts.guarantee),
    ]
    head = ("about", "what holds for this release")
    return Sheet(
        name="Methods",
        title=findings.title,
        head=head,
        shown=(WRAPPED, WRAPPED),
        rows=rows,
        widths=(24, 110),
    )


def _manifest(findings: Findings) -> Sheet:
    document = json.loads(findings.manifest.text)
    rows = [(name, _plain(value)) for name, value in _flat("", document)]
    note = f"As it stands in manifest.json, SHA-256 {findings.manifest.digest}."
    return Sheet(
        name="Manifest",
        title="Manifest",
        note=note,
        head=("field", "value"),
        shown=(WRAPPED, WRAPPED),
        rows=rows,
        widths=(36, 98),
    )


_WHOLE_MAPPINGS = ("groups_by_size", "mechanisms", "cells")


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A document as rows; mappings of many sizes stay in one, cut where a cell would not hold
    them.
    """
    if isinstance(value, Mapping) and name.rpartition(".")[2] not in _WHOLE_MAPPINGS:
        for key, part in value.items():
            yield from _flat(f"{name}.{key}" if name else key, part)
    elif isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        for place, part in enumerate(value):
            yield from _flat(f"{name}[{place}]", part)
    elif isinstance(value, (Mapping, list)):
        text = json.dumps(value, ensure_ascii=False)
        yield (
            name,
            text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 40]} ... (see manifest.json)",
        )
    else:
        yield name, value


def _table(
    name: str,
    title: str,
    note: str,
    columns: Mapping[str, Any],
    keys: Sequence[str],
    heads: Mapping[str, str],
) -> Sheet:
    """A table of columns: keys as they are, whole numbers whole, others with a decimal; `heads`
    name some in words.

    Whole numbers of which some are missing are objects.
    """
    arrays = {column: np.asarray(values) for column, values in columns.items()}
    flags = {c: values for c, values in arrays.items() if values.dtype == bool and c not in keys}
    arrays |= {c: np.where(values, "yes", "no") for c, values in flags.items()}
    words = {*keys, *flags}
    looks = [
        TEXT if c in words else WHOLE if values.dtype.kind in "iuO" else TENTHS
        for c, values in arrays.items()
    ]
    lists = [[_plain(value) for value in values.tolist()] for values in arrays.values()]
    rows = list(zip(*lists, strict=True))
    head = [
        column if column in keys else heads.get(column, column.replace("_", " ").strip())
        for column in arrays
    ]
    return Sheet(name=name, title=title, note=note, head=head, shown=looks, rows=rows)


def _plain(value: Any) -> Any:
    """A value as a cell holds it: numbers and texts; whatever else as text."""
    kept = value is None or type(value) in (int, float, str)
    return value if kept else str(value)
