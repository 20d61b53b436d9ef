"""What `discreet release` says when it is done: what was released, where it is, and what to know before reading it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.cli.shared import quoted
from discreet.core.rationals import shown

if TYPE_CHECKING:
    from discreet.tables.published.result import Release


def released(done: Release, settings: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A release as facts for --json, and as text; `settings` are those it was made with."""
    summary, paid = done.to_dict(), ""
    if settings.get("ledger") is not None:
        from discreet.cli.paid_text import already_text, budget_facts, budget_text

        if done.already:
            return summary, already_text(done)
        if budget := budget_facts(done, settings["ledger"]):
            summary["budget"] = budget
            paid = f"\n{budget_text(budget)}"
    return summary, "\n".join([_summary(done, summary, settings["output"], paid), *_notes(done)])


def _summary(done: Release, summary: dict[str, Any], given: object, paid: str) -> str:
    spent = shown(Fraction(summary["epsilon"]))
    groups = "1 group" if summary["groups"] == 1 else f"{summary['groups']:,} groups"
    sizes = " of one size" if summary["sizes"] == 1 else f" of {summary['sizes']} sizes"
    if cap := summary.get("cap"):
        sizes = f", of each at most {cap} people,"
    tables = ", ".join(level.table for level in done.manifest.levels)
    made = "1 proof" if summary["mechanisms"] == 1 else f"{summary['mechanisms']} proofs"
    return (
        f"released {', '.join(summary['counts'])} for {groups}{sizes} "
        f"at epsilon {spent}{_levels(summary.get('levels', {}))}{paid}"
        f"\nnot protected: {summary['public']}"
        f"\nbundle: {summary['path']} (release {summary['release'][:8]}: {tables}, manifest, {made})"
        f"\nread it with: discreet estimate {quoted(str(given))}"
        f"\nreport it with: discreet report {quoted(str(given))} -o report.html (or report.xlsx)"
    )


def _levels(levels: dict[str, int]) -> str:
    each = (f"{name} {groups:,}" for name, groups in levels.items())
    return f"\nlevels, and their groups: {', '.join(each)}" if levels else ""


def _notes(done: Release) -> Iterator[str]:
    """What to know before the tables are read, where there is something."""
    facts = done.manifest
    if done.already:
        return
    if any("'" in count.definition for count in facts.counts):
        from discreet.show.plans.counted_text import compared_note

        note = compared_note([(count.name, count.definition) for count in facts.counts])
        if note:
            yield f"note: {note}"
    if len(facts.levels) > 1:
        from discreet.show.plans.own_tables_text import released_alone

        yield from (f"note: {line}" for line in released_alone(done))
    if facts.confidence:
        from discreet.show.releases import beside_counts

        yield beside_counts(facts)
