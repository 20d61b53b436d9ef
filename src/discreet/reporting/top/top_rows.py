"""What the picture at the head of a report draws: the tables below have the same numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.reporting.report_findings import Counted, Findings

LINES, ANSWERS = 30, 12
"""Lines below the total, and answers, that have room."""
WHOLE = 2
"""Questions up to which more than the total is drawn of each."""


def keys_drawn(findings: Findings, counted: Counted) -> tuple[str, ...]:
    """The keys whose groups are drawn below the total, all keys if those are single groups; none if
    only the total is.

    Sums by the coarsest key come first, then single groups: whichever has at most thirty lines.
    """
    if counted.answers or len(findings.counts) > WHOLE:
        return ()
    for names, rows in counted.sums.items():
        if names and not counted.crossed(names) and 1 < len(rows) <= LINES:
            return names
    groups = sum(bool(row.n) for row in counted.groups)
    return tuple(findings.manifest.keys) if 1 < groups <= LINES else ()
