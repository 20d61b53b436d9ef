"""How a plan and a release look in a notebook: HTML in the look of mechanisms and comparisons, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from discreet.core.rationals import shown

if TYPE_CHECKING:
    from discreet.tables.planning import Plan
    from discreet.tables.published.result import Release

_LINES = 24
_GROUPS = 10
_SMALL = 10_000
"""Groups up to which a table on disk is read for the sake of its first rows."""


def plan_html(plan: Plan) -> str:
    """Show a plan: the price, and what it buys for each count and group size."""
    facts = [("epsilon", f"{shown(plan.epsilon)} in total (alpha {shown(plan.alpha)})"), ("groups", f"{plan.groups:,}")]
    if len(plan.each) > 1 or plan.contributions > 1:
        facts.append(("one draw of each", ", ".join(f"{name} {shown(value)}" for name, value in plan.each)))
    if plan.contributions > 1:
        facts.append(("rows a person", str(plan.contributions)))
    if plan.remaining is not None:
        fits = "it fits" if plan.epsilon <= plan.remaining else "it does not fit"
        facts.append(("left in the ledger", f"{shown(plan.remaining)}: {fits}"))
    facts.append(("not protected", plan.public))
    rows = (
        (
            line.count,
            str(line.n),
            f"{line.groups:,}",
            *(("-",) * 3 if line.margin is None else (f"{line.truth:.3f}", f"{line.rmse:.2f}", f"±{line.margin}")),
            line.name,
        )
        for line in plan.lines[:_LINES]
    )
    head = ("count", "n", "groups", "truth", "RMSE", "95% within", "mechanism")
    more = f"{len(plan.lines) - _LINES:,} more in .lines. " if len(plan.lines) > _LINES else ""
    return f"<b>Plan of a release</b>{_facts(facts)}{_rows(head, rows)}<small>{more}{escape(plan.guarantee)}</small>"


def release_html(release: Release) -> str:
    """Show a release: what was published at which price, and its first rows where they are at hand."""
    facts = release.manifest
    told = [
        ("counts", ", ".join(count.name for count in facts.counts)),
        ("epsilon", shown(Fraction(facts.epsilon))),
        ("groups", f"{facts.groups:,} of {len(facts.groups_by_size):,} size(s)"),
        ("mechanisms", f"{len(release.mechanisms):,}, each with its proof"),
        ("not protected", release.public),
        ("engine", facts.engine),
        *([("bundle", str(release.path))] if release.path else []),
    ]
    html = f"<b>Release {escape(facts.release[:8])}</b>{_facts(told)}"
    more = ""
    if release.rows is not None or (release.path is not None and facts.groups <= _SMALL):
        first = release.table.slice(0, _GROUPS)
        html += _rows(first.column_names, ([str(value) for value in row.values()] for row in first.to_pylist()))
        more = f"{facts.groups - _GROUPS:,} more in .table. " if facts.groups > _GROUPS else ""
    return f"{html}<small>{more}{escape(facts.guarantee)}</small>"


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in facts
    )
    return f"<table>{rows}</table>"


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"
