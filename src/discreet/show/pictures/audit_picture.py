"""The picture of an audit: the estimated matrix as a heatmap, the cells that speak against the box outlined."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.show.cells import Rows, coloured
from discreet.show.colours import ROOT_ABOVE
from discreet.show.pictures.heatmap import Shades, drawn, matrix_panel, side_alone
from discreet.show.pictures.theme import finished, whole_cells, write

if TYPE_CHECKING:
    from discreet.auditing.findings import Audit

_LINE = 50
"""Letters that a title has room for."""


def audit_cells(report: Audit) -> Rows:
    """Return one row per cell: its estimate, its interval, whether it speaks against the box, and its colours."""
    against = set(report.cells)
    matrix, low, high = report.matrix.tolist(), report.region.low.tolist(), report.region.high.tolist()
    rows: Rows = [
        {
            "output": i,
            "count": j,
            "probability": None if math.isnan(matrix[i][j]) else matrix[i][j],
            "low": low[i][j],
            "high": high[i][j],
            "against": (i, j) in against,
        }
        for i in range(report.n + 1)
        for j in range(report.n + 1)
    ]
    return coloured(rows, _largest(rows), root=report.n > ROOT_ABOVE)


def _largest(rows: Rows) -> float:
    return max((row["probability"] or 0.0 for row in rows), default=1.0) or 1.0


def picture(report: Audit, path: str | Path | None = None) -> Any:
    """Return an Altair chart of an audit, and write it to `path` when given (PNG, SVG, PDF or offline HTML)."""
    rows = audit_cells(report)
    side = side_alone(report.n) if report.n <= 30 else whole_cells(700, report.n + 1)
    tip = {"count": "true count", "output": "published number", "probability": "estimate", "low": "from", "high": "to"}
    shades = Shades(_largest(rows), report.n > ROOT_ABOVE, None, "against" if report.cells else "")
    chart = matrix_panel(
        "cells",
        rows,
        report.n,
        side,
        shades,
        values="estimated chance",
        outlined="against",
        tip=tip,
    )
    line, note = _below(report)
    chart = finished(chart, _title(report), line, {"cells": drawn(rows)}, note=note)
    if path is not None:
        write(chart, path)
    return chart


def _title(report: Audit) -> str:
    """What was found, where a line has room for it."""
    found = f"{report.name}: {_first(report)}" if report.faults else ""
    return found if 0 < len(found) <= _LINE else f"{report.name}: {report.verdict}"


def _first(report: Audit) -> str:
    """The first fault; of a box that was not refuted, its bound."""
    return next(iter(report.faults), f"epsilon at least {report.epsilon_bound:.4g}").removesuffix(" as claimed")


def _below(report: Audit) -> tuple[str, str]:
    """The line below the title, which is the first thing left to say, and all that is left after it."""
    first, more = _first(report), report.faults[1:]
    said = [] if first in _title(report) else [first]
    said += [told] if (told := _ratio(report)) else []
    said += [f"{len(more)} more {'faults' if len(more) > 1 else 'fault'}"] if more else []
    said += ["outlined: the evidence"] if report.cells and not told else []
    said.append(f"confidence {report.confidence:.6g}")
    return said[0], "; ".join(said[1:])


def _ratio(report: Audit) -> str:
    """The two cells that refute a claim in a sentence: how much likelier one is, and how much the claim allows."""
    if len(report.cells) != 2 or report.claim is None:
        return ""
    (output, one), (other_output, other) = sorted(report.cells, key=lambda cell: -report.matrix[cell])
    if output != other_output:
        return ""
    more, less = report.matrix[output, one], report.matrix[output, other]
    if not less:
        return ""
    allowed = math.exp(float(report.claim.epsilon) * abs(one - other))
    often = f"{more / less:.1f} times as often"
    return f"outlined: {output} came {often} at count {one} as at {other} (allowed: {allowed:.1f})"
